import { readFileSync } from 'node:fs';

import { Validator } from '@seriousme/openapi-schema-validator';
import {
  type Address,
  generateKeyPairSigner,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit';
import {
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  findProtocolConfigAddress,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { clientOver, errorOf, fieldsOf, objectText, ok, post, readJson, send } from './support.js';
import { type Fields, type WorkingRequest, workingRequests } from './working-requests.js';

// The documented interface, version 0.1.14: what a request must have, what it may have, and what is answered.
// The last two are ours.
const BUDGET = [
  'compute_unit_limit',
  'compute_unit_price',
  'loaded_accounts_data_size_limit',
  'transaction_version',
];
const BUY_QUOTE = [
  'config_version',
  'max_lamport_spend',
  'max_sol_spend',
  'minimum_out',
  'minimum_out_ui',
  'mint',
  'program_id',
  'slippage_bps',
];
const SELL_QUOTE = [
  'amount_in',
  'amount_in_ui',
  'config_version',
  'minimum_out',
  'minimum_out_ui',
  'mint',
  'program_id',
  'slippage_bps',
];
const QUOTE_BUY = ['config_version', 'mint', 'program_id', 'max_sol_spend', 'slippage_bps'];
const QUOTE_SELL = ['config_version', 'mint', 'program_id', 'amount_in_ui', 'slippage_bps'];
const TRADE = ['payer', 'quote_response', 'encoded_user_defined_event_data'];
const OWN = ['pool', 'payer', 'program_id'];
const TX = ['tx'];

interface Golden {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Not given for whole accounts. `details` comes beside it. */
  readonly answer?: readonly string[];
}
/** What `details` of an answer has, always and sometimes: an addition of ours. */
interface Details {
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
}
const QUOTE_DETAILS: Details = {
  always: [
    'amount_in',
    'amount_out',
    'fees',
    'fee_rates',
    'total_fee',
    'transfer_fee',
    'price_before',
    'price_after',
    'price_impact_bps',
    'market_cap_usd',
    'sol_price_usd',
    'slot',
    'warnings',
  ],
  sometimes: ['pool', 'exact', 'ignored_fields'],
};
const TX_DETAILS: Details = {
  always: ['warnings', 'size', 'required_signers', 'last_valid_block_height', 'instructions'],
  sometimes: ['rounded', 'ignored_fields'],
};
const DATA_DETAILS: Details = { always: [], sometimes: ['warnings', 'ignored_fields'] };
const INITIAL_BUY_DETAILS: Details = {
  always: ['least_lamports', 'fees', 'total_fee', 'market_cap_usd', 'slot', 'warnings'],
  sometimes: ['ignored_fields'],
};
const DETAILS_OF = (path: string): Details => {
  if (path.startsWith('/tx/')) return TX_DETAILS;
  if (path === '/quote/initial-buy') return INITIAL_BUY_DETAILS;
  return path.startsWith('/quote/') ? QUOTE_DETAILS : DATA_DETAILS;
};
const GOLDEN: Readonly<Record<string, Golden>> = {
  // `pool`, for pro pools, is an addition of ours.
  '/data/pool-info': { required: ['program_id', 'mint'], optional: ['pool'], answer: ['data'] },
  // One of the two.
  '/data/pool-state': { required: ['program_id'], optional: ['mint', 'pool'] },
  '/data/protocol-config-state': { required: ['program_id'], optional: ['version', 'config_version'] },
  '/data/lp-balance': {
    required: ['pool', 'user', 'program_id'],
    answer: ['lp_token_balance', 'reward_debt', 'pending_fees', 'lp_position_address', 'exists'],
  },
  '/quote/buy': { required: QUOTE_BUY, answer: BUY_QUOTE },
  '/quote/sell': { required: QUOTE_SELL, answer: SELL_QUOTE },
  '/quote/initial-buy': {
    required: ['config_version', 'program_id', 'initial_purchase_percent'],
    // `slippage_bps` is an addition of ours.
    optional: ['slippage', 'slippage_bps'],
    answer: ['cost_lamports', 'cost_sol', 'cost_usd', 'token_amount', 'token_amount_ui'],
  },
  '/tx/buy': { required: TRADE, optional: [...BUDGET, 'source'], answer: TX },
  '/tx/sell': { required: TRADE, optional: [...BUDGET, 'source'], answer: TX },
  '/tx/claim-creator-trading-fees': {
    required: ['mint', 'payer', 'program_id', 'version'],
    optional: ['amount', ...BUDGET],
    answer: TX,
  },
  '/tx/create-standard-liquidity-pool': {
    required: [
      'payer',
      'creator',
      'encoded_user_defined_event_data',
      'name',
      'symbol',
      'uri',
      'program_id',
      'initial_purchase_amount',
    ],
    // Documented as required. Here only in version 0.
    optional: [...BUDGET, 'lut_address', 'config_version', 'max_sol_spend'],
    answer: ['tx', 'mint'],
  },
  '/quote/pro/buy': { required: [...QUOTE_BUY, 'pool'], answer: BUY_QUOTE },
  '/quote/pro/sell': { required: [...QUOTE_SELL, 'pool'], answer: SELL_QUOTE },
  '/tx/pro/buy': { required: [...TRADE, 'pool'], optional: [...BUDGET, 'source'], answer: TX },
  '/tx/pro/sell': { required: [...TRADE, 'pool'], optional: [...BUDGET, 'source'], answer: TX },
  '/tx/pro/create': {
    required: [
      'payer',
      'creator',
      'encoded_user_defined_event_data',
      'config_version',
      'program_id',
      'mint',
      'initial_token_a_amount',
      'initial_token_b_amount',
    ],
    optional: [
      ...BUDGET,
      'lut_address',
      'features',
      'creator_trading_fee',
      'creator_slot_trading_fee',
      'reflection_trading_fee',
      'liquidity_provider_trading_fee',
    ],
    answer: ['tx', 'pool'],
  },
  '/tx/pro/add-liquidity': {
    required: [
      'payer',
      'mint',
      'config_version',
      'program_id',
      'max_token_a',
      'max_token_b',
      'min_lp_tokens',
      'pool',
    ],
    optional: BUDGET,
    answer: TX,
  },
  '/tx/pro/remove-liquidity': {
    required: [
      'payer',
      'mint',
      'config_version',
      'program_id',
      'lp_tokens_to_burn',
      'min_token_a',
      'min_token_b',
      'pool',
    ],
    optional: BUDGET,
    answer: TX,
  },
  '/tx/pro/claim-creator-fees': { required: OWN, optional: ['amount', ...BUDGET], answer: TX },
  '/tx/pro/claim-lp-fees': { required: OWN, optional: BUDGET, answer: TX },
  '/tx/pro/toggle-swap': { required: [...OWN, 'enabled'], optional: BUDGET, answer: TX },
  '/tx/pro/toggle-deposit': { required: [...OWN, 'enabled'], optional: BUDGET, answer: TX },
  '/tx/pro/toggle-withdraw': { required: [...OWN, 'enabled'], optional: BUDGET, answer: TX },
  '/tx/pro/set-reflection-fee': { required: [...OWN, 'brackets'], optional: BUDGET, answer: TX },
  '/tx/pro/set-lp-fee': { required: [...OWN, 'brackets'], optional: BUDGET, answer: TX },
  '/tx/pro/set-market-cap-creator-fee': { required: [...OWN, 'brackets'], optional: BUDGET, answer: TX },
  '/tx/pro/set-slot-creator-fee': {
    required: [...OWN, 'brackets', 'max_slot_offset', 'max_fee_bps', 'enabled'],
    optional: BUDGET,
    answer: TX,
  },
  '/tx/pro/update-creator-fee-receiver': {
    required: ['pool', 'mint', 'version', 'payer', 'new_receiver', 'program_id'],
    optional: BUDGET,
    answer: TX,
  },
  '/tx/pro/transfer-lp': {
    required: ['pool', 'sender', 'payer', 'receiver', 'program_id', 'amount'],
    optional: BUDGET,
    answer: TX,
  },
};
const PATHS = Object.keys(GOLDEN);
const TX_PATHS = PATHS.filter((path) => path.startsWith('/tx/'));

/** Fields within fields. */
const NESTED = {
  fees: ['protocol', 'liquidity_provider', 'creator', 'creator_protocol', 'reflection'],
  exact: ['max_lamport_spend', 'amount_in', 'minimum_out'],
  rounded: ['field', 'received', 'used'],
  warning: ['code', 'message'],
  features: [
    'enable_swap',
    'enable_deposit_liquidity',
    'enable_withdraw_liquidity',
    'enable_update_creator_trading_fee',
    'enable_same_slot_trading',
    'enable_sandwich_resistant_mode',
  ],
  marketCapBracket: ['market_cap_upper_bound', 'buy_fee_bps', 'sell_fee_bps'],
  slotBracket: ['slot_offset_upperbound', 'buy_fee_bps', 'sell_fee_bps'],
  slotSchedule: ['brackets', 'max_slot_offset', 'max_fee_bps', 'enabled'],
  poolInfo: [
    'classification',
    'creator',
    'current_base_reserve',
    'current_quote_reserve',
    'current_buy_fee_pct',
    'current_sell_fee_pct',
    'current_creator_fee_claim_by_creator',
    'current_creator_fee_claim_status',
    'current_creator_fee_collected_sol',
    'current_creator_fee_collected_usd',
    'current_creator_fee_distribution',
    'current_creator_fee_recipient',
    'current_market_cap_usd',
    'current_sol_price_usd',
    'current_trading_volume_usd',
    'is_creator_fee_claimable',
    'is_migrated',
    'migration_market_cap_threshold',
    'protocol_config_version',
    'trading_volume_threshold_usd',
  ],
} as const;

/** The compute budgets of docs/http.md, by what a path does. */
const BUDGET_OF = (path: string) => {
  if (/^\/tx\/(pro\/)?(buy|sell)$/.test(path)) return { limit: 200_000, price: 40_000_000n };
  if (/claim|receiver/.test(path)) return { limit: 130_000, price: 20_000_000n };
  if (/create/.test(path)) return { limit: 400_000, price: 20_000_000n };
  if (/liquidity$/.test(path)) return { limit: 250_000, price: 20_000_000n };
  return { limit: 60_000, price: 20_000_000n };
};

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly minItems?: unknown;
  readonly maxItems?: unknown;
  readonly additionalProperties?: unknown;
}
type Content = Readonly<
  Record<'application/json', { readonly schema: JsonSchema; readonly example: unknown }>
>;
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly requestBody: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content: Content }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
  };
}

let ledger: EmbeddedLedger;
let handler: Handler;
let mintSigner: KeyPairSigner;
let working: Readonly<Record<string, WorkingRequest>>;
/** The document's text, as it is parsed by most, and with every number as its text. */
let text: string;
let document: Document;
let lossless: Document;

beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  mintSigner = await generateKeyPairSigner();
  handler = createHandler({
    client: createHeavenClient({ rpc: ledger.rpc }),
    mintSigner: async () => mintSigner,
  });
  working = await workingRequests(handler, ledger);
  text = (await send(handler, '/openapi.json', { method: 'GET' })).text;
  document = JSON.parse(text) as Document;
  lossless = readJson(text) as unknown as Document;
});

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
/** The type of a field beside `null`. */
const typeOf = ({ type }: JsonSchema) => [type].flat().find((name) => name !== 'null');
const namesOf = (schema: JsonSchema) => Object.keys(resolved(schema).properties ?? {}).sort();
const sorted = (names: readonly string[]) => [...names].sort();

/** Every field of an object, and of the objects in it, by its path. */
function fieldsIn(
  given: JsonSchema,
  from = document,
  prefix = '',
): readonly (readonly [string, JsonSchema])[] {
  const { properties = {} } = resolved(given, from);
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = resolved(property, from);
    const inner = field.items ?? field;
    const path = `${prefix}${name}`;
    return [[path, field] as const, ...fieldsIn(inner, from, `${path}${field.items ? '.0' : ''}.`)];
  });
}

describe('the document', () => {
  test('is served as JSON', async () => {
    const answer = await send(handler, '/openapi.json?x=1', { method: 'GET' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.text).toBe(text);
  });

  test('is valid OpenAPI', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.version).toBe('0.1.14');
    expect(document.info.description).toContain('version 0.1.14 of Heaven');
    expect(document.info.description).toContain('the heaven-pools package has its own version number');
  });

  test('covers the paths, with POST, and no others', () => {
    expect(PATHS).toHaveLength(29);
    // The last one is ours.
    expect(sorted(Object.keys(document.paths))).toEqual(sorted(PATHS));
    for (const path of PATHS) expect(Object.keys(document.paths[path]!)).toEqual(['post']);
  });

  test('describes each path, and what can go wrong', () => {
    const operations = PATHS.map((path) => document.paths[path]!.post!);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(PATHS.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operationId, summary, tags: own, requestBody, responses } of operations) {
      expect(operationId).toMatch(/^(get|quote|build)[A-Z]\w*$/);
      expect(summary).toMatch(/\S\.$/);
      expect(own).toHaveLength(1);
      expect(tags).toContain(own[0]);
      expect(requestBody.required).toBe(true);
      expect(Object.keys(requestBody.content)).toEqual(['application/json']);
      for (const status of [
        '200',
        '400',
        '404',
        '405',
        '413',
        '415',
        '422',
        '429',
        '500',
        '502',
        '503',
        '504',
      ])
        expect(Object.keys(responses)).toContain(status);
      for (const { $ref } of Object.values(responses)) {
        if ($ref !== undefined)
          expect(Object.keys(document.components.responses)).toContain($ref.split('/').at(-1));
      }
    }
  });

  test('has no name twice for different things', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
    for (const reference of references) {
      const found = reference
        .split('/')
        .slice(1)
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);
      expect(found, reference).toBeTypeOf('object');
    }
    expect(text).not.toMatch(/\$defs|"id":|"\$schema"/);
  });

  test.each(PATHS)('%s: the example is as documented', (path) => {
    const operation = document.paths[path]!.post!;
    const { example: request } = operation.requestBody.content['application/json'];
    const { example: answer } = operation.responses[200]!.content['application/json'];
    for (const [schema, example] of [
      [requestSchema(path), request],
      [answerSchema(path), answer],
    ] as const) {
      const isValid = validatorOf(schema);
      expect(Object.keys(example as object)).not.toEqual([]);
      isValid(example);
      expect(isValid.errors ?? []).toEqual([]);
    }
  });

  test('has a named schema for each request and answer', () => {
    for (const path of PATHS) {
      const { operationId, requestBody, responses } = document.paths[path]!.post!;
      const request = requestBody.content['application/json'].schema.$ref;
      expect(request?.split('/').at(-1)?.toLowerCase()).toBe(`${operationId}request`.toLowerCase());
      expect(responses[200]!.content['application/json'].schema.$ref).toMatch(/\/[A-Z]\w+$/);
    }
  });

  test('has exact integers', () => {
    expect(text).toContain('"maximum":18446744073709551615');
    expect(text).toContain('"maximum":9223372036854775807');
    // An address or a transaction of an example may look like a number with an exponent.
    const schemas = stringify(lossless, (name, value) => (name === 'example' ? undefined : value));
    expect(schemas).not.toMatch(/18446744073709552000|9223372036854776000|\d[eE][+-]?\d/);
    for (const path of PATHS) {
      for (const schema of [requestSchema(path, lossless), answerSchema(path, lossless)]) {
        for (const [name, { format, maximum }] of fieldsIn(schema, lossless)) {
          if (format === 'uint64') expect(String(maximum), `${path} ${name}`).toBe('18446744073709551615');
          if (format === 'int64') expect(String(maximum), `${path} ${name}`).toBe('9223372036854775807');
        }
      }
    }
  });
});

describe('its fields', () => {
  test.each(PATHS)('%s: the required and optional fields of a request', (path) => {
    const { required, optional = [] } = GOLDEN[path]!;
    expect(namesOf(requestSchema(path))).toEqual(sorted([...required, ...optional]));
    expect(sorted(requestSchema(path).required ?? [])).toEqual(sorted(required));
  });

  /** Every field of an object, and of those in it, is required. */
  const assertAllRequired = (given: JsonSchema): void => {
    const { properties, items, required = [] } = resolved(given);
    if (items !== undefined) assertAllRequired(items);
    if (properties === undefined) return;
    expect(sorted(required)).toEqual(Object.keys(properties).sort());
    for (const property of Object.values(properties)) assertAllRequired(property);
  };

  test.each(PATHS)('%s: the fields of an answer, all of them always present', (path) => {
    const { answer } = GOLDEN[path]!;
    const { properties = {}, required = [] } = resolved(answerSchema(path));
    const { details, ...documented } = properties;
    expect(details).toBeDefined();
    if (answer !== undefined) expect(sorted(Object.keys(documented))).toEqual(sorted(answer));
    assertAllRequired({ properties: documented, required });
  });

  // Another part of the interface decides what a balance has.
  test.each(PATHS.filter((path) => path !== '/data/lp-balance'))('%s: the fields beside it', (path) => {
    const details = resolved(resolved(answerSchema(path)).properties!.details!);
    const { always, sometimes } = DETAILS_OF(path);
    expect(namesOf(details)).toEqual(sorted([...always, ...sometimes]));
    expect(sorted(details.required ?? [])).toEqual(sorted(always));
    const { exact, ...others } = details.properties!;
    for (const property of Object.values(others)) assertAllRequired(property);
    for (const [name, fields] of [
      ['fees', NESTED.fees],
      ['fee_rates', NESTED.fees],
      ['exact', NESTED.exact],
    ] as const) {
      if ([...always, ...sometimes].includes(name))
        expect(namesOf(details.properties![name]!)).toEqual(sorted(fields));
    }
    for (const [name, fields] of [
      ['warnings', NESTED.warning],
      ['rounded', NESTED.rounded],
    ] as const) {
      if ([...always, ...sometimes].includes(name))
        expect(namesOf(resolved(details.properties![name]!).items!)).toEqual(sorted(fields));
    }
    // Of a quote there are the amounts of its side, and only those that are large.
    if (exact !== undefined) expect(resolved(exact).required ?? []).toEqual([]);
  });

  test('a quote is accepted as it was returned', () => {
    for (const [quote, fields, ...paths] of [
      ['/quote/buy', BUY_QUOTE, '/tx/buy', '/tx/pro/buy'],
      ['/quote/sell', SELL_QUOTE, '/tx/sell', '/tx/pro/sell'],
    ] as const) {
      for (const path of paths) {
        const taken = resolved(requestSchema(path).properties!.quote_response!);
        expect(namesOf(taken)).toEqual(sorted([...fields, 'details']));
        expect(sorted(taken.required ?? [])).toEqual(sorted(fields));
        expect(taken.additionalProperties).toBe(false);
        const { details: takenDetails, ...documented } = taken.properties!;
        const { details, ...given } = resolved(answerSchema(quote)).properties!;
        expect(documented).toEqual(given);
        // Of what stands behind it, this is read; the rest may be anything.
        const { properties = {}, required, additionalProperties } = resolved(takenDetails!);
        expect(sorted(Object.keys(properties))).toEqual(['exact', 'pool']);
        expect([required, additionalProperties]).toEqual([undefined, undefined]);
        const answered = resolved(details!).properties!;
        expect(properties.pool).toEqual(answered.pool);
        expect(resolved(properties.exact!).properties).toEqual(resolved(answered.exact!).properties);
      }
    }
  });

  test('the record of a pool', () => {
    expect(namesOf(answerSchema('/data/pool-info').properties!.data!)).toEqual(sorted(NESTED.poolInfo));
  });

  test('features, brackets and schedules', () => {
    const create = requestSchema('/tx/pro/create').properties!;
    expect(namesOf(create.features!)).toEqual(sorted(NESTED.features));
    expect(resolved(create.features!).required ?? []).toEqual([]);
    expect(resolved(create.features!).additionalProperties).toBe(false);
    const schedule = requestSchema('/tx/pro/set-slot-creator-fee').properties!;
    for (const brackets of [
      create.creator_trading_fee,
      create.reflection_trading_fee,
      create.liquidity_provider_trading_fee,
      requestSchema('/tx/pro/set-reflection-fee').properties!.brackets,
      requestSchema('/tx/pro/set-lp-fee').properties!.brackets,
      requestSchema('/tx/pro/set-market-cap-creator-fee').properties!.brackets,
    ]) {
      const { items, minItems, maxItems } = resolved(brackets!);
      expect([minItems, maxItems]).toEqual([undefined, 4]);
      expect(resolved(items!).additionalProperties).toBe(false);
      expect(namesOf(items!)).toEqual(sorted(NESTED.marketCapBracket));
      expect(sorted(resolved(items!).required ?? [])).toEqual(sorted(NESTED.marketCapBracket));
    }
    const created = resolved(create.creator_slot_trading_fee!);
    expect(namesOf(created)).toEqual(sorted(NESTED.slotSchedule));
    expect(sorted(created.required ?? [])).toEqual(sorted(NESTED.slotSchedule));
    expect(created.additionalProperties).toBe(false);
    for (const brackets of [created.properties!.brackets, schedule.brackets]) {
      const { items, maxItems } = resolved(brackets!);
      expect(maxItems).toBe(42);
      expect(resolved(items!).additionalProperties).toBe(false);
      expect(namesOf(items!)).toEqual(sorted(NESTED.slotBracket));
    }
  });

  /** An account's fields by their path, in the interface's names. */
  const accountFields = (value: unknown, prefix = ''): readonly string[] => {
    if (Array.isArray(value)) return accountFields(value[0], `${prefix}0.`);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, item]) => {
      const path = `${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
      return [path, ...accountFields(item, `${path}.`)];
    });
  };

  const accountFieldsIn = (path: string) =>
    fieldsIn(answerSchema(path))
      .map(([name]) => name)
      .filter((name) => !/^details(\.|$)/.test(name));

  test('/data/pool-state: every field of the account', () => {
    const { pool } = ledger.pools.pro;
    const state = decodeLiquidityPoolState(ledger.getAccount(pool)!.data, pool);
    const fields = accountFieldsIn('/data/pool-state');
    expect(fields.length).toBeGreaterThan(100);
    expect(sorted(fields)).toEqual(sorted(accountFields(state)));
  });

  test('/data/protocol-config-state: every field of the account', async () => {
    const address = await findProtocolConfigAddress({ version: 2 });
    const config = decodeProtocolConfig(ledger.getAccount(address)!.data, address);
    const fields = accountFieldsIn('/data/protocol-config-state');
    expect(sorted(fields)).toEqual(sorted(accountFields(config)));
  });

  test.each(PATHS)('%s: each of a request’s fields is described', (path) => {
    const fields = fieldsIn(requestSchema(path));
    expect(fields.length).toBeGreaterThanOrEqual(GOLDEN[path]!.required.length);
    for (const [name, field] of fields) {
      expect(field.description, `${path} ${name}`).toMatch(/^\S.*\S[.]$/);
      expect(['string', 'integer', 'number', 'boolean', 'array', 'object'], `${path} ${name}`).toContain(
        typeOf(field),
      );
    }
  });

  test('an optional field may be null, a required one may not', () => {
    for (const path of PATHS) {
      const { properties = {}, required = [] } = requestSchema(path);
      for (const [name, property] of Object.entries(properties)) {
        const types = [property, ...(property.anyOf ?? [])].flatMap(({ type }) => type ?? []);
        const mayBeNull = types.includes('null');
        expect(mayBeNull, `${path} ${name}`).toBe(!required.includes(name));
      }
    }
  });
});

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

const ajv = new Ajv2020({
  strict: true,
  // A limit may stand beside the alternative of null.
  strictTypes: false,
  allErrors: true,
  formats: { uint64: true, int64: true },
});
const validators = new Map<JsonSchema, ValidateFunction>();

/** What holds a value against a schema of the document; made once. */
function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const local = JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as unknown;
  const made = ajv.compile(closed(local) as object);
  validators.set(schema, made);
  return made;
}

/** What JSON numbers keep only in their text: that an integer is written as one, and its exact limits. */
function assertExact(value: unknown, given: JsonSchema, path: string): void {
  if (value === null) return;
  const schema = resolved(given, lossless);
  if (isLosslessNumber(value)) {
    expect(['integer', 'number'], path).toContain(typeOf(schema));
    if (typeOf(schema) === 'integer') {
      expect(value.toString(), path).toMatch(/^(0|[1-9]\d*)$/);
      if (schema.maximum !== undefined)
        expect(BigInt(value.toString()), path).toBeLessThanOrEqual(BigInt(String(schema.maximum)));
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertExact(item, schema.items!, `${path}.${index}`);
  } else if (typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      // What stands behind a quote that comes back is not documented there.
      const isBehindQuote =
        path === 'request.quote_response.details' && schema.properties![name] === undefined;
      if (!isBehindQuote) assertExact(item, schema.properties![name]!, `${path}.${name}`);
    }
  }
}

describe('the contract', () => {
  /** A request with what it must have, one with all it may have, and one with `null` for what it may have. */
  const variantsOf = (path: string): readonly (readonly [string, Fields])[] => {
    const { required, optional, alternative } = working[path]!;
    const nothing = Object.fromEntries(
      Object.keys({ ...optional, ...alternative }).map((name) => [name, 'null']),
    );
    return [
      ['required', required],
      ['all', { ...required, ...optional }],
      ['alternative', { ...required, ...alternative }],
      ['null', { ...required, ...nothing }],
    ];
  };

  test('has a working request for each path, with each of its fields', () => {
    expect(sorted(Object.keys(working))).toEqual(sorted(PATHS));
    for (const path of PATHS) {
      const { required, optional, alternative } = working[path]!;
      expect(sorted(Object.keys({ ...required, ...optional, ...alternative })), path).toEqual(
        namesOf(requestSchema(path)),
      );
    }
  });

  test.each(PATHS)('%s: request and answer are as documented', async (path) => {
    const isRequest = validatorOf(requestSchema(path));
    const isAnswer = validatorOf(answerSchema(path));
    for (const [variant, fields] of variantsOf(path)) {
      const body = objectText(fields);
      isRequest(JSON.parse(body));
      expect(isRequest.errors ?? [], `${variant} request`).toEqual([]);
      assertExact(readJson(body), requestSchema(path, lossless), 'request');

      const answered = await ok(handler, path, body);
      isAnswer(JSON.parse(answered));
      expect(isAnswer.errors ?? [], `${variant} answer`).toEqual([]);
      assertExact(readJson(answered), answerSchema(path, lossless), 'answer');
    }
  });

  test.each(PATHS)(
    '%s: a request without one of its fields is neither documented nor accepted',
    async (path) => {
      const isRequest = validatorOf(requestSchema(path));
      const { required } = working[path]!;
      for (const name of requestSchema(path).required ?? []) {
        const { [name]: _, ...rest } = required;
        expect(isRequest(JSON.parse(objectText(rest))), name).toBe(false);
        expect((await post(handler, path, objectText(rest))).status, name).toBe(400);
        // Not even null is.
        const nothing = objectText({ ...rest, [name]: 'null' });
        expect(isRequest(JSON.parse(nothing)), name).toBe(false);
        expect((await post(handler, path, nothing)).status, name).toBe(400);
      }
    },
  );

  test.each(PATHS)('%s: a field of another type is neither documented nor accepted', async (path) => {
    const isRequest = validatorOf(requestSchema(path));
    const { required, optional } = working[path]!;
    const all = { ...required, ...optional };
    for (const [name, property] of Object.entries(requestSchema(path).properties ?? {})) {
      if (path === '/data/protocol-config-state' && name === 'config_version') continue;
      const field = resolved(property);
      const type = typeOf(field);
      const isText = field.type === 'string';
      for (const wrong of ['"x"', '-1', '1.5', 'true', '{}', '[]', '"-1"', '"1.5 "', '"1,5"', '""']) {
        if (isText && !('pattern' in field) && wrong.startsWith('"')) continue;
        if (type === 'number' && wrong === '1.5') continue;
        if (type === 'boolean' && wrong === 'true') continue;
        if (name === 'features' && (wrong === '{}' || wrong === '1.5')) continue;
        // No brackets: a slot schedule's own rules decide, and elsewhere that is no fee.
        if (type === 'array' && wrong === '[]') continue;
        const body = objectText({ ...all, [name]: wrong });
        expect(isRequest(JSON.parse(body)), `${name}: ${wrong}`).toBe(false);
        expect((await post(handler, path, body)).status, `${name}: ${wrong}`).toBe(400);
      }
    }
  });

  /** JSON text with every number in quotation marks. */
  const quoted = (value: unknown): unknown => {
    if (isLosslessNumber(value)) return value.toString();
    if (Array.isArray(value)) return value.map(quoted);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, quoted(item)]));
  };

  test.each(PATHS)('%s: a number as text is documented, and the same', async (path) => {
    const isRequest = validatorOf(requestSchema(path));
    for (const [variant, fields] of variantsOf(path)) {
      // What a quote shows for display stays a number.
      const { quote_response, ...others } = fields;
      const texts = stringify(quoted(readJson(objectText(others))))!;
      const body =
        quote_response === undefined ? texts : `${texts.slice(0, -1)},"quote_response":${quote_response}}`;
      isRequest(JSON.parse(body));
      expect(isRequest.errors ?? [], variant).toEqual([]);
      expect(await ok(handler, path, body), variant).toBe(await ok(handler, path, objectText(fields)));
    }
  });

  test('a pro pool, and very small and very large amounts', async () => {
    const { pro, launching, community } = ledger.pools;
    const { program_id } = working['/data/pool-info']!.required as { program_id: string };
    for (const [path, fields] of [
      ['/data/pool-info', { mint: pro.mint, pool: pro.pool }],
      ['/data/pool-info', { mint: launching.mint }],
      ['/data/pool-info', { mint: community.mint }],
      ['/data/pool-state', { pool: pro.pool }],
      ['/data/pool-state', { mint: launching.mint }],
      [
        '/data/lp-balance',
        { pool: pro.pool, user: 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address },
      ],
    ] as const) {
      const body = objectText({
        program_id: program_id!,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])),
      });
      const answered = await ok(handler, path, body);
      const isAnswer = validatorOf(answerSchema(path));
      isAnswer(JSON.parse(answered));
      expect(isAnswer.errors ?? [], path).toEqual([]);
      assertExact(readJson(answered), answerSchema(path, lossless), path);
    }
    for (const version of ['1', '2', '3']) {
      const path = '/data/protocol-config-state';
      const answered = await ok(
        handler,
        path,
        objectText({ program_id: program_id!, config_version: version }),
      );
      const isAnswer = validatorOf(answerSchema(path));
      isAnswer(JSON.parse(answered));
      expect(isAnswer.errors ?? [], version).toEqual([]);
      assertExact(readJson(answered), answerSchema(path, lossless), path);
    }
  });

  test('errors are as documented', async () => {
    const { schema } = document.components.responses.Error400!.content['application/json'];
    const isError = validatorOf(schema);
    const json = { 'content-type': 'application/json' };
    const silent = () => new Promise(() => {});
    const failing = () => Promise.reject(new Error('down'));
    const over = (transport: unknown, timeoutMs?: number) =>
      createHandler({ client: clientOver(transport, timeoutMs), observe: () => {} });
    const limited = createHandler({
      client: createHeavenClient({ rpc: ledger.rpc }),
      rateLimiter: () => ({ retryAfterSeconds: 1 }),
    });
    const busy = createHandler({
      client: createHeavenClient({ rpc: ledger.rpc }),
      rateLimiter: () => ({ retryAfterSeconds: 1, isOverload: true }),
    });
    const broken = createHandler({
      client: createHeavenClient({ rpc: ledger.rpc }),
      rateLimiter: failing,
      observe: () => {},
    });
    const state = objectText(working['/data/pool-state']!.required);
    const path = '/data/pool-state';
    const posted = (body: string, headers: Record<string, string> = json) => ({
      method: 'POST',
      headers,
      body,
    });
    for (const [status, given, at, init] of [
      [400, handler, path, posted('{')],
      [400, handler, path, posted('{}')],
      [
        400,
        handler,
        '/quote/buy',
        posted(objectText({ ...working['/quote/buy']!.required, slippage_bps: '10001' })),
      ],
      [
        404,
        handler,
        path,
        posted(state.replace(/"mint":"[^"]+"/, '"mint":"11111111111111111111111111111112"')),
      ],
      [404, handler, '/nowhere', posted('{}')],
      [405, handler, path, { method: 'GET' }],
      [413, handler, path, posted(' '.repeat(70_000))],
      [415, handler, path, posted('{}', { 'content-type': 'text/plain' })],
      [
        422,
        handler,
        '/quote/buy',
        posted(objectText({ ...working['/quote/buy']!.required, config_version: '1' })),
      ],
      [
        422,
        handler,
        '/tx/pro/transfer-lp',
        posted(objectText({ ...working['/tx/pro/transfer-lp']!.required, amount: '18446744073709551615' })),
      ],
      [429, limited, path, posted(state)],
      [503, busy, path, posted(state)],
      [500, broken, path, posted(state)],
      [502, over(failing), path, posted(state)],
      [504, over(silent, 20), path, posted(state)],
    ] as const) {
      const answer = await send(given, at, init);
      expect([answer.status, at]).toEqual([status, at]);
      expect(Object.keys(document.components.responses)).toContain(`Error${status}`);
      const body = JSON.parse(answer.text);
      // What the particulars hold is not documented: only that they are an object.
      const { details = {}, ...error } = body.error;
      expect(details).toBeTypeOf('object');
      isError({ error });
      expect(isError.errors ?? [], answer.text).toEqual([]);
      expect(Object.keys(body.error).every((name) => ['code', 'message', 'details'].includes(name))).toBe(
        true,
      );
    }
  });
});

interface CompiledMessage {
  readonly staticAccounts: readonly Address[];
  readonly instructions: readonly { readonly programAddressIndex: number; readonly data?: Uint8Array }[];
}

describe('defaults', () => {
  const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
  /** The compute budget's instructions, read without the lookup tables that a transaction may need. */
  const budgetOf = (tx: unknown) => {
    const bytes = getBase64Encoder().encode(tx as string);
    const { messageBytes } = getTransactionDecoder().decode(bytes);
    const { staticAccounts, instructions } = getCompiledTransactionMessageDecoder().decode(
      messageBytes,
    ) as unknown as CompiledMessage;
    const own = instructions
      .filter(({ programAddressIndex }) => staticAccounts[programAddressIndex] === COMPUTE_BUDGET)
      .map(({ data }) => ({ programAddress: COMPUTE_BUDGET, data: data! }));
    const [limit, price] = own as [never, never];
    if (own.length !== 2) return own;
    return {
      limit: parseSetComputeUnitLimitInstruction(limit).data.units,
      price: parseSetComputeUnitPriceInstruction(price).data.microLamports,
    };
  };

  test.each(TX_PATHS)('%s: the compute budget', async (path) => {
    const { properties = {} } = requestSchema(path);
    const { limit, price } = BUDGET_OF(path);
    expect(properties.compute_unit_price?.default).toBe(Number(price));
    expect([limit, undefined]).toContain(properties.compute_unit_limit?.default);
    for (const fields of [
      working[path]!.required,
      { ...working[path]!.required, compute_unit_limit: 'null', compute_unit_price: 'null' },
    ]) {
      const { tx } = readJson(await ok(handler, path, objectText(fields)));
      expect(budgetOf(tx)).toEqual({ limit, price });
    }
    // And 0 leaves it out, as documented.
    const without = { ...working[path]!.required, compute_unit_limit: '0', compute_unit_price: '0' };
    const { tx } = readJson(await ok(handler, path, objectText(without)));
    expect(budgetOf(tx)).toEqual([]);
  });
});

describe('other defaults', () => {
  const flags = (value: object) =>
    objectText(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)])));
  const FEATURES = {
    enable_swap: true,
    enable_deposit_liquidity: true,
    enable_withdraw_liquidity: true,
    enable_update_creator_trading_fee: true,
    enable_same_slot_trading: false,
    enable_sandwich_resistant_mode: false,
  };

  test.each([
    ['/quote/initial-buy', 'slippage', '0', '0.005'],
    ['/quote/initial-buy', 'slippage_bps', '0', '50'],
    ['/tx/claim-creator-trading-fees', 'amount', '0', '1'],
    ['/tx/pro/claim-creator-fees', 'amount', '0', '1'],
    ['/tx/create-standard-liquidity-pool', 'config_version', '1', '2'],
    ['/tx/pro/create', 'features', '{}', flags({ enable_swap: false })],
    ['/tx/pro/create', 'features', flags(FEATURES), flags({ ...FEATURES, enable_same_slot_trading: true })],
    ...Object.entries(FEATURES).map(
      ([name, value]) =>
        ['/tx/pro/create', 'features', flags({ [name]: value }), flags({ [name]: !value })] as const,
    ),
  ] as const)('%s: %s is %s', async (path, name, fallback, other) => {
    const { required } = working[path]!;
    const without = await ok(handler, path, objectText(required));
    expect(await ok(handler, path, objectText({ ...required, [name]: fallback }))).toBe(without);
    expect(await ok(handler, path, objectText({ ...required, [name]: other }))).not.toBe(without);
  });

  test('are as documented', () => {
    const documented = (path: string, name: string) =>
      fieldsIn(requestSchema(path)).find(([field]) => field === name)?.[1].default;
    expect([0, undefined]).toContain(documented('/quote/initial-buy', 'slippage'));
    expect([0, undefined]).toContain(documented('/quote/initial-buy', 'slippage_bps'));
    expect([0, undefined]).toContain(documented('/tx/claim-creator-trading-fees', 'amount'));
    expect([0, undefined]).toContain(documented('/tx/pro/claim-creator-fees', 'amount'));
    expect([1, undefined]).toContain(documented('/tx/create-standard-liquidity-pool', 'config_version'));
    for (const [name, value] of Object.entries(FEATURES))
      expect([value, undefined]).toContain(documented('/tx/pro/create', `features.${name}`));
  });
});

describe('limits', () => {
  /** A value with another leaf. */
  const setIn = (value: unknown, path: readonly string[], leaf: unknown): unknown => {
    const [name, ...rest] = path;
    if (name === undefined) return leaf;
    if (Array.isArray(value)) {
      return value.map((item, index) => (String(index) === name ? setIn(item, rest, leaf) : item));
    }
    const object = value as Readonly<Record<string, unknown>>;
    return { ...object, [name]: setIn(object[name], rest, leaf) };
  };
  /** What says that a value is out of what its type holds, as against what a pool refuses. */
  const RANGE = [
    'invalid-request',
    'invalid-input',
    'invalid-amount',
    'amount-out-of-range',
    'invalid-slippage',
  ];

  /** A schedule’s highest fee is judged with its brackets, and a version has two names. */
  const SAME_AS: Readonly<Record<string, string>> = {
    max_fee_bps: 'brackets',
    'creator_slot_trading_fee.max_fee_bps': 'creator_slot_trading_fee.brackets',
    config_version: 'version',
  };

  test.each(PATHS)('%s: exact to the last unit', async (path) => {
    const { required, optional } = working[path]!;
    for (const [name, field] of fieldsIn(requestSchema(path, lossless), lossless)) {
      const isNumber = typeOf(field) === 'integer' || typeOf(field) === 'number';
      if (!isNumber || field.maximum === undefined) continue;
      const [outer = ''] = name.split('.');
      // The error says that the bound must be the last one’s.
      const at = name.replace(/0\.(?=market_cap_upper_bound)/, '1.').split('.');
      const fields = { ...required, ...(outer in optional ? { [outer]: optional[outer]! } : {}) };
      if (outer === 'config_version') delete (fields as Record<string, string>).version;
      const ask = async (value: bigint) => {
        const leaf = new LosslessNumber(String(value));
        return await post(handler, path, stringify(setIn(readJson(objectText(fields)), at, leaf))!);
      };
      const most = BigInt(String(field.maximum));
      const within = await ask(most);
      if (within.status !== 200) {
        const error = errorOf(within);
        const isOutOfRange = RANGE.includes(error.code) && fieldsOf(error).includes(at.join('.'));
        expect(isOutOfRange, `${name}: ${most}: ${within.text}`).toBe(false);
      }
      const over = errorOf(await ask(most + 1n));
      const judged = at.join('.');
      const named = fieldsOf(over).some(
        (each) => each === judged || judged.startsWith(`${each}.`) || SAME_AS[judged] === each,
      );
      expect(named, `${name}: ${most + 1n}: ${over.code} of ${fieldsOf(over)}`).toBe(true);
      const under = errorOf(await ask(-1n));
      expect(RANGE).toContain(under.code);
      expect(fieldsOf(under)).toEqual([at.join('.')]);
    }
  });

  const marketCaps = (count: number) =>
    `[${Array.from(
      { length: count },
      (_, index) =>
        `{"market_cap_upper_bound":${index === count - 1 ? '9223372036854775807' : index + 1},"buy_fee_bps":1,"sell_fee_bps":2}`,
    ).join()}]`;
  const slots = (count: number) => ({
    brackets: `[${Array.from(
      { length: count },
      (_, index) => `{"slot_offset_upperbound":${index + 1},"buy_fee_bps":9,"sell_fee_bps":9}`,
    ).join()}]`,
    max_slot_offset: String(count),
    max_fee_bps: '9',
    enabled: 'true',
  });

  test.each([
    ['/tx/pro/set-reflection-fee', 'brackets'],
    ['/tx/pro/set-lp-fee', 'brackets'],
    ['/tx/pro/set-market-cap-creator-fee', 'brackets'],
    ['/tx/pro/create', 'creator_trading_fee'],
    ['/tx/pro/create', 'reflection_trading_fee'],
    ['/tx/pro/create', 'liquidity_provider_trading_fee'],
  ] as const)('%s: %s are up to 4', async (path, name) => {
    for (const [count, isTaken] of [
      [0, true],
      [1, true],
      [4, true],
      [5, false],
    ] as const) {
      const body = objectText({ ...working[path]!.required, [name]: marketCaps(count) });
      expect(validatorOf(requestSchema(path))(JSON.parse(body)), String(count)).toBe(isTaken);
      const answer = await post(handler, path, body);
      expect(answer.status, answer.text).toBe(isTaken ? 200 : 422);
      if (!isTaken) expect(fieldsOf(errorOf(answer))).toEqual([name]);
    }
  });

  test('a schedule has at most 42 brackets', async () => {
    const create = '/tx/pro/create';
    const set = '/tx/pro/set-slot-creator-fee';
    for (const [count, isTaken] of [
      [1, true],
      [42, true],
      [43, false],
    ] as const) {
      for (const [path, body] of [
        [set, objectText({ ...working[set]!.required, ...slots(count) })],
        [
          create,
          objectText({ ...working[create]!.required, creator_slot_trading_fee: objectText(slots(count)) }),
        ],
      ] as const) {
        expect(validatorOf(requestSchema(path))(JSON.parse(body)), String(count)).toBe(isTaken);
        const answer = await post(handler, path, body);
        expect(answer.status, answer.text).toBe(isTaken ? 200 : 422);
      }
    }
  });

  test.each([
    ['name', 32],
    ['symbol', 10],
    ['uri', 200],
  ])('%s has at most %i bytes', async (name, most) => {
    const path = '/tx/create-standard-liquidity-pool';
    expect(requestSchema(path).properties![name]!.description).toContain(`at most ${most} bytes`);
    const ask = (count: number) =>
      post(
        handler,
        path,
        objectText({ ...working[path]!.required, [name]: JSON.stringify('é'.repeat(count / 2)) }),
      );
    expect((await ask(most)).status).toBe(200);
    const over = await ask(most + 2);
    expect([over.status, fieldsOf(errorOf(over))]).toEqual([400, [name]]);
  });
});

describe('docs/http.md', () => {
  const page = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8');
  const namesIn = (cell: string) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!);
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| `/'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const rows = new Map(
    cells.flatMap(([, paths = '', request = '', answer = '']) =>
      [...paths.matchAll(/`(\/[a-z/-]+)`/g)].map(([, path]) => [path!, { request, answer }] as const),
    ),
  );
  const requestOf = (path: string): readonly string[] => {
    const { request } = rows.get(path)!;
    const twin = request.includes('standard twin’s') || request.includes("standard twin's");
    return [
      ...(twin ? requestOf(path.replace('/pro/', '/')) : []),
      ...namesIn(request),
      ...(path.startsWith('/tx/') ? BUDGET : []),
    ];
  };
  const answerNames = (path: string): readonly string[] => {
    const { answer } = rows.get(path)!;
    return answer === 'the quote' ? answerNames(path.replace('/pro/', '/')) : namesIn(answer);
  };

  test('has each path', () => {
    expect(sorted([...rows.keys()])).toEqual(sorted(PATHS));
    expect(page).toContain('All transactions take `compute_unit_limit` and `compute_unit_price`.');
  });

  test.each(PATHS)('%s: has the fields', (path) => {
    expect([...new Set(requestOf(path))].sort()).toEqual(namesOf(requestSchema(path)));
    if (GOLDEN[path]!.answer !== undefined)
      expect([...new Set(answerNames(path))].sort()).toEqual(sorted(GOLDEN[path]!.answer));
    const { required = [] } = requestSchema(path);
    for (const name of namesIn(rows.get(path)!.request.split('optional ')[1] ?? ''))
      expect(required).not.toContain(name);
  });

  test('has the compute budgets', () => {
    for (const path of TX_PATHS) {
      const { limit, price } = BUDGET_OF(path);
      expect(page.replace(/\s+/g, ' ')).toContain(`${limit} and ${price}`);
    }
  });

  test('has each status that callers can cause, and the headers beside it', () => {
    const inPage = [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, statuses]) => statuses!.split(', '));
    // Of `/readyz`, which is not in the document, and of Node itself, before a request is one.
    const beside = ['417', '431', '503'];
    for (const status of inPage.filter((each) => !beside.includes(each)))
      expect(Object.keys(document.components.responses)).toContain(`Error${status.trim()}`);
    for (const status of ['400', '404', '405', '413', '415', '422', '502', '504'])
      expect(inPage.map((each) => each.trim())).toContain(status);
  });
});
