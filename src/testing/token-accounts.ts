import type { Address } from '@solana/kit';
import {
  AccountState,
  getMintDecoder,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  type Mint,
  type Token,
} from '@solana-program/token';

import { transferFeeOf } from '../math/transfer-fee.js';
import { decodeClock, decodeMint } from '../pool/decode.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  isTokenProgram,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { TOKEN_ACCOUNT_SIZE } from '../solana/token-account.js';
import { EXTENSION, extensionIn, tokenAccountSizeOf } from '../solana/token-extensions.js';
import { encodeTokenAccount } from './encode.js';
import { assertSigner, custom, Failure } from './failure.js';
import type { Account, Context } from './runtime.js';

// Token accounts and mints of both token programs.

/** Numbers of Token-2022: an extension, and the kind of an account, in the byte after the first 165. */
const IMMUTABLE_OWNER = 7;
export const IS_TOKEN_ACCOUNT = 2;

export function tokenOf(context: Context, address: Address): Token {
  const account = context.get(address);
  if (account === undefined || !isTokenProgram(account.owner)) throw new Failure('InvalidAccountData');
  if (account.data.length < TOKEN_ACCOUNT_SIZE || account.data[108] === 0)
    throw new Failure('UninitializedAccount');
  return getTokenDecoder().decode(account.data);
}

export function mintOf(context: Context, address: Address, tokenProgram: Address): Mint {
  const account = context.get(address);
  if (account?.owner !== tokenProgram) throw new Failure('IncorrectProgramId');
  return getMintDecoder().decode(account.data);
}

export const updateToken = (context: Context, address: Address, fields: Partial<Token>): void =>
  overwrite(
    context.need(address),
    getTokenEncoder().encode({ ...tokenOf(context, address), ...fields }) as Uint8Array,
  );

export function updateMint(context: Context, address: Address, fields: Partial<Mint>): void {
  const account = context.need(address);
  overwrite(
    account,
    getMintEncoder().encode({ ...getMintDecoder().decode(account.data), ...fields }) as Uint8Array,
  );
}

/** Overwrites the first bytes, and leaves the extensions after them. */
function overwrite(account: Account, bytes: Uint8Array): void {
  account.data = Uint8Array.from(account.data);
  account.data.set(bytes);
}

export function initializeToken(context: Context, address: Address, mint: Address, owner: Address): void {
  const account = context.need(address);
  const isNative = mint === WRAPPED_SOL_MINT_ADDRESS;
  const rent = context.cluster.computeRentExemption(account.data.length);
  if (isNative && account.lamports < rent)
    throw custom(0, 'Program log: Error: Lamport balance below rent-exempt threshold');
  const fields = isNative ? { amount: account.lamports - rent, nativeReserve: rent } : { amount: 0n };
  overwrite(account, encodeTokenAccount({ mint, owner, ...fields }));
  if (account.data.length > TOKEN_ACCOUNT_SIZE) account.data[TOKEN_ACCOUNT_SIZE] = IS_TOKEN_ACCOUNT;
}

/** Creates a token account if it doesn't exist. */
export function openToken(
  context: Context,
  account: {
    readonly address: Address;
    readonly owner: Address;
    readonly mint: Address;
    readonly tokenProgram: Address;
    readonly payer: { readonly address: Address; readonly role: number };
  },
): void {
  const { address, owner, mint, tokenProgram, payer } = account;
  const existing = context.get(address);
  if (existing !== undefined && existing.owner !== SYSTEM_PROGRAM_ADDRESS) {
    const token = tokenOf(context, address);
    if (token.owner !== owner || token.mint !== mint) throw new Failure('IllegalOwner');
    return;
  }
  assertSigner(payer);
  context.allocate(payer.address, address, tokenProgram, emptyToken(context, mint, tokenProgram));
  initializeToken(context, address, mint, owner);
}

/**
 * The bytes of an associated account, with the extensions that Token-2022 adds: the immutable owner and, for a token with
 * transfer fees, the withheld amount (8 bytes).
 */
function emptyToken(context: Context, mint: Address, program: Address): Uint8Array {
  const account = context.get(mint);
  if (mint !== WRAPPED_SOL_MINT_ADDRESS && account?.owner !== program)
    throw new Failure('IncorrectProgramId');
  if (program === TOKEN_PROGRAM_ADDRESS) return new Uint8Array(TOKEN_ACCOUNT_SIZE);
  const mintData = account?.data ?? new Uint8Array();
  const data = new Uint8Array(tokenAccountSizeOf(mintData));
  const extensions = TOKEN_ACCOUNT_SIZE + 1;
  data[extensions] = IMMUTABLE_OWNER;
  if (extensionIn(mintData, EXTENSION.transferFeeConfig) !== undefined)
    data.set([EXTENSION.transferFeeAmount, 0, 8, 0], extensions + 4);
  return data;
}

/** Moves tokens like the token program, including the transfer fee. */
export function moveTokens(
  context: Context,
  from: Address,
  to: Address,
  authority: Address,
  amount: bigint,
): void {
  const source = tokenOf(context, from);
  const destination = tokenOf(context, to);
  if ([source, destination].some(({ state }) => state === AccountState.Frozen))
    throw custom(17, 'Program log: Error: Account is frozen');
  if (source.mint !== destination.mint)
    throw custom(3, 'Program log: Error: Account not associated with this Mint');
  if (source.owner !== authority) throw custom(4, 'Program log: Error: owner does not match');
  if (source.amount < amount) throw custom(1, 'Program log: Error: insufficient funds');
  updateToken(context, from, { amount: source.amount - amount });
  const received = amount - withheldOf(context, source.mint, amount);
  updateToken(context, to, { amount: tokenOf(context, to).amount + received });
  if (source.mint === WRAPPED_SOL_MINT_ADDRESS) {
    context.need(from).lamports -= amount;
    context.need(to).lamports += amount;
  }
}

/** The transfer fee that a token withholds from an amount. */
export function withheldOf(context: Context, mint: Address, amount: bigint): bigint {
  const account = context.get(mint);
  if (mint === WRAPPED_SOL_MINT_ADDRESS || account === undefined) return 0n;
  return transferFeeOf(amount, decodeMint(account.data, clockOf(context).epoch).transferFee);
}

export const clockOf = (context: Context) =>
  decodeClock(context.get(CLOCK_SYSVAR_ADDRESS)?.data ?? new Uint8Array());
