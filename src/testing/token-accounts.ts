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
import { MINT, TRANSFER_FEE_EXTENSION } from '../pool/layout.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { EXTENSION, extensionIn } from '../solana/token-extensions.js';
import { encodeTokenAccount } from './encode.js';
import { assertSigner, custom, Failure } from './failure.js';
import type { Account, Context } from './runtime.js';

// Token accounts and mints of both token programs.

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];
export const TOKEN_SIZE = 165;
/** A Token-2022 extension type. */
const IMMUTABLE_OWNER = 7;
/** The byte after the first 165 of a token account or a padded mint. */
export const ACCOUNT_TYPE = { mint: 1, token: 2 } as const;

export const decodeToken = (data: Uint8Array): Token =>
  getTokenDecoder().decode(data.subarray(0, TOKEN_SIZE));
export const decodeTokenMint = (data: Uint8Array): Mint =>
  getMintDecoder().decode(data.subarray(0, MINT.size));

export function tokenOf(context: Context, address: Address): Token {
  const account = context.get(address);
  if (account === undefined || !TOKEN_PROGRAMS.includes(account.owner))
    throw new Failure('InvalidAccountData');
  if (account.data.length < TOKEN_SIZE || account.data[108] === 0) throw new Failure('UninitializedAccount');
  return decodeToken(account.data);
}

export function mintOf(context: Context, address: Address, tokenProgram: Address): Mint {
  const account = context.get(address);
  if (account?.owner !== tokenProgram) throw new Failure('IncorrectProgramId');
  return decodeTokenMint(account.data);
}

export const updateToken = (context: Context, address: Address, fields: Partial<Token>): void =>
  overwrite(
    context.need(address),
    getTokenEncoder().encode({ ...tokenOf(context, address), ...fields }) as Uint8Array,
  );

export function updateMint(context: Context, address: Address, fields: Partial<Mint>): void {
  const account = context.need(address);
  overwrite(account, getMintEncoder().encode({ ...decodeTokenMint(account.data), ...fields }) as Uint8Array);
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
  if (account.data.length > TOKEN_SIZE) account.data[TOKEN_SIZE] = ACCOUNT_TYPE.token;
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
  const size = sizeOfToken(context, mint, tokenProgram);
  context.allocate(payer.address, address, tokenProgram, withExtensions(new Uint8Array(size)));
  initializeToken(context, address, mint, owner);
}

/**
 * Adds the extensions of Token-2022's associated accounts: the immutable owner and, for a token with transfer fees, the
 * withheld amount (8 bytes).
 */
function withExtensions(data: Uint8Array): Uint8Array {
  const at = TOKEN_SIZE + 1;
  if (data.length > at) data[at] = IMMUTABLE_OWNER;
  if (data.length > at + 4) data.set([EXTENSION.transferFeeAmount, 0, 8, 0], at + 4);
  return data;
}

function sizeOfToken(context: Context, mint: Address, program: Address): number {
  const account = context.get(mint);
  if (mint !== WRAPPED_SOL_MINT_ADDRESS && account?.owner !== program)
    throw new Failure('IncorrectProgramId');
  if (program === TOKEN_PROGRAM_ADDRESS) return TOKEN_SIZE;
  const { data = new Uint8Array() } = account ?? {};
  const hasTransferFee = extensionIn(data, TRANSFER_FEE_EXTENSION.type) !== undefined;
  // The account type, the immutable owner, and the withheld transfer fees.
  return TOKEN_SIZE + 1 + 4 + (hasTransferFee ? 4 + 8 : 0);
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
