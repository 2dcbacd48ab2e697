import { isAddress } from '@solana/kit';
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { expect, inject, test } from 'vitest';

import type { BuiltTransaction } from '../../src/index.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import { STRANGER } from '../support/addresses.js';
import { bodyWith, createEngines, fieldsOf, inputOf, OPERATIONS, WRONG } from './engines.js';
import {
  assertForCallers,
  errorOf,
  fieldsOf as fieldsNamed,
  objectText,
  ok,
  post,
  readJson,
  textsIn,
} from './support.js';
import { type Fields, PAYER, variantsOf } from './working-requests.js';

// Each operation as a function, over HTTP and by the remote client: the same answers. Mistakes are in tests/golden and tests/input/fields.test.ts.

const { local, remote, handler, working, ledger } = await createEngines();

/** The worker finds the mints of launches itself, so its launches differ. */
const isCompared = (name: OperationName) =>
  name !== 'buildCreateStandardLiquidityPool' || inject('engine') !== 'workerd';
const COMPARED = OPERATIONS.filter(([name]) => isCompared(name));

type Result = Readonly<Record<string, unknown>>;

test('each operation has a working request with each of its fields', () => {
  expect(Object.keys(working).sort()).toEqual(Object.values(paths).sort());
  for (const [name, path] of OPERATIONS) {
    const { required, optional, alternative } = working[path]!;
    const top = fieldsOf(name).filter((field) => field.path.length === 1);
    const names = top.map((field) => field.path[0]);
    const given = Object.keys({ ...required, ...optional, ...alternative });
    expect(given.sort(), `the requests of ${path} in tests/golden/sample.json`).toEqual(names.sort());
  }
});

// ---------------------------------------------------------------- answers

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A result as JSON has it: names in snake_case, each number as text, nothing that is undefined. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (isLosslessNumber(value)) return String(Number(value.toString()) === 0 ? 0 : value.toString());
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(fields.map(([name, item]) => [snake(name), shown(item)]));
}

/** The fields of a result that the interface documents. */
function documentedOf(name: OperationName, { details: _, ...result }: Result): Result {
  const { tx, mint, pool } = result;
  if (name === 'buildCreateStandardLiquidityPool') return { tx, mint };
  if (name === 'buildProCreate') return { tx, pool };
  return name.startsWith('build') ? { tx } : result;
}

/** What the service adds to the documented fields; of a transaction's words only the number. */
function detailsOf(name: OperationName, result: Result): Result | undefined {
  if (name.startsWith('build')) {
    const { warnings, size, requiredSigners, lifetime } = result as Result & {
      readonly warnings: readonly { readonly code: string }[];
      readonly lifetime: { readonly lastValidBlockHeight: bigint };
    };
    const { lastValidBlockHeight } = lifetime;
    return { warnings: warnings.map(({ code }) => code), size, requiredSigners, lastValidBlockHeight };
  }
  const details = result.details as Result | undefined;
  const large = ['maxLamportSpend', 'amountIn', 'minimumOut'].filter((field) => {
    const amount = result[field];
    return typeof amount === 'bigint' && amount >= 2n ** 53n;
  });
  if (large.length === 0) return details;
  return { ...details, exact: Object.fromEntries(large.map((field) => [field, result[field]])) };
}

function answeredDetails(name: OperationName, details: unknown): unknown {
  if (!name.startsWith('build')) return details;
  const { warnings, instructions, ...others } = details as {
    readonly warnings: readonly { readonly code: string }[];
    readonly instructions: readonly string[];
  };
  expect(instructions.some((line) => line.startsWith('Exchange: '))).toBe(true);
  return { ...others, warnings: warnings.map(({ code }) => code) };
}

/** What the remote client passes on besides the documented fields. Warnings are marked as the service's. */
function passedOn(name: OperationName, { warnings, details, lifetime, ...result }: Result): Result {
  const marked = (all: unknown) => (all as readonly object[]).map((one) => ({ ...one, source: 'service' }));
  if (name.startsWith('build')) {
    const { size, requiredSigners } = result;
    const { lastValidBlockHeight } = lifetime as { readonly lastValidBlockHeight: bigint };
    return { warnings: marked(warnings), details: { size, requiredSigners, lastValidBlockHeight } };
  }
  if (!name.startsWith('quote')) return {};
  const own = details as Result;
  return { details: { ...own, warnings: marked(own.warnings) } };
}

const U64 = '18446744073709551615';
/** The ends of what fields may be, where a working request has none of them. */
const BOUNDARIES: Readonly<Record<string, readonly Fields[]>> = {
  '/quote/buy': [
    { max_sol_spend: '0.000000001', slippage_bps: '0' },
    { max_sol_spend: '999999999.999999999', slippage_bps: '9999' },
  ],
  '/quote/sell': [{ amount_in_ui: '1', slippage_bps: '9999' }],
  '/quote/pro/sell': [{ slippage_bps: '9999' }],
  '/quote/initial-buy': [
    { initial_purchase_percent: '0' },
    { initial_purchase_percent: '99.9999', slippage_bps: '10000' },
  ],
  '/data/lp-balance': [{ user: JSON.stringify(PAYER) }],
  '/tx/buy': [
    { compute_unit_limit: '0', compute_unit_price: '0' },
    { compute_unit_limit: '4294967295', compute_unit_price: U64 },
  ],
  '/tx/create-standard-liquidity-pool': [
    { initial_purchase_amount: '0' },
    { initial_purchase_amount: '1', max_sol_spend: '1000000000' },
  ],
  '/tx/pro/add-liquidity': [{ max_token_a: '1', max_token_b: U64, min_lp_tokens: '0' }],
  '/tx/pro/remove-liquidity': [{ lp_tokens_to_burn: '1', min_token_a: '0', min_token_b: U64 }],
  '/tx/pro/claim-creator-fees': [{ amount: '0' }],
  '/tx/pro/toggle-swap': [{ enabled: 'true' }],
};

const answered = COMPARED.flatMap(([name, path]) => {
  const { required, optional } = working[path]!;
  const boundaries = (BOUNDARIES[path] ?? []).map(
    (change) => [objectText(change), { ...required, ...optional, ...change }] as const,
  );
  return [...variantsOf(working[path]!), ...boundaries].map(
    ([what, fields]) => [name, what, path, fields] as const,
  );
});

test.each(answered)('%s with %s: the same in all three ways', async (name, _, path, fields) => {
  const input = inputOf(name, fields);
  if ('quoteResponse' in input) Object.freeze(input.quoteResponse);
  const result = (await local(name, Object.freeze(input))) as Result;

  const documented = documentedOf(name, result);
  const answer = readJson(await ok(handler, path, objectText(fields)));
  const { details, ...others } = answer;
  expect(shown(others)).toEqual(shown(name === 'getPoolInfo' ? { data: documented } : documented));
  expect(shown(answeredDetails(name, details))).toEqual(shown(detailsOf(name, result)));

  // The remote client has read an account, and doesn't pass on its bytes.
  const { data: _data, ...read } = documented;
  expect(await remote(name, input)).toStrictEqual({ ...read, ...passedOn(name, result) });
});

/** A request whose numbers are written in another way. */
function rewritten(value: unknown, write: (digits: string) => string): string {
  if (isLosslessNumber(value)) return write(value.toString());
  if (Array.isArray(value)) return `[${value.map((item) => rewritten(item, write))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, item]) => [
    name,
    // What a quote shows for display stays a number.
    name === 'quote_response' ? stringify(item)! : rewritten(item, write),
  ]);
  return objectText(Object.fromEntries(fields));
}

test.each(COMPARED)('%s: a number may be text, or have an exponent', async (_, path) => {
  const { required, optional } = working[path]!;
  const body = objectText({ ...required, ...optional });
  const plain = await ok(handler, path, body);
  for (const write of [(digits: string) => `"${digits}"`, (digits: string) => `${digits}e0`])
    expect(await ok(handler, path, rewritten(readJson(body), write))).toBe(plain);
});

/** An object with an address the first time that it is read, and another one later. */
function changing(address: unknown) {
  const object = {
    reads: 0,
    get address() {
      object.reads += 1;
      return object.reads === 1 ? address : STRANGER;
    },
  };
  return object;
}

test.each(COMPARED)('%s takes an object wherever an address goes, and reads it once', async (name, path) => {
  const plain = inputOf(name, { ...working[path]!.required, ...working[path]!.optional });
  const fields = Object.keys(plain).filter((field) => isAddress(String(plain[field])));
  for (const call of [local, remote]) {
    const objects = fields.map((field) => [field, changing(plain[field])] as const);
    const found = await call(name, { ...plain, ...Object.fromEntries(objects) });
    expect(shown(found)).toEqual(shown(await call(name, plain)));
    expect(objects.map(([field, { reads }]) => [field, reads])).toEqual(fields.map((field) => [field, 1]));
  }
});

test.each(COMPARED.filter(([name]) => name.startsWith('build')))(
  "%s reads a signer's address once, and attaches the signer itself",
  async (name, path) => {
    const plain = inputOf(name, working[path]!.required);
    const payer = Object.assign(changing(plain.payer), { signTransactions: async () => [] });
    const built = (await local(name, { ...plain, payer })) as BuiltTransaction;
    expect(payer.reads).toBe(1);
    expect(built).toMatchObject({ tx: ((await local(name, plain)) as BuiltTransaction).tx });
    const signers = built.instructions.flatMap(({ accounts = [] }) =>
      accounts.flatMap((meta) => ('signer' in meta && meta.address === plain.payer ? [meta.signer] : [])),
    );
    expect(signers.length).toBeGreaterThan(0);
    for (const signer of signers) expect(signer).toBe(payer);
  },
);

// ---------------------------------------------------------------- mistakes

/** What a request is rejected with, before anything is read for it. */
async function rejection(path: string, body: string) {
  const answer = await post(handler, path, body);
  const error = errorOf(answer);
  assertForCallers(textsIn(answer.text));
  return { status: answer.status, code: error.code, fields: fieldsNamed(error) };
}

test.each(OPERATIONS)('%s rejects each field of another type, or null', async (name, path) => {
  const request = working[path]!;
  const before = ledger.requests.length;
  for (const field of fieldsOf(name)) {
    const where = field.path.join('.');
    const nothing = field.isRequired ? ['null'] : [];
    for (const text of [...WRONG[field.form.kind], ...nothing])
      expect(await rejection(path, bodyWith(request, field, parse(text))), `${where}: ${text}`).toEqual({
        status: 400,
        code: 'invalid-request',
        fields: [where],
      });
  }
  if (!path.startsWith('/tx/')) expect(ledger.requests).toHaveLength(before);
});
