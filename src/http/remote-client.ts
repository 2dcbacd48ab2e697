import type { Address } from '@solana/kit';
import type { BuiltTransaction, TransactionOptions } from '../build/assemble.js';
import { toCamelCase, toSnakeCase } from '../case.js';
import type { LocalClient } from '../clients/local-client.js';
import { HeavenError, type HeavenErrorCode, type HeavenErrorContexts, isHeavenError } from '../errors.js';
import { assertNumber, describe, MAX_TIMER_MS } from '../input.js';
import { invalidFraction } from '../math/slippage.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, SellQuote } from '../pool/quote.js';
import type { BuiltProCreate } from '../pro/create.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { assertAddress } from '../solana/addresses.js';
import { assertMaxResponseBytes, readText } from '../solana/rpc/response-text.js';
import { withinTime } from '../solana/rpc/within-time.js';
import type { BuiltLaunch } from '../standard/create-standard-liquidity-pool.js';
import { answerTo } from './answers.js';
import { contract, type Operation } from './contract.js';
import { STATUS } from './errors.js';
import { JsonDecimal, parseJson, stringifyJson } from './json.js';
import { camelCaseKeys } from './names.js';
import { uiAmountFields } from './schemas.js';

/** Where the service is, and how patient {@link createRemoteClient} is with it. */
export interface RemoteClientConfig {
  /** Where the service is, such as `https://heaven.example`. */
  readonly baseUrl: string;
  /** The program that is asked for. Default: mainnet's. */
  readonly programAddress?: Address;
  /** How long one attempt may take. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
  /**
   * How often a request is tried again when the service can't be reached, asks for patience or says that the node behind
   * it failed. Nothing that the service does changes anything, so all of it is safe to repeat. Default 2.
   */
  readonly retries?: number;
  /** The most bytes that an answer may have, after decompression; a longer one is `service-failed`. Default 1048576 (1 MiB). */
  readonly maxResponseBytes?: number;
  /** Sent with each request, such as credentials of a gateway. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the engine's own. */
  readonly fetch?: typeof fetch;
}

/** What only works where transactions are built, and no request can carry. */
type LocalOnly =
  | 'before'
  | 'after'
  | 'lifetime'
  | 'wrapSol'
  | 'snapshot'
  | 'stalePriceSeconds'
  | 'maxPriceImpactBps'
  | 'mintSigner';

type RemoteInput<TName, TInput> = {
  readonly [TField in keyof TInput as Exclude<
    TField,
    LocalOnly | (TName extends 'getPoolInfo' ? 'configVersion' : never)
  >]: TInput[TField];
};

type RemoteResult<TName, TResult> = TName extends 'buildCreateStandardLiquidityPool'
  ? Pick<BuiltLaunch, 'tx' | 'mint'>
  : TName extends 'buildProCreate'
    ? Pick<BuiltProCreate, 'tx' | 'pool'>
    : TName extends `build${string}`
      ? Pick<BuiltTransaction, 'tx'>
      : TResult extends DetailedBuyQuote
        ? BuyQuote
        : TResult extends DetailedSellQuote
          ? SellQuote
          : TResult extends { readonly details: unknown }
            ? { readonly [TField in keyof TResult as Exclude<TField, 'details'>]: TResult[TField] }
            : TResult;

/** The documented functions with their documented fields: a {@link LocalClient} is one, too. */
export type RemoteClient = {
  readonly [TName in keyof LocalClient]: (
    input: RemoteInput<TName, Parameters<LocalClient[TName]>[0]>,
  ) => Promise<RemoteResult<TName, Awaited<ReturnType<LocalClient[TName]>>>>;
};

/**
 * The documented functions, answered by a service instead of here. Amounts are as exact, and errors have the same codes where
 * the service names one; otherwise they are `service-failed`.
 *
 * A transaction from a service that is not yours must be looked at before it is signed: `assertTransactionMatches` does.
 *
 * @throws {HeavenError} `invalid-input`; the functions throw the codes of their local twins and `service-failed`
 * @example
 * ```ts
 * const heaven = createRemoteClient({ baseUrl: 'https://heaven.example' });
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export function createRemoteClient(config: RemoteClientConfig): RemoteClient {
  const { baseUrl, retries = 2, timeoutMs = 30_000, programAddress = HEAVEN_PROGRAM_ADDRESS } = config ?? {};
  assertAddress(programAddress, 'programAddress');
  assertNumber('retries', retries, [0, 100]);
  assertNumber('timeoutMs', timeoutMs, [1, MAX_TIMER_MS]);
  const { maxResponseBytes = 1_048_576 } = config;
  assertMaxResponseBytes(maxResponseBytes);
  const service: Service = {
    baseUrl: serviceUrlOf(baseUrl),
    programAddress,
    retries,
    timeoutMs,
    maxResponseBytes,
    headers: headersOf(config.headers),
    fetch: config.fetch ?? ((...request) => fetch(...request)),
  };
  return Object.fromEntries(
    Object.entries(contract).map(([path, operation]) => [
      operation.name,
      (input: TransactionOptions) => call(service, path, operation, input),
    ]),
  ) as unknown as RemoteClient;
}

/** The URL of a service, or an error that does not repeat it: it may carry a secret. */
function serviceUrlOf(url: unknown): string {
  if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url) && url === url.trim()) {
    const { username, password, search, hash } = new URL(url);
    if (`${username}${password}${search}${hash}` === '') return url.replace(/[/?#]+$/, '');
  }
  throw new HeavenError(
    'invalid-input',
    'baseUrl must be an http: or https: URL without user name, password, query or fragment.',
    { field: 'baseUrl' },
  );
}

function headersOf(headers: RemoteClientConfig['headers']): Headers {
  try {
    return new Headers(headers);
  } catch {
    // The engine's own words repeat the value, which may be a secret.
    throw new HeavenError('invalid-input', 'headers holds a name or a value that no header can have.', {
      field: 'headers',
    });
  }
}

interface Service {
  readonly baseUrl: string;
  readonly programAddress: Address;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly headers: Headers;
  readonly fetch: typeof fetch;
}

async function call(
  service: Service,
  path: string,
  operation: Operation,
  input: TransactionOptions,
): Promise<unknown> {
  const body = bodyOf(operation, input, service.programAddress);
  const { abortSignal } = input;
  if (abortSignal !== undefined && typeof abortSignal?.addEventListener !== 'function') {
    throw new HeavenError('invalid-input', 'abortSignal must be an AbortSignal.', { field: 'abortSignal' });
  }
  const answer = await post(service, path, body, abortSignal).catch((error: unknown) => {
    throw withOwnValue(error, input);
  });
  // What a service says beyond the documented fields is not taken from it, but for the pool of a quote.
  const { details, ...documented } = (answer ?? {}) as { readonly details?: unknown };
  const { data, error } = operation.answer.safeParse(
    typeof answer === 'object' && !Array.isArray(answer) ? documented : answer,
  );
  if (error) {
    const [issue] = error.issues;
    throw failed(
      path,
      `its answer is not the documented one: ${issue?.path.join('.')} ${issue?.message}`,
      {},
    );
  }
  const result = camelCaseKeys(data) as { readonly data?: unknown };
  if (path === '/data/pool-info') return result.data;
  const pool = isQuote(path) ? (details as { readonly pool?: unknown } | null | undefined)?.pool : undefined;
  const answered = pool === undefined || pool === null ? result : { ...result, details: { pool } };
  return await answerTo(operation.name, input, answered, service.programAddress, (reason) =>
    failed(path, reason, { status: 200 }),
  );
}

// ---------------------------------------------------------------- requests

const ADDRESSES: ReadonlySet<string> = new Set([
  'payer',
  'mint',
  'pool',
  'user',
  'creator',
  'source',
  'sender',
  'receiver',
  'newReceiver',
  'lutAddress',
  'programId',
]);

type Fields = Readonly<Record<string, unknown>>;

/** What is needed to know of a schema, whatever its kind. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Operation['request']>>;
  readonly in?: Operation['request'];
  readonly out?: Operation['request'];
  readonly innerType?: Operation['request'];
  readonly element?: Operation['request'];
}

const definitionOf = (schema: Operation['request']) => schema._zod.def as unknown as Definition;

/** The schema of a value that is there: behind what may be missing, and before what makes something else of it. */
function present(schema: Operation['request']): Operation['request'] {
  const { type, in: before, out, innerType } = definitionOf(schema);
  if (type === 'optional' || type === 'nullable') return present(innerType as Operation['request']);
  if (type !== 'pipe') return schema;
  const source = present(before as Operation['request']);
  const sourceType = definitionOf(source).type;
  if (sourceType === 'transform') return present(out as Operation['request']);
  // An integer or a decimal that becomes a `number` or a text here; what may be missing stays what it is.
  const converts = sourceType === 'bigint' || sourceType === 'union';
  const mayBeMissing = ['optional', 'nullable'].includes(definitionOf(before as Operation['request']).type);
  return converts && !mayBeMissing ? schema : source;
}

/** A function's input as JSON text. What can't be carried is refused, not left out. */
function bodyOf({ name, request }: Operation, input: unknown, programAddress: Address): string {
  if (typeof input !== 'object' || input === null) {
    throw new HeavenError('invalid-input', `${name} takes an object; got ${describe(input)}.`, {
      field: 'input',
      value: input,
    });
  }
  const { abortSignal: _, ...fields } = input as Fields;
  const shape = definitionOf(present(request)).shape ?? {};
  if (fields.programId !== undefined) throw unknownField('programId', fields.programId);
  const program = 'program_id' in shape ? { program_id: programAddress } : {};
  return stringifyJson({ ...program, ...objectOf(fields, shape, '') });
}

const unknownField = (field: string, value: unknown) =>
  new HeavenError('invalid-input', `${field} can't be sent to a service. Leave it out, or build locally.`, {
    field,
    value,
  });

function objectOf(value: Fields, shape: NonNullable<Definition['shape']>, path: string): Fields {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([field, item]) => {
        const name = toSnakeCase(field);
        const schema = Object.hasOwn(shape, name) && toCamelCase(name) === field ? shape[name] : undefined;
        if (schema === undefined) throw unknownField(`${path}${field}`, item);
        return [name, jsonOf(schema, field, `${path}${field}`, item)];
      }),
  );
}

/** A value as JSON has it, of the kind that the function takes. Its range is the service's to check. */
function jsonOf(schema: Operation['request'], field: string, path: string, value: unknown): unknown {
  if (value === null) return null;
  if (ADDRESSES.has(field)) {
    const address = typeof value === 'object' && 'address' in value ? value.address : value;
    assertAddress(address, path);
    return address;
  }
  const refuse = (kind: string) => {
    throw new HeavenError('invalid-input', `${path} must be ${kind}; got ${describe(value)}.`, {
      field: path,
      value,
    });
  };
  const { type, shape, element } = definitionOf(present(schema));
  if (type === 'array') {
    if (!Array.isArray(value)) return refuse('a list');
    return value.map((item, index) => jsonOf(element as Operation['request'], '', `${path}[${index}]`, item));
  }
  if (type === 'object') {
    if (typeof value !== 'object' || Array.isArray(value)) return refuse('an object');
    // A quote that was made locally has more than is documented; the pool in its details is checked here.
    const fields = Object.entries(value).filter(
      ([name]) =>
        field !== 'quoteResponse' || (name !== 'details' && Object.hasOwn(shape ?? {}, toSnakeCase(name))),
    );
    return objectOf(Object.fromEntries(fields), shape ?? {}, `${path}.`);
  }
  if (type === 'bigint') {
    const isPrice = field === 'computeUnitPrice' && Number.isSafeInteger(value);
    return typeof value === 'bigint' || isPrice ? value : refuse('a bigint');
  }
  if (path === field && uiAmountFields.has(toSnakeCase(field))) return decimalOf(field, value);
  if (type === 'pipe')
    return typeof value === 'number' && Number.isFinite(value) ? value : refuse('a number');
  if (type === 'boolean') return typeof value === 'boolean' ? value : refuse('true or false');
  return typeof value === 'string' ? value : refuse('a string');
}

/** A UI amount as a JSON number with the digits that it has. */
function decimalOf(field: string, value: unknown): JsonDecimal {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text)) {
    return new JsonDecimal(text.replace(/^0+(?=\d)/, ''));
  }
  if (field === 'slippage') throw invalidFraction(field, value);
  throw new HeavenError(
    'invalid-amount',
    `${field} must be a non-negative decimal number such as 1.5 or '1.5'; got ${describe(value)}.`,
    { field, value },
  );
}

// ---------------------------------------------------------------- attempts

const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const FIRST_WAIT_MS = 200;
/** A service that asks for more patience than this is not waited for. */
const MOST_WAIT_MS = 10_000;

async function post(
  service: Service,
  path: string,
  body: string,
  abortSignal: AbortSignal | undefined,
): Promise<unknown> {
  const { retries } = service;
  for (let attempt = 0; ; attempt++) {
    let error: unknown;
    let waitMs = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random()));
    try {
      const { status, headers, text } = await request(service, path, body, abortSignal);
      if (status === 200) return json(path, text);
      error = errorOf(path, status, headers, text);
      if (!PASSING.has(status)) throw error;
      waitMs = retryAfterMs(headers.get('retry-after')) ?? waitMs;
    } catch (cause) {
      if (isHeavenError(cause)) throw cause;
      if (abortSignal?.aborted) throw aborted(path);
      error = failed(
        path,
        `it could not be reached: ${(cause as Error | null | undefined)?.message ?? 'no reason given'}`,
        {},
        cause,
      );
    }
    if (attempt >= retries || waitMs > MOST_WAIT_MS) throw error;
    await wait(path, waitMs, abortSignal);
  }
}

/** What a service asks for, in seconds or as a date. */
function retryAfterMs(header: string | null): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  // Of what is no number, only a text with the name of a month or a day is a date: `1, 2` is one to some engines.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

async function request(
  { baseUrl, headers: own, timeoutMs, maxResponseBytes, fetch: send }: Service,
  path: string,
  body: string,
  abortSignal: AbortSignal | undefined,
) {
  const read = async (signal: AbortSignal) => {
    const headers = new Headers(own);
    headers.set('content-type', 'application/json');
    // A service that moved elsewhere must not take the headers with it.
    const init: RequestInit = { method: 'POST', headers, body, signal, redirect: 'manual' };
    // All digits of a quote are kept here: none of its integers is a rounded one.
    const response = await send(`${baseUrl}${path}${isTrade(path) ? '?integers=exact' : ''}`, init);
    const { status, headers: received } = response;
    const text = await readText(response, maxResponseBytes);
    if (text === undefined) {
      throw failed(path, `its answer is longer than ${maxResponseBytes} bytes (maxResponseBytes)`, {
        status,
      });
    }
    return { status, headers: received, text };
  };
  return await withinTime(read, {
    ms: timeoutMs,
    abortSignal,
    onTimeout: () => new Error(`no answer within ${timeoutMs} ms`),
    onAbort: () => new Error('the caller aborted'),
  });
}

const isQuote = (path: string): boolean =>
  /^\/quote\/.*(buy|sell)$/.test(path) && path !== '/quote/initial-buy';

const isTrade = (path: string): boolean => /^\/tx\/.*(buy|sell)$/.test(path);

function wait(path: string, ms: number, abortSignal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      abortSignal?.removeEventListener('abort', leave);
      resolve();
    }, ms);
    const leave = () => {
      clearTimeout(timer);
      reject(aborted(path));
    };
    if (abortSignal?.aborted) leave();
    else abortSignal?.addEventListener('abort', leave, { once: true });
  });
}

function json(path: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw failed(path, 'its answer is not valid JSON', { status: 200 }, cause);
  }
}

// ---------------------------------------------------------------- errors

const aborted = (path: string) =>
  new HeavenError('aborted', `${path} was aborted by the caller.`, { method: path });

const failed = (
  path: string,
  reason: string,
  context: Omit<HeavenErrorContexts['service-failed'], 'path'>,
  cause?: unknown,
) =>
  new HeavenError(
    'service-failed',
    `The service failed at ${path}: ${reason}.`,
    { path, ...context },
    { cause },
  );

/** The integers of an error's context that are amounts, times or slots: everything else is a `number`. */
const BIGINTS: Partial<Record<HeavenErrorCode, readonly string[]>> = {
  'implausible-account': ['found'],
  'insufficient-liquidity': ['requested', 'available'],
  'fees-exceed-amount': ['feeBps'],
  'output-is-zero': ['amountIn'],
  'pool-not-open': ['opensAt', 'now'],
  'insufficient-lp-tokens': ['requested', 'available'],
  'insufficient-fees': ['requested', 'available'],
  'spend-too-low': ['required', 'allowed'],
  'rpc-behind': ['minContextSlot'],
};

/** The error that a service answered, as the one that the function would have thrown here. */
function errorOf(path: string, status: number, headers: Headers, text: string): HeavenError {
  const requestId = headers.get('x-request-id');
  const about = { status, ...(requestId ? { requestId } : {}) };
  if (status === 0 || (status >= 300 && status < 400)) {
    return failed(path, 'it redirects; name the address that it redirects to', about);
  }
  const { code, message, details } = errorBodyOf(text);
  if (typeof code !== 'string' || typeof message !== 'string') {
    return failed(path, `it answered HTTP ${status}`, {
      ...about,
      ...(typeof code === 'string' ? { code } : {}),
    });
  }
  if (code === 'invalid-request') {
    const [first] = Array.isArray(details.fields) ? (details.fields as readonly Fields[]) : [];
    return new HeavenError('invalid-input', message, {
      field: camelCasePath(String(first?.field ?? 'body')),
    });
  }
  // That the service's own work was aborted is its failure, not the caller's doing.
  if (!Object.hasOwn(STATUS, code) || code === 'aborted') {
    return failed(path, message.replace(/\.$/, ''), { ...about, code });
  }
  const bigints = BIGINTS[code as HeavenErrorCode] ?? [];
  const context = Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      const field = toCamelCase(name);
      if (field === 'field') return [field, camelCasePath(String(value))];
      return [field, typeof value === 'bigint' && !bigints.includes(field) ? Number(value) : plain(value)];
    }),
  );
  return new HeavenError(code as HeavenErrorCode, message, context as never);
}

/** The error of an answer, or what there is of it: it may be some proxy's page. */
function errorBodyOf(text: string): {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details: Fields;
} {
  try {
    const { error } = (parseJson(text) ?? {}) as { readonly error?: Fields | null };
    const details = error?.details;
    return { ...error, details: typeof details === 'object' && details !== null ? (details as Fields) : {} };
  } catch {
    return { details: {} };
  }
}

/** A value that an error shows is the caller's own, with its kind and all its digits. */
function withOwnValue(error: unknown, input: unknown): unknown {
  if (!isHeavenError(error) || !('value' in error.context)) return error;
  const { field } = error.context as { readonly field?: unknown };
  const path = String(field)
    .split(/[.[\]]+/)
    .filter((part) => part !== '');
  const value = path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? (at as Fields)[part] : undefined),
    input,
  );
  if (value === undefined) return error;
  return new HeavenError(error.code, error.message, { ...error.context, value } as never, {
    cause: error.cause,
  });
}

const plain = (value: unknown) => (value instanceof JsonDecimal ? Number(value.toString()) : value);

/** `quote_response.max_lamport_spend` -> `quoteResponse.maxLamportSpend`, `brackets.0` -> `brackets[0]`. */
const camelCasePath = (path: string) => toCamelCase(path).replace(/\.(\d+)/g, '[$1]');
