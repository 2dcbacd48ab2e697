import type { Address } from '@solana/kit';

import { toCamelCase, toSnakeCase } from '../case.js';
import { HeavenError, type HeavenErrorCode, type HeavenErrorContexts, isHeavenError } from '../errors.js';
import type { LocalClient } from '../local-client.js';
import { describe } from '../math/integers.js';
import type { BuiltProCreate } from '../pro/create.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { assertAddress } from '../program/schema.js';
import type { BuiltLaunch } from '../standard/create-standard-liquidity-pool.js';
import type { BuiltTransaction, TransactionOptions } from '../transaction/assemble.js';
import { contract, type Operation } from './contract.js';
import { STATUS } from './errors.js';
import { JsonDecimal, parseJson, stringifyJson } from './json.js';
import { camelCaseKeys } from './names.js';
import { uiAmountFields } from './schemas.js';

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
  /** Sent with each request, such as credentials of a gateway. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the engine's own. */
  readonly fetch?: typeof fetch;
}

/** What only works where transactions are built, and no request can carry. */
type LocalOnly = 'before' | 'after' | 'lifetime' | 'wrapSol' | 'snapshot' | 'mintSigner';

type RemoteInput<TInput> = {
  readonly [TField in keyof TInput as Exclude<TField, LocalOnly>]: TInput[TField];
};

type RemoteResult<TName, TResult> = TName extends 'buildCreateStandardLiquidityPool'
  ? Pick<BuiltLaunch, 'tx' | 'mint'>
  : TName extends 'buildProCreate'
    ? Pick<BuiltProCreate, 'tx' | 'pool'>
    : TName extends `build${string}`
      ? Pick<BuiltTransaction, 'tx'>
      : { readonly [TField in keyof TResult as Exclude<TField, 'details'>]: TResult[TField] };

/** The documented functions with their documented fields: a {@link LocalClient} is one, too. */
export type RemoteClient = {
  readonly [TName in keyof LocalClient]: (
    input: RemoteInput<Parameters<LocalClient[TName]>[0]>,
  ) => Promise<RemoteResult<TName, Awaited<ReturnType<LocalClient[TName]>>>>;
};

/**
 * The documented functions, answered by a service instead of here. Amounts are as exact, and errors have the same codes where
 * the service names one; otherwise they are `service-failed`.
 *
 * A transaction from a service that is not yours must be looked at before it is signed.
 *
 * @throws {HeavenError} `invalid-input`; the functions throw the codes of their local twins and `service-failed`
 * @example
 * ```ts
 * const heaven = createRemoteClient({ baseUrl: 'https://heaven.example' });
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export function createRemoteClient(config: RemoteClientConfig): RemoteClient {
  const { baseUrl } = config;
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new HeavenError('invalid-input', 'baseUrl must be an http: or https: URL.', { field: 'baseUrl' });
  }
  const { programAddress = HEAVEN_PROGRAM_ADDRESS } = config;
  assertAddress(programAddress, 'programAddress');
  const service = { ...config, baseUrl: baseUrl.replace(/\/+$/, ''), programAddress };
  return Object.fromEntries(
    Object.entries(contract).map(([path, operation]) => [
      operation.name,
      (input: TransactionOptions) => call(service, path, operation, input),
    ]),
  ) as unknown as RemoteClient;
}

type Service = RemoteClientConfig & { readonly programAddress: Address };

async function call(
  service: Service,
  path: string,
  operation: Operation,
  input: TransactionOptions,
): Promise<unknown> {
  const body = bodyOf(operation, input, service.programAddress);
  const answer = await post(service, path, body, input.abortSignal);
  const { data, error } = operation.answer.safeParse(answer);
  if (error) {
    const [issue] = error.issues;
    throw failed(
      path,
      `its answer is not the documented one: ${issue?.path.join('.')} ${issue?.message}`,
      {},
    );
  }
  const result = camelCaseKeys(data) as { readonly data?: unknown };
  return path === '/data/pool-info' ? result.data : result;
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
]);

type Fields = Readonly<Record<string, unknown>>;

/** The names of a request's fields. */
function shapeOf({ request }: Operation): Fields {
  const { def } = request._zod as unknown as {
    readonly def: { readonly shape?: Fields; readonly in?: Operation['request'] };
  };
  return def.shape ?? (def.in ? shapeOf({ request: def.in } as Operation) : {});
}

/** A function's input as JSON text. What can't be carried is refused, not left out. */
function bodyOf(operation: Operation, input: unknown, programAddress: Address): string {
  if (typeof input !== 'object' || input === null) {
    throw new HeavenError('invalid-input', `${operation.name} takes an object; got ${describe(input)}.`, {
      field: 'input',
      value: input,
    });
  }
  const shape = shapeOf(operation);
  const body: Record<string, unknown> = 'program_id' in shape ? { program_id: programAddress } : {};
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined || field === 'abortSignal') continue;
    const name = toSnakeCase(field);
    if (!Object.hasOwn(shape, name)) {
      throw new HeavenError(
        'invalid-input',
        `${field} can't be sent to a service. Leave it out, or build locally.`,
        {
          field,
          value,
        },
      );
    }
    body[name] = jsonOf(field, value);
  }
  return stringifyJson(body);
}

function jsonOf(field: string, value: unknown): unknown {
  if (ADDRESSES.has(field) && value !== null) {
    const address = typeof value === 'object' && 'address' in value ? value.address : value;
    assertAddress(address, field);
    return address;
  }
  if (uiAmountFields.has(toSnakeCase(field)) && value !== null) return decimalOf(field, value);
  if (field === 'quoteResponse' && typeof value === 'object' && value !== null) {
    // A quote that was made locally has more than is documented.
    const { details: _, ...quote } = value as Fields;
    return snakeCase(field, quote);
  }
  return snakeCase(field, value);
}

function snakeCase(field: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => snakeCase(`${field}[${index}]`, item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [toSnakeCase(name), snakeCase(`${field}.${name}`, item)]),
    );
  }
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new HeavenError('invalid-input', `${field} must be a number; got ${describe(value)}.`, {
    field,
    value,
  });
}

/** A UI amount as a JSON number with the digits that it has. */
function decimalOf(field: string, value: unknown): JsonDecimal {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text)) {
    return new JsonDecimal(text.replace(/^0+(?=\d)/, ''));
  }
  throw new HeavenError(
    'invalid-amount',
    `${field} must be a non-negative decimal number such as 1.5 or '1.5'; got ${describe(value)}.`,
    { field, value },
  );
}

// ---------------------------------------------------------------- attempts

const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_WAIT_MS = 200;
/** A service that asks for more patience than this is not waited for. */
const MOST_WAIT_MS = 10_000;

async function post(
  service: Service,
  path: string,
  body: string,
  abortSignal: AbortSignal | undefined,
): Promise<unknown> {
  const { retries = 2 } = service;
  for (let attempt = 0; ; attempt++) {
    let error: unknown;
    let waitMs = FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random());
    try {
      const { status, headers, text } = await request(service, path, body, abortSignal);
      if (status === 200) return json(path, text);
      error = errorOf(path, status, headers, text);
      if (!PASSING.has(status)) throw error;
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      if (seconds >= 0) waitMs = seconds * 1000;
    } catch (cause) {
      if (isHeavenError(cause)) throw cause;
      if (abortSignal?.aborted) throw aborted(path);
      error = failed(path, `it could not be reached: ${(cause as Error).message}`, {}, cause);
    }
    if (attempt >= retries || waitMs > MOST_WAIT_MS) throw error;
    await wait(path, waitMs, abortSignal);
  }
}

async function request(
  { baseUrl, headers, timeoutMs = 30_000, fetch: send = fetch }: Service,
  path: string,
  body: string,
  abortSignal: AbortSignal | undefined,
) {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort(new Error('the caller aborted'));
  const timer = setTimeout(() => attempt.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  if (abortSignal?.aborted) giveUp();
  else abortSignal?.addEventListener('abort', giveUp, { once: true });
  try {
    const response = await send(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: attempt.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', giveUp);
  }
}

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
    throw failed(path, 'its answer is no JSON', { status: 200 }, cause);
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
  let error: { readonly code?: unknown; readonly message?: unknown; readonly details?: Fields } | undefined;
  try {
    ({ error } = (parseJson(text) ?? {}) as { readonly error?: typeof error });
  } catch {
    // Some proxy's page.
  }
  const { code, message, details = {} } = error ?? {};
  const requestId = headers.get('x-request-id');
  if (typeof code !== 'string' || typeof message !== 'string') {
    return failed(path, `it answered HTTP ${status}`, { status, ...(requestId ? { requestId } : {}) });
  }
  if (code === 'invalid-request') {
    const [first] = (details.fields ?? []) as readonly { readonly field?: unknown }[];
    return new HeavenError('invalid-input', message, { field: camelCasePath(String(first?.field)) });
  }
  if (!Object.hasOwn(STATUS, code)) {
    return failed(path, message.replace(/\.$/, ''), { status, code, ...(requestId ? { requestId } : {}) });
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

const plain = (value: unknown) => (value instanceof JsonDecimal ? Number(value.toString()) : value);

/** `quote_response.max_lamport_spend` -> `quoteResponse.maxLamportSpend`, `brackets.0` -> `brackets[0]`. */
const camelCasePath = (path: string) => toCamelCase(path).replace(/\.(\d+)/g, '[$1]');
