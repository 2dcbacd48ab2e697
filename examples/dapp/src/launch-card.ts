// What the page shows of a launch under review and of one that is done. Loaded on demand.
import type { Address } from '@solana/kit';

import type { Connection } from './connection.js';
import { byId, element, type Fact, setBusy, setFacts, setLines, setText, show } from './dom.js';
import { formatAmount, formatChange, formatSol, SOL_DECIMALS } from './format.js';
import type { LaunchReview } from './launch.js';
import { rentOf, sizeInWords, stepsInWords, trialInWords } from './review.js';
import { checksInWords, type SignedTransaction } from './send.js';

interface LaunchView {
  readonly owner: Address;
  readonly isModel: boolean;
  /** Why the review is shown again. */
  readonly notice: string | undefined;
  /** Whether it shows what the wallet made of it, which is not sent. */
  readonly isChanged: boolean;
}

const tokens = ({ input, terms }: LaunchReview, amount: bigint): string =>
  `${formatAmount(amount, terms.decimals)} ${input.symbol}`;

/** Puts a review into the page. */
export function renderLaunchReview(
  review: LaunchReview,
  { owner, isModel, notice, isChanged }: LaunchView,
): void {
  const { input, terms, built, inspection, trial } = review;
  const { name, symbol, uri, purchase } = input;
  show(byId('launch-review-notice'), notice);
  show(byId('launch-review-problem'), undefined);
  setText(byId('launch-review-status'), '');
  const buying =
    purchase === 0n
      ? ''
      : `, and buy ${tokens(review, purchase)} for at most ${formatSol(built.maxLamportSpend)}`;
  setText(byId('launch-headline'), `You create ${name} (${symbol}) and its pool${buying}.`);
  setFacts(byId('launch-facts'), [
    ['Name', name],
    ['Symbol', symbol],
    ['Metadata, final', uri],
    ['Supply, all of it in the pool at first', formatAmount(terms.supply, terms.decimals)],
    ['Mint', built.mint],
    ['Pool', built.pool],
  ]);
  const rent = rentOf(inspection, built.maxLamportSpend, owner);
  setFacts(byId('launch-fees'), [
    ['Signatures', formatSol(inspection.fees.signatures)],
    ['Priority', formatSol(inspection.fees.priority)],
    ...(rent === undefined ? [] : [['Rent for accounts, at most', formatSol(rent)] as const]),
  ]);
  // A launch moves no other token.
  const inTokens = (step: string) =>
    step.replaceAll(/\b(\d+) units\b(?! of)/g, (_, units: string) => tokens(review, BigInt(units)));
  setText(byId('launch-trial-title'), `Tried on the ${isModel ? 'model' : 'cluster'}`);
  const tried = 'ok' in trial ? trial : undefined;
  setFacts(
    byId('launch-trial'),
    tried?.ok
      ? [
          ['Your SOL, all fees and rent included', `${formatChange(tried.sol.change, SOL_DECIMALS)} SOL`],
          ...tried.tokens
            .filter(({ mint, change }) => mint === built.mint && change !== 0n)
            .map(({ change }): Fact => ['Your tokens', `${formatChange(change, terms.decimals)} ${symbol}`]),
        ]
      : [],
  );
  setText(byId('launch-trial-text'), trialInWords(trial));
  setLines(
    byId('launch-warnings'),
    [...inspection.warnings, ...built.warnings].map(({ message }) => message),
  );
  const steps = stepsInWords(
    inspection,
    { mint: built.mint, decimals: terms.decimals },
    { [owner]: 'your wallet' },
  );
  setLines(byId('launch-steps'), isChanged ? steps : steps.map(inTokens));
  setText(byId('launch-bytes'), sizeInWords(inspection));
  const button = byId<HTMLButtonElement>('launch-sign');
  button.dataset.label = isChanged ? 'Ask the wallet again' : 'Sign and launch';
  setBusy(button, tried?.ok === false ? 'It would fail' : undefined);
}

/** Puts a launch that has landed into the page. */
export function renderLaunchResult(
  at: Connection,
  review: LaunchReview,
  { signature, added }: SignedTransaction,
  slot: bigint,
): void {
  const { input, built } = review;
  setFacts(byId('launch-result-facts'), [
    ['Token', `${input.name} (${input.symbol})`, true],
    ['Mint', built.mint],
    ['Pool', built.pool],
    ...(input.purchase === 0n ? [] : [['You bought', tokens(review, input.purchase), true] as const]),
    ...(added.length === 0 ? [] : [['Added by your wallet', checksInWords(added.length)] as const]),
    ['Slot', slot.toString()],
    ['Signature', signature],
  ]);
  const url = at.explorerUrl(signature);
  byId('launch-result-link').replaceChildren(
    ...(url === undefined
      ? []
      : [element('a', { href: url, target: '_blank', rel: 'noreferrer' }, 'See it in the explorer')]),
  );
}
