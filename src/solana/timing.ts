// Waiting, and not waiting too long.

/** Waits, or stops early when the signal fires or `sooner` resolves. Leaves no timer and no listener behind. */
export const pause = (ms: number, abortSignal: AbortSignal, sooner?: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    abortSignal.addEventListener('abort', end);
    if (abortSignal.aborted) end();
    sooner?.then(end);
  });

/** The reason for aborting once the outcome is known. A reason of our own is much cheaper than the default. */
const OVER = 'over';

export interface TimeLimit {
  readonly ms: number;
  readonly abortSignal?: AbortSignal | undefined;
  /** The errors for a timeout, and for an abort by the caller. */
  readonly onTimeout: () => unknown;
  readonly onAbort: () => unknown;
}

/** Runs something within a time limit. It races, so work that ignores its signal can't block the caller. */
export async function withinTime<T>(
  run: (abortSignal: AbortSignal) => Promise<T>,
  { ms, abortSignal, onTimeout, onAbort }: TimeLimit,
): Promise<T> {
  if (abortSignal?.aborted) throw onAbort();
  const attempt = new AbortController();
  let giveUp = (_reason: unknown) => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = (reason) => {
      reject(reason);
      attempt.abort(OVER);
    };
  });
  // The work may throw before the race starts.
  givenUp.catch(() => {});
  const onCallersAbort = () => giveUp(onAbort());
  const timer = setTimeout(() => giveUp(onTimeout()), ms);
  abortSignal?.addEventListener('abort', onCallersAbort);
  try {
    return await Promise.race([run(attempt.signal), givenUp]);
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', onCallersAbort);
  }
}

const BACK_OFF = { firstMs: 250, mostMs: 30_000 } as const;

/** How long to wait after a number of failures in a row. Half of it is random, so that clients don't retry all at once. */
export function backOffMs(failures: number): number {
  const most = Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** failures);
  return most / 2 + (Math.random() * most) / 2;
}
