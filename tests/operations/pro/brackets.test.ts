import { beforeEach, describe, expect, test } from 'vitest';
import { type BuiltTransaction, buildProCreate, type SlotFeeConfiguration } from '../../../src/index.js';
import { type FeeBracket, TOKEN_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { STRANGER } from '../../support/addresses.js';
import { CATCH_ALL, U64_MAX } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger } from '../../support/ledger.js';
import { ownWarnings } from '../../support/warnings.js';
import { parsedOf, pro, run, tokenAccountOf, UNUSED, useProPool } from './support.js';

// Fees are set when a pool is created, and later: by the same rules.

useProPool();
beforeEach(async () => {
  const tokens = { mint: pro.mint, owner: STRANGER, amount: 10n ** 15n };
  ledger.setTokenAccount(await tokenAccountOf(STRANGER), TOKEN_PROGRAM_ADDRESS, tokens);
});

/** Creates a pool, in version 1, which needs no lookup table. */
const create = (fees: object): Promise<BuiltTransaction> =>
  buildProCreate(client, {
    payer: STRANGER,
    creator: STRANGER,
    configVersion: 3,
    mint: pro.mint,
    initialTokenAAmount: 1_000_000n,
    initialTokenBAmount: 1_000_000n,
    transactionVersion: 1,
    ...fees,
  });

/** The fees that a transaction sets: `fees` of a setter, and one of the parameters of a creation. */
const feesIn = (built: BuiltTransaction, name: string) => {
  const data = parsedOf(built).data as { readonly params?: object };
  return ({ ...data, ...data.params } as Readonly<Record<string, unknown>>)[name];
};

/** Where fees by market cap are set: how, in which field of the input, and where the transaction has them. */
const PLACES = [
  ...(['setReflectionFee', 'setLpFee', 'setMarketCapCreatorFee'] as const).map((name) => ({
    name,
    field: 'brackets',
    fees: 'fees',
    set: (brackets: unknown) => run(name, { brackets }),
    /** The account has room for four. */
    stored: (brackets: readonly object[]) => [...brackets, UNUSED, UNUSED, UNUSED].slice(0, 4),
  })),
  ...['creatorTradingFee', 'reflectionTradingFee', 'liquidityProviderTradingFee'].map((name) => ({
    name,
    field: name,
    fees: name,
    set: (brackets: unknown) => create({ [name]: brackets }),
    stored: (brackets: readonly object[]) => brackets,
  })),
];

const bracket = (marketCapUpperBound: bigint, buyFeeBps = 1, sellFeeBps = 1): FeeBracket => ({
  marketCapUpperBound,
  buyFeeBps,
  sellFeeBps,
});
const last = bracket(CATCH_ALL);

/** A list that doesn't show its items. */
const hidden = (length: number) =>
  new Proxy<never[]>([], {
    get: (list, key) => {
      if (key === 'length') return length;
      if (typeof key === 'string' && /^\d/.test(key)) throw new Error(`somebody looked at item ${key}`);
      return Reflect.get(list, key) as unknown;
    },
  });

describe.each(PLACES)('market cap brackets as $name', ({ field, fees, set, stored }) => {
  test.each<[string, readonly FeeBracket[], string]>([
    ['five', [...[1n, 2n, 3n, 4n].map((bound) => bracket(bound)), last], 'there are 5'],
    ['a million', hidden(1_000_000), 'there are 1000000, but at most 4'],
    ['a bound over the catch-all', [bracket(CATCH_ALL + 1n)], `over the highest one, ${CATCH_ALL}`],
    ['the highest bound of 64 bits', [bracket(U64_MAX)], 'over the highest one'],
    ['equal bounds', [bracket(5n), bracket(5n), last], '[1] does not ascend'],
    ['descending bounds', [bracket(6n), bracket(5n), last], '[1] does not ascend'],
    ['two catch-alls', [last, last], '[1] does not ascend'],
  ])('are rejected before any call to the node: %s', async (_, given, reason) => {
    const context = { field, reason: expect.stringContaining(reason) };
    await expectRefusal(set(given), 'invalid-fees', context);
    expect(ledger.requests).toEqual([]);
  });

  test.each([
    ['[0].buyFeeBps', [bracket(CATCH_ALL, 10_001)]],
    ['[1].sellFeeBps', [bracket(1n), bracket(CATCH_ALL, 0, 10_001)]],
  ])('are rejected with a fee over 100 %% in %s', async (at, given) => {
    const context = { field: `${field}${at}`, feeBps: 10_001, maxFeeBps: 10_000 };
    await expectRefusal(set(given), 'invalid-fees:feeBps', context);
  });

  test.each([1, 2, 3, 4])('are passed on: %s of them', async (count) => {
    const given = Array.from({ length: count }, (_, index) =>
      bracket(index === count - 1 ? CATCH_ALL : BigInt(index), index, index + 1),
    );
    expect(feesIn(await set(given), fees)).toEqual({ brackets: stored(given), count });
  });

  test('mean a fee of 0 % if there are none', async () => {
    const built = await set([]);
    expect(feesIn(built, fees)).toEqual({ brackets: stored([bracket(CATCH_ALL, 0, 0)]), count: 1 });
    expect(ownWarnings(built)).toEqual([]);
  });

  test('cover every market cap with the last one, and a warning says so', async () => {
    const [first, second] = [bracket(5n, 1, 2), bracket(CATCH_ALL - 1n, 3, 4)];
    const built = await set([first, second]);
    const ending = { ...second, marketCapUpperBound: CATCH_ALL };
    expect(feesIn(built, fees)).toEqual({ brackets: stored([first, ending]), count: 2 });
    const message = expect.stringContaining(`${field}[1].marketCapUpperBound is ${CATCH_ALL - 1n}, but`);
    expect(ownWarnings(built)).toMatchObject([{ code: 'no-catch-all', message }]);
  });
});

const slot = (slotOffsetUpperbound: number, buyFeeBps = 100, sellFeeBps = 100) => ({
  slotOffsetUpperbound,
  buyFeeBps,
  sellFeeBps,
});
const schedule = (
  brackets: SlotFeeConfiguration['brackets'],
  change: Partial<SlotFeeConfiguration> = {},
) => ({ brackets, maxSlotOffset: 15, maxFeeBps: 100, enabled: true, ...change });
const many = (count: number) =>
  schedule(
    Array.from({ length: count }, (_, index) => slot(index)),
    { maxSlotOffset: count - 1 },
  );
const OFF = schedule([], { maxSlotOffset: 0, maxFeeBps: 0, enabled: false });

describe.each([
  {
    name: 'setSlotCreatorFee',
    at: '',
    fees: 'fees',
    set: (given: SlotFeeConfiguration) => run('setSlotCreatorFee', given),
  },
  {
    name: 'creatorSlotTradingFee',
    at: 'creatorSlotTradingFee.',
    fees: 'creatorSlotTradingFee',
    set: (given: SlotFeeConfiguration) => create({ creatorSlotTradingFee: given }),
  },
])('slot brackets as $name', ({ at, fees, set }) => {
  test.each([
    ['43', many(43), 'there are 43'],
    ['a million', schedule(hidden(1_000_000)), 'there are 1000000, but at most 42'],
    ['none, but enabled', { ...OFF, enabled: true }, 'at least one'],
    ['equal bounds', schedule([slot(15), slot(15)]), 'does not ascend'],
    ['descending bounds', schedule([slot(16), slot(15)]), 'does not ascend'],
    ['a bound past the last slot', schedule([slot(16)]), 'maxSlotOffset is 15'],
    ['a fee over the highest', schedule([slot(15, 100, 101)]), 'maxFeeBps is 100'],
  ])('are rejected before any call to the node: %s', async (_, given, reason) => {
    const context = { field: `${at}brackets`, reason: expect.stringContaining(reason) };
    await expectRefusal(set(given), 'invalid-fees', context);
    expect(ledger.requests).toEqual([]);
  });

  test.each([
    ['maxFeeBps', schedule([slot(15)], { maxFeeBps: 10_001 })],
    ['brackets[0].buyFeeBps', schedule([slot(15, 10_001)], { maxFeeBps: 10_001 })],
  ])('are rejected with more than 100 %% as %s', async (field, given) => {
    const context = { field: `${at}${field}`, feeBps: 10_001, maxFeeBps: 10_000 };
    await expectRefusal(set(given), 'invalid-fees:feeBps', context);
  });

  test.each([
    ['maxima over theirs', schedule([slot(14, 99, 99)])],
    ['42 of them', many(42)],
    ['disabled', schedule([slot(15)], { enabled: false })],
    ['disabled and empty', OFF],
    ['disabled, a window without brackets', { ...OFF, maxSlotOffset: 5, maxFeeBps: 1 }],
  ])('are passed on: %s', async (_, given) => {
    const { brackets, enabled, ...maxima } = given;
    expect(feesIn(await set(given), fees)).toMatchObject({
      ...maxima,
      brackets: expect.arrayContaining([...brackets]),
      count: brackets.length,
      enabled: Number(enabled),
    });
  });
});
