import { creatorFeeObstacle } from '../../../pool/creator-fees.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  LiquidityPoolType,
} from '../../../program/types.js';
import { anchor } from './anchor.js';
import { type Exchange, type InstructionOf, type Named, poolTypeOf } from './exchange.js';

export function claimCreatorFees(
  exchange: Exchange,
  instruction: InstructionOf<'claim_standard_creator_trading_fees' | 'claim_pro_creator_trading_fees'>,
): void {
  const { name, accounts, data } = instruction;
  const address = accounts.liquidityPoolState.address;
  const pool = exchange.pool(address, poolTypeOf(name));
  const user = accounts.user.address;
  if (user !== pool.creatorTradingFeeReceiver) throw anchor(6004);
  if (creatorFeeObstacle(pool) !== undefined) throw anchor(6040);
  const amount = data.amount === 0n ? pool.creatorTradingFees : data.amount;
  if (amount === 0n) throw anchor(6032);
  if (amount > pool.creatorTradingFees) throw anchor(6012);
  payOut(exchange, instruction, amount);
  const isCreator = user === pool.info.creator;
  exchange.writePool(address, {
    ...pool,
    creatorTradingFees: pool.creatorTradingFees - amount,
    creatorTradingFeesClaimedByCreator: pool.creatorTradingFeesClaimedByCreator + (isCreator ? amount : 0n),
    creatorTradingFeesClaimedByOthers: pool.creatorTradingFeesClaimedByOthers + (isCreator ? 0n : amount),
  });
}

export function claimLpFees(
  exchange: Exchange,
  instruction: InstructionOf<'claim_pro_liquidity_provider_trading_fees'>,
): void {
  const { accounts } = instruction;
  const address = accounts.liquidityPoolState.address;
  const pool = exchange.pool(address, LiquidityPoolType.Pro);
  const user = accounts.user.address;
  const at = accounts.userLpPosition.address;
  exchange.owned(at, 'user_lp_position');
  const position = exchange.position(at, address, user);
  const amount = exchange.pendingFees(position, pool.reserve);
  if (amount === 0n) throw anchor(6032);
  payOut(exchange, instruction, amount);
  exchange.writePosition(at, user, position, pool, 0n, 0n);
  const left = pool.liquidityProviderTradingFees - amount;
  exchange.writePool(address, { ...pool, liquidityProviderTradingFees: left > 0n ? left : 0n });
}

type ClaimAccounts = Named<'user' | 'tokenAMint' | 'tokenBVault' | 'userTokenBVault' | 'protocolConfig'>;

/** Moves claimed SOL, still wrapped, from the vault to the user. */
function payOut(
  exchange: Exchange,
  { accounts }: { readonly accounts: ClaimAccounts },
  amount: bigint,
): void {
  exchange.assertUserToken('b', accounts);
  const { tokenBVault, userTokenBVault, protocolConfig } = accounts;
  exchange.transfer(tokenBVault.address, userTokenBVault.address, protocolConfig.address, amount);
}

export function updateReceiver(
  exchange: Exchange,
  update: InstructionOf<'update_creator_trading_fee_receiver' | 'update_pro_creator_trading_fee_receiver'>,
): void {
  const { accounts, name } = update;
  const { address } = accounts.liquidityPoolState;
  const pool = exchange.pool(address, poolTypeOf(name));
  if (accounts.user.address !== pool.info.creator) throw anchor(6004);
  const isAllowed =
    pool.creatorTradingFeeClaimStatus === CreatorTradingFeeClaimStatus.Processed &&
    pool.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Creator;
  if (!isAllowed) throw anchor(6040);
  exchange.writePool(address, { ...pool, creatorTradingFeeReceiver: accounts.newReceiver.address });
}
