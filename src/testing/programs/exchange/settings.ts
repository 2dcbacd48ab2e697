import type { LiquidityPoolState } from '../../../program/accounts.js';
import { type FeeBrackets, LiquidityPoolType, type SlotFeeBrackets } from '../../../program/types.js';
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
    return { marketCapBasedFees: { ...pool.marketCapBasedFees, [which]: fees } };
  });

export const setSlotFees = (
  exchange: Exchange,
  instruction: Setting & { readonly data: { readonly fees: SlotFeeBrackets } },
): void =>
  change(exchange, instruction, (pool) => {
    const { fees } = instruction.data;
    assertCreatorFeeOpen(pool);
    return { slotOffsetBasedFees: { ...pool.slotOffsetBasedFees, creatorTradingFee: fees } };
  });

function assertCreatorFeeOpen({ allowlist }: LiquidityPoolState): void {
  if (allowlist.updateCreatorTradingFee === 0) throw anchor(6039);
}
