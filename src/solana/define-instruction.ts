import type { AccountMeta, AccountRole, AccountSignerMeta, Address, Instruction } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { assertHas, assertNames, assertWhole, invalidInput, isBytes } from '../base/input.js';
import { type AddressInput, addressIn, assertAddress, plainAddress } from './addresses.js';
import { assertMatches, readValue, type Schema, type TypeOf, writeValue } from './codec.js';
import { hexBytes, startsWith } from './discriminator.js';
import { MAX_TRANSACTION_BYTES_V1 } from './limits.js';
import { isSigner, type TransactionWallet } from './wallet.js';

type RoleName = 'readonly' | 'writable' | 'signer' | 'writable-signer';

/** An account whose address never varies: the builder fills it in, the parser insists on it. */
export interface FixedAccount {
  readonly role: RoleName;
  readonly address: Address;
}

/** An account with an address that a deployment may change: the builder fills it in unless you pass one. */
export interface DefaultedAccount {
  readonly role: RoleName;
  readonly default: Address;
}

export type InstructionAccount = RoleName | FixedAccount | DefaultedAccount;
type Accounts = { readonly [account: string]: InstructionAccount };

/** One instruction of the program: everything about it, once. Builder, parser and IDL come from here. */
export interface InstructionDeclaration {
  /** The program's own name for it, in snake case. */
  readonly name: string;
  /** sha256("global:" + name)[..8], in hex. */
  readonly discriminator: string;
  /** The accounts in order. */
  readonly accounts: Accounts;
  /** Accounts that the program reads after the declared ones. A transaction may lack them. */
  readonly remainingAccounts?: Accounts;
  /** What it returns, if anything. */
  readonly returns?: Schema;
  /** The arguments in order. */
  readonly args: { readonly [argument: string]: Schema };
}

type RoleOf<TAccount> = TAccount extends RoleName
  ? TAccount
  : TAccount extends { readonly role: infer TRole }
    ? TRole
    : never;
type InputOf<TAccount, TAddress> =
  RoleOf<TAccount> extends 'signer' | 'writable-signer' ? TransactionWallet : TAddress;

type RequiredNames<TAccounts> = {
  [TName in keyof TAccounts]: TAccounts[TName] extends RoleName ? TName : never;
}[keyof TAccounts];
type DefaultedNames<TAccounts> = {
  [TName in keyof TAccounts]: TAccounts[TName] extends DefaultedAccount ? TName : never;
}[keyof TAccounts];

type AccountsInput<TAccounts, TAddress> = {
  readonly [TName in RequiredNames<TAccounts>]: InputOf<TAccounts[TName], TAddress>;
} & { readonly [TName in DefaultedNames<TAccounts>]?: InputOf<TAccounts[TName], TAddress> };

type RemainingOf<TDeclaration> = TDeclaration extends { readonly remainingAccounts: infer TRemaining }
  ? TRemaining
  : unknown;

/** What a builder takes: the accounts that are not fixed, and the arguments. */
export type InstructionInput<
  TDeclaration extends InstructionDeclaration,
  TAddress = AddressInput,
> = AccountsInput<TDeclaration['accounts'], TAddress> &
  AccountsInput<RemainingOf<TDeclaration>, TAddress> & {
    readonly [TArgument in keyof TDeclaration['args']]: TypeOf<TDeclaration['args'][TArgument]>;
  };

/** What a parser returns. */
export interface ParsedInstruction<TDeclaration extends InstructionDeclaration> {
  readonly name: TDeclaration['name'];
  readonly programAddress: Address;
  /** The declared accounts by name; those after the program's own list only if the transaction has them. */
  readonly accounts: { readonly [TName in keyof TDeclaration['accounts']]: AccountMeta } & {
    readonly [TName in keyof RemainingOf<TDeclaration>]?: AccountMeta;
  };
  readonly data: {
    readonly [TArgument in keyof TDeclaration['args']]: TypeOf<TDeclaration['args'][TArgument]>;
  };
  /** Accounts after all named ones. */
  readonly extraAccounts: readonly AccountMeta[];
}

/** An instruction with accounts and data, as the builders make them. */
export type BuiltInstruction = Instruction & {
  readonly accounts: readonly (AccountMeta | AccountSignerMeta)[];
  readonly data: Uint8Array;
};

/** Declares an instruction. It only carries the types: the declaration is plain data. */
export const defineInstruction = <const TDeclaration extends InstructionDeclaration>(
  declaration: TDeclaration,
): TDeclaration => declaration;

const ROLES = ['readonly', 'writable', 'signer', 'writable-signer'] as const satisfies readonly RoleName[];

/** kit's account roles are numbers whose bits mean writable and signer. Spelled out here to load no kit code. */
const roleOf = (name: RoleName) => ROLES.indexOf(name) as AccountRole;

/** Builds a declared instruction from checked accounts and arguments, by name. */
export const buildInstruction = <TDeclaration extends InstructionDeclaration>(
  declaration: TDeclaration,
  { programAddress }: { readonly programAddress: Address },
  input: InstructionInput<TDeclaration, Address>,
): BuiltInstruction =>
  Object.freeze({
    programAddress,
    accounts: accountMetas(declaration, input, plainAddress),
    data: writeValue(argsSchema(declaration), input, hexBytes(declaration.discriminator)),
  });

/** Builds a declared instruction from what a caller passed, which it checks. */
export function buildCheckedInstruction(
  declaration: InstructionDeclaration,
  programAddress: Address,
  values: Values,
): BuiltInstruction {
  const known = { ...declaration.accounts, ...declaration.remainingAccounts, ...declaration.args };
  assertNames(values, 'input', known);
  // An object's address may be another one the next time, so these stay.
  const accounts = accountMetas(declaration, values, addressIn);
  const args = argsSchema(declaration);
  assertMatches(args, values, '');
  const data = writeValue(args, values, hexBytes(declaration.discriminator));
  return Object.freeze({ programAddress, accounts, data });
}

type Values = Readonly<Record<string, unknown>>;

const argsSchema = ({ name, args }: InstructionDeclaration) => ({ name, fields: args });

const accountMetas = (
  { accounts, remainingAccounts }: InstructionDeclaration,
  values: Values,
  addressFrom: (given: AddressInput, field: string) => Address,
): readonly (AccountMeta | AccountSignerMeta)[] =>
  Object.entries({ ...accounts, ...remainingAccounts }).map(([field, account]) => {
    const given = values[field] as TransactionWallet;
    if (typeof account === 'object') {
      const address = 'address' in account ? account.address : addressFrom(given ?? account.default, field);
      return { address, role: roleOf(account.role) };
    }
    const meta = { address: addressFrom(given, field), role: roleOf(account) };
    return account.endsWith('signer') && isSigner(given) ? { ...meta, signer: given } : meta;
  });

const AN_INSTRUCTION = 'an instruction';

/** Rejects what is not a list of a caller's own instructions. */
export function assertInstructions(instructions: readonly Instruction[], field: string): void {
  const each = <TItem>(
    list: readonly TItem[],
    at: string,
    of: string,
    assert: (item: TItem, at: string) => void,
  ) => {
    // Every item takes a byte of the transaction at least.
    if (!Array.isArray(list) || list.length > MAX_TRANSACTION_BYTES_V1)
      throw invalidInput(at, list, `a list of ${of}`);
    for (let index = 0; index < list.length; index++) assert(list[index] as TItem, `${at}[${index}]`);
  };
  each(instructions, field, 'instructions', (instruction, at) => {
    assertHas(instruction, 'programAddress', at, AN_INSTRUCTION);
    const { programAddress, accounts = [], data = new Uint8Array() } = instruction;
    assertAddress(programAddress, `${at}.programAddress`);
    each(accounts, `${at}.accounts`, 'accounts', (meta, place) => {
      assertHas(meta, 'address', place, 'an object with address and role');
      assertAddress(meta.address, `${place}.address`);
      assertWhole(`${place}.role`, meta.role, [0, ROLES.length - 1], "one of kit's account roles, 0 to 3");
    });
    if (!isBytes(data)) throw invalidInput(`${at}.data`, data, 'a Uint8Array');
  });
}

/** Reads a declared instruction: its accounts and arguments by name. */
export function parseInstruction(
  declaration: InstructionDeclaration,
  programAddress: Address,
  instruction: Instruction,
) {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new HeavenError(
      'malformed-data',
      `This is not the instruction ${declaration.name}: ${reason}.`,
      { what: 'instruction', asked: declaration.name, reason },
      { cause },
    );
  };
  assertHas(instruction, 'programAddress', 'instruction', AN_INSTRUCTION);
  if (instruction.programAddress !== programAddress)
    refuse(`it is for the program ${instruction.programAddress}, not ${programAddress}`);
  const bytes = Uint8Array.from(instruction.data ?? []);
  const discriminator = hexBytes(declaration.discriminator);
  if (!startsWith(bytes, discriminator)) refuse('its data starts with another discriminator');

  const data: Record<string, unknown> = {};
  let offset = discriminator.length;
  for (const [name, schema] of Object.entries(declaration.args)) {
    try {
      [data[name], offset] = readValue(schema, bytes, offset);
    } catch (cause) {
      refuse(`its argument ${name} is cut short or malformed`, cause);
    }
  }

  const metas = (instruction.accounts ?? []) as readonly AccountMeta[];
  const required = Object.keys(declaration.accounts).length;
  if (metas.length < required) refuse(`it has ${metas.length} of ${required} accounts`);
  const accounts: Record<string, AccountMeta> = {};
  const declared = Object.entries({ ...declaration.accounts, ...declaration.remainingAccounts });
  for (const [index, [name, account]] of declared.entries()) {
    const meta = metas[index];
    if (meta === undefined) break;
    if (typeof account === 'object' && 'address' in account && meta.address !== account.address)
      refuse(`its account ${name} is ${meta.address}, not ${account.address}`);
    accounts[name] = meta;
  }
  return {
    name: declaration.name,
    programAddress,
    accounts,
    data,
    extraAccounts: metas.slice(declared.length),
  };
}
