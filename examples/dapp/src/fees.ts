// The fee schedules of a pool, as steps.
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  type FetchedPoolSnapshot,
  type LiquidityPoolState,
  type ProtocolConfig,
  toSwapState,
} from 'heaven-pools';

import { FEE_KINDS } from './fee-kinds.js';

const FIELDS = {
  protocol: 'protocolTradingFee',
  liquidityProvider: 'liquidityProviderTradingFee',
  creator: 'creatorTradingFee',
  creatorProtocol: 'creatorTradingFeeProtocolFee',
  reflection: 'reflectionTradingFee',
} as const;

/** The total fees in basis points above one bound, up to and including the next. */
export interface FeeStep {
  readonly from: number;
  /** `undefined`: no end. */
  readonly to: number | undefined;
  readonly buyBps: number;
  readonly sellBps: number;
}

/** The units of market cap bounds: USD in standard pools, millionths of a USD in pro pools. */
const UNITS_PER_USD = { standard: 1, pro: 1_000_000 } as const;

type Source = Pick<ProtocolConfig | LiquidityPoolState, 'marketCapBasedFees' | 'slotOffsetBasedFees'>;

function scheduleOf(source: Source, kind: (typeof FEE_KINDS)[number]) {
  const caps = source.marketCapBasedFees[FIELDS[kind]];
  const slots = source.slotOffsetBasedFees[FIELDS[kind]];
  return {
    caps: caps.brackets.slice(0, caps.count),
    slots: slots.enabled === 0 ? undefined : { ...slots, brackets: slots.brackets.slice(0, slots.count) },
  };
}

function schedules(snapshot: FetchedPoolSnapshot) {
  const config = decodeProtocolConfig(snapshot.data.protocolConfig);
  const pool = decodeLiquidityPoolState(snapshot.data.pool);
  // The protocol fee always comes from the config.
  return FEE_KINDS.map((kind) =>
    scheduleOf(snapshot.feeSource === 'local' && kind !== 'protocol' ? pool : config, kind),
  );
}

type Schedules = ReturnType<typeof schedules>;

/** The fees by market cap in USD, once a launch is over. */
export const feesByMarketCap = (snapshot: FetchedPoolSnapshot): readonly FeeStep[] =>
  capSteps(schedules(snapshot), UNITS_PER_USD[snapshot.kind]);

function capSteps(all: Schedules, perUsd: number): readonly FeeStep[] {
  const kinds = all.map(({ caps }) => caps);
  // The last bracket's bound is ignored: it has no end.
  const bounds = new Set(
    kinds.flatMap((caps) => caps.slice(0, -1).map(({ marketCapUpperBound }) => marketCapUpperBound)),
  );
  const ends = [...bounds].sort((a, b) => (a < b ? -1 : 1));
  let from = 0;
  return [...ends, undefined].map((end): FeeStep => {
    const at = kinds.flatMap((caps) => {
      const last = caps.at(-1);
      if (last === undefined) return [];
      return [
        (end === undefined
          ? undefined
          : caps.find(({ marketCapUpperBound }) => marketCapUpperBound >= end)) ?? last,
      ];
    });
    // A bound in whole dollars includes the cents.
    const to = end === undefined ? undefined : (Number(end) + (perUsd === 1 ? 1 : 0)) / perUsd;
    const step = {
      from,
      to,
      buyBps: at.reduce((sum, { buyFeeBps }) => sum + buyFeeBps, 0),
      sellBps: at.reduce((sum, { sellFeeBps }) => sum + sellFeeBps, 0),
    };
    from = to ?? from;
    return step;
  });
}

/** The slots since the launch at which a fee may change. */
function slotStarts(all: Schedules): readonly number[] {
  const starts = new Set([0]);
  for (const { slots } of all) {
    if (slots === undefined) continue;
    for (const { slotOffsetUpperbound } of slots.brackets) {
      if (slotOffsetUpperbound < slots.maxSlotOffset) starts.add(slotOffsetUpperbound + 1);
    }
    starts.add(slots.maxSlotOffset + 1);
  }
  return [...starts].sort((a, b) => a - b);
}

/** The fees of a new standard pool with this config. */
export function launchFees(config: ProtocolConfig): {
  readonly caps: readonly FeeStep[];
  readonly slots: readonly FeeStep[];
} {
  const all = FEE_KINDS.map((kind) => scheduleOf(config, kind));
  const starts = slotStarts(all);
  const slots = starts.map((from, index): FeeStep => {
    // While it lasts, the fee by slot replaces the fee by market cap.
    const at = all.flatMap(({ slots: by, caps }) => {
      const isOpen = by !== undefined && from <= by.maxSlotOffset;
      const bracket = isOpen
        ? (by.brackets.find(({ slotOffsetUpperbound }) => from <= slotOffsetUpperbound) ?? by.brackets.at(-1))
        : undefined;
      return bracket ?? caps[0] ?? [];
    });
    return {
      from,
      to: starts[index + 1],
      buyBps: at.reduce((sum, { buyFeeBps }) => sum + buyFeeBps, 0),
      sellBps: at.reduce((sum, { sellFeeBps }) => sum + sellFeeBps, 0),
    };
  });
  return { caps: capSteps(all, UNITS_PER_USD.standard), slots };
}

/** The fees by slots since the launch, at the current market cap. One step if there is no launch schedule. */
export function feesBySlot(snapshot: FetchedPoolSnapshot): readonly FeeStep[] {
  const sorted = slotStarts(schedules(snapshot));
  return sorted.map((from, index): FeeStep => {
    const { buyFees, sellFees } = toSwapState(snapshot, { slot: snapshot.createdAtSlot + BigInt(from) });
    const sum = (rates: typeof buyFees) => Number(FEE_KINDS.reduce((total, kind) => total + rates[kind], 0n));
    return { from, to: sorted[index + 1], buyBps: sum(buyFees), sellBps: sum(sellFees) };
  });
}
