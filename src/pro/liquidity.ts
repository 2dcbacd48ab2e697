import type { Address } from '@solana/kit';
import type { HeavenClient, RequestOptions } from '../client.js';
import { positionFrom } from '../data/lp-balance.js';
import { HeavenError } from '../errors.js';
import type { LiquidityState } from '../math/liquidity.js';
import { locatePosition } from '../pool/locate.js';
import { type FetchedPoolState, fetchPoolState } from '../pool/state.js';
import type { LiquidityPoolState } from '../program/accounts.js';
import { assertConfigVersion } from '../program/addresses.js';
import type { AddLiquidityProPoolInput } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import type { Wallet } from '../solana/wallet.js';

/** The compute budget of deposits and withdrawals. Ours: the interface names none. */
export const LIQUIDITY_COMPUTE_BUDGET = { limit: 250_000, price: 20_000_000n } as const;

/** Names a pro pool and, as the interface does, its token and config version. */
export interface ProPoolLocator {
  readonly pool: Address;
  readonly mint: Address;
  /** The pool's config version, 3. */
  readonly configVersion: number;
}

/**
 * Refuses a locator that lacks a part.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`
 */
export function assertLocator({ pool, mint, configVersion }: ProPoolLocator): void {
  assertAddress(pool, 'pool');
  assertAddress(mint, 'mint');
  assertConfigVersion(configVersion, 'configVersion');
}

/** What liquidity is counted by. */
export const liquidityOf = ({ reserve, lpToken }: LiquidityPoolState): LiquidityState => ({
  reserveA: reserve.tokenA,
  reserveB: reserve.tokenB,
  lpSupply: lpToken.supply.total,
});

/** Reads a pool and a user's position in it in one call. */
export async function fetchPoolAndPosition(
  client: HeavenClient,
  {
    pool,
    mint,
    configVersion,
    abortSignal,
  }: Pick<ProPoolLocator, 'pool'> & Partial<ProPoolLocator> & RequestOptions,
  user: Address,
) {
  const { programAddress } = client.deployment;
  const positionAddress = await locatePosition(pool, user, programAddress);
  const fetched = await fetchPoolState(client, 'pro', { pool, mint, configVersion, abortSignal }, [
    positionAddress,
  ]);
  return {
    ...fetched,
    positionAddress,
    position: positionFrom(fetched.more[0], positionAddress, programAddress),
  };
}

/**
 * Refuses a pool whose deposits are switched off.
 *
 * @throws {HeavenError} `deposit-disabled`
 */
export function assertDepositEnabled({ allowlist, key: pool }: LiquidityPoolState): void {
  if (allowlist.depositLiquidity !== 0) return;
  throw new HeavenError('deposit-disabled', "The pool's creator has switched deposits off.", { pool });
}

/**
 * Refuses a pool whose withdrawals are switched off.
 *
 * @throws {HeavenError} `withdraw-disabled`
 */
export function assertWithdrawEnabled({ allowlist, key: pool }: LiquidityPoolState): void {
  if (allowlist.removeLiquidity !== 0) return;
  throw new HeavenError(
    'withdraw-disabled',
    "The pool's creator has switched withdrawals off: liquidity is locked for now.",
    { pool },
  );
}

/** The accounts that deposits and withdrawals share. */
export const liquidityAccounts = (
  { addresses }: FetchedPoolState,
  wallet: Wallet,
  accounts: Pick<AddLiquidityProPoolInput, 'userTokenAVault' | 'userTokenBVault' | 'userLpPosition'>,
) => ({
  ...accounts,
  tokenAProgram: addresses.tokenProgram,
  liquidityPoolState: addresses.pool,
  user: wallet,
  payer: wallet,
  tokenAMint: addresses.mint,
  tokenAVault: addresses.tokenAVault,
  tokenBVault: addresses.tokenBVault,
  protocolConfig: addresses.protocolConfig,
});
