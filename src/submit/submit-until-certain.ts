import { type HeavenError, isHeavenError } from '../base/errors.js';
import type { HeavenClient, HeavenSubmitRpc } from '../program/client.js';
import { notify } from '../solana/rpc/notify.js';
import { pause } from '../solana/timing.js';
import { wireTextOf } from '../solana/wire-text.js';
import { RESEND_MS } from './follow.js';
import type { SubmitEvent } from './node.js';
import {
  type SubmitOptions,
  type SubmitResult,
  type SubmittableTransaction,
  submitTransaction,
} from './submit-transaction.js';

/** A step of {@link submitUntilCertain}: one of {@link submitTransaction}, or that this gave up and is called again. */
export type SubmitUntilCertainEvent =
  | SubmitEvent
  | { readonly type: 'outcome-unknown'; readonly error: HeavenError<'outcome-unknown'> };

/** The options of {@link submitTransaction}, whose `observe` also hears that the outcome is unknown for now. */
export interface SubmitUntilCertainOptions extends Omit<SubmitOptions, 'observe'> {
  /** Called with each step. */
  readonly observe?: ((event: SubmitUntilCertainEvent) => void) | undefined;
}

/**
 * {@link submitTransaction} that never ends with `outcome-unknown`: for as long as the client's node is silent, behind or down, it sends
 * the same bytes again and goes on asking. They run at most once. For a bot that must not trade again before it knows.
 *
 * It ends only with a certain outcome or by `abortSignal`: pass one, unless you mean to wait for as long as it takes. Write the bytes,
 * `blockhash` and `lastValidBlockHeight` down before you call it. After a restart, call it with them and `mayBeUnderWay: true`.
 *
 * @param signed The transaction with all its signatures. It is copied at once.
 * @returns The outcome: `landed`, `failed` or `expired`.
 * @throws {HeavenError} what {@link submitTransaction} throws but `outcome-unknown`. After `aborted` with a `signature`, it may still land
 * @example
 * ```ts
 * const result = await submitUntilCertain(client, signed, {
 *   ...built.lifetime,
 *   observe: (event) => event.type === 'outcome-unknown' && console.warn(event.error.message),
 * });
 * console.log(result.status); // landed
 * ```
 */
export async function submitUntilCertain(
  client: HeavenClient<HeavenSubmitRpc>,
  signed: SubmittableTransaction,
  options: SubmitUntilCertainOptions,
): Promise<SubmitResult> {
  const tx = wireTextOf(signed);
  const signal = options?.abortSignal ?? new AbortController().signal;
  for (let mayBeUnderWay = options?.mayBeUnderWay; ; mayBeUnderWay = true) {
    try {
      return await submitTransaction(client, tx, { ...options, mayBeUnderWay });
    } catch (error) {
      if (!isHeavenError(error, 'outcome-unknown')) throw error;
      notify(options.observe, { type: 'outcome-unknown', error });
    }
    // Where an RPC fails at once, so would this loop.
    await pause(RESEND_MS, signal);
  }
}
