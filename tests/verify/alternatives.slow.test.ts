import type { Address } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';

import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  type LiquidityPoolState,
} from '../../src/program/index.js';
import { createFeeBrackets, type Ledger } from '../../src/testing/index.js';
import { ALTERNATIVES, ledgerOf, type VerifySource, verifyOperations } from '../../src/verify/index.js';
import { sampleSource } from './support.js';

// The model with the alternative of an assumption: what it must not read is changed before each transaction, and put back after it.

type State = LiquidityPoolState;
type Fields = Partial<State>;

/** Changes a pool around a transaction. */
interface Bent {
  readonly before?: (state: State, ledger: Ledger) => Fields;
  /** Default: puts back what was changed. */
  readonly after?: (state: State, original: State) => Fields;
  /** Changes a new pool. */
  readonly created?: (state: State, ledger: Ledger) => void | Promise<void>;
}

const creatorBounds = (change: (bound: bigint) => bigint): Bent => ({
  before: ({ marketCapBasedFees: fees }) => {
    const [first, ...others] = fees.creatorTradingFee.brackets;
    if (fees.creatorTradingFee.count !== 2) return {};
    const brackets = [{ ...first!, marketCapUpperBound: change(first!.marketCapUpperBound) }, ...others];
    return { marketCapBasedFees: { ...fees, creatorTradingFee: { ...fees.creatorTradingFee, brackets } } };
  },
});

const otherProtocolFee: Bent = {
  before: ({ feeConfigurationMode, marketCapBasedFees, protocolConfig }, ledger) => {
    if (feeConfigurationMode === 0) return { feeConfigurationMode: 1 };
    const { protocolTradingFee } = decodeProtocolConfig(dataAt(ledger, protocolConfig)).marketCapBasedFees;
    return { marketCapBasedFees: { ...marketCapBasedFees, protocolTradingFee } };
  },
};

type Reserve = State['reserve'];

const window = (change: (reserve: Reserve, slot: bigint) => Partial<Reserve>): Bent => ({
  before: ({ reserve }, { slot }) => ({ reserve: { ...reserve, ...change(reserve, slot) } }),
  // Unless the transaction began a window.
  after: ({ reserve }, { reserve: { snapshotA, snapshotB, snapshotSlot } }) =>
    reserve.snapshotA === 0n || reserve.snapshotA === snapshotA
      ? { reserve: { ...reserve, snapshotA, snapshotB, snapshotSlot } }
      : {},
});

/** Another scale of what has accrued for each LP token. */
const otherScale: Bent = {
  before: ({ reserve }) => {
    const accumulatedFeePerLpToken = reserve.accumulatedFeePerLpToken / 1_000n;
    return { reserve: { ...reserve, accumulatedFeePerLpToken } };
  },
  after: ({ reserve }, { reserve: { accumulatedFeePerLpToken } }) => ({
    reserve: { ...reserve, accumulatedFeePerLpToken },
  }),
};

const dataAt = (ledger: Ledger, address: Address) => ledger.getAccount(address)?.data ?? new Uint8Array();

/** By the name of the row's alternative: the assumption, and how the model differs. */
const BENT: Readonly<Record<string, readonly [assumption: string, Bent]>> = {
  'bounds in whole dollars': ['A5', creatorBounds((bound) => bound * 1_000_000n)],
  'the bound is exclusive': ['A5', creatorBounds((bound) => bound - 1n)],
  "the config's protocol fee": ['A6', otherProtocolFee],
  "the pool's protocol fee": ['A6', otherProtocolFee],
  'a window of one slot': [
    'A7',
    window(({ snapshotSlot }, slot) => (slot === snapshotSlot ? {} : { snapshotA: 0n, snapshotB: 0n })),
  ],
  'a window from its first trade on': [
    'A7',
    window(({ snapshotSlot }, slot) => (slot - snapshotSlot < 6n ? { snapshotSlot: slot } : {})),
  ],
  'a scale of 1e12': ['A8', otherScale],
  'a fixed first supply': [
    'A8',
    {
      created: ({ key: pool, info }, ledger) => {
        const total = 12n ** 9n;
        ledger.updatePool(pool, ({ lpToken }) => ({
          lpToken: { ...lpToken, supply: { ...lpToken.supply, total } },
        }));
        const rest = { rewardDebt: 0n, pendingFees: 0n };
        return ledger.setLpPosition({ pool, user: info.creator, lpTokenBalance: total, ...rest });
      },
    },
  ],
  'no fee': [
    'A12',
    {
      created: ({ key }, ledger) =>
        ledger.updatePool(key, ({ marketCapBasedFees }) => ({
          marketCapBasedFees: { ...marketCapBasedFees, reflectionTradingFee: createFeeBrackets() },
        })),
    },
  ],
  'no such limit': [
    'A13',
    {
      before: ({ protocolConfig }, ledger) => {
        ledger.updateConfig(protocolConfig, () => ({ unstakedWsolReserve: 10n ** 18n }));
        return {};
      },
    },
  ],
};

let source: VerifySource;
beforeAll(async () => {
  source = await sampleSource();
});

/** Verifies the rows with alternatives on a standard and the pro pool. */
async function verifyBent(change: (ledger: Ledger, pools: readonly Address[]) => void) {
  const pools = source.pools.slice(1, 3);
  const open = async () => {
    const ledger = ledgerOf(source);
    change(ledger, pools);
    return ledger;
  };
  return await verifyOperations({ ...source, pools }, open, undefined, ALTERNATIVES);
}

const bend =
  ({ before = () => ({}), after, created = () => {} }: Bent) =>
  (ledger: Ledger, pools: readonly Address[]) => {
    const execute = ledger.execute.bind(ledger);
    ledger.execute = async (tx) => {
      const changes = pools.map((pool) => {
        const original = decodeLiquidityPoolState(dataAt(ledger, pool));
        const change = before(original, ledger);
        ledger.updatePool(pool, () => change);
        return { pool, original, change };
      });
      const known = new Set([...ledger.listAccounts()].map(([address]) => address));
      const outcome = await execute(tx);
      for (const { pool, original, change } of changes) {
        const back = () =>
          Object.fromEntries(Object.keys(change).map((name) => [name, original[name as keyof State]]));
        ledger.updatePool(pool, (state) => (after === undefined ? back() : after(state, original)));
      }
      for (const [address, { data }] of [...ledger.listAccounts()])
        if (!known.has(address) && data.length === POOL_SIZE)
          await created(decodeLiquidityPoolState(data), ledger);
      return outcome;
    };
  };

const POOL_SIZE = 2304;

test('a program that does as assumed does no alternative', async () => {
  const { rows, notRun, assumptions } = await verifyBent(() => {});
  expect(notRun).toEqual([]);
  for (const { input, isEqual, alternative } of rows)
    expect([input, isEqual, alternative?.isEqual]).toEqual([input, true, false]);
  expect(assumptions).toMatchObject({ A1: 'confirmed', A12: 'confirmed', A13: 'confirmed' });
});

test.each(Object.entries(BENT))(
  'a program that does this is told apart: %s',
  async (name, [assumption, bent]) => {
    const { rows, assumptions } = await verifyBent(bend(bent));
    const own = rows.filter(({ alternative }) => alternative?.name === name);
    expect(own.length).toBeGreaterThan(0);
    for (const { isEqual, alternative } of own)
      expect([isEqual, alternative?.isEqual]).toEqual([false, true]);
    expect(assumptions[assumption]).toBe('contradicted');
  },
);

test('a program that accepts everything is told apart', async () => {
  const { rows } = await verifyBent((ledger) => {
    const execute = ledger.execute.bind(ledger);
    ledger.execute = async (tx) => ({ ...(await execute(tx)), err: null });
  });
  const mustFail = rows.filter(({ said }) => typeof said === 'string');
  const assumptions = mustFail.flatMap((row) => row.assumptions);
  expect(new Set(assumptions)).toEqual(new Set(['A1', 'A2', 'A3', 'A13']));
  for (const { isEqual, input } of mustFail) expect([input, isEqual]).toEqual([input, false]);
});
