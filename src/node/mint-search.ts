import { Worker } from 'node:worker_threads';

/** What a thread searches for. */
export interface MintSearchTask {
  readonly suffix: string;
  /** Whether the key must be one that a file can hold. Otherwise the search is several times as fast. */
  readonly isForFile: boolean;
}

/** A message of the thread: the attempts since the last one, and the key when it has found one. */
export interface MintSearchReport<TKey = unknown> {
  readonly attempts: number;
  readonly key?: TKey;
}

/** Searches for one mint address, on a thread of its own. `found` rejects if the thread ends without a key. */
export function searchForMint<TKey>(task: MintSearchTask, observe?: (attempts: number) => void) {
  const worker = new Worker(new URL('./mint-worker.js', import.meta.url), { workerData: task });
  const found = new Promise<TKey>((resolve, reject) => {
    worker.on('message', ({ attempts, key }: MintSearchReport<TKey>) => {
      observe?.(attempts);
      if (key !== undefined) resolve(key);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The search for a mint address ended with code ${code}.`)));
  });
  return { found, worker };
}
