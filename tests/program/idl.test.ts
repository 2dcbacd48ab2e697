import { readFileSync } from 'node:fs';

import { address, getAddressEncoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHeavenIdl } from '../../scripts/idl.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { hexOf } from '../support/bytes.js';

interface IdlAccount {
  readonly name: string;
  readonly writable?: boolean;
  readonly signer?: boolean;
  readonly address?: string;
}

interface Idl {
  readonly address: string;
  readonly metadata: { readonly name: string; readonly spec: string };
  readonly instructions: readonly {
    readonly name: string;
    readonly discriminator: readonly number[];
    readonly accounts: readonly IdlAccount[];
    readonly args: readonly { readonly name: string; readonly type: unknown }[];
  }[];
  readonly accounts: readonly { readonly name: string; readonly discriminator: readonly number[] }[];
  readonly events: readonly { readonly name: string; readonly discriminator: readonly number[] }[];
  readonly errors: readonly { readonly code: number; readonly name: string }[];
  readonly types: readonly {
    readonly name: string;
    readonly type: {
      readonly kind: 'struct' | 'enum';
      readonly fields?: readonly { readonly name: string; readonly type: unknown }[];
      readonly variants?: readonly { readonly name: string }[];
    };
  }[];
}

const idl = createHeavenIdl() as unknown as Idl;
const instruction = (name: string) => idl.instructions.find((one) => one.name === name)!;
const textSeed = (text: string) => ({ kind: 'const', value: [...Buffer.from(text)] });
const accountSeed = (name: string) => ({ kind: 'account', path: name });
const tokenAccount = (owner: string, tokenProgram: string, mint: string) => ({
  seeds: [owner, tokenProgram, mint].map(accountSeed),
  program: {
    kind: 'const',
    value: [...getAddressEncoder().encode(address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'))],
  },
});
const type = (name: string) => idl.types.find((one) => one.name === name)!.type;
const fieldNames = (name: string) => type(name).fields?.map((field) => field.name);

/** The names in all `{ defined: { name } }` of a piece of the IDL. */
function referred(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { defined } = value as { defined?: { name: string } };
  return [...(defined ? [defined.name] : []), ...Object.values(value).flatMap(referred)];
}

test('idl/heaven.json is current: if not, run `npm run idl`', () => {
  const committed = JSON.parse(readFileSync(new URL('../../idl/heaven.json', import.meta.url), 'utf8'));
  expect(committed, 'idl/heaven.json is out of date: run `npm run idl`').toEqual(createHeavenIdl());
});

describe('the IDL', () => {
  test("is of the exchange on mainnet, in Anchor's specification 0.1.0", () => {
    expect(idl.address).toBe('HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o');
    expect(idl.metadata).toMatchObject({ name: 'heaven', spec: '0.1.0' });
  });

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(createHeavenIdl()))).toStrictEqual(createHeavenIdl());
  });

  test('defines every type that it refers to, once', () => {
    const defined = idl.types.map(({ name }) => name);
    expect(new Set(defined).size).toBe(defined.length);
    expect(defined).toEqual(expect.arrayContaining([...new Set(referred(idl))]));
    for (const name of [...idl.accounts, ...idl.events].map((one) => one.name))
      expect(defined, name).toContain(name);
  });

  test('names all instructions', () => {
    expect(idl.instructions.map(({ name }) => name).sort()).toEqual([
      'add_liquidity_pro_pool',
      'buy',
      'claim_pro_creator_trading_fees',
      'claim_pro_liquidity_provider_trading_fees',
      'claim_standard_creator_trading_fees',
      'create_pro_liquidity_pool',
      'create_standard_liquidity_pool',
      'creator_set_pro_market_cap_creator_fee',
      'creator_set_pro_market_cap_lp_fee',
      'creator_set_pro_market_cap_reflection_fee',
      'creator_set_pro_slot_creator_fee',
      'creator_toggle_pro_deposit',
      'creator_toggle_pro_swap',
      'creator_toggle_pro_withdraw',
      'pro_buy',
      'pro_sell',
      'remove_liquidity_pro_pool',
      'sell',
      'transfer_lp_tokens',
      'update_creator_trading_fee_receiver',
      'update_pro_creator_trading_fee_receiver',
    ]);
  });

  test('names all accounts, events and errors', () => {
    expect(idl.accounts.map(({ name }) => name).sort()).toEqual([
      'LiquidityPoolState',
      'ProtocolConfig',
      'UserLpPosition',
    ]);
    expect(idl.events.map(({ name }) => name).sort()).toEqual([
      'CreateLiquidityPoolEvent',
      'CreateStandardLiquidityPoolEvent',
      'CreatingLiquidityPoolEvent',
      'HighReflectionFeeEvent',
      'MigrationEvent',
      'TradeEvent',
      'UserDefinedEvent',
    ]);
    expect(idl.errors).toHaveLength(54);
    expect(idl.errors[13]).toMatchObject({ code: 6013, name: 'ExceededSlippage' });
  });

  test.each([
    ['global', idl.instructions],
    ['account', idl.accounts],
    ['event', idl.events],
  ] as const)('has the discriminators of the namespace %s', (namespace, items) => {
    for (const { name, discriminator } of items)
      expect(hexOf(discriminator), name).toBe(anchorDiscriminator(namespace, name));
  });

  test('lists the accounts of buy in order', () => {
    expect(instruction('buy').accounts).toEqual([
      { name: 'token_a_program' },
      { name: 'token_b_program', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
      { name: 'associated_token_program', address: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' },
      { name: 'system_program', address: '11111111111111111111111111111111' },
      {
        name: 'liquidity_pool_state',
        writable: true,
        pda: {
          seeds: [textSeed('liquidity_pool_state'), accountSeed('token_a_mint'), accountSeed('token_b_mint')],
        },
      },
      { name: 'user', writable: true, signer: true },
      { name: 'token_a_mint' },
      { name: 'token_b_mint', address: 'So11111111111111111111111111111111111111112' },
      {
        name: 'user_token_a_vault',
        writable: true,
        pda: tokenAccount('user', 'token_a_program', 'token_a_mint'),
      },
      {
        name: 'user_token_b_vault',
        writable: true,
        pda: tokenAccount('user', 'token_b_program', 'token_b_mint'),
      },
      {
        name: 'token_a_vault',
        writable: true,
        pda: tokenAccount('protocol_config', 'token_a_program', 'token_a_mint'),
      },
      {
        name: 'token_b_vault',
        writable: true,
        pda: tokenAccount('protocol_config', 'token_b_program', 'token_b_mint'),
      },
      { name: 'protocol_config', writable: true },
      {
        name: 'instruction_sysvar_account_info',
        address: 'Sysvar1nstructions1111111111111111111111111',
      },
      { name: 'chainlink_program', address: 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' },
      { name: 'chainlink_feed', address: 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt' },
    ]);
  });

  test("lists the accounts of a pro pool's creation in order", () => {
    expect(instruction('create_pro_liquidity_pool').accounts.map(({ name }) => name)).toEqual([
      'token_program',
      'associated_token_program',
      'system_program',
      'user',
      'payer',
      'token_a_mint',
      'token_b_mint',
      'user_token_a_vault',
      'token_a_vault',
      'token_b_vault',
      'liquidity_pool_state',
      'protocol_config',
      'token_a_program',
      'user_lp_position',
      'chainlink_program',
      'chainlink_feed',
    ]);
  });

  test('lists the accounts of a transfer of LP tokens in order', () => {
    expect(instruction('transfer_lp_tokens').accounts).toEqual([
      { name: 'system_program', address: '11111111111111111111111111111111' },
      { name: 'liquidity_pool_state', writable: true },
      { name: 'sender', signer: true },
      { name: 'payer', writable: true, signer: true },
      { name: 'receiver' },
      {
        name: 'sender_lp_position',
        writable: true,
        pda: {
          seeds: [textSeed('user_lp_position'), accountSeed('liquidity_pool_state'), accountSeed('sender')],
        },
      },
      {
        name: 'receiver_lp_position',
        writable: true,
        pda: {
          seeds: [textSeed('user_lp_position'), accountSeed('liquidity_pool_state'), accountSeed('receiver')],
        },
      },
    ]);
  });

  test("writes arguments and fields in the program's own names", () => {
    expect(instruction('create_standard_liquidity_pool').args).toEqual([
      { name: 'protocol_config_version', type: 'u16' },
      { name: 'params', type: { defined: { name: 'CreateStandardLiquidityPoolParams' } } },
    ]);
    expect(type('BuyParams').fields).toEqual([
      { name: 'max_sol_spend', type: 'u64' },
      { name: 'minimum_amount_out', type: 'u64' },
      { name: 'encoded_user_defined_event_data', type: 'string' },
    ]);
    expect(type('FeeBrackets').fields).toEqual([
      { name: 'brackets', type: { array: [{ defined: { name: 'FeeBracket' } }, 4] } },
      { name: 'count', type: 'u8' },
      { name: '_padding', type: { array: ['u8', 7] } },
    ]);
    expect(type('FeeBracketsParams').fields).toEqual([
      { name: 'brackets', type: { vec: { defined: { name: 'FeeBracket' } } } },
      { name: 'count', type: 'u8' },
    ]);
    expect(type('CreateProLiquidityPoolParams').fields?.[4]).toEqual({
      name: 'reflection_trading_fee',
      type: { option: { defined: { name: 'FeeBracketsParams' } } },
    });
    expect(fieldNames('TradeEvent')).toEqual([
      'base_reserve',
      'quote_reserve',
      'total_creator_trading_fees',
      'total_fee_paid',
      'price_sol_usd',
      'base_in',
      'base_out',
      'quote_in',
      'quote_out',
    ]);
    expect(fieldNames('LiquidityPoolTokenInfo')).toEqual(['mint', 'decimals', 'owner']);
  });

  test.each([
    ['LiquidityPoolType', ['None', 'Pro', 'Standard']],
    [
      'FeeType',
      ['ProtocolFee', 'LiquidityProviderFee', 'CreatorFee', 'CreatorFeeProtocolFee', 'ReflectionFee'],
    ],
    ['FeeConfigurationMode', ['Global', 'Local']],
    ['CreatorTradingFeeClaimStatus', ['Unclaimed', 'Submitted', 'Processed']],
    ['CreatorTradingFeeDistribution', ['Community', 'Creator', 'Blocked', 'Shared']],
    [
      'AdminUpdateLiquidityPoolState',
      [
        'CreatorTradingFeeClaimStatus',
        'CreatorTradingFeeDistribution',
        'CreatorTradingFeeReceiver',
        'FeeConfigurationMode',
        'SlotOffsetBasedFees',
        'MarketCapBasedFees',
        'ToggleSwapPermission',
        'SetCreatorTradingFeeTradingVolumeThreshold',
      ],
    ],
  ])('numbers the variants of %s', (name, variants) => {
    expect(type(name).variants?.map((variant) => variant.name)).toEqual(variants);
  });

  test("lists the fields of a config's parameters in order", () => {
    expect(fieldNames('ProtocolConfigParams')).toEqual([
      'create_pool_fee',
      'allow_create_pool',
      'supported_pool_type',
      'market_cap_based_fees',
      'initial_token_b_amount',
      'initial_token_a_amount',
      'default_leader_slot_window',
      'auto_staking_enabled',
      'sandwich_resistence_enabled',
      'buffer_bps',
      'auto_staking_threshold_bps',
      'token_a_decimals',
      'max_creator_trading_fee',
      'max_supply_per_wallet',
      'creator_trading_fee_trading_volume_threshold',
      'migration_market_cap_threshold',
    ]);
  });
});
