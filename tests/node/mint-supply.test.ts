import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

import { getAddressDecoder } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createMintSupply, type MintSupply } from '../../src/node/mint-supply.js';
import { turn } from '../support/clock.js';
import { expectRefusal } from '../support/errors.js';

// The supply over threads that find a mint when the test says so. The real thread is in tests/node/serve.slow.test.ts.

/** Stands in for a thread: each finds another key. */
class FakeWorker extends EventEmitter {
  static readonly started: FakeWorker[] = [];
  isTerminated = false;
  readonly #publicKey: Uint8Array;

  constructor() {
    super();
    this.#publicKey = new Uint8Array(32).fill(FakeWorker.started.push(this));
  }

  get address() {
    return getAddressDecoder().decode(this.#publicKey);
  }
  find(): void {
    this.emit('message', { attempts: 1, key: { publicKey: this.#publicKey, scalar: 1n } });
  }
  unref(): void {}
  async terminate(): Promise<void> {
    this.isTerminated = true;
    this.emit('exit', 1);
  }
}

const { Worker } = workerThreads;
const withWorker = (worker: unknown) => {
  workerThreads.Worker = worker as typeof Worker;
  syncBuiltinESMExports();
};
beforeAll(() => withWorker(FakeWorker));
afterAll(() => withWorker(Worker));

const { started } = FakeWorker;
const errors: unknown[] = [];
const supplies: MintSupply[] = [];
beforeEach(() => {
  started.length = 0;
  errors.length = 0;
});
afterEach(() => Promise.all(supplies.splice(0).map((supply) => supply.close())));

function supplyOf(size: number, suffix = ''): MintSupply {
  const supply = createMintSupply({ size, suffix, observe: (error) => errors.push(error) });
  supplies.push(supply);
  return supply;
}
const take = async (supply: MintSupply, abortSignal?: AbortSignal) =>
  (await supply.mintSigner({ abortSignal } as never)).address;
/** Lets the newest thread find its mint. */
async function find(): Promise<string> {
  await turn();
  const worker = started.at(-1);
  worker?.find();
  await turn();
  return worker?.address ?? 'none';
}

test('is filled up to its size, one search after the other, and again', async () => {
  const supply = supplyOf(2);
  const found = [await find(), await find()];
  expect([supply.ready, started.length]).toEqual([2, 2]);
  expect(await take(supply)).toBe(found[0]);
  expect(supply.ready).toBe(1);
  const third = await find();
  expect([supply.ready, started.length]).toEqual([2, 3]);
  expect([await take(supply), await take(supply)]).toEqual([found[1], third]);
});

test('gives each mint out once, to those who wait in their order', async () => {
  const supply = supplyOf(0);
  const waiting = [take(supply), take(supply), take(supply)];
  const found = [await find(), await find(), await find()];
  expect(supply.ready).toBe(0);
  expect(await Promise.all(waiting)).toEqual(found);
  expect(new Set(found).size).toBe(3);
});

test('an aborted request does not wait, and consumes no mint', async () => {
  const supply = supplyOf(1);
  const found = await find();
  await expect(take(supply, AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  expect(await take(supply)).toBe(found);
});

test.each([0, 2])(
  'aborted requests leave no searches behind, and a stock of %i does not grow',
  async (size) => {
    const supply = supplyOf(size);
    for (let count = 0; count < size; count++) await find();
    const before = await Promise.all(Array.from({ length: size }, () => take(supply)));
    const controller = new AbortController();
    const leaving = Array.from({ length: 5 }, () => take(supply, controller.signal));
    await turn();
    controller.abort();
    for (const one of leaving) await expect(one).rejects.toMatchObject({ code: 'aborted' });
    // The search that is under way goes on for the stock, if there is room.
    await turn();
    expect(started.at(-1)?.isTerminated).toBe(size === 0);
    const searches = started.length;
    for (let count = 0; count < 5; count++) await find();
    expect([supply.ready, errors]).toEqual([size, []]);
    expect(started.length - searches).toBe(Math.max(0, size - 1));
    // The next request is served, by a new search if need be.
    const next = take(supply);
    await find();
    expect(before).not.toContain(await next);
  },
);

test('a search that was dropped serves nobody who comes while its thread ends', async () => {
  const supply = supplyOf(0);
  const controller = new AbortController();
  const leaving = take(supply, controller.signal);
  await turn();
  controller.abort();
  await expect(leaving).rejects.toMatchObject({ code: 'aborted' });
  const waiting = take(supply);
  expect(await find()).toBe(await waiting);
  expect(errors).toEqual([]);
});

test('closes in the middle of a search, more than once, and searches on request from then on', async () => {
  const supply = supplyOf(2);
  await turn();
  await supply.close();
  await supply.close();
  expect([started.map(({ isTerminated }) => isTerminated), supply.ready, errors]).toEqual([[true], 0, []]);
  expect(await take(supply)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  expect(started).toHaveLength(1);
});

test('searches on request for a mint whose thread ends without it, reports that, and goes on', async () => {
  const supply = supplyOf(1, '7');
  await turn();
  const waiting = take(supply);
  started[0]?.emit('exit', 3);
  expect(await waiting).toMatch(/7$/);
  expect(errors).toEqual([new Error('The search for a mint address ended with code 3.')]);
  const next = await find();
  expect(await take(supply)).toBe(next);
});

test('a search that can not start is reported, and a suffix that no address has is rejected', async () => {
  supplyOf(1, '7');
  await turn();
  started[0]?.emit('error', new Error('no such file'));
  await turn();
  expect(errors).toHaveLength(1);
  await expectRefusal(() => supplyOf(1, '0'), 'invalid-input', { field: 'suffix' });
});
