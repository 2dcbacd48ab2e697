import { assertHas } from '../base/input.js';
import type { FeeRates } from '../math/types.js';
import { decodeLiquidityPoolState, decodeProtocolConfig, type ProtocolConfig } from '../program/accounts.js';
import type { PoolSnapshot } from './decode.js';
import { FEE_TYPES } from './layout.js';
import { boundUnitsPerUsd, marketCapInBoundUnits } from './market-cap.js';

/** The fees in a range of market caps or slots. */
export interface FeeStep {
  /** Where the range begins: a market cap in millionths of a dollar, or slots since the pool's creation. */
  readonly from: bigint;
  /** Where the next range begins: in millionths of a dollar, or in slots. `undefined`: the range has no end. */
  readonly to: bigint | undefined;
  /** Rates for a buy, in basis points. */
  readonly buyFees: FeeRates;
  /** Rates for a sell, in basis points. */
  readonly sellFees: FeeRates;
}

/** All fees of a pool, now and later. */
export interface FeeSchedule {
  /** By market cap, in millionths of a dollar, while no slot schedule applies. At least one step, from 0 on. */
  readonly byMarketCap: readonly FeeStep[];
  /** By slots since the pool's creation, at the current market cap. A single step if no fee depends on the slot. */
  readonly bySlot: readonly FeeStep[];
}

const MICRO_USD = 1_000_000n;
const FIELDS = {
  protocol: 'protocolTradingFee',
  liquidityProvider: 'liquidityProviderTradingFee',
  creator: 'creatorTradingFee',
  creatorProtocol: 'creatorTradingFeeProtocolFee',
  reflection: 'reflectionTradingFee',
} as const;

/**
 * Computes the fees of a pool for every market cap and for every slot since its creation, by the rules of {@link toSwapState}, to show
 * them as a table or a chart. From a protocol config, they are those of a standard pool that is launched now, in the lowest market cap
 * bracket.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-account-data`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * for (const { from, to, buyFees } of toFeeSchedule(snapshot).byMarketCap) console.log(from, to, buyFees.creator);
 * ```
 */
export function toFeeSchedule(source: PoolSnapshot | ProtocolConfig): FeeSchedule {
  const isSnapshot = typeof source === 'object' && source !== null && 'data' in source;
  if (!isSnapshot) assertHas(source, 'marketCapBasedFees', 'source', 'a pool snapshot or a protocol config');
  const fees = isSnapshot ? schedulesOf(source) : source;
  const groups = FEE_TYPES.map((type) => groupOf(fees, type));
  const unitsPerUsd = isSnapshot ? boundUnitsPerUsd(source) : 1n;
  const marketCap = isSnapshot ? marketCapInBoundUnits(source) : 0n;

  const caps = new Set([0n]);
  const slots = new Set([0n]);
  for (const { brackets, schedule } of groups) {
    // A bound in whole dollars includes the cents.
    for (const { marketCapUpperBound } of brackets.slice(0, -1))
      caps.add(((marketCapUpperBound + 1n) * MICRO_USD + unitsPerUsd - 1n) / unitsPerUsd);
    if (schedule === undefined) continue;
    for (const { slotOffsetUpperbound } of schedule.brackets)
      if (slotOffsetUpperbound < schedule.maxSlotOffset) slots.add(BigInt(slotOffsetUpperbound) + 1n);
    slots.add(BigInt(schedule.maxSlotOffset) + 1n);
  }
  return {
    byMarketCap: stepsFrom(caps, (from) =>
      groups.map(({ brackets }) => bracketAt(brackets, (from * unitsPerUsd) / MICRO_USD)),
    ),
    bySlot: stepsFrom(slots, (from) =>
      groups.map(({ brackets, schedule }) => {
        const bracket =
          schedule !== undefined && from <= BigInt(schedule.maxSlotOffset)
            ? schedule.brackets.find(({ slotOffsetUpperbound }) => from <= BigInt(slotOffsetUpperbound))
            : undefined;
        return bracket ?? bracketAt(brackets, marketCap);
      }),
    ),
  };
}

type Source = Pick<ProtocolConfig, 'marketCapBasedFees' | 'slotOffsetBasedFees'>;

const schedulesOf = ({ data, feeSource }: PoolSnapshot): Source =>
  feeSource === 'local' ? decodeLiquidityPoolState(data.pool) : decodeProtocolConfig(data.protocolConfig);

/** The brackets of one fee type, and its slot schedule if that is enabled. */
function groupOf({ marketCapBasedFees, slotOffsetBasedFees }: Source, type: keyof typeof FIELDS) {
  const { [FIELDS[type]]: caps } = marketCapBasedFees;
  const { [FIELDS[type]]: slots } = slotOffsetBasedFees;
  return {
    brackets: caps.brackets.slice(0, caps.count),
    schedule: slots.enabled === 0 ? undefined : { ...slots, brackets: slots.brackets.slice(0, slots.count) },
  };
}

interface Fees {
  readonly buyFeeBps: number;
  readonly sellFeeBps: number;
}

/** The first bracket whose bound is not below the market cap, or the last. */
const bracketAt = (brackets: ReturnType<typeof groupOf>['brackets'], marketCap: bigint): Fees | undefined =>
  brackets.find(({ marketCapUpperBound }) => marketCapUpperBound >= marketCap) ?? brackets.at(-1);

/** Steps from their starts. `feesAt` returns the brackets in the order of the fee types. */
function stepsFrom(
  starts: ReadonlySet<bigint>,
  feesAt: (from: bigint) => readonly (Fees | undefined)[],
): readonly FeeStep[] {
  const sorted = [...starts].sort((a, b) => (a < b ? -1 : 1));
  return sorted.map((from, index) => {
    const brackets = feesAt(from);
    const rates = (of: keyof Fees) =>
      Object.fromEntries(
        FEE_TYPES.map((type, at) => [type, BigInt(brackets[at]?.[of] ?? 0)]),
      ) as unknown as FeeRates;
    return { from, to: sorted[index + 1], buyFees: rates('buyFeeBps'), sellFees: rates('sellFeeBps') };
  });
}
