import { type AnyHeavenError, HeavenError, isHeavenError } from '../base/errors.js';
import type { TransactionFailure } from '../program/errors.js';
import { COMMITMENTS } from '../solana/commitment.js';
import { notify } from '../solana/rpc/notify.js';
import { pause } from '../solana/timing.js';
import { noAnswer, type Sender, type Submission } from './node.js';
import { MAX_POLL_MS, readStatus, type StatusReading } from './status.js';

/** What became of a transaction. */
export type Outcome =
  /** It is in a block, and executed if `err` is null. */
  | { readonly status: 'included'; readonly slot: bigint; readonly err: unknown }
  | { readonly status: 'expired' }
  /** Every node rejected it, so that no copy of this call is under way. */
  | { readonly status: 'rejected'; readonly error: TransactionFailure };

/** Nodes that are allowed to resend a transaction do it this often themselves. */
export const RESEND_MS = 2_000;
export const POLL_MS = 500;
/** If the client's node has reported no new block height for this long, the outcome is unknown. */
const SILENCE_MS = 60_000;
/** Several times a block hash's life: a node that needs longer is wrong, or stalls the caller on purpose. */
const MAX_FOLLOW_MS = 600_000;

/** A transaction under way: sent again and again, until the client's node says what became of it. */
export class Following {
  readonly #submission: Submission;
  readonly #senders: readonly Sender[];
  /** Aborted once there is an outcome. */
  readonly #over = new AbortController();
  /** Each sender's rejection of the last send. */
  readonly #rejections = new Map<Sender, TransactionFailure | AnyHeavenError>();
  /** Once true, a copy may be on its way to a leader. */
  #mayBeUnderWay: boolean;
  /** Whether the client's node knows the transaction. It is not resent while it does. */
  #isKnown = false;
  #answered = () => {};
  /** Resolves with the first answer to a send: only then is the transaction worth asking for. */
  readonly #firstAnswer = new Promise<void>((resolve) => {
    this.#answered = resolve;
  });

  constructor(submission: Submission, senders: readonly Sender[], mayBeUnderWay: boolean) {
    this.#submission = submission;
    this.#senders = senders;
    this.#mayBeUnderWay = mayBeUnderWay;
  }

  /** Sends with all senders, and asks the client's node until there is an outcome. */
  async outcome(): Promise<Outcome> {
    const { abortSignal } = this.#submission;
    if (abortSignal?.aborted) throw abortedBy(this.#mayBeUnderWay ? this.#submission : undefined);
    const { signal } = this.#over;
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        abortSignal?.addEventListener('abort', () => reject(abortedBy(this.#submission)), { signal });
        const loops = [this.#poll(), ...this.#senders.map((sender) => this.#keepSending(sender))];
        for (const loop of loops) loop.then((outcome) => outcome && resolve(outcome), reject);
      });
    } catch (error) {
      if (isHeavenError(error)) throw error;
      // The bytes are out: whatever went wrong, the caller needs the signature.
      throw this.#unknown('Following the transaction failed', error);
    } finally {
      this.#over.abort('over');
    }
  }

  /** Sends again and again. Resolves with an outcome only if all senders have rejected the transaction. */
  async #keepSending(sender: Sender): Promise<Outcome | undefined> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      if (!this.#isKnown) {
        // Until it answers, a node that rejected the transaction before may be forwarding it.
        this.#rejections.delete(sender);
        const { event, mayBeUnderWay, rejection } = await sender.send(signal);
        if (signal.aborted) break;
        notify(this.#submission.observe, event);
        this.#mayBeUnderWay ||= mayBeUnderWay;
        if (rejection !== undefined) this.#rejections.set(sender, rejection);
        if (!this.#mayBeUnderWay && this.#rejections.size === this.#senders.length) return this.#rejected();
        this.#answered();
      }
      await pause(RESEND_MS, signal);
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

  /** Asks the client's node until the transaction has landed, failed or expired. */
  async #poll(): Promise<Outcome | undefined> {
    const { signal } = this.#over;
    let turnAt = performance.now();
    let followedMs = 0;
    let silentMs = 0;
    let height = -1n;
    await pause(POLL_MS, signal, this.#firstAnswer);
    while (!signal.aborted) {
      const reading = await this.#readStatus();
      if (signal.aborted) break;
      const outcome = reading && this.#outcomeIn(reading);
      if (outcome !== undefined) return outcome;
      const now = performance.now();
      // A question and the pause after it. If they took longer, the computer slept, and the node is to be asked again.
      const turnMs = Math.min(now - turnAt, MAX_POLL_MS + POLL_MS);
      turnAt = now;
      followedMs += turnMs;
      silentMs += turnMs;
      if (reading !== undefined && reading.blockHeight > height) {
        height = reading.blockHeight;
        silentMs = 0;
      }
      if (silentMs > SILENCE_MS)
        throw this.#unknown(`The node has given no new block height for ${SILENCE_MS / 1000} seconds`);
      if (followedMs > MAX_FOLLOW_MS)
        throw this.#unknown(`After ${MAX_FOLLOW_MS / 60_000} minutes the outcome is not certain`);
      await pause(POLL_MS, signal);
    }
    return undefined;
  }

  async #readStatus(): Promise<StatusReading | undefined> {
    try {
      return await readStatus(this.#submission, this.#over.signal);
    } catch (error) {
      if (!isHeavenError(error)) throw error;
      if (!this.#over.signal.aborted) notify(this.#submission.observe, noAnswer(0, error));
      return undefined;
    }
  }

  #outcomeIn({ blockHeight, status, hasExpired }: StatusReading): Outcome | undefined {
    const event = { type: 'status', node: 0, blockHeight, confirmationStatus: status?.level } as const;
    notify(this.#submission.observe, event);
    this.#isKnown = status !== undefined;
    if (hasExpired) return { status: 'expired' };
    if (status === undefined) return undefined;
    const { slot, err, level } = status;
    const { commitment } = this.#submission.client;
    // A failure in a block on a dropped fork isn't final: the transaction can land in another.
    const wanted = err !== null && commitment === 'processed' ? 'confirmed' : commitment;
    const isReached = COMMITMENTS.indexOf(level) >= COMMITMENTS.indexOf(wanted);
    return isReached ? { status: 'included', slot, err } : undefined;
  }

  #unknown(why: string, cause?: unknown): HeavenError {
    const { signature, lastValidBlockHeight } = this.#submission;
    return new HeavenError(
      'outcome-unknown',
      `${why}. The transaction may have landed, or may still land: look for ${signature} before you sign another. It can't land after block height ${lastValidBlockHeight}.`,
      { signature, lastValidBlockHeight },
      { cause },
    );
  }
}

/** Returns the error for a caller that aborts, with the signature to look for if the transaction may have been sent. */
const abortedBy = (sent: Submission | undefined) =>
  new HeavenError(
    'aborted',
    sent === undefined
      ? 'submitTransaction was aborted by the caller. Nothing was sent.'
      : `submitTransaction was aborted by the caller. The transaction may still land: look for ${sent.signature}.`,
    { method: 'submitTransaction', ...(sent === undefined ? {} : { signature: sent.signature }) },
  );
