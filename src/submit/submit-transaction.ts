import type { Blockhash, ReadonlyUint8Array, Signature, Transaction } from '@solana/kit';
import {
  assertAbortSignal,
  assertFunction,
  assertHas,
  assertNames,
  assertU64,
  inputError,
  invalidInput,
} from '../base/input.js';
import type { ParsedTransaction } from '../history/parse-transaction.js';
import type { ParsedTrade } from '../history/trades.js';
import type { HeavenClient, HeavenSubmitRpc } from '../program/client.js';
import { explainTransactionFailure, type TransactionFailure } from '../program/errors.js';
import { readWireTransaction } from '../solana/message.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { wireTextOf } from '../solana/wire-text.js';
import { Following } from './follow.js';
import { NodeSender, type Sender, SUBMIT_METHODS, type Submission, type SubmitEvent } from './node.js';
import { readRecord } from './record.js';
import { ownSender, type TransactionSender } from './sender.js';
import { assertSignedBy, assertSubmittable, signatureOf } from './signed-by.js';

/** A signed transaction: in base64, as bytes, or as kit's signing functions return it. */
export type SubmittableTransaction =
  | string
  | ReadonlyUint8Array
  | Pick<Transaction, 'messageBytes' | 'signatures'>;

/** Until when to send a transaction, and where to. Pass `...built.lifetime` for the first two fields. */
export interface SubmitOptions extends RequestOptions {
  /**
   * The last block height at which the transaction can land: `lifetime.lastValidBlockHeight` from the builder. Past this height,
   * the node is asked about the block hash itself, so a height that is too low never reports a live transaction as expired, unless it is
   * over 150 blocks too low and the node doesn't know the block hash yet. Don't pass one that is too high to a node without history.
   */
  readonly lastValidBlockHeight: bigint;
  /** The blockhash that `lastValidBlockHeight` belongs to. A transaction with another one is rejected: a wallet may have replaced it. */
  readonly blockhash?: Blockhash | undefined;
  /**
   * More nodes to send the same bytes to, which execute at most once. Only the client's node is asked for the outcome. An RPC that is
   * listed twice, or is the client's own, gets them once.
   */
  readonly rpcs?: readonly HeavenSubmitRpc[] | undefined;
  /**
   * Sends the transaction instead of the nodes. Use it for a landing service. Nothing is
   * simulated, so a transaction that fails costs its fee; call {@link simulate} before signing.
   */
  readonly send?: TransactionSender | undefined;
  /** Whether nodes forward the transaction without simulating it first. Default false. */
  readonly skipPreflight?: boolean | undefined;
  /**
   * Whether a copy may have been sent before, such as by a call that ended as `aborted` or `outcome-unknown`. Then nodes don't
   * simulate the transaction, and none of their rejections ends the call. Default false.
   */
  readonly mayBeUnderWay?: boolean | undefined;
  /** Called with each step. */
  readonly observe?: ((event: SubmitEvent) => void) | undefined;
}

/** The transaction was executed, and it succeeded. */
export interface LandedSubmission {
  readonly status: 'landed';
  readonly signature: Signature;
  readonly slot: bigint;
  /** What it did. `undefined` if the node didn't return its record in time: use {@link parseTransaction} later. */
  readonly transaction: ParsedTransaction | undefined;
  /** The trades in `transaction`. */
  readonly trades: readonly ParsedTrade[] | undefined;
}

/** The transaction failed: nothing that it intended has happened. */
export interface FailedSubmission {
  readonly status: 'failed';
  readonly signature: Signature;
  /**
   * The slot in which it failed and paid its network fee. `undefined` if every node rejected it in this call: a copy that was sent
   * before may still land (see `mayBeUnderWay`), and so may one that a node forwards although it rejects it.
   */
  readonly slot: bigint | undefined;
  /** Why it failed, in words. */
  readonly error: TransactionFailure;
}

/** The transaction has not landed and no longer can. */
export interface ExpiredSubmission {
  readonly status: 'expired';
  readonly signature: Signature;
}

/** The outcome of a transaction. `status` says which it is. */
export type SubmitResult = LandedSubmission | FailedSubmission | ExpiredSubmission;

/**
 * Sends a signed transaction repeatedly, and follows it until its outcome is certain: it landed, failed or expired.
 * It never signs, and only sends the same bytes, which execute at most once on any number of nodes.
 *
 * It has landed once it reaches the client's `commitment`: at `processed`, a fork can still drop it. A failure always takes `confirmed`.
 *
 * The client's node alone decides the outcome: use one that you trust. `expired`, after which you may sign another, needs from it a
 * confirmed block height past the last one, a block hash that is no longer valid, and no status of the transaction as of then. A
 * transaction that this call may have sent is never `failed`: neither a missing answer nor a rejection by your `send` proves anything. If the node
 * gives no new block height for a minute, the outcome is unknown.
 *
 * @param signed The transaction with all its signatures: legacy, version 0 or version 1.
 * @returns The outcome. It only throws for wrong input, an abort, nodes that can't accept any transaction, and an unknown outcome.
 * @throws {HeavenError} `invalid-input` (such as a durable nonce: it never expires), `malformed-data`, `transaction-not-signed` (a signature is missing or not valid; nothing
 * was sent), `outcome-unknown` (the node has been silent for a minute, or nothing is certain
 * after ten: it may have landed), `aborted` (it may still land), and, if every
 * node rejects the call itself, the first one's `rpc-failed` or `rpc-method-unsupported`
 * @example
 * ```ts
 * const result = await submitTransaction(client, signed, built.lifetime);
 * if (result.status === 'landed') console.log(result.signature, result.trades);
 * else if (result.status === 'failed') console.error(result.error.message);
 * else console.error('It expired without landing. Build it again, or call refreshLifetime, and sign that.');
 * ```
 */
export async function submitTransaction(
  client: HeavenClient<HeavenSubmitRpc>,
  signed: SubmittableTransaction,
  options: SubmitOptions,
): Promise<SubmitResult> {
  assertOptions(client, options);
  const submission = await submissionOf(client, signed, options);
  const senders = sendersOf(submission, options);
  const outcome = await new Following(submission, senders, options.mayBeUnderWay === true).outcome();
  const { signature, programs } = submission;
  switch (outcome.status) {
    case 'expired':
      return { status: 'expired', signature };
    case 'rejected':
      return { status: 'failed', signature, slot: undefined, error: outcome.error };
    default: {
      const record = await readRecord(submission);
      const failed = { err: outcome.err, instructionPrograms: programs };
      // The record has the logs, which name the program that failed. At `processed`, it may come from another fork: it counts.
      const error =
        record === undefined ? explainTransactionFailure(failed, client.deployment) : record.error;
      const slot = record?.slot ?? outcome.slot;
      return error === undefined
        ? { status: 'landed', signature, slot, transaction: record, trades: record?.trades }
        : { status: 'failed', signature, slot, error };
    }
  }
}

function assertOptions(client: HeavenClient<HeavenSubmitRpc>, options: SubmitOptions): void {
  assertHas(
    options,
    'lastValidBlockHeight',
    'options',
    "an object with lastValidBlockHeight, such as the lifetime of the builder's result",
  );
  assertNames(options, 'options', {
    lastValidBlockHeight: 1,
    blockhash: 1,
    rpcs: 1,
    send: assertFunction,
    skipPreflight: 1,
    mayBeUnderWay: 1,
    observe: assertFunction,
    abortSignal: 1,
  });
  const { lastValidBlockHeight, abortSignal, rpcs = [] } = options;
  assertU64(lastValidBlockHeight, 'lastValidBlockHeight');
  if (!Array.isArray(rpcs)) throw invalidInput('rpcs', rpcs, 'a list of kit RPCs');
  assertCanSubmit(client.rpc, 'client.rpc');
  for (const [index, rpc] of rpcs.entries()) assertCanSubmit(rpc, `rpcs[${index}]`);
  assertAbortSignal(abortSignal, 'abortSignal');
}

/** Reads the transaction, and checks its block hash and its signatures. */
async function submissionOf(
  client: HeavenClient<HeavenSubmitRpc>,
  signed: SubmittableTransaction,
  { lastValidBlockHeight, blockhash, abortSignal, observe }: SubmitOptions,
): Promise<Submission> {
  const tx = wireTextOf(signed);
  const wire = readWireTransaction(tx);
  assertSubmittable(wire, 'signed');
  const { lifetimeToken } = wire;
  if (blockhash !== undefined && blockhash !== null && blockhash !== lifetimeToken) {
    throw inputError(
      'blockhash',
      `The transaction has the block hash ${lifetimeToken}, and lastValidBlockHeight belongs to ${blockhash}. If the wallet has replaced it, read the new one's lastValidBlockHeight; nothing was sent.`,
      blockhash,
    );
  }
  for (const { address } of wire.signatures) await assertSignedBy(wire, address);
  return {
    client,
    tx,
    signature: signatureOf(wire),
    blockhash: lifetimeToken as Blockhash,
    programs: wire.instructions.map(({ programAddress }) => programAddress),
    lastValidBlockHeight,
    abortSignal,
    observe,
  };
}

function sendersOf(
  submission: Submission,
  { send, rpcs = [], skipPreflight, mayBeUnderWay }: SubmitOptions,
): readonly Sender[] {
  if (send !== undefined) return [ownSender(send, submission)];
  const nodes = [...new Set([submission.client.rpc, ...rpcs])];
  // A node that knows the first copy fails the simulation of the second.
  const skips = skipPreflight === true || mayBeUnderWay === true;
  return nodes.map((rpc, node) => new NodeSender(rpc, node, submission, skips));
}

/** Throws if an RPC lacks a method. Otherwise that only shows once another node has the transaction. */
function assertCanSubmit(rpc: unknown, field: string): void {
  // kit's RPCs are proxies of functions or objects. Never print a URL: it may contain a key.
  const methods = Object(typeof rpc === 'string' ? undefined : rpc) as Readonly<Record<string, unknown>>;
  const lacking = SUBMIT_METHODS.find((method) => typeof methods[method] !== 'function');
  if (lacking === undefined) return;
  throw inputError(
    field,
    `${field} must be made with kit: createSolanaRpc('https://…'). It has no ${lacking}.`,
  );
}
