import { type AccountMeta, AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import type { HeavenErrorCode } from '../../src/errors.js';
import * as program from '../../src/program/index.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import { addressNamed } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hex, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';
import { camel, idl } from './committed-idl.js';

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

/** Arguments, and their bytes. */
type Case = readonly [name: string, args: Readonly<Record<string, unknown>>, argBytes: string];

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
  [
    'buy',
    {
      params: { maxSolSpend: 1_500_000_000n, minimumAmountOut: 2n ** 63n, encodedUserDefinedEventData: TEXT },
    },
    hex('002f685900000000 0000000000000080', TEXT_BYTES), // 1.5 SOL is 0x59682f00
  ],
  [
    'sell',
    { params: { amountIn: FIRST, minimumAmountOut: SECOND, encodedUserDefinedEventData: '' } },
    hex(FIRST_BYTES, SECOND_BYTES, '00000000'),
  ],
  [
    'pro_buy',
    { params: { maxSolSpend: 256n, minimumAmountOut: 0n, encodedUserDefinedEventData: 'ab' } },
    '0001000000000000 0000000000000000 02000000 6162',
  ],
  [
    'pro_sell',
    { params: { amountIn: 2n ** 64n - 1n, minimumAmountOut: 1n, encodedUserDefinedEventData: 'c' } },
    'ffffffffffffffff 0100000000000000 01000000 63',
  ],
  [
    'add_liquidity_pro_pool',
    { params: { maxTokenA: FIRST, maxTokenB: SECOND, minLpTokens: THIRD } },
    hex(FIRST_BYTES, SECOND_BYTES, THIRD_BYTES),
  ],
  [
    'remove_liquidity_pro_pool',
    { params: { lpTokensToBurn: FIRST, minTokenA: SECOND, minTokenB: THIRD } },
    hex(FIRST_BYTES, SECOND_BYTES, THIRD_BYTES),
  ],
  ['transfer_lp_tokens', { amount: FIRST }, FIRST_BYTES],
  [
    'create_standard_liquidity_pool',
    {
      protocolConfigVersion: 0x0102,
      params: { encodedUserDefinedEventData: TEXT, initialPurchaseAmount: FIRST, maxSolSpend: SECOND },
    },
    hex('0201', TEXT_BYTES, FIRST_BYTES, SECOND_BYTES),
  ],
  [
    'create_pro_liquidity_pool',
    { protocolConfigVersion: 3, params: PRO_POOL_PARAMS },
    hex('0300', PRO_POOL_PARAMS_BYTES),
  ],
  ['creator_set_pro_market_cap_creator_fee', { fees: FEE_BRACKETS }, FEE_BRACKETS_BYTES],
  ['creator_set_pro_market_cap_lp_fee', { fees: FEE_BRACKETS }, FEE_BRACKETS_BYTES],
  ['creator_set_pro_market_cap_reflection_fee', { fees: FEE_BRACKETS }, FEE_BRACKETS_BYTES],
  ['creator_set_pro_slot_creator_fee', { fees: SLOT_BRACKETS }, SLOT_BRACKETS_BYTES],
  ['creator_toggle_pro_deposit', { enabled: true }, '01'],
  ['creator_toggle_pro_swap', { enabled: false }, '00'],
  ['creator_toggle_pro_withdraw', { enabled: true }, '01'],
  ['claim_pro_creator_trading_fees', { amount: FIRST }, FIRST_BYTES],
  ['claim_standard_creator_trading_fees', { amount: FIRST }, FIRST_BYTES],
  ['claim_pro_liquidity_provider_trading_fees', {}, ''],
  ['update_creator_trading_fee_receiver', {}, ''],
  ['update_pro_creator_trading_fee_receiver', {}, ''],
];

// ---------------------------------------------------------------- from a case to an instruction

/** Behind the program's own list, in whatever moves tokens or SOL. The caller may give other addresses than mainnet's. */
const PRICE = ['chainlink_program', 'chainlink_feed'];

function roleOf(isWritable: boolean, isSigner: boolean): AccountRole {
  if (isWritable) return isSigner ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE;
  return isSigner ? AccountRole.READONLY_SIGNER : AccountRole.READONLY;
}

/** The accounts that the IDL lists. Those with an address are always the same, besides the price feed's. */
const accountsOf = ([instruction]: Case) =>
  idl.instructions
    .find(({ name }) => name === instruction)!
    .accounts.map(({ name, address, writable = false, signer = false }) => ({
      name,
      address: address ?? addressNamed(name),
      role: roleOf(writable, signer),
      isFixed: address !== undefined && !PRICE.includes(name),
      isGiven: address === undefined,
    }));

const metasOf = (testCase: Case): AccountMeta[] =>
  accountsOf(testCase).map(({ address, role }) => ({ address, role }));

const inputOf = (testCase: Case): Record<string, unknown> => ({
  ...Object.fromEntries(
    accountsOf(testCase)
      .filter(({ isGiven }) => isGiven)
      .map(({ name, address }) => [camel(name), address]),
  ),
  ...testCase[1],
});

type Build = (input: object, config?: program.InstructionConfig) => program.BuiltInstruction;
type Parse = (instruction: Instruction, config?: program.InstructionConfig) => Parsed;
const functions = program as unknown as Readonly<Record<string, unknown>>;
/** The builder and the parser, which are named after the instruction. */
const builderOf = ([name]: Case) => functions[`get${camel(`_${name}`)}Instruction`] as Build;
const parserOf = ([name]: Case) => functions[`parse${camel(`_${name}`)}Instruction`] as Parse;

const built = (testCase: Case) => builderOf(testCase)(inputOf(testCase));

const caseNamed = (name: string): Case => CASES.find(([own]) => own === name)!;

const addressesByName = (accounts: object): Record<string, Address> =>
  Object.fromEntries(
    Object.entries(accounts as Record<string, AccountMeta>).map(([name, { address }]) => [name, address]),
  );

const mismatch = heavenError('malformed-data:asked');

test('all 21 instructions are declared, once each', () => {
  expect(CASES).toHaveLength(21);
  const declared = getInstructionDeclarations().map(({ name }) => name);
  expect(declared.sort()).toEqual(CASES.map(([name]) => name).sort());
});

describe.each(CASES.map((testCase) => [testCase[0], testCase] as const))('%s', (name, testCase) => {
  const [, args, argBytes] = testCase;
  const ownAccounts = accountsOf(testCase).filter((account) => !PRICE.includes(account.name));
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
    expectRejected({ ...instruction, accounts: instruction.accounts.slice(0, ownAccounts.length - 1) });
    const { data: _, accounts: __, ...bare } = instruction;
    expectRejected({ ...bare, data: instruction.data });
    expectRejected({ ...bare, accounts: instruction.accounts });
    for (const [index, { isFixed }] of accountsOf(testCase).entries()) {
      if (!isFixed) continue;
      const accounts = metasOf(testCase);
      accounts[index] = { ...accounts[index]!, address: addressNamed('somebody') };
      expectRejected({ ...instruction, accounts });
    }
  });

  test('parses without the price feed', () => {
    const parsed = parse({ ...instruction, accounts: instruction.accounts.slice(0, ownAccounts.length) });
    expect(Object.keys(parsed.accounts)).toEqual(ownAccounts.map((account) => camel(account.name)));
  });

  test('builds and parses for another deployment', () => {
    const config = { programAddress: addressNamed('deployment') };
    const elsewhere = builderOf(testCase)(inputOf(testCase), config);
    expect(elsewhere.programAddress).toBe(config.programAddress);
    expect(parse(elsewhere, config).programAddress).toBe(config.programAddress);
    expect(program.parseHeavenInstruction(elsewhere, config).name).toBe(name);
    expectRejected(elsewhere);
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
    create_standard_liquidity_pool: [
      ['a u16 of 65536', 'protocolConfigVersion', 65_536, 'amount-out-of-range'],
      ['a bigint for a u16', 'protocolConfigVersion', 2n, 'invalid-amount'],
    ],
    create_pro_liquidity_pool: [
      ['a missing switch', 'params.enableSwap', MISSING, 'invalid-input'],
      ['a missing option', 'params.reflectionTradingFee', MISSING, 'invalid-input'],
      ['a bad item', 'params.creatorTradingFee.brackets[1].marketCapUpperBound', 7, 'invalid-amount'],
    ],
    creator_set_pro_market_cap_lp_fee: [
      ['3 brackets', 'fees.brackets', Array(3).fill(NO_BRACKET), 'invalid-input'],
      ['no array', 'fees.brackets', {}, 'invalid-input'],
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
