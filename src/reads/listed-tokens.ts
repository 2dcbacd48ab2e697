import type { Address } from '@solana/kit';
import { U64_MAX } from '../base/integers.js';
import type { HeavenClient } from '../program/client.js';
import { isValidAddress } from '../solana/addresses.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../solana/programs.js';
import { accountFrom } from '../solana/rpc/accounts.js';
import { explainMissingMethod, invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { readTokenAccount } from '../solana/token-account.js';

const METHOD = 'getTokenAccountsByOwner';

/** One of a wallet's token accounts. */
export interface TokenAccountBalance {
  readonly address: Address;
  /** Native units. */
  readonly amount: bigint;
  /** Whether this is the account that this library trades with. */
  readonly isAssociated: boolean;
  /** A frozen account can neither send nor receive. */
  readonly isFrozen: boolean;
  /** Withheld transfer fees for the token's authority, in native units. They are not part of `amount`, and not the wallet's. */
  readonly withheldFees: bigint;
  /** The account's lamports: rent, which comes back when it is closed, plus the SOL if it is wrapped SOL. */
  readonly lamports: bigint;
}

/** A token account whose token's decimals the node doesn't return, such as when the mint was closed. Not part of any balance. */
export interface UnreadableAccount {
  readonly address: Address;
  readonly mint: Address;
  /** Tokenkeg or Token-2022. */
  readonly tokenProgram: Address;
  /** Native units. */
  readonly amount: bigint;
  /** Its rent, which comes back when it is closed. */
  readonly lamports: bigint;
}

/** One of a wallet's token accounts, with facts from its mint. */
export interface ListedAccount extends TokenAccountBalance {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
}

/** What a wallet holds, and the accounts that could not be read. */
export interface ListedAccounts {
  readonly readable: readonly ListedAccount[];
  readonly unreadable: readonly UnreadableAccount[];
}

/** Lists all token accounts of a wallet, for both token programs concurrently. */
export async function fetchAllTokens(
  client: HeavenClient,
  wallet: Address,
  options: RequestOptions,
): Promise<ListedAccounts> {
  const lists = await Promise.all(
    [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS].map(async (program) => {
      // The node parses it, which includes the decimals: only the mint has those, and bytes would take a second round trip.
      const request = client.rpc.getTokenAccountsByOwner(
        wallet,
        { programId: program },
        { commitment: client.commitment, encoding: 'jsonParsed' },
      );
      const response: unknown = await send(client, METHOD, request, options).catch((error: unknown) => {
        throw explainMissingMethod(error, METHOD);
      });
      const value = memberOf(response, 'value');
      if (!Array.isArray(value)) throw invalid('it is not a list of accounts');
      return await Promise.all(value.map((entry) => listedAccount(entry, wallet, program)));
    }),
  );
  const accounts = lists.flat();
  if (new Set(accounts.map(({ address }) => address)).size < accounts.length)
    throw invalid('it holds an account twice');
  const readable = accounts.filter((account): account is ListedAccount => 'decimals' in account);
  const decimals = new Map<Address, number>();
  for (const { mint, decimals: found } of readable) {
    if ((decimals.get(mint) ?? found) !== found)
      throw invalid(`the token ${mint} has two numbers of decimals`);
    decimals.set(mint, found);
  }
  const unreadable = accounts.filter((account): account is UnreadableAccount => !('decimals' in account));
  return { readable, unreadable };
}

async function listedAccount(
  entry: unknown,
  wallet: Address,
  program: Address,
): Promise<ListedAccount | UnreadableAccount> {
  const address = memberOf(entry, 'pubkey');
  const account = memberOf(entry, 'account');
  if (Array.isArray(memberOf(account, 'data'))) return unparsed(address, account, wallet, program);
  const info = memberOf(memberOf(memberOf(account, 'data'), 'parsed'), 'info');
  const lamports = memberOf(account, 'lamports');
  const mint = memberOf(info, 'mint');
  const state = memberOf(info, 'state');
  const tokenAmount = memberOf(info, 'tokenAmount');
  const places = memberOf(tokenAmount, 'decimals');
  // Number(null) is 0.
  const decimals = typeof places === 'bigint' || typeof places === 'number' ? Number(places) : Number.NaN;
  if (!isValidAddress(address) || !isValidAddress(mint))
    throw invalid('an account has no address or no mint');
  const refuse = (what: string) => invalid(`the account ${address} ${what}`);
  if (memberOf(account, 'owner') !== program) throw refuse(`is not of the program ${program}`);
  if (memberOf(info, 'owner') !== wallet) throw refuse(`is not one of ${wallet}`);
  if (typeof lamports !== 'bigint' || lamports < 0n) throw refuse('has no lamports');
  if (state !== 'initialized' && state !== 'frozen') throw refuse('has no state');
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255)) throw refuse('has no decimals');
  const amount = u64From(memberOf(tokenAmount, 'amount'));
  const withheldFees = withheldIn(memberOf(info, 'extensions'));
  if (amount === undefined || withheldFees === undefined) throw refuse('has no amount');
  const associated = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram: program });
  return {
    address,
    mint,
    tokenProgram: program,
    decimals,
    amount,
    isAssociated: address === associated,
    isFrozen: state === 'frozen',
    withheldFees,
    lamports,
  };
}

/** Reads an account that the node returns as bytes, because it does not know the token's decimals. */
function unparsed(address: unknown, account: unknown, wallet: Address, program: Address): UnreadableAccount {
  if (!isValidAddress(address)) throw invalid('an account has no address or no mint');
  const raw = accountFrom(METHOD, account, address, 0);
  const held = raw.owner === program ? readTokenAccount(raw) : undefined;
  if (held?.owner !== wallet)
    throw invalid(`the account ${address} is not a token account of ${wallet} of the program ${program}`);
  const { lamports } = raw;
  if (lamports === undefined || lamports < 0n) throw invalid(`the account ${address} has no lamports`);
  const { mint, amount } = held;
  return { address, mint, tokenProgram: program, amount, lamports };
}

/** Returns the withheld transfer fees from the extension, if there is one; `undefined` if it can't be read. */
function withheldIn(extensions: unknown): bigint | undefined {
  if (extensions === undefined) return 0n;
  if (!Array.isArray(extensions)) return undefined;
  const found = extensions.find((each) => memberOf(each, 'extension') === 'transferFeeAmount');
  return found === undefined ? 0n : u64From(memberOf(memberOf(found, 'state'), 'withheldAmount'));
}

/** Parses an amount from a node's JSON: digits in a string, or a number that the RPC has turned into a bigint. */
function u64From(value: unknown): bigint | undefined {
  const isDigits = typeof value === 'string' && /^\d{1,20}$/.test(value);
  const amount = isDigits ? BigInt(value) : value;
  return typeof amount === 'bigint' && amount >= 0n && amount <= U64_MAX ? amount : undefined;
}

/** Returns a member of a value that should be an object. */
const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Readonly<Record<string, unknown>>)[member]
    : undefined;

const invalid = (reason: string) => invalidResponse(METHOD, reason);
