import { describe, expect, test } from 'vitest';

import {
  decodeProtocolConfig,
  type FeeRates,
  type FeeStep,
  fetchPoolSnapshot,
  getPoolInfo,
  type ProtocolConfig,
  toFeeSchedule,
  toSwapState,
} from '../../src/index.js';
import { createFeeBrackets, createSlotFeeBrackets, type EmbeddedLedger } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

// The fees of the sample pools over market cap and slots. That any schedule is what a trade pays is in schedules.test.ts.

useLedger();
const snapshotOf = (name: keyof EmbeddedLedger['pools']) => fetchPoolSnapshot(client, ledger.pools[name]);

const total = (rates: FeeRates) => Object.values(rates).reduce((sum: bigint, rate: bigint) => sum + rate, 0n);
const totals = (steps: readonly FeeStep[]) =>
  steps.map(({ from, to, buyFees, sellFees }) => [from, to, total(buyFees), total(sellFees)]);
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

  test('goes back to the market cap where the window outlasts its last bracket', async () => {
    const config = decodeProtocolConfig((await snapshotOf('launching')).data.protocolConfig);
    const creatorTradingFee = { ...createSlotFeeBrackets([5, 5_000]), maxSlotOffset: 9 };
    const stepsWith = (fee: typeof creatorTradingFee) => {
      const slotOffsetBasedFees = { ...config.slotOffsetBasedFees, creatorTradingFee: fee };
      return totals(toFeeSchedule({ ...config, slotOffsetBasedFees }).bySlot);
    };
    expect(stepsWith(createSlotFeeBrackets())).toEqual([[0n, undefined, 110n, 110n]]);
    expect(stepsWith(creatorTradingFee)).toEqual([
      [0n, 6n, 5_100n, 5_100n],
      [6n, 10n, 110n, 110n],
      [10n, undefined, 110n, 110n],
    ]);
  });

  // Level T for standard pools, assumption A6 for pro pools.
  test.each([
    ['community', 'global'],
    ['community', 'local'],
    ['pro', 'global'],
    ['pro', 'local'],
  ] as const)('of a %s pool in %s mode comes from one account alone', async (name, mode) => {
    type Fees = Pick<ProtocolConfig, 'marketCapBasedFees' | 'slotOffsetBasedFees'>;
    const fill = <TGroup extends object>(group: TGroup, of: (index: number) => unknown) =>
      Object.fromEntries(Object.keys(group).map((type, index) => [type, of(index)])) as TGroup;
    const from = (cap: number, slot: number, lastSlot: number) => (fees: Fees) => ({
      marketCapBasedFees: fill(fees.marketCapBasedFees, (k) => createFeeBrackets([2n ** 64n - 1n, cap + k])),
      slotOffsetBasedFees: fill(fees.slotOffsetBasedFees, (k) => createSlotFeeBrackets([lastSlot, slot + k])),
    });
    const [used, decoy] = [from(97, 60, 7), from(11, 21, 100)];
    const [caps, slots] = [
      [97, 98, 99, 100, 101],
      [60, 61, 62, 63, 64],
    ];
    const { pool, protocolConfig, mint } = ledger.pools[name];
    const isLocal = mode === 'local';
    ledger.updateConfig(protocolConfig, isLocal ? decoy : used);
    ledger.updatePool(pool, (state) => ({
      ...(isLocal ? used : decoy)(state),
      feeConfigurationMode: isLocal ? 1 : 0,
      createdAtSlot: ledger.slot,
    }));

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

  test.each([undefined, null, 7, {}])('of %j is rejected', async (value) => {
    await expectRefusal(async () => toFeeSchedule(value as never), 'invalid-input', { field: 'source' });
  });
});
