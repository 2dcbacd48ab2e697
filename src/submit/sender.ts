import type { Base64EncodedWireTransaction, Signature } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { withinTime } from '../solana/timing.js';
import type { Sender, SendOutcome, Submission } from './node.js';

/** What a {@link TransactionSender} receives besides the transaction. */
export interface SenderContext {
  /** The transaction's signature, in base58. */
  readonly signature: Signature;
  /** Fires when this call exceeds the client's `timeoutMs`, when the outcome is certain, and when the caller aborts. */
  readonly abortSignal: AbortSignal;
}

/**
 * Your function that sends a signed transaction to a landing service, for {@link submitTransaction}. It is called again every
 * two seconds, with the same transaction in base64. Its result is ignored. A rejection proves nothing: the
 * service may have forwarded the transaction.
 */
export type TransactionSender = (
  tx: Base64EncodedWireTransaction,
  context: SenderContext,
) => Promise<unknown>;

/** Sends through the caller's function. Whatever that throws is reported unchanged, and proves nothing. */
export const ownSender = (sender: TransactionSender, { client, tx, signature }: Submission): Sender => ({
  async send(abortSignal: AbortSignal): Promise<SendOutcome> {
    const ms = client.timeoutMs;
    try {
      await withinTime(async (signal) => sender(tx, { signature, abortSignal: signal }), {
        ms,
        abortSignal,
        onTimeout: () =>
          new HeavenError(
            'rpc-timeout',
            `send did not settle within ${ms} ms. The transaction may be under way; it is sent again.`,
            { method: 'send', timeoutMs: ms },
          ),
        onAbort: () => undefined,
      });
      return { event: { type: 'sender-accepted' }, mayBeUnderWay: true };
    } catch (error) {
      return { event: { type: 'sender-failed', error }, mayBeUnderWay: true };
    }
  },
});
