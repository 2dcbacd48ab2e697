import { withinTime } from '../solana/timing.js';
import { type ErrorAnswer, HttpError } from './errors.js';

/** A request being answered. */
export interface Work {
  readonly abortSignal: AbortSignal;
  /** Whether its body is still on its way. */
  isReceiving: boolean;
}

/** Runs work until it is done, the caller disconnects or the time limit is reached. */
export async function answerWithin<T>(
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  let work: Work | undefined;
  const start = (abortSignal: AbortSignal) => {
    work = { abortSignal, isReceiving: false };
    return run(work);
  };
  return await withinTime(start, {
    ms: timeoutMs,
    abortSignal: signal,
    onTimeout: () => new HttpError(work?.isReceiving ? tooSlow(timeoutMs) : noAnswer(timeoutMs)),
    onAbort: () => new HttpError(DISCONNECTED),
  });
}

const DISCONNECTED: ErrorAnswer = { status: 504, code: 'aborted', message: 'The caller disconnected.' };

const tooSlow = (ms: number): ErrorAnswer => ({
  status: 408,
  code: 'request-timeout',
  message: `The request did not arrive within ${ms} ms.`,
});

const noAnswer = (ms: number): ErrorAnswer => ({
  status: 504,
  code: 'timeout',
  message: `There was no answer within ${ms} ms. Try again.`,
});
