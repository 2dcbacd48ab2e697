import type { Address } from '@solana/kit';
import type { TransferFee } from '../math/types.js';
import { decodeClock, decodeMint } from '../pool/decode.js';
import { explaining } from '../pool/explained.js';
import { CLOCK } from '../pool/layout.js';
import type { HeavenClient } from '../program/client.js';
import { invalidAccount } from '../solana/account-data.js';
import { deriveAssociatedTokenAddress } from '../solana/derived-addresses.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { computeRentExemption, lamportsPerByteIn, locateRent } from '../solana/rent.js';
import {
  accountAt,
  assertExpectedAt,
  assertOwned,
  fetchAccounts,
  ifCreated,
  type RawAccount,
} from '../solana/rpc/accounts.js';
import { invalidResponse, wrongAccount } from '../solana/rpc/errors.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { readTokenAccount, type TokenAccount } from '../solana/token-account.js';
import { isMintData } from '../solana/token-extensions.js';
import { MINT } from '../solana/token-layout.js';

/** With three accounts per mint and those that are always read, one call can return this many. */
export const MAX_BALANCE_MINTS = 32;

/** What is at the address of a wallet's associated token account. */
export interface AssociatedAccount {
  readonly address: Address;
  /** The account's lamports, or those that somebody sent to its address before it existed. */
  readonly lamports: bigint;
  /** Its data; `undefined` if it does not exist. */
  readonly data: Uint8Array | undefined;
  /** Its content; `undefined` if it does not exist, or belongs to someone else now. */
  readonly held: TokenAccount | undefined;
}

/** A token and a wallet's associated account for it. */
export interface WalletToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly mintData: Uint8Array;
  readonly decimals: number;
  /** The fee in force at the epoch of the read. */
  readonly transferFee: TransferFee | undefined;
  readonly account: AssociatedAccount;
}

/** A wallet as of one slot. */
export interface WalletAccounts {
  /** The wallet's own account; `undefined` if it does not exist. */
  readonly own: RawAccount | undefined;
  readonly lamports: bigint;
  /** The lamports that its account must hold to stay. */
  readonly rentExemptMinimum: bigint;
  readonly lamportsPerByte: bigint;
  readonly slot: bigint;
  /** In the order of the mints. */
  readonly tokens: readonly WalletToken[];
  readonly wrapped: AssociatedAccount;
}

/** Reads a wallet and its associated accounts for up to {@link MAX_BALANCE_MINTS} tokens in one call. The addresses must be checked. */
export const fetchWalletAccounts = (
  ...[client, wallet, mints, options]: Parameters<typeof readWalletAccounts>
): Promise<WalletAccounts> =>
  readWalletAccounts(client, wallet, mints, options).catch(explaining(client, { mint: mints }, options));

async function readWalletAccounts(
  client: HeavenClient,
  wallet: Address,
  mints: readonly Address[],
  { abortSignal }: RequestOptions,
): Promise<WalletAccounts> {
  const associated = (mint: Address, tokenProgram: Address) =>
    deriveAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
  const wrapped = await associated(WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
  // A token's program is unknown until it is read.
  const places = await Promise.all(
    mints.map(async (mint) => ({
      mint,
      classic: await associated(mint, TOKEN_PROGRAM_ADDRESS),
      extended: await associated(mint, TOKEN_2022_PROGRAM_ADDRESS),
    })),
  );
  const accounts = await fetchAccounts(
    client,
    [
      wallet,
      locateRent(),
      CLOCK_SYSVAR_ADDRESS,
      wrapped,
      ...places.flatMap(({ mint, classic, extended }) => [mint, classic, extended]),
    ],
    { abortSignal },
  );
  const clock = accountAt(accounts, CLOCK_SYSVAR_ADDRESS);
  assertExpectedAt(clock, CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS, CLOCK);
  const { slot, epoch } = decodeClock(clock.data);
  const lamportsPerByte = lamportsPerByteIn(accounts);
  const own = accounts[0];
  const at = (address: Address, mint: Address, tokenProgram: Address) =>
    associatedAccount(accountAt(accounts, address), { address, wallet, mint, tokenProgram });
  return {
    own,
    lamports: lamportsIn(own),
    rentExemptMinimum: computeRentExemption(own?.data.length ?? 0, lamportsPerByte),
    lamportsPerByte,
    slot,
    tokens: places.map(({ mint, classic, extended }) => {
      const account = accountAt(accounts, mint);
      assertOwned(account, MINT.name, mint, [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]);
      const { owner: tokenProgram, data: mintData } = account;
      if (!isMintData(mintData)) throw invalidAccount(MINT.name, 'it is a token account', mint);
      const { decimals, transferFee } = decodeMint(mintData, epoch);
      const address = tokenProgram === TOKEN_PROGRAM_ADDRESS ? classic : extended;
      return {
        mint,
        tokenProgram,
        mintData,
        decimals,
        transferFee,
        account: at(address, mint, tokenProgram),
      };
    }),
    wrapped: at(wrapped, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS),
  };
}

/** Returns an account's lamports, which a node must state. */
export function lamportsIn(account: RawAccount | undefined): bigint {
  if (account === undefined) return 0n;
  const { lamports } = account;
  if (lamports === undefined || lamports < 0n)
    throw invalidResponse('getMultipleAccounts', `the account ${account.address} has no lamports`);
  return lamports;
}

function associatedAccount(
  found: RawAccount | undefined,
  {
    address,
    wallet,
    mint,
    tokenProgram,
  }: {
    readonly address: Address;
    readonly wallet: Address;
    readonly mint: Address;
    readonly tokenProgram: Address;
  },
): AssociatedAccount {
  const lamports = lamportsIn(found);
  const account = ifCreated(found);
  if (account === undefined) return { address, lamports, data: undefined, held: undefined };
  const held = account.owner === tokenProgram ? readTokenAccount(account) : undefined;
  if (held?.mint !== mint)
    throw wrongAccount('associated token account', address, `it is not one of the token ${mint}`);
  // The owner of a classic token account can transfer it, whatever its address says.
  return { address, lamports, data: account.data, held: held.owner === wallet ? held : undefined };
}
