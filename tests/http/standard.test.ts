import {
  type Address,
  generateKeyPairSigner,
  getPublicKeyFromAddress,
  type Instruction,
  type KeyPairSigner,
  verifySignature,
} from '@solana/kit';
import {
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { beforeEach, describe, expect, inject, test } from 'vitest';

import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenAddress,
  findPoolAddress,
  findProtocolConfigAddress,
  parseClaimStandardCreatorTradingFeesInstruction,
  parseCreateStandardLiquidityPoolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { caseOf } from '../support/errors.js';
import { decodedOf, lookupTablesIn, messageOf } from '../support/transactions.js';
import {
  assertTransactionDetails,
  createService,
  errorOf,
  exchangeInstructionOf,
  fieldsOf,
  instructionsOf,
  kindOf,
  objectText,
  ok,
  PROGRAM,
  post,
  readJson,
  type Service,
} from './support.js';

const PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;
const CREATOR = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
const BUDGET = 'ComputeBudget111111111111111111111111111111';

let service: Service;
let mintSigner: KeyPairSigner;
/** How often a launch has asked for its mint. */
let mintsGiven: number;

beforeEach(async () => {
  mintSigner = await generateKeyPairSigner();
  mintsGiven = 0;
  service = await createService({
    mintSigner: async () => {
      mintsGiven++;
      return mintSigner;
    },
  });
});

/** The worker finds its mints itself: what is expected of a mint of the test's does not apply. */
const withItsMint = test.skipIf(inject('engine') === 'workerd');

type Path = keyof typeof VALID;
type Fields = Readonly<Record<string, string | undefined>>;

/** JSON text. */
const text = (value: string) => JSON.stringify(value);

/** A valid request of each path, as JSON text by field. */
const VALID = {
  '/data/pool-info': () => ({
    program_id: text(PROGRAM),
    mint: text(service.ledger.pools.creator.mint),
  }),
  '/data/protocol-config-state': () => ({ program_id: text(PROGRAM), version: '2' }),
  '/quote/initial-buy': () => ({
    config_version: '1',
    program_id: text(PROGRAM),
    initial_purchase_percent: '1',
  }),
  '/tx/claim-creator-trading-fees': () => ({
    mint: text(service.ledger.pools.creator.mint),
    payer: text(service.ledger.pools.creator.creator),
    program_id: text(PROGRAM),
    version: '2',
  }),
  '/tx/create-standard-liquidity-pool': () => ({
    payer: text(PAYER),
    creator: text(CREATOR),
    encoded_user_defined_event_data: '"ref:42"',
    name: '"A tøken"',
    symbol: '"TOKEN"',
    uri: '"https://example.com/token.json"',
    program_id: text(PROGRAM),
    initial_purchase_amount: '12345678901234567',
    lut_address: text(service.ledger.lookupTables.community),
  }),
} as const;
const PATHS = Object.keys(VALID) as Path[];

/** A valid request with other fields; undefined leaves one out. */
const request = (path: Path, changes: Fields = {}) =>
  objectText(
    Object.fromEntries(
      Object.entries<string | undefined>({ ...VALID[path](), ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  );

const answer = async (path: Path, changes: Fields = {}) =>
  readJson(await ok(service.handler, path, request(path, changes)));

/** What is wrong with a request: status, code, and the fields that it names. */
const refusal = async (path: Path, changes: Fields) => {
  const response = await post(service.handler, path, request(path, changes));
  const error = errorOf(response);
  return { status: response.status, code: caseOf(error.code, error.details), fields: fieldsOf(error) };
};

const kindsOf = (value: unknown) =>
  Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, kindOf(item)]));

/** Every field as it is written. */
const writtenOf = (value: unknown) =>
  Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, String(item)]));

describe('/data/pool-info', () => {
  test('has the documented fields under data', async () => {
    const { data, ...others } = await answer('/data/pool-info');
    expect(others).toEqual({});
    const { creator } = service.ledger.pools.creator;
    expect(writtenOf(data)).toEqual({
      classification: 'Creator',
      creator,
      current_base_reserve: '103927583.15106817',
      current_quote_reserve: '1558.777720473',
      current_buy_fee_pct: '1.5',
      current_sell_fee_pct: '1.5',
      current_creator_fee_claim_by_creator: '13688.215097851',
      current_creator_fee_claim_status: 'Processed',
      current_creator_fee_collected_sol: '14109.106346497',
      // 14109.106346497 * 82.0175991
      current_creator_fee_collected_usd: String(Number('1157195.0279862566353527')),
      current_creator_fee_distribution: 'Creator',
      current_creator_fee_recipient: creator,
      current_market_cap_usd: '1138754.915736',
      current_sol_price_usd: '82.0175991',
      current_trading_volume_usd: '101237.13940687699',
      is_creator_fee_claimable: 'true',
      is_migrated: 'true',
      migration_market_cap_threshold: '100000',
      protocol_config_version: '2',
      trading_volume_threshold_usd: '100000',
    });
    const { is_creator_fee_claimable, is_migrated } = data as Record<string, unknown>;
    expect([is_creator_fee_claimable, is_migrated]).toEqual([true, true]);
  });

  test('has plain numbers for nothing and for very little', async () => {
    const { mint, pool } = service.ledger.pools.community;
    service.ledger.updatePool(pool, () => ({ creatorTradingFees: 1n }));
    const { data } = await answer('/data/pool-info', { mint: text(mint) });
    expect(writtenOf(data)).toMatchObject({
      current_creator_fee_claim_by_creator: '0',
      current_creator_fee_collected_sol: '1e-9',
      current_buy_fee_pct: '1.1',
      current_quote_reserve: '115',
    });
  });

  test('of a pro pool, by its address', async () => {
    const { mint, pool } = service.ledger.pools.pro;
    const { data } = await answer('/data/pool-info', { mint: text(mint), pool: text(pool) });
    expect(writtenOf(data)).toMatchObject({ classification: 'Pro', protocol_config_version: '3' });
  });

  test.each([
    ['no mint', { mint: undefined }, 400, 'invalid-request', ['mint']],
    ['a mint that is no address', { mint: '"x"' }, 400, 'invalid-request', ['mint']],
    ['a mint that is a number', { mint: '1' }, 400, 'invalid-request', ['mint']],
    ['a mint without a pool', { mint: text(SYSTEM_PROGRAM_ADDRESS) }, 404, 'pool-not-found', []],
    ['a pool that is none', { pool: text(SYSTEM_PROGRAM_ADDRESS) }, 404, 'pool-not-found', []],
  ])('%s', async (_, change, status, code, fields) => {
    expect(await refusal('/data/pool-info', change)).toEqual({ status, code, fields });
  });
});

describe('/data/protocol-config-state', () => {
  test('returns the whole account', async () => {
    const config = await answer('/data/protocol-config-state');
    expect(kindsOf(config)).toEqual({
      create_pool_fee: 'integer',
      initial_token_b_amount: 'integer',
      initial_token_a_amount: 'integer',
      unstaked_wsol_reserve: 'integer',
      total_sol_spent: 'integer',
      total_msol_received: 'integer',
      total_realized_profit: 'integer',
      pool_count: 'integer',
      max_supply_per_wallet: 'integer',
      creator_trading_fee_trading_volume_threshold: 'integer',
      market_cap_based_fees: 'object',
      buffer_bps: 'integer',
      auto_staking_threshold_bps: 'integer',
      version: 'integer',
      protocol_config_state_bump: 'integer',
      allow_create_pool: 'integer',
      supported_pool_type: 'integer',
      default_leader_slot_window: 'integer',
      auto_staking_enabled: 'integer',
      leader_slot_window: 'integer',
      sandwich_resistence_enabled: 'integer',
      token_a_decimals: 'integer',
      migration_market_cap_threshold: 'integer',
      max_creator_trading_fee: 'integer',
      slot_offset_based_fees: 'object',
    });
    expect(writtenOf(config)).toMatchObject({
      initial_token_b_amount: '35',
      initial_token_a_amount: '1000000000000000000',
      max_supply_per_wallet: '18446744073709551615',
      unstaked_wsol_reserve: '1795202641466',
      version: '2',
    });
  });

  test('returns each group of brackets, to the last digit', async () => {
    const { market_cap_based_fees: byMarketCap, slot_offset_based_fees: bySlot } = (await answer(
      '/data/protocol-config-state',
      { version: '1' },
    )) as Record<string, Record<string, { brackets: readonly object[] }>>;
    const groups = [
      'protocol_trading_fee',
      'liquidity_provider_trading_fee',
      'creator_trading_fee',
      'creator_trading_fee_protocol_fee',
      'reflection_trading_fee',
    ];
    expect(Object.keys(byMarketCap!).sort()).toEqual([...groups].sort());
    expect(Object.keys(bySlot!).sort()).toEqual([...groups].sort());
    const { protocol_trading_fee } = byMarketCap!;
    expect(kindsOf(protocol_trading_fee)).toEqual({ brackets: 'array', count: 'integer' });
    expect(protocol_trading_fee?.brackets.map(writtenOf)).toEqual(
      [
        ['99999', '100', '100'],
        ['18446744073709551615', '25', '25'],
        ['0', '0', '0'],
        ['0', '0', '0'],
      ].map(([market_cap_upper_bound, buy_fee_bps, sell_fee_bps]) => ({
        market_cap_upper_bound,
        buy_fee_bps,
        sell_fee_bps,
      })),
    );
    const { brackets, ...rest } = bySlot!.creator_trading_fee!;
    expect(writtenOf(rest)).toEqual({ max_slot_offset: '15', max_fee_bps: '5000', count: '2', enabled: '1' });
    expect(brackets).toHaveLength(42);
    expect(brackets.slice(0, 2).map(writtenOf)).toEqual([
      { slot_offset_upperbound: '5', buy_fee_bps: '5000', sell_fee_bps: '5000' },
      { slot_offset_upperbound: '15', buy_fee_bps: '1000', sell_fee_bps: '1000' },
    ]);
  });

  test.each([
    ['version', { version: '3' }, '3'],
    ['config_version', { version: undefined, config_version: '3' }, '3'],
    ['version null, and config_version', { version: 'null', config_version: '1' }, '1'],
    ['both', { version: '2', config_version: '2' }, '2'],
    ['a string of digits', { version: '"3"' }, '3'],
  ])('accepts %s', async (_, change, version) => {
    expect(writtenOf(await answer('/data/protocol-config-state', change)).version).toBe(version);
  });

  test.each([
    ['neither', { version: undefined }, 400, 'invalid-request', ['version']],
    ['two that differ', { version: '2', config_version: '1' }, 400, 'invalid-request', ['config_version']],
    ['text', { version: '"two"' }, 400, 'invalid-request', ['version']],
    ['a fraction', { version: '1.5' }, 400, 'invalid-request', ['version']],
    ['a negative', { version: '-1' }, 400, 'invalid-request', ['version']],
    [
      'text for the other',
      { version: undefined, config_version: '"2.5"' },
      400,
      'invalid-request',
      ['config_version'],
    ],
    ['more than 16 bits', { version: '65536' }, 400, 'invalid-input', ['version']],
    ['more than 53 bits', { version: '9007199254740993' }, 400, 'invalid-request', ['version']],
    ['one that does not exist', { version: '9' }, 404, 'account-not-found', []],
  ])('%s', async (_, change, status, code, fields) => {
    expect(await refusal('/data/protocol-config-state', change)).toEqual({ status, code, fields });
  });
});

describe('/quote/initial-buy', () => {
  test('returns the documented fields, and the exact cost', async () => {
    const { details, ...documented } = await answer('/quote/initial-buy');
    expect(writtenOf(documented)).toEqual({
      cost_lamports: '353535354',
      cost_sol: '0.353535354',
      cost_usd: String(Number('28.9961209320485814')),
      token_amount: '10000000000000000',
      token_amount_ui: '10000000',
    });
    const { fees, warnings, ...others } = details as Record<string, unknown>;
    expect(warnings).toEqual([]);
    expect(writtenOf(others)).toEqual({
      least_lamports: '353535354',
      total_fee: '0',
      market_cap_usd: '2870.615968', // 35 SOL at 82.0175991
      slot: '411354049',
    });
    expect(writtenOf(fees)).toEqual({
      protocol: '0',
      liquidity_provider: '0',
      creator: '0',
      creator_protocol: '0',
      reflection: '0',
    });
  });

  test.each([
    ['0.1', '1000000000000000'],
    ['1e-7', '1000000000'],
    ['0.00000000000001', '100'],
    ['33.33333333333333', '333333333333333300'],
    ['12.3456789012345', '123456789012345000'],
  ])('%s percent are %s units', async (initial_purchase_percent, token_amount) => {
    expect(writtenOf(await answer('/quote/initial-buy', { initial_purchase_percent }))).toMatchObject({
      token_amount,
    });
  });

  test('99.9999 percent cost more than 2^53 lamports, exactly', async () => {
    const quote = await answer('/quote/initial-buy', { initial_purchase_percent: '99.9999' });
    expect(writtenOf(quote)).toMatchObject({
      cost_lamports: '34999965000000000',
      token_amount: '999999000000000000',
    });
  });

  test.each([
    ['left out', undefined, '353535354'],
    ['null', 'null', '353535354'],
    ['0', '0', '353535354'],
    ['0.5 %, rounded up', '0.005', '355303031'],
    ['0.5 % as text', '"0.005"', '355303031'],
    ['100 %', '1', '707070708'],
  ])('slippage %s', async (_, slippage, cost_lamports) => {
    expect(writtenOf(await answer('/quote/initial-buy', { slippage }))).toMatchObject({ cost_lamports });
  });

  test.each([
    ['null', 'null', '353535354'],
    ['0', '0', '353535354'],
    ['0.5 %, rounded up', '50', '355303031'],
    ['0.5 % as text', '"50"', '355303031'],
    ['100 %', '10000', '707070708'],
  ])('slippage_bps %s', async (_, slippage_bps, cost_lamports) => {
    for (const slippage of [undefined, 'null']) {
      const { details: _, ...quote } = await answer('/quote/initial-buy', { slippage_bps, slippage });
      expect(writtenOf(quote)).toMatchObject({ cost_lamports });
    }
  });

  test('nothing costs nothing', async () => {
    const { details: _, ...documented } = await answer('/quote/initial-buy', {
      initial_purchase_percent: '0',
    });
    expect(writtenOf(documented)).toEqual({
      cost_lamports: '0',
      cost_sol: '0',
      cost_usd: '0',
      token_amount: '0',
      token_amount_ui: '0',
    });
  });

  const PERCENT = ['initial_purchase_percent'];
  test.each([
    ['no percentage', { initial_purchase_percent: undefined }, 400, 'invalid-request', PERCENT],
    ['a percentage of text', { initial_purchase_percent: '"1,5"' }, 400, 'invalid-request', PERCENT],
    ['no config version', { config_version: undefined }, 400, 'invalid-request', ['config_version']],
    ['a config version of text', { config_version: '"one"' }, 400, 'invalid-request', ['config_version']],
    ['slippage of text', { slippage: '"0.1 %"' }, 400, 'invalid-request', ['slippage']],
    ['slippage twice', { slippage: '0.005', slippage_bps: '50' }, 400, 'invalid-input', ['slippage']],
    ['slippage over 10000', { slippage_bps: '10001' }, 400, 'invalid-slippage', ['slippage_bps']],
    ['half a basis point', { slippage_bps: '0.5' }, 400, 'invalid-request', ['slippage_bps']],
    ['a field that it does not know', { slipage: '0.005' }, 400, 'invalid-request', ['body']],
    ['a negative percentage', { initial_purchase_percent: '-1' }, 400, 'invalid-amount', PERCENT],
    ['101 percent', { initial_purchase_percent: '101' }, 400, 'invalid-input', PERCENT],
    ['100.0000001 percent', { initial_purchase_percent: '100.0000001' }, 400, 'invalid-input', PERCENT],
    ['slippage over 1', { slippage: '1.5' }, 400, 'invalid-slippage', ['slippage']],
    ['negative slippage', { slippage: '-0.1' }, 400, 'invalid-slippage', ['slippage']],
    ['100 percent', { initial_purchase_percent: '100' }, 422, 'insufficient-liquidity', []],
    ['the config of pro pools', { config_version: '3' }, 422, 'pool-mismatch:kind', ['kind']],
    ['a config that does not exist', { config_version: '9' }, 404, 'account-not-found', []],
  ])('%s', async (_, change, status, code, fields) => {
    expect(await refusal('/quote/initial-buy', change)).toEqual({ status, code, fields });
  });
});

/** What a transaction's compute budget instructions say. */
const budgetOf = (instructions: readonly Instruction[]) => {
  const [limit, price] = instructions as never[];
  return {
    units: parseSetComputeUnitLimitInstruction(limit!).data.units,
    microLamports: parseSetComputeUnitPriceInstruction(price!).data.microLamports,
  };
};

describe('/tx/claim-creator-trading-fees', () => {
  const PATH = '/tx/claim-creator-trading-fees';

  test('returns an unsigned transaction and its details', async () => {
    const { creator, mint, pool } = service.ledger.pools.creator;
    const { tx, details, ...others } = await answer(PATH);
    expect(others).toEqual({});
    assertTransactionDetails(details, tx);
    const { instructions, feePayer, signatures } = instructionsOf(tx);
    expect(feePayer).toBe(creator);
    expect(signatures).toEqual({ [creator]: null });
    expect(instructions.map(({ programAddress }) => programAddress)).toEqual([
      BUDGET,
      BUDGET,
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      PROGRAM,
      TOKEN_PROGRAM_ADDRESS,
    ]);
    expect(budgetOf(instructions)).toEqual({ units: 130_000, microLamports: 20_000_000n });
    const { accounts, data } = parseClaimStandardCreatorTradingFeesInstruction(
      exchangeInstructionOf(tx) as never,
    );
    expect(data).toEqual({ amount: 0n });
    expect([accounts.user.address, accounts.tokenAMint.address, accounts.liquidityPoolState.address]).toEqual(
      [creator, mint, pool],
    );
  });

  test.each([
    ['1', 1n],
    ['420891248646', 420_891_248_646n],
    ['"420891248646"', 420_891_248_646n],
    ['0', 0n],
    ['null', 0n],
  ])('claims %s lamports', async (written, amount) => {
    const { tx } = await answer(PATH, { amount: written });
    const { data } = parseClaimStandardCreatorTradingFeesInstruction(exchangeInstructionOf(tx) as never);
    expect(data).toEqual({ amount });
  });

  test('claims more than 2^53 lamports exactly', async () => {
    service.ledger.updatePool(service.ledger.pools.creator.pool, () => ({
      creatorTradingFees: 9_007_199_254_740_995n,
    }));
    const { tx } = await answer(PATH, { amount: '9007199254740993' });
    const { data } = parseClaimStandardCreatorTradingFeesInstruction(exchangeInstructionOf(tx) as never);
    expect(data).toEqual({ amount: 9_007_199_254_740_993n });
  });

  test.each([
    [
      'given',
      { compute_unit_limit: '99000', compute_unit_price: '18446744073709551615' },
      99_000,
      2n ** 64n - 1n,
    ],
    ['null', { compute_unit_limit: 'null', compute_unit_price: 'null' }, 130_000, 20_000_000n],
  ])('has the compute budget %s', async (_, change, units, microLamports) => {
    const { tx } = await answer(PATH, change);
    expect(budgetOf(instructionsOf(tx).instructions)).toEqual({ units, microLamports });
  });

  test.each([
    ...(['mint', 'payer', 'version'] as const).map(
      (field) => [`no ${field}`, { [field]: undefined }, 400, 'invalid-request', [field]] as const,
    ),
    ['a negative amount', { amount: '-1' }, 400, 'invalid-request', ['amount']],
    ['a fraction of a lamport', { amount: '0.5' }, 400, 'invalid-request', ['amount']],
    ['an amount of text', { amount: '"1 SOL"' }, 400, 'invalid-request', ['amount']],
    ['an amount over 64 bits', { amount: '18446744073709551616' }, 400, 'amount-out-of-range', ['amount']],
    ['a payer that is no address', { payer: '"me"' }, 400, 'invalid-request', ['payer']],
    ['a version of text', { version: '"two"' }, 400, 'invalid-request', ['version']],
    [
      'a negative compute limit',
      { compute_unit_limit: '-1' },
      400,
      'invalid-request',
      ['compute_unit_limit'],
    ],
    [
      'a compute limit over 32 bits',
      { compute_unit_limit: '4294967296' },
      400,
      'invalid-input',
      ['compute_unit_limit'],
    ],
    ['a mint without a pool', { mint: text(SYSTEM_PROGRAM_ADDRESS) }, 404, 'pool-not-found', []],
    ['another version', { version: '1' }, 422, 'pool-mismatch:configVersion', ['config_version']],
    ['a stranger', { payer: text(PAYER) }, 422, 'not-authorized:fee-receiver', []],
    ['more than has accrued', { amount: '420891248647' }, 422, 'insufficient-balance:creator-fees', []],
  ] as const)('%s', async (_, change, status, code, fields) => {
    expect(await refusal(PATH, change)).toEqual({ status, code, fields });
  });

  test.each([
    ['blocked', { creatorTradingFeeDistribution: 2 }],
    ['volume-below-threshold', { tradingVolumeUsd: 1 }],
    ['not-processed', { creatorTradingFeeClaimStatus: 1 }],
  ])('fees that are %s', async (reason, fields) => {
    service.ledger.updatePool(service.ledger.pools.creator.pool, () => fields);
    const response = await post(service.handler, PATH, request(PATH));
    expect(response.status).toBe(422);
    expect(errorOf(response)).toMatchObject({ code: 'fees-not-claimable', details: { reason } });
  });

  test('names the available amount exactly', async () => {
    const { text: body } = await post(service.handler, PATH, request(PATH, { amount: '9007199254740993' }));
    expect(body).toContain('"requested":9007199254740993');
    expect(body).toContain('"available":420891248646');
  });
});

describe('/tx/create-standard-liquidity-pool', () => {
  const PATH = '/tx/create-standard-liquidity-pool';

  /** A launch: its instructions through the lookup table, and its signatures. */
  const launchOf = (tx: unknown) => {
    const { messageBytes, signatures } = decodedOf(tx as string);
    const { instructions, feePayer } = messageOf(tx as string, lookupTablesIn(service.ledger));
    const creation = (instructions as readonly Instruction[]).find(
      ({ programAddress }) => programAddress === PROGRAM,
    );
    return {
      messageBytes,
      signatures,
      instructions: instructions as readonly Instruction[],
      feePayer: feePayer.address,
      creation: parseCreateStandardLiquidityPoolInstruction(creation as never),
    };
  };

  const SENT = { encodedUserDefinedEventData: 'ref:42', initialPurchaseAmount: 12_345_678_901_234_567n };

  withItsMint('answers the transaction, its mint, and what stands behind it', async () => {
    const { tx, mint, details, ...others } = await answer(PATH);
    expect([mint, others]).toEqual([mintSigner.address, {}]);
    assertTransactionDetails(details, tx);
    expect(mintsGiven).toBe(1);
  });

  withItsMint('is signed by the mint, and by nobody else', async () => {
    const { messageBytes, signatures, feePayer } = launchOf((await answer(PATH)).tx);
    expect(feePayer).toBe(PAYER);
    const { [mintSigner.address]: signature, ...others } = signatures;
    expect(others).toEqual({ [PAYER]: null, [CREATOR]: null });
    const key = await getPublicKeyFromAddress(mintSigner.address);
    expect(await verifySignature(key, signature!, messageBytes)).toBe(true);
  });

  withItsMint('decodes to what was asked for', async () => {
    const { creation } = launchOf((await answer(PATH)).tx);
    const { address: mint } = mintSigner;
    const protocolConfig = await findProtocolConfigAddress({ version: 1 });
    const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;
    const addresses = Object.fromEntries(
      Object.entries(creation.accounts).map(([name, { address }]) => [name, address]),
    );
    expect(addresses).toMatchObject({
      user: CREATOR,
      payer: PAYER,
      tokenAMint: mint,
      tokenAProgram: tokenProgram,
      userTokenAVault: await findAssociatedTokenAddress({ owner: CREATOR, mint, tokenProgram }),
      tokenAVault: await findAssociatedTokenAddress({ owner: protocolConfig, mint, tokenProgram }),
      liquidityPoolState: await findPoolAddress({ mint }),
      protocolConfig,
    });
    // Version 1 by default. 12345678901234567 of 10^18 units against 35 SOL are 437499997 lamports, and 441874996.97 with the
    // margin of 1 %, which is rounded up.
    expect(creation.data).toEqual({
      protocolConfigVersion: 1,
      params: { ...SENT, maxSolSpend: 441_874_997n },
    });
  });

  test('has the documented steps, and the metadata', async () => {
    const { instructions } = launchOf((await answer(PATH)).tx);
    expect(instructions.map(({ programAddress }) => programAddress)).toEqual([
      BUDGET,
      BUDGET,
      SYSTEM_PROGRAM_ADDRESS, // the mint’s account, which then has to sign
      TOKEN_METADATA_PROGRAM_ADDRESS,
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      TOKEN_2022_PROGRAM_ADDRESS, // minting
      TOKEN_2022_PROGRAM_ADDRESS, // giving up the mint authority
      TOKEN_2022_PROGRAM_ADDRESS, // and the freeze authority
      PROGRAM,
    ]);
    const bytes = Buffer.from(Uint8Array.from(instructions[3]!.data!));
    // 2a 00, then name, symbol and URI, each with its length in bytes in front
    const written = ['A tøken', 'TOKEN', 'https://example.com/token.json'].flatMap((word) => {
      const utf8 = Buffer.from(word);
      return [utf8.length, 0, 0, 0, ...utf8];
    });
    expect([...bytes.subarray(0, 2 + written.length)]).toEqual([0x2a, 0, ...written]);
  });

  test.each([
    ['left out', undefined, 1],
    ['null', 'null', 1],
    ['1', '1', 1],
    ['2', '2', 2],
  ])('config_version %s', async (_, config_version, protocolConfigVersion) => {
    const { creation } = launchOf((await answer(PATH, { config_version })).tx);
    expect(creation.data.protocolConfigVersion).toBe(protocolConfigVersion);
    expect(creation.accounts.protocolConfig.address).toBe(
      await findProtocolConfigAddress({ version: protocolConfigVersion }),
    );
  });

  test.each([
    // 1 % of the tokens costs 353535354 lamports: with 1 % on top 357070707.54, rounded up
    ['left out', undefined, 357_070_708n],
    ['null', 'null', 357_070_708n],
    ['just enough', '0.353535354', 353_535_354n],
    ['more', '9007199.254740993', 9_007_199_254_740_993n],
  ])('max_sol_spend %s', async (_, max_sol_spend, allowed) => {
    const change = { initial_purchase_amount: '10000000000000000', max_sol_spend };
    const { creation } = launchOf((await answer(PATH, change)).tx);
    expect(creation.data.params.maxSolSpend).toBe(allowed);
  });

  test('without an initial purchase', async () => {
    const { creation } = launchOf((await answer(PATH, { initial_purchase_amount: '0' })).tx);
    expect(creation.data.params).toEqual({ ...SENT, initialPurchaseAmount: 0n, maxSolSpend: 0n });
  });

  withItsMint('one wallet as payer and creator', async () => {
    const { signatures } = launchOf((await answer(PATH, { creator: text(PAYER) })).tx);
    expect(Object.keys(signatures).sort()).toEqual([PAYER, mintSigner.address].sort());
  });

  test('has the compute budget that is given', async () => {
    const change = { compute_unit_limit: '350000', compute_unit_price: '1' };
    const { instructions } = launchOf((await answer(PATH, change)).tx);
    expect(budgetOf(instructions)).toEqual({ units: 350_000, microLamports: 1n });
  });

  const REQUIRED = [
    'payer',
    'creator',
    'encoded_user_defined_event_data',
    'name',
    'symbol',
    'uri',
    'initial_purchase_amount',
    'lut_address',
  ] as const;
  const AMOUNT = ['initial_purchase_amount'];
  test.each([
    ...REQUIRED.map(
      (field) => [`no ${field}`, { [field]: undefined }, 400, 'invalid-request', [field]] as const,
    ),
    ...REQUIRED.map(
      (field) => [`${field}: true`, { [field]: 'true' }, 400, 'invalid-request', [field]] as const,
    ),
    ['a negative purchase', { initial_purchase_amount: '-1' }, 400, 'invalid-request', AMOUNT],
    ['half a unit', { initial_purchase_amount: '0.5' }, 400, 'invalid-request', AMOUNT],
    [
      'a purchase over 64 bits',
      { initial_purchase_amount: '18446744073709551616' },
      400,
      'amount-out-of-range',
      AMOUNT,
    ],
    ['a spend of text', { max_sol_spend: '"1 SOL"' }, 400, 'invalid-request', ['max_sol_spend']],
    ['a tenth of a lamport', { max_sol_spend: '1e-10' }, 400, 'invalid-amount:decimals', ['max_sol_spend']],
    ['a config version of text', { config_version: '"one"' }, 400, 'invalid-request', ['config_version']],
    ['a config version over 16 bits', { config_version: '65536' }, 400, 'invalid-input', ['config_version']],
    ['a name of 33 bytes', { name: text(`${'n'.repeat(31)}ø`) }, 400, 'invalid-input', ['name']],
    ['a symbol of 11 bytes', { symbol: text('s'.repeat(11)) }, 400, 'invalid-input', ['symbol']],
    ['a URI of 201 bytes', { uri: text('u'.repeat(201)) }, 400, 'invalid-input', ['uri']],
    ['a spend that is too low', { max_sol_spend: '0.000000001' }, 422, 'spend-too-low', ['max_sol_spend']],
    ['all the tokens', { initial_purchase_amount: '1000000000000000000' }, 422, 'insufficient-liquidity', []],
    ['a lookup table that is none', { lut_address: text(PAYER) }, 422, 'unusable-account:lookup table', []],
    ['the config of pro pools', { config_version: '3' }, 422, 'pool-mismatch:kind', ['kind']],
    ['a config that does not exist', { config_version: '9' }, 404, 'account-not-found', []],
    [
      'too much event data',
      { encoded_user_defined_event_data: text('x'.repeat(1_232)) },
      422,
      'transaction-too-large',
      [],
    ],
  ] as const)('%s', async (_, change, status, code, fields) => {
    expect(await refusal(PATH, change)).toEqual({ status, code, fields });
    // No mint is looked for in vain.
    expect(mintsGiven).toBe(0);
  });

  test('a config that allows no new pools', async () => {
    service.ledger.updateConfig(await findProtocolConfigAddress({ version: 1 }), () => ({
      allowCreatePool: 0,
    }));
    expect(await refusal(PATH, {})).toEqual({ status: 422, code: 'operation-disabled:create', fields: [] });
    expect(mintsGiven).toBe(0);
  });
});

describe('every path', () => {
  test.each(PATHS)('%s: requires its program', async (path) => {
    expect(await refusal(path, { program_id: undefined })).toEqual({
      status: 400,
      code: 'invalid-request',
      fields: ['program_id'],
    });
    expect(await refusal(path, { program_id: text(SYSTEM_PROGRAM_ADDRESS) })).toEqual({
      status: 422,
      code: 'unknown-program-id',
      fields: ['program_id'],
    });
    expect(service.ledger.requests).toEqual([]);
  });

  const UNKNOWN = { abort_signal: '"x"', mint_signer: '"x"', lifetime: '{}', extra: 'null' };

  test.each(PATHS)('%s: names fields that it drops', async (path) => {
    const { details } = await answer(path, UNKNOWN);
    expect(details).toMatchObject({ ignored_fields: Object.keys(UNKNOWN) });
    const { details: plain = {} } = await answer(path);
    expect(plain).not.toHaveProperty('ignored_fields');
  });

  test.each(PATHS)('%s: is answered without a report', async (path) => {
    await answer(path);
    await refusal(path, { program_id: '1' });
    expect(service.reported).toEqual([]);
  });

  // The version of a config may be given in one of two fields, which is looked at when the rest is right.
  const ALL_AT_ONCE = PATHS.filter((path) => path !== '/data/protocol-config-state');
  test.each(ALL_AT_ONCE)('%s: names every wrong field', async (path) => {
    const names = Object.keys(VALID[path]());
    const response = await post(service.handler, path, '{}');
    expect(response.status).toBe(400);
    expect([...fieldsOf(errorOf(response))].sort()).toEqual(names.sort());
  });
});
