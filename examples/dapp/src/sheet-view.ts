// The sheet's view of a transaction under review, and of one that has landed.
import type { Address } from '@solana/kit';

import type { Connection } from './connection.js';
import { byId, copyButton, element, type Fact, setBusy, setFacts, setLines, setText, show } from './dom.js';
import { formatChange, formatSol, SOL_DECIMALS, shortenAddress } from './format.js';
import { type Reviewed, sizeInWords, stepsInWords, trialInWords } from './review.js';
import { checksInWords, type SignedTransaction } from './send.js';

/** An amount with its image. */
export interface Leg {
  readonly image: HTMLElement;
  readonly label: string;
  readonly amount: string;
  readonly exact: string;
  readonly usd: string;
}

/** An operation's content for the review. */
export interface ReviewView {
  readonly title: string;
  readonly legs: readonly Leg[];
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** Rent and the like, below the fees. */
  readonly costs: readonly Fact[];
  /** The operation's own warnings. */
  readonly warnings: readonly string[];
  readonly confirm: string;
  /** What the user must agree to before signing. */
  readonly consent?: string | undefined;
  readonly token: { readonly mint: Address; readonly decimals: number; readonly symbol: string };
  /** Addresses that the user knows. */
  readonly known: Readonly<Record<Address, string>>;
  /** Rewrites a step, such as amounts of a token without a mint beside them. */
  readonly inWords?: (step: string) => string;
}

interface Shown extends ReviewView {
  readonly owner: Address;
  readonly isModel: boolean;
  readonly notice: string | undefined;
  /** The button's label if the wallet changed the transaction. */
  readonly alteredLabel: string | undefined;
}

function legNode({ image, label, amount, exact, usd }: Leg): HTMLElement {
  return element(
    'div',
    { class: 'review-leg' },
    image,
    element(
      'p',
      {},
      element('span', { class: 'quiet' }, label),
      element('br'),
      element('strong', { title: exact }, amount),
      ' ',
      element('span', { class: 'quiet' }, usd),
    ),
  );
}

export function renderReview({ built, inspection, trial }: Reviewed, view: Shown): void {
  const { token, owner } = view;
  setText(byId('review-title'), view.title);
  show(byId('review-notice'), view.notice);
  show(byId('review-problem'), undefined);
  setText(byId('review-status'), '');
  byId('review-legs').replaceChildren(...view.legs.map(legNode));
  setText(byId('review-headline'), view.headline);
  setFacts(byId('review-facts'), view.facts);
  setFacts(byId('review-fees'), [
    { term: 'Signatures', value: formatSol(inspection.fees.signatures) },
    { term: 'Priority', value: formatSol(inspection.fees.priority) },
    ...view.costs,
  ]);
  setText(byId('review-trial-title'), `Your wallet, as tried on the ${view.isModel ? 'model' : 'cluster'}`);
  const tried = 'ok' in trial ? trial : undefined;
  setText(byId('review-trial-text'), trialInWords(trial));
  byId('review-trial-text').className = tried?.ok === false ? 'problem' : 'quiet';
  setFacts(
    byId('review-trial'),
    tried?.ok
      ? [
          {
            term: 'SOL, all fees and rent included',
            value: `${formatChange(tried.sol.change, SOL_DECIMALS)} SOL`,
            isStrong: true,
          },
          ...tried.tokens
            .filter(({ mint, change }) => mint === token.mint && change !== 0n)
            .map(({ change }) => ({
              term: 'Tokens',
              value: `${formatChange(change, token.decimals)} ${token.symbol}`,
              isStrong: true,
            })),
        ]
      : [],
  );
  setLines(byId('review-warnings'), [
    ...view.warnings,
    ...[...inspection.warnings, ...built.warnings].map(({ message }) => message),
  ]);
  const steps = stepsInWords(inspection, token, { [owner]: 'your wallet', ...view.known });
  const { inWords } = view;
  setLines(
    byId('review-steps'),
    inWords === undefined || view.alteredLabel !== undefined ? steps : steps.map(inWords),
  );
  setText(byId('review-bytes'), sizeInWords(inspection));
  byId('review-consent').hidden = view.consent === undefined;
  setText(byId('consent-text'), view.consent ?? '');
  const signButton = byId<HTMLButtonElement>('sign');
  signButton.dataset.label = view.alteredLabel ?? view.confirm;
  setBusy(signButton, tried?.ok === false ? 'It would fail' : undefined);
}

/** What a receipt shows. */
export interface ReceiptView {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** What to do next, besides closing it. */
  readonly open?: { readonly label: string; readonly act: () => void };
  readonly slot: bigint;
  readonly landedAfterMs: number;
}

export function renderReceipt(
  { title, headline, facts, open, slot, landedAfterMs }: ReceiptView,
  connection: Connection,
  { signature, added }: SignedTransaction,
): void {
  setText(byId('result-title'), title);
  setText(byId('result-headline'), headline);
  setFacts(byId('result-facts'), [
    ...facts,
    ...(added.length === 0 ? [] : [{ term: 'Added by your wallet', value: checksInWords(added.length) }]),
    { term: 'Landed', value: `in slot ${slot}, after ${(landedAfterMs / 1_000).toFixed(1)} s` },
    { term: 'Signature', value: shortenAddress(signature), exact: signature },
  ]);
  const url = connection.explorerUrl(signature);
  byId('result-link').replaceChildren(
    copyButton(() => signature, 'Copy signature'),
    ...(url === undefined
      ? []
      : [element('a', { href: url, target: '_blank', rel: 'noreferrer' }, 'See it in the explorer')]),
  );
  const openButton = byId('result-open');
  openButton.hidden = open === undefined;
  setText(openButton, open?.label ?? '');
}
