import { type AccountMeta, AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import type { HeavenErrorCode } from '../../src/base/errors.js';
import * as program from '../../src/program/index.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import { addressNamed } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hex, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';
import { camel, exampleOf, idl } from './committed-idl.js';

/** An instruction of the IDL, with arguments and their bytes. */
type Case = readonly [name: string, args: Readonly<Record<string, unknown>>, argBytes: string];

const CASES: readonly Case[] = idl.instructions.map(({ name, args }) => [name, ...exampleOf(args)]);

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

function inputOf(testCase: Case): Record<string, unknown> {
  const given = accountsOf(testCase).filter(({ isGiven }) => isGiven);
  return { ...Object.fromEntries(given.map(({ name, address }) => [camel(name), address])), ...testCase[1] };
}

type Build = (input: object, config?: program.InstructionConfig) => program.BuiltInstruction;
type Parse = typeof program.parseHeavenInstruction;
const functions = program as unknown as Readonly<Record<string, unknown>>;
/** The builder and the parser, which are named after the instruction. */
const builderOf = ([name]: Case) => functions[`get${camel(`_${name}`)}Instruction`] as Build;
const parserOf = ([name]: Case) => functions[`parse${camel(`_${name}`)}Instruction`] as Parse;

const built = (testCase: Case) => builderOf(testCase)(inputOf(testCase));

const caseNamed = (name: string): Case => CASES.find(([own]) => own === name)!;
const buyCase = caseNamed('buy');
const builtBuy = (change: object, config?: program.InstructionConfig) =>
  builderOf(buyCase)({ ...inputOf(buyCase), ...change }, config);

const addressesByName = (accounts: object): Record<string, Address> =>
  Object.fromEntries(
    Object.entries(accounts as Record<string, AccountMeta>).map(([name, { address }]) => [name, address]),
  );

const mismatch = heavenError('malformed-data:asked');

test('all 21 instructions are declared, once each', () => {
  expect(CASES).toHaveLength(21);
  const declared = getInstructionDeclarations().map(({ name }) => name);
  expect(declared).toEqual(CASES.map(([name]) => name));
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
    const data = bytesOf(hexOf(instruction.data), 'ffff');
    const longer = { ...instruction, data, accounts: [...instruction.accounts, extra] };
    for (const parseIt of [parse, program.parseHeavenInstruction]) {
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
  const instruction = builtBuy(own);
  expect(instruction.accounts.slice(14).map(({ address }) => address)).toEqual(Object.values(own));
  expect(addressesByName(parserOf(buyCase)(instruction).accounts)).toMatchObject(own);
});

describe('signers', () => {
  test('a signer given for an account goes along with it', () => {
    const signer = createNoopSigner(addressNamed('user'));
    const role = AccountRole.WRITABLE_SIGNER;
    expect(builtBuy({ user: signer }).accounts[5]).toEqual({ address: signer.address, role, signer });
  });

  test('a signer is only its address for an account that does not sign', () => {
    const tokenAVault = createNoopSigner(addressNamed('vault'));
    expect(builtBuy({ tokenAVault })).toEqual(builtBuy({ tokenAVault: tokenAVault.address }));
  });
});

describe("a pro pool's optional fees and switches", () => {
  const createPro = caseNamed('create_pro_liquidity_pool');
  const PARAMS = createPro[1].params as Readonly<Record<string, unknown>>;
  const SWITCHES = Object.keys(PARAMS).filter((key) => key.startsWith('enable'));
  const buildWith = (params: object) =>
    builderOf(createPro)({ ...inputOf(createPro), params: { ...PARAMS, ...params } });

  test('each fee left out is one zero byte', () => {
    const fees = ['reflectionTradingFee', 'liquidityProviderTradingFee', 'creatorSlotTradingFee'];
    const instruction = buildWith(Object.fromEntries(fees.map((fee) => [fee, null])));
    expect(hexOf(instruction.data.subarray(-9, -6))).toBe('000000');
    expect(parserOf(createPro)(instruction).data).toMatchObject({ params: { reflectionTradingFee: null } });
  });

  test.each(SWITCHES)('%s has its own byte', (name) => {
    const only = Object.fromEntries(SWITCHES.map((key) => [key, key === name]));
    const instruction = buildWith(only);
    expect([...instruction.data.subarray(-6)]).toEqual(SWITCHES.map((key) => (key === name ? 1 : 0)));
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
      ['2^64', 'params.maxSolSpend', 2n ** 64n, 'amount-out-of-range'],
      ['a number for a u64', 'params.minimumAmountOut', 5, 'invalid-amount'],
      ['half a surrogate pair', text, 'a\ud83d', 'invalid-input'],
      ['bytes for text', text, new Uint8Array(2), 'invalid-input'],
      ['missing parameters', 'params', MISSING, 'invalid-input'],
    ],
    create_pro_liquidity_pool: [
      ['a missing switch', 'params.enableSwap', MISSING, 'invalid-input'],
      ['a missing option', 'params.reflectionTradingFee', MISSING, 'invalid-input'],
      ['a bad item', 'params.creatorTradingFee.brackets[1].marketCapUpperBound', 7, 'invalid-amount'],
    ],
    creator_set_pro_market_cap_lp_fee: [
      ['no brackets', 'fees.brackets', [], 'invalid-input'],
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
    const error = heavenError('invalid-address', { field: 'programAddress' });
    expect(() => builtBuy({}, { programAddress: 'nowhere' as Address })).toThrow(error);
  });
});
