import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import type { PoolAddresses } from '../pool/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { deriveAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../solana/programs.js';
import { accountAt, type RawAccount } from '../solana/rpc/accounts.js';
import { readTokenAccount, tokenAccountOf } from '../solana/token-account.js';
import { type WrapSol, wrapSol } from './wrapped-sol.js';

/** A wallet's accounts for the two tokens of a pool, as the instructions name them. */
export interface UserVaults {
  readonly userTokenAVault: Address;
  readonly userTokenBVault: Address;
}

/** How an operation wraps SOL, and what was read for it. */
export interface WrappingFor {
  /** Pays the rent of accounts that stay. */
  readonly opener: TransactionSigner;
  readonly strategy: WrapSol;
  /** Holds the accounts at `accountsToWrap`. */
  readonly read: readonly (RawAccount | undefined)[];
}

/**
 * An operation of a wallet on a pool, between the instructions that open and close the wallet's accounts.
 *
 * @param lamports To wrap for an operation that takes from both accounts. One that pays into them wraps nothing, and the token
 * account is created if there is none.
 */
export async function aroundUserAccounts(
  wallet: TransactionSigner,
  { mint, tokenProgram }: PoolAddresses,
  { opener, strategy, read }: WrappingFor,
  instruction: (vaults: UserVaults) => Instruction,
  lamports = 0n,
): Promise<readonly Instruction[]> {
  const [tokenAccount, wrapped] = await Promise.all([
    tokenAccountOf({ payer: opener, owner: wallet.address, mint, tokenProgram }),
    wrapSol(strategy, wallet, lamports, opener),
  ]);
  return [
    ...wrapped.open(read),
    ...(lamports === 0n ? [tokenAccount.create] : []),
    instruction({ userTokenAVault: tokenAccount.address, userTokenBVault: wrapped.account }),
    ...wrapped.close,
  ];
}

/** A pool's accounts under the names of the instructions. */
export const poolAccounts = (addresses: PoolAddresses) => ({
  tokenAProgram: addresses.tokenProgram,
  liquidityPoolState: addresses.pool,
  tokenAMint: addresses.mint,
  tokenAVault: addresses.tokenAVault,
  tokenBVault: addresses.tokenBVault,
  protocolConfig: addresses.protocolConfig,
});

/** The price accounts of a deployment, for an instruction that has them. */
export const priceAccounts = ({ deployment }: HeavenClient) => ({
  chainlinkProgram: deployment.chainlinkProgram,
  chainlinkFeed: deployment.solUsdFeed,
});

/** The accounts that swaps and claims share. */
export const sharedAccounts = (
  client: HeavenClient,
  addresses: PoolAddresses,
  user: TransactionSigner,
  vaults: UserVaults,
) => ({
  ...poolAccounts(addresses),
  ...vaults,
  user,
  ...priceAccounts(client),
});

/** The balance of a token account that is to be debited. */
export function tokenAccountBalance(
  account: RawAccount | undefined,
  address: Address,
  expected: {
    readonly owner: Address;
    readonly mint: Address;
    readonly tokenProgram: Address;
    /** The caller's field that the account comes from. */
    readonly field: string;
  },
): bigint {
  const refuse = (reason: string): never => {
    throw unusable(address, 'debited', reason, { field: expected.field });
  };
  if (account === undefined) return refuse('it does not exist');
  if (account.owner !== expected.tokenProgram)
    refuse(`it belongs to the program ${account.owner}, not to ${expected.tokenProgram}`);
  const held = readTokenAccount(account);
  if (held === undefined) return refuse('it is not an initialized token account');
  if (held.mint !== expected.mint) refuse(`it holds the token ${held.mint}, not ${expected.mint}`);
  if (held.owner !== expected.owner) refuse(`it belongs to ${held.owner}, not to ${expected.owner}`);
  if (held.isFrozen) refuse('it is frozen');
  return held.amount;
}

const unusable = (address: Address, use: string, reason: string, field: { readonly field?: string } = {}) =>
  new HeavenError('unusable-account', `The token account ${address} can't be ${use}: ${reason}.`, {
    account: 'token account',
    ...field,
    address,
    reason,
  });

/** A wallet's associated account under Token-2022: only there can a new account begin frozen. */
export const token2022AccountOf = (owner: Address, mint: Address): Promise<Address> =>
  deriveAssociatedTokenAddress({ owner, mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS });

/** Throws if a wallet's account for a token is frozen, or if the operation opens one that would be. */
export function assertNotFrozen(
  address: Address,
  read: readonly (RawAccount | undefined)[],
  opensFrozen: boolean,
): void {
  const account = accountAt(read, address);
  const held = account && readTokenAccount(account);
  if (held ? !held.isFrozen : !opensFrozen) return;
  const reason = held ? 'it is frozen' : 'it does not exist, and a new one is frozen';
  throw unusable(address, 'used', `${reason} until the token's issuer thaws it`);
}
