import {
  AccountRole,
  type Address,
  bytesEqual,
  decompileTransactionMessage,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type SignatureBytes,
  type TransactionVersion,
  type V1TransactionConfig,
  verifySignature,
} from '@solana/kit';
import { HeavenError, isHeavenError } from '../base/errors.js';
import { U64_MAX } from '../base/integers.js';
import { describeKey, isKey } from '../base/shown.js';
import { uint32 } from './account-data.js';
import {
  MAX_TRANSACTION_ACCOUNTS,
  MAX_TRANSACTION_BYTES_V1,
  MAX_TRANSACTION_INSTRUCTIONS,
  MAX_TRANSACTION_SIGNERS,
  maxTransactionBytes,
} from './limits.js';
import { type LookupTables, lookupTableAddresses } from './lookup-table.js';
import { SYSTEM_PROGRAM_ADDRESS } from './programs.js';
import { type AccountReader, fetchAccounts } from './rpc/accounts.js';
import type { RequestOptions } from './rpc/send.js';
import { assertWebCrypto } from './web-crypto.js';

/** No legacy or version 0 transaction can name more: an account index is one byte. */
const MAX_ACCOUNTS = 256;
/** A transaction from version 1 on starts with its version and this bit, the others with the number of their signatures. */
const VERSION_BIT = 0x80;
/** Those of the longest transaction in base64. */
const MAX_CHARACTERS = /* @__PURE__ */ base64Length(MAX_TRANSACTION_BYTES_V1);

function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}
/** The bits of a config mask that have a meaning. */
const CONFIG_BITS = 0b11111;

/** A transaction's message as kit decodes it. */
export type Compiled = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>;

/** A well-formed transaction as it is on the wire. */
export interface WireTransaction {
  readonly version: TransactionVersion;
  /** What a version 1 transaction sets of its budget. `undefined` in the others, which have instructions for that. */
  readonly config: V1TransactionConfig | undefined;
  /** Bytes, signatures included. */
  readonly size: number;
  /** What the signers sign. */
  readonly messageBytes: ReadonlyUint8Array;
  readonly header: Compiled['header'];
  /** The accounts that the transaction itself names, the fee payer first. */
  readonly staticAccounts: readonly Address[];
  /** The block hash, or the value of a durable nonce. */
  readonly lifetimeToken: string;
  readonly instructions: readonly {
    readonly programAddress: Address;
    readonly accountIndices: readonly number[];
    readonly data: ReadonlyUint8Array;
  }[];
  /** The accounts that it takes from lookup tables. None in version 1. */
  readonly lookups: readonly {
    readonly lookupTableAddress: Address;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[];
  /** The required signers in order, the fee payer first. */
  readonly signatures: readonly {
    readonly address: Address;
    readonly signature: SignatureBytes | undefined;
  }[];
}

/** An account of a transaction. */
export interface TransactionAccount {
  /** `undefined` if it stands in a lookup table that is not known. */
  readonly address: Address | undefined;
  readonly role: AccountRole;
  /** Where it is looked up, if it is not named in the transaction itself. */
  readonly lookup?: { readonly table: Address; readonly index: number };
}

/** An instruction of a transaction with the accounts that it is given. */
export interface LoadedInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly TransactionAccount[];
  readonly data: Uint8Array;
}

/** A transaction with its lookup tables resolved as far as they are known. */
export interface LoadedTransaction {
  readonly wire: WireTransaction;
  /** In the transaction's order: its own accounts, then those from lookup tables. */
  readonly accounts: readonly TransactionAccount[];
  readonly instructions: readonly LoadedInstruction[];
}

/** The contents of a lookup table, or why they are unknown. */
export type KnownTable =
  | { readonly addresses: readonly Address[]; readonly reason?: undefined }
  | { readonly addresses?: undefined; readonly reason: string };

export type KnownTables = ReadonlyMap<Address, KnownTable>;

const malformed = (reason: string, cause?: unknown) =>
  new HeavenError(
    'malformed-data',
    `This is not a base64 transaction: ${reason}.`,
    { what: 'transaction' },
    { cause },
  );

/** Reads a base64 transaction of any version. Rejects whatever the cluster would not accept as one. */
export function readWireTransaction(tx: string): WireTransaction {
  const bytes = base64Bytes(tx);
  const version = ((bytes[0] ?? 0) & VERSION_BIT) === 0 ? 0 : (bytes[0] as number) & ~VERSION_BIT;
  if (version > 1)
    throw malformed(`it is of version ${version}, and only legacy and versions 0 and 1 are read`);
  const most = maxTransactionBytes(version as TransactionVersion);
  if (bytes.length > most) throw malformed(`it has ${bytes.length} bytes, but at most ${most} are allowed`);
  const { signatures, messageBytes, message } = decoded(bytes);
  if (message.version === 1) assertVersion1(message);
  const { header, staticAccounts } = message;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  if (numReadonlySignerAccounts >= numSignerAccounts) throw malformed('nobody pays for it');
  if (numSignerAccounts + numReadonlyNonSignerAccounts > staticAccounts.length)
    throw malformed('its header counts more accounts than there are');
  if (new Set(staticAccounts).size < staticAccounts.length) throw malformed('it names an account twice');
  const lookups = lookupsOf(message);
  if (
    lookups.some(
      ({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length === 0,
    )
  )
    throw malformed('it names a lookup table but takes no account from it');
  const accounts = lookups.reduce(
    (count, { writableIndexes, readonlyIndexes }) => count + writableIndexes.length + readonlyIndexes.length,
    staticAccounts.length,
  );
  if (accounts > MAX_ACCOUNTS) throw malformed('it has too many accounts');
  const instructions = instructionsOf(message);
  for (const { programAddressIndex, accountIndices } of instructions) {
    // The cluster takes programs only from the transaction itself, and never the fee payer.
    if (programAddressIndex === 0 || programAddressIndex >= staticAccounts.length)
      throw malformed('an instruction names a program that is the fee payer, or comes from a lookup table');
    if (accountIndices.some((index) => index >= accounts))
      throw malformed('an instruction names an account that the transaction does not have');
  }
  return {
    version: message.version,
    config: message.version === 1 ? (decompileTransactionMessage(message).config ?? {}) : undefined,
    size: bytes.length,
    messageBytes,
    header,
    staticAccounts,
    lifetimeToken: message.lifetimeToken,
    instructions: instructions.map(({ programAddressIndex, ...instruction }) => ({
      programAddress: staticAccounts[programAddressIndex] as Address,
      ...instruction,
    })),
    lookups,
    signatures: staticAccounts
      .slice(0, numSignerAccounts)
      .map((address) => ({ address, signature: signatures[address] ?? undefined })),
  };
}

function base64Bytes(tx: unknown): ReadonlyUint8Array {
  if (typeof tx !== 'string' || isKey(tx)) throw malformed(`it is ${describeKey(tx)}`);
  if (tx.length > MAX_CHARACTERS)
    throw malformed(`it has ${tx.length} characters, but at most ${MAX_CHARACTERS} are allowed`);
  let bytes: ReadonlyUint8Array;
  try {
    bytes = getBase64Encoder().encode(tx);
  } catch (cause) {
    throw malformed('it holds characters that base64 does not have', cause);
  }
  // Decoders tolerate spaces, missing padding and stray bits, but no two texts may stand for one transaction.
  if (getBase64Decoder().decode(bytes) !== tx) throw malformed('it is not valid base64');
  return bytes;
}

function decoded(bytes: ReadonlyUint8Array) {
  try {
    const transaction = getTransactionDecoder().decode(bytes);
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    // Whatever the decoders overlooked shows when the transaction is encoded again.
    const isWhole =
      bytesEqual(getCompiledTransactionMessageEncoder().encode(message), transaction.messageBytes) &&
      bytesEqual(getTransactionEncoder().encode(transaction), bytes);
    if (!isWhole) throw new RangeError('It is not in its shortest form, or has extra bytes.');
    return { ...transaction, message };
  } catch (cause) {
    throw malformed('its bytes are not those of a transaction', cause);
  }
}

/** Rejects what kit decodes and the cluster doesn't take. */
function assertVersion1(message: Extract<Compiled, { version: 1 }>): void {
  const { configMask, header, numStaticAccounts, numInstructions } = message;
  if ((configMask & ~CONFIG_BITS) !== 0) throw malformed('its config has fields that are not known');
  for (const [what, count, most] of [
    ['signers', header.numSignerAccounts, MAX_TRANSACTION_SIGNERS],
    ['accounts', numStaticAccounts, MAX_TRANSACTION_ACCOUNTS],
    ['instructions', numInstructions, MAX_TRANSACTION_INSTRUCTIONS],
  ] as const) {
    if (count > most) throw malformed(`it has ${count} ${what}, but at most ${most} are allowed`);
  }
}

const NO_BYTES: ReadonlyUint8Array = /* @__PURE__ */ new Uint8Array();

/** The instructions of a message of any version, with the indexes of their accounts. */
export const instructionsOf = (message: Compiled) =>
  message.version === 1
    ? message.instructionHeaders.map(({ programAccountIndex: programAddressIndex }, index) => {
        const payload = message.instructionPayloads[index];
        const { instructionAccountIndices: accountIndices = [], instructionData: data = NO_BYTES } =
          payload ?? {};
        return { programAddressIndex, accountIndices, data };
      })
    : message.instructions.map(({ programAddressIndex, accountIndices = [], data = NO_BYTES }) => ({
        programAddressIndex,
        accountIndices,
        data,
      }));

const lookupsOf = (message: Compiled): WireTransaction['lookups'] =>
  ('addressTableLookups' in message ? message.addressTableLookups : undefined) ?? [];

/** The lookup tables that a transaction names. */
export const lookupTablesOf = ({ lookups }: WireTransaction): readonly Address[] => [
  ...new Set(lookups.map(({ lookupTableAddress }) => lookupTableAddress)),
];

/** The contents of a transaction's lookup tables: those given, and the rest from the cluster if there is a client. */
export async function knownTables(
  wire: WireTransaction,
  given: LookupTables,
  client: AccountReader | undefined,
  options: RequestOptions,
): Promise<KnownTables> {
  const tables = lookupTablesOf(wire);
  const missing = tables.filter((table) => !Object.hasOwn(given, table));
  const known = new Map<Address, KnownTable>();
  for (const table of tables) {
    known.set(
      table,
      Object.hasOwn(given, table)
        ? { addresses: given[table] as readonly Address[] }
        : { reason: 'its contents were not given, and there is no client to read them' },
    );
  }
  if (client !== undefined && missing.length > 0) {
    const accounts = await fetchAccounts(client, missing, options);
    for (const [index, table] of missing.entries()) known.set(table, tableFrom(accounts[index], table));
  }
  return known;
}

function tableFrom(account: Parameters<typeof lookupTableAddresses>[0], table: Address): KnownTable {
  try {
    return { addresses: lookupTableAddresses(account, table, U64_MAX) };
  } catch (error) {
    if (isHeavenError(error, 'unusable-account')) return { reason: error.context.reason };
    throw error;
  }
}

/** The accounts and instructions of a transaction. Unknown ones stay `undefined`. */
export function loadTransaction(wire: WireTransaction, tables: KnownTables): LoadedTransaction {
  const { header, staticAccounts, lookups } = wire;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  const firstReadonly = staticAccounts.length - numReadonlyNonSignerAccounts;
  const own = staticAccounts.map((address, index): TransactionAccount => {
    if (index < numSignerAccounts) {
      const isWritable = index < numSignerAccounts - numReadonlySignerAccounts;
      return { address, role: isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER };
    }
    return { address, role: index < firstReadonly ? AccountRole.WRITABLE : AccountRole.READONLY };
  });
  const looked = (list: 'writableIndexes' | 'readonlyIndexes', role: AccountRole) =>
    lookups.flatMap((lookup) =>
      lookup[list].map((index): TransactionAccount => {
        const table = lookup.lookupTableAddress;
        return { address: tables.get(table)?.addresses?.[index], role, lookup: { table, index } };
      }),
    );
  const accounts = [
    ...own,
    ...looked('writableIndexes', AccountRole.WRITABLE),
    ...looked('readonlyIndexes', AccountRole.READONLY),
  ];
  const instructions = wire.instructions.map(
    ({ programAddress, accountIndices, data }): LoadedInstruction => ({
      programAddress,
      accounts: accountIndices.map((index) => accounts[index] as TransactionAccount),
      data: Uint8Array.from(data),
    }),
  );
  return { wire, accounts, instructions };
}

const ADVANCE_NONCE = 4;

/** Whether it stays valid until a durable nonce advances. The cluster decides that by the first instruction alone. */
export const hasDurableNonce = ({
  instructions: [first],
}: Pick<WireTransaction | LoadedTransaction, 'instructions'>): boolean =>
  first?.programAddress === SYSTEM_PROGRAM_ADDRESS &&
  first.data.length >= 4 &&
  uint32(Uint8Array.from(first.data), 0) === ADVANCE_NONCE;

/** Whether a signature is that signer's, over this transaction. */
export async function isSignatureValid(
  { messageBytes }: WireTransaction,
  signer: Address,
  signature: SignatureBytes,
): Promise<boolean> {
  const key = await getPublicKeyFromAddress(signer).catch((cause: unknown) => {
    // Some engines reject a key that is not on the curve when they load it, others when they use it.
    assertWebCrypto(cause);
    return undefined;
  });
  return key !== undefined && (await verifySignature(key, signature, messageBytes as Uint8Array));
}
