import { HeavenError } from '../base/errors.js';
import { assertHas, assertKnown, assertU64, invalidInput } from '../base/input.js';
import type { FeeRates, SwapState } from '../math/types.js';
import { SLOTS_PER_LEADER } from '../program/assumptions.js';
import { assertShape, uint16, uint32, view } from '../solana/account-data.js';
import type { PoolSnapshot } from './decode.js';
import { CONFIG, FEE_BRACKETS, FEE_TYPES, POOL, SLOT_BRACKETS } from './layout.js';
import { ESTIMATE_ERROR, estimateMarketCap, marketCapInBoundUnits } from './market-cap.js';

/**
 * Returns a pool's reserves and fee rates for a trade in a given slot: everything that a quote needs, for any amount and side.
 *
 * For each fee type, the slot schedule applies while it is enabled and its window lasts, then the market cap brackets
 * ([level D](/protocol)). A Global pool uses its config's schedules, a Local pool its own, the protocol fee included ([level T](/protocol)
 * for standard pools, [assumption A6](/protocol#assumptions) for pro pools).
 * @param options `slot`: the slot in which the trade is expected to land. Default: the snapshot's.
 * @throws {HeavenError} `invalid-input`, `invalid-amount` or `amount-out-of-range` (`slot` is not a valid slot), `invalid-account-data`
 * (a standard pool takes its fees [in an unknown way](/protocol#how-a-pool-takes-its-fees))
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const state = toSwapState(snapshot, { slot: snapshot.slot + 5n });
 * console.log(state.buyFees.creator);
 * ```
 */
export function toSwapState(
  snapshot: PoolSnapshot,
  options: { readonly slot?: bigint | undefined } = {},
): SwapState {
  assertHas(snapshot, 'data', 'snapshot', 'a pool snapshot');
  assertKnown(options, 'options', { slot: 1 });
  const { slot = snapshot.slot } = options;
  assertU64(slot, 'slot');
  const { data, reserveA, reserveB, virtualReserveB, createdAtSlot } = snapshot;
  assertShape(POOL, data.pool);
  assertShape(CONFIG, data.protocolConfig);
  if ([reserveA, reserveB, virtualReserveB, createdAtSlot].some((amount) => typeof amount !== 'bigint'))
    throw invalidInput('snapshot', snapshot, 'a pool snapshot with bigints');
  assertComputable(snapshot);
  return swapStateAt(snapshot, slot);
}

/** {@link toSwapState} of a checked snapshot of any pool, such as to show its fees. */
export function swapStateAt(snapshot: PoolSnapshot, slot: bigint): SwapState {
  const { reserveA, reserveB, virtualReserveB, createdAtSlot } = snapshot;
  const { pool, protocolConfig: config } = snapshot.data;
  const isLocal = snapshot.feeSource === 'local';
  const data = isLocal ? pool : config;
  const layout = isLocal ? POOL : CONFIG;
  const { marketCapBasedFees, slotOffsetBasedFees } = layout;
  // Negative before the launch: the first bracket applies then too.
  const offset = Number(slot - createdAtSlot);
  const buyFees = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };
  const sellFees = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };
  let marketCap: number | undefined;
  for (let index = 0; index < FEE_TYPES.length; index++) {
    const type = FEE_TYPES[index] as keyof FeeRates;
    const slots = slotBracket(data, slotOffsetBasedFees + index * SLOT_BRACKETS.size, offset);
    if (slots !== undefined) {
      buyFees[type] = rate(uint16(data, slots + SLOT_BRACKETS.buy));
      sellFees[type] = rate(uint16(data, slots + SLOT_BRACKETS.sell));
      continue;
    }
    const brackets = marketCapBasedFees + index * FEE_BRACKETS.size;
    const count = data[brackets + FEE_BRACKETS.countAt] as number;
    if (count === 0) continue;
    let bracket = brackets;
    const last = brackets + (count - 1) * FEE_BRACKETS.bracketSize;
    while (bracket < last) {
      marketCap ??= estimateMarketCap(snapshot);
      if (!isOver(data, bracket + FEE_BRACKETS.upperBound, marketCap, snapshot)) break;
      bracket += FEE_BRACKETS.bracketSize;
    }
    buyFees[type] = rate(uint32(data, bracket + FEE_BRACKETS.buy));
    sellFees[type] = rate(uint32(data, bracket + FEE_BRACKETS.sell));
  }
  const windowReserves = windowReservesAt(snapshot, slot);
  return {
    reserveA,
    reserveB,
    buyFees,
    sellFees,
    virtualReserveB,
    windowReserves,
    // A15: the program doesn't give it back. If it does for launched tokens, there is none in a trade of one.
    transferFee: snapshot.token.transferFee,
  };
}

/** Returns what a pool says about its fees that this library has no arithmetic for, if anything. */
export function unknownTaxation({ data: { pool } }: PoolSnapshot): string | undefined {
  const { [POOL.taxableSide]: side, [POOL.taxableSideType]: type } = pool;
  if (side !== 2) return `taxableSide is ${side}, not 2 (SOL)`;
  return type === 0 ? undefined : `taxableSideType is ${type}, not 0`;
}

/**
 * Throws if a trade in a standard pool can't be computed. Quotes and builders of pro pools warn instead: nobody has seen what pro pools
 * hold here.
 */
export function assertComputable(snapshot: PoolSnapshot, address?: string): void {
  const reason = snapshot.kind === 'standard' ? unknownTaxation(snapshot) : undefined;
  if (reason === undefined) return;
  throw new HeavenError(
    'invalid-account-data',
    `The pool's ${reason}, and nobody knows what a trade pays then. Update the library, or trade in another pool of the token.`,
    { account: POOL.name, reason, ...(address === undefined ? {} : { address }) },
  );
}

/** Most rates are 0, which needs no new big integer. */
const rate = (value: number): bigint => (value === 0 ? 0n : BigInt(value));

/** Returns the offset of the slot schedule's bracket that applies, if any. */
function slotBracket(data: Uint8Array, schedule: number, offset: number): number | undefined {
  if (data[schedule + SLOT_BRACKETS.enabled] === 0) return undefined;
  if (offset > uint16(data, schedule + SLOT_BRACKETS.maxOffset)) return undefined;
  const count = data[schedule + SLOT_BRACKETS.countAt] as number;
  for (let k = 0; k < count; k++) {
    const bracket = schedule + k * SLOT_BRACKETS.bracketSize;
    if (uint16(data, bracket + SLOT_BRACKETS.upperBound) >= offset) return bracket;
  }
  return undefined;
}

/**
 * Whether the market cap, rounded down, is over the bound at an offset. The exact division would take as long as a quote: it is
 * done only if the estimate could be on the wrong side.
 */
function isOver(data: Uint8Array, at: number, estimate: number, snapshot: PoolSnapshot): boolean {
  const excess = estimate - (uint32(data, at + 4) * 2 ** 32 + uint32(data, at) + 1);
  if (Math.abs(excess) > estimate * ESTIMATE_ERROR) return excess > 0;
  return marketCapInBoundUnits(snapshot) > view(data).getBigUint64(at, true);
}

/**
 * In sandwich-resistant mode the pool stores its reserves before the first trade of a window. Within the window,
 * no trade gets a better price ([A7](/protocol#assumptions)). If this is wrong, only quotes for later trades in
 * a window are off.
 */
function windowReservesAt(snapshot: PoolSnapshot, slot: bigint): SwapState['windowReserves'] {
  if (!snapshot.isSandwichResistant) return undefined;
  const { window } = snapshot;
  if (window.reserveA === 0n || window.reserveB === 0n) return undefined;
  const slots = windowSlots(window.slots);
  return slot / slots === window.slot / slots
    ? { reserveA: window.reserveA, reserveB: window.reserveB }
    : undefined;
}

/** Returns the slots of a window for a pool's `leader_slot_window`. A window begins at a multiple of its length. */
export const windowSlots = (leaderSlotWindow: number): bigint =>
  BigInt(SLOTS_PER_LEADER * (leaderSlotWindow || 1));
