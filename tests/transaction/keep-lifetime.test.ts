import { type Blockhash, getBase58Decoder } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type KeepLifetimeOptions,
  type KeptLifetime,
  type KeptLifetimeEvent,
  keepLifetime,
} from '../../src/index.js';
import { pass, turn } from '../support/clock.js';
import { expectRefusal } from '../support/errors.js';
import { answerOf, clientOver, createNode } from '../support/rpc.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(async () => {
  await turn();
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

/** A block hash whose bytes are the block height. */
function hashOf(height: number) {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, height);
  return getBase58Decoder().decode(bytes);
}
const lifetimeOf = (height: number) => ({
  blockhash: hashOf(height) as Blockhash,
  lastValidBlockHeight: BigInt(height + 150),
});

/** Keeps the block hash of a node that gives a height for each call, or throws. */
async function kept(answer: (call: number) => number | Promise<number>, options: KeepLifetimeOptions = {}) {
  const node = createNode(async (call) => {
    const height = await answer(node.calls.length);
    const { blockhash, lastValidBlockHeight } = lifetimeOf(height);
    return answerOf(call, height, { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) });
  });
  const events: KeptLifetimeEvent[] = [];
  const observe = (event: KeptLifetimeEvent) => events.push(event);
  const lifetime = await keepLifetime(clientOver(node.transport, 30_000), { observe, ...options });
  return { lifetime, events, types: () => events.map(({ type }) => type), calls: () => node.calls.length };
}

const away = () => Promise.reject(new TypeError('fetch failed'));
const never = () => new Promise<number>(() => {});

test('has the newest block hash, read every second', async () => {
  const { lifetime, types, calls } = await kept((call) => 1_000 + call * 5);
  expect(lifetime).toMatchObject({ current: lifetimeOf(1_005), ageInBlocks: 0, isStale: false });
  await pass(400);
  expect(lifetime.ageInBlocks).toBe(2);
  await pass(601);
  expect(lifetime).toMatchObject({ current: lifetimeOf(1_010), ageInBlocks: 1 });
  await pass(60_000);
  expect(calls()).toBe(62);
  expect(lifetime.current).toEqual(lifetimeOf(1_000 + 62 * 5));
  expect(new Set(types())).toEqual(new Set(['refreshed']));
  lifetime.stop();
});

describe('is stale instead of returning an old block hash', () => {
  test.each([
    ['the node is away', away],
    ['the node gives the same one again', () => 1_000],
    ['the node gives older ones', (call: number) => 1_000 - call],
  ] as const)('when %s', async (_, then) => {
    const { lifetime, types } = await kept((call) => (call === 1 ? 1_000 : then(call)));
    // 75 blocks of 200 milliseconds.
    await pass(14_999);
    expect(lifetime).toMatchObject({ current: lifetimeOf(1_000), ageInBlocks: 75, isStale: false });
    await pass(2);
    expect(lifetime).toMatchObject({ ageInBlocks: 76, isStale: true });
    const context = { reason: 'old', ageInBlocks: 76, maxAgeBlocks: 75 };
    await expectRefusal(() => lifetime.current, 'lifetime-stale', context);
    lifetime.stop();
    expect(types()).not.toContain('refreshed');
  });

  test('reports it once each time, and recovers', async () => {
    const { lifetime, types } = await kept((call) => ([1, 22].includes(call) ? 1_000 + call : away()));
    await pass(20_500);
    expect(lifetime.isStale).toBe(true);
    await pass(1_000);
    expect(lifetime).toMatchObject({ current: lifetimeOf(1_022), isStale: false });
    await pass(20_000);
    expect(types().filter((type) => type === 'stale')).toHaveLength(2);
    lifetime.stop();
  });

  test('is stale after the computer slept, while timers and ticks stood still', async () => {
    const { lifetime } = await kept(() => 1_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(lifetime.isStale).toBe(true);
    lifetime.stop();
  });
});

test('its age counts from the request, not from the response', async () => {
  const slow = (call: number) => new Promise<number>((done) => setTimeout(() => done(1_000 + call), 600));
  const { lifetime } = await kept((call) => (call === 1 ? 1_000 : slow(call)));
  await pass(1_600);
  expect(lifetime.current).toEqual(lifetimeOf(1_002));
  expect(lifetime.ageInBlocks).toBe(3);
  lifetime.stop();
});

test('a request that hangs is abandoned after five seconds and retried', async () => {
  const { lifetime, events, calls } = await kept((call) => (call === 2 ? never() : 1_000 + call));
  await pass(7_100);
  expect(calls()).toBe(3);
  expect(events[0]).toMatchObject({ type: 'refresh-failed', error: { code: 'rpc-timeout' } });
  expect(lifetime.current).toEqual(lifetimeOf(1_003));
  lifetime.stop();
});

describe('stops', () => {
  test('at the end of a block, with using', async () => {
    let outside: KeptLifetime;
    {
      using lifetime = (await kept(() => 1_000)).lifetime;
      outside = lifetime;
      expect(lifetime.isStale).toBe(false);
    }
    expect(outside.isStale).toBe(true);
    await expectRefusal(() => outside.current, 'lifetime-stale', { reason: 'stopped' });
  });

  test.each(['stop()', 'the signal', 'an observer'] as const)(
    'by %s, and leaves nothing behind',
    async (how) => {
      const controller = new AbortController();
      let stop = () => {};
      const observe = () => {
        if (how === 'an observer') stop();
      };
      const options = { abortSignal: controller.signal, observe };
      const { lifetime, calls } = await kept((call) => 1_000 + call, options);
      stop = lifetime.stop;
      if (how === 'stop()') lifetime.stop();
      if (how === 'the signal') controller.abort();
      await pass(6_001);
      expect(vi.getTimerCount()).toBe(0);
      expect(calls()).toBe(how === 'an observer' ? 2 : 1);
      expect(lifetime.isStale).toBe(true);
      await expectRefusal(() => lifetime.current, 'lifetime-stale', { reason: 'stopped' });
    },
  );

  test('while a request is in flight', async () => {
    const { lifetime, events } = await kept((call) => (call === 1 ? 1_000 : never()));
    await pass(1_500);
    lifetime.stop();
    await turn();
    expect(vi.getTimerCount()).toBe(0);
    expect(events).toEqual([]);
  });
});

test('the first read fails like any read, and bad options are rejected before it', async () => {
  await expectRefusal(kept(away), 'rpc-failed', { method: 'getLatestBlockhash' });
  for (const maxAgeBlocks of [0, 151, 1.5])
    await expectRefusal(kept(never, { maxAgeBlocks }), 'invalid-input', { field: 'maxAgeBlocks' });
  await expectRefusal(kept(never, { refreshEveryMs: 0 }), 'invalid-input', { field: 'refreshEveryMs' });
});

test('does not keep a process alive', async () => {
  const unref = vi.fn();
  vi.stubGlobal('setTimeout', () => ({ unref }));
  const { lifetime } = await kept(() => 1_000).finally(vi.unstubAllGlobals);
  lifetime.stop();
  // The request's own timer ends with it.
  expect(unref).toHaveBeenCalledTimes(1);
});
