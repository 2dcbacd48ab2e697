import type { HeavenSubmitRpc } from '../client.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../errors.js';
import type { TransactionFailure } from '../program/errors.js';
import { pause } from '../solana/pause.js';
import { notify } from '../solana/rpc/notify.js';
import { hasReached, lookAt, type Sending, type SubmitEvent, sendTo } from './node.js';
import { sendThrough, type TransactionSender } from './sender.js';

/** A transaction, the nodes to send it to, and how. */
export interface Submission extends Sending {
  /** The nodes to send the transaction to, unless there is a `send`. The first is the client's: it alone decides the outcome. */
  readonly nodes: readonly [HeavenSubmitRpc, ...HeavenSubmitRpc[]];
  readonly send: TransactionSender | undefined;
  readonly skipPreflight: boolean;
  readonly resendEveryMs: number;
  readonly pollEveryMs: number;
  readonly abortSignal: AbortSignal | undefined;
  readonly observe: ((event: SubmitEvent) => void) | undefined;
}

/** What became of a transaction. */
export type Outcome =
  /** It is in a block, and executed if `err` is null. */
  | { readonly status: 'included'; readonly slot: bigint; readonly err: unknown }
  | { readonly status: 'expired' }
  /** Every node rejected it, and none can have forwarded it. */
  | { readonly status: 'rejected'; readonly error: TransactionFailure };

/** If the client's node has reported no new block height for this long, the outcome is unknown. */
const SILENCE_MS = 60_000;
/** Several times a block hash's life: a node that needs longer is wrong, or stalls the caller on purpose. */
const MOST_MS = 600_000;

/** Sends a transaction to all nodes and asks the client's node until there is an outcome. */
export async function follow(submission: Submission): Promise<Outcome> {
  const { nodes, send, abortSignal, signature } = submission;
  if (abortSignal?.aborted) throw abortedBy(undefined);
  const over = new AbortController();
  const following = new Following(submission, over.signal);
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      abortSignal?.addEventListener('abort', () => reject(abortedBy(signature)), { signal: over.signal });
      const loops = [
        following.poll(),
        ...(send
          ? [following.keepSendingThrough(send)]
          : nodes.map((rpc, node) => following.keepSending(rpc, node))),
      ];
      for (const loop of loops) loop.then((outcome) => outcome && resolve(outcome), reject);
    });
  } catch (error) {
    if (isHeavenError(error)) throw error;
    // The bytes are out: whatever went wrong, the caller needs the signature.
    throw unknownOutcome('Following the transaction failed', submission, error);
  } finally {
    over.abort('over');
  }
}

/** A transaction under way. Its loops end once `over` fires. */
class Following {
  readonly #submission: Submission;
  /** Aborted once there is an outcome. */
  readonly #over: AbortSignal;
  /** Each node's rejection of the last send. */
  readonly #rejections = new Map<number, TransactionFailure | AnyHeavenError>();
  /** Once true, a copy may be on its way to a leader. */
  #mayBeUnderWay = false;
  /** Whether the client's node knows the transaction. It is not resent while it does. */
  #isKnown = false;
  #answered = () => {};
  /** Resolves with the first answer to a send: only then is the transaction worth asking for. */
  readonly #firstAnswer = new Promise<void>((resolve) => {
    this.#answered = resolve;
  });

  constructor(submission: Submission, over: AbortSignal) {
    this.#submission = submission;
    this.#over = over;
  }

  /** Sends to a node again and again. Resolves only if all nodes have rejected the transaction. */
  async keepSending(rpc: HeavenSubmitRpc, node: number): Promise<Outcome | undefined> {
    const { nodes, skipPreflight, resendEveryMs, observe } = this.#submission;
    let hasAccepted = false;
    while (!this.#over.aborted) {
      if (!this.#isKnown) {
        // Until it answers, a node that rejected the transaction before may be forwarding it.
        this.#rejections.delete(node);
        // Once the transaction is executed, a node that has it fails the simulation.
        const taken = await sendTo(rpc, this.#submission, skipPreflight || hasAccepted, this.#over);
        if (this.#over.aborted) break;
        const { how } = taken;
        if (how === 'accepted') notify(observe, { type: hasAccepted ? 'resent' : 'sent', node });
        else if (how === 'rejected') notify(observe, { type: 'rejected', node, error: taken.error });
        else notify(observe, { type: 'no-answer', node, method: 'sendTransaction', error: taken.error });
        hasAccepted ||= how === 'accepted';
        this.#mayBeUnderWay ||= how !== 'rejected';
        if (how === 'rejected' && taken.isFinal) this.#rejections.set(node, taken.error);
        if (!this.#mayBeUnderWay && this.#rejections.size === nodes.length) return this.#rejected();
        this.#answered();
      }
      await pause(resendEveryMs, this.#over);
    }
    return undefined;
  }

  /** Sends through the caller's function instead of the nodes. Its rejection proves nothing. */
  async keepSendingThrough(sender: TransactionSender): Promise<undefined> {
    const { resendEveryMs, observe } = this.#submission;
    while (!this.#over.aborted) {
      if (!this.#isKnown) {
        const event = await sendThrough(sender, this.#submission, this.#over);
        if (this.#over.aborted) break;
        notify(observe, event);
        this.#answered();
      }
      await pause(resendEveryMs, this.#over);
    }
    return undefined;
  }

  /** Asks the client's node until the transaction has landed, failed or expired. */
  async poll(): Promise<Outcome | undefined> {
    const { nodes, commitment, pollEveryMs, observe } = this.#submission;
    const began = performance.now();
    let heardAt = began;
    let height = -1n;
    await pause(pollEveryMs, this.#over, this.#firstAnswer);
    while (!this.#over.aborted) {
      const look = await lookAt(nodes[0], this.#submission, this.#over);
      if (this.#over.aborted) break;
      const now = performance.now();
      if ('error' in look) {
        notify(observe, { type: 'no-answer', node: 0, ...look });
      } else {
        const { blockHeight, status, hasExpired } = look;
        notify(observe, { type: 'status', node: 0, blockHeight, confirmationStatus: status?.level });
        this.#isKnown = status !== undefined;
        // A failure in a block on a dropped fork isn't final: the transaction can land in another.
        const wanted = status?.err !== null && commitment === 'processed' ? 'confirmed' : commitment;
        if (status !== undefined && hasReached(status.level, wanted))
          return { status: 'included', slot: status.slot, err: status.err };
        if (hasExpired) return { status: 'expired' };
        if (blockHeight > height) [height, heardAt] = [blockHeight, now];
      }
      if (now - heardAt > SILENCE_MS)
        throw unknownOutcome(
          `The node has given no new block height for ${SILENCE_MS / 1000} seconds`,
          this.#submission,
        );
      if (now - began > MOST_MS)
        throw unknownOutcome(
          `After ${MOST_MS / 60_000} minutes the outcome is not certain`,
          this.#submission,
        );
      await pause(pollEveryMs, this.#over);
    }
    return undefined;
  }

  /** A rejection that says what is wrong with the transaction counts before one of the call. */
  #rejected(): Outcome {
    const errors = [...this.#rejections.values()];
    const failure = errors.find((error): error is TransactionFailure => !isHeavenError(error));
    if (failure === undefined) throw errors[0];
    return { status: 'rejected', error: failure };
  }
}

/** Returns the error for a caller that aborts, with the signature to look for if the transaction may have been sent. */
const abortedBy = (signature: Submission['signature'] | undefined) =>
  new HeavenError(
    'aborted',
    signature === undefined
      ? 'submitTransaction was aborted by the caller. Nothing was sent.'
      : `submitTransaction was aborted by the caller. The transaction may still land: look for ${signature}.`,
    { method: 'submitTransaction', ...(signature === undefined ? {} : { signature }) },
  );

const unknownOutcome = (why: string, { signature, lastValidBlockHeight }: Submission, cause?: unknown) =>
  new HeavenError(
    'outcome-unknown',
    `${why}. The transaction may have landed, or may still land: look for ${signature} before you sign another. It can't land after block height ${lastValidBlockHeight}.`,
    { signature, lastValidBlockHeight },
    { cause },
  );
