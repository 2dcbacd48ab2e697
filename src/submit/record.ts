import { HeavenError, isHeavenError } from '../base/errors.js';
import type { ParsedTransaction } from '../history/parse-transaction.js';
import { readTransaction } from '../history/signatures.js';
import { notify } from '../solana/rpc/notify.js';
import { pause, withinTime } from '../solana/timing.js';
import { POLL_MS } from './follow.js';
import { noAnswer, type Submission } from './node.js';

/** A node that knows a status may lack the record for a moment. A longer wait is not worth it: the outcome is known. */
const RECORD_MS = 5_000;

/**
 * Reads what an included transaction did. `undefined` if the node doesn't return it in time or the caller aborts: the outcome is already
 * known, and must not be lost over it.
 */
export async function readRecord({
  client,
  signature,
  observe,
  abortSignal,
}: Submission): Promise<ParsedTransaction | undefined> {
  const tooLate = () => new HeavenError('aborted', '', { method: 'getTransaction' });
  const search = async (over: AbortSignal) => {
    while (!over.aborted) {
      try {
        const record = await readTransaction(client, signature, { abortSignal: over });
        if (record !== undefined) return record;
      } catch (error) {
        if (!isHeavenError(error)) throw error;
        if (!over.aborted) notify(observe, noAnswer(0, error));
      }
      await pause(POLL_MS, over);
    }
    return undefined;
  };
  try {
    return await withinTime(search, { ms: RECORD_MS, abortSignal, onTimeout: tooLate, onAbort: tooLate });
  } catch {
    return undefined;
  }
}
