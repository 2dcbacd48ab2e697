import { withinTime } from '../solana/timing.js';
import { type ErrorAnswer, HttpError } from './errors.js';

/** A request being answered. */
export interface Work {
  readonly abortSignal: AbortSignal;
  /** Whether its body is still on its way. */
  isReceiving: boolean;
  /** Whether a launch waits for its mint. */
  isFindingMint: boolean;
}

/** Runs work until it is done, the caller disconnects or the time limit is reached. */
export async function answerWithin<T>(
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const work = { isReceiving: false, isFindingMint: false };
  return await withinTime((abortSignal) => run(Object.assign(work, { abortSignal })), {
    ms: timeoutMs,
    abortSignal: signal,
    onTimeout: () => new HttpError(timedOut(timeoutMs, work)),
    onAbort: () => new HttpError(DISCONNECTED),
  });
}

/** nginx' status: nobody receives it, and neither the service nor the request failed. */
const DISCONNECTED: ErrorAnswer = { status: 499, code: 'aborted', message: 'The caller disconnected.' };

function timedOut(ms: number, { isReceiving, isFindingMint }: Omit<Work, 'abortSignal'>): ErrorAnswer {
  if (isReceiving)
    return { status: 408, code: 'request-timeout', message: `The request did not arrive within ${ms} ms.` };
  const message = isFindingMint
    ? `No address for the mint was found within ${ms} ms. Try again. The operator can keep more addresses ready with MINTS, or allow more time with REQUEST_TIMEOUT_MS.`
    : `There was no answer within ${ms} ms. Try again.`;
  return { status: 504, code: 'timeout', message };
}
