import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  type Commitment,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit';
import { type AnyHeavenError, isHeavenError } from '../base/errors.js';
import { isError } from '../base/input.js';
import type { HeavenClient, HeavenSubmitRpc } from '../program/client.js';
import { explainTransactionFailure, type TransactionFailure } from '../program/errors.js';
import { explainMissingMethod, invalidResponse } from '../solana/rpc/errors.js';
import { send } from '../solana/rpc/send.js';

/** A step of {@link submitTransaction}. `type` says which. `node` is 0 for the client's node, and from 1 for those in `rpcs`. */
export type SubmitEvent =
  /** The node accepted the transaction. */
  | { readonly type: 'sent'; readonly node: number }
  /** The node accepted it again. */
  | { readonly type: 'resent'; readonly node: number }
  /** The node did not accept it, at least for now: its simulation failed, or the node rejects the call. */
  | { readonly type: 'rejected'; readonly node: number; readonly error: TransactionFailure | AnyHeavenError }
  /** The node gave no valid answer. After `sendTransaction`, the transaction may be in flight. */
  | {
      readonly type: 'no-answer';
      readonly node: number;
      readonly method: SubmitMethod;
      readonly error: AnyHeavenError;
    }
  /** Your `send` resolved. */
  | { readonly type: 'sender-accepted' }
  /** Your `send` rejected, threw, or took too long (`rpc-timeout`). The transaction may still be in flight. */
  | { readonly type: 'sender-failed'; readonly error: unknown }
  /** What the node reports about the transaction. Without `confirmationStatus`, the node does not know it. */
  | {
      readonly type: 'status';
      readonly node: number;
      readonly blockHeight: bigint;
      readonly confirmationStatus: Commitment | undefined;
    };

export const SUBMIT_METHODS = [
  'sendTransaction',
  'getEpochInfo',
  'isBlockhashValid',
  'getSignatureStatuses',
  'getTransaction',
] as const;

/** The methods that {@link submitTransaction} calls. */
export type SubmitMethod = (typeof SUBMIT_METHODS)[number];

/** A signed transaction, and until when it can land. */
export interface Submission {
  /** Its node alone decides the outcome. */
  readonly client: HeavenClient<HeavenSubmitRpc>;
  readonly tx: Base64EncodedWireTransaction;
  readonly signature: Signature;
  readonly blockhash: Blockhash;
  /** The program of each instruction, in order. */
  readonly programs: readonly Address[];
  readonly lastValidBlockHeight: bigint;
  readonly abortSignal: AbortSignal | undefined;
  readonly observe: ((event: SubmitEvent) => void) | undefined;
}

/** A way to send a transaction. */
export interface Sender {
  /** Sends it once. Throws only if the RPC is not kit's. */
  send(abortSignal: AbortSignal): Promise<SendOutcome>;
}

/** What became of one attempt to send. */
export interface SendOutcome {
  readonly event: SubmitEvent;
  /** Whether a copy may be on its way to a leader. */
  readonly mayBeUnderWay: boolean;
  /** Why it is certain that this sender can't send it, now or later. */
  readonly rejection?: TransactionFailure | AnyHeavenError | undefined;
}

/** JSON-RPC codes: a signature, the request, its method or its params are invalid. A later try gives the same result. */
const REFUSED_CALLS: readonly unknown[] = [-32_003, -32_600, -32_601, -32_602];
const REFUSED_CALLERS: readonly unknown[] = [401, 403];

/** Sends a transaction to a node. */
export class NodeSender implements Sender {
  readonly #rpc: HeavenSubmitRpc;
  readonly #node: number;
  readonly #submission: Submission;
  #skipPreflight: boolean;
  #hasAccepted = false;

  constructor(rpc: HeavenSubmitRpc, node: number, submission: Submission, skipPreflight: boolean) {
    this.#rpc = rpc;
    this.#node = node;
    this.#submission = submission;
    this.#skipPreflight = skipPreflight;
  }

  async send(abortSignal: AbortSignal): Promise<SendOutcome> {
    const { client, tx, signature } = this.#submission;
    const method = 'sendTransaction';
    try {
      const request = this.#rpc.sendTransaction(tx, {
        encoding: 'base64',
        // The SDK resends it, and must not do so past the last height.
        maxRetries: 0n,
        preflightCommitment: client.commitment,
        skipPreflight: this.#skipPreflight,
      });
      const answer = await send(client, method, request, { abortSignal });
      if (answer !== signature) throw invalidResponse(method, 'it is the signature of another transaction');
      return this.#accepted();
    } catch (error) {
      if (!isHeavenError(error)) throw error;
      return this.#outcomeOf(error);
    }
  }

  #accepted(): SendOutcome {
    const type = this.#hasAccepted ? 'resent' : 'sent';
    this.#hasAccepted = true;
    // Once the transaction is executed, a node that has it fails the simulation.
    this.#skipPreflight = true;
    return { event: { type, node: this.#node }, mayBeUnderWay: true };
  }

  #outcomeOf(error: AnyHeavenError): SendOutcome {
    const { cause } = error;
    if (isTransactionError(cause, 'AlreadyProcessed', SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED))
      return this.#accepted();
    const { rpcCode, status } = isHeavenError(error, 'rpc-failed') ? error.context : {};
    if (rpcCode === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE) {
      const { client, programs } = this.#submission;
      const failed = { err: cause, instructionPrograms: programs };
      // A node that does not know the blockhash may just be behind.
      const isBehind = isTransactionError(
        cause,
        'BlockhashNotFound',
        SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
      );
      return this.#rejected(explainTransactionFailure(failed, client.deployment) ?? error, !isBehind);
    }
    if (REFUSED_CALLS.includes(rpcCode) || REFUSED_CALLERS.includes(status))
      return this.#rejected(explainMissingMethod(error, 'sendTransaction') as AnyHeavenError, true);
    return { event: noAnswer(this.#node, error), mayBeUnderWay: true };
  }

  #rejected(error: TransactionFailure | AnyHeavenError, isFinal: boolean): SendOutcome {
    const event = { type: 'rejected', node: this.#node, error } as const;
    return { event, mayBeUnderWay: false, rejection: isFinal ? error : undefined };
  }
}

/** Whether an RPC failed with this transaction error: the cause of a kit error, or the node's own wording. */
function isTransactionError(
  error: unknown,
  name: string,
  code: Parameters<typeof isSolanaError>[1],
): boolean {
  if (!isError(error)) return false;
  const isThis = isSolanaError(error) && (error.context as { readonly err?: unknown }).err === name;
  return isThis || isSolanaError(error, code) || isTransactionError(error.cause, name, code);
}

/** Every error of a call to a node names its method. */
export const noAnswer = (node: number, error: AnyHeavenError): SubmitEvent => {
  const { method } = error.context as { readonly method: SubmitMethod };
  return { type: 'no-answer', node, method, error };
};
