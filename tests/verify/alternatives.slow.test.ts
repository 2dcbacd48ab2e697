import {
  AccountRole,
  type Address,
  type Base64EncodedWireTransaction,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  type Instruction,
} from '@solana/kit';
import { getMintDecoder, getTokenDecoder, getTokenEncoder } from '@solana-program/token';
import { beforeAll, expect, test } from 'vitest';
import { LP_POSITION } from '../../src/program/addresses.js';
import { PRO_POOL_SEEDS } from '../../src/program/assumptions.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../../src/program/constants.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
  encodeUserLpPosition,
  HEAVEN_PROGRAM_ADDRESS,
  type LiquidityPoolState,
} from '../../src/program/index.js';
import { findInstructionDeclaration } from '../../src/program/instructions/declarations.js';
import { readWireTransaction } from '../../src/solana/message.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../src/solana/programs.js';
import {
  createFeeBrackets,
  encodeMint,
  type Ledger,
  type LedgerAccount,
  type SimulatedTransaction,
} from '../../src/testing/index.js';
import { unsignedTransaction } from '../../src/testing/wire.js';
import { ALTERNATIVES, ledgerOf, type VerifySource, verifyOperations } from '../../src/verify/index.js';
import { noopProgram } from '../svm/programs.js';
import { sampleSource } from './support.js';

// The model with the alternative of an assumption: what it must not read is changed before each transaction, and put back after it.

type State = LiquidityPoolState;
type Fields = Partial<State>;

/** Changes a pool around a transaction. */
interface Bent {
  readonly before?: (state: State, ledger: Ledger, tx: Wire) => Fields;
  /** Default: puts back what was changed. */
  readonly after?: (state: State, original: State, tx: Wire) => Fields;
  /** Changes a new pool. */
  readonly created?: (state: State, ledger: Ledger) => void | Promise<void>;
  /** Runs a transaction in place of the ledger. */
  readonly run?: (tx: Wire, execute: Execute, ledger: Ledger) => Promise<SimulatedTransaction>;
}

type Wire = Base64EncodedWireTransaction;
type Execute = (tx: Wire) => Promise<SimulatedTransaction>;

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

/** Another scale of what has accrued for each LP token: here all 7e9 of it, which positions have pending instead. */
const scale = (unit: bigint): Bent => ({
  before: ({ key: pool, reserve }, ledger) => {
    if (reserve.accumulatedFeePerLpToken < 7_000_000_000n) return {};
    for (const [address, { data }] of ledger.listAccounts()) {
      if (data.length !== POSITION_SIZE) continue;
      const position = decodeUserLpPosition(data, address);
      const pendingFees = (position.lpTokenBalance * 7_000_000_000n) / unit;
      if (position.pool !== pool) continue;
      const account = {
        owner: HEAVEN_PROGRAM_ADDRESS,
        data: encodeUserLpPosition({ ...position, pendingFees }),
      };
      ledger.setAccount(address, account);
    }
    return { reserve: { ...reserve, accumulatedFeePerLpToken: 0n } };
  },
  after: ({ reserve }, { reserve: { accumulatedFeePerLpToken } }) => ({
    reserve: { ...reserve, accumulatedFeePerLpToken },
  }),
});

const exchangeIn = (tx: Wire) =>
  readWireTransaction(tx).instructions.flatMap(({ programAddress, data }) => {
    const bytes = Uint8Array.from(data);
    const name = findInstructionDeclaration(bytes)?.name;
    return programAddress !== HEAVEN_PROGRAM_ADDRESS || name === undefined ? [] : [{ name, data: bytes }];
  });

const soldBy = (tx: Wire): bigint => {
  const [instruction] = exchangeIn(tx);
  if (instruction === undefined || !/sell$/.test(instruction.name)) return 0n;
  return new DataView(instruction.data.buffer).getBigUint64(8, true);
};

/** A sell in a window at the recorded price: on a curve of 100 times the recorded reserves, less what is sold. */
const atRecordedPrice: Bent = {
  before: ({ reserve }, { slot }, tx) => {
    const { snapshotA, snapshotB } = reserve;
    if (soldBy(tx) === 0n || snapshotA <= reserve.tokenA || slot - reserve.snapshotSlot >= 4n) return {};
    const [tokenA, tokenB] = [snapshotA * 100n - soldBy(tx), snapshotB * 100n];
    return { reserve: { ...reserve, tokenA, tokenB, snapshotA: 0n, snapshotB: 0n } };
  },
  after: ({ reserve }, { reserve: { tokenA, tokenB, snapshotA, snapshotB } }, tx) =>
    reserve.tokenA < snapshotA * 99n
      ? {}
      : {
          reserve: {
            ...reserve,
            ...{ snapshotA, snapshotB, tokenA: tokenA + soldBy(tx) },
            tokenB: tokenB - (snapshotB * 100n - reserve.tokenB),
          },
        },
};

/** Derives addresses in another way while a transaction of a kind runs. */
const derives = (kind: RegExp, change: () => () => void): Bent => ({
  run: async (tx, execute) => {
    const back = exchangeIn(tx).some(({ name }) => kind.test(name)) ? change() : () => {};
    try {
      return await execute(tx);
    } finally {
      back();
    }
  },
});

const dataAt = (ledger: Ledger, address: Address) => ledger.getAccount(address)?.data ?? new Uint8Array();

/** A deposit that takes a unit less of each side. */
async function deposited(tx: Wire, execute: Execute, ledger: Ledger): Promise<SimulatedTransaction> {
  const outcome = await execute(tx);
  const isDeposit = exchangeIn(tx).some(({ name }) => name === 'add_liquidity_pro_pool');
  if (outcome.err !== null || !isDeposit) return outcome;
  const [payer] = readWireTransaction(tx).staticAccounts as [Address];
  for (const [address, { data }] of outcome.accounts) {
    const account = ledger.getAccount(address);
    if (account === undefined) continue;
    if (address === payer) ledger.setBalance(address, account.lamports + 1n);
    if (data.length === POOL_SIZE)
      ledger.updatePool(address, ({ reserve }) => ({
        reserve: { ...reserve, tokenA: reserve.tokenA - 1n, tokenB: reserve.tokenB - 1n },
      }));
    if (data.length < 165 || data.length === POOL_SIZE) continue;
    const token = getTokenDecoder().decode(data);
    if (token.owner !== payer || token.mint === WRAPPED_SOL_MINT_ADDRESS) continue;
    const changed = Uint8Array.from(account.data);
    changed.set(getTokenEncoder().encode({ ...token, amount: token.amount + 1n }));
    ledger.setAccount(address, { ...account, data: changed });
  }
  return outcome;
}

/** Adds the price accounts to a transaction that lacks them. */
async function withPrice(tx: Wire, execute: Execute, ledger: Ledger): Promise<SimulatedTransaction> {
  const wire = readWireTransaction(tx);
  const [payer] = wire.staticAccounts as [Address];
  const before = ledger.getAccount(payer);
  const outcome = await execute(tx);
  if (outcome.err === null) return outcome;
  // The failure's fee.
  ledger.setAccount(payer, before);
  const message = getCompiledTransactionMessageDecoder().decode(wire.messageBytes);
  const instructions: readonly Instruction[] = decompileTransactionMessage(message).instructions;
  const whole = instructions.map((one) =>
    one.programAddress === HEAVEN_PROGRAM_ADDRESS && !one.accounts?.some(isFeed)
      ? { ...one, accounts: [...(one.accounts ?? []), ...PRICE] }
      : one,
  );
  return await execute(
    getBase64EncodedWireTransaction(unsignedTransaction(0, payer, wire.lifetimeToken, whole)),
  );
}

const isFeed = ({ address }: { readonly address: Address }) => address === SOL_USD_FEED_ADDRESS;
const PRICE = [CHAINLINK_STORE_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS].map((address) => ({
  address,
  role: AccountRole.READONLY,
}));

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
  'filled at the recorded price': ['A7', atRecordedPrice],
  'a scale of 1e12': ['A8', scale(10n ** 12n)],
  'a scale of 2^64': ['A8', scale(2n ** 64n)],
  'what it takes is rounded down': ['A8', { run: deposited }],
  'a fixed part of it is locked': [
    'A8',
    {
      created: ({ key: pool, info, lpToken }, ledger) =>
        ledger.setLpPosition({
          pool,
          user: info.creator,
          lpTokenBalance: lpToken.supply.total - 12n ** 9n,
          ...{ rewardDebt: 0n, pendingFees: 0n },
        }),
    },
  ],
  'the creator comes before the mints in the seeds': [
    'A1',
    derives(/^create_pro/, () => {
      const seeds: string[] = PRO_POOL_SEEDS as unknown as string[];
      seeds.unshift(...seeds.splice(2));
      return () => seeds.push(...seeds.splice(0, 1));
    }),
  ],
  'the prefix is in capitals': [
    'A2',
    derives(/^add_liquidity/, () => {
      const position: { prefix: string } = LP_POSITION;
      const { prefix } = position;
      position.prefix = prefix.toUpperCase();
      return () => {
        position.prefix = prefix;
      };
    }),
  ],
  'it needs no price accounts': ['A3', { run: withPrice }],
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
  'the program gives the transfer fee back': [
    'A15',
    {
      run: async (tx, execute, ledger) => {
        const mint = ledger.getAccount(LIGHT) as Required<LedgerAccount>;
        const fee = { epoch: 0n, basisPoints: 0, maximum: 0n };
        const { decimals, supply } = getMintDecoder().decode(mint.data);
        const data = encodeMint({ decimals, supply, transferFee: { older: fee, newer: fee } });
        ledger.setAccount(LIGHT, { ...mint, data });
        const outcome = await execute(tx);
        ledger.setAccount(LIGHT, mint);
        return outcome;
      },
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
async function verifyBent(
  change: (ledger: Ledger, pools: readonly Address[]) => void,
  operations = ALTERNATIVES,
) {
  const pools = source.pools.slice(1, 3);
  const open = async () => {
    const ledger = ledgerOf(source);
    change(ledger, pools);
    return ledger;
  };
  const programs = { [HEAVEN_PROGRAM_ADDRESS]: noopProgram() };
  return await verifyOperations({ ...source, pools, programs }, open, undefined, operations);
}

const bend =
  ({ before = () => ({}), after, created = () => {}, run = (tx, execute) => execute(tx) }: Bent) =>
  (ledger: Ledger, pools: readonly Address[]) => {
    const execute = ledger.execute.bind(ledger);
    ledger.execute = async (tx) => {
      const changes = pools.map((pool) => {
        const original = decodeLiquidityPoolState(dataAt(ledger, pool));
        const change = before(original, ledger, tx);
        ledger.updatePool(pool, () => change);
        return { pool, original, change };
      });
      const known = new Set([...ledger.listAccounts()].map(([address]) => address));
      const outcome = await run(tx, execute, ledger);
      for (const { pool, original, change } of changes) {
        const back = () =>
          Object.fromEntries(Object.keys(change).map((name) => [name, original[name as keyof State]]));
        ledger.updatePool(pool, (state) => (after === undefined ? back() : after(state, original, tx)));
      }
      for (const [address, { data }] of [...ledger.listAccounts()])
        if (!known.has(address) && data.length === POOL_SIZE)
          await created(decodeLiquidityPoolState(data), ledger);
      return outcome;
    };
  };

const POOL_SIZE = 2304;
const POSITION_SIZE = 97;
const LIGHT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;

test('a program that does as assumed does no alternative', async () => {
  const { rows, notRun, assumptions } = await verifyBent(() => {});
  expect(notRun).toEqual([]);
  for (const { input, isEqual, alternatives } of rows) {
    expect(alternatives.length, input).toBeGreaterThan(0);
    expect([input, isEqual, alternatives.some((each) => each.isEqual)]).toEqual([input, true, false]);
  }
  // Each alternative has a program of its own below.
  const names = rows.flatMap(({ alternatives }) => alternatives.map(({ name }) => name));
  expect(new Set(names)).toEqual(new Set(Object.keys(BENT)));
  const told = ['A1', 'A2', 'A3', 'A5', 'A6', 'A7', 'A8', 'A12', 'A13', 'A15'];
  expect(Object.keys(assumptions).filter((number) => assumptions[number] === 'confirmed')).toEqual(told);
});

test.each(Object.entries(BENT))(
  'a program that does this is told apart: %s',
  async (name, [assumption, bent]) => {
    const { rows, assumptions } = await verifyBent(bend(bent));
    const done = rows.flatMap(({ isEqual, alternatives }) =>
      alternatives.flatMap((each) => (each.name === name ? [[isEqual, each.isEqual]] : [])),
    );
    expect(new Set(done.map(String))).toEqual(new Set(['false,true']));
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
