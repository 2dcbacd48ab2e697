import type { Address, TransactionSigner } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import type { HeavenWarning } from '../../base/warnings.js';
import type { LiquidityState } from '../../math/liquidity.js';
import type { PoolAddresses } from '../../pool/addresses.js';
import { inWords } from '../../pool/doubts.js';
import type { LpPosition } from '../../pool/position.js';
import type { FetchedPoolState } from '../../pool/read.js';
import { assertTransferable, limitDoubts, opensFrozen } from '../../pool/token-limits.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import type { HeavenClient } from '../../program/client.js';
import type { AddressInput } from '../../solana/addresses.js';
import { accountAt, assertOwned } from '../../solana/rpc/accounts.js';
import { readMintControl } from '../../solana/token-extensions.js';
import {
  assertNotFrozen,
  poolAccounts,
  priceAccounts,
  token2022AccountOf,
  type UserVaults,
} from '../../transaction/user-accounts.js';

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

/** What tells whether a user can move a pool's token: its mint, and the user's account for it. */
export const tokenAccounts = async (mint: Address, user: Address): Promise<readonly Address[]> => [
  mint,
  await token2022AccountOf(user, mint),
];

/**
 * Rejects a token that can't be moved, or not by this user, and warns of what may fail.
 *
 * @param read Holds the mint and, for a user, the account of {@link tokenAccounts}.
 * @param receives Whether the user receives tokens, and may need a new account for them.
 */
export async function tokenWarnings(
  { addresses, more: read }: Pick<FetchedPoolState, 'addresses' | 'more'>,
  receives: boolean,
  user?: Address,
): Promise<readonly HeavenWarning[]> {
  const { mint, tokenProgram } = addresses;
  const account = accountAt(read, mint);
  assertOwned(account, 'Mint', mint, [tokenProgram]);
  const token = readMintControl(account.data);
  assertTransferable(token, mint);
  const isFrozen = receives && opensFrozen(token);
  if (user !== undefined) assertNotFrozen(await token2022AccountOf(user, mint), read, isFrozen);
  return await inWords(limitDoubts(token, receives));
}

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
