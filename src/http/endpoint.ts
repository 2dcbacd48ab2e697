import type { HeavenClient } from '../client.js';
import { assertNumber, inputError, MAX_TIMER_MS } from '../input.js';
import { type OperationName, paths } from '../operations.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { notify } from '../solana/rpc/notify.js';
import type { MintSignerSource } from '../standard/create-standard-liquidity-pool.js';
import { grindMintAddress } from '../standard/grind-mint-address.js';
import { answerOf, type ErrorAnswer, HttpError, refuse } from './errors.js';
import {
  type Cors,
  corsHeaders,
  type HttpDocument,
  type HttpRequest,
  type HttpResponse,
  JSON_HEADERS,
  json,
  requestIdOf,
  retryAfter,
} from './exchange.js';
import { stringifyJson } from './json.js';
import { openApiDocument } from './openapi.js';
import { operationsOver, type Work } from './operation.js';
import { apiPage } from './page.js';

/** The options of the HTTP interface. */
export interface EndpointConfig {
  /**
   * The cluster to serve, or several for several deployments of the exchange. Requests for any other program id are rejected.
   */
  readonly client: HeavenClient | readonly HeavenClient[];
  /** The largest request body in bytes. Default 65536. */
  readonly maxBodyBytes?: number;
  /** How long a request may take, including its body. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
  /** The origins whose pages may call: all (`'*'`), a list such as `['https://app.example']`, or none. Default all. */
  readonly cors?: Cors;
  /** Rejects callers that send too many requests. Default: no limit. */
  readonly rateLimiter?: RateLimiter;
  /** Returns the signer of a launch's new mint. Default: {@link grindMintAddress} finds one that ends in `777`. */
  readonly mintSigner?: MintSignerSource;
  /** Called for each answer, for logs and metrics. Default: writes errors that are not the caller's fault to the console. */
  readonly observe?: (event: RequestEvent) => void;
  /** Additional documents to serve with `GET`, such as metrics, by path. */
  readonly documents?: Readonly<Record<string, () => HttpDocument | Promise<HttpDocument>>>;
}

/** A request that was answered. */
export interface RequestEvent {
  readonly requestId: string;
  readonly method: string;
  /** One of the served paths, or `unknown`. */
  readonly path: string;
  readonly status: number;
  /** The error code, if the answer is an error. */
  readonly code?: string;
  readonly durationMs: number;
  readonly clientAddress?: string | undefined;
  /** The underlying error, if it was not the caller's fault. */
  readonly error?: unknown;
}

/** Returns how many seconds to wait, or nothing to accept the request. */
export type RateLimiter = (
  request: Pick<HttpRequest, 'header' | 'clientAddress'> & { readonly path: string },
) => RateLimit | undefined | Promise<RateLimit | undefined>;

/** A rejected request, and how long to wait. */
export interface RateLimit {
  readonly retryAfterSeconds: number;
}

/** The HTTP interface for any server. Never throws. */
export type Endpoint = (request: HttpRequest) => Promise<HttpResponse>;

/** {@link createHandler} without the web's request and response, for servers that have their own. */
export function createEndpoint({
  client,
  maxBodyBytes = 65_536,
  timeoutMs = 30_000,
  cors = '*',
  rateLimiter,
  mintSigner = grindMintAddress,
  observe = reportToConsole,
  documents = {},
}: EndpointConfig): Endpoint {
  const clients = Array.isArray(client) ? (client as readonly HeavenClient[]) : [client as HeavenClient];
  if (!clients.every((one) => typeof one?.deployment === 'object') || clients.length === 0) {
    throw inputError('client', 'client must be a client made with createHeavenClient, or a list of them.');
  }
  const assertUpTo = (field: string, value: unknown, most: number) =>
    assertNumber(field, value, [Number.MIN_VALUE, most], `a number over 0 and up to ${most}`);
  assertUpTo('timeoutMs', timeoutMs, MAX_TIMER_MS);
  assertUpTo('maxBodyBytes', maxBodyBytes, Number.MAX_SAFE_INTEGER);
  if (cors !== '*' && cors !== false && !(Array.isArray(cors) && cors.every(isOrigin))) {
    throw inputError(
      'cors',
      "cors must be '*', false, or a list of origins such as ['https://app.example'].",
      cors,
    );
  }
  const all: EndpointConfig['documents'] = {
    '/': page,
    '/openapi.json': openApi,
    '/healthz': () => json({ status: 'ok' }),
    '/readyz': () => readiness(clients),
    ...documents,
  };
  const nextId = requestIds();
  const operation = operationsOver({ clients, maxBodyBytes, mintSigner });
  const names = new Map(Object.entries(paths).map(([name, path]) => [path as string, name as OperationName]));

  const call = async (request: HttpRequest, path: string, work: Work): Promise<HttpDocument> => {
    const document = Object.hasOwn(all, path) ? all[path] : undefined;
    const name = names.get(path);
    const respond = document ?? (name && (() => operation(name, request, work)));
    if (respond === undefined) return refuse(unknownPath(request.path));
    const methods = name === undefined ? ['GET', 'HEAD'] : ['POST'];
    if (request.method === 'OPTIONS' && cors !== false) return preflight(methods);
    if (!methods.includes(request.method)) refuse(methodNotAllowed(path, request.method, methods));
    const isOperators = path === '/healthz' || path === '/readyz' || Object.hasOwn(documents, path);
    const { header, clientAddress } = request;
    const limit = isOperators ? undefined : await rateLimiter?.({ header, clientAddress, path });
    if (limit) refuse(rateLimited(limit));
    return await respond();
  };

  return async (request) => {
    const started = performance.now();
    const path = names.has(request.path) || Object.hasOwn(all, request.path) ? request.path : 'unknown';
    const requestId = requestIdOf(request.header('x-request-id'), nextId);
    const shared = { 'x-request-id': requestId, ...corsHeaders(cors, request.header('origin')) };
    const event = { requestId, method: request.method, path, clientAddress: request.clientAddress };
    try {
      const {
        status = 200,
        headers,
        body,
      } = await withinTime(
        { onDisconnect: request.onDisconnect, ms: timeoutMs, isReused: path.startsWith('/quote/') },
        (work) => call(request, path, work),
      );
      notify(observe, { ...event, status, durationMs: performance.now() - started });
      return { status, headers: { ...headers, ...shared }, body };
    } catch (error) {
      const { status, code, message, details, headers } = answerOf(error);
      notify(observe, {
        ...event,
        status,
        code,
        durationMs: performance.now() - started,
        ...(status >= 500 && code !== 'aborted' ? { error } : {}),
      });
      const body = { error: { code, message, ...(details === undefined ? {} : { details }) } };
      return { status, headers: { ...JSON_HEADERS, ...headers, ...shared }, body: stringifyJson(body) };
    }
  };
}

const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

/**
 * The error of a body over the size limit, for a server's `HttpRequest.text`.
 *
 * @example
 * ```ts
 * console.log(answerOf(bodyTooLarge(65_536)).status); // 413
 * ```
 */
export const bodyTooLarge = (maxBytes: number) =>
  new HttpError({ status: 413, code: 'body-too-large', message: `The body is over ${maxBytes} bytes.` });

/**
 * The error of a body that is not valid UTF-8, for a server's `HttpRequest.text`. Replacing the bytes would change the request.
 *
 * @example
 * ```ts
 * console.log(answerOf(notUtf8()).code); // malformed-json
 * ```
 */
export const notUtf8 = () =>
  new HttpError({ status: 400, code: 'malformed-json', message: 'The body is not UTF-8.' });

/**
 * The error of a body that ends before it should, for a server's `HttpRequest.text`.
 *
 * @example
 * ```ts
 * console.log(answerOf(incompleteBody('the connection is gone')).code); // incomplete-body
 * ```
 */
export const incompleteBody = (reason: string) =>
  new HttpError({ status: 400, code: 'incomplete-body', message: `The body ended early: ${reason}.` });

const unknownPath = (path: string): ErrorAnswer => ({
  status: 404,
  code: 'unknown-path',
  message: `There is no path ${path.slice(0, 200)}.`,
  details: { paths: Object.values(paths) },
});

const methodNotAllowed = (path: string, method: string, methods: readonly string[]): ErrorAnswer => ({
  status: 405,
  code: 'method-not-allowed',
  message: `${path} takes ${methods[0]}, not ${method}.`,
  headers: { allow: methods.join(', ') },
});

const rateLimited = (limit: RateLimit): ErrorAnswer => ({
  status: 429,
  code: 'rate-limited',
  message: 'Too many requests. Retry after the number of seconds in the retry-after header.',
  headers: retryAfter(limit),
});

/** Unused controllers for the next quotes, because creating one costs more than answering a quote. They never leave the library. */
const spare: AbortController[] = [];
const MOST_SPARE = 1024;

/** Runs work until it is done, the caller disconnects or the time limit is reached. */
function withinTime<T>(
  {
    onDisconnect,
    ms,
    isReused,
  }: { readonly onDisconnect: HttpRequest['onDisconnect']; readonly ms: number; readonly isReused: boolean },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const controller = (isReused ? spare.pop() : undefined) ?? new AbortController();
    const work: Work = { abortSignal: controller.signal, isReceiving: false };
    const settle = (finish: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      finish();
    };
    const stop = (answer: ErrorAnswer) =>
      settle(() => {
        reject(new HttpError(answer));
        controller.abort(answer.code);
      });
    const end = (finish: () => void) =>
      settle(() => {
        if (isReused && spare.length < MOST_SPARE) spare.push(controller);
        finish();
      });
    const timer = setTimeout(() => stop(work.isReceiving ? tooSlow(ms) : noAnswer(ms)), ms);
    onDisconnect?.(() => stop({ status: 504, code: 'aborted', message: 'The caller disconnected.' }));
    run(work).then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

const tooSlow = (ms: number): ErrorAnswer => ({
  status: 408,
  code: 'request-timeout',
  message: `The request did not arrive within ${ms} ms.`,
});

const noAnswer = (ms: number): ErrorAnswer => ({
  status: 504,
  code: 'timeout',
  message: `There was no answer within ${ms} ms. Try again.`,
});

/**
 * Ids that are unique across processes: a random part and a number. Created lazily, because some runtimes have no randomness
 * before the first request.
 */
function requestIds(): () => string {
  let prefix: string | undefined;
  let count = 0;
  return () => {
    prefix ??= crypto.randomUUID().slice(0, 18);
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

const preflight = (methods: readonly string[]): HttpDocument => ({
  status: 204,
  headers: {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'content-type, x-request-id',
    'access-control-max-age': '86400',
  },
  body: '',
});

const page = (): HttpDocument => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  },
  body: apiPage(),
});

const openApi = (): HttpDocument => ({
  ...json(openApiDocument()),
  headers: { 'content-type': 'application/json' },
});

/** Whether every cluster can be read. */
async function readiness(clients: readonly HeavenClient[]): Promise<HttpDocument> {
  try {
    await Promise.all(clients.map((client) => fetchAccounts(client, [CLOCK_SYSVAR_ADDRESS], {})));
    return json({ status: 'ready' });
  } catch (error) {
    return json({ status: 'not-ready', code: answerOf(error).code }, 503);
  }
}

function reportToConsole({ path, error }: RequestEvent): void {
  if (error !== undefined) console.error(`heaven-pools: ${path}:`, error);
}
