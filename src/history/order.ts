import type { Trade } from './trades.js';

/** Identifies a trade. */
export const tradeKey = ({ signature, instructionIndex, innerIndex }: Trade): string =>
  `${signature} ${instructionIndex} ${innerIndex ?? ''}`;

/**
 * Sorts trades by slot. Trades of one slot keep their order, reversed if the list is newest first. If all trades share one slot,
 * those of a single transaction show which order it is.
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

/** Whether a trade came before another in the same transaction. */
const isBefore = (trade: Trade, other: Trade | undefined): boolean =>
  trade.signature === other?.signature &&
  (trade.instructionIndex < other.instructionIndex ||
    (trade.instructionIndex === other.instructionIndex &&
      (trade.innerIndex ?? -1) < (other.innerIndex ?? -1)));
