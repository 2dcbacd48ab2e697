import { assertHas, assertU64 } from '../input.js';
import type { FeeRates, SwapState } from '../math/types.js';
import type { ProtocolRules } from '../program/rules.js';
import { view } from '../solana/account-data.js';
import type { PoolSnapshot } from './decode.js';
import { CONFIG, FEE_BRACKETS, FEE_TYPES, POOL, SLOT_BRACKETS } from './layout.js';
import { marketCapInBoundUnits } from './market-cap.js';

/**
 * The reserves and fee rates of a pool for a trade in a given slot: all that a quote needs, for any amount and side.
 *
 * Per fee type, the slot schedule goes first while it is enabled and its window lasts, then the market cap brackets
 * (level D). A Global pool takes its config's schedules; a Local one its own, but for the protocol fee
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
  const { reserveA, reserveB, virtualReserveB, createdAtSlot } = snapshot;
  const { rules } = snapshot;
  const marketCap = marketCapInBoundUnits(snapshot);
  const offset = slot > createdAtSlot ? slot - createdAtSlot : 0n;
  const pool = view(snapshot.data.pool);
  const config = view(snapshot.data.protocolConfig);
  const buyFees = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };
  const sellFees = { ...buyFees };
  for (let index = 0; index < FEE_TYPES.length; index++) {
    const type = FEE_TYPES[index] as keyof FeeRates;
    const isLocal =
      snapshot.feeSource === 'local' && (type !== 'protocol' || rules.localProtocolFee === 'pool');
    const data = isLocal ? pool : config;
    const { marketCapBasedFees, slotOffsetBasedFees } = isLocal ? POOL : CONFIG;
    readRates(
      data,
      marketCapBasedFees + index * FEE_BRACKETS.size,
      slotOffsetBasedFees + index * SLOT_BRACKETS.size,
      marketCap,
      offset,
      type,
      buyFees,
      sellFees,
    );
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

type MutableRates = { -readonly [TType in keyof FeeRates]: bigint };

function readRates(
  data: DataView,
  brackets: number,
  schedule: number,
  marketCap: bigint,
  slotOffset: bigint,
  type: keyof FeeRates,
  buyFees: MutableRates,
  sellFees: MutableRates,
): void {
  if (
    data.getUint8(schedule + SLOT_BRACKETS.enabled) !== 0 &&
    slotOffset <= BigInt(data.getUint16(schedule + SLOT_BRACKETS.maxOffset, true))
  ) {
    const count = data.getUint8(schedule + SLOT_BRACKETS.count);
    for (let k = 0; k < count; k++) {
      const bracket = schedule + k * SLOT_BRACKETS.bracket;
      if (BigInt(data.getUint16(bracket + SLOT_BRACKETS.upperBound, true)) < slotOffset) continue;
      buyFees[type] = BigInt(data.getUint16(bracket + SLOT_BRACKETS.buy, true));
      sellFees[type] = BigInt(data.getUint16(bracket + SLOT_BRACKETS.sell, true));
      return;
    }
  }
  const count = data.getUint8(brackets + FEE_BRACKETS.count);
  if (count === 0) return;
  let k = 0;
  while (k < count - 1 && data.getBigUint64(brackets + k * FEE_BRACKETS.bracket, true) < marketCap) k++;
  const bracket = brackets + k * FEE_BRACKETS.bracket;
  buyFees[type] = BigInt(data.getUint32(bracket + FEE_BRACKETS.buy, true));
  sellFees[type] = BigInt(data.getUint32(bracket + FEE_BRACKETS.sell, true));
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
