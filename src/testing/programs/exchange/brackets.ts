import { FEE_BRACKETS, SLOT_BRACKETS } from '../../../pool/layout.js';
import type { FeeBracketsParams, SlotFeeBracketsParams } from '../../../program/types.js';

// Which fees the program takes.

const MOST_BPS = 10_000;

/** Up to 4 brackets, from the lowest bound up, with fees of at most so many basis points. */
export const areFeesValid = (fees: FeeBracketsParams | null, mostBps: number = MOST_BPS): boolean =>
  fees === null ||
  isSchedule(fees, FEE_BRACKETS.most, mostBps, ({ marketCapUpperBound }) => marketCapUpperBound);

/** Up to 42 brackets, from the first slots on, and maxima that are theirs. */
export const areSlotFeesValid = (fees: SlotFeeBracketsParams | null, mostBps: number = MOST_BPS): boolean =>
  fees === null ||
  (isSchedule(
    fees,
    SLOT_BRACKETS.most,
    Math.min(mostBps, fees.maxFeeBps),
    ({ slotOffsetUpperbound }) => slotOffsetUpperbound,
  ) &&
    fees.maxSlotOffset >= (fees.brackets[fees.count - 1]?.slotOffsetUpperbound ?? 0));

function isSchedule<TBracket extends { readonly buyFeeBps: number; readonly sellFeeBps: number }>(
  { brackets, count }: { readonly brackets: readonly TBracket[]; readonly count: number },
  most: number,
  mostBps: number,
  boundOf: (bracket: TBracket) => bigint | number,
): boolean {
  const used = brackets.slice(0, count);
  const bounds = used.map(boundOf);
  return (
    used.length === count &&
    count <= most &&
    used.every(({ buyFeeBps, sellFeeBps }) => Math.max(buyFeeBps, sellFeeBps) <= mostBps) &&
    bounds.every((bound, index) => bound > (bounds[index - 1] ?? -1))
  );
}
