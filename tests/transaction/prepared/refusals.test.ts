import { describe, expect, test } from 'vitest';

import {
  createHeavenClient,
  type PrepareOptions,
  patchTrade,
  prepareTrade,
  type TradePatch,
} from '../../../src/index.js';
import { OTHER, STRANGER } from '../../support/addresses.js';
import { U64_MAX } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { createShapes, lifetimeOf, TIP_TO } from './shapes.js';

const { client, shapes } = await createShapes();
const shapeOf = (name: string) => shapes.get(name)!;
const VALUES = { amount: 1_000_000n, minimumOut: 1n } as const;
const RENT = 293n * 5_080n;

const PLAIN = 'buy, version 0, associated, plain';
const VERSION_1 = 'buy, version 1, associated, plain';

const PREPARED = {
  plain: await shapeOf(PLAIN).prepare(),
  'version 1': await shapeOf(VERSION_1).prepare(),
  tipped: await shapeOf('buy, version 0, associated, with a tip').prepare(),
  'without a budget': await shapeOf(PLAIN).prepare({ computeUnitPrice: 0, computeUnitLimit: 0 }),
  temporary: await shapeOf('buy, version 0, temporary, plain').prepare(),
};
const { plain, 'version 1': version1 } = PREPARED;

type Row = readonly [prepared: keyof typeof PREPARED, patch: object, context: object];
const refuses = (code: string, rows: readonly Row[]) =>
  test.each(rows)(`${code}: %s, patched with %o`, async (name, patch, context) => {
    const patching = () => PREPARED[name].patch({ ...VALUES, ...patch } as TradePatch);
    await expectRefusal(patching, code, context);
  });

describe('rejects what would change accounts or instructions', () => {
  const tip = { to: TIP_TO, lamports: 5n };
  const [price, limit] = [{ field: 'computeUnitPrice' }, { field: 'computeUnitLimit' }];
  refuses('not-patchable', [
    // Version 0 has an instruction for each unless it is 0.
    ['plain', { computeUnitPrice: 0n }, { ...price, asked: 0n, found: 40_000_000n }],
    ['without a budget', { computeUnitPrice: 1n }, { ...price, asked: 1n, found: 0n }],
    ['plain', { computeUnitLimit: 0 }, { ...limit, asked: 0, found: 200_000 }],
    ['without a budget', { computeUnitLimit: 1 }, { ...limit, asked: 1, found: 0 }],
    ['plain', { tip }, { field: 'tip' }],
    ['tipped', { tip: { ...tip, to: OTHER } }, { field: 'tip.to', asked: OTHER, found: TIP_TO }],
    ...['payer', 'maxSolSpend', 'source', 'encodedUserDefinedEventData'].map(
      (field): Row => ['plain', { [field]: 'x' }, { field }],
    ),
  ]);
});

describe('rejects impossible values', () => {
  refuses('amount-out-of-range', [
    ['plain', { minimumOut: U64_MAX + 1n }, { field: 'minimumOut' }],
    ['plain', { amount: U64_MAX + 1n }, { field: 'amount' }],
    // With its rent.
    ['temporary', { amount: U64_MAX - RENT + 1n }, { field: 'amount' }],
  ]);
  refuses('invalid-amount', [
    ['plain', { minimumOut: -1n }, { field: 'minimumOut' }],
    ['plain', { minimumOut: undefined }, { field: 'minimumOut' }],
    ['plain', { amount: 1 }, { field: 'amount' }],
    ['tipped', { tip: { to: TIP_TO, lamports: 5 } }, { field: 'tip.lamports' }],
  ]);
  refuses('zero-amount', [
    ['plain', { amount: 0n }, { field: 'amount' }],
    ['tipped', { tip: { to: TIP_TO, lamports: 0n } }, { field: 'tip.lamports' }],
  ]);
  refuses('invalid-input', [
    ['plain', { lifetime: {} }, { field: 'lifetime.blockhash' }],
    ['plain', { lifetime: { blockhash: '1111' } }, { field: 'lifetime.blockhash' }],
    ['plain', { computeUnitPrice: 0.5 }, { field: 'computeUnitPrice' }],
    ['plain', { computeUnitLimit: 2 ** 32 }, { field: 'computeUnitLimit' }],
    ['tipped', { tip: 5n }, { field: 'tip' }],
    ['version 1', { computeUnitLimit: 0 }, { field: 'computeUnitLimit' }],
    ['version 1', { computeUnitLimit: 1_400_001 }, { field: 'computeUnitLimit' }],
    ['version 1', { computeUnitPrice: U64_MAX, computeUnitLimit: 1_400_000 }, { field: 'computeUnitPrice' }],
  ]);

  test('a missing patch, and a missing prepared trade', async () => {
    await expectRefusal(() => plain.patch(undefined as never), 'invalid-input', { field: 'patch' });
    await expectRefusal(() => patchTrade({} as never, VALUES), 'invalid-input', { field: 'prepared' });
  });
});

describe('does not prepare', () => {
  test.each([undefined, {}, 'AQ=='])('what is not a built trade: %j', async (built) => {
    const preparing = () => prepareTrade(client, built as never);
    await expectRefusal(preparing, 'invalid-input', { field: 'built' });
  });

  test('with an option that does not exist', async () => {
    const preparing = () => prepareTrade(client, plain, { maxAgee: 5 } as never);
    await expectRefusal(preparing, 'invalid-input', { field: 'options.maxAgee' });
  });

  test('a sell that closes its token account', async () => {
    const { settings } = plain;
    const built = { ...plain, settings: { ...settings, closesTokenAccount: true } };
    const { message } = await expectRefusal(() => prepareTrade(client, built), 'invalid-input', {
      field: 'built',
    });
    expect(message).toContain('without closeTokenAccount');
  });

  test('what was built for another program, or changed', async () => {
    const elsewhere = createHeavenClient({ rpc: client.rpc, deployment: { programAddress: STRANGER } });
    await expectRefusal(() => prepareTrade(elsewhere, plain), 'invalid-transaction');
    for (const change of [{ amountIn: 1n }, { tx: version1.tx }, { instructions: [] }])
      await expectRefusal(() => prepareTrade(client, { ...plain, ...change }), 'invalid-transaction');
  });
});

describe('the age', () => {
  const prepare = (maxAge: unknown) => shapeOf(PLAIN).prepare({ maxAge } as PrepareOptions);

  test('counts from the slot of the state that it was prepared on', async () => {
    expect(plain.slot).toBe(plain.data.slot);
    expect(plain.slot).toBeGreaterThan(0n);
  });

  test('can be limited', async () => {
    const { slot, patch } = await prepare(10);
    const lifetime = lifetimeOf(3);
    const patched = patch({ ...VALUES, lifetime, currentSlot: slot + 10n });
    expect(patched).toEqual(plain.patch({ ...VALUES, lifetime }));
    // A node that is behind has no newer state.
    expect(patch({ ...VALUES, currentSlot: slot - 1n })).toEqual(plain.patch(VALUES));
    const currentSlot = slot + 11n;
    const context = { field: 'currentSlot', asked: currentSlot, found: slot, maxAge: 10n };
    await expectRefusal(() => patch({ ...VALUES, currentSlot }), 'not-patchable:maxAge', context);
    await expectRefusal(() => patch(VALUES), 'invalid-input', { field: 'currentSlot' });
  });

  test.each([-1, 0.5, 'ten', -1n])('is not limited to %s', async (maxAge) => {
    await expect(prepare(maxAge)).rejects.toMatchObject({ context: { field: 'maxAge' } });
  });
});
