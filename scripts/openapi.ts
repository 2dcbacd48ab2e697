import { parseJson, stringifyJson } from '../src/base/json.js';
import type { ErrorAnswer } from '../src/http/errors.js';
import { contractOf } from '../src/http/schemas/index.js';
import { requestShape } from '../src/http/schemas/requests.js';
import { inInterfaceNames } from '../src/http/texts.js';
import type { Shape } from '../src/input/field.js';
import { object, optional } from '../src/input/fields.js';
import { type OperationName, type OperationPath, paths } from '../src/operations/index.js';
import { costOf } from '../src/solana/compute-budget.js';
import { readWireTransaction } from '../src/solana/message.js';
import { detailsOf, unreadBy } from './answer-details.js';
import { createDescriptions, type Texts } from './descriptions.js';
import { createExamples, type Example } from './examples.js';
import { jsonSchemaOf, type Remarks } from './json-schema.js';
import { nameOfObject } from './type-names.js';

type Json = { readonly [name: string]: unknown };

/** The version of Heaven's documented HTTP interface. The package has its own version. */
const INTERFACE_VERSION = '0.1.14';

/** The errors of every path, by status. Nobody receives 499. */
const ERRORS = {
  400: 'Malformed JSON, or a field that is missing or wrong: `details` names it by its JSON path.',
  404: 'There is no such pool or account.',
  405: 'Not `POST`.',
  408: 'The request did not arrive in time.',
  413: 'The body is too large.',
  415: 'Not `content-type: application/json`.',
  422: "The chain's state does not allow it.",
  429: 'Too many requests. Retry after the number of seconds in the `retry-after` header.',
  500: 'A bug in the service.',
  502: 'The RPC node behind the service failed; with `retry-after` when it limits requests.',
  503: 'The service is too busy. Retry after the number of seconds in the `retry-after` header.',
  504: 'There was no answer in time.',
} as const satisfies Readonly<Record<Exclude<ErrorAnswer['status'], 499>, string>>;

/** The lines of the HTTP interface's OpenAPI 3.1 document: one for each path, schema and error. */
export function createOpenApiLines(): readonly string[] {
  const { paths: operations, components, ...head } = createOpenApi();
  const text = `{${membersOf(head)},
"paths":{
${membersOf(operations)}},
"components":{"schemas":{
${membersOf(components.schemas)}},
"responses":{
${membersOf(components.responses)}}}}`;
  // The maxima that a `number` can't hold.
  return text.replace(/"maximum":"(\d+)"/g, '"maximum":$1').split('\n');
}

/** The members of an object as JSON, each on a line of its own. */
const membersOf = (object: Json): string =>
  Object.entries(object)
    .map(([name, value]) => `${stringifyJson(name)}:${stringifyJson(value)}`)
    .join(',\n');

function createOpenApi() {
  const texts = createDescriptions();
  const examples = createExamples();
  const components: Record<string, unknown> = { Error: errorSchema };
  const operations = Object.keys(paths) as readonly OperationName[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heaven pools',
      version: INTERFACE_VERSION,
      description: `Pool data, quotes and unsigned transactions for the Heaven exchange on Solana. Integers are exact at any size. With ?integers=string those over 2^53 arrive as strings of digits; any integer may be sent as one. The service never signs for a wallet and never submits. It implements version ${INTERFACE_VERSION} of Heaven's documented HTTP interface; the heaven-pools package has its own version number. What that interface doesn't have is optional and marked x-addition: other services may ignore it.`,
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Data' }, { name: 'Standard pools' }, { name: 'Pro pools' }],
    paths: Object.fromEntries(
      operations.map((name) => {
        const describe = describerOf(texts[name], texts.shared);
        return [paths[name], { post: operation(name, describe, examples[paths[name]], components) }] as const;
      }),
    ),
    components: {
      schemas: components,
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `Error${status}`,
          {
            description,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
            ...(['429', '502', '503'].includes(status) ? { headers: retryAfter } : {}),
          },
        ]),
      ),
    },
  };
}

const wrongField = {
  type: 'object',
  properties: { field: { type: 'string' }, message: { type: 'string' } },
  required: ['field', 'message'],
  additionalProperties: false,
} as const;

const errorSchema = {
  type: 'object',
  description: 'What is wrong and what to do.',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'A stable word.', pattern: '^[a-z]+(-[a-z]+)*$' },
        message: { type: 'string', description: 'What happened, for people.' },
        details: {
          type: 'object',
          description: 'The particulars, by code. Fields are named by their JSON path.',
          properties: {
            fields: { type: 'array', description: 'Of `invalid-request`.', items: wrongField },
          },
          additionalProperties: true,
        },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
} as const;

const integers = {
  name: 'integers',
  in: 'query',
  description:
    '`string`: integers over 2^53 arrive as strings of digits. `exact`: the integers of the request are as they were, not rounded.',
  schema: { type: 'string', enum: ['string', 'exact'] },
  'x-addition': true,
} as const;

const retryAfter = {
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } },
} as const;

const EXACT = 'The integers over 2^53 as text, for callers whose JSON rounds them.';

const EXACT_AMOUNT = 'All of its digits.';

/** The descriptions of objects, and of fields that only the interface has. */
const OWN: Readonly<Record<string, string>> = {
  ReturnedBuyQuote: 'The quote, as it was returned.',
  ReturnedSellQuote: 'The quote, as it was returned.',
  FeeBracketInput: 'Fees up to a market cap.',
  SlotFeeBracketInput: 'Fees up to a slot after the launch.',
  'input.programId': 'The exchange program.',
  'input.configVersion': 'The protocol config version: 1 community, 2 creator, 3 pro.',
  'input.maxLamportSpend': 'Lamports to spend, fees included. Pass this or max_sol_spend.',
  'input.quoteResponse.details.exact': EXACT,
  'result.data': 'The record of the pool. Amounts are UI amounts.',
  'result.details': 'Our additions.',
  'result.details.exact': EXACT,
  'result.details.lastValidBlockHeight': 'The last block height at which the transaction can land.',
  'result.details.rounded': 'Amounts of the quote that arrived rounded.',
  'result.details.ignoredFields': 'Unknown fields of the request, which were ignored.',
};

/** The descriptions of fields of which the docstrings say what is true in a call, and not over HTTP. */
const INSTEAD: Readonly<Record<string, string>> = {
  'input.amountIn': 'Token units to sell. Pass this or amount_in_ui.',
  'input.encodedUserDefinedEventData':
    'Your text, which the program emits as an event, for attribution. May be empty.',
  'input.quoteResponse.details': 'Pass them on with the quote: they name the pool, and the exact amounts.',
  'result.details.instructions':
    'What each instruction does, in words and in order, those of the compute budget included.',
};

/** The descriptions of an operation's fields, in the interface's names. */
const describerOf =
  (own: Texts = {}, shared: Texts = {}): Remarks['describe'] =>
  (path) => {
    const text =
      INSTEAD[path] ??
      own[path] ??
      shared[path] ??
      OWN[path] ??
      (path.includes('.exact.') ? EXACT_AMOUNT : undefined);
    return text === undefined ? undefined : inInterfaceNames(text);
  };

/** What the documented interface doesn't have: another service may ignore it, or leave it out. */
const ADDITIONS = new Set([
  ...[
    'transactionVersion',
    'loadedAccountsDataSizeLimit',
    'feePayer',
    'rentPayer',
    'wrapSol',
    'allowEmpty',
    'closeTokenAccount',
    'amountIn',
    'maxLamportSpend',
  ].map((field) => `input.${field}`),
  'input.quoteResponse.details',
  'result.details',
]);

const isAdditionOf = (name: OperationName) => (path: string) =>
  ADDITIONS.has(path) || (name === 'getPoolState' && ['input.pool', 'result.data'].includes(path));

/** What an optional field can't say: a creation of version 0 needs its lookup table. */
const TABLE_IN_VERSION_0 = {
  if: { required: ['transaction_version'], properties: { transaction_version: { enum: [1, '1'] } } },
  else: { required: ['lut_address'], properties: { lut_address: { not: { type: 'null' } } } },
} as const;

/** A quote is of one amount, in either unit. */
function eitherAmount(shape: Shape): Json {
  const [ui, native] =
    'maxLamportSpend' in shape
      ? ['max_sol_spend', 'max_lamport_spend']
      : 'amountIn' in shape
        ? ['amount_in_ui', 'amount_in']
        : [];
  if (ui === undefined || native === undefined) return {};
  const given = (field: string) => ({
    required: [field],
    properties: { [field]: { not: { type: 'null' } } },
  });
  return { if: given(native), else: given(ui) };
}

/**
 * The default of a field that a request may leave out: what its docstring names, as in "Default 0". That of the compute budget is what the
 * builder put into the example.
 */
const defaultsOf =
  (describe: Remarks['describe'], [request, answer]: Example) =>
  (path: string): unknown => {
    if (!/^input\.computeUnit(Limit|Price)$/.test(path)) {
      const [, word] = describe(path)?.match(/\bDefault (\w+)/) ?? [];
      return word !== undefined && /^(\d+|true|false)$/.test(word) ? JSON.parse(word) : word;
    }
    if (request.includes('"compute_unit_')) throw new Error(`The example names a compute budget: ${request}`);
    const { tx } = JSON.parse(answer) as { readonly tx: string };
    const { unitLimit, unitPrice } = costOf(readWireTransaction(tx)).computeBudget;
    return path.endsWith('Limit') ? unitLimit : Number(unitPrice);
  };

function operation(
  name: OperationName,
  describe: Remarks['describe'],
  example: Example,
  components: Record<string, unknown>,
): Json {
  const [request, answer] = example;
  const content = (id: string, shape: Shape, path: string, remarks: Remarks): Json => {
    components[id] ??= {
      ...jsonSchemaOf(object(shape), path, remarks, components),
      ...('lutAddress' in shape ? TABLE_IN_VERSION_0 : {}),
      ...(path === 'input' ? eitherAmount(shape) : {}),
    };
    const example = parseJson(path === 'input' ? request : answer);
    return { 'application/json': { schema: { $ref: `#/components/schemas/${id}` }, example } };
  };
  const requestName = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Request`;
  const documented = contractOf(name).answer();
  const answerName = nameOfObject(documented);
  if (answerName === undefined) throw new Error(`The answer of ${name} has no name.`);
  const answered = { ...documented.shape, ...unreadBy(name), details: optional(detailsOf(name)) };
  const isAddition = isAdditionOf(name);
  return {
    operationId: name,
    summary: describe(''),
    tags: [tagOf(paths[name])],
    parameters: [integers],
    requestBody: {
      required: true,
      content: content(requestName, requestShape(name), 'input', {
        describe,
        isAddition,
        defaultOf: defaultsOf(describe, example),
      }),
    },
    responses: {
      200: {
        description: 'The documented fields, followed by `details`.',
        content: content(answerName, answered, 'result', {
          describe,
          isAddition,
          isClosed: true,
        }),
      },
      ...Object.fromEntries(
        Object.keys(ERRORS).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  };
}

function tagOf(path: OperationPath): string {
  if (path.includes('/pro/') || path === paths.getLpBalance) return 'Pro pools';
  return path.startsWith('/data/') ? 'Data' : 'Standard pools';
}
