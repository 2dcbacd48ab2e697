import {
  AccountRole,
  type Address,
  address,
  createNoopSigner,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  buildBuy,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProRemoveLiquidity,
  buildProSell,
  buildSell,
  createHeavenClient,
  type FailedSimulation,
  fetchPoolSnapshot,
  getLpBalance,
  type HeavenClient,
  isHeavenError,
  quoteBuy,
  quoteProAddLiquidity,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  type Simulation,
  type SuccessfulSimulation,
  simulate,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, type SamplePool } from '../../src/testing/index.js';

let ledger: EmbeddedLedger;
let client: HeavenClient;
let wallet: Address;
beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  client = createHeavenClient({ rpc: ledger.rpc });
  wallet = (await generateKeyPairSigner()).address;
  ledger.setBalance(wallet, 10_000_000_000n);
});

const succeeded = (simulation: Simulation): SuccessfulSimulation => {
  if (!simulation.ok) throw new Error(simulation.error.message);
  return simulation;
};
const failed = (simulation: Simulation): FailedSimulation => {
  if (simulation.ok) throw new Error('It succeeded.');
  return simulation;
};

/** The documented priority fee: 200000 units at 40000000 micro-lamports, and 5000 for the signature. */
const TRADE_FEE = 8_005_000n;
const event = { encodedUserDefinedEventData: '' };

async function buy(pool: SamplePool, options: object = {}) {
  const { mint, configVersion } = pool;
  const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
  return {
    quote,
    built: await buildBuy(client, { payer: wallet, quoteResponse: quote, ...event, ...options }),
  };
}

async function sell(pool: SamplePool, options: object = {}) {
  const { mint, configVersion, tokenProgram } = pool;
  const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, { mint, owner: wallet, amount: 5_000_000_000_000n });
  const quote = await quoteSell(client, { configVersion, mint, amountInUi: '1000', slippageBps: 50 });
  return {
    quote,
    built: await buildSell(client, { payer: wallet, quoteResponse: quote, ...event, ...options }),
  };
}

describe('a buy', () => {
  // LIGHT: reserves 103927583151068173 and 1558777720473; 1.5 SOL less 50 and 100 bps is 1477500000 net.
  const OUT = (103_927_583_151_068_173n * 1_477_500_000n) / (1_558_777_720_473n + 1_477_500_000n);

  test('changes the balances by what the quote says, to the unit', async () => {
    const { quote, built } = await buy(ledger.pools.creator);
    const simulation = succeeded(await simulate(client, built, { quote }));
    // 182 bytes: what the associated token program adds to a token with transfer fees.
    const rent = (182n + 128n) * 5_080n;
    expect(simulation.sol).toEqual({
      before: 10_000_000_000n,
      after: 10_000_000_000n - 1_500_000_000n - TRADE_FEE - rent,
      change: -1_500_000_000n - TRADE_FEE - rent,
    });
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

  test.each(['associated', 'temporary'] as const)(
    'with %s wrapped SOL leaves no wrapped SOL behind',
    async (wrapSol) => {
      const { quote, built } = await buy(ledger.pools.community, { wrapSol });
      const { tokens, comparison } = succeeded(await simulate(client, built, { quote }));
      expect(tokens).toHaveLength(1);
      expect(comparison?.difference).toBe(0n);
    },
  );

  test('emits the trade event, with the reserves behind it', async () => {
    const { built } = await buy(ledger.pools.creator, { encodedUserDefinedEventData: 'campaign' });
    const { events, truncated } = await simulate(client, built);
    expect(truncated).toBe(false);
    expect(events.map(({ name }) => name)).toEqual(['UserDefinedEvent', 'TradeEvent']);
    expect(events[0]?.data).toMatchObject({ instructionName: 'buy', base64Data: 'campaign' });
    expect(events[1]?.data).toMatchObject({
      baseReserve: 103_927_583_151_068_173n - OUT,
      quoteReserve: 1_558_777_720_473n + 1_477_500_000n,
      baseOut: OUT,
      quoteIn: 1_500_000_000n,
      totalFeePaid: 22_500_000n,
    });
  });

  test('suggests a tenth more compute units than were used, rounded up to thousands', async () => {
    const { built } = await buy(ledger.pools.creator);
    const { computeUnits, suggestedComputeUnitLimit } = succeeded(await simulate(client, built));
    expect(computeUnits).toBe(150 + 150 + 22_000 + 150 + 3_000 + 22_000 + 70_000 + 3_000);
    expect(suggestedComputeUnitLimit).toBe(133_000);
    const again = await buy(ledger.pools.creator, { computeUnitLimit: suggestedComputeUnitLimit });
    expect((await simulate(client, again.built)).ok).toBe(true);
  });

  test('leaves the ledger as it is, and two calls are all it takes', async () => {
    const { built } = await buy(ledger.pools.creator);
    const before = ledger.requests.length;
    const pool = ledger.getAccount(ledger.pools.creator.pool);
    await simulate(client, built);
    expect(
      ledger.requests
        .slice(before)
        .map(({ method }) => method)
        .sort(),
    ).toEqual(['getMultipleAccounts', 'simulateTransaction']);
    expect(ledger.getAccount(ledger.pools.creator.pool)).toBe(pool);
    expect(ledger.getAccount(wallet)?.lamports).toBe(10_000_000_000n);
  });
});

describe('a sell', () => {
  test.each(['associated', 'temporary', 'none'] as const)(
    'with %s wrapped SOL pays what the quote says',
    async (wrapSol) => {
      const { quote, built } = await sell(ledger.pools.creator, { wrapSol });
      const gross =
        (1_558_777_720_473n * 1_000_000_000_000n) / (103_927_583_151_068_173n + 1_000_000_000_000n);
      const out = gross - (gross * 50n) / 10_000n - (gross * 100n) / 10_000n;
      const { comparison, tokens } = succeeded(await simulate(client, built, { quote }));
      expect(comparison).toMatchObject({ side: 'sell', quoted: out, simulated: out, difference: 0n });
      expect(tokens.find(({ mint }) => mint === ledger.pools.creator.mint)?.change).toBe(-1_000_000_000_000n);
    },
  );

  test('separates its proceeds from a tip, and says if an instruction could hide SOL', async () => {
    const tip: Instruction = getTransferSolInstruction({
      source: { address: wallet } as never,
      destination: ledger.pools.pro.creator,
      amount: 1_000_000n,
    });
    const after = [
      {
        ...tip,
        accounts: [
          { address: wallet, role: 3 },
          { address: ledger.pools.pro.creator, role: 1 },
        ],
      },
    ];
    const tipped = await sell(ledger.pools.creator, { after });
    expect(
      succeeded(await simulate(client, tipped.built, { quote: tipped.quote })).comparison?.difference,
    ).toBe(0n);

    const memo = { programAddress: MEMO, data: new Uint8Array([65]) };
    ledger.setBehavior({ scripted: { [memo.programAddress]: 'success' } });
    const noted = await sell(ledger.pools.creator, { after: [memo] });
    expect(succeeded(await simulate(client, noted.built, { quote: noted.quote })).comparison).toMatchObject({
      simulated: undefined,
      difference: undefined,
    });
  });
});

const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}
interface Answer {
  readonly result: { readonly context: { readonly slot: bigint }; readonly value: object };
}

/** The ledger behind a node whose answers are changed on their way. */
const changing = (change: (call: Call, answer: Answer) => Partial<Answer['result']>) => {
  const transport = (async (config) => {
    const answer = (await ledger.transport(config)) as Answer;
    const { payload } = config as { readonly payload: Call };
    return { ...answer, result: { ...answer.result, ...change(payload, answer) } };
  }) as typeof ledger.transport;
  return createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi> });
};

describe('a transfer beside a sell', () => {
  const AMOUNT = 3_000_000n;
  const transfer = (source: Address, destination: Address) =>
    getTransferSolInstruction({ source: createNoopSigner(source), destination, amount: AMOUNT });
  const friend = () => ledger.pools.community.creator;

  test('by somebody else to a third does not count as proceeds', async () => {
    const { quote, built } = await sell(ledger.pools.creator, {
      after: [transfer(friend(), ledger.pools.pro.creator)],
    });
    const { comparison, fee } = succeeded(await simulate(client, built, { quote }));
    expect(comparison?.difference).toBe(0n);
    // One more signature.
    expect(fee).toBe(TRADE_FEE + 5_000n);
  });

  test('by somebody else to the seller does not count as proceeds either', async () => {
    const { quote, built } = await sell(ledger.pools.creator, { after: [transfer(friend(), wallet)] });
    expect(succeeded(await simulate(client, built, { quote })).comparison?.difference).toBe(0n);
  });

  test('from the fee payer to the owner stays with the two', async () => {
    const { quote, built } = await sell(ledger.pools.creator, { after: [transfer(wallet, friend())] });
    const { comparison } = succeeded(await simulate(client, built, { quote, owner: friend() }));
    expect(comparison?.difference).toBe(0n);
  });

  test('into an account that is closed in the end comes back', async () => {
    const account = await findAssociatedTokenAddress({ owner: wallet, mint: WRAPPED_SOL_MINT_ADDRESS });
    const { quote, built } = await sell(ledger.pools.creator, { before: [transfer(wallet, account)] });
    // As a node gives a closed account: empty.
    const empty = { data: ['', 'base64'], owner: '11111111111111111111111111111111', lamports: 0n };
    const other = changing(({ method }, { result: { value } }) => {
      if (method !== 'simulateTransaction') return {};
      const { accounts } = value as { readonly accounts: readonly (object | null)[] };
      return { value: { ...value, accounts: accounts.map((after) => after ?? empty) } };
    });
    for (const node of [client, other])
      expect(succeeded(await simulate(node, built, { quote })).comparison?.difference).toBe(0n);
  });
});

describe('the fee if the node does not state it', () => {
  const silent = () =>
    changing(({ method }, { result: { value } }) =>
      method === 'simulateTransaction' ? { value: { ...value, fee: null } } : {},
    );

  test.each([
    // Micro-lamports: 1400000, 1000000 and 1000001, rounded up to lamports.
    [200_000, 7n, 5_002n],
    [200_000, 5n, 5_001n],
    [1_000_001, 1n, 5_002n],
    [200_000, 40_000_000n, TRADE_FEE],
    [200_000, 0n, 5_000n],
    [0, 0n, 5_000n],
    // Without a limit, 3000 units for each of two builtins, and 200000 for each of five others.
    [0, 1n, 5_002n],
  ])('is worked out: a limit of %i at %s micro-lamports', async (computeUnitLimit, computeUnitPrice, fee) => {
    const { built } = await buy(ledger.pools.creator, { computeUnitLimit, computeUnitPrice });
    expect(succeeded(await simulate(silent(), built)).fee).toBe(fee);
  });

  test('counts each signature', async () => {
    const source = createNoopSigner(ledger.pools.community.creator);
    const after = [getTransferSolInstruction({ source, destination: wallet, amount: 1n })];
    const { built } = await buy(ledger.pools.creator, { after });
    expect(succeeded(await simulate(silent(), built)).fee).toBe(TRADE_FEE + 5_000n);
  });
});

test('a multisig of the token program is not a token account, whatever its bytes', async () => {
  const { address: multisig } = await generateKeyPairSigner();
  // Where a token account has its owner, amount and state.
  const data = new Uint8Array(355).fill(1);
  data.set(getAddressEncoder().encode(wallet), 32);
  ledger.setAccount(multisig, { owner: TOKEN_PROGRAM_ADDRESS, data });
  ledger.setBehavior({ scripted: { [MEMO]: 'success' } });
  const memo = { programAddress: MEMO, accounts: [{ address: multisig, role: AccountRole.WRITABLE }] };
  const { built } = await buy(ledger.pools.creator, { after: [memo] });
  const { tokens } = succeeded(await simulate(client, built));
  expect(tokens.map(({ mint }) => mint)).toEqual([ledger.pools.creator.mint]);
});

test('a token with a transfer fee arrives less the fee, as quoted', async () => {
  const { creator } = ledger.pools;
  const fee = { epoch: 0n, basisPoints: 150, maximum: 0xffff_ffff_ffff_ffffn };
  ledger.setMint(creator.mint, creator.tokenProgram, {
    decimals: 9,
    supply: 925_699_119_637_156_028n,
    transferFee: { older: fee, newer: fee },
  });
  const { quote, built } = await buy(creator);
  const { comparison } = succeeded(await simulate(client, built, { quote }));
  expect(quote.details.transferFee).toBeGreaterThan(0n);
  expect(comparison).toMatchObject({ quoted: quote.details.amountOut, difference: 0n });
});

test('trades in a pro pool give what was quoted', async () => {
  const { mint, configVersion, pool, tokenProgram } = ledger.pools.pro;
  const terms = { mint, configVersion, pool, slippageBps: 50 };
  const bought = await quoteProBuy(client, { ...terms, maxSolSpend: '2' });
  const input = { payer: wallet, pool, ...event };
  const buyBuilt = await buildProBuy(client, { ...input, quoteResponse: bought });
  expect(succeeded(await simulate(client, buyBuilt, { quote: bought })).comparison?.difference).toBe(0n);

  const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, { mint, owner: wallet, amount: 10n ** 12n });
  const sold = await quoteProSell(client, { ...terms, amountInUi: '1000' });
  const sellBuilt = await buildProSell(client, { ...input, quoteResponse: sold });
  expect(succeeded(await simulate(client, sellBuilt, { quote: sold })).comparison?.difference).toBe(0n);
});

describe('a transaction that would fail', () => {
  const last = (result: FailedSimulation) => result.error;

  test("on its minimum has the error's name", async () => {
    const { built } = await buy(ledger.pools.creator);
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1_700_000_000_000n });
    const result = failed(await simulate(client, built));
    expect(last(result)).toMatchObject({
      code: 6013,
      programAddress: HEAVEN_PROGRAM_ADDRESS,
      instructionIndex: 6,
      programError: { name: 'ExceededSlippage' },
    });
    expect(result.error.message).toContain('ExceededSlippage (6013)');
    expect(result.logs.at(-1)).toBe(`Program ${HEAVEN_PROGRAM_ADDRESS} failed: custom program error: 0x177d`);
  });

  test('on its minimum has the program from the instructions if the node gives no logs', async () => {
    const { built } = await buy(ledger.pools.creator);
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1_700_000_000_000n });
    const silent = changing(({ method }, { result: { value } }) =>
      method === 'simulateTransaction' ? { value: { ...value, logs: null } } : {},
    );
    expect(last(failed(await simulate(silent, built)))).toMatchObject({
      programAddress: HEAVEN_PROGRAM_ADDRESS,
      programError: { name: 'ExceededSlippage' },
    });
  });

  test.each([
    [
      6018,
      () =>
        ledger.updatePool(ledger.pools.creator.pool, ({ allowlist }) => ({
          allowlist: { ...allowlist, swap: 0 },
        })),
    ],
    [
      6019,
      () =>
        ledger.updatePool(ledger.pools.creator.pool, ({ info }) => ({
          info: { ...info, openAt: 9_999_999_999n },
        })),
    ],
    [3012, () => ledger.setAccount(ledger.pools.creator.pool, undefined)],
    [2012, () => ledger.updatePool(ledger.pools.creator.pool, () => ({ tokenAVault: wallet }))],
    [2012, () => ledger.updatePool(ledger.pools.creator.pool, () => ({ tokenBVault: wallet }))],
    [6037, () => {}],
  ] as const)('with the code %i', async (code, change) => {
    let { built } = await buy(ledger.pools.creator);
    if (code === 6037) {
      // Another price account: only the last but one account of the swap is changed.
      const other = createHeavenClient({
        rpc: ledger.rpc,
        deployment: { chainlinkProgram: TOKEN_PROGRAM_ADDRESS },
      });
      const { mint, configVersion } = ledger.pools.creator;
      const snapshot = await fetchPoolSnapshot(client, { mint, configVersion });
      const quoteResponse = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
      built = await buildBuy(other, { payer: wallet, quoteResponse, snapshot, ...event });
    }
    change();
    expect(last(failed(await simulate(client, built))).code).toBe(code);
  });

  test.each([
    [17, { isFrozen: true }],
    [2014, { mint: WRAPPED_SOL_MINT_ADDRESS }],
    [2015, { owner: HEAVEN_PROGRAM_ADDRESS }],
  ])('with the code %i for the token account of the seller', async (code, change) => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const { built } = await sell(ledger.pools.creator);
    const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
    const fields = { mint, owner: wallet, amount: 5_000_000_000_000n, ...change };
    ledger.setTokenAccount(account, tokenProgram, fields);
    expect(last(failed(await simulate(client, built))).code).toBe(code);
  });

  test('because the buyer may not be sent tokens', async () => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const { built } = await buy(ledger.pools.creator);
    const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner: wallet, amount: 0n, isFrozen: true });
    const { error } = failed(await simulate(client, built));
    expect(error.code).toBe(17);
    expect(error.message).toContain('Account is frozen');
  });

  test("for lack of SOL has the program's own words", async () => {
    const { built } = await buy(ledger.pools.creator);
    ledger.setBalance(wallet, 500_000_000n);
    const { error } = failed(await simulate(client, built));
    expect(error.code).toBe(1);
    expect(error.said).toMatch(/^Transfer: insufficient lamports \d+, need 1500000000$/);
    expect(error.message).toContain('insufficient lamports');
  });

  test('before its first instruction has no logs', async () => {
    const { built } = await buy(ledger.pools.creator);
    ledger.setAccount(wallet, undefined);
    expect(failed(await simulate(client, built))).toMatchObject({
      logs: [],
      computeUnits: 0,
      error: { message: expect.stringMatching(/^The transaction failed: AccountNotFound\. /) },
    });
    ledger.setBalance(wallet, 1_000n);
    expect(failed(await simulate(client, built)).error.message).toContain('InsufficientFundsForFee');
  });

  test('for lack of compute units', async () => {
    const { built } = await buy(ledger.pools.creator, { computeUnitLimit: 100_000 });
    const { error, computeUnits } = failed(await simulate(client, built));
    expect(error.message).toContain('ComputationalBudgetExceeded');
    expect(computeUnits).toBe(100_000);
  });

  test('does not fail because its block hash is too old: the node puts in a fresh one', async () => {
    const { built } = await buy(ledger.pools.creator);
    ledger.setSlot(ledger.slot + 151n);
    expect((await simulate(client, built)).ok).toBe(true);
  });

  test('of two swaps, of which a transaction may hold one', async () => {
    const { built } = await buy(ledger.pools.creator);
    const swap = built.instructions.find(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS);
    const twice = await sell(ledger.pools.creator, { after: [swap as Instruction], wrapSol: 'none' });
    expect(failed(await simulate(client, twice.built)).error.code).toBe(6053);
  });

  test("because the ledger can't run it says so", async () => {
    const { pool, creator } = ledger.pools.pro;
    const memo: Instruction = { programAddress: MEMO, data: new Uint8Array([65]) };
    const built = await buildProClaimCreatorFees(client, {
      pool,
      payer: creator,
      amount: 0n,
      after: [memo],
    });
    const { error } = failed(await simulate(client, built));
    expect(error.said).toContain('does not run the program MemoSq4');
  });
});

describe("a node's failure is an error", () => {
  const answering = (method: string, answer: unknown) =>
    createHeavenClient({
      rpc: {
        ...ledger.rpc,
        [method]: () => ({ send: async () => (answer instanceof Error ? Promise.reject(answer) : answer) }),
        getMultipleAccounts: ledger.rpc.getMultipleAccounts.bind(ledger.rpc),
      } as never,
    });
  const codeOf = async (promise: Promise<unknown>) => {
    const error: unknown = await promise.catch((thrown: unknown) => thrown);
    return isHeavenError(error) ? error.code : error;
  };

  test.each([
    ['null', null],
    ['no slot', { value: { err: null } }],
    ['no accounts', { context: { slot: 1n }, value: { err: null, logs: [], accounts: null } }],
  ])('an answer with %s', async (_, answer) => {
    const { built } = await buy(ledger.pools.creator);
    expect(await codeOf(simulate(answering('simulateTransaction', answer), built))).toBe(
      'rpc-invalid-response',
    );
  });

  test('a node without the method', async () => {
    const { built } = await buy(ledger.pools.creator);
    const transport = (async (config: {
      readonly payload: { readonly id: unknown; readonly method: string };
    }) =>
      config.payload.method === 'simulateTransaction'
        ? { jsonrpc: '2.0', id: config.payload.id, error: { code: -32601, message: 'no' } }
        : ledger.transport(config as never)) as typeof ledger.transport;
    const other = createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as never });
    expect(await codeOf(simulate(other, built))).toBe('rpc-method-unsupported');
  });

  test('and so is bad input', async () => {
    const { built } = await buy(ledger.pools.creator);
    expect(await codeOf(simulate(client, built, { owner: 'nobody' as Address }))).toBe('invalid-address');
  });
});

describe('the balances of another owner', () => {
  test('who is not in the transaction are unchanged', async () => {
    const { built } = await buy(ledger.pools.creator);
    const owner = ledger.pools.community.creator;
    const { sol, tokens } = succeeded(await simulate(client, built, { owner }));
    expect(sol).toEqual({ before: 100_000_000_000n, after: 100_000_000_000n, change: 0n });
    expect(tokens).toEqual([]);
  });
});

describe('an execution', () => {
  test('keeps what it did: a buy, and then a sell of what it gave', async () => {
    const { pool, mint, tokenProgram, configVersion } = ledger.pools.community;
    const { quote, built } = await buy(ledger.pools.community);
    const { err } = await ledger.execute(built.tx);
    expect(err).toBeNull();
    const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
    const amountInUi = (Number(quote.details.amountOut) / 1e9).toFixed(0);
    expect(ledger.getAccount(account)?.data.length).toBe(170);
    const snapshot = await fetchPoolSnapshot(client, { mint, configVersion });
    expect(snapshot.reserveA).toBe(304_347_826_086_956_522n - quote.details.amountOut);
    const sold = await quoteSell(client, { mint, configVersion, amountInUi, slippageBps: 50 });
    // In the same slot: the window's price is the worse one.
    expect(sold.details.warnings.map(({ code }) => code)).toContain('sandwich-window');
    const back = await buildSell(client, { payer: wallet, quoteResponse: sold, ...event });
    expect((await ledger.execute(back.tx)).err).toBeNull();
    expect((await fetchPoolSnapshot(client, { mint, configVersion })).addresses.pool).toBe(pool);
  });

  test('that fails costs its fee and nothing else', async () => {
    const { built } = await buy(ledger.pools.creator);
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1_700_000_000_000n });
    const pool = ledger.getAccount(ledger.pools.creator.pool);
    const { err } = await ledger.execute(built.tx);
    expect(err).toEqual({ InstructionError: [6, { Custom: 6013 }] });
    expect(ledger.getAccount(wallet)?.lamports).toBe(10_000_000_000n - TRADE_FEE);
    expect(ledger.getAccount(ledger.pools.creator.pool)?.data).toBe(pool?.data);
  });

  test('of a deposit and its withdrawal moves the position', async () => {
    const { pool, mint, configVersion, creator } = ledger.pools.pro;
    const locator = { pool, mint, configVersion };
    const { maxTokenA, maxTokenB, minLpTokens } = await quoteProAddLiquidity(client, {
      ...locator,
      maxTokenB: 1_000_000_000n,
      slippageBps: 50,
    });
    const limits = { maxTokenA, maxTokenB, minLpTokens };
    const deposit = await buildProAddLiquidity(client, { ...locator, payer: creator, ...limits });
    expect((await ledger.execute(deposit.tx)).err).toBeNull();
    // A 400th of the reserves for a 400th of the LP tokens.
    expect((await getLpBalance(client, { pool, user: creator })).lpTokenBalance).toBe(401_000_000_000n);
    const withdrawal = await buildProRemoveLiquidity(client, {
      ...locator,
      payer: creator,
      lpTokensToBurn: 1_000_000_000n,
      minTokenA: 1_000_000_000_000n,
      minTokenB: 1_000_000_000n,
    });
    expect((await ledger.execute(withdrawal.tx)).err).toBeNull();
    const account = await findAssociatedTokenAddress({ owner: creator, mint: WRAPPED_SOL_MINT_ADDRESS });
    expect(ledger.getAccount(account)).toBeUndefined();
    expect((await getLpBalance(client, { pool, user: creator })).lpTokenBalance).toBe(400_000_000_000n);
  });
});
