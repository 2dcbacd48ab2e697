import { type Address, getAddressDecoder } from '@solana/kit';
import {
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { beforeEach, describe, expect, test } from 'vitest';

import { buildBuy, buildSell, getPoolState, quoteBuy, quoteSell } from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenAddress,
  parseBuyInstruction,
  parseSellInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
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

let service: Service;
beforeEach(async () => {
  service = await createService();
});

const PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;
const STANDARD_POOLS = ['community', 'creator', 'launching'] as const;
type StandardPool = (typeof STANDARD_POOLS)[number];

const SIDES = {
  buy: { amount: 'max_sol_spend', parse: parseBuyInstruction },
  sell: { amount: 'amount_in_ui', parse: parseSellInstruction },
} as const;
type Side = keyof typeof SIDES;

const kindsOf = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, kindOf(item)]));

/** The text of a quote. `amount` is JSON text. */
const quoteText = (side: Side, amount: string, pool: StandardPool = 'community', slippageBps = 50) => {
  const { mint, configVersion } = service.ledger.pools[pool];
  return ok(
    service.handler,
    `/quote/${side}`,
    objectText({
      config_version: String(configVersion),
      mint: JSON.stringify(mint),
      program_id: JSON.stringify(PROGRAM),
      [SIDES[side].amount]: amount,
      slippage_bps: String(slippageBps),
    }),
  );
};

/** The transaction of a quote that is passed on as text. `more` is JSON text too. */
const txOf = async (side: Side, quote: string, more: Readonly<Record<string, string>> = {}) => {
  const text = await ok(
    service.handler,
    `/tx/${side}`,
    objectText({
      payer: JSON.stringify(PAYER),
      quote_response: quote,
      encoded_user_defined_event_data: '"ref:42"',
      ...more,
    }),
  );
  return readJson(text).tx;
};

const paramsOf = (tx: unknown) => {
  const instruction = exchangeInstructionOf(tx);
  const buys = instruction.data?.[0] === 0x66;
  return (buys ? parseBuyInstruction(instruction) : parseSellInstruction(instruction)).data.params;
};

/** A quote as the SDK gives it, as JSON text by field; what stands behind it too. */
const asTexts = (quote: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(quote).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      kindOf(value) === 'object'
        ? asTexts(value)
        : typeof value === 'bigint'
          ? String(value)
          : JSON.stringify(value),
    ]),
  );

const textsIn = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      kindOf(item) === 'object' ? textsIn(item) : jsonText(item),
    ]),
  );

const wholeTextsOf = (quote: string) => textsIn(readJson(quote));

const textsOf = (quote: string) =>
  Object.fromEntries(Object.entries(readJson(quote)).map(([name, value]) => [name, jsonText(value)]));

/** The integers that a double can't hold, as text: what a quote has besides, if there are any. */
const exactOf = (quote: Readonly<Record<string, unknown>>) => {
  const large = ['maxLamportSpend', 'amountIn', 'minimumOut'].flatMap((name) => {
    const value = quote[name];
    return typeof value === 'bigint' && value >= 2n ** 53n ? [[name, String(value)] as const] : [];
  });
  return large.length === 0 ? {} : { exact: Object.fromEntries(large) };
};
const asAnswered = ({ details, ...documented }: { readonly details: object }) =>
  asTexts({ ...documented, details: { ...details, ...exactOf(documented) } });

describe('quotes', () => {
  test('a buy quote has the documented fields', async () => {
    expect(kindsOf(readJson(await quoteText('buy', '1.5')))).toEqual({
      config_version: 'integer',
      max_lamport_spend: 'integer',
      max_sol_spend: 'number',
      minimum_out: 'integer',
      minimum_out_ui: 'number',
      mint: 'string',
      program_id: 'string',
      slippage_bps: 'integer',
      details: 'object',
    });
  });

  test('a sell quote has the documented fields', async () => {
    expect(kindsOf(readJson(await quoteText('sell', '1000.5')))).toEqual({
      amount_in: 'integer',
      amount_in_ui: 'number',
      config_version: 'integer',
      minimum_out: 'integer',
      minimum_out_ui: 'number',
      mint: 'string',
      program_id: 'string',
      slippage_bps: 'integer',
      details: 'object',
    });
  });

  test.each(STANDARD_POOLS)('a buy quote in the %s pool is quoteBuy’s', async (pool) => {
    const { mint, configVersion } = service.ledger.pools[pool];
    const expected = await quoteBuy(service.client, {
      mint,
      configVersion,
      maxSolSpend: '2.25',
      slippageBps: 125,
    });
    expect(expected.details.pool).toBe(service.ledger.pools[pool].pool);
    expect(wholeTextsOf(await quoteText('buy', '2.25', pool, 125))).toEqual(asAnswered(expected));
  });

  test.each(['community', 'creator'] as const)('a sell quote in the %s pool is quoteSell’s', async (pool) => {
    const { mint, configVersion } = service.ledger.pools[pool];
    const expected = await quoteSell(service.client, {
      mint,
      configVersion,
      amountInUi: '250000.75',
      slippageBps: 0,
    });
    expect(expected.details.pool).toBe(service.ledger.pools[pool].pool);
    expect(wholeTextsOf(await quoteText('sell', '250000.75', pool, 0))).toEqual(asAnswered(expected));
  });

  test.each([
    ['1', 1_000_000_000n],
    ['1.0', 1_000_000_000n],
    ['1.5e0', 1_500_000_000n],
    ['15E-1', 1_500_000_000n],
    ['1e+1', 10_000_000_000n],
    ['0.1', 100_000_000n],
    ['0.3', 300_000_000n],
    ['1.10000000000000000000000000000', 1_100_000_000n],
    ['0.000000001', 1n],
    ['1e-9', 1n],
    ['4.35', 4_350_000_000n],
    ['1.005', 1_005_000_000n],
    ['123456.123456789', 123_456_123_456_789n],
    ['9007199.254740993', 9_007_199_254_740_993n],
  ])('max_sol_spend %s is %d lamports', async (written, lamports) => {
    expect(textsOf(await quoteText('buy', written)).max_lamport_spend).toBe(String(lamports));
  });

  test.each([
    ['123456789.123456789', '123456789123456789'],
    ['123456789', '123456789000000000'],
    ['1e8', '100000000000000000'],
    ['9007199.254740993', '9007199254740993'],
    ['0.1', '100000000'],
  ])('amount_in_ui %s is %s units', async (written, units) => {
    expect(textsOf(await quoteText('sell', written)).amount_in).toBe(units);
  });
});

describe('transactions', () => {
  test.each([
    ['buy', '10.000000011'],
    ['sell', '123456789.123456789'],
  ] as const)('a %s moves exactly what its quote says, beyond 2^53', async (side, amount) => {
    const quote = await quoteText(side, amount);
    const { minimum_out, max_lamport_spend, amount_in } = textsOf(quote);
    const params = paramsOf(await txOf(side, quote));
    expect(params).toEqual({
      ...(side === 'buy' ? { maxSolSpend: BigInt(max_lamport_spend!) } : { amountIn: BigInt(amount_in!) }),
      minimumAmountOut: BigInt(minimum_out!),
      encodedUserDefinedEventData: 'ref:42',
    });
    const large = BigInt((side === 'buy' ? minimum_out : amount_in)!);
    expect(large).toBeGreaterThan(2n ** 53n);
    const { details } = readJson(quote) as { details: { exact: object } };
    expect(details.exact).toEqual({ [side === 'buy' ? 'minimum_out' : 'amount_in']: String(large) });
    expect(BigInt(Number(large)), 'a float would not do').not.toBe(large);
  });

  test('every digit of 18 survives', async () => {
    const quote = await quoteText('sell', '123456789.123456789');
    expect(quote).toContain('"amount_in":123456789123456789,');
    expect(paramsOf(await txOf('sell', quote))).toMatchObject({ amountIn: 123_456_789_123_456_789n });
  });

  test.each(STANDARD_POOLS)('a buy in the %s pool is buildBuy’s', async (pool) => {
    const { mint, configVersion } = service.ledger.pools[pool];
    const input = { mint, configVersion, maxSolSpend: '0.75', slippageBps: 50 };
    const { tx } = await buildBuy(service.client, {
      payer: PAYER,
      quoteResponse: await quoteBuy(service.client, input),
      encodedUserDefinedEventData: 'ref:42',
    });
    expect(await txOf('buy', await quoteText('buy', '0.75', pool))).toBe(tx);
  });

  test.each(['community', 'creator'] as const)('a sell in the %s pool is buildSell’s', async (pool) => {
    const { mint, configVersion } = service.ledger.pools[pool];
    const input = { mint, configVersion, amountInUi: '5000', slippageBps: 50 };
    const { tx } = await buildSell(service.client, {
      payer: PAYER,
      quoteResponse: await quoteSell(service.client, input),
      encodedUserDefinedEventData: 'ref:42',
    });
    expect(await txOf('sell', await quoteText('sell', '5000', pool))).toBe(tx);
  });

  test.each(['buy', 'sell'] as const)('a %s answers tx, and what stands behind it', async (side) => {
    const body = objectText({
      payer: JSON.stringify(PAYER),
      quote_response: await quoteText(side, '1'),
      encoded_user_defined_event_data: '""',
    });
    const { tx, details, ...others } = readJson(await ok(service.handler, `/tx/${side}`, body));
    expect([kindOf(tx), others]).toEqual(['string', {}]);
    assertTransactionDetails(details, tx);
  });

  test.each(['buy', 'sell'] as const)('a %s is unsigned, and the payer’s to sign', async (side) => {
    const { feePayer, signatures } = instructionsOf(await txOf(side, await quoteText(side, '1')));
    expect(feePayer).toBe(PAYER);
    expect(signatures).toEqual({ [PAYER]: null });
  });

  const BUDGET = 'ComputeBudget111111111111111111111111111111';
  test.each([
    [
      'buy',
      [
        BUDGET,
        BUDGET,
        ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
        SYSTEM_PROGRAM_ADDRESS,
        TOKEN_PROGRAM_ADDRESS,
        ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
        PROGRAM,
        TOKEN_PROGRAM_ADDRESS,
      ],
    ],
    ['sell', [BUDGET, BUDGET, ASSOCIATED_TOKEN_PROGRAM_ADDRESS, PROGRAM, TOKEN_PROGRAM_ADDRESS]],
  ] as const)('a %s has the documented steps', async (side, programs) => {
    const { instructions } = instructionsOf(await txOf(side, await quoteText(side, '1')));
    expect(instructions.map(({ programAddress }) => programAddress)).toEqual(programs);
  });

  /** What the compute budget instructions set; undefined where there is none. */
  const budgetOf = (tx: unknown) => {
    const { instructions } = instructionsOf(tx);
    const withTag = (tag: number) =>
      instructions.find((each) => each.programAddress === BUDGET && each.data?.[0] === tag) as
        | Parameters<typeof parseSetComputeUnitLimitInstruction>[0]
        | undefined;
    const [limit, price] = [withTag(2), withTag(3)];
    return {
      limit: limit && parseSetComputeUnitLimitInstruction(limit).data.units,
      price: price && parseSetComputeUnitPriceInstruction(price).data.microLamports,
    };
  };
  const DEFAULT_BUDGET = { limit: 200_000, price: 40_000_000n };

  test.each([
    ['left out', {}, DEFAULT_BUDGET],
    ['null', { compute_unit_limit: 'null', compute_unit_price: 'null' }, DEFAULT_BUDGET],
    ['zero', { compute_unit_limit: '0', compute_unit_price: '0' }, { limit: undefined, price: undefined }],
    ['given', { compute_unit_limit: '90000', compute_unit_price: '7' }, { limit: 90_000, price: 7n }],
    [
      'as large as can be',
      { compute_unit_limit: '4294967295', compute_unit_price: '18446744073709551615' },
      { limit: 4_294_967_295, price: 18_446_744_073_709_551_615n },
    ],
  ])('compute fields: %s', async (_, fields, expected) => {
    const [buy, sell] = [await quoteText('buy', '1'), await quoteText('sell', '1')];
    expect(budgetOf(await txOf('buy', buy, fields))).toEqual(expected);
    expect(budgetOf(await txOf('sell', sell, fields))).toEqual(expected);
  });

  test.each(['buy', 'sell'] as const)('a source of null counts as left out, %s', async (side) => {
    const quote = await quoteText(side, '1');
    expect(await txOf(side, quote, { source: 'null' })).toBe(await txOf(side, quote));
  });

  test.each(['buy', 'sell'] as const)('a source is debited, %s', async (side) => {
    const { ledger } = service;
    const { mint, tokenProgram } = ledger.pools.community;
    const source = await findAssociatedTokenAddress({ owner: mint, mint: WRAPPED_SOL_MINT_ADDRESS });
    ledger.setTokenAccount(source, side === 'buy' ? TOKEN_PROGRAM_ADDRESS : tokenProgram, {
      mint: side === 'buy' ? WRAPPED_SOL_MINT_ADDRESS : mint,
      owner: PAYER,
      amount: 10n ** 18n,
    });
    const tx = await txOf(side, await quoteText(side, '1'), { source: JSON.stringify(source) });
    const { accounts } = SIDES[side].parse(exchangeInstructionOf(tx));
    expect(accounts[side === 'buy' ? 'userTokenBVault' : 'userTokenAVault'].address).toBe(source);
  });

  test.each([
    ['empty', ''],
    ['of every plane', 'é 中 😀 \u0000 "\\'],
  ])('event data %s arrives unchanged', async (_, text) => {
    const tx = await txOf('buy', await quoteText('buy', '1'), {
      encoded_user_defined_event_data: JSON.stringify(text),
    });
    expect(paramsOf(tx)).toMatchObject({ encodedUserDefinedEventData: text });
  });

  test('a quote that another language rewrote is still the quote', async () => {
    const { max_lamport_spend, max_sol_spend, ...others } = textsOf(await quoteText('buy', '0.000000001'));
    expect(max_sol_spend).toBe('1e-9');
    const rewritten = objectText({ ...others, max_sol_spend: '0.0000000010', max_lamport_spend: '1' });
    expect(paramsOf(await txOf('buy', rewritten))).toMatchObject({ maxSolSpend: BigInt(max_lamport_spend!) });
  });
});

describe('pool state', () => {
  type FieldType = 'u8' | 'u16' | 'u32' | 'u64' | 'f64' | 'pubkey';
  type Field = readonly [path: string, offset: number, type: FieldType];

  const marketCapFees = (path: string, offset: number): Field[] => [
    ...[0, 1, 2, 3].flatMap((k): Field[] => [
      [`${path}.brackets.${k}.market_cap_upper_bound`, offset + 16 * k, 'u64'],
      [`${path}.brackets.${k}.buy_fee_bps`, offset + 16 * k + 8, 'u32'],
      [`${path}.brackets.${k}.sell_fee_bps`, offset + 16 * k + 12, 'u32'],
    ]),
    [`${path}.count`, offset + 64, 'u8'],
  ];
  const slotFees = (path: string, offset: number): Field[] => [
    ...Array.from({ length: 42 }, (_, k) => k).flatMap((k): Field[] => [
      [`${path}.brackets.${k}.buy_fee_bps`, offset + 6 * k, 'u16'],
      [`${path}.brackets.${k}.sell_fee_bps`, offset + 6 * k + 2, 'u16'],
      [`${path}.brackets.${k}.slot_offset_upperbound`, offset + 6 * k + 4, 'u16'],
    ]),
    [`${path}.max_slot_offset`, offset + 252, 'u16'],
    [`${path}.max_fee_bps`, offset + 254, 'u16'],
    [`${path}.count`, offset + 256, 'u8'],
    [`${path}.enabled`, offset + 257, 'u8'],
  ];
  const FEE_TYPES = [
    'protocol_trading_fee',
    'liquidity_provider_trading_fee',
    'creator_trading_fee',
    'creator_trading_fee_protocol_fee',
    'reflection_trading_fee',
  ];

  /** The published layout of the account, field by field. */
  const LAYOUT: readonly Field[] = [
    ['info.creator', 8, 'pubkey'],
    ['info.update_authority', 40, 'pubkey'],
    ['info.open_at', 72, 'u64'],
    ['info.created_at', 80, 'u64'],
    ['info.protocol_config_version', 88, 'u16'],
    ['info.type', 90, 'u8'],
    ['info.pool_authority_bump', 91, 'u8'],
    ['info.temp_sol_holder_bump', 92, 'u8'],
    ...FEE_TYPES.flatMap((type, k) => marketCapFees(`market_cap_based_fees.${type}`, 96 + 72 * k)),
    ['reserve.token_a', 456, 'u64'],
    ['reserve.token_b', 464, 'u64'],
    ['reserve.snapshot_slot', 472, 'u64'],
    ['reserve.snapshot_a', 480, 'u64'],
    ['reserve.snapshot_b', 488, 'u64'],
    ['reserve.accumulated_fee_per_lp_token', 496, 'u64'],
    ['reserve.initial_a', 504, 'u64'],
    ['reserve.initial_b', 512, 'u64'],
    ['reserve.leader_slot_window', 520, 'u8'],
    ['lp_token.supply.initial', 528, 'u64'],
    ['lp_token.supply.total', 536, 'u64'],
    ['lp_token.supply.unlocked', 544, 'u64'],
    ['lp_token.supply.locked', 552, 'u64'],
    ['lp_token.supply.burnt', 560, 'u64'],
    ['lp_token.decimals', 568, 'u8'],
    ['protocol_trading_fees', 576, 'u64'],
    ['creator_trading_fees', 584, 'u64'],
    ['creator_trading_fees_claimed_by_creator', 592, 'u64'],
    ['creator_trading_fees_claimed_by_others', 600, 'u64'],
    ['liquidity_provider_trading_fees', 608, 'u64'],
    ['creator_trading_fee_protocol_fees', 616, 'u64'],
    ['reflection_trading_fees', 624, 'u64'],
    ['created_at_slot', 632, 'u64'],
    ['trading_volume_usd', 640, 'f64'],
    ['creator_trading_fee_trading_volume_threshold', 648, 'f64'],
    ['creator_trading_fee_trading_volume_threshold_reached_unix_timestamp', 656, 'u64'],
    ['token_a_vault', 664, 'pubkey'],
    ['token_b_vault', 696, 'pubkey'],
    ['protocol_config', 728, 'pubkey'],
    ['key', 760, 'pubkey'],
    ['token_a.mint', 792, 'pubkey'],
    ['token_a.decimals', 824, 'u8'],
    ['token_a.owner', 825, 'pubkey'],
    ['token_b.mint', 857, 'pubkey'],
    ['token_b.decimals', 889, 'u8'],
    ['token_b.owner', 890, 'pubkey'],
    ['allowlist.swap', 922, 'u8'],
    ['allowlist.remove_liquidity', 923, 'u8'],
    ['allowlist.deposit_liquidity', 924, 'u8'],
    ['allowlist.same_slot_trading', 925, 'u8'],
    ['allowlist.update_creator_trading_fee', 926, 'u8'],
    ['feature_flags.sandwich_resistant_mode', 929, 'u8'],
    ['taxable_side', 937, 'u8'],
    ['taxable_side_type', 938, 'u8'],
    ['creator_trading_fee_distribution', 939, 'u8'],
    ['creator_trading_fee_claim_status', 940, 'u8'],
    ['fee_configuration_mode', 941, 'u8'],
    ['is_migrated', 942, 'u8'],
    ...FEE_TYPES.flatMap((type, k) => slotFees(`slot_offset_based_fees.${type}`, 956 + 262 * k)),
    ['creator_trading_fee_receiver', 2272, 'pubkey'],
  ];

  const READ: Readonly<Record<FieldType, (data: DataView, offset: number) => string>> = {
    u8: (data, offset) => String(data.getUint8(offset)),
    u16: (data, offset) => String(data.getUint16(offset, true)),
    u32: (data, offset) => String(data.getUint32(offset, true)),
    u64: (data, offset) => String(data.getBigUint64(offset, true)),
    f64: (data, offset) => String(data.getFloat64(offset, true)),
    pubkey: (data, offset) => getAddressDecoder().decode(new Uint8Array(data.buffer, offset, 32)),
  };

  const leaves = (value: unknown, path: readonly string[] = []): [string, string][] =>
    kindOf(value) === 'object' || kindOf(value) === 'array'
      ? Object.entries(value as object).flatMap(([name, item]) => leaves(item, [...path, name]))
      : [[path.join('.'), String(value)]];

  /** An account with something else in every byte, so that no field can stand in for another. */
  const scrambled = () => {
    const data = new Uint8Array(2304);
    let state = 1;
    for (let index = 0; index < data.length; index++) {
      state = (state * 48_271) % 0x7fff_ffff;
      data[index] = state >> 8;
    }
    const view = new DataView(data.buffer);
    view.setBigUint64(0, 0xbe9edc820fa284fcn);
    view.setFloat64(640, 101_237.139_406_876_99, true);
    view.setFloat64(648, 5e-324, true);
    return data;
  };

  test.each([
    ['mint', 'community'],
    ['pool', 'community'],
    ['pool', 'pro'],
  ] as const)('by %s of the %s pool, every field of the layout and no other', async (by, name) => {
    const sample = service.ledger.pools[name];
    const data = scrambled();
    service.ledger.setAccount(sample.pool, { owner: PROGRAM, data });
    const text = await ok(service.handler, '/data/pool-state', { program_id: PROGRAM, [by]: sample[by] });
    const view = new DataView(data.buffer);
    expect(Object.fromEntries(leaves(readJson(text)))).toEqual(
      Object.fromEntries(LAYOUT.map(([path, offset, type]) => [path, READ[type](view, offset)])),
    );
  });

  test.each(STANDARD_POOLS)('the %s pool is getPoolState’s', async (name) => {
    const { mint } = service.ledger.pools[name];
    const camel = (path: string) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const text = await ok(service.handler, '/data/pool-state', { program_id: PROGRAM, mint });
    expect(leaves(readJson(text)).map(([path, value]) => [camel(path), value])).toEqual(
      leaves(await getPoolState(service.client, { mint })),
    );
  });

  test('the other of mint and pool may be null', async () => {
    const { mint, pool } = service.ledger.pools.creator;
    const expected = await ok(service.handler, '/data/pool-state', { program_id: PROGRAM, mint });
    for (const named of [
      { mint, pool: null },
      { mint: null, pool },
    ]) {
      expect(await ok(service.handler, '/data/pool-state', { program_id: PROGRAM, ...named })).toBe(expected);
    }
  });
});

describe('additional fields of a request', () => {
  const ignored = (extra: object) => ({
    code: 'ignored-fields',
    message: expect.stringContaining(`: ${Object.keys(extra).join(', ')}.`),
  });
  const bodies = async () => {
    const { mint, configVersion } = service.ledger.pools.community;
    const terms = {
      config_version: String(configVersion),
      mint: JSON.stringify(mint),
      program_id: JSON.stringify(PROGRAM),
      slippage_bps: '50',
    };
    const trade = { payer: JSON.stringify(PAYER), encoded_user_defined_event_data: '""' };
    return {
      '/data/pool-state': { program_id: terms.program_id, mint: terms.mint },
      '/quote/buy': { ...terms, max_sol_spend: '1.5' },
      '/quote/sell': { ...terms, amount_in_ui: '1.5' },
      '/tx/buy': { ...trade, quote_response: await quoteText('buy', '1.5') },
      '/tx/sell': { ...trade, quote_response: await quoteText('sell', '1.5') },
    };
  };

  test.each([
    ['unknown fields', { comment: '"hello"', more: '[{"deep":[1.5,null]}]' }],
    ['the SDK’s own options', { wrap_sol: '"none"', before: '[{}]', snapshot: '{}', lifetime: '{}' }],
    ['their camelCase', { wrapSol: '"none"', abortSignal: '{"aborted":true}', mintSigner: '1' }],
    [
      'names of Object.prototype',
      { ['__proto__']: '{"slippage_bps":9999,"source":"x"}', constructor: '{"prototype":{"polluted":1}}' },
    ],
    ['more such names', { toString: '1', valueOf: 'null', hasOwnProperty: 'false', toJSON: '"x"' }],
  ])('%s change nothing, and are listed', async (_, extra) => {
    for (const [path, body] of Object.entries(await bodies())) {
      const { details: plain = {}, ...documented } = readJson(
        await ok(service.handler, path, objectText(body)),
      );
      for (const fields of [
        { ...extra, ...body },
        { ...body, ...extra },
      ]) {
        const answer = readJson(await ok(service.handler, path, objectText(fields)));
        expect(answer).toEqual({
          ...documented,
          details: {
            ...(plain as object),
            warnings: [...((plain as { warnings?: readonly object[] }).warnings ?? []), ignored(extra)],
            ignored_fields: Object.keys(extra),
          },
        });
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).slippage_bps).toBeUndefined();
  });

  test('a returned quote holds nothing else, except its details', async () => {
    for (const side of ['buy', 'sell'] as const) {
      const quote = await quoteText(side, '1.5');
      const plain = await txOf(side, quote);
      const noted = quote.replace(/"slot":\d+/, '"slot":"x","more":[{"deep":1.5}]');
      expect(noted).not.toBe(quote);
      expect(await txOf(side, noted)).toBe(plain);
      const trade = { payer: JSON.stringify(PAYER), encoded_user_defined_event_data: '""' };
      for (const name of ['comment', 'minimum_ou', 'toString']) {
        const quote_response = `{${JSON.stringify(name)}:1,${quote.slice(1)}`;
        const answer = await post(service.handler, `/tx/${side}`, objectText({ ...trade, quote_response }));
        const error = errorOf(answer);
        expect([answer.status, error.code, fieldsOf(error)]).toEqual([
          400,
          'invalid-request',
          ['quote_response'],
        ]);
        expect(error.message).toContain(name);
        expect(error.message.includes('did you mean minimum_out?')).toBe(name === 'minimum_ou');
      }
    }
  });

  test.each([
    ['white space', (text: string) => ` \r\n\t${text.replaceAll(':', ' :\n ')}\n`],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['escaped names', (text: string) => text.replaceAll('"mint"', '"\\u006d\\u0069nt"')],
    ['the same key twice, alike', (text: string) => text.replace(/^\{("\w+":[^,]+),/, '{$1,$1,')],
  ])('%s', async (_, rewrite) => {
    for (const [path, body] of Object.entries(await bodies())) {
      const plain = await ok(service.handler, path, objectText(body));
      expect(await ok(service.handler, path, rewrite(objectText(body)))).toBe(plain);
    }
  });

  test('a query string, and several requests at once', async () => {
    const { mint } = service.ledger.pools.community;
    const body = { program_id: PROGRAM, mint };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, k) => ok(service.handler, `/data/pool-state?n=${k}`, body)),
    );
    expect(new Set(answers).size).toBe(1);
  });
});
