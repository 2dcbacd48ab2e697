import type { Address } from '@solana/kit';
import { FEE_PER_LP_TOKEN_UNIT } from '../../../math/liquidity.js';
import { computeBuy, computeSell } from '../../../math/swap.js';
import type { SwapResult } from '../../../math/types.js';
import { decodePoolSnapshot, type PoolSnapshot } from '../../../pool/decode.js';
import { toSwapState, windowSlots } from '../../../pool/swap-state.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import { SOL_USD_FEED_ADDRESS } from '../../../program/constants.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../../solana/programs.js';
import { clockOf } from '../token.js';
import { anchor, arithmetic } from './anchor.js';
import { type Exchange, type InstructionOf, type Named, poolTypeOf } from './exchange.js';
import { isForbiddenRoundTrip, type SlotTrade } from './slot-trades.js';

interface Traded {
  readonly snapshot: PoolSnapshot;
  readonly trade: SwapResult;
  readonly side: SlotTrade['side'];
}

export function swap(
  exchange: Exchange,
  { name, accounts, data }: InstructionOf<'buy' | 'sell' | 'pro_buy' | 'pro_sell'>,
): void {
  const { context, config } = exchange;
  // A buy spends its maximum.
  const [side, amountIn] =
    'maxSolSpend' in data.params
      ? (['buy', data.params.maxSolSpend] as const)
      : (['sell', data.params.amountIn] as const);
  if (config.made.length > 0) throw anchor(6053);
  const address = accounts.liquidityPoolState.address;
  const pool = exchange.pool(address, poolTypeOf(name));
  if (pool.allowlist.swap === 0) throw anchor(6018);
  if (clockOf(context).unixTimestamp < pool.info.openAt) throw anchor(6019);
  const user = accounts.user.address;
  const made: SlotTrade = { pool: address, user, side };
  // The code is a guess: OnlySingleSwapAllowed is the only published one about how often a wallet may swap.
  if (isForbiddenRoundTrip(pool, made, config.trades, context.cluster.slot)) throw anchor(6053);
  config.made.push(made);
  exchange.assertUserToken('a', accounts);
  exchange.assertUserToken('b', accounts);

  const { snapshot, state } = swapState(exchange, accounts);
  const trade = arithmetic(() => (side === 'buy' ? computeBuy : computeSell)(state, amountIn));
  if (trade.amountOut < data.params.minimumAmountOut) throw anchor(6013);

  const authority = accounts.protocolConfig.address;
  const tokenA = [accounts.userTokenAVault.address, accounts.tokenAVault.address] as const;
  const tokenB = [accounts.userTokenBVault.address, accounts.tokenBVault.address] as const;
  const [paid, received] = side === 'buy' ? [tokenB, tokenA] : [tokenA, tokenB];
  const out = side === 'buy' ? trade.amountOut + trade.transferFee : trade.amountOut;
  exchange.transfer(paid[0], paid[1], user, amountIn);
  exchange.transfer(received[1], received[0], authority, out);
  const after = settleTrade(exchange, address, pool, { snapshot, trade, side });
  exchange.emitText(address, name, data.params.encodedUserDefinedEventData);
  emitTrade(exchange, after, pool, { snapshot, trade, side });
}

export function swapState(
  exchange: Exchange,
  accounts: Named<'liquidityPoolState' | 'protocolConfig' | 'tokenAMint'>,
) {
  const { context } = exchange;
  const read = {
    pool: exchange.owned(accounts.liquidityPoolState.address, 'liquidity_pool_state').data,
    protocolConfig: exchange.owned(accounts.protocolConfig.address, 'protocol_config').data,
    mint: context.need(accounts.tokenAMint.address).data,
    priceFeed: context.get(SOL_USD_FEED_ADDRESS)?.data ?? new Uint8Array(),
    clock: context.need(CLOCK_SYSVAR_ADDRESS).data,
  };
  const snapshot = decodePoolSnapshot(read);
  return { snapshot, state: arithmetic(() => toSwapState(snapshot)) };
}

export function settleTrade(
  exchange: Exchange,
  address: Address,
  pool: LiquidityPoolState,
  { snapshot, trade, side }: Traded,
): LiquidityPoolState {
  const { reserve } = pool;
  const slots = windowSlots(reserve.leaderSlotWindow);
  const window = snapshot.slot / slots;
  const isNewWindow =
    pool.featureFlags.sandwichResistantMode !== 0 && window !== reserve.snapshotSlot / slots;
  const lpSupply = pool.lpToken.supply.total;
  const { fees } = trade;
  const lpFees = fees.liquidityProvider * FEE_PER_LP_TOKEN_UNIT;
  const gross = side === 'buy' ? trade.amountIn : reserve.tokenB - trade.reserveBAfter;
  const after: LiquidityPoolState = {
    ...pool,
    reserve: {
      ...reserve,
      tokenA: trade.reserveAAfter,
      tokenB: trade.reserveBAfter,
      ...(isNewWindow
        ? { snapshotSlot: window * slots, snapshotA: reserve.tokenA, snapshotB: reserve.tokenB }
        : {}),
      accumulatedFeePerLpToken: reserve.accumulatedFeePerLpToken + (lpSupply > 0n ? lpFees / lpSupply : 0n),
    },
    protocolTradingFees: pool.protocolTradingFees + fees.protocol,
    creatorTradingFees: pool.creatorTradingFees + fees.creator,
    liquidityProviderTradingFees: pool.liquidityProviderTradingFees + fees.liquidityProvider,
    creatorTradingFeeProtocolFees: pool.creatorTradingFeeProtocolFees + fees.creatorProtocol,
    reflectionTradingFees: pool.reflectionTradingFees + fees.reflection,
    tradingVolumeUsd: pool.tradingVolumeUsd + (Number(gross) / 1e9) * solPriceUsd(snapshot),
  };
  exchange.writePool(address, after);
  return after;
}

export function emitTrade(
  exchange: Exchange,
  after: LiquidityPoolState,
  { reserve }: LiquidityPoolState,
  { snapshot, trade, side }: Traded,
): void {
  exchange.emit('TradeEvent', {
    baseReserve: trade.reserveAAfter,
    quoteReserve: trade.reserveBAfter,
    totalCreatorTradingFees: after.creatorTradingFees,
    totalFeePaid: trade.totalFee,
    priceSolUsd: solPriceUsd(snapshot),
    baseIn: side === 'buy' ? 0n : trade.amountIn,
    baseOut: side === 'buy' ? reserve.tokenA - trade.reserveAAfter : 0n,
    quoteIn: side === 'buy' ? trade.amountIn : 0n,
    quoteOut: side === 'buy' ? 0n : reserve.tokenB - trade.reserveBAfter,
  });
}

/** USD per SOL. */
const solPriceUsd = ({ solPrice }: PoolSnapshot) => Number(solPrice.answer) / 10 ** solPrice.decimals;
