import { expect, test } from 'vitest';
import {
  decodePoolSnapshot,
  type FeeRates,
  type FeeStep,
  toFeeSchedule,
  toSwapState,
} from '../../src/index.js';
import { FEED } from '../../src/pool/layout.js';
import {
  decodeLiquidityPoolState,
  encodeLiquidityPoolState,
  type LiquidityPoolState,
} from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  createFeeBrackets,
  createSlotFeeBrackets,
  encodeClock,
  encodeMint,
  encodePriceFeed,
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

/** The pool with other fields, and the supply, the answer of the price feed and the slot that go with it. */
function snapshotWith(
  change: Partial<LiquidityPoolState>,
  { supply, answer, slot }: Readonly<Record<'supply' | 'answer' | 'slot', bigint>>,
) {
  const priceFeed = encodePriceFeed({ price: 1, slot, timestamp: 1n });
  new DataView(priceFeed.buffer).setBigUint64(FEED.ring + FEED.answer, answer, true);
  return decodePoolSnapshot({
    pool: encodeLiquidityPoolState({ ...state, ...change }),
    protocolConfig: configData,
    mint: encodeMint({ decimals: 6, supply }),
    priceFeed,
    clock: encodeClock({ slot, epoch: 0n, unixTimestamp: 1n }),
  });
}
const capFees = (creatorTradingFee: ReturnType<typeof createFeeBrackets>) => ({
  marketCapBasedFees: { ...state.marketCapBasedFees, creatorTradingFee },
});

test('every schedule follows the rules, at its bounds and between them', () => {
  fc.assert(
    fc.property(
      ascending(fc.bigInt(0n, 50n), 4),
      slotSchedule,
      fc.bigInt(0n, 55n),
      fc.integer({ min: 0, max: 75 }),
      (byMarketCap, bySlot, marketCap, offset) => {
        const creatorTradingFee = {
          ...createSlotFeeBrackets(...bySlot.brackets),
          enabled: bySlot.enabled ? 1 : 0,
          maxSlotOffset: bySlot.maxSlotOffset,
        };
        const slot = CREATED_AT + BigInt(offset);
        const snapshot = snapshotWith(
          {
            createdAtSlot: CREATED_AT,
            // As many tokens as exist, at $1 a SOL: so many lamports are a thousandth of so many millionths of a dollar.
            reserve: { ...state.reserve, tokenA: 1_000_000n, tokenB: marketCap * 1_000n + 1n },
            ...capFees(createFeeBrackets(...byMarketCap)),
            slotOffsetBasedFees: { ...state.slotOffsetBasedFees, creatorTradingFee },
          },
          { supply: 1_000_000n, answer: 100_000_000n, slot },
        );
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
      },
    ),
    { numRuns: 1_500 },
  );
});

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
        const snapshot = snapshotWith(
          {
            reserve: { ...state.reserve, tokenA, tokenB },
            ...capFees(createFeeBrackets([bound, 100, 200], [2n ** 64n - 1n, 300, 400])),
          },
          { supply, answer: price, slot: CREATED_AT + 100_000n },
        );
        const { buyFees, sellFees } = toSwapState(snapshot);
        expect([buyFees.creator, sellFees.creator]).toEqual(marketCap <= bound ? [100n, 200n] : [300n, 400n]);
      },
    ),
    { numRuns: 1_500 },
  );
});
