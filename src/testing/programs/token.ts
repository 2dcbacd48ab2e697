import { type Address, isNone, isSome, type Option, some } from '@solana/kit';
import {
  AccountState,
  AuthorityType,
  getInitializeAccount3Instruction,
  getMintDecoder,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  type Mint,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  type Token,
  TokenInstruction,
} from '@solana-program/token';

import { U64_MAX } from '../../base/integers.js';
import { transferFeeOf } from '../../math/transfer-fee.js';
import { decodeClock, decodeMint } from '../../pool/decode.js';
import { view } from '../../solana/account-data.js';
import { bytesOfAddress } from '../../solana/addresses.js';
import { findAssociatedTokenAddress } from '../../solana/derived-addresses.js';
import * as programs from '../../solana/programs.js';
import {
  EXTENSION,
  extensionIn,
  isMintData,
  tokenAccountSizeOf,
  withheldFeesIn,
} from '../../solana/token-extensions.js';
import {
  ACCOUNT_TYPE,
  EXTENSION_HEADER,
  FIRST_EXTENSION,
  IS_TOKEN_ACCOUNT,
  MINT,
  TOKEN_ACCOUNT_SIZE,
  TOKEN_ACCOUNT_STATE,
} from '../../solana/token-layout.js';
import { encodeTokenAccount } from '../encode.js';
import { assertSigner, custom, Failure, notEmulated, parsed } from '../failure.js';
import type { Call, Context, Program } from '../runtime.js';

/** What the programs log of the errors that people meet. */
const ERRORS: Readonly<Record<number, string>> = {
  0: 'Lamport balance below rent-exempt threshold',
  1: 'insufficient funds',
  3: 'Account not associated with this Mint',
  4: 'owner does not match',
  5: 'the total supply of this token is fixed',
  11: 'Non-native account can only be closed if its balance is zero',
  17: 'Account is frozen',
  19: 'Instruction does not support non-native tokens',
};
const tokenError = (code: number) =>
  custom(code, ...(ERRORS[code] ? [`Program log: Error: ${ERRORS[code]}`] : []));

const isFrozen = ({ state }: Token): boolean => state === AccountState.Frozen;

/** Accounts as one of the token programs reads them, whoever owns them: the runtime keeps it from writing to others'. */
export class TokenAccounts {
  readonly context: Context;
  readonly program: Address;
  readonly isClassic: boolean;

  constructor(context: Context, program: Address) {
    this.context = context;
    this.program = program;
    this.isClassic = program === programs.TOKEN_PROGRAM_ADDRESS;
  }

  data(address: Address): Uint8Array {
    return this.context.get(address)?.data ?? new Uint8Array();
  }

  token(address: Address): Token {
    const data = this.data(address);
    const hasExtensions = !this.isClassic && data.length > TOKEN_ACCOUNT_SIZE;
    if (!hasExtensions && data.length !== TOKEN_ACCOUNT_SIZE) throw new Failure('InvalidAccountData');
    if (data[TOKEN_ACCOUNT_STATE] === 0) throw new Failure('UninitializedAccount');
    if (hasExtensions && data[ACCOUNT_TYPE] !== IS_TOKEN_ACCOUNT) throw new Failure('InvalidAccountData');
    return getTokenDecoder().decode(data);
  }

  mint(address: Address): Mint {
    const data = this.data(address);
    const isMint = this.isClassic ? data.length === MINT.size : isMintData(data);
    if (!isMint) throw new Failure('InvalidAccountData');
    if (data[MINT.isInitialized] === 0) throw new Failure('UninitializedAccount');
    return getMintDecoder().decode(data);
  }

  /** A mint of this program. */
  ownMint(address: Address): Mint {
    this.assertOwned(address);
    return this.mint(address);
  }

  assertOwned(...addresses: readonly Address[]): void {
    if (addresses.some((address) => this.context.get(address)?.owner !== this.program))
      throw new Failure('IncorrectProgramId');
  }

  /** Token-2022 asks that first. The classic program only asks if it writes nothing. */
  assertOwnedFirst(...addresses: readonly Address[]): void {
    if (!this.isClassic) this.assertOwned(...addresses);
  }

  /** The mint of a new token account. */
  assertMint(mint: Address): void {
    this.assertOwned(mint);
    try {
      this.mint(mint);
    } catch {
      throw tokenError(2);
    }
  }

  /** Overwrites the first bytes, and leaves the extensions after them. */
  write(address: Address, bytes: ArrayLike<number>): void {
    const account = this.context.need(address);
    account.data = Uint8Array.from(account.data);
    account.data.set(bytes);
  }

  writeToken(address: Address, token: Token): void {
    this.write(address, getTokenEncoder().encode(token));
  }
}

/** What the two token programs do for trades and launches. */
export const tokenProgram: Program = { units: 3_000, run: runToken };

export function runToken(context: Context, call: Call): void {
  const on = new TokenAccounts(context, call.programAddress);
  const instruction = parsed(() => parseTokenInstruction(call));
  switch (instruction.instructionType) {
    case TokenInstruction.SyncNative:
      syncNative(on, instruction.accounts.account.address);
      break;
    case TokenInstruction.InitializeAccount3:
      initialize(on, instruction.accounts, instruction.data.owner);
      break;
    case TokenInstruction.CloseAccount:
      close(on, instruction.accounts);
      break;
    case TokenInstruction.Transfer:
    case TokenInstruction.TransferChecked:
      transfer(on, instruction.accounts, instruction.data);
      break;
    case TokenInstruction.MintTo:
      mintTo(on, instruction.accounts, instruction.data.amount);
      break;
    case TokenInstruction.SetAuthority:
      setAuthority(on, instruction.accounts, instruction.data);
      break;
    default:
      throw notEmulated(`${TokenInstruction[instruction.instructionType]} of the token program`);
  }
}

interface Meta {
  readonly address: Address;
  readonly role: number;
}
type Metas<TName extends string> = Readonly<Record<TName, Meta>>;

function assertAuthority(expected: Address, authority: Meta): void {
  if (expected !== authority.address) throw tokenError(4);
  assertSigner(authority);
}

/** What an account of wrapped SOL sets aside becomes the rent of today. */
function syncNative(on: TokenAccounts, address: Address): void {
  on.assertOwned(address);
  const token = on.token(address);
  if (isNone(token.isNative)) throw tokenError(19);
  const { data, lamports } = on.context.need(address);
  const rent = on.context.cluster.computeRentExemption(data.length);
  if (lamports < rent) throw tokenError(14);
  on.writeToken(address, { ...token, amount: lamports - rent, isNative: some(rent) });
}

function initialize(on: TokenAccounts, accounts: Metas<'account' | 'mint'>, owner: Address): void {
  const { context, isClassic } = on;
  const [address, mint] = [accounts.account.address, accounts.mint.address];
  on.assertOwnedFirst(address, mint);
  const { data, lamports } = context.get(address) ?? { data: new Uint8Array(), lamports: 0n };
  const isSized = isClassic ? data.length === TOKEN_ACCOUNT_SIZE : data.length >= TOKEN_ACCOUNT_SIZE;
  if (!isSized) throw new Failure('InvalidAccountData');
  if (data[TOKEN_ACCOUNT_STATE] !== 0) throw tokenError(6);
  if ((data[ACCOUNT_TYPE] ?? 0) !== 0) throw new Failure('InvalidAccountData');
  const rent = context.cluster.computeRentExemption(data.length);
  if (lamports < rent) throw tokenError(0);
  const isNative = isClassic && mint === programs.WRAPPED_SOL_MINT_ADDRESS;
  if (!isNative) on.assertMint(mint);
  const fields = isNative ? { amount: lamports - rent, nativeReserve: rent } : { amount: 0n };
  const token = encodeTokenAccount({ mint, owner, ...fields });
  const size = tokenAccountSizeOf(on.data(mint));
  const needsExtensions = !isClassic && size > FIRST_EXTENSION + EXTENSION_HEADER;
  if (needsExtensions && data.length < size - EXTENSION_HEADER) throw new Failure('InvalidAccountData');
  on.write(address, data.length > TOKEN_ACCOUNT_SIZE ? [...token, IS_TOKEN_ACCOUNT] : token);
  if (extensionIn(on.data(mint), EXTENSION.transferFeeConfig) === undefined) return;
  const at = FIRST_EXTENSION + (data[FIRST_EXTENSION] === EXTENSION.immutableOwner ? EXTENSION_HEADER : 0);
  on.data(address).set([EXTENSION.transferFeeAmount, 0, 8, 0], at);
}

function close(
  on: TokenAccounts,
  { account: { address }, destination, owner }: Metas<'account' | 'destination' | 'owner'>,
): void {
  const { context } = on;
  on.assertOwnedFirst(address);
  if (address === destination.address) throw new Failure('InvalidAccountData');
  // What is no token account, Token-2022 reads as a mint. None names an authority to close it.
  const data = on.data(address);
  if (!on.isClassic && (data.length < TOKEN_ACCOUNT_SIZE || isMintData(data)))
    throw new Failure(data[MINT.isInitialized] === 0 ? 'UninitializedAccount' : 'InvalidAccountData');
  const token = on.token(address);
  if (isNone(token.isNative) && token.amount > 0n) throw tokenError(11);
  assertAuthority(token.owner, owner);
  if (withheldFeesIn(data) > 0n) throw tokenError(35);
  context.moveLamports(address, destination.address, context.need(address).lamports);
  context.create(address, { owner: programs.SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 0n });
}

/** Moves tokens, without a transfer fee of Token-2022. That program looks at the destination last. */
function transfer(
  on: TokenAccounts,
  accounts: Metas<'source' | 'destination' | 'authority'> & { readonly mint?: Meta },
  { amount, decimals }: { readonly amount: bigint; readonly decimals?: number },
): void {
  const { source: from, destination: to, authority, mint } = accounts;
  on.assertOwnedFirst(from.address, to.address);
  const source = on.token(from.address);
  const first = on.isClassic ? on.token(to.address) : source;
  if (isFrozen(source) || isFrozen(first)) throw tokenError(17);
  if (source.amount < amount) throw tokenError(1);
  if (first.mint !== source.mint) throw tokenError(3);
  if (mint !== undefined) {
    on.assertOwnedFirst(mint.address);
    if (mint.address !== source.mint) throw tokenError(3);
    if (on.mint(mint.address).decimals !== decimals) throw tokenError(18);
  } else if (extensionIn(on.data(from.address), EXTENSION.transferFeeAmount) !== undefined)
    throw tokenError(31);
  assertAuthority(source.owner, authority);
  const isSelf = from.address === to.address;
  if (isSelf || amount === 0n) on.assertOwned(from.address, to.address);
  if (isSelf || (on.isClassic && amount === 0n)) return;
  const destination = on.token(to.address);
  if (isFrozen(destination)) throw tokenError(17);
  if (destination.mint !== source.mint) throw tokenError(3);
  const fee = withheldOf(on.context, source.mint, amount);
  on.writeToken(from.address, { ...source, amount: source.amount - amount });
  on.writeToken(to.address, { ...destination, amount: destination.amount + amount - fee });
  const held = extensionIn(on.data(to.address), EXTENSION.transferFeeAmount);
  if (fee > 0n && held === undefined) throw tokenError(13);
  if (held !== undefined) view(held).setBigUint64(0, withheldFeesIn(on.data(to.address)) + fee, true);
  if (isSome(source.isNative)) on.context.moveLamports(from.address, to.address, amount);
}

function mintTo(
  on: TokenAccounts,
  accounts: Metas<'mint' | 'token' | 'mintAuthority'>,
  amount: bigint,
): void {
  const [mint, to] = [accounts.mint.address, accounts.token.address];
  on.assertOwnedFirst(mint, to);
  const token = on.token(to);
  if (isFrozen(token)) throw tokenError(17);
  if (isSome(token.isNative)) throw tokenError(10);
  if (token.mint !== mint) throw tokenError(3);
  const state = on.mint(mint);
  if (isNone(state.mintAuthority)) throw tokenError(5);
  assertAuthority(state.mintAuthority.value, accounts.mintAuthority);
  if (amount === 0n) on.assertOwned(mint, to);
  const supply = state.supply + amount;
  if (supply > U64_MAX) throw tokenError(14);
  on.write(mint, getMintEncoder().encode({ ...state, supply }));
  on.writeToken(to, { ...token, amount: token.amount + amount });
}

function setAuthority(
  on: TokenAccounts,
  { owned: { address: owned }, owner }: Metas<'owned' | 'owner'>,
  {
    authorityType: type,
    newAuthority: next,
  }: { authorityType: AuthorityType; newAuthority: Option<Address> },
): void {
  const isMinting = type === AuthorityType.MintTokens;
  if (!isMinting && type !== AuthorityType.FreezeAccount)
    throw notEmulated('setting this authority of a token');
  on.assertOwnedFirst(owned);
  const data = Uint8Array.from(on.data(owned));
  const isToken =
    data.length === TOKEN_ACCOUNT_SIZE || (!on.isClassic && data[ACCOUNT_TYPE] === IS_TOKEN_ACCOUNT);
  if (!on.isClassic && data[isToken ? TOKEN_ACCOUNT_STATE : MINT.isInitialized] === 0)
    throw new Failure('InvalidAccountData');
  if (isToken) throw tokenError(isFrozen(on.token(owned)) ? 17 : 15);
  if (on.isClassic && data.length !== MINT.size) throw new Failure('InvalidArgument');
  const { mintAuthority, freezeAuthority } = on.mint(owned);
  const current = isMinting ? mintAuthority : freezeAuthority;
  if (isNone(current)) throw tokenError(isMinting ? 5 : 16);
  assertAuthority(current.value, owner);
  const at = isMinting ? MINT.mintAuthority : MINT.freezeAuthority;
  data[at] = isSome(next) ? 1 : 0;
  if (isSome(next)) data.set(bytesOfAddress(next.value), at + 4);
  // The classic program leaves the old one behind the mark that there is none.
  else if (!on.isClassic) data.fill(0, at + 4, at + 36);
  on.write(owned, data);
}

export const associatedTokenProgram: Program = {
  units: 22_000,
  run: async (context, call) => {
    const instruction = parsed(() => parseAssociatedTokenInstruction(call));
    if (call.data[0] !== 1 || !('payer' in instruction.accounts))
      throw notEmulated('this instruction of the associated token program');
    const { payer, ata, owner, mint, tokenProgram } = instruction.accounts;
    const account = { owner: owner.address, mint: mint.address, tokenProgram: tokenProgram.address };
    if (ata.address !== (await findAssociatedTokenAddress(account))) {
      const line = 'Program log: Error: Associated address does not match seed derivation';
      throw new Failure('InvalidSeeds', [line]);
    }
    openToken(context, { ...account, address: ata.address, payer: payer.address });
  },
};

/** Creates an associated token account if it doesn't exist. */
export function openToken(
  context: Context,
  account: { readonly [TName in 'address' | 'owner' | 'mint' | 'tokenProgram' | 'payer']: Address },
): void {
  const { address, owner, mint, tokenProgram: programAddress, payer } = account;
  const on = new TokenAccounts(context, programAddress);
  const existing = context.get(address)?.owner ?? programs.SYSTEM_PROGRAM_ADDRESS;
  if (existing === programAddress) {
    const token = on.token(address);
    if (token.owner !== owner) throw custom(0, 'Program log: Error: Associated token account owner mismatch');
    if (token.mint !== mint) throw new Failure('InvalidAccountData');
    return;
  }
  if (existing !== programs.SYSTEM_PROGRAM_ADDRESS) throw new Failure('IllegalOwner');
  on.assertMint(mint);
  const data = new Uint8Array(on.isClassic ? TOKEN_ACCOUNT_SIZE : tokenAccountSizeOf(on.data(mint)));
  if (!on.isClassic) data[FIRST_EXTENSION] = EXTENSION.immutableOwner;
  context.allocate(payer, address, programAddress, data);
  const call = getInitializeAccount3Instruction({ account: address, mint, owner }, { programAddress });
  context.as(call, () => runToken(context, call));
}

/** The transfer fee that a token withholds from an amount. */
export function withheldOf(context: Context, mint: Address, amount: bigint): bigint {
  const account = context.get(mint);
  if (mint === programs.WRAPPED_SOL_MINT_ADDRESS || account === undefined) return 0n;
  return transferFeeOf(amount, decodeMint(account.data, clockOf(context).epoch).transferFee);
}

export const clockOf = (context: Context) =>
  decodeClock(context.get(programs.CLOCK_SYSVAR_ADDRESS)?.data ?? new Uint8Array());
