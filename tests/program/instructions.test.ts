import { type AccountMeta, AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import type { HeavenErrorCode } from '../../src/errors.js';
import * as program from '../../src/program/index.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import { addressNamed } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hex, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';

// ---------------------------------------------------------------- the accounts, by hand: W writable, S signer

const SWAP14 = [
  'token_a_program',
  'token_b_program',
  'associated_token_program',
  'system_program',
  'liquidity_pool_state W',
  'user S',
  'token_a_mint',
  'token_b_mint',
  'user_token_a_vault W',
  'user_token_b_vault W',
  'token_a_vault W',
  'token_b_vault W',
  'protocol_config W',
  'instruction_sysvar_account_info',
];

const TRADE14 = SWAP14.map((account) => (account === 'user S' ? 'user WS' : account));

const PRICE = ['chainlink_program', 'chainlink_feed'];

const LIQUIDITY = [
  'token_a_program',
  'token_b_program',
  'associated_token_program',
  'system_program',
  'liquidity_pool_state W',
  'user S',
  'payer WS',
  'token_a_mint',
  'token_b_mint',
  'user_token_a_vault W',
  'user_token_b_vault W',
  'token_a_vault W',
  'token_b_vault W',
  'protocol_config W',
  'user_lp_position W',
];

const CREATE = [
  'token_program',
  'associated_token_program',
  'system_program',
  'user S',
  'payer WS',
  'token_a_mint',
  'token_b_mint',
  'user_token_a_vault W',
  'token_a_vault W',
  'token_b_vault W',
  'liquidity_pool_state W',
  'protocol_config W',
  'token_a_program',
];

const CREATOR = ['liquidity_pool_state W', 'creator S'];

/** Accounts that are always the same. The caller does not give them. */
const FIXED: Readonly<Record<string, string>> = {
  token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token_b_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token_b_mint: 'So11111111111111111111111111111111111111112',
  associated_token_program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  system_program: '11111111111111111111111111111111',
  instruction_sysvar_account_info: 'Sysvar1nstructions1111111111111111111111111',
};

/** Accounts that mainnet has at these addresses. The caller may give others. */
const DEFAULTS: Readonly<Record<string, string>> = {
  chainlink_program: 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny',
  chainlink_feed: 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt',
};

// ---------------------------------------------------------------- the arguments, by hand

/** 'hé🙂' is 7 bytes of UTF-8: 68, c3 a9, f0 9f 99 82. */
const TEXT = 'hé🙂';
const TEXT_BYTES = '07000000 68 c3a9 f09f9982';

const NO_BRACKET = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
const NO_SLOT_BRACKET = { buyFeeBps: 0, sellFeeBps: 0, slotOffsetUpperbound: 0 };

const FEE_BRACKETS = {
  brackets: [
    { marketCapUpperBound: 99_999n, buyFeeBps: 100, sellFeeBps: 200 },
    { marketCapUpperBound: 0x0102030405060708n, buyFeeBps: 0x11121314, sellFeeBps: 0x21222324 },
    { marketCapUpperBound: 0xffff_ffff_ffff_ffffn, buyFeeBps: 0xffff_ffff, sellFeeBps: 1 },
    NO_BRACKET,
  ],
  count: 3,
};
const FEE_BRACKETS_BYTES = hex(
  '9f86010000000000 64000000 c8000000',
  '0807060504030201 14131211 24232221',
  'ffffffffffffffff ffffffff 01000000',
  '0000000000000000 00000000 00000000',
  '03 00000000000000',
);

const SLOT_BRACKETS = {
  brackets: [
    { buyFeeBps: 0x0102, sellFeeBps: 0x0304, slotOffsetUpperbound: 0x0506 },
    ...Array.from({ length: 40 }, () => NO_SLOT_BRACKET),
    { buyFeeBps: 0x1112, sellFeeBps: 0x1314, slotOffsetUpperbound: 0x1516 },
  ],
  maxSlotOffset: 0x2122,
  maxFeeBps: 0x2324,
  count: 42,
  enabled: 1,
};
const SLOT_BRACKETS_BYTES = hex(
  '0201 0403 0605',
  '000000000000'.repeat(40),
  '1211 1413 1615',
  '2221 2423 2a 01 00000000',
);

const PRO_POOL_PARAMS = {
  encodedUserDefinedEventData: TEXT,
  initialTokenAAmount: 0x1112131415161718n,
  initialTokenBAmount: 0x2122232425262728n,
  creatorTradingFee: {
    brackets: [
      { marketCapUpperBound: 100_000_000_000n, buyFeeBps: 100, sellFeeBps: 150 },
      { marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 50, sellFeeBps: 60 },
    ],
    count: 2,
  },
  reflectionTradingFee: null,
  liquidityProviderTradingFee: { brackets: [], count: 7 },
  creatorSlotTradingFee: {
    brackets: [{ buyFeeBps: 5_000, sellFeeBps: 4_000, slotOffsetUpperbound: 5 }],
    maxSlotOffset: 15,
    maxFeeBps: 6_000,
    count: 1,
    enabled: 1,
  },
  enableSameSlotTrading: true,
  enableSandwichResistantMode: false,
  enableDepositLiquidity: false,
  enableWithdrawLiquidity: true,
  enableSwap: true,
  enableUpdateCreatorTradingFee: false,
};
const PRO_POOL_PARAMS_BYTES = hex(
  TEXT_BYTES,
  '1817161514131211 2827262524232221',
  '02000000', // Vec of two brackets
  '00e8764817000000 64000000 96000000', // 100_000_000_000 is 0x174876e800
  'ffffffffffffff7f 32000000 3c000000',
  '02', // count
  '00', // None
  '01 00000000 07', // Some(empty Vec, count)
  '01 01000000 8813 a00f 0500', // Some(Vec of one: 5000, 4000, 5
  '0f00 7017 01 01', // 15, 6000, count, enabled)
  '01 00 00 01 01 00',
);

// ---------------------------------------------------------------- the instructions, by hand

interface Case {
  readonly name: string;
  readonly discriminator: string;
  readonly accounts: readonly string[];
  /** Accounts behind the program's own list. */
  readonly behind?: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly argBytes: string;
  readonly build: (input: never, config?: program.InstructionConfig) => program.BuiltInstruction;
  readonly parse: (instruction: Instruction, config?: program.InstructionConfig) => Parsed;
}

interface Parsed {
  readonly name: string;
  readonly programAddress: Address;
  readonly accounts: object;
  readonly data: object;
  readonly extraAccounts: readonly AccountMeta[];
}

const CASES: readonly Case[] = [
  {
    name: 'buy',
    discriminator: '66063d1201daebea',
    accounts: TRADE14,
    behind: PRICE,
    args: {
      params: { maxSolSpend: 1_500_000_000n, minimumAmountOut: 2n ** 63n, encodedUserDefinedEventData: TEXT },
    },
    argBytes: hex('002f685900000000 0000000000000080', TEXT_BYTES), // 1.5 SOL is 0x59682f00
    build: program.getBuyInstruction,
    parse: program.parseBuyInstruction,
  },
  {
    name: 'sell',
    discriminator: '33e685a4017f83ad',
    accounts: TRADE14,
    behind: PRICE,
    args: {
      params: {
        amountIn: 0x0102030405060708n,
        minimumAmountOut: 0x1112131415161718n,
        encodedUserDefinedEventData: '',
      },
    },
    argBytes: '0807060504030201 1817161514131211 00000000',
    build: program.getSellInstruction,
    parse: program.parseSellInstruction,
  },
  {
    name: 'pro_buy',
    discriminator: '67abc4ee9f2dbbf6',
    accounts: TRADE14,
    behind: PRICE,
    args: {
      params: { maxSolSpend: 256n, minimumAmountOut: 0n, encodedUserDefinedEventData: 'ab' },
    },
    argBytes: '0001000000000000 0000000000000000 02000000 6162',
    build: program.getProBuyInstruction,
    parse: program.parseProBuyInstruction,
  },
  {
    name: 'pro_sell',
    discriminator: '8c4f7a601689ee7c',
    accounts: TRADE14,
    behind: PRICE,
    args: {
      params: { amountIn: 2n ** 64n - 1n, minimumAmountOut: 1n, encodedUserDefinedEventData: 'c' },
    },
    argBytes: 'ffffffffffffffff 0100000000000000 01000000 63',
    build: program.getProSellInstruction,
    parse: program.parseProSellInstruction,
  },
  {
    name: 'add_liquidity_pro_pool',
    discriminator: '7d3b6c2a121c2207',
    accounts: LIQUIDITY,
    behind: PRICE,
    args: {
      params: {
        maxTokenA: 0x0102030405060708n,
        maxTokenB: 0x1112131415161718n,
        minLpTokens: 0x2122232425262728n,
      },
    },
    argBytes: '0807060504030201 1817161514131211 2827262524232221',
    build: program.getAddLiquidityProPoolInstruction,
    parse: program.parseAddLiquidityProPoolInstruction,
  },
  {
    name: 'remove_liquidity_pro_pool',
    discriminator: 'bf372a2ce262ac4f',
    accounts: LIQUIDITY,
    behind: PRICE,
    args: {
      params: {
        lpTokensToBurn: 0x0102030405060708n,
        minTokenA: 0x1112131415161718n,
        minTokenB: 0x2122232425262728n,
      },
    },
    argBytes: '0807060504030201 1817161514131211 2827262524232221',
    build: program.getRemoveLiquidityProPoolInstruction,
    parse: program.parseRemoveLiquidityProPoolInstruction,
  },
  {
    name: 'transfer_lp_tokens',
    discriminator: 'ee790e52676d46b4',
    accounts: [
      'system_program',
      'liquidity_pool_state W',
      'sender S',
      'payer WS',
      'receiver',
      'sender_lp_position W',
      'receiver_lp_position W',
    ],
    args: { amount: 0x0102030405060708n },
    argBytes: '0807060504030201',
    build: program.getTransferLpTokensInstruction,
    parse: program.parseTransferLpTokensInstruction,
  },
  {
    name: 'create_standard_liquidity_pool',
    discriminator: '2a2b7e38e70ad035',
    accounts: CREATE,
    behind: PRICE,
    args: {
      protocolConfigVersion: 0x0102,
      params: {
        encodedUserDefinedEventData: TEXT,
        initialPurchaseAmount: 0x0102030405060708n,
        maxSolSpend: 0x1112131415161718n,
      },
    },
    argBytes: hex('0201', TEXT_BYTES, '0807060504030201 1817161514131211'),
    build: program.getCreateStandardLiquidityPoolInstruction,
    parse: program.parseCreateStandardLiquidityPoolInstruction,
  },
  {
    name: 'create_pro_liquidity_pool',
    discriminator: 'd16155bfbb1dc455',
    accounts: [...CREATE, 'user_lp_position W'],
    behind: PRICE,
    args: { protocolConfigVersion: 3, params: PRO_POOL_PARAMS },
    argBytes: hex('0300', PRO_POOL_PARAMS_BYTES),
    build: program.getCreateProLiquidityPoolInstruction,
    parse: program.parseCreateProLiquidityPoolInstruction,
  },
  {
    name: 'creator_set_pro_market_cap_creator_fee',
    discriminator: '75ce38021c25eceb',
    accounts: CREATOR,
    args: { fees: FEE_BRACKETS },
    argBytes: FEE_BRACKETS_BYTES,
    build: program.getCreatorSetProMarketCapCreatorFeeInstruction,
    parse: program.parseCreatorSetProMarketCapCreatorFeeInstruction,
  },
  {
    name: 'creator_set_pro_market_cap_lp_fee',
    discriminator: '06c12209eb55fff6',
    accounts: CREATOR,
    args: { fees: FEE_BRACKETS },
    argBytes: FEE_BRACKETS_BYTES,
    build: program.getCreatorSetProMarketCapLpFeeInstruction,
    parse: program.parseCreatorSetProMarketCapLpFeeInstruction,
  },
  {
    name: 'creator_set_pro_market_cap_reflection_fee',
    discriminator: 'e3ad60792de2a489',
    accounts: CREATOR,
    args: { fees: FEE_BRACKETS },
    argBytes: FEE_BRACKETS_BYTES,
    build: program.getCreatorSetProMarketCapReflectionFeeInstruction,
    parse: program.parseCreatorSetProMarketCapReflectionFeeInstruction,
  },
  {
    name: 'creator_set_pro_slot_creator_fee',
    discriminator: '15464de404e10353',
    accounts: CREATOR,
    args: { fees: SLOT_BRACKETS },
    argBytes: SLOT_BRACKETS_BYTES,
    build: program.getCreatorSetProSlotCreatorFeeInstruction,
    parse: program.parseCreatorSetProSlotCreatorFeeInstruction,
  },
  {
    name: 'creator_toggle_pro_deposit',
    discriminator: 'a08980cc2ab366ca',
    accounts: CREATOR,
    args: { enabled: true },
    argBytes: '01',
    build: program.getCreatorToggleProDepositInstruction,
    parse: program.parseCreatorToggleProDepositInstruction,
  },
  {
    name: 'creator_toggle_pro_swap',
    discriminator: '8fbe0581e63b1c59',
    accounts: CREATOR,
    args: { enabled: false },
    argBytes: '00',
    build: program.getCreatorToggleProSwapInstruction,
    parse: program.parseCreatorToggleProSwapInstruction,
  },
  {
    name: 'creator_toggle_pro_withdraw',
    discriminator: '202fea054d92f4b2',
    accounts: CREATOR,
    args: { enabled: true },
    argBytes: '01',
    build: program.getCreatorToggleProWithdrawInstruction,
    parse: program.parseCreatorToggleProWithdrawInstruction,
  },
  {
    name: 'claim_pro_creator_trading_fees',
    discriminator: '517b67716d968a5d',
    accounts: SWAP14,
    behind: PRICE,
    args: { amount: 0x0102030405060708n },
    argBytes: '0807060504030201',
    build: program.getClaimProCreatorTradingFeesInstruction,
    parse: program.parseClaimProCreatorTradingFeesInstruction,
  },
  {
    name: 'claim_standard_creator_trading_fees',
    discriminator: 'a559dd34aaf9226f',
    accounts: SWAP14,
    behind: PRICE,
    args: { amount: 0n },
    argBytes: '0000000000000000',
    build: program.getClaimStandardCreatorTradingFeesInstruction,
    parse: program.parseClaimStandardCreatorTradingFeesInstruction,
  },
  {
    name: 'claim_pro_liquidity_provider_trading_fees',
    discriminator: 'f274e4342074ac94',
    accounts: [
      'token_a_program',
      'token_b_program',
      'system_program',
      'liquidity_pool_state W',
      'user S',
      'token_a_mint',
      'token_b_mint',
      'user_token_a_vault W',
      'user_token_b_vault W',
      'token_a_vault W',
      'token_b_vault W',
      'protocol_config W',
      'user_lp_position W',
    ],
    behind: PRICE,
    args: {},
    argBytes: '',
    build: program.getClaimProLiquidityProviderTradingFeesInstruction,
    parse: program.parseClaimProLiquidityProviderTradingFeesInstruction,
  },
  {
    name: 'update_creator_trading_fee_receiver',
    discriminator: 'f6e5c84f1f157819',
    accounts: [...SWAP14, 'new_receiver S'],
    args: {},
    argBytes: '',
    build: program.getUpdateCreatorTradingFeeReceiverInstruction,
    parse: program.parseUpdateCreatorTradingFeeReceiverInstruction,
  },
  {
    name: 'update_pro_creator_trading_fee_receiver',
    discriminator: '9cf01bf32aa51f00',
    accounts: [...SWAP14, 'new_receiver S'],
    args: {},
    argBytes: '',
    build: program.getUpdateProCreatorTradingFeeReceiverInstruction,
    parse: program.parseUpdateProCreatorTradingFeeReceiverInstruction,
  },
];

// ---------------------------------------------------------------- from a case to an instruction

const ROLES: Readonly<Record<string, AccountRole>> = {
  '': AccountRole.READONLY,
  W: AccountRole.WRITABLE,
  S: AccountRole.READONLY_SIGNER,
  WS: AccountRole.WRITABLE_SIGNER,
};

const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const accountsOf = ({ accounts, behind = [] }: Case) =>
  [...accounts, ...behind].map((account) => {
    const [name = '', role = ''] = account.split(' ');
    return {
      name,
      address: (FIXED[name] ?? DEFAULTS[name] ?? addressNamed(name)) as Address,
      role: ROLES[role]!,
    };
  });

const metasOf = (testCase: Case): AccountMeta[] =>
  accountsOf(testCase).map(({ address, role }) => ({ address, role }));

const inputOf = (testCase: Case): Record<string, unknown> => ({
  ...Object.fromEntries(
    accountsOf(testCase)
      .filter(({ name }) => !(name in FIXED) && !(name in DEFAULTS))
      .map(({ name, address }) => [camel(name), address]),
  ),
  ...testCase.args,
});

const built = (testCase: Case) => testCase.build(inputOf(testCase) as never);

const caseNamed = (name: string): Case => CASES.find((testCase) => testCase.name === name)!;

const addressesByName = (accounts: object): Record<string, Address> =>
  Object.fromEntries(
    Object.entries(accounts as Record<string, AccountMeta>).map(([name, { address }]) => [name, address]),
  );

const mismatch = heavenError('malformed-data:asked');

test('all 21 instructions are declared, once each', () => {
  expect(CASES).toHaveLength(21);
  expect(
    getInstructionDeclarations()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(CASES.map(({ name }) => name).sort());
});

describe.each(CASES)('$name', (testCase) => {
  const { name, discriminator, accounts, argBytes, parse } = testCase;

  test('has the discriminator of its name', () => {
    expect(discriminator).toBe(anchorDiscriminator('global', name));
    expect(hexOf(built(testCase).data.subarray(0, 8))).toBe(discriminator);
  });

  test('writes the discriminator, then its arguments in Borsh', () => {
    expect(hexOf(built(testCase).data)).toBe(hex(discriminator, argBytes));
  });

  test('lists its accounts in order, with their roles', () => {
    expect(built(testCase).programAddress).toBe('HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o');
    expect(built(testCase).accounts).toEqual(metasOf(testCase));
  });

  test.each([
    ['its own parser', parse],
    ['the parser of any instruction', program.parseHeavenInstruction],
  ] as const)('comes back by name from %s', (_, parseIt) => {
    const parsed: Parsed = parseIt(built(testCase));
    expect(parsed.name).toBe(name);
    expect(parsed.programAddress).toBe('HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o');
    expect(parsed.data).toEqual(testCase.args);
    expect(addressesByName(parsed.accounts)).toEqual(
      Object.fromEntries(accountsOf(testCase).map(({ name, address }) => [camel(name), address])),
    );
    expect(parsed.extraAccounts).toEqual([]);
  });

  test("rejects another program's instruction", () => {
    const instruction = { ...built(testCase), programAddress: addressNamed('another program') };
    expect(() => parse(instruction)).toThrow(mismatch);
    expect(() => program.parseHeavenInstruction(instruction)).toThrow(mismatch);
  });

  test('rejects another discriminator', () => {
    const data = built(testCase).data.slice();
    data[7]! ^= 1;
    expect(() => parse({ ...built(testCase), data })).toThrow(mismatch);
    expect(() => program.parseHeavenInstruction({ ...built(testCase), data })).toThrow(mismatch);
  });

  test('is rejected when any number of bytes is missing', () => {
    const { data } = built(testCase);
    for (let length = 0; length < data.length; length++) {
      expect(() => parse({ ...built(testCase), data: data.subarray(0, length) }), `${length} bytes`).toThrow(
        mismatch,
      );
    }
    const { data: _, ...withoutData } = built(testCase);
    expect(() => parse(withoutData)).toThrow(mismatch);
  });

  test('tolerates bytes after its arguments', () => {
    const data = bytesOf(hexOf(built(testCase).data), 'ffff');
    expect(parse({ ...built(testCase), data }).data).toEqual(testCase.args);
  });

  test('is rejected with an account too few', () => {
    const instruction = built(testCase);
    const metas = instruction.accounts.slice(0, accounts.length - 1);
    expect(() => parse({ ...instruction, accounts: metas })).toThrow(mismatch);
    const { accounts: _, ...withoutAccounts } = instruction;
    expect(() => parse(withoutAccounts)).toThrow(mismatch);
  });

  test('gives back accounts after its own', () => {
    const extra = { address: addressNamed('extra'), role: AccountRole.READONLY };
    const instruction = built(testCase);
    const parsed = parse({ ...instruction, accounts: [...instruction.accounts, extra] });
    expect(parsed.extraAccounts).toEqual([extra]);
    expect(addressesByName(parsed.accounts)).toEqual(addressesByName(parse(instruction).accounts));
  });

  test('builds and parses for another deployment', () => {
    const config = { programAddress: addressNamed('deployment') };
    const instruction = testCase.build(inputOf(testCase) as never, config);
    expect(instruction.programAddress).toBe(config.programAddress);
    expect(parse(instruction, config).programAddress).toBe(config.programAddress);
    expect(program.parseHeavenInstruction(instruction, config).name).toBe(name);
    expect(() => parse(instruction)).toThrow(mismatch);
  });
});

describe('fixed accounts', () => {
  const fixed = CASES.flatMap((testCase) =>
    accountsOf(testCase).flatMap(({ name }, index) =>
      name in FIXED ? [{ instruction: testCase.name, account: name, index }] : [],
    ),
  );

  test.each(fixed)('$instruction with another $account is rejected', ({ instruction, index }) => {
    const testCase = caseNamed(instruction);
    const accounts = metasOf(testCase);
    accounts[index] = { ...accounts[index]!, address: addressNamed('somebody') };
    expect(() => testCase.parse({ ...built(testCase), accounts })).toThrow(mismatch);
  });
});

describe("accounts behind the program's own list", () => {
  const withPrice = CASES.filter(({ behind }) => behind === PRICE);

  test('stand behind swaps, deposits, withdrawals, claims and creations only', () => {
    expect(withPrice.map(({ name }) => name)).toEqual([
      'buy',
      'sell',
      'pro_buy',
      'pro_sell',
      'add_liquidity_pro_pool',
      'remove_liquidity_pro_pool',
      'create_standard_liquidity_pool',
      'create_pro_liquidity_pool',
      'claim_pro_creator_trading_fees',
      'claim_standard_creator_trading_fees',
      'claim_pro_liquidity_provider_trading_fees',
    ]);
  });

  test.each(withPrice)('$name parses without the price feed', (testCase) => {
    const instruction = built(testCase);
    const parsed = testCase.parse({
      ...instruction,
      accounts: instruction.accounts.slice(0, testCase.accounts.length),
    });
    expect(Object.keys(parsed.accounts)).toEqual(
      testCase.accounts.map((account) => camel(account.split(' ')[0]!)),
    );
    expect(parsed.extraAccounts).toEqual([]);
  });

  test('a deployment can name its own price feed', () => {
    const chainlinkProgram = addressNamed('store');
    const chainlinkFeed = addressNamed('feed');
    const buy = caseNamed('buy');
    const instruction = buy.build({ ...inputOf(buy), chainlinkProgram, chainlinkFeed } as never);
    expect(instruction.accounts.slice(14).map(({ address }) => address)).toEqual([
      chainlinkProgram,
      chainlinkFeed,
    ]);
    expect(addressesByName(buy.parse(instruction).accounts)).toMatchObject({
      chainlinkProgram,
      chainlinkFeed,
    });
  });
});

describe('signers', () => {
  test('a signer given for an account goes along with it', () => {
    const signer = createNoopSigner(addressNamed('user'));
    const buy = caseNamed('buy');
    const instruction = buy.build({ ...inputOf(buy), user: signer } as never);
    expect(instruction.accounts[5]).toEqual({
      address: signer.address,
      role: AccountRole.WRITABLE_SIGNER,
      signer,
    });
  });

  test('a signer is only its address for an account that does not sign', () => {
    const buy = caseNamed('buy');
    const tokenAVault = createNoopSigner(addressNamed('vault'));
    const plain = { ...inputOf(buy), tokenAVault: tokenAVault.address };
    expect(buy.build({ ...plain, tokenAVault } as never)).toEqual(buy.build(plain as never));
  });
});

describe("a pro pool's optional fees and switches", () => {
  const createPro = caseNamed('create_pro_liquidity_pool');
  const buildWith = (params: object) =>
    createPro.build({ ...inputOf(createPro), params: { ...PRO_POOL_PARAMS, ...params } } as never);

  test('each fee left out is one zero byte', () => {
    const { data } = buildWith({ liquidityProviderTradingFee: null, creatorSlotTradingFee: null });
    expect(hexOf(data.subarray(-9))).toBe('000000' + '010000010100');
  });

  test.each([
    'enableSameSlotTrading',
    'enableSandwichResistantMode',
    'enableDepositLiquidity',
    'enableWithdrawLiquidity',
    'enableSwap',
    'enableUpdateCreatorTradingFee',
  ])('%s has its own byte', (flag) => {
    const flags = Object.keys(PRO_POOL_PARAMS).filter((key) => key.startsWith('enable'));
    const only = Object.fromEntries(flags.map((key) => [key, key === flag]));
    const instruction = buildWith(only);
    expect([...instruction.data.subarray(-6)]).toEqual(flags.map((key) => (key === flag ? 1 : 0)));
    expect(createPro.parse(instruction).data).toMatchObject({ params: only });
  });
});

describe('what no builder takes', () => {
  type Row = readonly [what: string, field: string, value: unknown, code: HeavenErrorCode];
  const MISSING = undefined;
  const unable = { pubkey: addressNamed('user') };
  const text = 'params.encodedUserDefinedEventData';
  const refused: Readonly<Record<string, readonly Row[]>> = {
    buy: [
      ['text for an address', 'tokenAMint', 'no address', 'invalid-address'],
      ['31 bytes for an address', 'tokenAMint', '1'.repeat(31), 'invalid-address'],
      ['33 bytes for an address', 'tokenAMint', '1'.repeat(33), 'invalid-address'],
      ['a missing account', 'liquidityPoolState', MISSING, 'invalid-address'],
      ['a missing signer', 'user', MISSING, 'invalid-address'],
      ['an object without an address', 'user', unable, 'invalid-address'],
      ['a bad price feed', 'chainlinkFeed', 'no feed', 'invalid-address'],
      ['a negative u64', 'params.maxSolSpend', -1n, 'invalid-amount'],
      ['2^64', 'params.maxSolSpend', 2n ** 64n, 'amount-out-of-range'],
      ['a number for a u64', 'params.minimumAmountOut', 5, 'invalid-amount'],
      ['half a surrogate pair', text, 'a\ud83d', 'invalid-input'],
      ['the other half', text, '\ude42b', 'invalid-input'],
      ['bytes for text', text, new Uint8Array(2), 'invalid-input'],
      ['missing parameters', 'params', MISSING, 'invalid-input'],
      ['null for parameters', 'params', null, 'invalid-input'],
    ],
    transfer_lp_tokens: [
      ['null for an account', 'receiver', null, 'invalid-address'],
      ['a string for a u64', 'amount', '5', 'invalid-amount'],
      ['a missing amount', 'amount', MISSING, 'invalid-amount'],
    ],
    create_standard_liquidity_pool: [
      ['a u16 of 65536', 'protocolConfigVersion', 65_536, 'amount-out-of-range'],
      ['a negative u16', 'protocolConfigVersion', -1, 'invalid-amount'],
      ['a bigint for a u16', 'protocolConfigVersion', 2n, 'invalid-amount'],
      ['a fraction', 'protocolConfigVersion', 1.5, 'invalid-amount'],
      ['NaN', 'protocolConfigVersion', Number.NaN, 'invalid-amount'],
    ],
    create_pro_liquidity_pool: [
      ['a missing switch', 'params.enableSwap', MISSING, 'invalid-input'],
      ['a missing option', 'params.reflectionTradingFee', MISSING, 'invalid-input'],
      ['a bad item', 'params.creatorTradingFee.brackets[1].marketCapUpperBound', 7, 'invalid-amount'],
      ['a bad optional item', 'params.creatorSlotTradingFee.brackets[0].buyFeeBps', -5, 'invalid-amount'],
    ],
    creator_set_pro_market_cap_lp_fee: [
      ['3 brackets', 'fees.brackets', Array(3).fill(NO_BRACKET), 'invalid-input'],
      ['5 brackets', 'fees.brackets', Array(5).fill(NO_BRACKET), 'invalid-input'],
      ['no array', 'fees.brackets', {}, 'invalid-input'],
      ['a u32 of 2^32', 'fees.brackets[3].sellFeeBps', 2 ** 32, 'amount-out-of-range'],
      ['a u8 of 256', 'fees.count', 256, 'amount-out-of-range'],
    ],
    creator_set_pro_slot_creator_fee: [
      ['41 brackets', 'fees.brackets', Array(41).fill(NO_SLOT_BRACKET), 'invalid-input'],
      ['a missing bracket', 'fees.brackets[7]', MISSING, 'invalid-input'],
      ['a u16 of 65536', 'fees.brackets[41].slotOffsetUpperbound', 65_536, 'amount-out-of-range'],
    ],
    creator_toggle_pro_swap: [['1 for true', 'enabled', 1, 'invalid-input']],
  };
  const rows = Object.entries(refused).flatMap(([instruction, list]) =>
    list.map((row) => [instruction, ...row] as const),
  );

  test.each(rows)('%s: %s for %s', (instruction, _, field, value, code) => {
    const testCase = caseNamed(instruction);
    const input = structuredClone(inputOf(testCase));
    const steps = field.split(/\W+/).filter((step) => step !== '');
    const last = steps.pop()!;
    const parent = steps.reduce((object, step) => object[step] as Record<string, unknown>, input);
    parent[last] = value;
    expect(() => testCase.build(input as never)).toThrow(heavenError(code, { field }));
  });

  test('an invalid program address', () => {
    const buy = caseNamed('buy');
    expect(() => buy.build(inputOf(buy) as never, { programAddress: 'nowhere' as Address })).toThrow(
      heavenError('invalid-address', { field: 'programAddress' }),
    );
  });
});
