import type { Trade } from './trades.js';

/** What tells a trade from all others. */
export const tradeKey = ({ signature, instructionIndex, innerIndex }: Trade): string =>
  `${signature} ${instructionIndex} ${innerIndex ?? ''}`;

/** Trades by slot. Those of one slot keep their order, which is the other way round in a list that is newest first. */
export function oldestFirst(trades: readonly Trade[]): readonly Trade[] {
  const [first] = trades;
  const last = trades.at(-1);
  const isNewestFirst = first !== undefined && last !== undefined && first.slot > last.slot;
  const ordered = isNewestFirst ? [...trades].reverse() : [...trades];
  return ordered.sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
}
