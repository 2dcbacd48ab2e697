import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import sqlite from 'node-sqlite3-wasm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HeavenClient, type HeavenNodeRpc, listTrades, type Trade, toCandles } from '../../src/index.js';
import { runSampleTrades } from '../../src/testing/index.js';
import { ledger, useLedger } from '../../tests/support/ledger.js';
import { type Call, clientOver } from '../../tests/support/rpc.js';
import * as indexedDb from '../recipes/trades-indexeddb.js';
import * as sqliteStore from '../recipes/trades-sqlite.js';

// The recipes that docs/history.md recommends for keeping trades.

useLedger();

interface Store {
  readonly reopen: () => Promise<unknown>;
  readonly readTrades: (db: unknown, pool: Address) => Promise<readonly Trade[]>;
  readonly updateTrades: (client: HeavenClient<HeavenNodeRpc>, db: unknown, pool: Address) => Promise<void>;
}

/** With the interface of node:sqlite and better-sqlite3. */
function openSqlite(path: string) {
  const db = new sqlite.Database(path);
  const prepared: sqlite.Statement[] = [];
  return {
    exec: (sql: string) => db.exec(sql),
    prepare: (sql: string) => {
      const statement = db.prepare(sql);
      prepared.push(statement);
      return {
        run: (...values: string[]) => statement.run(values),
        all: (...values: string[]) => statement.all(values),
      };
    },
    close: () => {
      for (const statement of prepared) statement.finalize();
      db.close();
    },
  };
}

let folder: string;
let close: () => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trades-'));
  close = () => {};
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
  vi.unstubAllGlobals();
});

const stores = {
  IndexedDB: { ...indexedDb, reopen: indexedDb.openTrades },
  SQLite: {
    ...sqliteStore,
    reopen: async () => {
      close();
      const db = openSqlite(join(folder, 'trades.db'));
      close = db.close;
      sqliteStore.openTrades(db);
      return db;
    },
  },
} as unknown as Readonly<Record<'IndexedDB' | 'SQLite', Store>>;

describe.each(['IndexedDB', 'SQLite'] as const)('the recipe for %s', (name) => {
  const pool = () => ledger.pools.creator.pool;
  let client: HeavenClient<HeavenNodeRpc>;
  beforeEach(() => {
    // Several trades happen in a slot.
    const inFewSlots = (of: { slot: bigint | number }) => ({ ...of, slot: BigInt(of.slot) / 100n });
    client = clientOver(async (call: Call) => {
      const { result } = (await ledger.transport(call as never)) as { readonly result: never };
      const { method } = call.payload;
      if (method === 'getTransaction') return { result: inFewSlots(result) };
      return { result: method === 'getSignaturesForAddress' ? (result as []).map(inFewSlots) : result };
    }) as typeof client;
  });
  const all = async () => {
    const { trades } = await listTrades(client, { pool: pool(), limit: 1_000 });
    return [...trades].reverse();
  };
  let seed = 0;
  const trade = (count: number) => runSampleTrades(ledger, { count, seconds: count * 10, seed: ++seed });

  test('keeps every trade as listed, and asks only for new ones', async () => {
    const { readTrades, updateTrades, reopen } = stores[name];
    await trade(30);
    let db = await reopen();
    expect(await readTrades(db, pool())).toEqual([]);
    await updateTrades(client, db, pool());
    const first = await all();
    expect(await readTrades(db, pool())).toMatchObject(first);

    await trade(5);
    const before = ledger.requests.length;
    await updateTrades(client, db, pool());
    const read = ledger.requests.slice(before).filter(({ method }) => method === 'getTransaction');
    expect(read).toHaveLength(5);

    db = await reopen();
    const kept = await readTrades(db, pool());
    const listed = await all();
    expect(kept).toMatchObject(listed);
    expect(kept).toHaveLength(first.length + 5);
    // Nothing gets lost that a chart is made of.
    expect(toCandles(kept, { intervalSeconds: 60 })).toEqual(toCandles(listed, { intervalSeconds: 60 }));
    // Twice is as good as once.
    await updateTrades(client, db, pool());
    expect(await readTrades(db, pool())).toHaveLength(kept.length);
    expect(await readTrades(db, ledger.pools.community.pool)).toEqual([]);
  });
});
