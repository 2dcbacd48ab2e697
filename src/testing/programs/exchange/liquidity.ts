import { computeDeposit, computeWithdrawal } from '../../../math/liquidity.js';
import type { LiquidityPoolState, UserLpPosition } from '../../../program/accounts.js';
import { LiquidityPoolType } from '../../../program/types.js';
import { anchor, arithmetic } from './anchor.js';
import type { Exchange, InstructionOf } from './exchange.js';

type LiquidityInstruction = InstructionOf<'add_liquidity_pro_pool' | 'remove_liquidity_pro_pool'>;

export function deposit(exchange: Exchange, instruction: InstructionOf<'add_liquidity_pro_pool'>): void {
  const { accounts, data } = instruction;
  const { pool, position, state } = liquidityOf(exchange, instruction);
  if (pool.allowlist.depositLiquidity === 0) throw anchor(6016);
  const { minLpTokens, ...most } = data.params;
  const { tokenA, tokenB, lpTokens } = arithmetic(() => computeDeposit(state, most));
  if (lpTokens < minLpTokens) throw anchor(6013);
  const user = accounts.user.address;
  exchange.transfer(accounts.userTokenAVault.address, accounts.tokenAVault.address, user, tokenA);
  exchange.transfer(accounts.userTokenBVault.address, accounts.tokenBVault.address, user, tokenB);
  changeLiquidity(exchange, instruction, pool, position, { tokenA, tokenB, lpTokens });
}

export function withdraw(exchange: Exchange, instruction: InstructionOf<'remove_liquidity_pro_pool'>): void {
  const { accounts, data } = instruction;
  const { pool, position, state } = liquidityOf(exchange, instruction);
  if (pool.allowlist.removeLiquidity === 0) throw anchor(6017);
  const { lpTokensToBurn, minTokenA, minTokenB } = data.params;
  if (position.lpTokenBalance < lpTokensToBurn) throw anchor(6015);
  const { tokenA, tokenB } = arithmetic(() => computeWithdrawal(state, lpTokensToBurn));
  if (tokenA < minTokenA) throw anchor(6025);
  if (tokenB < minTokenB) throw anchor(6024);
  const authority = accounts.protocolConfig.address;
  exchange.transfer(accounts.tokenAVault.address, accounts.userTokenAVault.address, authority, tokenA);
  exchange.transfer(accounts.tokenBVault.address, accounts.userTokenBVault.address, authority, tokenB);
  const less = { tokenA: -tokenA, tokenB: -tokenB, lpTokens: -lpTokensToBurn };
  changeLiquidity(exchange, instruction, pool, position, less);
}

function liquidityOf(exchange: Exchange, { accounts }: LiquidityInstruction) {
  const { address } = accounts.liquidityPoolState;
  const pool = exchange.pool(address);
  exchange.assertUserToken('a', accounts);
  exchange.assertUserToken('b', accounts);
  const { tokenA: reserveA, tokenB: reserveB } = pool.reserve;
  return {
    pool,
    position: exchange.position(accounts.userLpPosition.address, address, accounts.user.address),
    state: {
      reserveA,
      reserveB,
      lpSupply: pool.lpToken.supply.total,
    },
  };
}

function changeLiquidity(
  exchange: Exchange,
  { accounts }: LiquidityInstruction,
  pool: LiquidityPoolState,
  position: UserLpPosition,
  more: { readonly tokenA: bigint; readonly tokenB: bigint; readonly lpTokens: bigint },
): void {
  const { reserve, lpToken } = pool;
  const { supply } = lpToken;
  exchange.writePool(accounts.liquidityPoolState.address, {
    ...pool,
    reserve: { ...reserve, tokenA: reserve.tokenA + more.tokenA, tokenB: reserve.tokenB + more.tokenB },
    lpToken: {
      ...lpToken,
      supply: { ...supply, total: supply.total + more.lpTokens, unlocked: supply.unlocked + more.lpTokens },
    },
  });
  const { userLpPosition, payer } = accounts;
  exchange.writePosition(userLpPosition.address, payer.address, position, pool, more.lpTokens);
}

export function transferLpTokens(
  exchange: Exchange,
  { accounts, data: { amount } }: InstructionOf<'transfer_lp_tokens'>,
): void {
  const { senderLpPosition: from, receiverLpPosition: to, payer } = accounts;
  const address = accounts.liquidityPoolState.address;
  const pool = exchange.pool(address, LiquidityPoolType.Pro);
  if (amount === 0n) throw anchor(6032);
  exchange.owned(from.address, 'sender_lp_position');
  const sender = exchange.position(from.address, address, accounts.sender.address);
  if (sender.lpTokenBalance < amount) throw anchor(6012);
  exchange.writePosition(from.address, payer.address, sender, pool, -amount);
  const receiver = exchange.position(to.address, address, accounts.receiver.address);
  exchange.writePosition(to.address, payer.address, receiver, pool, amount);
}
