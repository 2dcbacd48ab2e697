import { getBase64Decoder, type Signature } from '@solana/kit';
import {
  isSignatureValid,
  loadTransaction,
  readWireTransaction,
  type WireTransaction,
} from '../../solana/message.js';
import { BLOCKHASH_LIFETIME_BLOCKS } from '../../solana/timing.js';
import type { Execution } from '../execution.js';
import { failureWords } from '../failure.js';
import type { LedgerState } from '../ledger-state.js';
import { accountEncodingOf, encodedAccount } from './account-encoding.js';
import { isFresh, lifetimeAt } from './cluster.js';
import { signatureIn, statusOf } from './history.js';
import {
  addressOf,
  configOf,
  inContext,
  integerOf,
  invalidParams,
  listOf,
  RPC_ERROR,
  type RpcMethods,
  RpcRefusal,
  signatureOf,
} from './rpc.js';
import { encodedTransaction, transactionOf } from './transaction-encoding.js';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1_000n;
/** A block is final about when it is confirmed, as on mainnet since Alpenglow. */
const FINAL = 'finalized';

type Params = readonly unknown[];

/** The methods about transactions. A sent transaction is executed immediately. */
export class TransactionMethods {
  readonly #ledger: LedgerState;
  readonly #execution: Execution;
  /** The messages that ran or run, with the slot, for as long as their block hash is fresh. */
  readonly #seen = new Map<string, bigint>();

  constructor(ledger: LedgerState, execution: Execution) {
    this.#ledger = ledger;
    this.#execution = execution;
  }

  byName(): RpcMethods {
    return {
      getSignaturesForAddress: (params) => this.#signaturesForAddress(params),
      getSignatureStatuses: ([signatures]) => {
        const statuses = listOf(signatures, MAX_STATUSES, (one) => this.#status(one));
        return inContext(this.#ledger.slot, statuses);
      },
      getTransaction: (params) => this.#recorded(params),
      sendTransaction: (params) => this.#send(params),
      simulateTransaction: (params) => this.#simulate(params),
    };
  }

  #signaturesForAddress([address, config]: Params) {
    const { limit, before, until } = configOf(config);
    const asked = addressOf(address);
    const most = Number(integerOf(limit ?? MAX_SIGNATURES, 'limit', MAX_SIGNATURES));
    const records = this.#execution.history.newestFirst();
    const indexOf = (signature: unknown) =>
      signature === undefined || signature === null
        ? -1
        : records.findIndex((record) => record.signature === signatureOf(signature));
    const from = indexOf(before) + 1;
    // If a node doesn't know `before`, it returns an empty list.
    if (from === 0 && before !== undefined && before !== null) return [];
    const end = indexOf(until);
    return records
      .slice(from, end < 0 ? undefined : end)
      .filter(({ accounts }) => accounts.includes(asked))
      .slice(0, most)
      .map(({ signature, slot, err, blockTime }) => ({
        signature,
        slot,
        err,
        memo: null,
        blockTime,
        confirmationStatus: FINAL,
      }));
  }

  #status(signature: unknown) {
    const record = this.#execution.history.get(signatureOf(signature));
    if (record === undefined) return null;
    const { slot, err } = record;
    return { slot, confirmations: null, confirmationStatus: FINAL, err, status: statusOf(err) };
  }

  #recorded([signature, config]: Params) {
    const { encoding, maxSupportedTransactionVersion: newest } = configOf(config);
    const record = this.#execution.history.get(signatureOf(signature));
    if (record === undefined) return null;
    const { slot, tx, version, blockTime, meta } = record;
    const isInteger = ['number', 'bigint'].includes(typeof newest);
    if (version !== 'legacy' && !(isInteger && Number(newest) >= version))
      throw new RpcRefusal(
        RPC_ERROR.unsupportedTransactionVersion,
        `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
      );
    const transaction = encodedTransaction(tx, encoding);
    return { slot, blockTime, transaction, meta, ...(isInteger ? { version } : {}) };
  }

  async #send([given, config]: Params): Promise<Signature> {
    const { encoding, skipPreflight } = configOf(config);
    const tx = transactionOf(given, encoding);
    const wire = readWireTransaction(tx);
    await assertSigned(wire);
    const signature = signatureIn(wire);
    const isExpired = !isFresh(wire.lifetimeToken, this.#ledger.slot);
    if (skipPreflight === true) {
      if (this.#isKnown(wire) || isExpired) return signature;
    } else {
      if (this.#isKnown(wire)) throw preflightFailure('AlreadyProcessed');
      if (isExpired) throw preflightFailure('BlockhashNotFound');
      const { err, logs, unitsConsumed } = await this.#execution.simulate(tx);
      if (err !== null) throw preflightFailure(err, logs, unitsConsumed);
      // The same transaction may have arrived during the simulation.
      if (this.#isKnown(wire)) return signature;
    }
    const { slot } = this.#ledger;
    this.#seen.set(keyOf(wire), slot);
    for (const [old, since] of this.#seen) {
      if (slot - since <= BLOCKHASH_LIFETIME_BLOCKS) break;
      this.#seen.delete(old);
    }
    const { accounts } = await this.#execution.executeOnRecord(tx, wire);
    // Whoever can't pay may try again.
    if (accounts.size === 0) this.#seen.delete(keyOf(wire));
    return signature;
  }

  #isKnown(wire: WireTransaction): boolean {
    return this.#seen.has(keyOf(wire));
  }

  async #simulate([given, config]: Params) {
    const ledger = this.#ledger;
    const { encoding, sigVerify, replaceRecentBlockhash, accounts: asked } = configOf(config);
    const isReplaced = replaceRecentBlockhash === true;
    const tx = transactionOf(given, encoding);
    if (sigVerify === true && isReplaced)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    const wire = readWireTransaction(tx);
    if (sigVerify === true) await assertSigned(wire);
    const shown = accountsAsked(asked, wire);
    const isOld = !isReplaced && !isFresh(wire.lifetimeToken, ledger.slot);
    if (isOld || (!isReplaced && this.#isKnown(wire)))
      return inContext(ledger.slot, {
        ...simulated(isOld ? 'BlockhashNotFound' : 'AlreadyProcessed'),
        fee: null,
      });
    const outcome = await this.#execution.simulate(tx);
    const { err, logs, fee, unitsConsumed, loadedAccountsDataSize } = outcome;
    const accounts = shown?.addresses.map((address) => {
      const account = outcome.accounts.get(address) ?? ledger.getAccount(address);
      return err !== null || account === undefined || account.lamports === 0n
        ? null
        : encodedAccount(account, shown.encoding, ledger);
    });
    return inContext(ledger.slot, {
      ...simulated(err, logs, unitsConsumed),
      fee,
      loadedAccountsDataSize,
      replacementBlockhash: isReplaced ? lifetimeAt(ledger.slot) : null,
      accounts: accounts ?? null,
    });
  }
}

const keyOf = ({ messageBytes }: WireTransaction): string => getBase64Decoder().decode(messageBytes);

/** The accounts that a simulation should return, if any. */
function accountsAsked(asked: unknown, wire: WireTransaction) {
  if (asked === undefined || asked === null) return undefined;
  const { addresses, encoding } = configOf(asked);
  const { length } = loadTransaction(wire, new Map()).accounts;
  return {
    addresses: listOf(addresses, length, (address) => addressOf(address)),
    encoding: accountEncodingOf({ encoding: encoding ?? 'base64' }),
  };
}

async function assertSigned(wire: WireTransaction): Promise<void> {
  for (const { address, signature } of wire.signatures) {
    if (signature !== undefined && (await isSignatureValid(wire, address, signature))) continue;
    throw new RpcRefusal(RPC_ERROR.signatureFailure, 'Transaction signature verification failure');
  }
}

/** A simulation result in a node's format. */
const simulated = (err: unknown, logs: readonly string[] = [], unitsConsumed = 0n) => ({
  accounts: null,
  err,
  innerInstructions: null,
  logs,
  replacementBlockhash: null,
  returnData: null,
  unitsConsumed,
});

function preflightFailure(err: unknown, ...outcome: [logs?: readonly string[], unitsConsumed?: bigint]) {
  const message = `Transaction simulation failed: ${wordsFor(err)}`;
  return new RpcRefusal(RPC_ERROR.preflightFailure, message, simulated(err, ...outcome));
}

/** A transaction error as a node words it. */
function wordsFor(err: unknown): string {
  if (err === 'BlockhashNotFound') return 'Blockhash not found';
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed';
  if (typeof err !== 'object' || err === null || !('InstructionError' in err)) return JSON.stringify(err);
  const [index, reason] = err.InstructionError as readonly [number, unknown];
  return `Error processing Instruction ${index}: ${failureWords(reason)}`;
}
