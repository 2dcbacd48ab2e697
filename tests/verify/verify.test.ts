import { readFileSync } from 'node:fs';

import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';

import { builders, paths } from '../../src/operations/index.js';
import { ASSUMPTIONS, type Assumption } from '../../src/program/assumptions.js';
import { HEAVEN_PROGRAM_ADDRESS, type LiquidityPoolState } from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  type ExchangeBehavior,
  type Ledger,
  type SimulatedTransaction,
} from '../../src/testing/index.js';
import {
  ledgerOf,
  OPERATIONS,
  reasonsOf,
  summaryOf,
  tableOf,
  type VerifyReport,
  type VerifyRow,
  type VerifySource,
  verifyOperations,
} from '../../src/verify/index.js';
import type { MakePlan, Operation } from '../../src/verify/rows/row.js';
import { trade } from '../../src/verify/rows/trades.js';
import { CannotRun } from '../../src/verify/stage.js';
import { sampleSource } from './support.js';

let source: VerifySource;
beforeAll(async () => {
  source = await sampleSource();
});

/** Verifies the model on two pools, after a change of its ledgers. */
const verifyModel = (change: (ledger: Ledger) => void): Promise<VerifyReport> =>
  verifyOperations({ ...source, pools: source.pools.slice(1, 3) }, async () => {
    const ledger = ledgerOf(source);
    change(ledger);
    return ledger;
  });

const names = Object.keys(builders) as (keyof typeof builders)[];
const rowsOf = ({ rows }: VerifyReport, name: string) => rows.filter(({ operation }) => operation === name);

/** The figures of a row that differ, without those of the trade that follows. */
const differing = ({ said, did }: VerifyRow): readonly string[] =>
  typeof said === 'string'
    ? []
    : [...new Set([...Object.keys(said), ...Object.keys(did)])].filter(
        (name) => !name.startsWith('then ') && said[name] !== did[name],
      );

describe('a program that does what the library says', () => {
  let report: VerifyReport;
  beforeAll(async () => {
    report = await verifyOperations(source, async () => ledgerOf(source));
  });

  test('is equal in every row, and every builder has one', () => {
    expect(report.rows.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(report.isEqual).toBe(true);
    expect(new Set(OPERATIONS.map(({ name }) => name))).toEqual(new Set(names));
    for (const name of names) expect(rowsOf(report, name).length, name).toBeGreaterThan(0);
    expect(summaryOf(report)).toMatch(/^Equal: (\d{2,}) of \1\. Did not run: \d+\.$/);
  });

  test('is held against figures that are not all 0', () => {
    for (const { said, operation } of report.rows)
      if (typeof said === 'object') expect(Object.values(said).some(Boolean), operation).toBe(true);
  });

  test('names every assumption that a builder rests on', () => {
    const named = new Set(report.rows.flatMap(({ assumptions }) => assumptions));
    // These need a program that calls the exchange, and a mint with a hook.
    const numbers = Object.keys(ASSUMPTIONS).filter((number) => !['A14', 'A16'].includes(number));
    expect([...named].sort()).toEqual(numbers.sort());
    const told = new Set(OPERATIONS.flatMap(({ tells }) => tells ?? []));
    // What else a launch's table may be, only its size shows.
    expect([...named].filter((assumption) => !told.has(assumption))).toEqual(['A10']);
    const buys = rowsOf(report, 'buildBuy');
    expect(buys[0]?.assumptions).toEqual([]);
    expect(buys.find(({ input }) => input.startsWith('after a buy'))?.assumptions).toEqual(['A7']);
  });

  test('is not confirmed by that: it is the model', () => {
    expect(report.sha256).toBeUndefined();
    expect(new Set(Object.values(report.assumptions))).toEqual(new Set(['untested']));
    expect(Object.keys(report.assumptions)).toEqual(Object.keys(ASSUMPTIONS));
  });

  test('rejects a trade under its minimum, with its error code', () => {
    const [rejected] = rowsOf(report, 'buildSell').filter(({ said }) => said === 'rejected');
    expect(rejected).toMatchObject({ isEqual: true, failed: { code: 6013, reason: 'ExceededSlippage' } });
    const lines = tableOf(report).filter(([name]) => name === 'buildSell');
    const line = lines.find(([, , input]) => /price moved/.test(input ?? ''));
    expect(line?.slice(3)).toEqual(['rejected', 'rejected', 'yes', '6013 ExceededSlippage', '', '']);
  });
});

describe('the register of assumptions', () => {
  const page = readFileSync('docs/protocol.md', 'utf8');
  const rows = [...page.matchAll(/^\| (A\d+) \|[^|]*\|([^|]*)\|/gm)];

  test('is that of the page, and names what there is', () => {
    expect(rows.map(([, number]) => number)).toEqual(Object.keys(ASSUMPTIONS));
    for (const [, number, where] of rows) {
      const [file = '', name = ''] = ASSUMPTIONS[number as Assumption].split(' ');
      expect(where, number).toMatch(new RegExp(`\`(?:${name}|${file}\\.ts)\``));
      expect(readFileSync(`src/${file}.ts`, 'utf8'), number).toMatch(
        new RegExp(`(?:const|function) ${name}\\b`),
      );
    }
  });

  test.each(names)('%s warns of those that its rows rest on and that are about even', async (name) => {
    const [, ...even] = page.match(/(A\d+), (A\d+) and (A\d+) are\s+about even/) ?? [];
    const rests = OPERATIONS.flatMap((one) => (one.name === name ? one.assumes : []));
    const golden = readFileSync('tests/golden/sample.json', 'utf8');
    const [, warned = ''] =
      golden.match(new RegExp(`"${paths[name]}".*?assumes about the program \\((.*?) in`)) ?? [];
    // A transfer moves LP tokens, whatever they stand for.
    const moved = name === 'buildProTransferLp' ? ['A8'] : [];
    expect(
      even.filter((number) => rests.includes(number as Assumption) && !moved.includes(number)).join(', '),
    ).toBe(warned);
  });
});

describe('an assumption', () => {
  const plan: MakePlan = async (stage) => {
    const { pool: address, ...token } = (await createEmbeddedLedger()).pools.creator;
    return await trade(stage, { ...token, address, kind: 'standard' }, 'buy');
  };
  const withOther =
    (change: (said: bigint) => bigint): MakePlan =>
    async (stage) => {
      const ours = await plan(stage);
      const said = ours.said as Record<string, bigint>;
      return {
        ...ours,
        alternatives: [{ name: 'another', said: { ...said, tokens: change(said.tokens!) } }],
      };
    };
  const cannotRun: MakePlan = () => Promise.reject(new CannotRun('a pool is too new'));
  const [telling, silent] = [withOther((tokens) => tokens + 1n), withOther((tokens) => tokens)];
  const wrong: MakePlan = async (stage) => ({ ...(await telling(stage)), said: 'failed' });

  test.each<[string, Readonly<Record<string, MakePlan>>, object]>([
    ['is confirmed by a row that tells it from its alternative', { telling }, { A13: 'confirmed' }],
    ['is not confirmed by a row that is equal either way', { silent }, { A13: 'untested' }],
    ['is not confirmed by a row without an alternative', { plan }, { A13: 'untested' }],
    ['is not confirmed if one of its questions did not run', { telling, cannotRun }, { A13: 'untested' }],
    ['is not confirmed if one of its questions tells nothing', { telling, silent }, { A13: 'untested' }],
    ['is not confirmed without a case', {}, { A13: 'untested' }],
    ['is contradicted by a row that rests on it', { telling, wrong }, { A13: 'contradicted' }],
  ])('%s', async (_, plans, verdicts) => {
    const cases = () => Object.entries(plans).map(([input, make]) => ({ on: 'a pool', input, plan: make }));
    const operation: Operation = { name: 'buildBuy', assumes: ['A13'], tells: 'A13', cases };
    // The model stands in for this program.
    const programs = { [HEAVEN_PROGRAM_ADDRESS]: Uint8Array.of(1) };
    const open = async () => ledgerOf(source);
    const { assumptions } = await verifyOperations({ ...source, programs }, open, undefined, [operation]);
    expect(assumptions).toMatchObject({ ...verdicts, A1: 'untested' });
  });
});

type State = LiquidityPoolState;
type Planted = (ledger: Ledger, outcome: SimulatedTransaction) => void;

/** Changes the pool of a transaction. */
const pool =
  (change: (state: State) => Partial<State>): Planted =>
  (ledger, { accounts }) => {
    for (const [address, { data }] of accounts) if (data.length === 2304) ledger.updatePool(address, change);
  };

const reserve = pool(({ reserve: held }) => ({ reserve: { ...held, tokenA: held.tokenA + 1n } }));
const sameSlot = pool(({ allowlist }) => ({ allowlist: { ...allowlist, sameSlotTrading: 1 } }));

type IsIt = (data: Uint8Array, lamports: bigint) => boolean;

/** Changes what the first account holds that fits. */
const account =
  (isIt: IsIt, change: (ledger: Ledger, at: Address) => void): Planted =>
  (ledger, { accounts }) => {
    const found = [...accounts].find(([, { data, lamports }]) => isIt(data, lamports));
    if (found !== undefined) change(ledger, found[0]);
  };

const wallet = account(
  (data, lamports) => data.length === 0 && lamports > 10n ** 14n,
  (ledger, at) => ledger.setBalance(at, (ledger.getAccount(at)?.lamports ?? 0n) - 1n),
);

const LP_BALANCE_AT = 72;
const position = account(
  (data) => data.length === 97,
  (ledger, at) => {
    const found = ledger.getAccount(at) as { owner: Address; data: Uint8Array };
    const data = Uint8Array.from(found.data);
    data[LP_BALANCE_AT] = (data[LP_BALANCE_AT] as number) ^ 1;
    ledger.setAccount(at, { ...found, data });
  },
);

/** A fee of another rate, and the figure that shows it. */
function fee(which: 'creatorTradingFee' | 'liquidityProviderTradingFee' | 'reflectionTradingFee') {
  const planted = pool(({ marketCapBasedFees: fees }) => {
    const [first, ...others] = fees[which].brackets;
    const brackets = [{ ...first!, sellFeeBps: 9 }, ...others];
    return { marketCapBasedFees: { ...fees, [which]: { ...fees[which], brackets } } };
  });
  return [planted, `marketCapBasedFees.${which}.brackets.0.sellFeeBps`] as const;
}

const more = (name: 'creatorTradingFees' | 'reflectionTradingFees') =>
  pool((state) => ({ [name]: state[name] + 1n }));
const supply = pool(({ lpToken }) => ({
  lpToken: { ...lpToken, supply: { ...lpToken.supply, total: lpToken.supply.total - 1n } },
}));
const maxSlotFee = [
  pool(({ slotOffsetBasedFees: { creatorTradingFee, ...others } }) => ({
    slotOffsetBasedFees: { ...others, creatorTradingFee: { ...creatorTradingFee, maxFeeBps: 1 } },
  })),
  'slotOffsetBasedFees.creatorTradingFee.maxFeeBps',
] as const;
const feeReceiver = pool(({ info }) => ({ creatorTradingFeeReceiver: info.creator }));
const receiver = [feeReceiver, 'creatorTradingFeeReceiver'] as const;

/** One difference for each operation: the instruction, what is changed after it, and the figure that must show it. */
const PLANTED: Readonly<Record<keyof typeof builders, readonly [string, Planted, string]>> = {
  buildBuy: ['Buy', more('creatorTradingFees'), 'creatorTradingFees'],
  buildSell: ['Sell', wallet, 'lamports'],
  buildProBuy: ['ProBuy', reserve, 'reserve.tokenA'],
  buildProSell: ['ProSell', more('reflectionTradingFees'), 'reflectionTradingFees'],
  buildProAddLiquidity: ['AddLiquidityProPool', position, 'LP tokens'],
  buildProRemoveLiquidity: ['RemoveLiquidityProPool', reserve, 'reserve.tokenA'],
  buildProTransferLp: ['TransferLpTokens', position, 'sent'],
  buildProClaimLpFees: ['ClaimProLiquidityProviderTradingFees', wallet, 'lamports'],
  buildClaimCreatorTradingFees: ['ClaimStandardCreatorTradingFees', wallet, 'lamports'],
  buildProClaimCreatorFees: ['ClaimProCreatorTradingFees', more('creatorTradingFees'), 'creatorTradingFees'],
  buildProToggleSwap: ['CreatorToggleProSwap', sameSlot, 'allowlist.sameSlotTrading'],
  buildProToggleDeposit: ['CreatorToggleProDeposit', sameSlot, 'allowlist.sameSlotTrading'],
  buildProToggleWithdraw: ['CreatorToggleProWithdraw', sameSlot, 'allowlist.sameSlotTrading'],
  buildProSetReflectionFee: ['CreatorSetProMarketCapReflectionFee', ...fee('reflectionTradingFee')],
  buildProSetLpFee: ['CreatorSetProMarketCapLpFee', ...fee('liquidityProviderTradingFee')],
  buildProSetMarketCapCreatorFee: ['CreatorSetProMarketCapCreatorFee', ...fee('creatorTradingFee')],
  buildProSetSlotCreatorFee: ['CreatorSetProSlotCreatorFee', ...maxSlotFee],
  buildProUpdateCreatorFeeReceiver: ['UpdateProCreatorTradingFeeReceiver', ...receiver],
  buildCreateStandardLiquidityPool: ['CreateStandardLiquidityPool', reserve, 'reserve.tokenA'],
  buildProCreate: ['CreateProLiquidityPool', supply, 'lpToken.supply.total'],
};

/** Changes a ledger after each successful instruction of a name. */
const plant =
  (instruction: string, change: Planted) =>
  (ledger: Ledger): void => {
    const execute = ledger.execute.bind(ledger);
    ledger.execute = async (tx) => {
      const outcome = await execute(tx);
      const hasRun = outcome.logs.includes(`Program log: Instruction: ${instruction}`);
      if (outcome.err === null && hasRun) change(ledger, outcome);
      return outcome;
    };
  };

describe('a planted difference of one unit', () => {
  let report: VerifyReport;
  beforeAll(async () => {
    report = await verifyModel((ledger) => {
      for (const [instruction, change] of Object.values(PLANTED)) plant(instruction, change)(ledger);
    });
  });

  test.each(names)('of %s is found in every row, and nothing else is', (name) => {
    const rows = rowsOf(report, name).filter(({ said }) => typeof said === 'object');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.isEqual).toBe(false);
      expect(differing(row)).toEqual([PLANTED[name][2]]);
    }
  });

  test('is in the table, with both figures', () => {
    expect(report.isEqual).toBe(false);
    const [row] = rowsOf(report, 'buildSell');
    const { lamports = 0n } = (row?.said ?? {}) as Record<string, bigint>;
    const line = tableOf(report).find(([name]) => name === 'buildSell');
    expect(line?.slice(3)).toEqual([`lamports ${lamports}`, `lamports ${lamports - 1n}`, 'NO', '', '', '']);
  });
});

const behaving = (behavior: ExchangeBehavior) => verifyModel((ledger) => ledger.setBehavior(behavior));

describe('a program that behaves differently', () => {
  test('rejects what must succeed, and accepts what must be rejected', async () => {
    const report = await behaving({ scripted: { transfer_lp_tokens: { custom: 6017 }, sell: 'success' } });
    const [transfer] = rowsOf(report, 'buildProTransferLp');
    const failed = { code: 6017, reason: 'RemoveLiquidityDisabled' };
    expect(transfer).toMatchObject({ isEqual: false, did: {}, failed });
    const sale = rowsOf(report, 'buildSell').find(({ said }) => said === 'rejected');
    expect(sale).toMatchObject({ isEqual: false, did: {} });
    expect(sale).not.toHaveProperty('failed');
  });

  test('fails in what a row only builds on: the row does not run', async () => {
    const report = await behaving({ scripted: { add_liquidity_pro_pool: { runtime: 'InvalidArgument' } } });
    const deposits = rowsOf(report, 'buildProAddLiquidity');
    expect(deposits.length).toBeGreaterThan(2);
    const ours = deposits.filter(({ said }) => typeof said === 'object');
    expect(ours.every(({ failed }) => failed?.reason === 'InvalidArgument')).toBe(true);
    // That it fails with other accounts too tells nothing.
    expect(deposits.filter(({ said }) => said === 'failed')).toEqual([]);
    expect(reasonsOf(report).join('\n')).toContain('it needs the unchanged transaction, which fails');
    expect(rowsOf(report, 'buildProRemoveLiquidity')).toEqual([]);
    expect(reasonsOf(report).join('\n')).toContain('it needs a deposit, which fails: InvalidArgument');
  });
});

test('without any account that an operation needs, nothing runs, and that is not a success', async () => {
  const accounts = source.accounts.filter(({ owner }) => owner.startsWith('Sysvar'));
  const empty = { ...source, accounts };
  const report = await verifyOperations(empty, async () => ledgerOf(empty));
  expect(report).toMatchObject({ rows: [], isEqual: false });
  expect(new Set(report.notRun.map(({ operation }) => operation))).toEqual(new Set(names));
  expect(summaryOf(report)).toMatch(/^Equal: 0 of 0/);
});
