// The sheet's view of a transaction under review, and of one that has landed.
import type { LandedSubmission, TransactionReview } from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, copyButton, element, type Fact, setBusy, setFacts, setLines, setText, show } from './dom.js';
import { formatAmount, formatChange, formatSol, SOL_DECIMALS, shortenAddress } from './format.js';
import { explain } from './messages.js';
import type { Operation } from './sheet.js';

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
}

export interface Shown extends ReviewView {
  readonly of: Operation;
  readonly notice: string | undefined;
  /** What the wallet signed, if it changed the transaction. */
  readonly changed: Pick<TransactionReview, 'inspection' | 'steps'> | undefined;
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

function trialInWords({ simulation }: TransactionReview): string {
  if (simulation.ok === undefined) return `It could not be tried. ${explain(simulation.error).message}`;
  if (simulation.ok) return 'It would succeed as things stand.';
  return `It would fail as things stand, so it can't be signed. ${simulation.error.message}`;
}

/** How the wallet's balances would change. */
function changesOf(
  { simulation }: TransactionReview,
  { mint, decimals, symbol }: Operation['token'],
): Fact[] {
  if (!simulation.ok) return [];
  const sol = `${formatChange(simulation.sol.change, SOL_DECIMALS)} SOL`;
  const tokens = simulation.tokens.filter((token) => token.mint === mint && token.change !== 0n);
  return [
    { term: 'SOL, all fees and rent included', value: sol, isStrong: true },
    ...tokens.map(({ change }) => ({
      term: 'Tokens',
      value: `${formatChange(change, decimals)} ${symbol}`,
      isStrong: true,
    })),
  ];
}

export function renderReview(review: TransactionReview, { of, changed, ...view }: Shown): void {
  const { inspection, steps } = changed ?? review;
  const { size, version, fees } = inspection;
  setText(byId('review-title'), view.title);
  show(byId('review-notice'), view.notice);
  show(byId('review-problem'), undefined);
  setText(byId('review-status'), '');
  byId('review-legs').replaceChildren(...view.legs.map(legNode));
  setText(byId('review-headline'), view.headline);
  setFacts(byId('review-facts'), view.facts);
  setFacts(byId('review-fees'), [
    { term: 'Signatures', value: formatSol(fees.signatures) },
    { term: 'Priority', value: formatSol(fees.priority) },
    ...view.costs,
  ]);
  const place = of.connection.model === undefined ? 'cluster' : 'model';
  setText(byId('review-trial-title'), `Your wallet, as tried on the ${place}`);
  const wouldFail = changed === undefined && review.simulation.ok === false;
  setText(
    byId('review-trial-text'),
    changed === undefined ? trialInWords(review) : 'It could not be tried. Your wallet changed it.',
  );
  byId('review-trial-text').className = wouldFail ? 'problem' : 'quiet';
  setFacts(byId('review-trial'), changed === undefined ? changesOf(review, of.token) : []);
  const found =
    changed === undefined
      ? review.warnings
      : [...inspection.warnings, ...review.built.warnings].map(({ message }) => message);
  setLines(byId('review-warnings'), [...view.warnings, ...found]);
  setLines(byId('review-steps'), steps);
  setText(
    byId('review-bytes'),
    `${formatAmount(BigInt(size), 0)} of ${version === 1 ? '4,096' : '1,232'} bytes, version ${version}. Its block hash is fetched when you sign. It can be sent for 150 blocks from then on.`,
  );
  byId('review-consent').hidden = view.consent === undefined;
  setText(byId('consent-text'), view.consent ?? '');
  const signButton = byId<HTMLButtonElement>('sign');
  signButton.dataset.label =
    changed === undefined
      ? view.confirm
      : of.canSendChanged
        ? 'Send what the wallet signed'
        : 'Ask the wallet again';
  setBusy(signButton, wouldFail ? 'It would fail' : undefined);
}

/** How many checks a wallet added. */
export const checksInWords = (count: number): string =>
  count === 1 ? 'a check of its own' : `${count} checks of its own`;

/** What a receipt shows. */
export interface ReceiptView {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** What to do next, besides closing it. */
  readonly open?: { readonly label: string; readonly act: () => void };
}

/** How it landed, and how many checks the wallet added. */
export interface Landed extends Pick<LandedSubmission, 'signature' | 'slot'> {
  readonly added: number;
  readonly landedAfterMs: number;
}

export function renderReceipt(
  { title, headline, facts, open }: ReceiptView,
  connection: Connection,
  { signature, slot, added, landedAfterMs }: Landed,
): void {
  setText(byId('result-title'), title);
  setText(byId('result-headline'), headline);
  setFacts(byId('result-facts'), [
    ...facts,
    ...(added === 0 ? [] : [{ term: 'Added by your wallet', value: checksInWords(added) }]),
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
