// The embedded ledger's own time. It advances once nothing is left to do, so ten minutes take seconds and each run is the same.
import type { RpcTransport } from '@solana/kit';
import { type EmbeddedLedger, SLOT_MS } from 'heaven-pools/testing';

interface Timer {
  readonly id: number;
  readonly at: number;
  /** Of an interval. */
  readonly everyMs?: number | undefined;
  readonly run: () => void;
}

/** Waits by the installed clock. The signal ends it early. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

/** The slots that pass until a transaction lands, as on a cluster. */
export const SLOTS_TO_LAND = 2n;

/** The ledger's transport, where a transaction lands some slots after it was sent. */
export const landingLater = (transport: RpcTransport): RpcTransport =>
  (async (request: Parameters<RpcTransport>[0]) => {
    const { method } = request.payload as { readonly method: string };
    if (method === 'sendTransaction') await delay(Number(SLOTS_TO_LAND) * SLOT_MS);
    return await transport(request);
  }) as RpcTransport;

/**
 * Replaces this process' timers and clocks with the ledger's time, and its randomness with `random`. Returns a
 * function that restores them.
 */
export function runOnLedgerTime(ledger: EmbeddedLedger, random: () => number): () => void {
  const began = { ms: Number(ledger.unixTimestamp) * 1_000, slot: ledger.slot };
  const timers = new Map<number, Timer>();
  let now = 0;
  let lastId = 0;
  let isOver = false;

  const add = (run: () => void, ms: number, everyMs?: number) => {
    lastId += 1;
    timers.set(lastId, { id: lastId, at: now + Math.max(1, ms), everyMs, run });
    return lastId;
  };
  const remove = (id: unknown) => void timers.delete(id as number);
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    now: Date.now,
    performanceNow: performance.now,
    random: Math.random,
  };
  Object.assign(globalThis, {
    setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      add(() => run(...given), ms),
    setInterval: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      add(() => run(...given), ms, Math.max(1, ms)),
    clearTimeout: remove,
    clearInterval: remove,
  });
  Date.now = () => began.ms + Math.floor(now);
  performance.now = () => now;
  Math.random = random;
  const { busy, restore } = watchCryptography();

  const goOn = async () => {
    while (!isOver) {
      // Pending work comes first: promises, and the work of the cryptography threads.
      do await new Promise(setImmediate);
      while (busy());
      let next: Timer | undefined;
      for (const timer of timers.values()) if (next === undefined || timer.at < next.at) next = timer;
      if (next === undefined) continue;
      timers.delete(next.id);
      now = next.at;
      if (next.everyMs !== undefined) timers.set(next.id, { ...next, at: now + next.everyMs });
      next.run();
    }
  };
  add(() => ledger.setSlot(began.slot + BigInt(Math.floor(now / SLOT_MS))), SLOT_MS, SLOT_MS);
  void goOn();
  return () => {
    isOver = true;
    restore();
    const { now: dateNow, performanceNow, random: chance, ...functions } = real;
    Object.assign(globalThis, functions);
    Date.now = dateNow;
    performance.now = performanceNow;
    Math.random = chance;
  };
}

/** Tracks whether WebCrypto, which runs on other threads, is busy. */
function watchCryptography(): { readonly busy: () => boolean; readonly restore: () => void } {
  const names = ['sign', 'verify', 'digest', 'importKey', 'exportKey', 'generateKey'] as const;
  const prototype = SubtleCrypto.prototype as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  let count = 0;
  const undo = names.map((name) => {
    const real = prototype[name] as (typeof prototype)[string];
    prototype[name] = async function (this: SubtleCrypto, ...given) {
      count += 1;
      try {
        return await real.apply(this, given);
      } finally {
        count -= 1;
      }
    };
    return () => {
      prototype[name] = real;
    };
  });
  return {
    busy: () => count > 0,
    restore: () => {
      for (const one of undo) one();
    },
  };
}
