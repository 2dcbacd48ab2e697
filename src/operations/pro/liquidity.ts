import type { TransactionSigner } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import type { HeavenClient } from '../../client.js';
import type { LiquidityState } from '../../math/liquidity.js';
import type { PoolAddresses } from '../../pool/addresses.js';
import type { LpPosition } from '../../pool/position.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import type { AddressInput } from '../../solana/addresses.js';
import { poolAccounts, priceAccounts, type UserVaults } from '../../transaction/user-accounts.js';

/** The compute budget of deposits and withdrawals. Ours: the interface names none. */
export const LIQUIDITY_COMPUTE_BUDGET = { limit: 250_000, price: 20_000_000n } as const;

/** Names a pro pool and, as the interface does, its token and config version. */
export interface ProPoolLocator {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /** The mint of the token. */
  readonly mint: AddressInput;
  /** The pool's config version, 3. */
  readonly configVersion: number;
}

/** The state that liquidity is computed from. */
export const liquidityOf = ({ reserve, lpToken }: LiquidityPoolState): LiquidityState => ({
  reserveA: reserve.tokenA,
  reserveB: reserve.tokenB,
  lpSupply: lpToken.supply.total,
});

/** A share in percent, for display. */
export const sharePct = (lpTokens: bigint, lpSupply: bigint): number =>
  lpSupply === 0n ? 0 : Number((lpTokens * 100_000_000n) / lpSupply) / 1_000_000;

/** Rejects a pool whose deposits are switched off. */
export function assertDepositEnabled({ allowlist, key: pool }: LiquidityPoolState): void {
  if (allowlist.depositLiquidity !== 0) return;
  throw new HeavenError(
    'operation-disabled',
    "The pool's creator has switched deposits off. Wait until the creator switches them on, or use another pool.",
    { operation: 'deposit', pool },
  );
}

/** Rejects a pool whose withdrawals are switched off. */
export function assertWithdrawEnabled({ allowlist, key: pool }: LiquidityPoolState): void {
  if (allowlist.removeLiquidity !== 0) return;
  throw new HeavenError(
    'operation-disabled',
    "The pool's creator has switched withdrawals off: liquidity is locked. Wait until the creator switches them on.",
    { operation: 'withdraw', pool },
  );
}

/** Rejects more LP tokens than a position holds. */
export function assertLpTokens(available: bigint, requested: bigint): void {
  if (requested <= available) return;
  throw new HeavenError(
    'insufficient-balance',
    `${requested} LP tokens requested, but the position holds ${available}.`,
    { asset: 'lp-tokens', requested, available },
  );
}

/** The accounts that deposits and withdrawals share. */
export const liquidityAccounts = (
  client: HeavenClient,
  {
    addresses,
    positions: [position],
  }: { readonly addresses: PoolAddresses; readonly positions: readonly [LpPosition] },
  wallets: { readonly user: TransactionSigner; readonly payer: TransactionSigner },
  vaults: UserVaults,
) => ({
  ...poolAccounts(addresses),
  ...vaults,
  ...wallets,
  userLpPosition: position.address,
  ...priceAccounts(client),
});
