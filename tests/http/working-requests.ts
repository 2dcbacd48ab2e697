import { readFileSync } from 'node:fs';

import { isLosslessNumber, parse } from 'lossless-json';

import { requestNames } from '../../src/http/schemas/requests.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { furnish, PAYER } from '../golden/scene.js';
import { STRANGER } from '../support/addresses.js';
import { jsonText, readJson } from './support.js';

export { PAYER };

/** JSON text by field: no number passes through JavaScript. */
export type Fields = Readonly<Record<string, string>>;

/** A request of a path: the fields it must have, and all the others that it may have. */
export interface WorkingRequest {
  readonly required: Fields;
  readonly optional: Fields;
  /** Fields that stand for some of the others, and are not given beside them. */
  readonly alternative: Fields;
}

/** The fields that say the same as another one of their path. */
const ALTERNATIVE: Readonly<Record<string, string>> = {
  '/quote/initial-buy': 'slippage',
  '/data/protocol-config-state': 'config_version',
};

/** The native amounts of quotes, which the recorded requests have not, by the amount that each stands for. */
const NATIVE: Readonly<Record<string, Fields>> = {
  max_sol_spend: { max_lamport_spend: '1500000001' },
  amount_in_ui: { amount_in: '9007199254740993' },
};

interface Recorded {
  readonly path: string;
  readonly request: string;
  /** Missing until it is recorded. */
  readonly status?: number;
}
const recorded = JSON.parse(
  readFileSync(new URL('../golden/sample.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

/** A request of each of the interface's paths, from the golden answers. It prepares the ledger as it was then. */
export async function workingRequests(
  ledger: EmbeddedLedger,
): Promise<Readonly<Record<string, WorkingRequest>>> {
  await furnish(ledger);
  const names = Object.keys(paths) as readonly OperationName[];
  return Object.fromEntries(names.map((name) => [paths[name], workingRequest(name)]));
}

/** What the recorded requests have not: a sponsor, how SOL is wrapped, and what is closed. */
const SPONSORED: Fields = {
  fee_payer: JSON.stringify(STRANGER),
  rent_payer: '"fee_payer"',
  wrap_sol: '"none"',
  allow_empty: 'true',
  close_token_account: 'false',
};

function workingRequest(name: OperationName): WorkingRequest {
  const path = paths[name];
  const requests = recorded
    .filter(({ status = 200, ...one }) => one.path === path && status === 200)
    .map(({ request }) => textsOf(request))
    .filter(({ transaction_version = '0' }) => transaction_version === '0');
  const [first = {}] = requests;
  const known = Object.entries(Object.assign({}, ...requests.reverse()) as Fields);
  const isAlways = (name: string) =>
    name !== 'transaction_version' && requests.every((request) => name in request);
  const isAlternative = (name: string) => name === ALTERNATIVE[path];
  const sponsored = Object.entries(SPONSORED).filter(([field]) => field in requestNames(name));
  return {
    required: Object.fromEntries(Object.entries(first).filter(([name]) => isAlways(name))),
    optional: Object.fromEntries([
      ...known.filter(([name]) => !isAlways(name) && !isAlternative(name)),
      ...sponsored,
    ]),
    alternative: Object.fromEntries([
      ...known.filter(([name]) => isAlternative(name)),
      ...Object.keys(first).flatMap((field) =>
        Object.entries((path.startsWith('/quote/') && NATIVE[field]) || {}),
      ),
    ]),
  };
}

/** An object's JSON text by field. */
const textsOf = (text: string): Fields =>
  Object.fromEntries(Object.entries(readJson(text)).map(([name, value]) => [name, jsonText(value)]));

/** The fields but those that a native amount stands for. */
export const withoutReplaced = (fields: Fields, alternative: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !Object.keys(NATIVE[name] ?? {}).some((one) => one in alternative),
    ),
  );

/** An operation's requests that are answered with 200: with all optional fields, with none, and with `null` for each. */
export function variantsOf({ required, optional, alternative }: WorkingRequest) {
  const nothing = Object.keys({ ...optional, ...alternative }).map((name) => [name, 'null']);
  return [
    ['the required fields', required],
    ['all fields', { ...required, ...optional }],
    ['alternative fields', { ...withoutReplaced(required, alternative), ...alternative }],
    ['null for the optional fields', { ...required, ...Object.fromEntries(nothing) }],
  ] as const satisfies readonly (readonly [string, Fields])[];
}

/** The fields that the SDK takes as `number`, and those that it takes as exact text; all other integers are `bigint`. */
const SMALL = /(version|bps|limit|upperbound|slot_offset)$|^version$/;
const UI = /_ui$|_sol_spend$|percent$|^slippage$/;

function inputOf(value: unknown, name = ''): unknown {
  if (isLosslessNumber(value)) {
    const text = value.toString();
    if (UI.test(name)) return text;
    return SMALL.test(name) ? Number(text) : BigInt(text);
  }
  if (Array.isArray(value)) return value.map((item) => inputOf(item, name));
  // A field's name.
  if (value === 'fee_payer') return 'feePayer';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => (field !== 'program_id' || name === 'quote_response') && field !== 'details')
      .map(([field, item]) => [camel(field), inputOf(item, field)]),
  );
}

/** JSON text of a request as the SDK takes it. What is shown is a `number` in its quotes. */
export function asInput(body: string): Record<string, unknown> {
  const input = inputOf(parse(body)) as Record<string, unknown>;
  const quote = input.quoteResponse as Record<string, unknown> | undefined;
  for (const field of ['maxSolSpend', 'amountInUi', 'minimumOutUi'])
    if (quote?.[field] !== undefined) quote[field] = Number(quote[field]);
  return input;
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
