import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { describe, expect, test } from 'vitest';

import { createHandler, type HandlerConfig } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import { WALLET } from '../golden/scene.js';
import { U64_MAX } from '../support/amounts.js';
import { createEngines, fieldsOf, OPERATIONS, setIn } from './engines.js';
import {
  clientOver,
  errorOf,
  fieldsOf as fieldsNamed,
  jsonText,
  objectText,
  ok,
  post,
  readJson,
  send,
} from './support.js';
import { variantsOf } from './working-requests.js';

// The document against what the service does: requests, answers and errors are as it says, and so are limits and defaults.

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly maxItems?: unknown;
  readonly enum?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly 'x-addition'?: true;
  readonly 'x-default'?: unknown;
}
type Content = Readonly<
  Record<'application/json', { readonly schema: JsonSchema; readonly example: unknown }>
>;
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content: Content }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

const { handler, working, ledger } = await createEngines();
/** The document's text, as it is parsed by most, and with every number as its text. */
const { text, headers } = await send(handler, '/openapi.json?x=1', { method: 'GET' });
const document = JSON.parse(text) as Document;
const lossless = readJson(text) as unknown as Document;
const PATHS = OPERATIONS.map(([, path]) => path);

const requestSchema = (path: string, from = document) =>
  resolved(from.paths[path]!.post!.requestBody.content['application/json'].schema, from);
const answerSchema = (path: string, from = document) =>
  resolved(from.paths[path]!.post!.responses[200]!.content['application/json'].schema, from);

/** A schema without its reference, and without its alternative of `null`. */
function resolved(schema: JsonSchema, from = document): JsonSchema {
  const { $ref, anyOf, ...own } = schema;
  if ($ref !== undefined)
    return { ...resolved(from.components.schemas[$ref.split('/').at(-1)!]!, from), ...own };
  if (anyOf === undefined) return schema;
  const others = anyOf.filter(({ type }) => type !== 'null');
  expect(others).toHaveLength(1);
  return { ...resolved(others[0]!, from), ...own };
}

/** A field of a request's schema, where a list's first item counts as `0`. */
const schemaAt = (path: string, field: readonly string[], from = document) =>
  field.reduce(
    (schema, name) => {
      const { items, properties } = resolved(schema, from);
      return (
        (name === '0' ? items : properties?.[name]) ??
        expect.fail(`${path} has no ${field.join('.')}: run npm run openapi`)
      );
    },
    requestSchema(path, from),
  );

describe('the document', () => {
  test('is served as JSON', () => {
    expect(headers.get('content-type')).toBe('application/json');
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '0.1.14']);
  });

  test('describes each path, and what can go wrong', () => {
    expect(Object.keys(document.paths).sort()).toEqual([...PATHS].sort());
    const tags = document.tags.map(({ name }) => name);
    const errors = Object.keys(document.components.responses);
    for (const [name, path] of OPERATIONS) {
      const { operationId, tags: own, requestBody, responses } = document.paths[path]!.post!;
      expect(operationId).toBe(name);
      expect(tags).toContain(own[0]);
      expect(requestBody.required).toBe(true);
      const request = requestBody.content['application/json'].schema.$ref;
      expect(request?.split('/').at(-1)?.toLowerCase()).toBe(`${operationId}request`.toLowerCase());
      for (const status of [200, 400, 404, 405, 413, 415, 422, 429, 500, 502, 503, 504])
        expect(Object.keys(responses)).toContain(String(status));
      for (const { $ref } of Object.values(responses))
        if ($ref !== undefined) expect(errors).toContain($ref.split('/').at(-1));
    }
  });

  test('has no default, which makes openapi-typescript require the field', () =>
    expect(text).not.toContain('"default":'));

  test('states a default only of a field that may be left out', () => {
    for (const path of PATHS) {
      const { required = [], properties = {} } = requestSchema(path);
      for (const field of required)
        expect(properties[field]?.description, `${path} ${field}`).not.toMatch(/Default/);
    }
  });

  test('has exact integers', () => {
    // An address or a transaction of an example may look like a number with an exponent.
    const schemas = stringify(lossless, (name, value) => (name === 'example' ? undefined : value));
    expect(schemas).not.toMatch(/18446744073709552000|9223372036854776000|\d[eE][+-]?\d/);
  });

  test.each(OPERATIONS)('%s: the fields of a request are the operation’s', (name, path) => {
    for (const { path: field, form } of fieldsOf(name)) {
      const where = `${path} ${field.join('.')}`;
      const schema = resolved(schemaAt(path, field, lossless), lossless);
      if (field.at(-1) !== '0') expect(schema.description, where).toMatch(/^\S.*\S[.]$/);
      if (form.kind === 'list') expect(Number(schema.maxItems), where).toBe(form.maxItems);
      const most = form.kind === 'integer' && form.format === 'int64' ? 2n ** 63n - 1n : U64_MAX;
      if (form.kind === 'integer') expect(String(schema.maximum), where).toBe(String(most));
      if (form.kind === 'small') expect(Number(schema.maximum), where).toBe(form.maximum);
      if (form.kind !== 'object') continue;
      expect(schema.additionalProperties, where).toBe(form.isStrict ? false : undefined);
      expect(Object.keys(schema.properties ?? {})).toHaveLength(Object.keys(form.shape).length);
    }
    const top = fieldsOf(name).filter(({ path: field }) => field.length === 1);
    const { properties = {}, required = [] } = requestSchema(path);
    expect(Object.keys(properties).sort()).toEqual(top.map(({ path: [field] }) => field).sort());
    const needed = top.filter(({ isRequired }) => isRequired).map(({ path: [field] }) => field!);
    // A launch of version 1 needs no lookup table.
    expect([...required].sort()).toEqual(needed.sort());
  });

  test('marks what the documented interface lacks, which is optional in requests', () => {
    const marked = ({ properties = {} }: JsonSchema) =>
      Object.keys(properties).filter((name) => properties[name]!['x-addition']);
    const common = ['loaded_accounts_data_size_limit', 'transaction_version', 'fee_payer'];
    for (const path of PATHS) {
      const request = requestSchema(path);
      const additions = marked(request);
      for (const name of additions) expect(request.required ?? []).not.toContain(name);
      if (path.startsWith('/tx/')) expect(additions, path).toEqual(expect.arrayContaining(common));
      expect(marked(answerSchema(path))).toEqual([
        ...(path === paths.getPoolState ? ['data'] : []),
        'details',
      ]);
    }
    const wrapping = ['wrap_sol', 'rent_payer'];
    for (const path of [paths.buildSell, paths.buildProSell])
      expect(marked(requestSchema(path))).toEqual(
        expect.arrayContaining([...wrapping, 'close_token_account']),
      );
    for (const path of [paths.buildClaimCreatorTradingFees, paths.buildProClaimLpFees])
      expect(marked(requestSchema(path))).toEqual(expect.arrayContaining([...wrapping, 'allow_empty']));
    expect(schemaAt(paths.buildBuy, ['rent_payer'])).toMatchObject({ 'x-default': 'payer' });
    expect(resolved(schemaAt(paths.buildBuy, ['rent_payer'])).enum).toEqual(['payer', 'fee_payer']);
  });

  /** Every field of an object, and of those in it, is required. */
  const assertAllRequired = (given: JsonSchema): void => {
    const { properties, items, required = [] } = resolved(given);
    if (items !== undefined) assertAllRequired(items);
    if (properties === undefined) return;
    expect([...required].sort()).toEqual(Object.keys(properties).sort());
    for (const property of Object.values(properties)) assertAllRequired(property);
  };

  test.each(PATHS)('%s: the documented fields of an answer are always there', (path) => {
    const { properties = {}, required = [] } = answerSchema(path);
    const { details, ...documented } = properties;
    expect(details).toBeDefined();
    assertAllRequired({ properties: documented, required });
  });
});

// ---------------------------------------------------------------- values against schemas

/** A schema that takes no field but those it names, however deep; but for what stands behind a quote that comes back. */
function closed(value: unknown, isReturned = false): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item, isReturned));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isReturned && name === 'details' ? item : closed(item, isReturned || name.startsWith('Returned')),
    ]),
  );
  return 'properties' in inner && 'type' in inner ? { ...inner, additionalProperties: false } : inner;
}

// A limit may stand beside the alternative of null.
const formats = { uint64: true, int64: true } as const;
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, formats });
ajv.addKeyword('x-addition');
ajv.addKeyword('x-default');
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value, by a schema of the document. */
function problemsOf(key: string, schema: JsonSchema, value: unknown) {
  let isValid = validators.get(key);
  if (isValid === undefined) {
    const whole = JSON.stringify({ ...schema, $defs: document.components.schemas });
    const local = JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as unknown;
    isValid = ajv.compile(closed(local) as object);
    validators.set(key, isValid);
  }
  isValid(value);
  return isValid.errors ?? [];
}
const problemsOfRequest = (path: string, body: string) =>
  problemsOf(`request ${path}`, requestSchema(path), JSON.parse(body));

/** Integers are written as such: `JSON.parse` keeps no trace of that. */
function assertExact(value: unknown, given: JsonSchema): void {
  const schema = resolved(given, lossless);
  if (isLosslessNumber(value)) {
    if ([schema.type].flat().includes('integer')) expect(value.toString()).toMatch(/^(0|[1-9]\d*)$/);
  } else if (Array.isArray(value)) {
    for (const item of value) assertExact(item, schema.items!);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) assertExact(item, schema.properties![name]!);
  }
}

function assertAnswer(path: string, answer: string): void {
  expect(problemsOf(`answer ${path}`, answerSchema(path), JSON.parse(answer))).toEqual([]);
  assertExact(readJson(answer), answerSchema(path, lossless));
}

describe('the contract', () => {
  test.each(PATHS)('%s: requests, answers and examples are as documented', async (path) => {
    for (const [what, fields] of variantsOf(working[path]!)) {
      const body = objectText(fields);
      expect(problemsOfRequest(path, body), what).toEqual([]);
      assertAnswer(path, await ok(handler, path, body));
    }
    const { requestBody, responses } = document.paths[path]!.post!;
    const { example } = responses[200]!.content['application/json'];
    expect(problemsOfRequest(path, JSON.stringify(requestBody.content['application/json'].example))).toEqual(
      [],
    );
    expect(problemsOf(`answer ${path}`, answerSchema(path), example)).toEqual([]);
  });

  test('of other pools, configs and users, too', async () => {
    const { pro, launching, community } = ledger.pools;
    const program_id = JSON.parse(working['/data/pool-info']!.required.program_id!) as string;
    for (const [path, fields] of [
      ['/data/pool-info', { mint: pro.mint, pool: pro.pool }],
      ['/data/pool-info', { mint: launching.mint }],
      ['/data/pool-state', { pool: pro.pool }],
      ['/data/pool-state', { mint: community.mint }],
      ['/data/lp-balance', { pool: pro.pool, user: WALLET }],
      ['/data/protocol-config-state', { config_version: 3 }],
    ] as const)
      assertAnswer(path, await ok(handler, path, { program_id, ...fields }));
  });

  test.each(OPERATIONS)('%s: what the document rejects is rejected', async (name, path) => {
    const { required, optional } = working[path]!;
    const body = readJson(objectText({ ...required, ...optional }));
    for (const { path: field, form, isRequired } of fieldsOf(name)) {
      if (field.includes('exact')) continue;
      const wrong = form.kind === 'flag' ? '1' : 'true';
      for (const value of isRequired ? [parse(wrong), null] : [parse(wrong)]) {
        const text = jsonText(setIn(body, field, value));
        expect(problemsOfRequest(path, text), field.join('.')).not.toEqual([]);
        expect((await post(handler, path, text)).status).toBe(400);
      }
    }
  });

  test.each(['/tx/create-standard-liquidity-pool', '/tx/pro/create'])(
    '%s needs a table in version 0',
    (path) => {
      const { lut_address, ...fields } = working[path]!.required;
      for (const transaction_version of ['0', 'null', '1', '"1"']) {
        const problemsWith = (table: string) =>
          problemsOfRequest(path, objectText({ ...fields, lut_address: table, transaction_version }));
        expect(problemsWith(lut_address!)).toEqual([]);
        expect(problemsWith('null').length > 0, transaction_version).toBe(!transaction_version.includes('1'));
      }
    },
  );

  test('errors are as documented', async () => {
    const { schema } = document.components.responses.Error400!.content['application/json'];
    const failing = () => Promise.reject(new Error('down'));
    const over = (config: Partial<HandlerConfig>) =>
      createHandler({ client: createHeavenClient({ rpc: ledger.rpc }), observe: () => {}, ...config });
    const path = '/data/pool-state';
    const body = objectText(working[path]!.required);
    const headers = { 'content-type': 'application/json' };
    const posted = { method: 'POST', headers, body };
    for (const [status, given, at, init] of [
      [400, handler, path, { ...posted, body: '{' }],
      [400, handler, path, { ...posted, body: '{}' }],
      [404, handler, path, { ...posted, body: body.replace(/"mint":"[^"]+"/, `"mint":"${WALLET}"`) }],
      [404, handler, '/nowhere', posted],
      [405, handler, path, { method: 'GET' }],
      [413, handler, path, { ...posted, body: ' '.repeat(70_000) }],
      [415, handler, path, { ...posted, headers: { 'content-type': 'text/plain' } }],
      [429, over({ rateLimiter: () => ({ retryAfterSeconds: 1 }) }), path, posted],
      [503, over({ rateLimiter: () => ({ retryAfterSeconds: 1, isOverload: true }) }), path, posted],
      [500, over({ rateLimiter: failing }), path, posted],
      [502, over({ client: clientOver(failing) }), path, posted],
      [504, over({ client: clientOver(() => new Promise(() => {}), 20) }), path, posted],
    ] as const) {
      const answer = await send(given, at, init);
      expect([answer.status, at]).toEqual([status, at]);
      expect(Object.keys(document.components.responses)).toContain(`Error${status}`);
      // What the particulars hold is not documented: only that they are an object.
      const { code, message, details = {} } = errorOf(answer);
      expect(details).toBeTypeOf('object');
      expect(problemsOf('error', schema, { error: { code, message } }), answer.text).toEqual([]);
    }
  });
});

// ---------------------------------------------------------------- defaults and limits

/** The defaults of a request's fields, by path. */
const defaultsOf = (name: OperationName) =>
  fieldsOf(name).flatMap(({ path: field }) => {
    const { 'x-default': byDefault } = resolved(schemaAt(paths[name], field));
    return byDefault === undefined ? [] : [[field, byDefault] as const];
  });

test.each(OPERATIONS)('%s: a field that is left out has its documented default', async (name, path) => {
  const plain = working[path]!.required;
  const answer = await ok(handler, path, objectText(plain));
  for (const [field, byDefault] of defaultsOf(name)) {
    const [first = '', ...rest] = field;
    const given = { ...plain, [first]: JSON.stringify(setIn(undefined, rest, byDefault)) };
    expect(await ok(handler, path, objectText(given)), field.join('.')).toBe(answer);
    // The last only matters if there is nothing.
    if (typeof byDefault !== 'boolean' || first === 'allow_empty') continue;
    const other = { ...plain, [first]: JSON.stringify(setIn(undefined, rest, !byDefault)) };
    expect(await ok(handler, path, objectText(other)), field.join('.')).not.toBe(answer);
  }
  const budget = ['compute_unit_limit', 'compute_unit_price', 'transaction_version'];
  if (path.startsWith('/tx/'))
    expect(defaultsOf(name).map(([field]) => field.join('.'))).toEqual(expect.arrayContaining(budget));
});

test('the docstrings of the builders name their compute budgets', () => {
  const source = new URL('../../src/operations/', import.meta.url);
  const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(new URL(path, source), 'utf8'));
  const named =
    /`computeUnitLimit` defaults to (\d+), `computeUnitPrice` to (\d+)[\s\S]*?export (?:async function|const) (\w+)/g;
  const budgets = [...text.join('').matchAll(named)];
  expect(budgets.length).toBeGreaterThan(10);
  for (const [, limit, price, name] of budgets) {
    const { compute_unit_limit, compute_unit_price } = requestSchema(paths[name as OperationName])
      .properties!;
    expect([name, compute_unit_limit?.['x-default'], compute_unit_price?.['x-default']]).toEqual([
      name,
      +limit!,
      +price!,
    ]);
  }
});

describe('limits', () => {
  test.each([
    ['name', 32],
    ['symbol', 10],
    ['uri', 200],
  ])('%s has at most %i bytes', async (name, most) => {
    const path = '/tx/create-standard-liquidity-pool';
    expect(requestSchema(path).properties![name]!.description).toContain(`at most ${most} bytes`);
    const ask = (bytes: number) => {
      const fields = { ...working[path]!.required, [name]: JSON.stringify('é'.repeat(bytes / 2)) };
      return post(handler, path, objectText(fields));
    };
    expect((await ask(most)).status).toBe(200);
    const over = await ask(most + 2);
    expect([over.status, fieldsNamed(errorOf(over))]).toEqual([400, [name]]);
  });
});
