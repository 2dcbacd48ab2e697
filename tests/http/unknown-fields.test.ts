import { describe, expect, test } from 'vitest';

import {
  type BuildProBuyInput,
  quoteProAddLiquidity,
  quoteProBuyExactOut,
  quoteProRemoveLiquidity,
  quoteProSellExactOut,
} from '../../src/index.js';
import { builders, type OperationName, paths, readers } from '../../src/operations/index.js';
import { OTHER_PROGRAM_ADDRESS } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { createEngines, OPERATIONS } from './engines.js';
import { errorOf, objectText, ok, post, readJson } from './support.js';
import { asInput, type Fields } from './working-requests.js';

// One rule for the names of fields, in the SDK and over HTTP, for all operations.

const { ledger, client, mintSigner, handler, remote, working: requests } = await createEngines();

type Call = (client: unknown, input: unknown) => Promise<object>;
/** The functions, to call with what their types forbid. */
const functions = { ...readers, ...builders } as unknown as Readonly<Record<OperationName, Call>>;
const call = (name: OperationName, input: unknown) => functions[name](client, input);

const required = (path: string): Fields => requests[path]!.required;
const every = (path: string): Fields => ({ ...required(path), ...requests[path]!.optional });
const inputOf = (path: string, more: object = {}) => ({
  ...asInput(objectText(required(path))),
  ...(path === paths.buildCreateStandardLiquidityPool ? { mintSigner } : {}),
  ...more,
});

interface Noted {
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly details?: Noted & { readonly ignored_fields?: readonly string[] };
}
const warningsOf = ({ warnings, details }: Noted) => warnings ?? details?.warnings ?? [];

describe.each(OPERATIONS)('%s', (name, path) => {
  test('rejects a client that is none', async () => {
    for (const from of [undefined, null, {}])
      await expectRefusal(functions[name](from, inputOf(path)), 'invalid-input', { field: 'client' });
  });

  test('takes the name of its own program without a word, and rejects another', async () => {
    const programId = client.deployment.programAddress;
    const named = await call(name, inputOf(path, { programId }));
    expect(warningsOf(named)).toEqual(warningsOf(await call(name, inputOf(path))));
    const request = { ...required(path), program_id: `"${programId}"` };
    const answer = await ok(handler, path, objectText(request));
    expect(answer).toBe(await ok(handler, path, objectText(required(path))));
    const field = { field: 'programId' };
    const wrong = { ...asInput(objectText(required(path))), programId: OTHER_PROGRAM_ADDRESS };
    await remote(name, { ...wrong, programId });
    await expectRefusal(remote(name, wrong), 'invalid-input', field);
    const own = path === paths.buildCreateStandardLiquidityPool ? { mintSigner } : {};
    await expectRefusal(call(name, { ...wrong, ...own }), 'invalid-input', field);
  });

  test('names an unknown name in a call, in a warning or where it has none in an error', async () => {
    const outcome = await call(name, inputOf(path, { nonsense: 1 })).then(
      (found) => warningsOf(found as Noted).map(({ message }) => message),
      (error: Error) => [error.message],
    );
    expect(outcome.join()).toContain('nonsense');
  });

  test('answers thousands of unknown names briefly', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`q${index}zzzz`, '1']));
    const plain = await ok(handler, path, objectText(required(path)));
    const noted = await ok(handler, path, objectText({ ...required(path), ...unknown }));
    expect(noted.length).toBeLessThan(plain.length + 500);
    const { details } = readJson(noted) as Noted;
    expect(details?.ignored_fields).toEqual(['q0zzzz', 'q1zzzz', 'q2zzzz', 'q3zzzz', 'q4zzzz']);
    expect(warningsOf({ details: details! }).at(-1)?.message).toContain('q4zzzz and 895 more.');
    const nothing = await post(handler, path, objectText(unknown));
    expect([nothing.status, nothing.text.length < 2_000]).toEqual([400, true]);
    const long = await ok(handler, path, objectText({ ...required(path), ['payer'.repeat(2_400)]: '1' }));
    expect(long.length).toBeLessThan(plain.length + 500);
    expect((readJson(long) as Noted).details?.ignored_fields).toHaveLength(1);
  });
});

/** The fields that hold objects, or lists of them, but a quote, in which others may say more. */
const nested = OPERATIONS.flatMap(([name, path]) =>
  Object.entries(every(path))
    .filter(([field, value]) => /^\[?\{/.test(value) && field !== 'quote_response')
    .map(([field, value]) => [name, field, path, value] as const),
);

describe.each(nested)('%s: the %s', (name, field, path, value) => {
  const at = value.startsWith('[') ? '0' : undefined;
  const overHttp = at === undefined ? field : `${field}.${at}`;
  /** The request with more in the object. */
  const body = (more: string) =>
    objectText({ ...every(path), [field]: value.replace('{', () => `{${more},`) });

  // Other names and values are among the recorded refusals.
  test.each(['"colour":null', '"__proto__":1'])('rejects %s', async (more) => {
    const name = /\w+/.exec(more)?.[0];
    const error = errorOf(await post(handler, path, body(more)));
    expect(error.details?.fields?.map(({ field }) => field)).toEqual([overHttp]);
    expect(error.message).toMatch(new RegExp(`has no field ${name}: it takes [a-z_, ]+$`));
  });

  test('suggests its first field for a misspelt one in the SDK', async () => {
    const misspelt = asInput(objectText({ ...every(path), [field]: value.replace(/(\w)"/, '$1s"') }));
    const { message } = await expectRefusal(call(name, misspelt), 'invalid-input');
    expect(message).toMatch(/^\S+ has no field (\w+)s; did you mean \1\?$/);
  });

  test('answers thousands of unknown names briefly', async () => {
    const names = Array.from({ length: 900 }, (_, index) => `"q${index}zzzz":1`).join();
    const { status, text } = await post(handler, path, body(names));
    expect([status, text.length < 4_000]).toEqual([400, true]);
  });

  if (at === undefined) return;

  test('answers thousands of objects briefly', async () => {
    const long = Array.from({ length: 5 }, (_, index) => `"${'colour'.repeat(99)}${index}":1`);
    for (const item of [`{${long}}`, '{"colour":1}', '{}', '1']) {
      const items = Array.from({ length: Math.floor(10_000 / (item.length + 1)) }, () => item);
      const request = objectText({ ...every(path), [field]: `[${items}]` });
      const { status, text } = await post(handler, path, request);
      expect([status, text.length < 6_000]).toEqual([items.length > 42 ? 422 : 400, true]);
    }
  });
});

describe.each(OPERATIONS.filter(([name]) => name in builders))('%s', (name, path) => {
  test.each([
    ['tip', { to: ledger.pools.pro.creator, lamports: 1n }],
    ['lifetime', { blockhash: '11111111111111111111111111111111', lastValidBlockHeight: 1n }],
  ])('rejects an unknown name inside its %s', async (field, value) => {
    await call(name, inputOf(path, { [field]: value }));
    const misspelt = call(name, inputOf(path, { [field]: { ...value, colour: 1 } }));
    await expectRefusal(misspelt, 'invalid-input', { field: `${field}.colour` });
  });
});

/** What only some builders take, and what decides who pays. */
test.each(OPERATIONS.filter(([name, path]) => name in builders && !('rent_payer' in every(path))))(
  '%s rejects who opens accounts, instead of ignoring it',
  async (name, path) => {
    const rentPayer = call(name, inputOf(path, { rentPayer: 'feePayer' }));
    await expectRefusal(rentPayer, 'invalid-input', { field: 'rentPayer' });
    const body = objectText({ ...required(path), rent_payer: '"fee_payer"' });
    expect(errorOf(await post(handler, path, body)).message).toContain('has no field rent_payer');
  },
);

describe('for example', () => {
  const { pro } = ledger.pools;
  const ignored = {
    code: 'ignored-fields',
    message: 'Ignored unknown fields: colour. Check their names.',
  };
  const inPro = { pool: pro.pool, mint: pro.mint, configVersion: pro.configVersion, slippageBps: 50 };
  const trade = () => inputOf(paths.buildProBuy) as unknown as BuildProBuyInput;
  type Attempt = (more: object) => Promise<object>;
  const buying: Attempt = (more) => quoteProBuyExactOut(client, { ...inPro, amountOut: 9n, ...more });
  const selling: Attempt = (more) => quoteProSellExactOut(client, { ...inPro, amountOut: 9n, ...more });
  const adding: Attempt = (more) =>
    quoteProAddLiquidity(client, { ...inPro, maxTokenB: 1_000_000n, ...more });
  const removing: Attempt = (more) =>
    quoteProRemoveLiquidity(client, { ...inPro, lpTokensToBurn: 9_000n, ...more });
  test.each([
    ['an exact-out buy', 'amountOuts', buying],
    ['an exact-out sell', 'amountOuts', selling],
    ['a deposit', 'maxTokenBs', adding],
    ['a withdrawal', 'slippageBp', removing],
  ])('%s, which is not among the documented operations', async (_, misspelt, attempt) => {
    await expectRefusal(attempt({ [misspelt]: 1 }), 'invalid-input', { field: misspelt });
    const plain = warningsOf(await attempt({}));
    expect(warningsOf(await attempt({ colour: 'red' }))).toEqual([...plain, ignored]);
  });

  test('unknown fields of a quote are named, locally and by the remote client', async () => {
    const { quoteResponse, ...input } = trade();
    const more = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`q${index}`, index]));
    const noted = { ...input, colour: 1, quoteResponse: { ...quoteResponse, minimumOt: 5n, ...more } };
    const message =
      'Ignored unknown fields: colour, quoteResponse.minimumOt, quoteResponse.q0, quoteResponse.q1, quoteResponse.q2 and 897 more. Check their names.';
    const plain = (await call('buildProBuy', { ...input, quoteResponse })) as Noted & { readonly tx: string };
    expect(await call('buildProBuy', noted)).toMatchObject({
      tx: plain.tx,
      warnings: [...warningsOf(plain), { code: 'ignored-fields', message }],
    });
    const { colour: _, ...sendable } = noted;
    const answered = (await remote('buildProBuy', sendable)) as Noted & { readonly tx: string };
    expect(answered.tx).toBe(plain.tx);
    const last = warningsOf(answered).at(-1);
    expect(last).toMatchObject({ code: 'ignored-fields', message: expect.stringContaining('minimumOt') });
    expect(last).not.toHaveProperty('source');
    const { minimumOut: __, ...missing } = quoteResponse;
    const attempt = call('buildProBuy', { ...input, quoteResponse: { ...missing, minimumOt: 5n } });
    await expectRefusal(attempt, 'invalid-amount', { field: 'quoteResponse.minimumOut' });
  });
});

test.each([
  ['/tx/claim-creator-trading-fees', 'version', 'config_version', 2],
  ['/quote/buy', 'config_version', 'version', 2],
  ['/data/lp-balance', 'pool', 'pool_address', OTHER_PROGRAM_ADDRESS],
] as const)('%s without %s says that it is not %s', async (path, field, given, value) => {
  const { [field]: _, ...others } = required(path);
  const { text: answer } = await post(
    handler,
    path,
    objectText({ ...others, [given]: JSON.stringify(value) }),
  );
  expect(answer).toContain(`has no field ${given}; did you mean ${field}?`);
});

test('a misspelt field is named once, in place of the missing one and beside it', async () => {
  const { slippage_bps, ...others } = required('/quote/buy');
  for (const fields of [others, required('/quote/buy')]) {
    const request = objectText({ ...fields, slipage_bps: slippage_bps! });
    expect(errorOf(await post(handler, '/quote/buy', request)).details).toEqual({
      fields: [{ field: 'body', message: 'has no field slipage_bps; did you mean slippage_bps?' }],
    });
  }
});

test('an error repeats a number as a number, and a text as a text', async () => {
  for (const [given, shown] of [
    ['1.0000000001', '1.0000000001'],
    ['"1.0000000001"', '\\"1.0000000001\\"'],
  ]) {
    const request = objectText({ ...required('/quote/buy'), max_sol_spend: given! });
    const { text: answer } = await post(handler, '/quote/buy', request);
    expect(answer).toContain(`max_sol_spend is ${shown}, but can have at most 9 decimals.`);
  }
  const tiny = objectText({ ...required('/quote/sell'), amount_in_ui: '1e-9' });
  const { text: answer } = await post(handler, '/quote/sell', tiny);
  expect(answer).toContain('This sell (amount_in_ui 0.000000001) is too small: nothing would come out.');
});
