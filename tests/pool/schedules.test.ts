import { expect, test } from 'vitest';
import {
  decodePoolSnapshot,
  type FeeRates,
  type FeeStep,
  toFeeSchedule,
  toSwapState,
} from '../../src/index.js';
import { FEED } from '../../src/pool/layout.js';
import { decodeLiquidityPoolState, encodeLiquidityPoolState } from '../../src/program/index.js';
import { encodeClock, encodePriceFeed } from '../../src/testing/encode.js';
import {
  createEmbeddedLedger,
  createFeeBrackets,
  createSlotFeeBrackets,
  encodeMint,
} from '../../src/testing/index.js';
import { fc } from '../support/properties.js';

// A pro pool with random schedules, against the rules said again in the plainest way: the first slot bracket that reaches the
// offset while the schedule is enabled and its window lasts, else the first market cap bracket that reaches the market
// cap, else the last, else nothing.

const ledger = await createEmbeddedLedger();
const { pool, protocolConfig } = ledger.pools.pro;
const dataOf = (address: typeof pool) => ledger.getAccount(address)?.data ?? new Uint8Array();
const state = decodeLiquidityPoolState(dataOf(pool));
const configData = dataOf(protocolConfig);

const CREATED_AT = 1_000n;
const bps = fc.integer({ min: 0, max: 10_000 });
/** Brackets with ascending bounds: bound, fee of a buy, fee of a sell. */
const ascending = <TBound extends bigint | number>(bound: fc.Arbitrary<TBound>, maxLength: number) =>
  fc
    .uniqueArray(fc.tuple(bound, bps, bps), { maxLength, selector: ([bound]) => bound })
    .map((brackets) => brackets.sort(([a], [b]) => (a < b ? -1 : 1)));
const slotSchedule = fc.record({
  brackets: ascending(fc.integer({ min: 0, max: 60 }), 42),
  enabled: fc.boolean(),
  maxSlotOffset: fc.integer({ min: 0, max: 70 }),
});

/** A pool, and the supply, the answer of the price feed and the slot that go with it. */
function snapshotOf(
  pool: Uint8Array,
  { supply, answer, slot }: Readonly<Record<'supply' | 'answer' | 'slot', bigint>>,
) {
  const priceFeed = encodePriceFeed({ price: 1, slot, timestamp: 1n });
  new DataView(priceFeed.buffer).setBigUint64(FEED.ring + FEED.answer, answer, true);
  return decodePoolSnapshot({
    pool,
    protocolConfig: configData,
    mint: encodeMint({ decimals: 6, supply }),
    priceFeed,
    clock: encodeClock({ slot, epoch: 0n, unixTimestamp: 1n }),
  });
}
const capFees = (creatorTradingFee: ReturnType<typeof createFeeBrackets>) => ({
  marketCapBasedFees: { ...state.marketCapBasedFees, creatorTradingFee },
});

/** As many tokens as exist, so that the market cap is a hundred-thousandth of the feed's answer. */
const EVEN = { tokenA: 1_000_000n, tokenB: 1_000_000n };

test('every schedule follows the rules, at its bounds and between them', () => {
  const point = fc.record({ marketCap: fc.bigInt(0n, 55n), offset: fc.integer({ min: 0, max: 75 }) });
  fc.assert(
    fc.property(
      ascending(fc.bigInt(0n, 50n), 4),
      slotSchedule,
      // To encode a pool takes longer than to read it several times.
      fc.array(point, { minLength: 3, maxLength: 3 }),
      (byMarketCap, bySlot, points) => {
        const creatorTradingFee = {
          ...createSlotFeeBrackets(...bySlot.brackets),
          enabled: bySlot.enabled ? 1 : 0,
          maxSlotOffset: bySlot.maxSlotOffset,
        };
        const pool = encodeLiquidityPoolState({
          ...state,
          createdAtSlot: CREATED_AT,
          reserve: { ...state.reserve, ...EVEN },
          ...capFees(createFeeBrackets(...byMarketCap)),
          slotOffsetBasedFees: { ...state.slotOffsetBasedFees, creatorTradingFee },
        });
        for (const { marketCap, offset } of points) {
          const slot = CREATED_AT + BigInt(offset);
          const answer = marketCap * 100_000n + 1n;
          const snapshot = snapshotOf(pool, { supply: EVEN.tokenA, answer, slot });
          const inWindow = bySlot.enabled && offset <= bySlot.maxSlotOffset;
          const late = byMarketCap.find(([bound]) => marketCap <= bound) ?? byMarketCap.at(-1) ?? [0, 0, 0];
          const early = inWindow ? bySlot.brackets.find(([bound]) => offset <= bound) : undefined;
          const [, ...expected] = early ?? late;
          const { buyFees, sellFees } = toSwapState(snapshot);
          const creatorOf = ({ creator }: FeeRates) => Number(creator);
          expect([creatorOf(buyFees), creatorOf(sellFees)]).toEqual(expected);
          const schedule = toFeeSchedule(snapshot);
          const feesAt = (steps: readonly FeeStep[], at: bigint) => {
            const step = steps.find(({ from, to }) => at >= from && (to === undefined || at < to));
            return step && [creatorOf(step.buyFees), creatorOf(step.sellFees)];
          };
          expect(feesAt(schedule.bySlot, BigInt(offset))).toEqual(expected);
          expect(feesAt(schedule.byMarketCap, marketCap)).toEqual([late[1], late[2]]);
        }
      },
    ),
    { numRuns: 500 },
  );
});

/** Numbers of 8 bytes that a pool has nowhere else: its reserves, and its first bound. */
const MARKS = [0x0123_4567_89ab_cde1n, 0x0123_4567_89ab_cde2n, 0x0123_4567_89ab_cde3n] as const;
const marked = encodeLiquidityPoolState({
  ...state,
  reserve: { ...state.reserve, tokenA: MARKS[0], tokenB: MARKS[1] },
  ...capFees(createFeeBrackets([MARKS[2], 100, 200], [2n ** 64n - 1n, 300, 400])),
});
const places = MARKS.map((mark) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(mark);
  return Buffer.from(marked).indexOf(bytes);
});
/** A pool with other numbers in these places: to encode all of it takes most of a test's time. */
function poolWith(...numbers: readonly [tokenA: bigint, tokenB: bigint, bound: bigint]): Uint8Array {
  const bytes = Buffer.from(marked);
  for (const [index, place] of places.entries()) bytes.writeBigUInt64LE(numbers[index]!, place);
  return bytes;
}

// The market cap is estimated in `number` arithmetic, and divided exactly where the estimate is too close to a bound.
test('a bound is reached to the last unit, whatever the numbers', () => {
  const u64 = (least: bigint) => fc.bigInt(least, 2n ** 64n - 1n);
  const answer = fc.bigInt(1n, 10n ** 13n);
  fc.assert(
    fc.property(
      u64(1n),
      u64(1n),
      u64(1n),
      answer,
      fc.bigInt(-2n, 2n),
      (tokenA, tokenB, supply, price, off) => {
        const marketCap = (tokenB * supply * price) / (tokenA * 10n ** 11n);
        const bound = marketCap + off;
        fc.pre(bound >= 0n && bound < 2n ** 64n);
        const slot = CREATED_AT + 100_000n;
        const snapshot = snapshotOf(poolWith(tokenA, tokenB, bound), { supply, answer: price, slot });
        const { buyFees, sellFees } = toSwapState(snapshot);
        expect([buyFees.creator, sellFees.creator]).toEqual(marketCap <= bound ? [100n, 200n] : [300n, 400n]);
      },
    ),
    { numRuns: 1_500 },
  );
});
