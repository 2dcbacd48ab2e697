import { FEE_BRACKETS, SLOT_BRACKETS } from '../../../pool/layout.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import {
  type FeeBrackets,
  type FeeBracketsParams,
  LiquidityPoolType,
  type SlotFeeBrackets,
  type SlotFeeBracketsParams,
} from '../../../program/types.js';
import { anchor } from './anchor.js';
import type { Exchange, Named } from './exchange.js';

interface Setting {
  readonly accounts: Named<'liquidityPoolState' | 'creator'>;
}

function change(
  exchange: Exchange,
  { accounts }: Setting,
  changed: (pool: LiquidityPoolState) => Partial<LiquidityPoolState>,
): void {
  const address = accounts.liquidityPoolState.address;
  const pool = exchange.pool(address, LiquidityPoolType.Pro);
  if (accounts.creator.address !== pool.info.creator) throw anchor(6004);
  exchange.writePool(address, { ...pool, ...changed(pool) });
}

export const setAllowed = (
  exchange: Exchange,
  instruction: Setting & { readonly data: { readonly enabled: boolean } },
  what: 'swap' | 'depositLiquidity' | 'removeLiquidity',
): void =>
  change(exchange, instruction, ({ allowlist }) => ({
    allowlist: { ...allowlist, [what]: instruction.data.enabled ? 1 : 0 },
  }));

export const setFees = (
  exchange: Exchange,
  instruction: Setting & { readonly data: { readonly fees: FeeBrackets } },
  which: 'creatorTradingFee' | 'liquidityProviderTradingFee' | 'reflectionTradingFee',
): void =>
  change(exchange, instruction, (pool) => {
    const { fees } = instruction.data;
    if (which === 'creatorTradingFee') assertCreatorFeeOpen(pool);
    if (!areFeesValid(fees)) throw anchor(6035);
    return { marketCapBasedFees: { ...pool.marketCapBasedFees, [which]: fees } };
  });

export const setSlotFees = (
  exchange: Exchange,
  instruction: Setting & { readonly data: { readonly fees: SlotFeeBrackets } },
): void =>
  change(exchange, instruction, (pool) => {
    const { fees } = instruction.data;
    assertCreatorFeeOpen(pool);
    if (!areSlotFeesValid(fees)) throw anchor(6035);
    return { slotOffsetBasedFees: { ...pool.slotOffsetBasedFees, creatorTradingFee: fees } };
  });

function assertCreatorFeeOpen({ allowlist }: LiquidityPoolState): void {
  if (allowlist.updateCreatorTradingFee === 0) throw anchor(6039);
}

const MOST_BPS = 10_000;

export const areFeesValid = (fees: FeeBracketsParams | null, mostBps: number = MOST_BPS): boolean =>
  fees === null ||
  isSchedule(fees, FEE_BRACKETS.most, mostBps, ({ marketCapUpperBound }) => marketCapUpperBound);

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
