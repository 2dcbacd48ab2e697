import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  isWritableRole,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';

import type { WireTransaction } from '../../solana/message.js';
import type { Execution } from '../execution.js';
import type { LedgerState } from '../ledger-state.js';
import { accountsNamedIn, type SimulatedTransaction } from '../runtime.js';
import { tokenAccountOf, tokenAmountOf } from './account-encoding.js';

/** A transaction that the ledger has executed. */
export interface TransactionRecord {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly blockTime: bigint;
  readonly err: unknown;
  readonly tx: Base64EncodedWireTransaction;
  readonly version: WireTransaction['version'];
  readonly accounts: readonly Address[];
  /** The `meta` that `getTransaction` returns. */
  readonly meta: Readonly<Record<string, unknown>> & { readonly logMessages: readonly string[] | null };
}

export const MOST_TRANSACTIONS = 2_000;

/** Keeps the newest transactions and drops older ones, like a node without the full history. */
export function transactionHistory() {
  const records = new Map<Signature, TransactionRecord>();
  const listeners = new Set<(record: TransactionRecord) => void>();
  return {
    get: (signature: Signature) => records.get(signature),
    add: (record: TransactionRecord) => {
      records.set(record.signature, record);
      const [oldest] = records.keys();
      if (records.size > MOST_TRANSACTIONS && oldest !== undefined) records.delete(oldest);
      for (const listener of listeners) listener(record);
    },
    onAdd: (listener: (record: TransactionRecord) => void) => void listeners.add(listener),
    newestFirst: (): readonly TransactionRecord[] => [...records.values()].reverse(),
  };
}

/** The ledger that transactions are sent to. */
export interface TransactionLedger extends LedgerState, Execution {
  readonly history: ReturnType<typeof transactionHistory>;
}

/** The fee payer's signature, which identifies a transaction. */
export const signatureIn = ({ signatures }: WireTransaction): Signature =>
  getBase58Decoder().decode(signatures[0]?.signature as ReadonlyUint8Array) as Signature;

/** Executes a transaction and records it. As on a cluster, a transaction that can't pay its fee is not recorded. */
export async function executeOnRecord(
  { slot, unixTimestamp, getAccount, execute, history }: TransactionLedger,
  tx: Base64EncodedWireTransaction,
  wire: WireTransaction,
): Promise<SimulatedTransaction> {
  const named = accountsNamedIn({ slot: slot(), getAccount }, wire);
  const accounts = named.map(({ address }) => address);
  const lookedUp = named.filter(({ lookup }) => lookup !== undefined);
  const loadedAddresses = {
    writable: lookedUp.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
    readonly: lookedUp.filter(({ role }) => !isWritableRole(role)).map(({ address }) => address),
  };
  const before = balancesOf(accounts, getAccount);
  const outcome = await execute(tx);
  if (outcome.accounts.size === 0) return outcome;
  const after = balancesOf(accounts, getAccount);
  const { err, fee, logs, unitsConsumed, innerInstructions } = outcome;
  history.add({
    signature: signatureIn(wire),
    slot: slot(),
    blockTime: unixTimestamp(),
    err,
    tx,
    version: wire.version,
    accounts,
    meta: {
      err,
      status: statusOf(err),
      fee,
      computeUnitsConsumed: unitsConsumed,
      preBalances: before.lamports,
      postBalances: after.lamports,
      preTokenBalances: before.tokens,
      postTokenBalances: after.tokens,
      ...(wire.version === 1 ? {} : { loadedAddresses }),
      innerInstructions: encodedCalls(innerInstructions),
      logMessages: logs,
      rewards: [],
    },
  });
  return outcome;
}

/** Inner instructions in a node's format: null if they are not recorded. */
function encodedCalls(groups: SimulatedTransaction['innerInstructions']) {
  const base58 = getBase58Decoder();
  const encoded = groups?.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((call) => ({ ...call, data: base58.decode(call.data) })),
  }));
  return encoded ?? null;
}

function balancesOf(accounts: readonly Address[], find: LedgerState['getAccount']) {
  const lamports = accounts.map((address) => find(address)?.lamports ?? 0n);
  const tokens = accounts.flatMap((address, accountIndex) => {
    const account = find(address);
    const token = tokenAccountOf(account);
    if (account === undefined || token === undefined) return [];
    const { mint, owner } = token;
    return [
      { accountIndex, mint, owner, programId: account.owner, uiTokenAmount: tokenAmountOf(token, find) },
    ];
  });
  return { lamports, tokens };
}

/** An outcome in the older of the two formats. */
export const statusOf = (err: unknown) => (err === null ? { Ok: null } : { Err: err });
