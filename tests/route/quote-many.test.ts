import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import {
  type AnyHeavenError,
  isHeavenError,
  type QuoteManyRequest,
  quoteBuy,
  quoteMany,
  quoteProBuy,
  quoteProSell,
  quoteSell,
} from '../../src/index.js';
import { createSamplePoolFields, type SamplePool } from '../../src/testing/index.js';
import { addressNumbered, WALLET } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';
import { type Call, clientOver } from '../support/rpc.js';

useLedger();

const calls = () => ledger.requests.filter(({ method }) => method === 'getMultipleAccounts');

const locatorOf = ({ kind, configVersion, mint, pool }: SamplePool) => ({
  configVersion,
  mint,
  ...(kind === 'pro' ? { pool } : {}),
});

const failed = ({ code, message, context }: AnyHeavenError) => ({
  ok: false,
  error: { code, message, context },
});

/** What the function for this one request does. */
async function alone({ side, ...input }: QuoteManyRequest) {
  const [standard, pro] = side === 'buy' ? [quoteBuy, quoteProBuy] : [quoteSell, quoteProSell];
  try {
    return { ok: true, quote: await (input.pool === undefined ? standard : pro)(client, input as never) };
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    return failed(error);
  }
}

/** Outcomes, with errors as plain values. */
const plain = (outcomes: Awaited<ReturnType<typeof quoteMany>>) =>
  outcomes.map((outcome) => (outcome.ok ? outcome : failed(outcome.error)));

/** A client whose calls to the ledger are seen, or fail. */
const calling = (before: () => unknown) =>
  clientOver(async (call: Call) => {
    await before();
    return await ledger.transport(call as never);
  });

const buysIn = (pools: readonly SamplePool[]) =>
  pools.map((pool) => ({ side: 'buy' as const, ...locatorOf(pool), maxSolSpend: '1', slippageBps: 100 }));

/** A ledger with so many more pools. */
async function addPools(count: number): Promise<readonly SamplePool[]> {
  const { creator } = await createSamplePoolFields();
  const pools: SamplePool[] = [];
  for (let k = 0; k < count; k++) pools.push(await ledger.addPool({ ...creator, mint: addressNumbered(k) }));
  return pools;
}

describe('the quotes', () => {
  test('match the four functions to the last unit, whatever the requests', async () => {
    const { community, creator, pro, launching } = ledger.pools;
    const pools = [community, creator, pro, launching];
    const amount = fc.oneof(
      fc
        .bigInt({ min: 0n, max: 10n ** 20n })
        .map((native) => `${native / 10n ** 9n}.${`${native % 10n ** 9n}`.padStart(9, '0')}`),
      fc.integer({ min: 0, max: 1_000 }),
      fc.bigInt({ min: 0n, max: 2n ** 64n }),
      fc.constantFrom<unknown>('', '1e3', -1, Number.NaN, undefined, 1n, '0.0000000001', '1,5', null),
    );
    const slippageBps = fc.oneof(
      fc.integer({ min: 0, max: 10_000 }),
      fc.constantFrom<unknown>(-1, 10_001, 0.5, '50', undefined),
    );
    const locator = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...pools).map(locatorOf) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<object>(
          {},
          { configVersion: 2, mint: WALLET },
          { configVersion: 1, mint: creator.mint },
          { configVersion: '2', mint: creator.mint },
          { configVersion: 70_000, mint: creator.mint },
          { configVersion: 2, mint: 'LiGHt' },
          { configVersion: 3, mint: pro.mint },
          { configVersion: 3, mint: pro.mint, pool: WALLET },
          { configVersion: 3, mint: creator.mint, pool: pro.pool },
          { configVersion: 3, mint: pro.mint, pool: '' },
          { configVersion: 3, mint: pro.mint, pool: 5 },
          { configVersion: 2, mint: creator.mint, pool: creator.pool },
          { configVersion: 2, mint: creator.mint, pool: creator.mint },
        ),
      },
    );
    const request = fc
      .record({ side: fc.constantFrom('buy', 'sell'), locator, amount, slippageBps })
      .map(({ side, locator, amount, slippageBps }) => ({
        side,
        ...locator,
        slippageBps,
        ...(side === 'buy'
          ? { [typeof amount === 'bigint' ? 'lamports' : 'maxSolSpend']: amount }
          : { [typeof amount === 'bigint' ? 'amountIn' : 'amountInUi']: amount }),
      }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 12 }),
        fc.integer({ min: 5, max: 14 }),
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        fc.integer({ min: 1, max: 500 }),
        async (drawn, maxAccountsPerCall, tokenB, price) => {
          for (const { pool } of pools) ledger.setReserves(pool, { tokenB });
          ledger.setSolPrice(price);
          const requests = drawn as unknown as readonly QuoteManyRequest[];
          const outcomes = await quoteMany(client, requests, { maxAccountsPerCall });
          expect(plain(outcomes)).toEqual(await Promise.all(requests.map(alone)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of one pool come from the same slot, also while it is traded', async () => {
    const [pool] = await addPools(1);
    const requests = buysIn(Array(50).fill(pool)).map((one, k) => ({ ...one, maxSolSpend: `${k + 1}` }));
    const moving = calling(() => ledger.setSlot(ledger.slot + 1n));
    const outcomes = await quoteMany(moving, requests);
    expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.quote.details.slot)).size).toBe(1);
  });
});

describe('the calls', () => {
  test.each([
    // The feed, the clock and the config, and two accounts per pool.
    [1, 1, [5]],
    [1, 500, [5]],
    [48, 1, [99]],
    [49, 1, [99, 5]],
    [96, 1, [99, 99]],
    [97, 1, [99, 99, 5]],
  ])('for %i pools, %i times each, ask for %j accounts', async (count, times, sizes) => {
    const pools = (await addPools(count)).flatMap((pool) => Array<SamplePool>(times).fill(pool));
    const outcomes = await quoteMany(client, buysIn(pools));
    const asked = calls().map(({ params: [accounts] }) => accounts as readonly Address[]);
    expect(asked.map(({ length }) => length).sort((a, b) => b - a)).toEqual(sizes);
    for (const accounts of asked) expect(new Set(accounts).size).toBe(accounts.length);
    expect(outcomes).toMatchObject(pools.map(({ mint }) => ({ quote: { mint } })));
  });

  test('are as few as a lower limit allows, and no more at once than allowed', async () => {
    const pools = await addPools(20);
    let inFlight = 0;
    let most = 0;
    const watched = calling(async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
    });
    const outcomes = await quoteMany(watched, buysIn(pools), {
      maxAccountsPerCall: 8,
      maxConcurrentCalls: 3,
    });
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    // Three shared accounts leave five: two pools a call.
    expect([calls().length, most]).toEqual([10, 3]);
  });

  test('that fail only fail their own requests', async () => {
    const pools = await addPools(97);
    let count = 0;
    const failing = calling(() => {
      count += 1;
      if (count === 2) throw new Error('The node is down.');
    });
    const outcomes = await quoteMany(failing, buysIn(pools));
    const codes = outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.code));
    expect(new Set(codes)).toEqual(new Set(['ok', 'rpc-failed']));
    expect([1, 48]).toContain(codes.filter((code) => code === 'rpc-failed').length);
  });
});

describe('errors', () => {
  test.each([null, undefined, 'buy', {}, { side: 'swap' }])(
    '%j is a bad request, and does not fail the others',
    async (bad) => {
      const [good] = buysIn([ledger.pools.creator]);
      const outcomes = await quoteMany(client, [good!, bad as QuoteManyRequest, good!]);
      const codes = outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.code));
      expect(codes).toEqual(['ok', 'invalid-input', 'ok']);
      const field = expect.stringMatching(/^requests\[1\]/);
      expect(outcomes[1]).toMatchObject({ error: { context: { field } } });
    },
  );

  test.each([
    ['requests', null, {}],
    ['requests', { length: 1 }, {}],
    ['maxAccountsPerCall', [], { maxAccountsPerCall: 4 }],
    ['maxAccountsPerCall', [], { maxAccountsPerCall: 101 }],
    ['maxAccountsPerCall', [], { maxAccountsPerCall: 7.5 }],
    ['maxConcurrentCalls', [], { maxConcurrentCalls: 0 }],
  ])('of %s as a whole: %j %j', async (field, requests, options) => {
    await expectRefusal(quoteMany(client, requests as never, options), 'invalid-input', { field });
  });

  test('an aborted batch throws, and makes no further call', async () => {
    const pools = await addPools(12);
    const controller = new AbortController();
    let count = 0;
    const counting = calling(() => {
      count += 1;
      if (count === 2) controller.abort();
    });
    const options = { abortSignal: controller.signal, maxAccountsPerCall: 5, maxConcurrentCalls: 1 };
    const aborted = quoteMany(counting, buysIn(pools), options);
    await expectRefusal(aborted, 'aborted');
    await new Promise((resolve) => setImmediate(resolve));
    expect(count).toBe(2);
  });

  test('of names: an unknown field is warned of, and a misspelt one rejected', async () => {
    const { creator } = ledger.pools;
    const terms = { ...locatorOf(creator), slippageBps: 0 };
    const outcomes = await quoteMany(client, [
      { side: 'buy', ...terms, maxSolSpend: 1, note: 'mine' } as QuoteManyRequest,
      { side: 'sell', ...terms, amountInUi: 1, note: 'mine' } as QuoteManyRequest,
      { side: 'buy', ...terms, maxSolSpend: 1, maxPriceImpactBp: 1 } as QuoteManyRequest,
    ]);
    for (const outcome of outcomes.slice(0, 2))
      expect(outcome).toMatchObject({ quote: { details: { warnings: [{ code: 'ignored-fields' }] } } });
    expect(outcomes[2]).toMatchObject({ error: { code: 'invalid-input' } });
  });

  test('does not hide a bug', async () => {
    const request = {
      side: 'buy' as const,
      ...locatorOf(ledger.pools.creator),
      slippageBps: 0,
      get maxSolSpend(): string {
        throw new TypeError('Mine.');
      },
    };
    await expect(quoteMany(client, [request])).rejects.toThrow('Mine.');
  });
});
