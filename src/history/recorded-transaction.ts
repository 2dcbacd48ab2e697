import {
  type Address,
  type DecodedRpcTransaction,
  decodeTransactionFromRpcResponse,
  getAccountMetasFromCompiledTransactionMessage,
  getSignatureFromTransaction,
  type Signature,
  type TracedInstruction,
  walkInstructions,
} from '@solana/kit';

import { HeavenError, isHeavenError } from '../base/errors.js';
import { inputError, invalidInput } from '../base/input.js';
import type { CostedTransaction } from '../solana/compute-budget.js';
import { readWireTransaction, type WireTransaction } from '../solana/message.js';

/** A token balance as a node returns it. */
interface TokenBalance {
  readonly accountIndex: number | bigint;
  readonly mint: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** A transaction as kit's `getTransaction` returns it, in the encoding `base64` or `json`. */
export interface TransactionResponse {
  readonly transaction: unknown;
  readonly version?: unknown;
  readonly slot: bigint | number;
  /** Nodes give it since Agave 4.0. */
  readonly transactionIndex?: bigint | number | null;
  /** Unix seconds. */
  readonly blockTime?: bigint | number | null;
  readonly meta: {
    readonly err: unknown;
    /** Lamports. */
    readonly fee?: bigint | number;
    readonly logMessages?: readonly string[] | null;
    readonly innerInstructions?: readonly unknown[] | null;
    readonly loadedAddresses?: {
      readonly writable: readonly Address[];
      readonly readonly: readonly Address[];
    } | null;
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
  } | null;
}

/** What a node recorded of a transaction. */
export type Meta = NonNullable<TransactionResponse['meta']>;
export type RecordedTransaction = TransactionResponse & { readonly meta: Meta };

/** The parts of a transaction that are read from its bytes. */
export interface DecodedTransaction {
  readonly signature: Signature;
  readonly cost: CostedTransaction;
  /** All instructions in the order in which they ran. */
  readonly instructions: readonly TracedInstruction[];
  /** All accounts by index. */
  readonly accounts: readonly Address[];
}

/** Returns an integer from JSON, unless it has lost digits. */
export const integerOf = (value: unknown): bigint | undefined =>
  typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value as number) : undefined;

/** Returns a transaction's index in its block, if the node says it. */
export function indexIn({ transactionIndex }: { readonly transactionIndex?: unknown }): number | undefined {
  const index = integerOf(transactionIndex);
  return index === undefined ? undefined : Number(index);
}

export const isOuter = ({ trace }: TracedInstruction): boolean => trace.kind === 'outer';

export const malformed = (message: string) =>
  new HeavenError('malformed-data', message, { what: 'transaction' });

/** Rejects what is not a response with a record. */
export function assertRecorded(transaction: TransactionResponse | null): RecordedTransaction {
  if (transaction === null) {
    throw inputError(
      'transaction',
      'There is no transaction: the node does not know it, or dropped it. Check the signature, wait until it is confirmed, or ask a node with the whole history.',
      transaction,
    );
  }
  if (typeof transaction !== 'object' || typeof transaction.transaction !== 'object')
    throw invalidInput('transaction', transaction, 'what getTransaction gives');
  const { meta } = transaction;
  if (typeof meta !== 'object' || meta === null) {
    throw inputError(
      'transaction.meta',
      'The node kept no record (meta) of what the transaction did, not even whether it failed. Ask another node.',
      meta,
    );
  }
  return { ...transaction, meta };
}

const WRONG_ENCODING =
  "This is not a transaction as getTransaction gives it with encoding: 'base64' or 'json'. Other encodings, such as jsonParsed, can't be read.";

/** Decodes a transaction. */
export function decodeTransaction(response: RecordedTransaction): DecodedTransaction {
  try {
    return decode(response);
  } catch (error) {
    // Kit's errors repeat what they can't decode, which may be a key.
    throw isHeavenError(error) ? error : malformed(WRONG_ENCODING);
  }
}

function decode(response: RecordedTransaction): DecodedTransaction {
  const wire = wireOf(response.transaction);
  const decoded = decodeTransactionFromRpcResponse(
    response as Parameters<typeof decodeTransactionFromRpcResponse>[0],
  );
  assertAddressesLoaded(decoded);
  const { compiledMessage, loadedAddresses } = decoded;
  const meta = response.meta as NonNullable<Parameters<typeof walkInstructions>[0]['meta']>;
  const instructions = walkInstructions({ compiledMessage, loadedAddresses, meta });
  const { version, header } = compiledMessage;
  return {
    signature: signatureOf(response, decoded),
    cost: {
      version,
      // kit leaves it out of a version 1 message in JSON.
      config: wire?.config,
      instructions: instructions.filter(isOuter),
      signatures: { length: header.numSignerAccounts },
    },
    instructions,
    accounts: getAccountMetasFromCompiledTransactionMessage(compiledMessage, loadedAddresses).map(
      ({ address }) => address,
    ),
  };
}

/** Reads a transaction's bytes strictly: kit's decoder accepts a version 1 transaction of any length. */
function wireOf(transaction: unknown): WireTransaction | undefined {
  if (!Array.isArray(transaction)) return undefined;
  const [text, encoding]: readonly unknown[] = transaction;
  if (encoding === 'base64') return readWireTransaction(text as string);
  throw malformed(WRONG_ENCODING);
}

/** Without the addresses from lookup tables, the instructions would have wrong accounts. */
function assertAddressesLoaded({ compiledMessage, loadedAddresses }: DecodedRpcTransaction): void {
  const lookups = 'addressTableLookups' in compiledMessage ? (compiledMessage.addressTableLookups ?? []) : [];
  for (const list of ['writable', 'readonly'] as const) {
    const wanted = lookups.reduce((count, lookup) => count + lookup[`${list}Indexes`].length, 0);
    if (loadedAddresses[list].length === wanted) continue;
    throw malformed(
      `The transaction takes ${wanted} ${list} accounts from lookup tables, and meta.loadedAddresses holds ${loadedAddresses[list].length}. Ask for it with maxSupportedTransactionVersion: 1.`,
    );
  }
}

function signatureOf(response: TransactionResponse, { transaction }: DecodedRpcTransaction): Signature {
  if (transaction !== undefined) return getSignatureFromTransaction(transaction);
  const { signatures = [] } = response.transaction as { readonly signatures?: readonly Signature[] };
  if (signatures[0] === undefined) throw malformed('The transaction has no signature.');
  return signatures[0];
}
