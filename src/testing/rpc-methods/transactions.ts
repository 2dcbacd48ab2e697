import {
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';

import { isSignatureValid, readWireTransaction, type WireTransaction } from '../../solana/message.js';
import type { Execution } from '../execution.js';
import { failureWords } from '../failure.js';
import { messageOf, type SimulatedTransaction } from '../runtime.js';
import { accountEncodingOf, encodedAccount } from './account-encoding.js';
import { isFresh, lifetimeAt } from './cluster.js';
import type { TransactionHistory } from './history.js';
import { inContext, type LedgerReads, type RpcMethods } from './ledger-reads.js';
import { addressOf, configOf, integerOf, listOf, signatureOf } from './params.js';
import { invalidParams, RPC_ERROR, RpcRefusal } from './refusal.js';
import { encodedTransaction, transactionOf } from './transaction-encoding.js';
import { accountsOf, balancesOf, metaOf, statusOf } from './transaction-meta.js';

const MOST_STATUSES = 256;
const MOST_SIGNATURES = 1_000n;
/** After so many slots a transaction can't be undone any more. */
const FINALIZED_AFTER = 32n;

/** The ledger behind the transactions that are sent to it. */
export interface TransactionLedger extends LedgerReads, Execution {
  readonly history: TransactionHistory;
}

/** The fee payer's signature, which a transaction is known by. */
export const signatureIn = ({ signatures }: WireTransaction): Signature =>
  getBase58Decoder().decode(signatures[0]?.signature as ReadonlyUint8Array) as Signature;

/** Executes a transaction and keeps the record of it. Of one that can't even pay its fee, a cluster knows nothing. */
export async function executeOnRecord(
  { slot, unixTimestamp, getAccount, execute, history }: TransactionLedger,
  tx: Base64EncodedWireTransaction,
  wire: WireTransaction,
): Promise<SimulatedTransaction> {
  const named = accountsOf(wire, { slot: slot(), getAccount });
  const before = balancesOf(named.all, getAccount);
  const outcome = await execute(tx);
  if (outcome.accounts.size === 0) return outcome;
  history.add({
    signature: signatureIn(wire),
    slot: slot(),
    blockTime: unixTimestamp(),
    err: outcome.err,
    tx,
    version: wire.version,
    accounts: named.all,
    meta: metaOf(outcome, named, before, balancesOf(named.all, getAccount)),
  });
  return outcome;
}

/**
 * The methods about transactions. One that is sent is checked, signatures and block hash too, then simulated, then executed
 * at once. One that fails with `skipPreflight` pays its fee and has its error in the status.
 */
export function transactionMethods(ledger: TransactionLedger): RpcMethods {
  const { slot, getAccount, simulate, history } = ledger;
  const underWay = new Set<Signature>();
  const confirmationOf = (since: bigint) => (slot() - since >= FINALIZED_AFTER ? 'finalized' : 'confirmed');

  return {
    getSignaturesForAddress: ([address, config]) => {
      const { limit, before, until } = configOf(config);
      const asked = addressOf(address);
      const most = Number(integerOf(limit ?? MOST_SIGNATURES, 'limit', MOST_SIGNATURES));
      const records = history.newestFirst();
      const indexOf = (signature: unknown) =>
        records.findIndex((record) => record.signature === signatureOf(signature));
      const from = before === undefined || before === null ? 0 : indexOf(before) + 1;
      const end = until === undefined || until === null ? -1 : indexOf(until);
      return records
        .slice(from, end < 0 ? undefined : end)
        .filter(({ accounts }) => accounts.includes(asked))
        .slice(0, most)
        .map(({ signature, slot: since, err, blockTime }) => ({
          signature,
          slot: since,
          err,
          memo: null,
          blockTime,
          confirmationStatus: confirmationOf(since),
        }));
    },

    getSignatureStatuses: ([signatures]) => {
      const statuses = listOf(signatures, MOST_STATUSES, (signature) => {
        const record = history.get(signatureOf(signature));
        if (record === undefined) return null;
        const confirmationStatus = confirmationOf(record.slot);
        return {
          slot: record.slot,
          confirmations: confirmationStatus === 'finalized' ? null : 1n,
          confirmationStatus,
          err: record.err,
          status: statusOf(record.err),
        };
      });
      return inContext(slot(), statuses);
    },

    getTransaction: ([signature, config]) => {
      // The encoding may stand in place of the options.
      const { encoding, maxSupportedTransactionVersion: most } =
        typeof config === 'string' ? { encoding: config } : configOf(config);
      const record = history.get(signatureOf(signature));
      if (record === undefined) return null;
      const { tx, version, blockTime, meta } = record;
      if (version !== 'legacy' && (most === undefined || most === null)) {
        throw new RpcRefusal(
          RPC_ERROR.unsupportedTransactionVersion,
          `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
        );
      }
      return {
        slot: record.slot,
        blockTime,
        transaction: encodedTransaction(tx, encoding),
        meta,
        ...(most === undefined || most === null ? {} : { version }),
      };
    },

    sendTransaction: async ([given, config]) => {
      const { encoding, skipPreflight } = configOf(config);
      const tx = transactionOf(given, encoding);
      const wire = readWireTransaction(tx);
      await assertSigned(wire);
      const signature = signatureIn(wire);
      const isKnown = history.get(signature) !== undefined || underWay.has(signature);
      const isExpired = !isFresh(wire.message.lifetimeToken, slot());
      if (skipPreflight === true) {
        if (isKnown || isExpired) return signature;
      } else {
        if (isKnown) throw preflightFailure('AlreadyProcessed');
        if (isExpired) throw preflightFailure('BlockhashNotFound');
        const { err, logs, unitsConsumed } = await simulate(tx);
        if (err !== null) throw preflightFailure(err, logs, unitsConsumed);
        // Meanwhile it may have come a second time.
        if (history.get(signature) !== undefined || underWay.has(signature)) return signature;
      }
      underWay.add(signature);
      try {
        await ledger.inTurn(() => executeOnRecord(ledger, tx, wire));
      } finally {
        underWay.delete(signature);
      }
      return signature;
    },

    simulateTransaction: async ([given, config]) => {
      const { encoding, sigVerify, replaceRecentBlockhash, accounts: asked } = configOf(config);
      const tx = transactionOf(given, encoding);
      if (sigVerify === true && replaceRecentBlockhash === true)
        throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
      if (sigVerify === true) await assertSigned(readWireTransaction(tx));
      const { blockhash, accountCount } = messageOf(tx);
      const { addresses, encoding: asEncoded } = configOf(asked);
      const shown =
        asked === undefined || asked === null
          ? undefined
          : listOf(addresses, Number.POSITIVE_INFINITY, (address) => addressOf(address));
      if (shown !== undefined && shown.length > accountCount)
        throw invalidParams(`Too many accounts provided; max ${accountCount}`);
      const accountEncoding = accountEncodingOf({ encoding: asEncoded ?? 'base64' });
      const answer = {
        accounts: null,
        innerInstructions: null,
        returnData: null,
        replacementBlockhash: replaceRecentBlockhash === true ? lifetimeAt(slot()) : null,
      };
      if (replaceRecentBlockhash !== true && !isFresh(blockhash, slot()))
        return inContext(slot(), {
          ...answer,
          err: 'BlockhashNotFound',
          logs: [],
          fee: null,
          unitsConsumed: 0n,
        });
      const { err, logs, fee, unitsConsumed, accounts: after } = await simulate(tx);
      return inContext(slot(), {
        ...answer,
        err,
        logs,
        fee,
        unitsConsumed,
        accounts:
          shown?.map((address) => {
            const account = after.has(address) ? after.get(address) : getAccount(address);
            return err !== null || account === undefined || account.lamports === 0n
              ? null
              : encodedAccount(account, accountEncoding, getAccount);
          }) ?? null,
      });
    },
  };
}

async function assertSigned(wire: WireTransaction): Promise<void> {
  for (const { address, signature } of wire.signatures) {
    if (signature !== undefined && (await isSignatureValid(wire, address, signature))) continue;
    throw new RpcRefusal(RPC_ERROR.signatureFailure, 'Transaction signature verification failure');
  }
}

function preflightFailure(err: unknown, logs: readonly string[] = [], unitsConsumed = 0n): RpcRefusal {
  return new RpcRefusal(RPC_ERROR.preflightFailure, `Transaction simulation failed: ${wordsFor(err)}`, {
    accounts: null,
    err,
    innerInstructions: null,
    logs,
    replacementBlockhash: null,
    returnData: null,
    unitsConsumed,
  });
}

/** An error of a transaction in a node's words. */
function wordsFor(err: unknown): string {
  if (err === 'BlockhashNotFound') return 'Blockhash not found';
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed';
  if (typeof err !== 'object' || err === null || !('InstructionError' in err)) return JSON.stringify(err);
  const [index, reason] = err.InstructionError as readonly [number, unknown];
  return `Error processing Instruction ${index}: ${failureWords(reason)}`;
}
