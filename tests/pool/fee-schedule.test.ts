import { describe, expect, test } from 'vitest';
import {
  computeBuy,
  computeSell,
  type FeeRates,
  type FeeStep,
  fetchPoolSnapshot,
  getPoolInfo,
  type ProtocolConfig,
  toFeeSchedule,
  toSwapState,
} from '../../src/index.js';
import { decodeProtocolConfig } from '../../src/program/index.js';
import { createFeeBrackets, createSlotFeeBrackets, type EmbeddedLedger } from '../../src/testing/index.js';
import { U64_MAX } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, locatorOf, useLedger } from '../support/ledger.js';

// The fees of the sample pools over market cap and slots. That any schedule is what a trade pays is in schedules.test.ts.

useLedger();
const snapshotOf = (name: keyof EmbeddedLedger['pools']) =>
  fetchPoolSnapshot(client, locatorOf(ledger.pools[name]));

const total = (rates: FeeRates) => Object.values(rates).reduce((sum: bigint, rate: bigint) => sum + rate, 0n);
const totals = (steps: readonly FeeStep[]) =>
  steps.map(({ from, to, buyFees, sellFees }) => [from, to, total(buyFees), total(sellFees)]);

type Fees = Pick<ProtocolConfig, 'marketCapBasedFees' | 'slotOffsetBasedFees'>;
/** Gives the account that has the fees in a mode those to use, and the other account a decoy. */
function setFees(
  { pool, protocolConfig }: EmbeddedLedger['pools']['pro' | 'community'],
  mode: 'global' | 'local',
  used: (fees: Fees) => Partial<Fees>,
  decoy: typeof used,
): void {
  const isLocal = mode === 'local';
  ledger.updateConfig(protocolConfig, isLocal ? decoy : used);
  const ofPool = isLocal ? used : decoy;
  ledger.updatePool(pool, (state) => ({ ...ofPool(state), feeConfigurationMode: isLocal ? 1 : 0 }));
}

describe('the fee schedule', () => {
  test('ends its steps where the brackets do, in millionths of a dollar', async () => {
    // The bound of the standard config is $99,999, in whole dollars: the cents belong to it.
    const community = toFeeSchedule(await snapshotOf('community'));
    expect(community.byMarketCap.map(({ from, to }) => [from, to])).toEqual([
      [0n, 100_000_000_000n],
      [100_000_000_000n, undefined],
    ]);
    // The bound of the pro pool is $100,000 in millionths, and belongs to the first step.
    expect(totals(toFeeSchedule(await snapshotOf('pro')).byMarketCap)).toEqual([
      [0n, 100_000_000_001n, 160n, 210n],
      [100_000_000_001n, undefined, 110n, 110n],
    ]);
  });

  test('has the steps of a launch, by the kind of fee', async () => {
    const { bySlot } = toFeeSchedule(await snapshotOf('launching'));
    expect(totals(bySlot)).toEqual([
      [0n, 6n, 5_100n, 5_100n],
      [6n, 16n, 1_100n, 1_100n],
      [16n, undefined, 110n, 110n],
    ]);
    expect(bySlot.map(({ buyFees }) => buyFees.creator)).toEqual([5_000n, 1_000n, 10n]);
  });

  test('of a config is that of a pool that was just launched with it', async () => {
    const snapshot = await snapshotOf('launching');
    expect(toFeeSchedule(decodeProtocolConfig(snapshot.data.protocolConfig))).toEqual(
      toFeeSchedule(snapshot),
    );
  });

  test('has its steps in order, whichever fee ends first, and none after the window', async () => {
    const config = decodeProtocolConfig((await snapshotOf('launching')).data.protocolConfig);
    const marketCapBasedFees = {
      ...config.marketCapBasedFees,
      protocolTradingFee: createFeeBrackets([500n, 100], [U64_MAX, 90]),
      creatorTradingFee: createFeeBrackets([50n, 10], [5_000n, 8], [U64_MAX, 5]),
    };
    // The third bracket of the creator's fee has one slot left of the window, and the fourth none.
    const creatorTradingFee = createSlotFeeBrackets([2, 900], [6, 800], [20, 700], [30, 600]);
    const slotOffsetBasedFees = {
      ...config.slotOffsetBasedFees,
      protocolTradingFee: createSlotFeeBrackets([9, 3_000]),
      creatorTradingFee: { ...creatorTradingFee, maxSlotOffset: 7 },
    };
    const { byMarketCap, bySlot } = toFeeSchedule({ ...config, marketCapBasedFees, slotOffsetBasedFees });
    const starts = (steps: readonly FeeStep[]) =>
      steps.map(({ from, buyFees: { protocol, creator } }) => [from, protocol, creator]);
    expect(starts(byMarketCap)).toEqual([
      [0n, 100n, 10n],
      [51_000_000n, 100n, 8n],
      [501_000_000n, 90n, 8n],
      [5_001_000_000n, 90n, 5n],
    ]);
    expect(starts(bySlot)).toEqual([
      [0n, 3_000n, 900n],
      [3n, 3_000n, 800n],
      [7n, 3_000n, 700n],
      [8n, 3_000n, 10n],
      [10n, 100n, 10n],
    ]);
  });

  test('and a trade leave out brackets past the count, whatever their bytes hold', async () => {
    const { protocolConfig } = ledger.pools.launching;
    const creatorTradingFee = { ...createSlotFeeBrackets([5, 5_000], [9, 700]), count: 1 };
    const reflectionTradingFee = { ...createFeeBrackets([U64_MAX, 70]), count: 0 };
    ledger.updateConfig(protocolConfig, ({ marketCapBasedFees, slotOffsetBasedFees }) => ({
      marketCapBasedFees: { ...marketCapBasedFees, reflectionTradingFee },
      slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee },
    }));
    const snapshot = await snapshotOf('launching');
    const { buyFees } = toSwapState(snapshot, { slot: snapshot.createdAtSlot + 7n });
    expect(toSwapState(snapshot, { slot: snapshot.createdAtSlot - 1n }).buyFees.creator).toBe(5_000n);
    expect(buyFees).toMatchObject({ creator: 10n, reflection: 0n });
    const { bySlot, byMarketCap } = toFeeSchedule(snapshot);
    expect(bySlot.map(({ buyFees }) => buyFees.creator)).toEqual([5_000n, 10n, 10n]);
    expect(byMarketCap.map(({ buyFees }) => buyFees.reflection)).toEqual([0n, 0n]);
  });

  test('of a pool without tokens is that of the lowest market cap', async () => {
    const snapshot = await snapshotOf('pro');
    const [lowest] = toFeeSchedule(snapshot).byMarketCap;
    const { bySlot } = toFeeSchedule({ ...snapshot, reserveA: 0n });
    expect(bySlot.at(-1)?.buyFees).toEqual(lowest?.buyFees);
  });

  // Level T for standard pools, assumption A6 for pro pools.
  test.each([
    ['community', 'global'],
    ['community', 'local'],
    ['pro', 'global'],
    ['pro', 'local'],
  ] as const)('of a %s pool in %s mode comes from one account alone', async (name, mode) => {
    const fill = <TGroup extends object>(group: TGroup, of: (index: number) => unknown) =>
      Object.fromEntries(Object.keys(group).map((type, index) => [type, of(index)])) as TGroup;
    const from = (cap: number, slot: number, lastSlot: number) => (fees: Fees) => ({
      marketCapBasedFees: fill(fees.marketCapBasedFees, (k) => createFeeBrackets([U64_MAX, cap + k])),
      slotOffsetBasedFees: fill(fees.slotOffsetBasedFees, (k) => createSlotFeeBrackets([lastSlot, slot + k])),
    });
    const caps = [97, 98, 99, 100, 101];
    const slots = [60, 61, 62, 63, 64];
    const { pool, mint } = ledger.pools[name];
    setFees(ledger.pools[name], mode, from(97, 60, 7), from(11, 21, 100));
    ledger.updatePool(pool, () => ({ createdAtSlot: ledger.slot }));

    const snapshot = await snapshotOf(name);
    const ratesOf = (rates: FeeRates) => Object.values(rates).map(Number);
    expect(ratesOf(toSwapState(snapshot, { slot: snapshot.slot + 7n }).buyFees)).toEqual(slots);
    expect(ratesOf(toSwapState(snapshot, { slot: snapshot.slot + 8n }).sellFees)).toEqual(caps);
    const { byMarketCap, bySlot } = toFeeSchedule(snapshot);
    expect(totals(byMarketCap)).toEqual([[0n, undefined, 495n, 495n]]);
    expect(bySlot.map(({ from, buyFees }) => [from, ratesOf(buyFees)])).toEqual([
      [0n, slots],
      [8n, caps],
    ]);
    const pctAt = async (slot: bigint) => {
      ledger.setSlot(slot);
      return (await getPoolInfo(client, { mint, pool })).currentBuyFeePct;
    };
    expect(await pctAt(snapshot.slot + 7n)).toBe(3.1);
    expect(await pctAt(snapshot.slot + 8n)).toBe(4.95);
  });

  // The 24 trades of another SDK's tests on the deployed program (level T): protocol fee in bps, side, amount, and what its formulas give
  // (Python integers): protocol fee, creator fee, amount out, both reserves.
  const trades = `
    0 buy 1 0 0 7999999 799999999992000001 100000000001
    0 buy 1000001 0 11300 7909529798399 799992090470201601 100000988701
    0 buy 9007199254740993 0 101781351578573 799991016805437941 8983194562059 8905517903162420
    0 sell 16000001 0 0 2 800000000016000001 99999999998
    0 sell 1000000000001 0 1412 123587 800001000000000001 99999875001
    0 sell 9007199254740993 0 12581019 1100783517 809007199254740993 98886635464
    97 buy 1 0 0 7999999 799999999992000001 100000000001
    97 buy 1000001 9700 11300 7831931325314 799992168068674686 100000979001
    97 buy 9007199254740993 87369832770987 101781351578573 799990927800331612 9072199668388 8818148070391433
    97 sell 16000001 0 0 2 800000000016000001 99999999998
    97 sell 1000000000001 1212 1412 122375 800001000000000001 99999875001
    97 sell 9007199254740993 10799635 12581019 1089983882 809007199254740993 98886635464`;
  const rows = trades.trim().split(/\n */);
  test.each(rows.flatMap((row) => [[row, 'global'] as const, [row, 'local'] as const]))(
    'gives the trade %s of a pool in %s mode',
    async (row, mode) => {
      const [bps = '', side, ...numbers] = row.split(' ');
      const [amount = 0n, protocol, creator, amountOut, reserveAAfter, reserveBAfter] = numbers.map(BigInt);
      const from =
        (cap: number, creatorCap: number) =>
        ({ marketCapBasedFees }: Fees) => ({
          marketCapBasedFees: {
            ...marketCapBasedFees,
            protocolTradingFee: createFeeBrackets([U64_MAX, cap]),
            creatorTradingFee: createFeeBrackets([U64_MAX, creatorCap]),
          },
        });
      const { community } = ledger.pools;
      setFees(community, mode, from(Number(bps), 113), from(333, 555));
      ledger.updatePool(community.pool, ({ reserve }) => ({
        reserve: { ...reserve, tokenA: 8n * 10n ** 17n, tokenB: 10n ** 11n, initialB: 8n * 10n ** 10n },
      }));
      const result = (side === 'buy' ? computeBuy : computeSell)(
        toSwapState(await snapshotOf('community')),
        amount,
      );
      const fees = { protocol, creator, liquidityProvider: 0n, creatorProtocol: 0n, reflection: 0n };
      expect(result).toMatchObject({ fees, amountOut, reserveAAfter, reserveBAfter });
    },
  );

  test.each([undefined, null, 7, {}])('of %j is rejected', async (value) => {
    await expectRefusal(async () => toFeeSchedule(value as never), 'invalid-input', { field: 'source' });
  });
});
