import {
  AccountRole,
  type Address,
  bytesEqual,
  fixDecoderSize,
  getArrayDecoder,
  getBase64Decoder,
  getBase64Encoder,
  getBytesDecoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getPublicKeyFromAddress,
  getShortU16Decoder,
  type ReadonlyUint8Array,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';

import { HeavenError, isHeavenError } from '../errors.js';
import { describe } from '../input.js';
import { U64_MAX } from '../math/integers.js';
import { MAX_TRANSACTION_BYTES } from './limits.js';
import { type LookupTables, lookupTableAddresses } from './lookup-table.js';
import { type AccountReader, fetchAccounts } from './rpc/accounts.js';
import type { RequestOptions } from './rpc/send.js';

/** No transaction can name more: an account index is one byte. */
const MOST_ACCOUNTS = 256;
/** A transaction of version 1 starts with its version, the others with their signatures. */
const VERSION_1 = 0x81;

type Compiled = Exclude<
  ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>,
  { readonly version: 1 }
>;

/** A transaction as it stands on the wire, known to be well-formed. */
export interface WireTransaction {
  readonly version: Compiled['version'];
  /** Bytes, signatures included. */
  readonly size: number;
  readonly messageBytes: ReadonlyUint8Array;
  readonly message: Compiled;
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

/** The contents of a lookup table, or why they are not known. */
export type KnownTable =
  | { readonly addresses: readonly Address[]; readonly reason?: undefined }
  | { readonly addresses?: undefined; readonly reason: string };

export type KnownTables = ReadonlyMap<Address, KnownTable>;

const malformed = (reason: string, cause?: unknown) =>
  new HeavenError(
    'malformed-data',
    `This is no base64 transaction: ${reason}.`,
    { what: 'transaction' },
    { cause },
  );

/** Reads a base64 transaction and refuses whatever the cluster would not take as one. */
export function readWireTransaction(tx: string): WireTransaction {
  const bytes = base64Bytes(tx);
  if (bytes.length > MAX_TRANSACTION_BYTES)
    throw malformed(`it has ${bytes.length} bytes, and a transaction has at most ${MAX_TRANSACTION_BYTES}`);
  if (bytes[0] === VERSION_1) throw malformed('it is of version 1, and only legacy and version 0 are read');
  const { signatures, messageBytes, message } = decoded(bytes);
  const { header, staticAccounts } = message;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  if (signatures.length !== numSignerAccounts)
    throw malformed(`it has ${signatures.length} signatures, and its message wants ${numSignerAccounts}`);
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
    throw malformed('it names a lookup table for nothing');
  const accounts = lookups.reduce(
    (count, { writableIndexes, readonlyIndexes }) => count + writableIndexes.length + readonlyIndexes.length,
    staticAccounts.length,
  );
  if (accounts > MOST_ACCOUNTS) throw malformed('it has too many accounts');
  for (const { programAddressIndex, accountIndices = [] } of message.instructions) {
    // The cluster takes programs only from the transaction itself, and never the fee payer.
    if (programAddressIndex === 0 || programAddressIndex >= staticAccounts.length)
      throw malformed('an instruction is for no program of its own');
    if (accountIndices.some((index) => index >= accounts))
      throw malformed('an instruction takes an account that there is not');
  }
  return {
    version: message.version,
    size: bytes.length,
    messageBytes,
    message,
    signatures: signatures.map((signature, index) => ({
      address: staticAccounts[index] as Address,
      signature: signature.some((byte) => byte !== 0) ? (signature as SignatureBytes) : undefined,
    })),
  };
}

/** Whether this is a transaction of version 1. */
export function isVersion1(tx: string): boolean {
  try {
    return base64Bytes(tx)[0] === VERSION_1;
  } catch {
    return false;
  }
}

function base64Bytes(tx: unknown): ReadonlyUint8Array {
  if (typeof tx !== 'string') throw malformed(`it is ${describe(tx)}`);
  let bytes: ReadonlyUint8Array;
  try {
    bytes = getBase64Encoder().encode(tx);
  } catch (cause) {
    throw malformed('it holds characters that base64 does not have', cause);
  }
  // Decoders forgive spaces, missing padding and stray bits; two texts must not stand for one transaction.
  if (getBase64Decoder().decode(bytes) !== tx) throw malformed('it is not written as base64 is');
  return bytes;
}

function decoded(bytes: ReadonlyUint8Array) {
  try {
    const [signatures, offset] = getArrayDecoder(fixDecoderSize(getBytesDecoder(), 64), {
      size: getShortU16Decoder(),
    }).read(bytes, 0);
    // Fewer than 128 signatures fit: their number is one byte.
    if (offset !== 1 + signatures.length * 64)
      throw new RangeError('The number of signatures is spelt long.');
    const messageBytes = bytes.slice(offset);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    if (message.version === 1) throw new RangeError('Version 1 has another envelope.');
    // Whatever the decoder has overlooked or forgiven shows when it is written again.
    if (!bytesEqual(getCompiledTransactionMessageEncoder().encode(message), messageBytes))
      throw new RangeError('The message has bytes too many.');
    return { signatures, messageBytes, message: message as Compiled };
  } catch (cause) {
    throw malformed('its bytes are not those of a transaction', cause);
  }
}

const lookupsOf = (message: Compiled) =>
  ('addressTableLookups' in message ? message.addressTableLookups : undefined) ?? [];

/** The lookup tables that a transaction names. */
export const lookupTablesOf = ({ message }: WireTransaction): readonly Address[] => [
  ...new Set(lookupsOf(message).map(({ lookupTableAddress }) => lookupTableAddress)),
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
    if (isHeavenError(error, 'invalid-lookup-table')) return { reason: error.context.reason };
    throw error;
  }
}

/** The accounts and instructions of a transaction. What is not known stays `undefined`. */
export function loadTransaction(wire: WireTransaction, tables: KnownTables): LoadedTransaction {
  const { message } = wire;
  const { header, staticAccounts } = message;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  const firstReadonly = staticAccounts.length - numReadonlyNonSignerAccounts;
  const own = staticAccounts.map((address, index): TransactionAccount => {
    if (index < numSignerAccounts) {
      const isWritable = index < numSignerAccounts - numReadonlySignerAccounts;
      return { address, role: isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER };
    }
    return { address, role: index < firstReadonly ? AccountRole.WRITABLE : AccountRole.READONLY };
  });
  const lookups = lookupsOf(message);
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
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }): LoadedInstruction => ({
      programAddress: staticAccounts[programAddressIndex] as Address,
      accounts: accountIndices.map((index) => accounts[index] as TransactionAccount),
      data: Uint8Array.from(data),
    }),
  );
  return { wire, accounts, instructions };
}

/** Whether a signature is that signer's, over this transaction. */
export async function isSignatureValid(
  { messageBytes }: WireTransaction,
  signer: Address,
  signature: SignatureBytes,
): Promise<boolean> {
  const key = await getPublicKeyFromAddress(signer).catch((cause: unknown) => {
    // Some engines refuse a key that is no point of the curve when it is loaded, others when it is used.
    if (globalThis.crypto?.subtle === undefined) throw cause;
    return undefined;
  });
  return key !== undefined && (await verifySignature(key, signature, messageBytes as Uint8Array));
}
