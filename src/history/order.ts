import type { Trade } from './trades.js';

/** What tells a trade from all others. */
export const tradeKey = ({ signature, instructionIndex, innerIndex }: Trade): string =>
  `${signature} ${instructionIndex} ${innerIndex ?? ''}`;

/**
 * Trades by slot. Those of one slot keep their order, which is the other way round in a list that is newest first. Of a list of a single slot, the
 * trades of one transaction tell which it is.
 */
export function oldestFirst(trades: readonly Trade[]): readonly Trade[] {
  const [first] = trades;
  const last = trades.at(-1);
  const isNewestFirst =
    first !== undefined &&
    last !== undefined &&
    (first.slot > last.slot ||
      (first.slot === last.slot && trades.some((trade, index) => isBefore(trade, trades[index - 1]))));
  const ordered = isNewestFirst ? [...trades].reverse() : [...trades];
  return ordered.sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
}

/** Whether a trade came before another of the same transaction. */
const isBefore = (trade: Trade, other: Trade | undefined): boolean =>
  trade.signature === other?.signature &&
  (trade.instructionIndex < other.instructionIndex ||
    (trade.instructionIndex === other.instructionIndex &&
      (trade.innerIndex ?? -1) < (other.innerIndex ?? -1)));
