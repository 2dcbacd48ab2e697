import {
  AccountRole,
  type Address,
  createNoopSigner,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  buildBuy,
  buildSell,
  quoteBuy,
  quoteSell,
  reviewTransaction,
  type Simulation,
  simulate,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { LIGHT } from '../mainnet/facts.js';
import { MEMO_PROGRAM_ADDRESS as MEMO } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, lying, termsOf, useLedger } from '../support/ledger.js';

useLedger();
let wallet: Address;
beforeEach(async () => {
  wallet = (await generateKeyPairSigner()).address;
  ledger.setBalance(wallet, 10_000_000_000n);
});

const succeeded = (simulation: Simulation) => {
  if (!simulation.ok) throw new Error(simulation.error.message);
  return simulation;
};

/** The documented priority fee: 200000 units at 40000000 micro-lamports, and 5000 for the signature. */
const TRADE_FEE = 8_005_000n;

async function buy(options: object = {}) {
  const quote = await quoteBuy(client, { ...termsOf(), maxSolSpend: '1.5' });
  return { quote, built: await buildBuy(client, { payer: wallet, quoteResponse: quote, ...options }) };
}

/** Gives the wallet tokens. */
async function holdTokens(change: object = {}) {
  const { mint, tokenProgram } = ledger.pools.creator;
  const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
  const holding = { mint, owner: wallet, amount: 5_000_000_000_000n, ...change };
  ledger.setTokenAccount(account, tokenProgram, holding);
}

async function sell(options: object = {}) {
  await holdTokens();
  const quote = await quoteSell(client, { ...termsOf(), amountInUi: '1000' });
  return { quote, built: await buildSell(client, { payer: wallet, quoteResponse: quote, ...options }) };
}

/** By how much the simulation gives more than the quote. */
const differenceOf = async (
  { quote, built }: Awaited<ReturnType<typeof buy | typeof sell>>,
  on = client,
  options: object = {},
) => succeeded(await simulate(on, built, { quote, ...options })).comparison?.difference;

const memo: Instruction = { programAddress: MEMO, data: new Uint8Array([65]) };

interface Simulated {
  readonly accounts: readonly unknown[];
}
/** The ledger behind a node that answers simulations with other values. */
const giving = (change: (value: Simulated) => object) =>
  lying('simulateTransaction', ({ value, ...result }: { readonly value: Simulated }) => ({
    ...result,
    value: { ...value, ...change(value) },
  }));

describe('a buy', () => {
  // 1.5 SOL less 50 and 100 bps is 1477500000 net.
  const OUT = (LIGHT.reserveA * 1_477_500_000n) / (LIGHT.reserveB + 1_477_500_000n);

  test('changes the balances by what the quote says, to the unit', async () => {
    const { quote, built } = await buy();
    const simulation = succeeded(await simulate(client, built, { quote }));
    // 182 bytes: what the associated token program adds to a token with transfer fees.
    const rent = (182n + 128n) * 5_080n;
    const change = -1_500_000_000n - TRADE_FEE - rent;
    expect(simulation.sol).toEqual({ before: 10_000_000_000n, after: 10_000_000_000n + change, change });
    expect(simulation.tokens).toMatchObject([
      { mint: ledger.pools.creator.mint, before: 0n, after: OUT, change: OUT },
    ]);
    expect(simulation.comparison).toEqual({
      side: 'buy',
      quoted: OUT,
      minimumOut: (OUT * 9_950n) / 10_000n,
      simulated: OUT,
      difference: 0n,
    });
    expect(simulation).toMatchObject({ fee: TRADE_FEE, slot: ledger.slot, slotBefore: ledger.slot });
  });

  test.each([undefined, 'feePayer'] as const)(
    "is the trader's, whose sponsor pays the fee, and rent only as %s",
    async (rentPayer) => {
      const feePayer = (await generateKeyPairSigner()).address;
      ledger.setBalance(feePayer, 10_000_000_000n);
      const { quote, built } = await buy({ feePayer, rentPayer });
      const rent = (182n + 128n) * 5_080n;
      const [ofTrader, ofSponsor] = rentPayer === undefined ? [rent, 0n] : [0n, rent];
      const simulation = succeeded(await simulate(client, built, { quote }));
      expect(simulation.sol.change).toBe(-1_500_000_000n - ofTrader);
      expect(simulation.comparison).toMatchObject({ simulated: OUT, difference: 0n });
      const sponsored = succeeded(await simulate(client, built, { owner: feePayer }));
      expect(sponsored.sol.change).toBe(-TRADE_FEE - 5_000n - ofSponsor);
      expect(sponsored.tokens).toEqual([]);
      const sold = await sell({ feePayer, rentPayer, wrapSol: 'none' });
      expect(await differenceOf(sold)).toBe(0n);
    },
  );

  test('emits the trade event', async () => {
    const { built } = await buy({ encodedUserDefinedEventData: 'campaign' });
    const { events, truncated } = await simulate(client, built);
    expect(truncated).toBe(false);
    expect(events).toMatchObject([
      { name: 'UserDefinedEvent', data: { instructionName: 'buy', base64Data: 'campaign' } },
      { name: 'TradeEvent', data: { baseOut: OUT, quoteIn: 1_500_000_000n, totalFeePaid: 22_500_000n } },
    ]);
  });

  test('suggests a tenth more compute units than were used, rounded up to thousands', async () => {
    const { built } = await buy();
    const { computeUnits, suggestedComputeUnitLimit } = succeeded(await simulate(client, built));
    expect(computeUnits).toBe(150 + 150 + 22_000 + 150 + 3_000 + 22_000 + 70_000 + 3_000);
    expect(suggestedComputeUnitLimit).toBe(133_000);
    const again = await buy({ computeUnitLimit: suggestedComputeUnitLimit });
    expect((await simulate(client, again.built)).ok).toBe(true);
  });

  test('takes two calls', async () => {
    const { built } = await buy();
    const before = ledger.requests.length;
    await simulate(client, built);
    const methods = ledger.requests.slice(before).map(({ method }) => method);
    expect(methods.sort()).toEqual(['getMultipleAccounts', 'simulateTransaction']);
  });
});

describe('a sell', () => {
  test.each(['associated', 'temporary', 'none'] as const)(
    'with %s wrapped SOL pays what the quote says',
    async (wrapSol) => {
      const { quote, built } = await sell({ wrapSol });
      const { reserveA, reserveB } = LIGHT;
      const amountIn = 10n ** 12n;
      const gross = (reserveB * amountIn) / (reserveA + amountIn);
      const out = gross - (gross * 50n) / 10_000n - (gross * 100n) / 10_000n;
      const { comparison, tokens } = succeeded(await simulate(client, built, { quote }));
      expect(comparison).toMatchObject({ side: 'sell', quoted: out, simulated: out, difference: 0n });
      expect(tokens.find(({ mint }) => mint === ledger.pools.creator.mint)?.change).toBe(-amountIn);
    },
  );

  test('beside an instruction that could hide SOL can not be compared', async () => {
    ledger.setBehavior({ scripted: { [MEMO]: 'success' } });
    expect(await differenceOf(await sell({ after: [memo] }))).toBeUndefined();
  });

  describe('is told apart from a transfer beside it', () => {
    const transfer = (source: Address, destination: Address) =>
      getTransferSolInstruction({ source: createNoopSigner(source), destination, amount: 3_000_000n });
    const selling = (...after: readonly Instruction[]) => sell({ after });

    test('by the seller, by somebody else to a third, and to the seller', async () => {
      const [friend, third] = [ledger.pools.community.creator, ledger.pools.pro.creator];
      expect(await differenceOf(await selling(transfer(wallet, third)))).toBe(0n);
      expect(await differenceOf(await selling(transfer(friend, third)))).toBe(0n);
      expect(await differenceOf(await selling(transfer(friend, wallet)))).toBe(0n);
      const toOwner = await selling(transfer(wallet, friend));
      expect(await differenceOf(toOwner, client, { owner: friend })).toBe(0n);
    });

    test('into an account that is closed in the end', async () => {
      const account = await findAssociatedTokenAddress({ owner: wallet, mint: WRAPPED_SOL_MINT_ADDRESS });
      const sold = await sell({ before: [transfer(wallet, account)] });
      // As another node gives a closed account: empty.
      const empty = { data: ['', 'base64'], owner: '11111111111111111111111111111111', lamports: 0n };
      const other = giving(({ accounts }) => ({ accounts: accounts.map((after) => after ?? empty) }));
      for (const node of [client, other]) expect(await differenceOf(sold, node)).toBe(0n);
    });
  });
});

describe('the fee if the node does not state it', () => {
  test.each([
    // Micro-lamports: 1400000 and 1000001, rounded up to lamports.
    [200_000, 7n, 5_002n],
    [1_000_001, 1n, 5_002n],
    [200_000, 40_000_000n, TRADE_FEE],
    [0, 0n, 5_000n],
    // Without a limit, 3000 units for each of two builtins, and 200000 for each of five others.
    [0, 1n, 5_002n],
  ])('is worked out: a limit of %i at %s micro-lamports', async (computeUnitLimit, computeUnitPrice, fee) => {
    const { built } = await buy({ computeUnitLimit, computeUnitPrice });
    expect(
      succeeded(
        await simulate(
          giving(() => ({ fee: null })),
          built,
        ),
      ).fee,
    ).toBe(fee);
  });

  test('counts each signature, as the node does', async () => {
    const source = createNoopSigner(ledger.pools.community.creator);
    const after = [getTransferSolInstruction({ source, destination: wallet, amount: 1n })];
    const { built } = await buy({ after });
    for (const node of [client, giving(() => ({ fee: null }))])
      expect(succeeded(await simulate(node, built)).fee).toBe(TRADE_FEE + 5_000n);
  });
});

test('a multisig of the token program is not a token account, whatever its bytes', async () => {
  const { address: multisig } = await generateKeyPairSigner();
  // Where a token account has its owner, amount and state.
  const data = new Uint8Array(355).fill(1);
  data.set(getAddressEncoder().encode(wallet), 32);
  ledger.setAccount(multisig, { owner: TOKEN_PROGRAM_ADDRESS, data });
  ledger.setBehavior({ scripted: { [MEMO]: 'success' } });
  const after = [{ programAddress: MEMO, accounts: [{ address: multisig, role: AccountRole.WRITABLE }] }];
  const { tokens } = succeeded(await simulate(client, (await buy({ after })).built));
  expect(tokens.map(({ mint }) => mint)).toEqual([ledger.pools.creator.mint]);
});

test('the balances of an owner who is not in the transaction are unchanged', async () => {
  const { built } = await buy();
  const owner = ledger.pools.community.creator;
  const { sol, tokens } = succeeded(await simulate(client, built, { owner }));
  expect(sol).toEqual({ before: 100_000_000_000n, after: 100_000_000_000n, change: 0n });
  expect(tokens).toEqual([]);
});

describe('a transaction that would fail', () => {
  test("on its minimum has the error's name, also if the node gives no logs", async () => {
    const { built } = await buy();
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1_700_000_000_000n });
    const programError = { name: 'ExceededSlippage' };
    const error = { code: 6013, programAddress: HEAVEN_PROGRAM_ADDRESS, instructionIndex: 6, programError };
    for (const node of [client, giving(() => ({ logs: null }))])
      expect(await simulate(node, built)).toMatchObject({ ok: false, error });
  });

  type Built = Awaited<ReturnType<typeof buy>>['built'];
  const bought = async (change: (pool: Address) => void) => {
    const { built } = await buy();
    change(ledger.pools.creator.pool);
    return built;
  };
  const withPool = (change: Parameters<typeof ledger.updatePool>[1]) =>
    bought((pool) => ledger.updatePool(pool, change));
  const soldFrom = async (change: object) => {
    const { built } = await sell();
    await holdTokens(change);
    return built;
  };
  test.each<[number, string, () => Promise<Built>]>([
    [6018, 'swaps are off', () => withPool(({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }))],
    [6019, 'it opens later', () => withPool(({ info }) => ({ info: { ...info, openAt: 9_999_999_999n } }))],
    [3012, 'the pool is gone', () => bought((pool) => ledger.setAccount(pool, undefined))],
    [2012, 'the pool has another vault A', () => withPool(() => ({ tokenAVault: wallet }))],
    [2012, 'the pool has another vault B', () => withPool(() => ({ tokenBVault: wallet }))],
    [17, 'the token account is frozen', () => soldFrom({ isFrozen: true })],
    [2014, 'the token account is of another mint', () => soldFrom({ mint: WRAPPED_SOL_MINT_ADDRESS })],
    [2015, "the token account is another's", () => soldFrom({ owner: HEAVEN_PROGRAM_ADDRESS })],
  ])('with the code %i if %s', async (code, _, build) => {
    expect(await simulate(client, await build())).toMatchObject({ ok: false, error: { code } });
  });

  test("for lack of SOL has the program's own words", async () => {
    const built = await bought(() => ledger.setBalance(wallet, 500_000_000n));
    const said = expect.stringMatching(/^Transfer: insufficient lamports \d+, need 1500000000$/);
    expect(await simulate(client, built)).toMatchObject({ ok: false, error: { code: 1, said } });
  });

  test('before its first instruction has no logs', async () => {
    const built = await bought(() => ledger.setAccount(wallet, undefined));
    const message = expect.stringContaining('AccountNotFound');
    expect(await simulate(client, built)).toMatchObject({ logs: [], computeUnits: 0, error: { message } });
  });

  test('for lack of compute units', async () => {
    const { built } = await buy({ computeUnitLimit: 100_000 });
    const message = expect.stringContaining('ComputationalBudgetExceeded');
    expect(await simulate(client, built)).toMatchObject({ computeUnits: 100_000, error: { message } });
  });

  test('does not fail because its block hash is too old: the node puts in a fresh one', async () => {
    const built = await bought(() => ledger.setSlot(ledger.slot + 151n));
    expect((await simulate(client, built)).ok).toBe(true);
  });
});

test("what no builder returned is an error that says where a service's transaction can be read", async () => {
  const { tx, warnings } = (await buy()).built;
  for (const [given, got] of [
    [tx, /^built is a text, and must be what your own builder returned, whole: inspectTransaction takes/],
    [{ tx, warnings }, /^built must be what your own builder returned, whole: inspectTransaction takes/],
  ] as const)
    for (const read of [simulate, reviewTransaction]) {
      const { message } = await expectRefusal(read(client, given as never), 'invalid-input', {
        field: 'built',
      });
      expect(message).toMatch(got);
      expect(message).not.toContain('secret');
    }
});

test('an owner that is not an address is an error', async () => {
  const { built } = await buy();
  await expectRefusal(simulate(client, built, { owner: 'nobody' as Address }), 'invalid-address');
});
