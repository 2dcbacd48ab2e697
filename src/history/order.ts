import { computeFrom, invalidInput } from '../base/input.js';
import type { ParsedTransaction } from './parse-transaction.js';
import type { ParsedTrade, Trade } from './trades.js';

const digits = (value: bigint | number, length: number) => `${value}`.padStart(length, '0');
const slotPlace = (slot: bigint) => digits(slot, 12);

/** Returns a trade's {@link Trade.place}. The transaction's index may have a fraction, to stand between two others. */
export function placeOf(
  { slot, transactionIndex = 0 }: Pick<ParsedTransaction, 'slot' | 'transactionIndex'>,
  { instructionIndex, innerIndex }: ParsedTrade,
): string {
  const fraction = transactionIndex % 1;
  const transaction =
    digits(Math.floor(transactionIndex), 6) + (fraction === 0 ? '' : fraction.toFixed(20).slice(1));
  const path = innerIndex === undefined ? [instructionIndex] : [instructionIndex, innerIndex];
  return [slotPlace(slot), transaction, ...path.map((index) => digits(index, 3))].join('-');
}

/**
 * Returns each trade once, oldest first. Trades without a place come first in their slot, in the list's order: reversed if the list is
 * newest first, as a list whose trades all share one slot is taken to be.
 */
export function oldestFirst(trades: readonly Trade[]): readonly Trade[] {
  return computeFrom('trades', 'an array of trades', () => {
    const sorted = [...trades];
    for (const [index, trade] of sorted.entries()) assertBigints(trade, index);
    const [first] = sorted;
    const last = sorted.at(-1);
    if (first !== undefined && last !== undefined && first.slot >= last.slot) sorted.reverse();
    const keyOf = ({ place, slot }: Trade) => place || slotPlace(slot);
    sorted.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
    // One slot's at a time: a small set is several times as fast as one of all.
    const seen = new Set<string>();
    let slot: bigint | undefined;
    return sorted.filter((trade) => {
      if (trade.slot !== slot) seen.clear();
      slot = trade.slot;
      const { size } = seen;
      return seen.add(tradeKey(trade)).size > size;
    });
  });
}

const AMOUNTS = ['slot', 'blockTime', 'amountIn', 'amountOut', 'totalFee', 'transferFee'] as const;

/** Storage may have turned bigints into text, which sums would append. */
function assertBigints(trade: Trade, index: number): void {
  for (const field of AMOUNTS) {
    const value = trade[field];
    if (typeof value !== 'bigint' && (value !== undefined || field === 'slot'))
      throw invalidInput(`trades[${index}].${field}`, value, 'a bigint. Read stored text with BigInt');
  }
}

const tradeKey = ({ signature, instructionIndex, innerIndex }: Trade): string =>
  `${signature} ${instructionIndex} ${innerIndex ?? ''}`;
