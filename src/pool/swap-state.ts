import { assertHas, assertU64 } from '../input.js';
import type { FeeRates, SwapState } from '../math/types.js';
import type { ProtocolRules } from '../program/rules.js';
import { assertReadable } from '../solana/account-data.js';
import type { PoolSnapshot } from './decode.js';
import { CONFIG, FEE_BRACKETS, FEE_TYPES, POOL, SLOT_BRACKETS } from './layout.js';
import { marketCapInBoundUnits } from './market-cap.js';

/**
 * The reserves and fee rates of a pool for a trade in a given slot: all that a quote needs, for any amount and side.
 *
 * Per fee type, the slot schedule goes first while it is enabled and its window lasts, then the market cap brackets
 * ([level D](/protocol)). A Global pool takes its config's schedules; a Local one its own, but for the protocol fee
 * (`rules.localProtocolFee`, A6).
 * @param options `slot`: the slot in which the trade is to land. Default: the snapshot's.
 * @throws {HeavenError} `invalid-input`, `invalid-amount` or `amount-out-of-range` (a slot that is none)
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const state = toSwapState(snapshot, { slot: snapshot.slot + 5n });
 * console.log(state.buyFees.creator);
 * ```
 */
export function toSwapState(snapshot: PoolSnapshot, options: { readonly slot?: bigint } = {}): SwapState {
  assertHas(snapshot, 'data', 'snapshot', 'a pool snapshot');
  const { slot = snapshot.slot } = options;
  assertU64(slot, 'slot');
  const { reserveA, reserveB, virtualReserveB, createdAtSlot, rules } = snapshot;
  const { pool, protocolConfig: config } = snapshot.data;
  if (snapshot.feeSource === 'local') assertReadable(POOL, pool);
  assertReadable(CONFIG, config);
  const offset = slotOffset(slot, createdAtSlot);
  const buyFees = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };
  const sellFees = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };
  let marketCap: bigint | undefined;
  for (let index = 0; index < FEE_TYPES.length; index++) {
    const type = FEE_TYPES[index] as keyof FeeRates;
    const isLocal =
      snapshot.feeSource === 'local' && (type !== 'protocol' || rules.localProtocolFee === 'pool');
    const data = isLocal ? pool : config;
    const { marketCapBasedFees, slotOffsetBasedFees } = isLocal ? POOL : CONFIG;
    const slots = slotBracket(data, slotOffsetBasedFees + index * SLOT_BRACKETS.size, offset);
    if (slots !== undefined) {
      buyFees[type] = rate(uint16(data, slots + SLOT_BRACKETS.buy));
      sellFees[type] = rate(uint16(data, slots + SLOT_BRACKETS.sell));
      continue;
    }
    const brackets = marketCapBasedFees + index * FEE_BRACKETS.size;
    const count = data[brackets + FEE_BRACKETS.count] as number;
    if (count === 0) continue;
    let bracket = brackets;
    // Only more than one bracket makes the market cap matter.
    if (count > 1) {
      marketCap ??= marketCapInBoundUnits(snapshot);
      bracket = marketCapBracket(data, brackets, count, marketCap);
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
    windowFill: windowReserves === undefined ? undefined : rules.windowFill,
    transferFee: snapshot.token.transferFee,
  };
}

// Straight from the bytes: on a hot path, making a view of them costs more than reading them.
const uint16 = (data: Uint8Array, at: number): number =>
  (data[at] as number) | ((data[at + 1] as number) << 8);
const uint32 = (data: Uint8Array, at: number): number =>
  (uint16(data, at) | (uint16(data, at + 2) << 16)) >>> 0;

/** Most rates are 0, for which no big integer needs to be made. */
const rate = (value: number): bigint => (value === 0 ? 0n : BigInt(value));

/** Slots since the creation of a pool, as a number: past the last slot of every schedule, which one it is makes no difference. */
function slotOffset(slot: bigint, createdAtSlot: bigint): number {
  if (slot <= createdAtSlot) return 0;
  const offset = slot - createdAtSlot;
  return offset > 0xffffn ? 0x10000 : Number(offset);
}

/** Where the bracket of a slot schedule is that applies, if one does. */
function slotBracket(data: Uint8Array, schedule: number, offset: number): number | undefined {
  if (data[schedule + SLOT_BRACKETS.enabled] === 0) return undefined;
  if (offset > uint16(data, schedule + SLOT_BRACKETS.maxOffset)) return undefined;
  const count = data[schedule + SLOT_BRACKETS.count] as number;
  for (let k = 0; k < count; k++) {
    const bracket = schedule + k * SLOT_BRACKETS.bracket;
    if (uint16(data, bracket + SLOT_BRACKETS.upperBound) >= offset) return bracket;
  }
  return undefined;
}

/** Where the first bracket is whose bound is not under the market cap, or the last. Bounds have 64 bits: compared in halves. */
function marketCapBracket(data: Uint8Array, brackets: number, count: number, marketCap: bigint): number {
  const high = Number(marketCap >> 32n);
  const low = Number(marketCap & 0xffff_ffffn);
  let bracket = brackets;
  for (let k = 0; k < count - 1; k++) {
    const boundHigh = uint32(data, bracket + FEE_BRACKETS.upperBound + 4);
    if (boundHigh > high || (boundHigh === high && uint32(data, bracket + FEE_BRACKETS.upperBound) >= low))
      return bracket;
    bracket += FEE_BRACKETS.bracket;
  }
  return bracket;
}

/**
 * In sandwich-resistant mode the pool notes its reserves at the first trade of a window, before that trade, and within the window
 * no trade gets a better price (`rules.slotsPerLeader` and `rules.windowFill`, A7). If it is wrong, only quotes for a later trade in
 * a window are off.
 */
function windowReservesAt(
  { isSandwichResistant, window, rules }: PoolSnapshot,
  slot: bigint,
): SwapState['windowReserves'] {
  if (!isSandwichResistant || window.reserveA === 0n || window.reserveB === 0n) return undefined;
  const slots = windowSlots(window.slots, rules);
  return slot / slots === window.slot / slots
    ? { reserveA: window.reserveA, reserveB: window.reserveB }
    : undefined;
}

/** The slots of a window, which begins at a multiple of them, of a pool with that `leader_slot_window`. */
export const windowSlots = (leaderSlotWindow: number, rules: Pick<ProtocolRules, 'slotsPerLeader'>): bigint =>
  BigInt(rules.slotsPerLeader * (leaderSlotWindow || 1));
