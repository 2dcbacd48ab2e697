import type { Base64EncodedWireTransaction, Signature } from '@solana/kit';

import { HeavenError } from '../errors.js';
import { withinTime } from '../solana/rpc/within-time.js';
import type { Sending, SubmitEvent } from './node.js';

/** What a {@link TransactionSender} receives besides the transaction. */
export interface SenderContext {
  /** The transaction's signature, in base58. */
  readonly signature: Signature;
  /** Fires when this call exceeds the client's `timeoutMs`, when the outcome is certain, and when the caller aborts. */
  readonly abortSignal: AbortSignal;
}

/**
 * Your function that sends a signed transaction to a landing service, for {@link submitTransaction}. It is called again every
 * `resendEveryMs`, with the same transaction in base64. Its result is ignored. A rejection proves nothing: the
 * service may have forwarded the transaction.
 */
export type TransactionSender = (
  tx: Base64EncodedWireTransaction,
  context: SenderContext,
) => Promise<unknown>;

/** Calls the sender once, and reports how it ended. Whatever it throws is passed on unchanged. */
export async function sendThrough(
  sender: TransactionSender,
  { tx, signature, timeoutMs }: Sending,
  abortSignal: AbortSignal,
): Promise<SubmitEvent> {
  try {
    await withinTime(async (signal) => sender(tx, { signature, abortSignal: signal }), {
      ms: timeoutMs,
      abortSignal,
      onTimeout: () =>
        new HeavenError(
          'rpc-timeout',
          `send did not settle within ${timeoutMs} ms. The transaction may be under way; it is sent again.`,
          { method: 'send', timeoutMs },
        ),
      onAbort: () => undefined,
    });
    return { type: 'sender-accepted' };
  } catch (error) {
    return { type: 'sender-failed', error };
  }
}
