import { beforeAll, describe, expect, test } from 'vitest';

import { type PreparedTrade, patchTrade, type TradePatch } from '../../../src/index.js';
import { OTHER } from '../../support/addresses.js';
import { U64_MAX } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { createShapes, lifetimeOf, TIP_TO } from './shapes.js';

const { shapes } = await createShapes();
const shapeOf = (name: string) => shapes.get(name)!;
const VALUES = { amount: 1_000_000n, minimumOut: 1n } as const;
const RENT = 293n * 5_080n;

const PLAIN = 'buy, version 0, associated, plain';
const VERSION_1 = 'buy, version 1, associated, plain';
const TIPPED = 'buy, version 0, associated, with a tip';

let plain: PreparedTrade;
let version1: PreparedTrade;
let tipped: PreparedTrade;
let free: PreparedTrade;
beforeAll(async () => {
  [plain, version1, tipped, free] = await Promise.all([
    shapeOf(PLAIN).prepare(),
    shapeOf(VERSION_1).prepare(),
    shapeOf(TIPPED).prepare(),
    shapeOf(PLAIN).prepare({ computeUnitPrice: 0, computeUnitLimit: 0 }),
  ]);
});

const refuses = (prepared: PreparedTrade, patch: object, code: string, context: object = {}) =>
  expectRefusal(() => prepared.patch({ ...VALUES, ...patch } as TradePatch), code, context);

describe('rejects what would change accounts or instructions', () => {
  test('a price or a limit that appears or disappears in version 0', async () => {
    const field = 'computeUnitPrice';
    await refuses(plain, { [field]: 0n }, 'not-patchable', { field, asked: 0n, found: 40_000_000n });
    await refuses(free, { [field]: 1n }, 'not-patchable', { field, asked: 1n, found: 0n });
    const limit = 'computeUnitLimit';
    await refuses(plain, { [limit]: 0 }, 'not-patchable', { field: limit, asked: 0, found: 200_000 });
    await refuses(free, { [limit]: 1 }, 'not-patchable', { field: limit, asked: 1, found: 0 });
  });

  test('but not the price in version 1, which always has a field for it', async () => {
    const built = await shapeOf(VERSION_1).build({ ...VALUES, computeUnitPrice: 0n });
    expect(Buffer.from(version1.patch({ ...VALUES, computeUnitPrice: 0n })).toString('base64')).toBe(
      built.tx,
    );
  });

  test('a tip if there was none, or to another account', async () => {
    const tip = { to: TIP_TO, lamports: 5n };
    await refuses(plain, { tip }, 'not-patchable', { field: 'tip' });
    const elsewhere = { to: OTHER, lamports: 5n };
    await refuses(tipped, { tip: elsewhere }, 'not-patchable', {
      field: 'tip.to',
      asked: OTHER,
      found: TIP_TO,
    });
  });

  test.each(['payer', 'maxSolSpend', 'source', 'encodedUserDefinedEventData'])('%s', async (field) => {
    const error = await refuses(plain, { [field]: 'x' }, 'not-patchable', { field });
    expect(error.message).toContain('amount, minimumOut, lifetime');
  });
});

describe('rejects impossible values', () => {
  test.each([
    ['a minimum over 64 bits', { minimumOut: U64_MAX + 1n }, 'amount-out-of-range', { field: 'minimumOut' }],
    ['a minimum under 0', { minimumOut: -1n }, 'invalid-amount', { field: 'minimumOut' }],
    ['no minimum', { minimumOut: undefined }, 'invalid-amount', { field: 'minimumOut' }],
    ['an amount of 0', { amount: 0n }, 'zero-amount', { field: 'amount' }],
    ['an amount over 64 bits', { amount: U64_MAX + 1n }, 'amount-out-of-range', { field: 'amount' }],
    ['a number as amount', { amount: 1 }, 'invalid-amount', { field: 'amount' }],
    ['no block hash', { lifetime: {} }, 'invalid-input', { field: 'lifetime.blockhash' }],
    [
      'a short block hash',
      { lifetime: { blockhash: '1111' } },
      'invalid-input',
      { field: 'lifetime.blockhash' },
    ],
    ['half a price', { computeUnitPrice: 0.5 }, 'invalid-input', { field: 'computeUnitPrice' }],
    ['a limit over 32 bits', { computeUnitLimit: 2 ** 32 }, 'invalid-input', { field: 'computeUnitLimit' }],
  ])('%s', async (_, patch, code, context) => {
    await refuses(plain, patch, code, context);
  });

  test('of a tip', async () => {
    await refuses(tipped, { tip: { to: TIP_TO, lamports: 0n } }, 'zero-amount', { field: 'tip.lamports' });
    await refuses(tipped, { tip: { to: TIP_TO, lamports: 5 } }, 'invalid-amount', { field: 'tip.lamports' });
    await refuses(tipped, { tip: 5n }, 'invalid-input', { field: 'tip' });
  });

  test('of the budget of version 1', async () => {
    for (const computeUnitLimit of [0, 1_400_001])
      await refuses(version1, { computeUnitLimit }, 'invalid-input', { field: 'computeUnitLimit' });
    await refuses(version1, { computeUnitPrice: U64_MAX, computeUnitLimit: 1_400_000 }, 'invalid-input', {
      field: 'computeUnitPrice',
    });
  });

  test('an amount that overflows with the rent of a temporary account', async () => {
    const temporary = await shapeOf('buy, version 0, temporary, plain').prepare();
    const most = U64_MAX - RENT;
    expect(temporary.patch({ ...VALUES, amount: most })).toHaveLength(temporary.size);
    await refuses(temporary, { amount: most + 1n }, 'amount-out-of-range', { field: 'amount' });
  });

  test('a missing patch, and a missing prepared trade', async () => {
    await expectRefusal(() => plain.patch(undefined as never), 'invalid-input', { field: 'patch' });
    await expectRefusal(() => patchTrade({} as never, VALUES), 'invalid-input', { field: 'prepared' });
  });
});

describe('the age', () => {
  const prepare = (maxAge: unknown) => shapeOf(PLAIN).prepare({ maxAge });

  test('counts from the slot of the state that it was prepared on', async () => {
    expect(plain.slot).toBe(plain.data.slot);
    expect(plain.slot).toBeGreaterThan(0n);
  });

  test('can be limited', async () => {
    const { slot, patch } = await prepare(10);
    const lifetime = lifetimeOf(3);
    expect(patch({ ...VALUES, lifetime, currentSlot: slot + 10n })).toEqual(
      plain.patch({ ...VALUES, lifetime }),
    );
    // A node that is behind has no newer state.
    expect(patch({ ...VALUES, currentSlot: slot - 1n })).toEqual(plain.patch(VALUES));
    const currentSlot = slot + 11n;
    await expectRefusal(() => patch({ ...VALUES, currentSlot }), 'not-patchable:maxAge', {
      field: 'currentSlot',
      asked: currentSlot,
      found: slot,
      maxAge: 10n,
    });
    await expectRefusal(() => patch(VALUES), 'invalid-input', { field: 'currentSlot' });
  });

  test.each([-1, 0.5, 'ten', -1n])('is not limited to %s', async (maxAge) => {
    await expect(prepare(maxAge)).rejects.toMatchObject({ context: { field: 'maxAge' } });
  });
});
