// Keeps the trades of pools in IndexedDB, in a browser. It stores `bigint` as it is, but not in a key.
import type { Address } from '@solana/kit';
import { type HeavenClient, type HeavenNodeRpc, listTrades, type Trade } from 'heaven-pools';

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export async function openTrades(): Promise<IDBDatabase> {
  const request = indexedDB.open('trades', 1);
  request.onupgradeneeded = () => {
    const store = request.result.createObjectStore('trades', { keyPath: 'key' });
    store.createIndex('by pool and place', ['pool', 'place']);
  };
  return await done(request);
}

/** All stored trades of a pool, oldest first. */
export async function readTrades(db: IDBDatabase, pool: Address): Promise<Trade[]> {
  const index = db.transaction('trades').objectStore('trades').index('by pool and place');
  return await done(index.getAll(IDBKeyRange.bound([pool], [pool, []])));
}

/** Adds what happened since. All pages are stored together, so that no gap remains. */
export async function updateTrades(
  client: HeavenClient<HeavenNodeRpc>,
  db: IDBDatabase,
  pool: Address,
): Promise<void> {
  const until = (await readTrades(db, pool)).at(-1);
  const found: Trade[] = [];
  for await (const trade of listTrades(client, { pool, until, limit: 200 })) found.push(trade);
  const transaction = db.transaction('trades', 'readwrite');
  for (const trade of found) {
    const key = [pool, trade.signature, trade.instructionIndex, trade.innerIndex ?? -1];
    transaction.objectStore('trades').put({ ...trade, key });
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
