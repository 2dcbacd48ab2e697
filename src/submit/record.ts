import { bytesEqual } from '@solana/kit';

import type { HeavenSubmitRpc } from '../client.js';
import { HeavenError, isHeavenError } from '../errors.js';
import { type ParsedTransaction, parseTransaction } from '../history/parse-transaction.js';
import type { TransactionResponse } from '../history/recorded-transaction.js';
import type { InstructionConfig } from '../program/deployment.js';
import { readWireTransaction } from '../solana/message.js';
import { pause } from '../solana/pause.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import { notify } from '../solana/rpc/notify.js';
import { send } from '../solana/rpc/send.js';
import { withinTime } from '../solana/rpc/within-time.js';
import type { Submission } from './follow.js';

const METHOD = 'getTransaction';
/** A node that knows a status may lack the record for a moment. A longer wait is not worth it: the outcome is known. */
const RECORD_MS = 5_000;

/**
 * Reads what an included transaction did. `undefined` if the node doesn't return it in time or the caller aborts: the outcome is already
 * known, and must not be lost over it.
 */
export async function readRecord(
  submission: Submission,
  config: InstructionConfig,
): Promise<ParsedTransaction | undefined> {
  const { nodes, pollEveryMs, abortSignal, observe } = submission;
  const tooLate = () => new HeavenError('aborted', '', { method: METHOD });
  const search = async (over: AbortSignal) => {
    while (!over.aborted) {
      try {
        const record = await recordAt(nodes[0], submission, config, over);
        if (record !== undefined) return record;
      } catch (error) {
        if (!isHeavenError(error)) throw error;
        if (!over.aborted) notify(observe, { type: 'no-answer', node: 0, method: METHOD, error });
      }
      await pause(pollEveryMs, over);
    }
    return undefined;
  };
  try {
    return await withinTime(search, { ms: RECORD_MS, abortSignal, onTimeout: tooLate, onAbort: tooLate });
  } catch {
    return undefined;
  }
}

async function recordAt(
  rpc: HeavenSubmitRpc,
  { signature, messageBytes, commitment, timeoutMs }: Submission,
  config: InstructionConfig,
  abortSignal: AbortSignal,
): Promise<ParsedTransaction | undefined> {
  const request = rpc.getTransaction(signature, {
    // Nodes keep no record of transactions that are only processed.
    commitment: commitment === 'processed' ? 'confirmed' : commitment,
    encoding: 'base64',
    maxSupportedTransactionVersion: 1,
  });
  const response: TransactionResponse | null | undefined = await send({ timeoutMs }, METHOD, request, {
    abortSignal,
  });
  if (response === null || response === undefined) return undefined;
  const { transaction } = response;
  if (!Array.isArray(transaction)) throw invalidResponse(METHOD, 'its transaction is not in base64');
  const found = readWireTransaction(transaction[0]);
  const parsed = parseTransaction(response, config);
  if (parsed.signature !== signature || !bytesEqual(found.messageBytes, messageBytes))
    throw invalidResponse(METHOD, 'it is not the transaction that was sent');
  return parsed;
}
