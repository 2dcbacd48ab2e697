import { computeFrom } from '../base/input.js';
import type { Trade } from './trades.js';

/**
 * Returns each trade once, oldest first. Trades of one slot keep the order of the list, reversed if the list is newest first, as a list
 * whose trades all share one slot is taken to be.
 */
export function oldestFirst(trades: readonly Trade[]): readonly Trade[] {
  const unique = computeFrom('trades', 'an array of trades', () => [
    ...new Map(trades.map((trade) => [tradeKey(trade), trade])).values(),
  ]);
  const [first] = unique;
  const last = unique.at(-1);
  if (first !== undefined && last !== undefined && first.slot >= last.slot) unique.reverse();
  return unique.sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
}

const tradeKey = ({ signature, instructionIndex, innerIndex }: Trade): string =>
  `${signature} ${instructionIndex} ${innerIndex ?? ''}`;
