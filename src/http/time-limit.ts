import { type ErrorAnswer, HttpError } from './errors.js';

/** A request being answered. */
export interface Work {
  readonly abortSignal: AbortSignal;
  /** Whether its body is still on its way. */
  isReceiving: boolean;
}

/**
 * Runs work until it is done, the caller disconnects or the time limit is reached.
 *
 * @throws an `Error`, whatever the work throws: Hono answers nothing else
 */
export function withinTime<T>(
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const work: Work = { abortSignal: controller.signal, isReceiving: false };
    const stop = (answer: ErrorAnswer) => {
      clearTimeout(timer);
      reject(new HttpError(answer));
      controller.abort(answer.code);
    };
    const timer = setTimeout(
      () => stop(work.isReceiving ? tooSlow(timeoutMs) : noAnswer(timeoutMs)),
      timeoutMs,
    );
    if (signal.aborted) return stop(DISCONNECTED);
    signal.addEventListener('abort', () => stop(DISCONNECTED), { once: true });
    run(work).then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
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
