import {
  type Address,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { resolveSource } from '../../src/history/trade-source.js';
import {
  type HeavenClient,
  type HeavenNodeRpc,
  type ListTradesInput,
  listTrades,
  type Trade,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { type Call, clientOver } from '../support/rpc.js';

let ledger: EmbeddedLedger;
let client: HeavenClient<HeavenNodeRpc>;
/** Oldest first. */
let signatures: readonly Signature[];
let newestFirst: readonly Signature[];
let trader: Address;
/** What the node answers instead. */
let twist: (method: string, result: never, params: readonly unknown[]) => unknown;
let calls: string[];

beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  const made = await runSampleTrades(ledger, { count: 12, seconds: 600 });
  ({ signatures } = made);
  newestFirst = [...signatures].reverse();
  trader = made.traders[0]!;
  await runSampleTrades(ledger, { pool: ledger.pools.pro, count: 3, seconds: 60 });
  client = clientOver(async (call: Call) => {
    const { method, params } = call.payload;
    calls.push(method);
    const answer = (await ledger.transport(call as never)) as { readonly result?: never };
    if (!('result' in answer)) return answer;
    return { ...answer, result: await twist(method, structuredClone(answer.result) as never, params) };
  }) as HeavenClient<HeavenNodeRpc>;
});
beforeEach(() => {
  calls = [];
  twist = (_, result) => result;
});
afterEach(() => void vi.useRealTimers());

const pool = () => ledger.pools.creator.pool;
/** Lists trades of the sample pool. */
const list = (options: Partial<ListTradesInput> = {}) => listTrades(client, { pool: pool(), ...options });
const idsOf = (trades: readonly Trade[]) => trades.map(({ signature }) => signature);

type Entry = { signature: string; slot: bigint | number; err: unknown; blockTime: unknown };
type Record_ = { slot: unknown; blockTime: unknown; meta: { err: unknown }; transaction: unknown };

const listing = (change: (entries: Entry[]) => unknown) => (method: string, result: never) =>
  method === 'getSignaturesForAddress' ? change(result) : result;
const reading = (change: (record: Record_) => unknown) => (method: string, result: never) =>
  method === 'getTransaction' ? change(result) : result;

describe('a list of trades', () => {
  test('is newest first, in pages without gaps, each trade once', async () => {
    const whole = await list({ limit: 1_000 });
    // The ledger has one older buy of this pool in its history.
    expect(idsOf(whole.trades)).toEqual([...newestFirst, ledger.transactions.buy]);
    expect(whole).toMatchObject({ next: undefined, leftOut: { failed: 0, unrelated: 0 } });
    for (const trade of whole.trades) expect(trade).toMatchObject({ pool: pool(), unproven: [] });

    const pages: Trade[] = [];
    for (let before: Signature | undefined; ; ) {
      const page = await list({ limit: 5, before });
      pages.push(...page.trades);
      before = page.next;
      if (before === undefined) break;
      expect(page.trades).toHaveLength(5);
    }
    expect(pages).toEqual(whole.trades);
  });

  test('is iterated over page by page, only as far as it is read', async () => {
    const { trades } = await list({ limit: 1_000 });
    const read: Trade[] = [];
    for await (const each of list({ limit: 5 })) read.push(each);
    expect(read).toEqual(trades);
    calls = [];
    for await (const _ of list({ limit: 5 })) break;
    expect(calls.filter((method) => method === 'getTransaction')).toHaveLength(5);
  });

  test.each(['rpc-invalid-response', 'aborted'])('stops at a page that fails: %s', async (code) => {
    const read: Trade[] = [];
    const stop = new AbortController();
    const iterate = async (abortSignal?: AbortSignal) => {
      for await (const each of list({ limit: 5, before: read.at(-1), abortSignal })) {
        read.push(each);
        if (read.length === 5 && code === 'aborted') stop.abort();
      }
    };
    twist = (_, result) => (read.length === 5 ? {} : result);
    await expectRefusal(iterate(stop.signal), code);
    expect(read).toHaveLength(5);
    twist = (_, result) => result;
    await iterate();
    expect(idsOf(read)).toEqual([...newestFirst, ledger.transactions.buy]);
  });

  test('takes one call for the list and one for each trade, only so many at a time', async () => {
    let now = 0;
    let most = 0;
    twist = async (method, result) => {
      if (method !== 'getTransaction') return result;
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
      return result;
    };
    await list({ limit: 5, concurrency: 3 });
    expect(most).toBe(3);
    expect(calls.filter((method) => method === 'getTransaction')).toHaveLength(5);
    expect(calls.filter((method) => method === 'getSignaturesForAddress')).toHaveLength(1);
  });

  test('ends before the trade that the caller has', async () => {
    const { trades } = await list();
    for (const until of [trades[4]!, trades[4]!.signature]) {
      const page = await list({ until });
      expect(page).toMatchObject({ trades: trades.slice(0, 4), next: undefined });
    }
    const page = await list({ before: trades[1], until: trades[4] });
    expect(page.trades).toEqual(trades.slice(2, 4));
  });

  test('is of a pool by its locator, of a token, or of one wallet', async () => {
    const { mint, configVersion } = ledger.pools.creator;
    const all = await list();
    expect((await listTrades(client, { configVersion, mint })).trades).toEqual(all.trades);
    expect((await listTrades(client, { mint })).trades).toEqual(all.trades);
    const pro = ledger.pools.pro;
    const ofToken = await listTrades(client, { mint: pro.mint });
    expect(ofToken.trades.map((trade) => trade.pool)).toEqual([pro.pool, pro.pool, pro.pool]);
    expect((await listTrades(client, { mint: pro.mint, configVersion: 3 })).trades).toEqual([]);
    const own = all.trades.filter(({ user }) => user === trader);
    expect(own.length).toBeGreaterThan(0);
    expect((await listTrades(client, { mint, wallet: trader })).trades).toEqual(own);
  });

  test("leaves out others' trades in a wallet's transactions", async () => {
    const { mint } = ledger.pools.creator;
    const { tradesIn } = await resolveSource(client.deployment, { mint, wallet: trader });
    const trades = [trader, 'another'].map((user) => ({ user, mint, pool: pool() }));
    expect(tradesIn({ trades } as never)).toMatchObject([{ user: trader }]);
  });

  test('leaves out what failed, without reading it', async () => {
    const err = { InstructionError: [0, 'Custom'] };
    twist = listing((entries) =>
      entries.map((entry) => (entry.signature === signatures[3] ? { ...entry, err } : entry)),
    );
    const { trades, leftOut } = await list();
    expect(idsOf(trades)).not.toContain(signatures[3]);
    expect(trades).toHaveLength(12);
    expect(leftOut).toEqual({ failed: 1, unrelated: 0 });
    expect(calls.filter((method) => method === 'getTransaction')).toHaveLength(12);
  });

  test('waits for a transaction that a node lists and does not have yet', async () => {
    let asked = 0;
    twist = (method, result, [signature]) =>
      method === 'getTransaction' && signature === signatures[11] && ++asked < 3 ? null : result;
    const { trades } = await list({ limit: 2 });
    expect(idsOf(trades)).toEqual(newestFirst.slice(0, 2));
  });

  test.each([
    [{}, 'pool'],
    [{ configVersion: 2 }, 'mint'],
    [{ wallet: 'wallet' }, 'pool'],
    [{ pool: 'pool', limit: 0 }, 'limit'],
    [{ pool: 'pool', limit: 1_001 }, 'limit'],
    [{ pool: 'pool', concurrency: 17 }, 'concurrency'],
    [{ pool: 'pool', before: 'x' }, 'before'],
    [{ pool: 'pool', until: {} }, 'until'],
  ])('is rejected for %o', async (given: Record<string, unknown>, field) => {
    const input = {
      ...given,
      ...(given.pool === undefined ? {} : { pool: pool() }),
      ...(given.wallet === undefined ? {} : { wallet: trader }),
    };
    await expectRefusal(() => listTrades(client, input as never), 'invalid-input', { field });
    expect(calls).toEqual([]);
  });
});

describe('a node that', () => {
  let other: unknown;
  beforeAll(async () => {
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 } as const;
    other = await ledger.rpc.getTransaction(signatures[0]!, config).send();
  });
  const stranger = '1'.repeat(64);

  test.each([
    ['lists more than it was asked for', listing((entries) => Array.from({ length: 51 }, () => entries[0]))],
    ['lists something else', listing(() => ({}))],
    ['lists no signature', listing((entries) => entries.map((entry) => ({ ...entry, signature: 'none' })))],
    ['lists no slot', listing((entries) => entries.map((entry) => ({ ...entry, slot: null })))],
    ['gives no slot', reading((record) => ({ ...record, slot: null }))],
    ['gives no record', reading((record) => ({ ...record, meta: null }))],
    ['gives bytes that are none', reading((record) => ({ ...record, transaction: ['AAAA', 'base64'] }))],
    ['gives text', reading(() => 'transaction')],
    ['gives another transaction', reading(() => other)],
  ] as const)('%s is found out', async (_, does) => {
    twist = does as typeof twist;
    await expectRefusal(list(), 'rpc-invalid-response');
  });

  test("doesn't know the cursor is detected", async () => {
    const { trades } = await list();
    const unknown = 'history-incomplete:unknown-cursor';
    const before = stranger as Signature;
    await expectRefusal(list({ before }), unknown, { signature: stranger });
    await expectRefusal(list({ until: { ...trades[3]!, signature: before } }), unknown);
  });

  test('never returns what it lists is detected', async () => {
    vi.useFakeTimers();
    const [signature] = signatures.slice(5);
    twist = (method, result, [asked]) => (method === 'getTransaction' && asked === signature ? null : result);
    const listed = list();
    const refused = expectRefusal(listed, 'history-incomplete:not-returned', { signature });
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
  });

  test('limits requests is asked again after the time it names', async () => {
    vi.useFakeTimers();
    const headers = new Headers({ 'retry-after': '2' });
    const limit = { statusCode: 429, headers, message: '' };
    twist = (_, result) => {
      if (calls.length < 3) throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, limit);
      return result;
    };
    const listed = list({ limit: 3 });
    await vi.advanceTimersByTimeAsync(3_900);
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(idsOf((await listed).trades)).toEqual(newestFirst.slice(0, 3));
  });

  test('limits requests in an HTTP 200 is asked again', async () => {
    vi.useFakeTimers();
    const words = { __serverMessage: '50/second request limit reached' };
    twist = (_, result) => {
      if (calls.length < 3) throw new SolanaError(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED, words);
      return result;
    };
    const listed = list({ limit: 3 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(idsOf((await listed).trades)).toEqual(newestFirst.slice(0, 3));
  });
});
