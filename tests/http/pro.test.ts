import type { Address, Instruction } from '@solana/kit';
import {
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
  type LiquidityPoolAllowlist,
  parseHeavenInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import type { SamplePool } from '../../src/testing/index.js';
import { OTHER } from '../support/addresses.js';
import { CATCH_ALL, LARGE, ODD } from '../support/amounts.js';
import { caseOf } from '../support/errors.js';
import { EMPTY_TABLE, enlargeProPool } from '../support/large-pro-pool.js';
import {
  assertTransactionDetails,
  createService,
  errorOf,
  exchangeInstructionOf,
  fieldsOf,
  instructionsOf,
  jsonText,
  kindOf,
  objectText,
  ok,
  PROGRAM,
  post,
  readJson,
  type Service,
} from './support.js';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;

let service: Service;
let pro: SamplePool;

beforeEach(async () => {
  service = await createService();
  const { ledger } = service;
  pro = ledger.pools.pro;
  await enlargeProPool(ledger);
  ledger.setTokenAccount(
    await findAssociatedTokenAddress({ owner: WALLET, mint: pro.mint }),
    TOKEN_PROGRAM_ADDRESS,
    { mint: pro.mint, owner: WALLET, amount: 2n * LARGE },
  );
});

type Fields = Readonly<Record<string, string | undefined>>;

/** JSON text. */
const text = (value: unknown) => JSON.stringify(value);

const list = (...items: readonly string[]) => `[${items.join(',')}]`;

const bracket = (bound: bigint | string, buy: number | string, sell: number | string) =>
  objectText({
    market_cap_upper_bound: String(bound),
    buy_fee_bps: String(buy),
    sell_fee_bps: String(sell),
  });
const slotBracket = (bound: number | string, buy: number | string, sell: number | string) =>
  objectText({ slot_offset_upperbound: String(bound), buy_fee_bps: String(buy), sell_fee_bps: String(sell) });

/** The last bound but one is past 2^53, the last one the maximum int64. */
const BRACKETS = list(bracket(ODD, 300, 400), bracket(CATCH_ALL, 100, 200));
const BRACKET_VALUES = [
  { marketCapUpperBound: ODD, buyFeeBps: 300, sellFeeBps: 400 },
  { marketCapUpperBound: CATCH_ALL, buyFeeBps: 100, sellFeeBps: 200 },
];
const NO_BRACKET = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
const SCHEDULE = {
  brackets: list(slotBracket(5, 5_000, 4_000), slotBracket(15, 1_000, 1_000)),
  max_slot_offset: '15',
  max_fee_bps: '5000',
  enabled: 'true',
};
const SLOT_VALUES = [
  { slotOffsetUpperbound: 5, buyFeeBps: 5_000, sellFeeBps: 4_000 },
  { slotOffsetUpperbound: 15, buyFeeBps: 1_000, sellFeeBps: 1_000 },
];
const NO_SLOT = { slotOffsetUpperbound: 0, buyFeeBps: 0, sellFeeBps: 0 };

const program = () => ({ program_id: text(PROGRAM) });
const locator = () => ({ ...program(), config_version: '3', mint: text(pro.mint), pool: text(pro.pool) });
const own = () => ({ ...program(), pool: text(pro.pool), payer: text(pro.creator) });
const quoteOf = async (side: 'buy' | 'sell', amount: string) =>
  await ok(
    service.handler,
    `/quote/pro/${side}`,
    objectText({
      ...locator(),
      [side === 'buy' ? 'max_sol_spend' : 'amount_in_ui']: amount,
      slippage_bps: '50',
    }),
  );
const trade = async (side: 'buy' | 'sell', amount: string) => ({
  payer: text(pro.creator),
  pool: text(pro.pool),
  quote_response: await quoteOf(side, amount),
  encoded_user_defined_event_data: '""',
});

/** A valid request of each path, as JSON text by field: the required fields and no other. */
const VALID = {
  '/data/lp-balance': () => ({ ...program(), pool: text(pro.pool), user: text(pro.creator) }),
  '/quote/pro/buy': () => ({ ...locator(), max_sol_spend: '1.5', slippage_bps: '50' }),
  '/quote/pro/sell': () => ({ ...locator(), amount_in_ui: '1000.5', slippage_bps: '50' }),
  '/tx/pro/buy': () => trade('buy', '9007199.254740993'),
  '/tx/pro/sell': () => trade('sell', '9007199254.740993'),
  '/tx/pro/create': () => ({
    ...program(),
    payer: text(OTHER),
    creator: text(WALLET),
    encoded_user_defined_event_data: '"ref:42"',
    config_version: '3',
    mint: text(pro.mint),
    initial_token_a_amount: String(LARGE),
    initial_token_b_amount: String(ODD),
    lut_address: text(EMPTY_TABLE),
  }),
  '/tx/pro/add-liquidity': () => ({
    ...locator(),
    payer: text(pro.creator),
    max_token_a: String(LARGE),
    max_token_b: '1000000',
    min_lp_tokens: String(ODD),
  }),
  '/tx/pro/remove-liquidity': () => ({
    ...locator(),
    payer: text(pro.creator),
    lp_tokens_to_burn: String(LARGE),
    min_token_a: String(ODD),
    min_token_b: String(ODD + 2n),
  }),
  '/tx/pro/claim-creator-fees': own,
  '/tx/pro/claim-lp-fees': own,
  '/tx/pro/toggle-swap': () => ({ ...own(), enabled: 'false' }),
  '/tx/pro/toggle-deposit': () => ({ ...own(), enabled: 'false' }),
  '/tx/pro/toggle-withdraw': () => ({ ...own(), enabled: 'false' }),
  '/tx/pro/set-reflection-fee': () => ({ ...own(), brackets: BRACKETS }),
  '/tx/pro/set-lp-fee': () => ({ ...own(), brackets: BRACKETS }),
  '/tx/pro/set-market-cap-creator-fee': () => ({ ...own(), brackets: BRACKETS }),
  '/tx/pro/set-slot-creator-fee': () => ({ ...own(), ...SCHEDULE }),
  '/tx/pro/update-creator-fee-receiver': () => ({
    ...own(),
    mint: text(pro.mint),
    version: '3',
    new_receiver: text(WALLET),
  }),
  '/tx/pro/transfer-lp': () => ({
    ...program(),
    pool: text(pro.pool),
    sender: text(pro.creator),
    payer: text(OTHER),
    receiver: text(WALLET),
    amount: String(LARGE),
  }),
} as const;
type Path = keyof typeof VALID;
const PATHS = Object.keys(VALID) as Path[];
type TxPath = Extract<Path, `/tx/${string}`>;
const TX_PATHS = PATHS.filter((path): path is TxPath => path.startsWith('/tx/'));
const BRACKET_SETTERS = [
  '/tx/pro/set-reflection-fee',
  '/tx/pro/set-lp-fee',
  '/tx/pro/set-market-cap-creator-fee',
] as const;

/** A valid request with other fields; undefined leaves one out. */
const request = async (path: Path, changes: Fields = {}) =>
  objectText(
    Object.fromEntries(
      Object.entries<string | undefined>({ ...(await VALID[path]()), ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  );

const answer = async (path: Path, changes: Fields = {}) =>
  readJson(await ok(service.handler, path, await request(path, changes)));

/** What is wrong with a request: status, code, and the fields that it names. */
const refusal = async (path: Path, changes: Fields) => {
  const response = await post(service.handler, path, await request(path, changes));
  const error = errorOf(response);
  return { status: response.status, code: caseOf(error.code, error.details), fields: fieldsOf(error) };
};
const badRequest = (...fields: readonly string[]) => ({ status: 400, code: 'invalid-request', fields });

const kindsOf = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, kindOf(item)]));
const writtenOf = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));

const decoded = (tx: unknown) => {
  const { name, data, accounts } = parseHeavenInstruction(exchangeInstructionOf(tx));
  const addresses = Object.fromEntries(
    Object.entries<{ readonly address: Address }>(accounts as never).map(([account, { address }]) => [
      account,
      address,
    ]),
  );
  return { name, data, accounts: addresses };
};

const budgetOf = (instructions: readonly Instruction[]) => {
  const [limit, price] = instructions as never[];
  return {
    units: parseSetComputeUnitLimitInstruction(limit!).data.units,
    microLamports: parseSetComputeUnitPriceInstruction(price!).data.microLamports,
  };
};

/** What is sent for a fee list that is left out: 0 % whatever the market cap. */
const NO_FEE = { brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 0, sellFeeBps: 0 }], count: 1 };

describe('every documented path is served', () => {
  test.each([
    '/data/pool-info',
    '/data/pool-state',
    '/data/protocol-config-state',
    '/quote/buy',
    '/quote/sell',
    '/quote/initial-buy',
    '/tx/buy',
    '/tx/sell',
    '/tx/claim-creator-trading-fees',
    '/tx/create-standard-liquidity-pool',
    ...PATHS,
  ])('%s', async (path) => {
    const response = await post(service.handler, path, {});
    expect({ status: response.status, code: errorOf(response).code }).toEqual({
      status: 400,
      code: 'invalid-request',
    });
  });

  test('documents no other pro paths', () => expect(PATHS).toHaveLength(19));
});

describe('every path', () => {
  test.each(PATHS)('%s: is answered, whatever else is sent', async (path) => {
    const extra = { abort_signal: '"x"', lifetime: '{}', snapshot: '{}', before: '1', wrap_sol: '1' };
    await answer(path, extra);
    expect(service.reported).toEqual([]);
  });

  test.each(PATHS)('%s: names each field that is missing or wrong', async (path) => {
    for (const field of Object.keys(await VALID[path]())) {
      expect(await refusal(path, { [field]: undefined })).toEqual(badRequest(field));
      // No field takes a negative number.
      expect(await refusal(path, { [field]: '-1' })).toMatchObject({ status: 400, fields: [field] });
      expect(await refusal(path, { [field]: 'null' })).toEqual(badRequest(field));
    }
  });

  test.each(PATHS)('%s: names all of them at once', async (path) => {
    const response = await post(service.handler, path, '{}');
    expect([...fieldsOf(errorOf(response))].sort()).toEqual(Object.keys(await VALID[path]()).sort());
  });

  const WITH_PROGRAM = PATHS.filter((path) => path !== '/tx/pro/buy' && path !== '/tx/pro/sell');
  test.each(WITH_PROGRAM)('%s: rejects another program', async (path) => {
    expect(await refusal(path, { program_id: text(SYSTEM_PROGRAM_ADDRESS) })).toEqual({
      status: 422,
      code: 'unknown-program-id',
      fields: ['program_id'],
    });
  });

  const WITH_POOL = PATHS.filter((path) => path !== '/tx/pro/create');
  test.each(WITH_POOL)('%s: rejects a pool that does not exist', async (path) => {
    expect(await refusal(path, { pool: text(WALLET) })).toEqual({
      status: 404,
      code: 'pool-not-found',
      fields: [],
    });
  });
});

describe('/data/lp-balance', () => {
  test('has the documented fields, to the last digit', async () => {
    const balance = await answer('/data/lp-balance');
    expect(kindsOf(balance)).toEqual({
      lp_token_balance: 'integer',
      reward_debt: 'integer',
      pending_fees: 'integer',
      lp_position_address: 'string',
      exists: 'boolean',
      details: 'object',
    });
    const { details: _, ...documented } = balance;
    expect(writtenOf(documented)).toEqual({
      lp_token_balance: '2000000000000000002',
      reward_debt: '3',
      // 9007199254740993 stored and nothing accrued since, less a reward debt of 3.
      pending_fees: '9007199254740990',
      lp_position_address: await findLpPositionAddress({ pool: pro.pool, user: pro.creator }),
      exists: 'true',
    });
  });

  test('is all zero, and 200, without a position', async () => {
    const { details: _, ...documented } = await answer('/data/lp-balance', { user: text(WALLET) });
    expect(writtenOf(documented)).toEqual({
      lp_token_balance: '0',
      reward_debt: '0',
      pending_fees: '0',
      lp_position_address: await findLpPositionAddress({ pool: pro.pool, user: WALLET }),
      exists: 'false',
    });
  });
});

describe('quotes', () => {
  const COMMON = {
    config_version: 'integer',
    minimum_out: 'integer',
    mint: 'string',
    program_id: 'string',
    slippage_bps: 'integer',
    details: 'object',
  };

  test('/quote/pro/buy has the documented fields', async () => {
    const quote = await answer('/quote/pro/buy', { max_sol_spend: '9007199.254740993' });
    const { minimum_out_ui, max_sol_spend, ...kinds } = kindsOf(quote);
    expect(kinds).toEqual({ ...COMMON, max_lamport_spend: 'integer' });
    expect([minimum_out_ui, max_sol_spend]).toEqual([expect.stringMatching(/integer|number/), 'number']);
    expect(writtenOf(quote)).toMatchObject({
      max_lamport_spend: '9007199254740993',
      config_version: '3',
      mint: pro.mint,
      program_id: PROGRAM,
      slippage_bps: '50',
    });
  });

  test('/quote/pro/sell has the documented fields', async () => {
    const quote = await answer('/quote/pro/sell', { amount_in_ui: '9007199254.740993' });
    const { minimum_out_ui, amount_in_ui, ...kinds } = kindsOf(quote);
    expect(kinds).toEqual({ ...COMMON, amount_in: 'integer' });
    expect([minimum_out_ui, amount_in_ui]).toEqual([expect.stringMatching(/integer|number/), 'number']);
    expect(writtenOf(quote)).toMatchObject({ amount_in: '9007199254740993', config_version: '3' });
  });

  test.each([
    ['/quote/pro/buy', { max_sol_spend: '0' }, 400, 'zero-amount', ['max_sol_spend']],
    ['/quote/pro/buy', { max_sol_spend: '1e-10' }, 400, 'invalid-amount:decimals', ['max_sol_spend']],
    ['/quote/pro/sell', { amount_in_ui: '0' }, 400, 'zero-amount', ['amount_in_ui']],
    ['/quote/pro/sell', { amount_in_ui: '1e-7' }, 400, 'invalid-amount:decimals', ['amount_in_ui']],
    ['/quote/pro/buy', { slippage_bps: '10001' }, 400, 'invalid-slippage', ['slippage_bps']],
    ['/quote/pro/sell', { slippage_bps: '0.5' }, 400, 'invalid-request', ['slippage_bps']],
    ['/quote/pro/sell', { slippage_bps: '"0.5"' }, 400, 'invalid-request', ['slippage_bps']],
    ['/quote/pro/buy', { max_sol_spend: '"1,5"' }, 400, 'invalid-request', ['max_sol_spend']],
    ['/quote/pro/buy', { config_version: '2' }, 422, 'pool-mismatch:configVersion', ['config_version']],
    ['/quote/pro/sell', { config_version: '65536' }, 400, 'invalid-input', ['config_version']],
    ['/quote/pro/sell', { mint: text(WALLET) }, 422, 'pool-mismatch:mint', ['mint']],
  ] as const)('%s with %o', async (path, change, status, code, fields) => {
    expect(await refusal(path, change)).toEqual({ status, code, fields });
  });

  test.each(['/quote/pro/buy', '/quote/pro/sell'] as const)('%s rejects a standard pool', async (path) => {
    const { pool, mint, configVersion } = service.ledger.pools.community;
    const change = { pool: text(pool), mint: text(mint), config_version: String(configVersion) };
    expect(await refusal(path, change)).toEqual({
      status: 422,
      code: 'pool-mismatch:kind',
      fields: ['kind'],
    });
  });
});

describe('a transaction', () => {
  const fees = { brackets: [...BRACKET_VALUES, NO_BRACKET, NO_BRACKET], count: 2 };
  const off = { enabled: false };
  const EXPECTED: Readonly<Record<TxPath, readonly [name: string, data: object]>> = {
    '/tx/pro/buy': [
      'pro_buy',
      {
        params: {
          maxSolSpend: ODD,
          minimumAmountOut: expect.toSatisfy((minimum) => minimum > 0n),
          encodedUserDefinedEventData: '',
        },
      },
    ],
    '/tx/pro/sell': [
      'pro_sell',
      {
        params: {
          amountIn: ODD,
          minimumAmountOut: expect.toSatisfy((minimum) => minimum > 0n),
          encodedUserDefinedEventData: '',
        },
      },
    ],
    '/tx/pro/create': [
      'create_pro_liquidity_pool',
      {
        protocolConfigVersion: 3,
        params: {
          encodedUserDefinedEventData: 'ref:42',
          initialTokenAAmount: LARGE,
          initialTokenBAmount: ODD,
          creatorTradingFee: NO_FEE,
          reflectionTradingFee: NO_FEE,
          liquidityProviderTradingFee: NO_FEE,
          creatorSlotTradingFee: null,
          enableSwap: true,
          enableDepositLiquidity: true,
          enableWithdrawLiquidity: true,
          enableUpdateCreatorTradingFee: true,
          enableSameSlotTrading: false,
          enableSandwichResistantMode: false,
        },
      },
    ],
    '/tx/pro/add-liquidity': [
      'add_liquidity_pro_pool',
      { params: { maxTokenA: LARGE, maxTokenB: 1_000_000n, minLpTokens: ODD } },
    ],
    '/tx/pro/remove-liquidity': [
      'remove_liquidity_pro_pool',
      { params: { lpTokensToBurn: LARGE, minTokenA: ODD, minTokenB: ODD + 2n } },
    ],
    '/tx/pro/claim-creator-fees': ['claim_pro_creator_trading_fees', { amount: 0n }],
    '/tx/pro/claim-lp-fees': ['claim_pro_liquidity_provider_trading_fees', {}],
    '/tx/pro/toggle-swap': ['creator_toggle_pro_swap', off],
    '/tx/pro/toggle-deposit': ['creator_toggle_pro_deposit', off],
    '/tx/pro/toggle-withdraw': ['creator_toggle_pro_withdraw', off],
    '/tx/pro/set-reflection-fee': ['creator_set_pro_market_cap_reflection_fee', { fees }],
    '/tx/pro/set-lp-fee': ['creator_set_pro_market_cap_lp_fee', { fees }],
    '/tx/pro/set-market-cap-creator-fee': ['creator_set_pro_market_cap_creator_fee', { fees }],
    '/tx/pro/set-slot-creator-fee': [
      'creator_set_pro_slot_creator_fee',
      {
        fees: {
          brackets: [...SLOT_VALUES, ...Array<object>(40).fill(NO_SLOT)],
          maxSlotOffset: 15,
          maxFeeBps: 5_000,
          count: 2,
          enabled: 1,
        },
      },
    ],
    '/tx/pro/update-creator-fee-receiver': ['update_pro_creator_trading_fee_receiver', {}],
    '/tx/pro/transfer-lp': ['transfer_lp_tokens', { amount: LARGE }],
  };

  test.each(TX_PATHS)('%s: decodes to what was asked for', async (path) => {
    const { tx, pool, details, ...others } = await answer(path);
    expect(others).toEqual({});
    assertTransactionDetails(details, tx);
    const created = await findProPoolAddress({ mint: pro.mint, creator: WALLET });
    expect(pool).toBe(path === '/tx/pro/create' ? created : undefined);
    const { name, data, accounts } = decoded(tx);
    expect([name, data]).toEqual(EXPECTED[path]);
    expect(accounts.liquidityPoolState).toBe(pool ?? pro.pool);
  });

  const SIGNERS: Partial<Record<Path, () => readonly Address[]>> = {
    '/tx/pro/create': () => [OTHER, WALLET],
    '/tx/pro/update-creator-fee-receiver': () => [pro.creator, WALLET],
    '/tx/pro/transfer-lp': () => [OTHER, pro.creator],
  };
  test.each(TX_PATHS)('%s: is unsigned, the payer first', async (path) => {
    const signers = SIGNERS[path]?.() ?? [pro.creator];
    const { feePayer, signatures } = instructionsOf((await answer(path)).tx);
    expect(feePayer).toBe(signers[0]);
    expect(Object.entries(signatures)).toEqual(signers.map((signer) => [signer, null]));
  });

  const BUDGETS: Readonly<Record<TxPath, readonly [units: number, microLamports: bigint]>> = {
    '/tx/pro/buy': [200_000, 40_000_000n],
    '/tx/pro/sell': [200_000, 40_000_000n],
    '/tx/pro/create': [400_000, 20_000_000n],
    '/tx/pro/add-liquidity': [250_000, 20_000_000n],
    '/tx/pro/remove-liquidity': [250_000, 20_000_000n],
    '/tx/pro/claim-creator-fees': [130_000, 20_000_000n],
    '/tx/pro/claim-lp-fees': [130_000, 20_000_000n],
    '/tx/pro/toggle-swap': [60_000, 20_000_000n],
    '/tx/pro/toggle-deposit': [60_000, 20_000_000n],
    '/tx/pro/toggle-withdraw': [60_000, 20_000_000n],
    '/tx/pro/set-reflection-fee': [60_000, 20_000_000n],
    '/tx/pro/set-lp-fee': [60_000, 20_000_000n],
    '/tx/pro/set-market-cap-creator-fee': [60_000, 20_000_000n],
    '/tx/pro/set-slot-creator-fee': [60_000, 20_000_000n],
    '/tx/pro/update-creator-fee-receiver': [130_000, 20_000_000n],
    '/tx/pro/transfer-lp': [60_000, 20_000_000n],
  };
  test.each(TX_PATHS)('%s: has a compute budget by default, or as given', async (path) => {
    const budget = async (change: Fields) =>
      budgetOf(instructionsOf((await answer(path, change)).tx).instructions);
    const [units, microLamports] = BUDGETS[path];
    expect(await budget({})).toEqual({ units, microLamports });
    const absent = { compute_unit_limit: 'null', compute_unit_price: 'null' };
    expect(await budget(absent)).toEqual({ units, microLamports });
    const given = { compute_unit_limit: '350001', compute_unit_price: String(ODD) };
    expect(await budget(given)).toEqual({ units: 350_001, microLamports: ODD });
  });

  test.each(TX_PATHS)('%s: rejects an invalid compute budget', async (path) => {
    for (const field of ['compute_unit_limit', 'compute_unit_price']) {
      for (const value of ['-1', '0.5', '"-1"', '"0.5"', '"0x1"', '""', 'true']) {
        expect(await refusal(path, { [field]: value })).toEqual(badRequest(field));
      }
      const over = await refusal(path, {
        [field]: field.endsWith('limit') ? '4294967296' : '18446744073709551616',
      });
      expect(over).toEqual({ status: 400, code: 'invalid-input', fields: [field] });
    }
  });

  test.each(['/tx/pro/buy', '/tx/pro/sell'] as const)(
    '%s: debits a source wallet, which signs too',
    async (path) => {
      const { tx } = await answer(path, { payer: text(OTHER), source: text(WALLET) });
      const { signatures } = instructionsOf(tx);
      expect(Object.keys(signatures)).toEqual([OTHER, WALLET]);
      expect(decoded(tx).accounts).toMatchObject({
        user: WALLET,
        userTokenAVault: await findAssociatedTokenAddress({ owner: WALLET, mint: pro.mint }),
        userTokenBVault: await findAssociatedTokenAddress({ owner: WALLET, mint: WRAPPED_SOL_MINT_ADDRESS }),
      });
      expect((await answer(path, { source: 'null' })).tx).toEqual((await answer(path)).tx);
      expect(await refusal(path, { source: '"x"' })).toEqual(badRequest('source'));
    },
  );

  test('/tx/pro/claim-creator-fees: claims the requested amount, or all of it', async () => {
    const amountOf = async (amount: string) =>
      decoded((await answer('/tx/pro/claim-creator-fees', { amount })).tx).data;
    expect(await amountOf(String(LARGE))).toEqual({ amount: LARGE });
    expect(await amountOf('null')).toEqual({ amount: 0n });
    for (const amount of ['-1', '0.5', '"1.5"', 'true'])
      expect(await refusal('/tx/pro/claim-creator-fees', { amount })).toEqual(badRequest('amount'));
  });

  test.each([
    ['/tx/pro/claim-creator-fees', 'amount'],
    ['/tx/pro/add-liquidity', 'min_lp_tokens'],
    ['/tx/pro/remove-liquidity', 'min_token_a'],
    ['/tx/pro/remove-liquidity', 'min_token_b'],
  ] as const)('%s: %s may be 0', async (path, field) => {
    await answer(path, { [field]: '0' });
  });

  test("/tx/pro/transfer-lp: needs only the sender's signature if the sender pays", async () => {
    const { tx } = await answer('/tx/pro/transfer-lp', { payer: text(pro.creator) });
    expect(Object.keys(instructionsOf(tx).signatures)).toEqual([pro.creator]);
  });
});

describe('/tx/pro/create', () => {
  const PATH = '/tx/pro/create';
  const paramsOf = async (change: Fields) =>
    (decoded((await answer(PATH, change)).tx).data as { readonly params: Readonly<Record<string, unknown>> })
      .params;

  test('takes every fee', async () => {
    const counted = { brackets: BRACKET_VALUES, count: 2 };
    expect(
      await paramsOf({
        creator_trading_fee: BRACKETS,
        reflection_trading_fee: BRACKETS,
        liquidity_provider_trading_fee: BRACKETS,
        creator_slot_trading_fee: objectText(SCHEDULE),
      }),
    ).toMatchObject({
      creatorTradingFee: counted,
      reflectionTradingFee: counted,
      liquidityProviderTradingFee: counted,
      creatorSlotTradingFee: {
        brackets: SLOT_VALUES,
        maxSlotOffset: 15,
        maxFeeBps: 5_000,
        count: 2,
        enabled: 1,
      },
    });
  });

  const FEATURES = {
    enable_swap: ['enableSwap', true],
    enable_deposit_liquidity: ['enableDepositLiquidity', true],
    enable_withdraw_liquidity: ['enableWithdrawLiquidity', true],
    enable_update_creator_trading_fee: ['enableUpdateCreatorTradingFee', true],
    enable_same_slot_trading: ['enableSameSlotTrading', false],
    enable_sandwich_resistant_mode: ['enableSandwichResistantMode', false],
  } as const;
  const DEFAULTS = Object.fromEntries<boolean>(Object.values(FEATURES));
  test.each(Object.entries(FEATURES))('takes the feature %s', async (field, [name, standard]) => {
    const features = (value: string) => paramsOf({ features: objectText({ [field]: value }) });
    expect(await features(String(!standard))).toMatchObject({ ...DEFAULTS, [name]: !standard });
    expect(await features('null')).toMatchObject(DEFAULTS);
    const wrong = { features: objectText({ [field]: '1' }) };
    expect(await refusal(PATH, wrong)).toEqual(badRequest(`features.${field}`));
  });

  test.each([
    'features',
    'creator_trading_fee',
    'creator_slot_trading_fee',
    'reflection_trading_fee',
    'liquidity_provider_trading_fee',
  ])('%s may be null, but not a string', async (field) => {
    expect(await paramsOf({ [field]: 'null' })).toMatchObject({ ...DEFAULTS, creatorSlotTradingFee: null });
    expect(await refusal(PATH, { [field]: '"x"' })).toEqual(badRequest(field));
  });

  test.each([
    [{ features: '{"enable_swapp":false}' }, 'features', 'enable_swap'],
    [{ creator_trading_fee: '[{"buy_fee_bp":1}]' }, 'creator_trading_fee.0', 'buy_fee_bps'],
    [
      { creator_slot_trading_fee: objectText({ ...SCHEDULE, enable: 'true' }) },
      'creator_slot_trading_fee',
      'enabled',
    ],
  ])('%o: rejects an unknown name', async (change, field, nearest) => {
    const error = errorOf(await post(service.handler, PATH, await request(PATH, change)));
    expect(error.code).toBe('invalid-request');
    expect(fieldsOf(error)).toContain(field);
    expect(error.message).toContain(`did you mean ${nearest}?`);
  });

  const slots = (change: Fields) => ({
    creator_slot_trading_fee: objectText({ ...SCHEDULE, ...change } as Readonly<Record<string, string>>),
  });
  test.each([
    ...['max_slot_offset', 'max_fee_bps', 'enabled', 'brackets'].map(
      (field) => [slots({ [field]: 'null' }), `creator_slot_trading_fee.${field}`] as const,
    ),
    [slots({ max_fee_bps: '-1' }), 'creator_slot_trading_fee.max_fee_bps'],
    [
      slots({ brackets: list(slotBracket(5, 1, 'null')) }),
      'creator_slot_trading_fee.brackets.0.sell_fee_bps',
    ],
    [
      { creator_trading_fee: list(bracket(1n, 1, 1), bracket('"x"', 1, 1)) },
      'creator_trading_fee.1.market_cap_upper_bound',
    ],
    [{ reflection_trading_fee: list(bracket(1n, '0.5', 1)) }, 'reflection_trading_fee.0.buy_fee_bps'],
    [
      { liquidity_provider_trading_fee: list(bracket(1n, 1, -1)) },
      'liquidity_provider_trading_fee.0.sell_fee_bps',
    ],
  ] as const)('%o: names what is wrong', async (change, field) => {
    expect(await refusal(PATH, change)).toEqual(badRequest(field));
  });

  test.each([
    ['nothing of A', { initial_token_a_amount: '0' }, 400, 'zero-amount', ['initial_token_a_amount']],
    ['nothing of B', { initial_token_b_amount: '0' }, 400, 'zero-amount', ['initial_token_b_amount']],
    [
      'more than 64 bits',
      { initial_token_a_amount: '18446744073709551616' },
      400,
      'amount-out-of-range',
      ['initial_token_a_amount'],
    ],
    [
      'a last slot that is not the last',
      slots({ max_slot_offset: '14' }),
      422,
      'invalid-fees',
      ['creator_slot_trading_fee.brackets'],
    ],
    ['a config of standard pools', { config_version: '2' }, 422, 'pool-mismatch:kind', ['kind']],
    ['a config that is not there', { config_version: '9' }, 404, 'account-not-found', []],
    ['wrapped SOL', { mint: text(WRAPPED_SOL_MINT_ADDRESS) }, 422, 'unsupported-mint', []],
    ['no mint', { mint: text(WALLET) }, 404, 'account-not-found', []],
    ['no lookup table', { lut_address: text(WALLET) }, 422, 'unusable-account:lookup table', []],
  ] as const)('%s', async (_, change, status, code, fields) => {
    expect(await refusal(PATH, change)).toEqual({ status, code, fields });
  });

  test('a creator without the token', async () => {
    const refused = { status: 422, code: 'unusable-account:token account' };
    expect(await refusal(PATH, { creator: text(OTHER) })).toMatchObject(refused);
  });

  test('the creator’s second pool of the token', async () => {
    const change = { creator: text(pro.creator) };
    expect(await refusal(PATH, change)).toEqual({ status: 422, code: 'pool-exists', fields: [] });
  });

  test('a config that allows no new pools', async () => {
    const config = await findProtocolConfigAddress({ version: 3 });
    service.ledger.updateConfig(config, () => ({ allowCreatePool: 0 }));
    expect(await refusal(PATH, {})).toEqual({ status: 422, code: 'operation-disabled:create', fields: [] });
  });
});

describe('brackets', () => {
  test.each(BRACKET_SETTERS)('%s: names the field that is wrong', async (path) => {
    for (const [brackets, field] of [
      ['{}', 'brackets'],
      ['"x"', 'brackets'],
      ['[1]', 'brackets.0'],
      [list('{"buy_fee_bps":1,"sell_fee_bps":1}'), 'brackets.0.market_cap_upper_bound'],
      [list(bracket(-1n, 1, 1)), 'brackets.0.market_cap_upper_bound'],
      [list(bracket('1.5', 1, 1)), 'brackets.0.market_cap_upper_bound'],
      [list(bracket('"1.5"', 1, 1)), 'brackets.0.market_cap_upper_bound'],
      [list(bracket(CATCH_ALL, '"1 "', 1)), 'brackets.0.buy_fee_bps'],
      [list(bracket(1n, 1, 1), bracket(CATCH_ALL, 1, 'null')), 'brackets.1.sell_fee_bps'],
    ] as const) {
      expect(await refusal(path, { brackets })).toEqual(badRequest(field));
    }
  });

  test.each(BRACKET_SETTERS)('%s: rejects brackets that contradict themselves', async (path) => {
    const refused = { status: 422, code: 'invalid-fees', fields: ['brackets'] };
    const last = bracket(CATCH_ALL, 1, 1);
    for (const brackets of [
      list(...Array<string>(5).fill(last)),
      list(bracket(5n, 1, 1), bracket(5n, 1, 1), last),
    ]) {
      expect(await refusal(path, { brackets })).toEqual(refused);
    }
    const over = list(bracket(CATCH_ALL, 10_001, 1));
    expect(await refusal(path, { brackets: over })).toMatchObject({
      status: 422,
      code: 'invalid-fees:feeBps',
    });
  });

  test('/tx/pro/set-slot-creator-fee: names the field that is wrong', async () => {
    const path = '/tx/pro/set-slot-creator-fee';
    for (const [change, field] of [
      [{ brackets: '{}' }, 'brackets'],
      [{ brackets: list(slotBracket('"5.5"', 1, 1)) }, 'brackets.0.slot_offset_upperbound'],
      [{ brackets: list(slotBracket(5, -1, 1)) }, 'brackets.0.buy_fee_bps'],
      [{ enabled: '1' }, 'enabled'],
      [{ enabled: '"true"' }, 'enabled'],
      [{ max_slot_offset: '1.5' }, 'max_slot_offset'],
      [{ max_fee_bps: '"1.5"' }, 'max_fee_bps'],
    ] as const) {
      expect(await refusal(path, change)).toEqual(badRequest(field));
    }
    expect(await refusal(path, { max_slot_offset: '14' })).toEqual({
      status: 422,
      code: 'invalid-fees',
      fields: ['brackets'],
    });
  });
});

describe('a quote that is passed on', () => {
  test.each(['buy', 'sell'] as const)('%s: names the field that is wrong', async (side) => {
    const path = `/tx/pro/${side}` as const;
    const quote = readJson(await quoteOf(side, '1.5')) as Record<string, unknown>;
    for (const field of Object.keys(quote)) {
      const fields = Object.entries(quote).map(([name, value]) => [
        name,
        name === field ? 'true' : jsonText(value),
      ]);
      const change = { quote_response: objectText(Object.fromEntries(fields)) };
      expect(await refusal(path, change)).toEqual(badRequest(`quote_response.${field}`));
    }
  });

  test('of another program, or of a standard pool', async () => {
    const quote = await quoteOf('buy', '1.5');
    const elsewhere = quote.replace(PROGRAM, SYSTEM_PROGRAM_ADDRESS);
    expect(await refusal('/tx/pro/buy', { quote_response: elsewhere })).toEqual({
      status: 422,
      code: 'quote-mismatch',
      fields: ['quote_response.program_id'],
    });
    const { mint, pool, configVersion } = service.ledger.pools.community;
    const standard = await ok(service.handler, '/quote/buy', {
      program_id: PROGRAM,
      mint,
      config_version: configVersion,
      max_sol_spend: 1.5,
      slippage_bps: 50,
    });
    const mismatch = (code: string, field: string) => ({ status: 422, code, fields: [field] });
    expect(await refusal('/tx/pro/buy', { quote_response: standard })).toEqual(
      mismatch('pool-mismatch:configVersion', 'config_version'),
    );
    expect(await refusal('/tx/pro/buy', { quote_response: standard, pool: text(pool) })).toEqual(
      mismatch('pool-mismatch:kind', 'kind'),
    );
  });
});

describe('what the chain rejects', () => {
  const by = { payer: text(OTHER) };
  const allow = (change: Partial<LiquidityPoolAllowlist>) => () =>
    service.ledger.updatePool(pro.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, ...change } }));
  const nothing = () => {};
  const TOO_MANY = String(2n * LARGE + 1n);

  const CREATOR_ONLY = TX_PATHS.filter((path) => /toggle|set-|receiver/.test(path));
  test.each(CREATOR_ONLY)('%s: not the creator', async (path) => {
    expect(await refusal(path, by)).toEqual({ status: 422, code: 'not-authorized:creator', fields: [] });
  });

  const HANDED_OVER = { creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Submitted };
  const BLOCKED = { creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Blocked };
  const state =
    (change: typeof HANDED_OVER | typeof BLOCKED | { readonly creatorTradingFees: bigint }) => () =>
      service.ledger.updatePool(pro.pool, () => change);
  test.each([
    ['/quote/pro/buy', allow({ swap: 0 }), {}, 422, 'operation-disabled:swap'],
    ['/quote/pro/sell', allow({ swap: 0 }), {}, 422, 'operation-disabled:swap'],
    ['/tx/pro/add-liquidity', allow({ depositLiquidity: 0 }), {}, 422, 'operation-disabled:deposit'],
    ['/tx/pro/remove-liquidity', allow({ removeLiquidity: 0 }), {}, 422, 'operation-disabled:withdraw'],
    [
      '/tx/pro/set-market-cap-creator-fee',
      allow({ updateCreatorTradingFee: 0 }),
      {},
      422,
      'operation-disabled:set-creator-fee',
    ],
    [
      '/tx/pro/set-slot-creator-fee',
      allow({ updateCreatorTradingFee: 0 }),
      {},
      422,
      'operation-disabled:set-creator-fee',
    ],
    ['/tx/pro/add-liquidity', nothing, { config_version: '2' }, 422, 'pool-mismatch:configVersion'],
    ['/tx/pro/add-liquidity', nothing, { mint: text(WALLET) }, 422, 'pool-mismatch:mint'],
    ['/tx/pro/remove-liquidity', nothing, { mint: text(WALLET) }, 422, 'pool-mismatch:mint'],
    [
      '/tx/pro/remove-liquidity',
      nothing,
      { lp_tokens_to_burn: TOO_MANY },
      422,
      'insufficient-balance:lp-tokens',
    ],
    ['/tx/pro/remove-liquidity', nothing, by, 422, 'insufficient-balance:lp-tokens'],
    ['/tx/pro/remove-liquidity', nothing, { lp_tokens_to_burn: '0' }, 400, 'zero-amount'],
    ['/tx/pro/transfer-lp', nothing, { amount: TOO_MANY }, 422, 'insufficient-balance:lp-tokens'],
    ['/tx/pro/transfer-lp', nothing, { sender: text(OTHER) }, 422, 'insufficient-balance:lp-tokens'],
    ['/tx/pro/transfer-lp', nothing, { amount: '0' }, 400, 'zero-amount'],
    ['/tx/pro/claim-lp-fees', nothing, by, 404, 'account-not-found'],
    ['/tx/pro/claim-creator-fees', nothing, by, 422, 'not-authorized:fee-receiver'],
    ['/tx/pro/claim-creator-fees', nothing, { amount: TOO_MANY }, 422, 'insufficient-balance:creator-fees'],
    ['/tx/pro/claim-creator-fees', state(BLOCKED), {}, 422, 'fees-not-claimable'],
    [
      '/tx/pro/update-creator-fee-receiver',
      state(HANDED_OVER),
      {},
      422,
      'operation-disabled:update-fee-receiver',
    ],
    [
      '/tx/pro/update-creator-fee-receiver',
      state(BLOCKED),
      {},
      422,
      'operation-disabled:update-fee-receiver',
    ],
    ['/tx/pro/update-creator-fee-receiver', nothing, { version: '2' }, 422, 'pool-mismatch:configVersion'],
  ] as const)('%s %#: %o', async (path, prepare, change, status, code) => {
    prepare();
    expect(await refusal(path, change)).toMatchObject({ status, code });
    expect(service.reported).toEqual([]);
  });

  test('a trade while swapping is off', async () => {
    for (const path of ['/tx/pro/buy', '/tx/pro/sell'] as const) {
      const body = await request(path);
      allow({ swap: 0 })();
      const response = await post(service.handler, path, body);
      expect(errorOf(response)).toMatchObject({ code: 'operation-disabled', details: { operation: 'swap' } });
      expect(response.status).toBe(422);
      allow({ swap: 1 })();
    }
  });

  test.each(['/tx/pro/set-market-cap-creator-fee', '/tx/pro/set-slot-creator-fee'] as const)(
    '%s: a fee over the config’s maximum',
    async (path) => {
      service.ledger.updateConfig(pro.protocolConfig, () => ({ maxCreatorTradingFee: 99 }));
      expect(await refusal(path, {})).toMatchObject({ status: 422, code: 'invalid-fees:feeBps' });
    },
  );

  test('the numbers of an error, to the last digit', async () => {
    const body = await request('/tx/pro/claim-creator-fees', { amount: TOO_MANY });
    const { text: answered } = await post(service.handler, '/tx/pro/claim-creator-fees', body);
    const { error } = readJson(answered) as { error: { details: object } };
    expect(writtenOf(error.details)).toEqual({
      asset: 'creator-fees',
      requested: TOO_MANY,
      available: String(2n * LARGE),
    });
  });
});
