import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  isWritableRole,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';

import type { WireTransaction } from '../../solana/message.js';
import type { LedgerState } from '../ledger-state.js';
import type { KnownAccount, SimulatedTransaction } from '../runtime.js';
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
  readonly meta: Readonly<Record<string, unknown>> & { readonly logMessages: readonly string[] };
}

export const MAX_TRANSACTIONS = 2_000;

/** Keeps the newest transactions and drops older ones, like a node without the full history. */
export class TransactionHistory {
  readonly #records = new Map<Signature, TransactionRecord>();
  readonly #listeners: ((record: TransactionRecord) => void)[] = [];

  get(signature: Signature): TransactionRecord | undefined {
    return this.#records.get(signature);
  }

  newestFirst(): readonly TransactionRecord[] {
    return [...this.#records.values()].reverse();
  }

  add(record: TransactionRecord): void {
    this.#records.set(record.signature, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > MAX_TRANSACTIONS && oldest !== undefined) this.#records.delete(oldest);
    for (const listener of this.#listeners) listener(record);
  }

  onAdd(listener: (record: TransactionRecord) => void): void {
    this.#listeners.push(listener);
  }
}

/** The fee payer's signature, which identifies a transaction. */
export const signatureIn = ({ signatures }: WireTransaction): Signature =>
  getBase58Decoder().decode(signatures[0]?.signature as ReadonlyUint8Array) as Signature;

type Balances = ReturnType<typeof balancesOf>;

/** The record of a transaction that was executed in the ledger's current slot. */
export function recordOf(
  tx: Base64EncodedWireTransaction,
  wire: WireTransaction,
  named: readonly KnownAccount[],
  { slot, unixTimestamp }: LedgerState,
  { err, fee, logs, unitsConsumed, innerInstructions }: SimulatedTransaction,
  { before, after }: { readonly before: Balances; readonly after: Balances },
): TransactionRecord {
  const lookedUp = named.filter(({ lookup }) => lookup !== undefined);
  const loadedAddresses = {
    writable: lookedUp.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
    readonly: lookedUp.filter(({ role }) => !isWritableRole(role)).map(({ address }) => address),
  };
  return {
    signature: signatureIn(wire),
    slot,
    blockTime: unixTimestamp,
    err,
    tx,
    version: wire.version,
    accounts: named.map(({ address }) => address),
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
  };
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

export function balancesOf(named: readonly KnownAccount[], state: LedgerState) {
  const accounts = named.map(({ address }) => state.getAccount(address));
  const tokens = accounts.flatMap((account, accountIndex) => {
    const token = tokenAccountOf(account);
    if (account === undefined || token === undefined) return [];
    const { mint, owner } = token;
    const uiTokenAmount = tokenAmountOf(token, state);
    return [{ accountIndex, mint, owner, programId: account.owner, uiTokenAmount }];
  });
  return { lamports: accounts.map((account) => account?.lamports ?? 0n), tokens };
}

/** An outcome in the older of the two formats. */
export const statusOf = (err: unknown) => (err === null ? { Ok: null } : { Err: err });
