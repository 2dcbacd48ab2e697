// Keeps the trades of pools in SQLite, with any driver that has `exec` and `prepare`, such as node:sqlite or better-sqlite3. Its
// integers have 63 bits, one fewer than amounts, so a trade is stored as text. `place` sorts by slot and by place within it.
import type { Address } from '@solana/kit';
import { type HeavenClient, type HeavenNodeRpc, listTrades, type Trade } from 'heaven-pools';

interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: string[]): unknown;
    all(...values: string[]): unknown[];
  };
}

const toText = (trade: Trade) =>
  JSON.stringify(trade, (_, value) => (typeof value === 'bigint' ? { bigint: `${value}` } : value));
const fromText = (text: string): Trade =>
  JSON.parse(text, (_, value) => (typeof value?.bigint === 'string' ? BigInt(value.bigint) : value));

export function openTrades(db: Database): void {
  db.exec(`CREATE TABLE IF NOT EXISTS trades (
    pool TEXT, signature TEXT, position TEXT, place TEXT, trade TEXT,
    PRIMARY KEY (pool, signature, position)) WITHOUT ROWID`);
  db.exec('CREATE INDEX IF NOT EXISTS trades_by_place ON trades (pool, place)');
}

/** All stored trades of a pool, oldest first. */
export function readTrades(db: Database, pool: Address): Trade[] {
  const rows = db.prepare('SELECT trade FROM trades WHERE pool = ? ORDER BY place').all(pool) as {
    trade: string;
  }[];
  return rows.map(({ trade }) => fromText(trade));
}

/** Adds what happened since, all of it or nothing. */
export async function updateTrades(
  client: HeavenClient<HeavenNodeRpc>,
  db: Database,
  pool: Address,
): Promise<void> {
  const until = readTrades(db, pool).at(-1);
  const found: Trade[] = [];
  for await (const trade of listTrades(client, { pool, until, limit: 200 })) found.push(trade);
  const insert = db.prepare('INSERT OR IGNORE INTO trades VALUES (?, ?, ?, ?, ?)');
  db.exec('BEGIN');
  try {
    for (const trade of found) {
      const position = `${trade.instructionIndex} ${trade.innerIndex ?? ''}`;
      insert.run(pool, trade.signature, position, trade.place, toText(trade));
    }
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
