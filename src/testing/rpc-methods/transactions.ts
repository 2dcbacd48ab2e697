import { getBase64Decoder, type Signature } from '@solana/kit';

import {
  isSignatureValid,
  loadTransaction,
  readWireTransaction,
  type WireTransaction,
} from '../../solana/message.js';
import { failureWords } from '../failure.js';
import type { SimulatedTransaction } from '../runtime.js';
import { accountEncodingOf, encodedAccount } from './account-encoding.js';
import { isFresh, lifetimeAt } from './cluster.js';
import { executeOnRecord, signatureIn, statusOf, type TransactionLedger } from './history.js';
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

const MOST_STATUSES = 256;
const MOST_SIGNATURES = 1_000n;
const FINALIZED_AFTER_SLOTS = 32n;

type Params = readonly unknown[];

/** The methods about transactions. A sent transaction is executed immediately. */
export function transactionMethods(ledger: TransactionLedger): RpcMethods {
  const underWay = new Set<Signature>();
  return {
    getSignaturesForAddress: (params) => signaturesForAddress(ledger, params),
    getSignatureStatuses: ([signatures]) => {
      const statuses = listOf(signatures, MOST_STATUSES, (one) => signatureStatus(ledger, one));
      return inContext(ledger.slot(), statuses);
    },
    getTransaction: (params) => recordedTransaction(ledger, params),
    sendTransaction: (params) => sendTransaction(ledger, underWay, params),
    simulateTransaction: (params) => simulateTransaction(ledger, params),
  };
}

const confirmationOf = ({ slot }: TransactionLedger, since: bigint) =>
  slot() - since >= FINALIZED_AFTER_SLOTS ? 'finalized' : 'confirmed';

function signaturesForAddress(ledger: TransactionLedger, [address, config]: Params) {
  const { limit, before, until } = configOf(config);
  const asked = addressOf(address);
  const most = Number(integerOf(limit ?? MOST_SIGNATURES, 'limit', MOST_SIGNATURES));
  const records = ledger.history.newestFirst();
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
      confirmationStatus: confirmationOf(ledger, slot),
    }));
}

function signatureStatus(ledger: TransactionLedger, signature: unknown) {
  const record = ledger.history.get(signatureOf(signature));
  if (record === undefined) return null;
  const { slot, err } = record;
  const confirmationStatus = confirmationOf(ledger, slot);
  const confirmations = confirmationStatus === 'finalized' ? null : 1n;
  return { slot, confirmations, confirmationStatus, err, status: statusOf(err) };
}

function recordedTransaction({ history }: TransactionLedger, [signature, config]: Params) {
  // The second param may be the encoding instead of the options.
  const { encoding, maxSupportedTransactionVersion } =
    typeof config === 'string' ? { encoding: config } : configOf(config);
  const record = history.get(signatureOf(signature));
  if (record === undefined) return null;
  const { slot, tx, version, blockTime, meta } = record;
  const isVersionAsked =
    maxSupportedTransactionVersion !== undefined && maxSupportedTransactionVersion !== null;
  const isInteger = ['number', 'bigint'].includes(typeof maxSupportedTransactionVersion);
  if (version !== 'legacy' && !(isInteger && Number(maxSupportedTransactionVersion) >= version))
    throw new RpcRefusal(
      RPC_ERROR.unsupportedTransactionVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  const transaction = encodedTransaction(tx, encoding);
  return { slot, blockTime, transaction, meta, ...(isVersionAsked ? { version } : {}) };
}

async function sendTransaction(
  ledger: TransactionLedger,
  underWay: Set<Signature>,
  [given, config]: Params,
): Promise<Signature> {
  const { encoding, skipPreflight } = configOf(config);
  const tx = transactionOf(given, encoding);
  const wire = readWireTransaction(tx);
  await assertSigned(wire);
  const signature = signatureIn(wire);
  const isKnown = () => ledger.history.get(signature) !== undefined || underWay.has(signature);
  const isExpired = !isFresh(wire.lifetimeToken, ledger.slot());
  if (skipPreflight === true) {
    if (isKnown() || isExpired) return signature;
  } else {
    if (isKnown()) throw preflightFailure('AlreadyProcessed');
    if (isExpired) throw preflightFailure('BlockhashNotFound');
    const { err, logs, unitsConsumed } = await ledger.simulate(tx);
    if (err !== null) throw preflightFailure(err, logs, unitsConsumed);
    // The same transaction may have arrived during the simulation.
    if (isKnown()) return signature;
  }
  underWay.add(signature);
  try {
    await ledger.inTurn(() => executeOnRecord(ledger, tx, wire));
  } finally {
    underWay.delete(signature);
  }
  return signature;
}

async function simulateTransaction({ slot, getAccount, simulate }: TransactionLedger, params: Params) {
  const [given, config] = params;
  const { encoding, sigVerify, replaceRecentBlockhash, accounts: asked } = configOf(config);
  const isReplaced = replaceRecentBlockhash === true;
  const tx = transactionOf(given, encoding);
  if (sigVerify === true && isReplaced)
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const wire = readWireTransaction(tx);
  if (sigVerify === true) await assertSigned(wire);
  const { length: accountCount } = loadTransaction(wire, new Map()).accounts;
  const { addresses, encoding: asEncoded } = configOf(asked);
  const shown =
    asked === undefined || asked === null
      ? undefined
      : listOf(addresses, Number.POSITIVE_INFINITY, (address) => addressOf(address));
  if (shown !== undefined && shown.length > accountCount)
    throw invalidParams(`Too many accounts provided; max ${accountCount}`);
  const accountEncoding = accountEncodingOf({ encoding: asEncoded ?? 'base64' });
  if (!isReplaced && !isFresh(wire.lifetimeToken, slot()))
    return inContext(slot(), { ...simulated('BlockhashNotFound'), fee: null });
  const replacementBlockhash = isReplaced ? lifetimeAt(slot()) : null;
  const { accounts: after, returnData, ...outcome } = await simulate(tx);
  const { err, logs, fee, unitsConsumed, loadedAccountsDataSize } = outcome;
  const accounts = shown?.map((address) => {
    const account = after.get(address) ?? getAccount(address);
    return err !== null || account === undefined || account.lamports === 0n
      ? null
      : encodedAccount(account, accountEncoding, getAccount);
  });
  const answer = {
    ...simulated(err, logs, unitsConsumed),
    fee,
    loadedAccountsDataSize,
    replacementBlockhash,
    ...(returnData === undefined ? {} : { returnData: encodedReturn(returnData) }),
  };
  return inContext(slot(), { ...answer, accounts: accounts ?? null });
}

const encodedReturn = ({ programId, data }: NonNullable<SimulatedTransaction['returnData']>) => ({
  programId,
  data: [getBase64Decoder().decode(data), 'base64'],
});

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
