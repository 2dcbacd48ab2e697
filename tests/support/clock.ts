import { vi } from 'vitest';

import { HANG_MS } from './hang.js';

// What is imported once something fails: fake time would pass while it is loaded.
import '../../src/pool/doubt-words.js';
import '../../src/solana/rpc/node-words.js';

/** Runs everything that is pending, without time passing. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until something is so, without fake time passing, as it does in `expect.poll`. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const began = Date.now(); !isSo(); await turn())
    if (Date.now() - began > HANG_MS) throw new Error('it has not come about');
}

/** Advances fake time timer by timer, and runs what each timer triggers. */
export async function pass(ms: number): Promise<void> {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, ms);
  while (!isOver) {
    await turn();
    vi.advanceTimersToNextTimer();
  }
  vi.advanceTimersByTime(0);
  await turn();
}

/** Advances fake time until a promise settles. Fails after fifteen minutes. */
export async function settle<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  promise.then(settled, settled);
  const began = performance.now();
  // `Date` is real: without a timer, only work outside the fake time can proceed.
  for (let busyAt = Date.now(); ; ) {
    await turn();
    if (isSettled) return await promise;
    if (vi.getTimerCount() > 0) busyAt = Date.now();
    if (Date.now() - busyAt > HANG_MS) throw new Error('nothing goes on any more');
    if (performance.now() - began > 900_000) throw new Error('fifteen minutes are over');
    vi.advanceTimersToNextTimer();
  }
}
