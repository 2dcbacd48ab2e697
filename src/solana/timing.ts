// How long slots and blocks take; waiting, and not waiting too long.

/** Milliseconds of a slot that the cluster aims at, for a timer that moves the embedded ledger on. On a cluster, never more than an estimate. */
export const SLOT_MS = 200;

/** Blocks after a block hash in which a transaction with it can still land. */
export const BLOCKHASH_LIFETIME_BLOCKS = 150n;
/** An update this far ahead of everything known, a minute, means that updates are missing. */
export const MAX_SLOTS_AHEAD = 300n;

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

/** Runs something within a time limit. Work that ignores its signal can't block the caller. */
export const withinTime = <T>(
  run: (abortSignal: AbortSignal) => Promise<T>,
  { ms, abortSignal, onTimeout, onAbort }: TimeLimit,
): Promise<T> =>
  new Promise((resolve, reject) => {
    if (abortSignal?.aborted) throw onAbort();
    const attempt = new AbortController();
    const end = () => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', onCallersAbort);
    };
    const fail = (reason: unknown) => {
      end();
      reject(reason);
    };
    const giveUp = (reason: unknown) => {
      fail(reason);
      attempt.abort(OVER);
    };
    const onCallersAbort = () => giveUp(onAbort());
    const timer = setTimeout(() => giveUp(onTimeout()), ms);
    abortSignal?.addEventListener('abort', onCallersAbort);
    const work = async () => await run(attempt.signal);
    work().then((result) => {
      end();
      resolve(result);
    }, fail);
  });

const BACK_OFF = { firstMs: 250, mostMs: 30_000 } as const;

/** How long to wait after a number of failures in a row. Half of it is random, so that clients don't retry all at once. */
export function backOffMs(failures: number): number {
  const most = Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** failures);
  return most / 2 + (Math.random() * most) / 2;
}
