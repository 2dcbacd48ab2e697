import { inspect } from 'node:util';

import { beforeAll, describe, expect, test } from 'vitest';
import { inputFields } from '../../src/http/schemas/inputs.js';
import { createLocalClient, fetchPoolSnapshot, HeavenError } from '../../src/index.js';
import { checkInputFor, type LazyFields } from '../../src/input/check-input.js';
import type { Field, Shape } from '../../src/input/field.js';
import {
  type BuilderName,
  builders,
  type OperationName,
  paths,
  readers,
} from '../../src/operations/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { formOf, setIn, type ValueForm } from '../http/engines.js';
import { createWorld, intentsIn, type World } from '../review/support.js';
import { OTHER, STRANGER } from '../support/addresses.js';
import { U64_MAX } from '../support/amounts.js';

// Each field of each operation, with wrong values of its kind: the operation rejects them and names the field.

const NAMES = Object.keys(paths) as OperationName[];
const BUILDERS = Object.keys(builders) as BuilderName[];

let world: World;
/** A valid input of each operation, with as many fields as can be given together. */
let inputs: Readonly<Record<string, object>>;
beforeAll(async () => {
  world = await createWorld();
  const { mint, pool } = world.ledger.pools.pro;
  const standard = { mint: world.ledger.pools.creator.mint, configVersion: 2, slippageBps: 50 };
  const pro = { mint, pool, configVersion: 3, slippageBps: 50 };
  const merged: Record<string, object> = {
    getPoolInfo: { mint, pool },
    getProtocolConfigState: { version: 3 },
    getPoolState: { mint, pool },
    getLpBalance: { pool, user: STRANGER },
    quoteBuy: { ...standard, maxSolSpend: 1 },
    quoteSell: { ...standard, amountInUi: 1 },
    quoteProBuy: { ...pro, maxSolSpend: 1 },
    quoteProSell: { ...pro, amountInUi: 1 },
    quoteInitialBuy: { configVersion: 1, initialPurchasePercent: 1, slippage: 0.01 },
  };
  for (const { function: name, input } of Object.values(await intentsIn(world)))
    merged[name] = { ...merged[name], ...input };
  inputs = merged;
});

/** A value that is wrong where `at` says, and the code of the error. */
interface Wrong {
  readonly at: string;
  readonly value: unknown;
  readonly code: string;
}

/** Fields that have another code than other numbers. */
const CODES: Readonly<Record<string, string>> = {
  slippageBps: 'invalid-slippage',
  slippage: 'invalid-slippage',
  configVersion: 'invalid-input',
  version: 'invalid-input',
  transactionVersion: 'invalid-input',
  computeUnitLimit: 'invalid-input',
  computeUnitPrice: 'invalid-input',
  loadedAccountsDataSizeLimit: 'invalid-input',
};

/** What a local call may leave out, while a request over HTTP may not. */
const LOCALLY_OPTIONAL = [
  'encodedUserDefinedEventData',
  'maxSolSpend',
  'amountInUi',
  'initialPurchasePercent',
];

const wrongAt = (at: string, code: string, ...values: readonly unknown[]): readonly Wrong[] =>
  values.map((value) => ({ at, value, code }));

function wrongLeaves(form: ValueForm, at: string): readonly Wrong[] {
  const field = at.split('.').at(-1)!;
  const number = CODES[field] ?? 'invalid-amount';
  const all = (code: string, ...values: readonly unknown[]) => wrongAt(at, code, ...values);
  switch (form.kind) {
    case 'address':
      return all('invalid-address', 'x', 7, {});
    case 'integer':
      return [
        ...all(number, '5', 0.5, Number.NaN, -1n),
        ...all(CODES[field] ?? 'amount-out-of-range', U64_MAX + 1n),
        ...(field in CODES ? [] : all(number, 5)),
        ...(form.minimum === 1 ? all('zero-amount', 0n) : []),
      ];
    case 'small':
      return [
        ...all(number, '1', 0.5, Number.NaN, -1),
        ...all(CODES[field] ?? 'amount-out-of-range', 2 ** 32),
      ];
    case 'amount':
      return [
        ...all(number, 'x', -1, Number.NaN, 1n),
        ...(form.exclusiveMinimum === 0 ? all('zero-amount', 0) : []),
      ];
    case 'flag':
      return all('invalid-input', 0, 1, 'true');
    case 'text':
      return all('invalid-input', 7, {});
    case 'number':
      // Compared with the exact amount, later.
      return [];
  }
}

/** Each way in which a value can be wrong. */
function wrongOf(field: Field, valid: unknown, at: string): readonly Wrong[] {
  if ('present' in field) return wrongOf(field.present, valid, at).filter(({ value }) => value !== undefined);
  const form = formOf(field);
  if (form.kind === 'list') {
    const [first, ...others] = (valid ?? []) as readonly unknown[];
    const inside = first === undefined ? [] : wrongOf(form.item, first, `${at}[0]`);
    return [
      ...wrongAt(at, 'invalid-input', undefined, 5, 'x', {}),
      ...inside.map((one) => ({ ...one, value: [one.value, ...others] })),
    ];
  }
  if (form.kind === 'object') {
    const inside = valid === undefined || valid === null ? [] : wrongFields(form.shape, valid, `${at}.`);
    return [...wrongAt(at, 'invalid-input', undefined, 5, 'x', []), ...inside];
  }
  const leaves = wrongLeaves(form, at);
  const isOptional = leaves.length === 0 || LOCALLY_OPTIONAL.includes(at);
  return isOptional ? leaves : [...wrongAt(at, leaves[0]!.code, undefined), ...leaves];
}

const wrongFields = (shape: Shape, valid: object, before = ''): readonly Wrong[] =>
  Object.entries(shape).flatMap(([field, schema]) =>
    wrongOf(schema, (valid as Record<string, unknown>)[field], `${before}${field}`).map((one) => ({
      ...one,
      value: { ...valid, [field]: one.value },
    })),
  );

const check = (name: OperationName, input: object) =>
  checkInputFor(HEAVEN_PROGRAM_ADDRESS, input, inputFields[name] as LazyFields);

/** The code and the field of the error with which an operation rejects an input. */
function rejectionOf(name: OperationName, input: object): string {
  try {
    check(name, input);
    return 'accepted';
  } catch (error) {
    const { code, context } = error as HeavenError;
    return `${code} ${(context as { readonly field?: string }).field}`;
  }
}

describe.each(NAMES)('%s', (name) => {
  test('accepts a valid input, and nothing that is no object', () => {
    expect(rejectionOf(name, inputs[name]!)).toBe('accepted');
    for (const none of [undefined, null, 5, 'x', [], () => {}])
      expect(rejectionOf(name, none as never)).toBe('invalid-input input');
  });

  test('rejects wrong values of each field', () => {
    const wrong = wrongFields(inputFields[name]().documented, inputs[name]!);
    expect(wrong.length).toBeGreaterThan(2);
    for (const { at, value, code } of wrong)
      expect(rejectionOf(name, value as object), `${at}: ${inspect(value, { depth: 1 })}`).toBe(
        `${code} ${at}`,
      );
  });

  test('checks each field of a local call, too', () => {
    // The launch itself checks who signs for its mint.
    for (const field of Object.keys(inputFields[name]().local).filter((each) => each !== 'mintSigner'))
      expect(rejectionOf(name, { ...inputs[name], [field]: Symbol('x') })).toMatch(` ${field}`);
  });
});

const TIP = { to: OTHER, lamports: 5n };
const MEMO = { programAddress: OTHER, accounts: [{ address: STRANGER, role: 1 }], data: new Uint8Array(3) };
const memoWith = (account: unknown) => [{ ...MEMO, accounts: [account] }];

describe.each(BUILDERS)('%s', (name) => {
  test.each<[field: string, value: unknown, rejection: string]>([
    ['before', 'x', 'invalid-input before'],
    ['after', {}, 'invalid-input after'],
    ['before', [null], 'invalid-input before[0]'],
    ['after', [MEMO, ...new Array(1)], 'invalid-input after[1]'],
    ['before', [{ ...MEMO, programAddress: 'x' }], 'invalid-address before[0].programAddress'],
    ['before', [{ ...MEMO, accounts: {} }], 'invalid-input before[0].accounts'],
    ['before', memoWith(null), 'invalid-input before[0].accounts[0]'],
    ['after', memoWith({ address: 5, role: 1 }), 'invalid-address after[0].accounts[0].address'],
    ['after', memoWith({ address: OTHER }), 'invalid-input after[0].accounts[0].role'],
    ['after', memoWith({ address: OTHER, role: 4 }), 'invalid-input after[0].accounts[0].role'],
    ['before', [{ ...MEMO, data: 'text' }], 'invalid-input before[0].data'],
    ['before', [{ ...MEMO, data: [1, 2] }], 'invalid-input before[0].data'],
    ['before', [MEMO, { programAddress: OTHER }], 'accepted'],
    ['lifetime', {}, 'invalid-input lifetime.blockhash'],
    ['lifetime', { blockhash: 7 }, 'invalid-input lifetime.blockhash'],
    ['tip', 5n, 'invalid-input tip'],
    ['tip', { ...TIP, to: 'x' }, 'invalid-address tip.to'],
    ['tip', { ...TIP, lamports: 0n }, 'zero-amount tip.lamports'],
    ['tip', { ...TIP, lamports: 5 }, 'invalid-amount tip.lamports'],
    ['tip', { ...TIP, lamports: U64_MAX + 1n }, 'amount-out-of-range tip.lamports'],
    ['dontFront', 'yes', 'invalid-input dontFront'],
    ['abortSignal', 5, 'invalid-input abortSignal'],
  ])('rejects the %s %o', (field, value, rejection) => {
    expect(rejectionOf(name, { ...inputs[name], [field]: value })).toBe(rejection);
  });
});

test('more instructions than a transaction can have are rejected, and not looked at', () => {
  const many = (count: number, one: unknown) => ({ ...inputs.buildBuy, before: new Array(count).fill(one) });
  expect(rejectionOf('buildBuy', many(64, MEMO))).toBe('accepted');
  expect(rejectionOf('buildBuy', many(65, 'no instruction'))).toBe('invalid-transaction undefined');
});

describe('a snapshot of which one value is a number', () => {
  const TRADES = NAMES.filter((name) => /^(quote|build)(Pro)?(Buy|Sell)$/.test(name));

  test.each([
    'slot',
    'reserveA',
    'virtualReserveB',
    'window.reserveB',
    'token.supply',
    'token.transferFee.maximum',
    'solPrice.answer',
  ])('is rejected: %s', async (at) => {
    const { mint, configVersion } = world.ledger.pools.creator;
    const found = await fetchPoolSnapshot(world.client, { mint, configVersion });
    const transferFee = { basisPoints: 5n, maximum: 7n };
    const snapshot = { ...found, token: { ...found.token, transferFee } };
    expect(TRADES).toHaveLength(8);
    for (const name of TRADES) {
      expect(rejectionOf(name, { ...inputs[name], snapshot })).toBe('accepted');
      const wrong = setIn(snapshot, at.split('.'), 5);
      expect(rejectionOf(name, { ...inputs[name], snapshot: wrong })).toBe(`invalid-input snapshot.${at}`);
    }
  });
});

/** The path of each place in a value, its own first. */
const placesIn = (value: unknown): readonly (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [[]];
  const inside = Object.entries(value).flatMap(([name, inner]) =>
    placesIn(inner).map((place) => [name, ...place]),
  );
  return [[], ...inside];
};

test.each(NAMES)('%s answers monstrous values with a short error', (name) => {
  const lifetime = { blockhash: OTHER, lastValidBlockHeight: 1n };
  const local = { before: [MEMO], tip: TIP, lifetime, dontFront: true, wrapSol: 'none', mintSigner: OTHER };
  const input = { ...inputs[name], ...(name in builders ? local : {}), snapshot: {}, abortSignal: undefined };
  const long = 'x'.repeat(5_000);
  const monsters = [
    10n ** 5_000n,
    long,
    Symbol(long),
    { [long]: long },
    { address: long },
    Object.assign(() => 'the source', { programAddress: OTHER, address: OTHER }),
    Object.create(null),
    new Array(5_000),
    [Number.NaN, [long]],
  ];
  const answers = monsters.flatMap((monster) =>
    placesIn(input).map((place) => {
      try {
        return check(name, setIn(input, place, monster) as object) && '';
      } catch (error) {
        return error instanceof HeavenError ? error.message : `another error: ${error}`;
      }
    }),
  );
  expect(answers.filter((text) => text.length > 1_000 || /the source|another error/.test(text))).toEqual([]);
});

test('every operation that wraps SOL rejects a way that there is not', () => {
  const wrapping = BUILDERS.filter((name) => 'wrapSol' in inputs[name]!);
  expect(wrapping.length).toBeGreaterThan(8);
  for (const name of wrapping)
    expect(rejectionOf(name, { ...inputs[name], wrapSol: 'x' }), name).toBe('invalid-input wrapSol');
});

test('every operation checks its input before any call to the node', async () => {
  const before = world.ledger.requests.length;
  const local = createLocalClient(world.client);
  for (const name of Object.keys({ ...readers, ...builders }) as OperationName[])
    await expect(local[name]({} as never), name).rejects.toMatchObject({ name: 'HeavenError' });
  expect(world.ledger.requests.length).toBe(before);
});
