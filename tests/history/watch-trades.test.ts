import {
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  partiallySignTransaction,
  type RpcTransport,
  type Signature,
} from '@solana/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type BuiltTransaction,
  buildCreateStandardLiquidityPool,
  buildProCreate,
  createClient,
  type HeavenClient,
  type HeavenNodeRpc,
  type HeavenRpcSubscriptions,
  type HistoryWatchEvent,
  listTrades,
  type NewPool,
  type Trade,
  type WatchNewPoolsOptions,
  watchNewPools,
  watchTrades,
} from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/solana/derived-addresses.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

let ledger: EmbeddedLedger;
let client: HeavenClient<HeavenNodeRpc>;
let stop: AbortController;
let events: HistoryWatchEvent[];
/** What the node answers instead. */
let twist: (method: string, result: never, params: readonly unknown[]) => unknown;
/** Which notifications of logs are lost, late, come without logs or twice, and which are followed by a flood of others. */
let fate: (signature: string) => 'once' | 'never' | 'twice' | 'late' | 'bare' | 'flood';
/** Whether the node never answers who subscribes. */
let hangs: boolean;
let seed = 0;

/** The ledger's subscriptions, of which some notifications are lost and others come twice. */
function faultySubscriptions(): HeavenRpcSubscriptions {
  const { rpcSubscriptions } = ledger;
  return new Proxy(rpcSubscriptions, {
    get:
      (target, name: 'logsNotifications') =>
      (...args: Parameters<typeof target.logsNotifications>) => ({
        subscribe: async (options: { abortSignal: AbortSignal }) => {
          if (hangs) return await new Promise(() => {});
          const source = await target[name](...args).subscribe(options);
          return (async function* () {
            for await (const notification of source) {
              const { value } = notification;
              const its = fate(value.signature);
              if (its === 'late') await new Promise((resolve) => setTimeout(resolve, 100));
              if (its === 'twice') yield notification;
              // Of failed transactions that there are not.
              for (let k = 0; its === 'flood' && k <= 20_000; k++) {
                const signature = `${k}`.padStart(64, '1').replaceAll('0', 'x');
                yield { ...notification, value: { signature, err: 'Failed' } };
              }
              if (its === 'bare') yield { ...notification, value: { ...value, logs: [] } };
              else if (its !== 'never') yield notification;
            }
          })();
        },
      }),
  }) as HeavenRpcSubscriptions;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
  ledger = await createEmbeddedLedger();
  stop = new AbortController();
  events = [];
  twist = (_, result) => result;
  fate = () => 'once';
  hangs = false;
  const transport = (async ({ payload }: { payload: { method: string; params: unknown[] } }) => {
    const answer = (await ledger.transport({ payload } as never)) as { readonly result?: never };
    if (!('result' in answer)) return answer;
    return { ...answer, result: await twist(payload.method, answer.result as never, payload.params) };
  }) as RpcTransport;
  client = createClient({
    rpc: createSolanaRpcFromTransport(transport) as HeavenNodeRpc,
    rpcSubscriptions: faultySubscriptions(),
  });
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
});

const trade = async (count = 1) =>
  (await runSampleTrades(ledger, { count, seconds: count * 2, seed: ++seed })).signatures;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const seen = (type: HistoryWatchEvent['type']) => events.filter((event) => event.type === type).length;

/** Watches the sample pool, and collects. */
function collect(from?: Signature | Trade) {
  const watch = watchTrades(client, {
    pool: ledger.pools.creator.pool,
    from,
    abortSignal: stop.signal,
    observe: (event) => void events.push(event),
  });
  const trades: Trade[] = [];
  const end = (async () => {
    for await (const each of watch) trades.push(each);
  })();
  end.catch(() => {});
  return { watch, trades, end, ids: () => trades.map(({ signature }) => signature) };
}

describe('a watch of trades', () => {
  test('gives each as it happens, read in full', async () => {
    await trade(2);
    const { watch, trades, ids, end } = collect();
    expect(watch.isLive).toBe(false);
    await pass(1);
    expect(watch.isLive).toBe(true);
    expect(seen('connected')).toBe(1);
    const made = await trade(3);
    await pass(1);
    expect(ids()).toEqual(made);
    for (const each of trades) expect(each).toMatchObject({ untold: [], pool: ledger.pools.creator.pool });
    stop.abort();
    await end;
    expect(watch.isLive).toBe(false);
    expect(ledger.subscriptions.count).toBe(0);
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  test('goes on where a list ended, whatever happened between', async () => {
    const past = await trade(3);
    const { trades } = await listTrades(client, { pool: ledger.pools.creator.pool });
    const missed = await trade(3);
    const first = collect(trades[0]);
    const second = collect(past[2]);
    await pass(1);
    const live = await trade(2);
    await pass(1);
    expect(first.ids()).toEqual([...missed, ...live]);
    expect(second.ids()).toEqual([...missed, ...live]);
  });

  test('fills what a lost connection left out, in its place', async () => {
    const { watch, ids } = collect();
    await pass(1);
    const before = await trade(2);
    await pass(1);
    ledger.subscriptions.dropAll();
    await pass(0);
    expect(watch.isLive).toBe(false);
    const missed = await trade(3);
    await pass(2_000);
    expect(watch.isLive).toBe(true);
    const after = await trade(1);
    await pass(1);
    expect(ids()).toEqual([...before, ...missed, ...after]);
    expect(seen('disconnected')).toBe(1);
    expect(events).toContainEqual({ type: 'caught-up', found: 3 });
  });

  test('finds what a connection that is there does not tell, and reconnects', async () => {
    const { ids } = collect();
    await pass(1);
    fate = () => 'never';
    const made = await trade(2);
    await pass(1);
    expect(ids()).toEqual([]);
    fate = () => 'once';
    await pass(20_000);
    expect(ids()).toEqual(made);
    expect(seen('disconnected')).toBe(0);
    await pass(20_000);
    expect(seen('disconnected')).toBe(1);
    await pass(2_000);
    expect(seen('connected')).toBe(2);
  });

  test('keeps a connection that is only slower than the list', async () => {
    const { ids } = collect();
    await pass(19_950);
    fate = () => 'late';
    const made = await trade(1);
    await pass(50);
    expect(ids()).toEqual(made);
    expect(seen('caught-up')).toBe(1);
    await pass(60_000);
    expect(ids()).toEqual(made);
    expect(seen('disconnected')).toBe(0);
  });

  test('gives up a subscription that the node never answers', async () => {
    hangs = true;
    const { watch } = collect();
    await pass(1);
    hangs = false;
    await pass(45_000);
    expect(watch.isLive).toBe(true);
    expect(events[0]).toMatchObject({ type: 'disconnected', error: { code: 'rpc-timeout' } });
  });

  test('remembers only so many notifications: with more, it lists', async () => {
    const { ids } = collect();
    await pass(1);
    let lists = 0;
    twist = (method, result) => {
      if (method === 'getSignaturesForAddress') lists++;
      return result;
    };
    fate = () => 'flood';
    const made = await trade(1);
    await pass(100);
    expect(ids()).toEqual(made);
    expect(lists).toBe(2);
  });

  test('works without a connection at all, and says so', async () => {
    ledger.subscriptions.refusal = new Error('no sockets here');
    const { watch, ids } = collect();
    await pass(1);
    const made = await trade(2);
    await pass(20_000);
    expect(ids()).toEqual(made);
    expect(watch.isLive).toBe(false);
    expect(seen('disconnected')).toBeGreaterThan(0);
  });

  test('waits for a slow reader, and drops nothing', async () => {
    const watch = watchTrades(client, { pool: ledger.pools.creator.pool, abortSignal: stop.signal });
    const first = watch.next();
    await pass(1);
    const made = await trade(6);
    await pass(60_000);
    const ids = [(await first).value?.signature];
    while (ids.length < 6) ids.push((await watch.next()).value?.signature);
    expect(ids).toEqual(made);
    expect(await watch.return()).toEqual({ done: true, value: undefined });
  });

  test('ends with its error where it can not go on', async () => {
    const unknown = '1'.repeat(64) as Signature;
    await expectRefusal(collect(unknown).end, 'history-cursor-unknown', { signature: unknown });
    const [older] = (await listTrades(client, { pool: ledger.pools.creator.pool })).trades;
    const late = collect({ ...(older as Trade), slot: 0n, signature: unknown });
    await pass(30_000);
    await expectRefusal(late.end, 'history-cursor-unknown', { signature: unknown });
    const plain = createClient({ rpc: client.rpc });
    await expectRefusal(watchTrades(plain, { pool: ledger.pools.creator.pool }).next(), 'invalid-input', {
      field: 'rpcSubscriptions',
    });
    await expectRefusal(watchTrades(client, {}).next(), 'invalid-input', { field: 'pool' });
    const ofKind = watchNewPools(client, { kind: 'other' as never });
    await expectRefusal(ofKind.next(), 'invalid-input', { field: 'kind' });

    const { end } = collect();
    await pass(1);
    twist = (method, result) => (method === 'getTransaction' ? null : result);
    const [lost] = await trade(1);
    await pass(300_000);
    await expectRefusal(end, 'history-incomplete', { signature: lost });
    expect(seen('read-failed')).toBeGreaterThan(0);
  });

  test('goes on after the node failed for a while', async () => {
    const { ids } = collect();
    await pass(1);
    twist = () => Promise.reject(new TypeError('fetch failed'));
    const made = await trade(2);
    await pass(60_000);
    expect(ids()).toEqual([]);
    twist = (_, result) => result;
    await pass(60_000);
    expect(ids()).toEqual(made);
  });

  test('left by its loop closes the subscription', async () => {
    const watch = watchTrades(client, { pool: ledger.pools.creator.pool });
    const loop = (async () => {
      for await (const each of watch) return each.signature;
      return undefined;
    })();
    await pass(1);
    const [made] = await trade(1);
    await pass(1);
    expect(await loop).toBe(made);
    expect(ledger.subscriptions.count).toBe(0);
    const pending = watchTrades(client, { pool: ledger.pools.creator.pool });
    const next = pending.next();
    await pass(1);
    await pending.return();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that nobody reads any more is closed by its signal', async () => {
    const watch = watchTrades(client, { pool: ledger.pools.creator.pool, abortSignal: stop.signal });
    const first = watch.next();
    await pass(1);
    await trade(1);
    await pass(1);
    expect(await first).toMatchObject({ done: false });
    stop.abort();
    expect(ledger.subscriptions.count).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

type Entry = { signature: string; slot: bigint };

describe('whatever happens to the connection and the list', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('trade' as const) },
    fc.constant('drop' as const),
    fc.constant('silent' as const),
    fc.constant('twice' as const),
    fc.constant('lag' as const),
    fc.constant('pass' as const),
  );

  test('each trade comes once, and none is missing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        const own = new AbortController();
        const hidden = new Set<string>();
        twist = (method, result) =>
          method === 'getSignaturesForAddress'
            ? (result as Entry[]).filter(({ signature }) => !hidden.has(signature))
            : result;
        fate = () => 'once';
        const watch = watchTrades(client, { pool: ledger.pools.creator.pool, abortSignal: own.signal });
        const got: string[] = [];
        const end = (async () => {
          for await (const { signature } of watch) got.push(signature);
        })();
        await pass(1);
        const oracle: string[] = [];
        for (const each of steps) {
          if (each === 'trade') oracle.push(...(await trade(1)));
          else if (each === 'drop') ledger.subscriptions.dropAll();
          else if (each === 'silent') fate = () => 'never';
          else if (each === 'twice') fate = () => 'twice';
          // The node's list lacks the newest trade for a moment, and has newer ones already.
          else if (each === 'lag' && oracle.length > 0) hidden.add(oracle.at(-1) as string);
          else await pass(5_000);
          await pass(1);
        }
        hidden.clear();
        fate = () => 'once';
        await pass(45_000);
        expect([...got].sort()).toEqual([...oracle].sort());
        own.abort();
        await end;
      }),
      { numRuns: 8 },
    );
  }, 60_000);
});

const EMPTY = { encodedUserDefinedEventData: '' };

/** Signs and sends what was built, with a mint that may have signed already. */
async function sendBuilt({ transaction }: BuiltTransaction, keyPair: CryptoKeyPair): Promise<Signature> {
  const signed = await partiallySignTransaction([keyPair], transaction);
  const tx = getBase64EncodedWireTransaction(signed);
  return await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
}

async function launch(wallet: KeyPairSigner, configVersion: 1 | 2) {
  const built = await buildCreateStandardLiquidityPool(client, {
    ...EMPTY,
    payer: wallet.address,
    creator: wallet.address,
    name: 'A token',
    symbol: 'TOKEN',
    uri: '',
    configVersion,
    initialPurchaseAmount: 0n,
    lutAddress: ledger.lookupTables.community,
    mintSigner: await generateKeyPairSigner(),
  });
  return { mint: built.mint, pool: built.pool, signature: await sendBuilt(built, wallet.keyPair) };
}

async function createPro(wallet: KeyPairSigner) {
  const { mint, tokenProgram } = ledger.pools.pro;
  const account = await findAssociatedTokenAddress({ owner: wallet.address, mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, { mint, owner: wallet.address, amount: 10n ** 15n });
  const built = await buildProCreate(client, {
    ...EMPTY,
    payer: wallet.address,
    creator: wallet.address,
    configVersion: 3,
    mint,
    initialTokenAAmount: 4_000_000_000_000n,
    initialTokenBAmount: 9_000_000_000n,
    lutAddress: ledger.lookupTables.community,
  });
  return { mint, pool: built.pool, signature: await sendBuilt(built, wallet.keyPair) };
}

describe('a watch of new pools', () => {
  let wallet: KeyPairSigner;
  beforeEach(async () => {
    wallet = await generateKeyPairSigner();
    ledger.setBalance(wallet.address, 100_000_000_000n);
  });
  const collectPools = (options: WatchNewPoolsOptions = {}) => {
    const found: NewPool[] = [];
    void (async () => {
      for await (const pool of watchNewPools(client, { abortSignal: stop.signal, ...options }))
        found.push(pool);
    })();
    return found;
  };

  test('gives launches and pro pools, and reads no trade for it', async () => {
    const reads: unknown[] = [];
    twist = (method, result, [first]) => {
      if (method === 'getTransaction') reads.push(first);
      return result;
    };
    const all = collectPools();
    const pros = collectPools({ kind: 'pro' });
    const creators = collectPools({ configVersion: 2 });
    await pass(1);
    await trade(2);
    const one = await launch(wallet, 1);
    const two = await launch(wallet, 2);
    await trade(1);
    const pro = await createPro(wallet);
    await pass(30_000);
    const creator = wallet.address;
    const about = { creator, slot: ledger.slot, blockTime: ledger.unixTimestamp };
    const expected = [
      { ...one, kind: 'standard', configVersion: 1, creator },
      { ...two, kind: 'standard', configVersion: 2, creator },
      { ...pro, kind: 'pro', configVersion: 3, ...about },
    ];
    expect(all).toMatchObject(expected);
    expect(pros).toMatchObject(expected.slice(2));
    expect(creators).toMatchObject(expected.slice(1, 2));
    expect(new Set(reads)).toEqual(new Set([one.signature, two.signature, pro.signature]));
  });

  test('gives those too that were created while the connection was lost', async () => {
    const all = collectPools();
    await pass(1);
    ledger.subscriptions.dropAll();
    await trade(1);
    const one = await launch(wallet, 1);
    await trade(1);
    await pass(2_000);
    // The node kept no logs of it.
    fate = () => 'bare';
    const two = await launch(wallet, 1);
    await pass(1);
    expect(all.map(({ mint }) => mint)).toEqual([one.mint, two.mint]);
  });
});
