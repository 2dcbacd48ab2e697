/** Why a signal fires whose outcome is settled. A reason of one's own is much cheaper than the default. */
const OVER = 'over';

export interface TimeLimit {
  readonly ms: number;
  readonly abortSignal?: AbortSignal | undefined;
  /** What to throw when the time is up, and when the caller aborts. */
  readonly onTimeout: () => unknown;
  readonly onAbort: () => unknown;
}

/** Runs something within a time limit. Raced, so that what ignores its signal can't hold the caller. */
export async function withinTime<T>(
  run: (abortSignal: AbortSignal) => Promise<T>,
  { ms, abortSignal, onTimeout, onAbort }: TimeLimit,
): Promise<T> {
  if (abortSignal?.aborted) throw onAbort();
  const attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the listening. Not `attempt`, which is only aborted when what runs is given up. */
  const settled = abortSignal && new AbortController();
  const giveUp = new Promise<never>((_, reject) => {
    const giveUpFor = (reason: () => unknown) => () => {
      reject(reason());
      attempt.abort(OVER);
    };
    timer = setTimeout(giveUpFor(onTimeout), ms);
    if (settled !== undefined)
      abortSignal?.addEventListener('abort', giveUpFor(onAbort), { once: true, signal: settled.signal });
  });
  // What runs may throw before the two are raced.
  giveUp.catch(() => {});
  try {
    return await Promise.race([run(attempt.signal), giveUp]);
  } finally {
    clearTimeout(timer);
    settled?.abort(OVER);
  }
}
