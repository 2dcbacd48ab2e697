import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import sqlite from 'node-sqlite3-wasm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createHeavenClient,
  type HeavenClient,
  type HeavenNodeRpc,
  listTrades,
  type Trade,
  toCandles,
} from '../../src/index.js';
import { runSampleTrades } from '../../src/testing/index.js';
import { importCode } from '../support/import-code.js';
import { ledger, useLedger } from '../support/ledger.js';

// The code that docs/history.md recommends for keeping trades, unchanged.

useLedger();

interface Recipe<TDatabase> {
  readonly openTrades: (db?: TDatabase) => TDatabase;
  readonly readTrades: (db: TDatabase, pool: Address) => Promise<readonly Trade[]>;
  readonly updateTrades: (client: HeavenClient<HeavenNodeRpc>, db: TDatabase, pool: Address) => Promise<void>;
}

async function recipe<TDatabase>(marker: string): Promise<Recipe<TDatabase>> {
  const guide = readFileSync(new URL('../../docs/history.md', import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/^```ts compile-only\n([\s\S]*?)^```/gm)].map(
    ([, code]) => code as string,
  );
  const [code, ...more] = blocks.filter((block) => block.includes(marker));
  if (code === undefined || more.length > 0) throw new Error(`The guide has no one block with ${marker}.`);
  return (await importCode(code)) as unknown as Recipe<TDatabase>;
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
  IndexedDB: async () => {
    const { openTrades, ...rest } = await recipe<IDBDatabase>('indexedDB.open');
    return { ...rest, reopen: async () => await openTrades() };
  },
  SQLite: async () => {
    const { openTrades, ...rest } = await recipe<ReturnType<typeof openSqlite>>('CREATE TABLE');
    const reopen = async () => {
      close();
      const db = openSqlite(join(folder, 'trades.db'));
      close = db.close;
      openTrades(db);
      return db;
    };
    return { ...rest, reopen };
  },
} as unknown as Record<
  'IndexedDB' | 'SQLite',
  () => Promise<Omit<Recipe<unknown>, 'openTrades'> & { readonly reopen: () => Promise<unknown> }>
>;

describe.each(['IndexedDB', 'SQLite'] as const)('the recipe for %s', (name) => {
  const pool = () => ledger.pools.creator.pool;
  let client: HeavenClient<HeavenNodeRpc>;
  beforeEach(() => {
    client = createHeavenClient({ rpc: ledger.rpc });
  });
  const all = async () => {
    const { trades } = await listTrades(client, { pool: pool(), limit: 1_000 });
    return [...trades].reverse();
  };
  let seed = 0;
  const trade = (count: number) => runSampleTrades(ledger, { count, seconds: count * 10, seed: ++seed });

  test('keeps every trade as listed, and asks only for new ones', async () => {
    const { readTrades, updateTrades, reopen } = await stores[name]();
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
