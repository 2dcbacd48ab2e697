// The fee schedules of a pool, as steps.
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  type FetchedPoolSnapshot,
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

/** All fees together, in basis points, from a bound on, up to and including the next. */
export interface FeeStep {
  readonly from: number;
  /** `undefined`: without an end. */
  readonly to: number | undefined;
  readonly buyBps: number;
  readonly sellBps: number;
}

/** What a bound of the market cap counts: standard pools in USD, pro pools in millionths of it. */
const UNITS_PER_USD = { standard: 1, pro: 1_000_000 } as const;

function schedules(snapshot: FetchedPoolSnapshot) {
  const config = decodeProtocolConfig(snapshot.data.protocolConfig);
  const pool = decodeLiquidityPoolState(snapshot.data.pool);
  return FEE_KINDS.map((kind) => {
    // The protocol fee is always the config's.
    const source = snapshot.feeSource === 'local' && kind !== 'protocol' ? pool : config;
    const caps = source.marketCapBasedFees[FIELDS[kind]];
    const slots = source.slotOffsetBasedFees[FIELDS[kind]];
    return {
      caps: caps.brackets.slice(0, caps.count),
      slots: slots.enabled === 0 ? undefined : { ...slots, brackets: slots.brackets.slice(0, slots.count) },
    };
  });
}

/** The fees by market cap in USD, once a launch is over. */
export function feesByMarketCap(snapshot: FetchedPoolSnapshot): readonly FeeStep[] {
  const kinds = schedules(snapshot).map(({ caps }) => caps);
  // The last bracket has no end, whatever its bound says.
  const bounds = new Set(
    kinds.flatMap((caps) => caps.slice(0, -1).map(({ marketCapUpperBound }) => marketCapUpperBound)),
  );
  const ends = [...bounds].sort((a, b) => (a < b ? -1 : 1));
  const perUsd = UNITS_PER_USD[snapshot.kind];
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
    // A bound of whole dollars goes to its last cent.
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

/** The fees by slots since the launch at the market cap of now. One step if there is no launch schedule. */
export function feesBySlot(snapshot: FetchedPoolSnapshot): readonly FeeStep[] {
  const starts = new Set([0]);
  for (const { slots } of schedules(snapshot)) {
    if (slots === undefined) continue;
    for (const { slotOffsetUpperbound } of slots.brackets) {
      if (slotOffsetUpperbound < slots.maxSlotOffset) starts.add(slotOffsetUpperbound + 1);
    }
    starts.add(slots.maxSlotOffset + 1);
  }
  const sorted = [...starts].sort((a, b) => a - b);
  const steps = sorted.map((from, index): FeeStep => {
    const { buyFees, sellFees } = toSwapState(snapshot, { slot: snapshot.createdAtSlot + BigInt(from) });
    const sum = (rates: typeof buyFees) => Number(FEE_KINDS.reduce((total, kind) => total + rates[kind], 0n));
    return { from, to: sorted[index + 1], buyBps: sum(buyFees), sellBps: sum(sellFees) };
  });
  return steps;
}
