import {
  type AccountMeta,
  AccountRole,
  type Address,
  createNoopSigner,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHeavenIdl } from '../../scripts/idl.js';
import type { HeavenErrorCode } from '../../src/errors.js';
import * as program from '../../src/program/index.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import { addressNamed } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hex, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';

// ---------------------------------------------------------------- the accounts, by hand: W writable, S signer

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const SWAP = words(`
  token_a_program token_b_program associated_token_program system_program liquidity_pool_state:W user:S
  token_a_mint token_b_mint user_token_a_vault:W user_token_b_vault:W token_a_vault:W token_b_vault:W
  protocol_config:W instruction_sysvar_account_info`);

const TRADE = SWAP.map((account) => (account === 'user:S' ? 'user:WS' : account));

const LIQUIDITY = words(`
  token_a_program token_b_program associated_token_program system_program liquidity_pool_state:W user:S payer:WS
  token_a_mint token_b_mint user_token_a_vault:W user_token_b_vault:W token_a_vault:W token_b_vault:W
  protocol_config:W user_lp_position:W`);

const CREATE = words(`
  token_program associated_token_program system_program user:S payer:WS token_a_mint token_b_mint
  user_token_a_vault:W token_a_vault:W token_b_vault:W liquidity_pool_state:W protocol_config:W token_a_program`);

const CLAIM_LP_FEES = words(`
  token_a_program token_b_program system_program liquidity_pool_state:W user:S token_a_mint token_b_mint
  user_token_a_vault:W user_token_b_vault:W token_a_vault:W token_b_vault:W protocol_config:W user_lp_position:W`);

const TRANSFER_LP = words(`
  system_program liquidity_pool_state:W sender:S payer:WS receiver sender_lp_position:W receiver_lp_position:W`);

const CREATOR = words('liquidity_pool_state:W creator:S');

/** Behind the program's own list, in whatever moves tokens or SOL. */
const PRICE = words('chainlink_program chainlink_feed');

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
  readonly accounts: readonly string[];
  /** Accounts behind the program's own list. */
  readonly behind?: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly argBytes: string;
}

interface Parsed {
  readonly name: string;
  readonly programAddress: Address;
  readonly accounts: object;
  readonly data: object;
  readonly extraAccounts: readonly AccountMeta[];
}

// Amounts that show the order of their bytes.
const FIRST = 0x0102030405060708n;
const SECOND = 0x1112131415161718n;
const THIRD = 0x2122232425262728n;
const FIRST_BYTES = '0807060504030201';
const SECOND_BYTES = '1817161514131211';
const THIRD_BYTES = '2827262524232221';

const CASES: readonly Case[] = [
  {
    name: 'buy',
    accounts: TRADE,
    behind: PRICE,
    args: {
      params: { maxSolSpend: 1_500_000_000n, minimumAmountOut: 2n ** 63n, encodedUserDefinedEventData: TEXT },
    },
    argBytes: hex('002f685900000000 0000000000000080', TEXT_BYTES), // 1.5 SOL is 0x59682f00
  },
  {
    name: 'sell',
    accounts: TRADE,
    behind: PRICE,
    args: { params: { amountIn: FIRST, minimumAmountOut: SECOND, encodedUserDefinedEventData: '' } },
    argBytes: hex(FIRST_BYTES, SECOND_BYTES, '00000000'),
  },
  {
    name: 'pro_buy',
    accounts: TRADE,
    behind: PRICE,
    args: { params: { maxSolSpend: 256n, minimumAmountOut: 0n, encodedUserDefinedEventData: 'ab' } },
    argBytes: '0001000000000000 0000000000000000 02000000 6162',
  },
  {
    name: 'pro_sell',
    accounts: TRADE,
    behind: PRICE,
    args: { params: { amountIn: 2n ** 64n - 1n, minimumAmountOut: 1n, encodedUserDefinedEventData: 'c' } },
    argBytes: 'ffffffffffffffff 0100000000000000 01000000 63',
  },
  {
    name: 'add_liquidity_pro_pool',
    accounts: LIQUIDITY,
    behind: PRICE,
    args: { params: { maxTokenA: FIRST, maxTokenB: SECOND, minLpTokens: THIRD } },
    argBytes: hex(FIRST_BYTES, SECOND_BYTES, THIRD_BYTES),
  },
  {
    name: 'remove_liquidity_pro_pool',
    accounts: LIQUIDITY,
    behind: PRICE,
    args: { params: { lpTokensToBurn: FIRST, minTokenA: SECOND, minTokenB: THIRD } },
    argBytes: hex(FIRST_BYTES, SECOND_BYTES, THIRD_BYTES),
  },
  { name: 'transfer_lp_tokens', accounts: TRANSFER_LP, args: { amount: FIRST }, argBytes: FIRST_BYTES },
  {
    name: 'create_standard_liquidity_pool',
    accounts: CREATE,
    behind: PRICE,
    args: {
      protocolConfigVersion: 0x0102,
      params: { encodedUserDefinedEventData: TEXT, initialPurchaseAmount: FIRST, maxSolSpend: SECOND },
    },
    argBytes: hex('0201', TEXT_BYTES, FIRST_BYTES, SECOND_BYTES),
  },
  {
    name: 'create_pro_liquidity_pool',
    accounts: [...CREATE, 'user_lp_position:W'],
    behind: PRICE,
    args: { protocolConfigVersion: 3, params: PRO_POOL_PARAMS },
    argBytes: hex('0300', PRO_POOL_PARAMS_BYTES),
  },
  ...['creator', 'lp', 'reflection'].map((kind) => ({
    name: `creator_set_pro_market_cap_${kind}_fee`,
    accounts: CREATOR,
    args: { fees: FEE_BRACKETS },
    argBytes: FEE_BRACKETS_BYTES,
  })),
  {
    name: 'creator_set_pro_slot_creator_fee',
    accounts: CREATOR,
    args: { fees: SLOT_BRACKETS },
    argBytes: SLOT_BRACKETS_BYTES,
  },
  { name: 'creator_toggle_pro_deposit', accounts: CREATOR, args: { enabled: true }, argBytes: '01' },
  { name: 'creator_toggle_pro_swap', accounts: CREATOR, args: { enabled: false }, argBytes: '00' },
  { name: 'creator_toggle_pro_withdraw', accounts: CREATOR, args: { enabled: true }, argBytes: '01' },
  ...['pro', 'standard'].map((kind) => ({
    name: `claim_${kind}_creator_trading_fees`,
    accounts: SWAP,
    behind: PRICE,
    args: { amount: FIRST },
    argBytes: FIRST_BYTES,
  })),
  {
    name: 'claim_pro_liquidity_provider_trading_fees',
    accounts: CLAIM_LP_FEES,
    behind: PRICE,
    args: {},
    argBytes: '',
  },
  ...['', 'pro_'].map((kind) => ({
    name: `update_${kind}creator_trading_fee_receiver`,
    accounts: [...SWAP, 'new_receiver:S'],
    args: {},
    argBytes: '',
  })),
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
    const [name = '', role = ''] = account.split(':');
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

type Build = (input: object, config?: program.InstructionConfig) => program.BuiltInstruction;
type Parse = (instruction: Instruction, config?: program.InstructionConfig) => Parsed;
const functions = program as unknown as Readonly<Record<string, unknown>>;
/** The builder and the parser, which are named after the instruction. */
const builderOf = ({ name }: Case) => functions[`get${camel(`_${name}`)}Instruction`] as Build;
const parserOf = ({ name }: Case) => functions[`parse${camel(`_${name}`)}Instruction`] as Parse;

const built = (testCase: Case) => builderOf(testCase)(inputOf(testCase));

const caseNamed = (name: string): Case => CASES.find((testCase) => testCase.name === name)!;

const addressesByName = (accounts: object): Record<string, Address> =>
  Object.fromEntries(
    Object.entries(accounts as Record<string, AccountMeta>).map(([name, { address }]) => [name, address]),
  );

/** What of the IDL is compared with the tables. */
const idl = createHeavenIdl() as unknown as {
  readonly instructions: readonly {
    readonly name: string;
    readonly accounts: readonly { readonly name: string; readonly pda?: object }[];
  }[];
};

const mismatch = heavenError('malformed-data:asked');

test('all 21 instructions are declared, once each', () => {
  expect(CASES).toHaveLength(21);
  const declared = getInstructionDeclarations().map(({ name }) => name);
  expect(declared.sort()).toEqual(CASES.map(({ name }) => name).sort());
});

describe.each(CASES)('$name', (testCase) => {
  const { name, accounts, argBytes, args } = testCase;
  const instruction = built(testCase);
  const parse = parserOf(testCase);
  const expectRejected = (changed: Instruction, config?: program.InstructionConfig) => {
    expect(() => parse(changed, config)).toThrow(mismatch);
    expect(() => program.parseHeavenInstruction(changed, config)).toThrow(mismatch);
  };

  test('writes the discriminator of its name, its arguments in Borsh, and its accounts with their roles', () => {
    expect(hexOf(instruction.data)).toBe(hex(anchorDiscriminator('global', name), argBytes));
    expect(instruction.programAddress).toBe('HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o');
    expect(instruction.accounts).toEqual(metasOf(testCase));
  });

  test('comes back by name, whatever bytes and accounts follow', () => {
    const extra = { address: addressNamed('extra'), role: AccountRole.READONLY };
    const longer = {
      ...instruction,
      data: bytesOf(hexOf(instruction.data), 'ffff'),
      accounts: [...instruction.accounts, extra],
    };
    for (const parseIt of [parse, program.parseHeavenInstruction as Parse]) {
      const parsed = parseIt(longer);
      expect(parsed).toMatchObject({ name, programAddress: instruction.programAddress });
      expect(parsed.data).toEqual(args);
      expect(addressesByName(parsed.accounts)).toEqual(
        Object.fromEntries(accountsOf(testCase).map(({ name, address }) => [camel(name), address])),
      );
      expect(parsed.extraAccounts).toEqual([extra]);
      expect(parseIt(instruction).extraAccounts).toEqual([]);
    }
  });

  test('is rejected with another program, discriminator or fixed account, cut short, or an account too few', () => {
    expectRejected({ ...instruction, programAddress: addressNamed('another program') });
    const data = instruction.data.slice();
    data[7]! ^= 1;
    expectRejected({ ...instruction, data });
    for (let length = 0; length < instruction.data.length; length++)
      expectRejected({ ...instruction, data: instruction.data.subarray(0, length) });
    expectRejected({ ...instruction, accounts: instruction.accounts.slice(0, accounts.length - 1) });
    const { data: _, accounts: __, ...bare } = instruction;
    expectRejected({ ...bare, data: instruction.data });
    expectRejected({ ...bare, accounts: instruction.accounts });
    for (const [index, { name }] of accountsOf(testCase).entries()) {
      if (!(name in FIXED)) continue;
      const accounts = metasOf(testCase);
      accounts[index] = { ...accounts[index]!, address: addressNamed('somebody') };
      expectRejected({ ...instruction, accounts });
    }
  });

  test('parses without the price feed', () => {
    const parsed = parse({ ...instruction, accounts: instruction.accounts.slice(0, accounts.length) });
    expect(Object.keys(parsed.accounts)).toEqual(accounts.map((account) => camel(account.split(':')[0]!)));
  });

  test('builds and parses for another deployment', () => {
    const config = { programAddress: addressNamed('deployment') };
    const elsewhere = builderOf(testCase)(inputOf(testCase), config);
    expect(elsewhere.programAddress).toBe(config.programAddress);
    expect(parse(elsewhere, config).programAddress).toBe(config.programAddress);
    expect(program.parseHeavenInstruction(elsewhere, config).name).toBe(name);
    expectRejected(elsewhere);
  });

  test('has the same accounts in the IDL', () => {
    const { accounts } = idl.instructions.find((one) => one.name === name)!;
    expect(accounts.map(({ pda, ...account }) => account)).toEqual(
      accountsOf(testCase).map(({ name, role }) => ({
        name,
        ...(isWritableRole(role) ? { writable: true } : {}),
        ...(isSignerRole(role) ? { signer: true } : {}),
        ...(name in FIXED || name in DEFAULTS ? { address: FIXED[name] ?? DEFAULTS[name] } : {}),
      })),
    );
  });
});

test('a deployment can name its own price feed', () => {
  const own = { chainlinkProgram: addressNamed('store'), chainlinkFeed: addressNamed('feed') };
  const buy = caseNamed('buy');
  const instruction = builderOf(buy)({ ...inputOf(buy), ...own });
  expect(instruction.accounts.slice(14).map(({ address }) => address)).toEqual(Object.values(own));
  expect(addressesByName(parserOf(buy)(instruction).accounts)).toMatchObject(own);
});

describe('signers', () => {
  test('a signer given for an account goes along with it', () => {
    const signer = createNoopSigner(addressNamed('user'));
    const buy = caseNamed('buy');
    const instruction = builderOf(buy)({ ...inputOf(buy), user: signer });
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
    expect(builderOf(buy)({ ...plain, tokenAVault })).toEqual(builderOf(buy)(plain));
  });
});

describe("a pro pool's optional fees and switches", () => {
  const createPro = caseNamed('create_pro_liquidity_pool');
  const buildWith = (params: object) =>
    builderOf(createPro)({ ...inputOf(createPro), params: { ...PRO_POOL_PARAMS, ...params } });

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
    expect(parserOf(createPro)(instruction).data).toMatchObject({ params: only });
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
      ['a missing account', 'liquidityPoolState', MISSING, 'invalid-address'],
      ['an object without an address', 'user', unable, 'invalid-address'],
      ['a negative u64', 'params.maxSolSpend', -1n, 'invalid-amount'],
      ['2^64', 'params.maxSolSpend', 2n ** 64n, 'amount-out-of-range'],
      ['a number for a u64', 'params.minimumAmountOut', 5, 'invalid-amount'],
      ['half a surrogate pair', text, 'a\ud83d', 'invalid-input'],
      ['bytes for text', text, new Uint8Array(2), 'invalid-input'],
      ['missing parameters', 'params', MISSING, 'invalid-input'],
    ],
    transfer_lp_tokens: [['a missing amount', 'amount', MISSING, 'invalid-amount']],
    create_standard_liquidity_pool: [
      ['a u16 of 65536', 'protocolConfigVersion', 65_536, 'amount-out-of-range'],
      ['a bigint for a u16', 'protocolConfigVersion', 2n, 'invalid-amount'],
    ],
    create_pro_liquidity_pool: [
      ['a missing switch', 'params.enableSwap', MISSING, 'invalid-input'],
      ['a missing option', 'params.reflectionTradingFee', MISSING, 'invalid-input'],
      ['a bad item', 'params.creatorTradingFee.brackets[1].marketCapUpperBound', 7, 'invalid-amount'],
      ['a bad optional item', 'params.creatorSlotTradingFee.brackets[0].buyFeeBps', -5, 'invalid-amount'],
    ],
    creator_set_pro_market_cap_lp_fee: [
      ['3 brackets', 'fees.brackets', Array(3).fill(NO_BRACKET), 'invalid-input'],
      ['no array', 'fees.brackets', {}, 'invalid-input'],
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
    expect(() => builderOf(testCase)(input)).toThrow(heavenError(code, { field }));
  });

  test('an invalid program address', () => {
    const buy = caseNamed('buy');
    expect(() => builderOf(buy)(inputOf(buy), { programAddress: 'nowhere' as Address })).toThrow(
      heavenError('invalid-address', { field: 'programAddress' }),
    );
  });
});
