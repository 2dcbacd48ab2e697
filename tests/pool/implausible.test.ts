import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  decodePoolSnapshot,
  fetchPoolSnapshot,
  getPoolInfo,
  isHeavenError,
  type PoolAccounts,
  quoteBuy,
  quoteInitialBuy,
  quoteMany,
  watchPool,
} from '../../src/index.js';
import { SOL_USD_FEED_ADDRESS } from '../../src/program/index.js';
import { createFeeBrackets, createSlotFeeBrackets, type EmbeddedLedger } from '../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../support/addresses.js';
import { SOL, U64_MAX } from '../support/amounts.js';
import { caseOf, expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

// Accounts that decode and hold what the program never writes.

let pool: EmbeddedLedger['pools']['community'];

useLedger();
beforeEach(() => {
  pool = ledger.pools.community;
});

const locator = () => ({ mint: pool.mint, configVersion: pool.configVersion });
const terms = () => ({ ...locator(), maxSolSpend: 1, slippageBps: 50 });
const dataOf = (address: Address) => ledger.getAccount(address)?.data ?? new Uint8Array();
const accounts = (): PoolAccounts => ({
  pool: dataOf(pool.pool),
  protocolConfig: dataOf(pool.protocolConfig),
  mint: dataOf(pool.mint),
  priceFeed: dataOf(SOL_USD_FEED_ADDRESS),
  clock: dataOf(CLOCK_SYSVAR_ADDRESS),
});
/** Each way to a quote, or to what a quote is made of. */
const paths: Readonly<Record<string, () => Promise<unknown>>> = {
  decodePoolSnapshot: async () => decodePoolSnapshot(accounts()),
  fetchPoolSnapshot: () => fetchPoolSnapshot(client, locator()),
  quoteBuy: () => quoteBuy(client, terms()),
  quoteMany: async () => {
    const [outcome] = await quoteMany(client, [{ side: 'buy', ...terms() }]);
    if (!outcome.ok) throw outcome.error;
  },
  getPoolInfo: () => getPoolInfo(client, { mint: pool.mint }),
  watchPool: async () => {
    const watch = watchPool(client, locator());
    await watch.next().finally(() => watch.return());
  },
};

const setBrackets = (...brackets: readonly (readonly [bigint, number])[]) =>
  ledger.updateConfig(pool.protocolConfig, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: { ...marketCapBasedFees, creatorTradingFee: createFeeBrackets(...brackets) },
  }));
const setSlots = (...brackets: readonly (readonly [number, number])[]) =>
  ledger.updateConfig(pool.protocolConfig, ({ slotOffsetBasedFees }) => ({
    slotOffsetBasedFees: { ...slotOffsetBasedFees, reflectionTradingFee: createSlotFeeBrackets(...brackets) },
  }));
type Spoiled = 'pool' | 'config' | 'feed';
const addressOf = (name: Spoiled) =>
  ({ pool: pool.pool, config: pool.protocolConfig, feed: SOL_USD_FEED_ADDRESS })[name];
/** Writes another value into an account's bytes. */
const patch = (name: Spoiled, change: (data: DataView) => void) => {
  const account = ledger.getAccount(addressOf(name))!;
  const data = Uint8Array.from(account.data);
  change(new DataView(data.buffer));
  ledger.setAccount(addressOf(name), { ...account, data });
};
const setByte = (name: Spoiled, offset: number, value: number) =>
  patch(name, (data) => data.setUint8(offset, value));
const setPriceTime = (seconds: bigint) => patch('feed', (data) => data.setUint32(208, Number(seconds), true));

// A community pool begins with 35 virtual SOL. Groups of brackets have 72 and 262 bytes: their counts are 64 and 256 bytes in.
test.each<[wrong: string, spoil: () => void]>([
  [
    'pool: reserve.tokenB is 34999999999, at least 35000000000',
    () => ledger.setReserves(pool.pool, { tokenB: 35n * SOL - 1n }),
  ],
  ['config: marketCapBasedFees.creator.count is 5, at most 4', () => setByte('config', 88 + 2 * 72 + 64, 5)],
  ['config: slotOffsetBasedFees.protocol.count is 43, at most 42', () => setByte('config', 476 + 256, 43)],
  ['pool: marketCapBasedFees.reflection.count is 5, at most 4', () => setByte('pool', 96 + 4 * 72 + 64, 5)],
  [
    'config: marketCapBasedFees.creator.brackets[2] is 9, at least 10',
    () => setBrackets([8n, 300], [10n, 200], [9n, 100]),
  ],
  [
    `config: marketCapBasedFees.creator.brackets[1] is ${U64_MAX - 1n}, at least ${U64_MAX}`,
    () => setBrackets([U64_MAX, 200], [U64_MAX - 1n, 100]),
  ],
  [
    'config: slotOffsetBasedFees.reflection.brackets[1] is 255, at least 300',
    () => setSlots([300, 300], [255, 200]),
  ],
  ['feed: updatedAt is 1775456371, at most 1775456370', () => setPriceTime(ledger.unixTimestamp + 301n)],
])(
  'an account that the program never writes is rejected on each way to a quote: %s',
  async (wrong, spoil) => {
    const bad: unknown[] = [];
    const watch = watchPool(client, locator(), {
      observe: (event) => {
        if (event.type === 'bad-notification') bad.push(caseOf(event.error.code, event.error.context));
      },
    });
    const { value: good } = await watch.next();
    spoil();
    const account = wrong.split(':')[0] as Spoiled;
    for (const [path, attempt] of Object.entries(paths)) {
      const { context } = await expectRefusal(attempt, 'rpc-wrong-account:field');
      const { field, found, expected, address } = context as Readonly<Record<string, unknown>>;
      expect(`${account}: ${field} is ${found}, ${expected}`).toBe(wrong);
      expect(address).toBe(path === 'decodePoolSnapshot' ? undefined : addressOf(account));
    }
    // A watch that runs keeps the last good snapshot.
    for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve));
    expect(bad).toEqual(['rpc-wrong-account:field']);
    expect([watch.latest, watch.isLive]).toEqual([good, false]);
    await watch.return();
  },
);

describe('unusual values that are accepted', () => {
  test.each<[string, () => void]>([
    ['no more SOL than the virtual SOL', () => ledger.setReserves(pool.pool, { tokenB: 35n * SOL })],
    ['no brackets', () => setBrackets()],
    ['no bracket for all the rest', () => setBrackets([10n, 300], [20n, 200])],
    ['four brackets', () => setBrackets([1n, 4], [2n, 3], [3n, 2], [4n, 1])],
    ['the same market cap twice', () => setBrackets([10n, 300], [10n, 200])],
    ['the same slot twice', () => setSlots([10, 300], [10, 200])],
    ['42 slots', () => setSlots(...Array.from({ length: 42 }, (_, k): [number, number] => [k, k]))],
    [
      'bounds in brackets that are not used',
      () => {
        setBrackets([9n, 1], [8n, 1], [7n, 1]);
        setByte('config', 88 + 2 * 72 + 64, 1);
      },
    ],
    ['a price five minutes ahead of the clock', () => setPriceTime(ledger.unixTimestamp + 300n)],
  ])('%s', async (_, change) => {
    change();
    for (const path of Object.values(paths)) await path();
  });

  test('less SOL in a pro pool than it began with, because none of it is virtual', async () => {
    const { mint, configVersion, pool: address } = ledger.pools.pro;
    ledger.updatePool(address, ({ reserve }) => ({ reserve: { ...reserve, initialB: reserve.tokenB + 1n } }));
    const snapshot = await fetchPoolSnapshot(client, { mint, configVersion, pool: address });
    expect(snapshot.virtualReserveB).toBe(0n);
  });
});

test('a launch is not quoted at a future price either', async () => {
  const quote = () => quoteInitialBuy(client, { configVersion: 1, initialPurchasePercent: 5 });
  await quote();
  setPriceTime(ledger.unixTimestamp + 301n);
  await expectRefusal(quote, 'rpc-wrong-account:field', {
    field: 'updatedAt',
    address: SOL_USD_FEED_ADDRESS,
  });
});

test.each([
  [undefined, 3_600n, false],
  [undefined, 3_601n, true],
  [0, 0n, false],
  [0, 1n, true],
  [60, 60n, false],
  [60, 61n, true],
  [Number.POSITIVE_INFINITY, 1_000_000n, false],
])(
  'with %s as stalePriceSeconds, a price %s seconds old is warned of: %s',
  async (stalePriceSeconds, age, isWarned) => {
    setPriceTime(ledger.unixTimestamp - age);
    const asked = { ...terms(), ...(stalePriceSeconds === undefined ? {} : { stalePriceSeconds }) };
    const { details } = await quoteBuy(client, asked);
    expect(details.warnings.some(({ code }) => code === 'stale-price')).toBe(isWarned);
  },
);

const LIMITS = ['stalePriceSeconds', 'maxPriceImpactBps'];
test.each(LIMITS.flatMap((field) => [-1, Number.NaN, '60'].map((limit) => [field, limit] as const)))(
  '%s may not be %s',
  async (field, limit) => {
    await expectRefusal(quoteBuy(client, { ...terms(), [field]: limit }), 'invalid-input', { field });
    expect(ledger.requests).toEqual([]);
  },
);

describe('whatever bytes change', () => {
  /** Whether accounts keep the rules, worked out from the accounts' byte layouts. */
  const keepsRules = ({ pool: state, protocolConfig, priceFeed, clock }: PoolAccounts): boolean => {
    const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);
    const [p, c] = [viewOf(state), viewOf(protocolConfig)];
    const [f, t] = [viewOf(priceFeed), viewOf(clock)];
    const isStandard = p.getUint8(90) === 2;
    if (isStandard && p.getBigUint64(464, true) < p.getBigUint64(512, true)) return false;
    const groups = [
      [p, 96, 956],
      [c, 88, 476],
    ] as const;
    for (const [data, caps, slots] of groups) {
      for (let type = 0; type < 5; type++) {
        const cap = caps + type * 72;
        const slot = slots + type * 262;
        const [capCount, slotCount] = [data.getUint8(cap + 64), data.getUint8(slot + 256)];
        if (capCount > 4 || slotCount > 42) return false;
        const bounds = Array.from({ length: capCount }, (_, k) => data.getBigUint64(cap + 16 * k, true));
        const offsets = Array.from({ length: slotCount }, (_, k) => data.getUint16(slot + 6 * k + 4, true));
        if (bounds.some((bound, k) => k > 0 && bound < (bounds[k - 1] as bigint))) return false;
        if (offsets.some((offset, k) => k > 0 && offset < (offsets[k - 1] as number))) return false;
      }
    }
    const answer = (f.getBigInt64(224, true) << 64n) + f.getBigUint64(216, true);
    return answer > 0n && BigInt(f.getUint32(208, true)) <= t.getBigInt64(32, true) + 300n;
  };

  /** Where the rules look, so that random bytes meet them: reserves, counts, bounds, the price and its time. */
  const offsets = {
    pool: [464, 512, 96, 160, 112, 240, 304, 956, 1212, 960, 966, 90],
    protocolConfig: [88, 104, 152, 120, 160, 224, 232, 296, 476, 480, 486, 732, 738, 742],
    priceFeed: [208, 216, 224],
    clock: [32],
  } as const;
  type Name = keyof typeof offsets;
  const corruption = fc
    .constantFrom<Name>('pool', 'pool', 'protocolConfig', 'protocolConfig', 'priceFeed', 'clock')
    .chain((name) =>
      fc.record({
        name: fc.constant(name),
        offset: fc.oneof(
          fc.constantFrom<number>(...offsets[name]),
          fc.nat({ max: { pool: 2303, protocolConfig: 1791, priceFeed: 247, clock: 39 }[name] }),
        ),
        bytes: fc.oneof(
          fc.uint8Array({ minLength: 1, maxLength: 8 }),
          fc.nat({ max: 50 }).map((value) => Uint8Array.of(value)),
        ),
      }),
    );

  test.each(['community', 'creator', 'pro'] as const)(
    'no quote comes from a %s pool that breaks a rule, and an intact one is not rejected',
    (name) => {
      pool = ledger.pools[name] as typeof pool;
      setBrackets([1_000n, 300], [2_000n, 200], [U64_MAX, 100]);
      setSlots([5, 300], [300, 200], [301, 100]);
      const whole = accounts();
      let refused = 0;
      let passed = 0;
      fc.assert(
        fc.property(fc.array(corruption, { minLength: 1, maxLength: 4 }), (corruptions) => {
          const copies = Object.fromEntries(
            Object.entries(whole).map(([key, data]: [string, Uint8Array]) => [key, Uint8Array.from(data)]),
          ) as unknown as PoolAccounts;
          for (const { name: key, offset, bytes } of corruptions)
            copies[key].set(bytes.subarray(0, copies[key].length - offset), offset);
          let error: unknown;
          try {
            decodePoolSnapshot(copies);
          } catch (thrown) {
            error = thrown;
          }
          if (error !== undefined && !isHeavenError(error)) throw error;
          if (!keepsRules(copies)) expect(error).toBeDefined();
          else expect(isHeavenError(error, 'rpc-wrong-account')).toBe(false);
          if (isHeavenError(error, 'rpc-wrong-account')) refused += 1;
          if (error === undefined) passed += 1;
        }),
        { numRuns: 3_000 },
      );
      // The corruptions are neither all harmless nor all alike.
      expect(refused).toBeGreaterThan(100);
      expect(passed).toBeGreaterThan(100);
    },
  );
});
