// Without kit, as the quotes in `heaven-pools/core` are: `high-launch-fee` reads a whole config, which needs it.

import type { HeavenWarning } from '../base/warnings.js';
import { sumFees } from '../math/swap.js';
import type { SwapState } from '../math/types.js';
import { uint16 } from '../solana/account-data.js';
import { SLOT_MS } from '../solana/timing.js';
import type { PoolSnapshot } from './decode.js';
import { CONFIG, FEE_TYPES, POOL, SLOT_BRACKETS } from './layout.js';
import { FEE_WARNING_BPS, type FeeWarningOptions } from './quote-amounts.js';
import { swapStateAt } from './swap-state.js';

type Side = 'buy' | 'sell';

/** The sum of a side's rates. */
export const bpsOf = ({ buyFees, sellFees }: Pick<SwapState, 'buyFees' | 'sellFees'>, side: Side): number =>
  Number(sumFees(side === 'buy' ? buyFees : sellFees));

/** Warns of a trade whose fees take a large part of its SOL, and says when a slot schedule lowers them. */
export const highFee = (
  snapshot: PoolSnapshot,
  side: Side,
  state: SwapState,
  options: FeeWarningOptions,
): readonly HeavenWarning[] =>
  warnOfFees(`The fees of this ${side} are`, bpsOf(state, side), options, () =>
    scheduledSlots(snapshot).map((slots) => {
      const slot = snapshot.slot + BigInt(slots);
      return [bpsOf(swapStateAt(snapshot, slot), side), `at slot ${slot}`, slots];
    }),
  );

/** Fees from a later slot on: their rate, that slot in words, and how many slots it is away. */
export type Later = readonly [bps: number, when: string, slots: number];

/** Warns of a high rate. `later` returns what it becomes, in order: its first fall is named, and that below the limit. */
export function warnOfFees(
  what: string,
  now: number,
  { feeWarningBps }: FeeWarningOptions,
  later: () => readonly Later[],
): readonly HeavenWarning[] {
  const limit = feeWarningBps ?? FEE_WARNING_BPS;
  if (now < limit) return [];
  let falls = '';
  for (const [bps, when, slots] of later()) {
    if (bps >= (falls === '' ? now : limit)) continue;
    // The cluster's slots may take more or less.
    const seconds = Math.ceil((slots * SLOT_MS) / 1000);
    falls += `${falls === '' ? ' They fall' : ', and'} to ${bps / 100} % ${when}, in about ${seconds} s`;
    if (bps < limit) break;
  }
  return [{ code: 'high-fee', message: `${what} ${now / 100} % of its SOL.${falls && `${falls}.`}` }];
}

/** In how many slots a slot schedule may change a fee, in order. */
function scheduledSlots({ data, feeSource, slot, createdAtSlot }: PoolSnapshot): readonly number[] {
  const isLocal = feeSource === 'local';
  const bytes = isLocal ? data.pool : data.protocolConfig;
  const next = Number(slot - createdAtSlot) - 1;
  const { size, bracketSize, upperBound, maxOffset, countAt } = SLOT_BRACKETS;
  return FEE_TYPES.flatMap((_, type) => {
    const schedule = (isLocal ? POOL : CONFIG).slotOffsetBasedFees + type * size;
    const bounds = [uint16(bytes, schedule + maxOffset)];
    for (let k = 0; k < (bytes[schedule + countAt] as number); k++)
      bounds.push(uint16(bytes, schedule + k * bracketSize + upperBound));
    return bounds.map((bound) => bound - next);
  })
    .filter((slots) => slots > 0)
    .sort((a, b) => a - b);
}
