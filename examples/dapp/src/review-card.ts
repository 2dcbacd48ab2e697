// The review of a trade, as the page shows it. Loaded on demand.
import type { Address } from '@solana/kit';

import { byId, type Fact, setBusy, setFacts, setLines, setText, show } from './dom.js';
import { formatAmount, formatBps, formatChange, formatSol, SOL_DECIMALS } from './format.js';
import { type Review, rentOf, returnedRentOf, sizeInWords, stepsInWords, trialInWords } from './review.js';

interface ReviewView {
  readonly owner: Address;
  readonly tokenName: string;
  readonly isModel: boolean;
  /** What the quote itself warns of. */
  readonly warnings: readonly string[];
  /** Why the review is shown again. */
  readonly notice: string | undefined;
  /** Whether the wallet has signed something else than it was given. */
  readonly isChanged: boolean;
}

/** Puts a review into the page. */
export function renderReview(
  { quote, built, inspection, trial }: Review,
  { owner, tokenName, isModel, warnings, notice, isChanged }: ReviewView,
): void {
  const { token, addresses } = quote.snapshot;
  const inTokens = (amount: bigint) => `${formatAmount(amount, token.decimals)} ${tokenName}`;
  const signButton = byId<HTMLButtonElement>('sign');
  show(byId('review-notice'), notice);
  show(byId('review-problem'), undefined);
  setText(byId('review-status'), '');
  setText(
    byId('review-headline'),
    quote.side === 'buy'
      ? `You pay ${formatSol(quote.amountIn)} and get about ${inTokens(quote.result.amountOut)}.`
      : `You give ${inTokens(quote.amountIn)} and get about ${formatSol(quote.result.amountOut)}.`,
  );
  setFacts(byId('review-facts'), [
    ['At least, or no trade', (quote.side === 'buy' ? inTokens : formatSol)(quote.minimumOut), true],
    ['Fees of the exchange, in that price', formatSol(quote.result.totalFee)],
    ['Price impact', formatBps(quote.result.priceImpactBps)],
    ['Token', addresses.mint],
  ]);
  const rent = rentOf(inspection, quote.side === 'buy' ? quote.amountIn : 0n, owner);
  setFacts(byId('review-fees'), [
    ['Signatures', formatSol(inspection.fees.signatures)],
    ['Priority', formatSol(inspection.fees.priority)],
    ['Rent for accounts, at most', rent === undefined ? 'not known' : formatSol(rent)],
    [
      'Rent that comes back at once',
      rent === undefined ? 'not known' : formatSol(returnedRentOf(inspection, quote)),
    ],
  ]);
  setText(byId('review-trial-title'), `Tried on the ${isModel ? 'model' : 'cluster'}`);
  const tried = 'ok' in trial ? trial : undefined;
  setFacts(
    byId('review-trial'),
    tried?.ok
      ? [
          ['Your SOL', `${formatChange(tried.sol.change, SOL_DECIMALS)} SOL`],
          ...tried.tokens
            .filter(({ mint }) => mint === addresses.mint)
            .map(
              ({ change }): Fact => ['Your tokens', `${formatChange(change, token.decimals)} ${tokenName}`],
            ),
        ]
      : [],
  );
  setText(byId('review-trial-text'), trialInWords(trial));
  setLines(byId('review-warnings'), [
    ...warnings,
    ...[...inspection.warnings, ...built.warnings].map(({ message }) => message),
  ]);
  setLines(
    byId('review-steps'),
    stepsInWords(
      inspection,
      { mint: addresses.mint, decimals: token.decimals },
      {
        [owner]: 'your wallet',
        [addresses.mint]: 'this token',
        [addresses.pool]: 'this pool',
      },
    ),
  );
  setText(byId('review-bytes'), sizeInWords(inspection));
  signButton.dataset.label = isChanged ? 'Send what the wallet signed' : 'Sign and send';
  setBusy(signButton, tried?.ok === false ? 'It would fail' : undefined);
}
