import type { RpcTransport } from '@solana/kit';
import { type Context, Hono } from 'hono';
import {
  assertFunction,
  assertHas,
  assertNames,
  assertNumber,
  assertObject,
  given,
  inputError,
  MAX_TIMER_MS,
} from '../base/input.js';
import { parseJson } from '../base/json.js';
import { shortened } from '../base/shown.js';
import { type OperationName, paths } from '../operations/index.js';
import type { MintSignerSource } from '../operations/standard/create-standard-liquidity-pool.js';
import { grindMintAddress } from '../operations/standard/grind-mint-address.js';
import type { HeavenClient } from '../program/client.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { notify } from '../solana/rpc/notify.js';
import { jsonTextOf } from './body.js';
import { answerOf, type ErrorAnswer, HttpError, refuse } from './errors.js';
import {
  type Caller,
  type Cors,
  corsHeaders,
  type HttpDocument,
  isHeaderName,
  isOrigin,
  JSON_HEADERS,
  json,
  LEDGER_HEADER,
  preflightHeaders,
  retryAfter,
} from './exchange.js';
import { openApi } from './openapi.js';
import { operationsOver } from './operation.js';
import { apiPage } from './page.js';
import { answerWithin, type Work } from './time-limit.js';
import { type ServedDocument, unchanging } from './unchanging.js';

/** What `createHandler` takes. */
export interface HandlerConfig {
  /**
   * The cluster to serve, or several for several deployments of the exchange. Requests for any other program id are rejected.
   */
  readonly client: HeavenClient | readonly HeavenClient[];
  /** The largest request body in bytes. Default 16384, over twice the longest honest one. */
  readonly maxBodyBytes?: number;
  /** How long a request may take, including its body. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
  /** The origins whose pages may call: all (`'*'`), a list such as `['https://app.example']`, or none. Default all. */
  readonly cors?: Cors;
  /** The headers that these pages may send besides `content-type` and `x-request-id`, such as `authorization`. Default none. */
  readonly allowHeaders?: readonly string[];
  /** Rejects callers that send too many requests. Default: no limit. */
  readonly rateLimiter?: RateLimiter;
  /** Returns the signer of a launch's new mint. Default: {@link grindMintAddress} finds one that ends in `777`. */
  readonly mintSigner?: MintSignerSource;
  /** Called for each answer, for logs and metrics. Default: writes the service's errors to the console. */
  readonly observe?: (event: RequestEvent) => void;
  /** Additional documents to serve with `GET`, such as metrics, by path. */
  readonly documents?: Readonly<Record<string, () => HttpDocument | Promise<HttpDocument>>>;
  /**
   * The embedded ledger that the client reads, to practice on. `/rpc` then answers JSON-RPC like a node, and each answer says with the
   * header `x-heaven-ledger: embedded` that its figures are made up, as does `/readyz`. Default: there is no `/rpc`.
   */
  readonly ledger?: { readonly transport: RpcTransport };
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
  /** The underlying error, if something is wrong with the service. */
  readonly error?: unknown;
}

/** What an event has of an error. */
type Reported = Pick<RequestEvent, 'code' | 'error'>;

/** What a rate limiter decides by. */
export interface RateLimitedRequest extends Caller {
  readonly path: string;
  /** A header's value. */
  readonly header: (name: string) => string | undefined;
}

/** Returns how many seconds to wait, or nothing to accept the request. */
export type RateLimiter = (
  request: RateLimitedRequest,
) => RateLimit | undefined | Promise<RateLimit | undefined>;

/** A rejected request, and how long to wait. */
export interface RateLimit {
  readonly retryAfterSeconds: number;
  /** Whether the server is too busy (503), rather than the caller (429). Default false. */
  readonly isOverload?: boolean;
}

/** A request, from its arrival on. */
interface Arrival extends Caller {
  readonly requestId: string;
  readonly startedAt: number;
}

interface Env {
  Bindings: Arrival;
}

type Ledger = NonNullable<HandlerConfig['ledger']>;

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  /** Whether the rate limiter counts its requests. */
  readonly isLimited: boolean;
  /** The headers that pages may send. */
  readonly allowHeaders: string;
  readonly respond: (request: Request, work: Work) => ServedDocument | Promise<ServedDocument>;
}

/** The routes of the HTTP interface. They answer every error. */
export class Endpoint {
  /** Paths are matched as they are written: a proxy's rule for `/metrics` would miss `/metric%73`. */
  readonly #app = new Hono<Env>({ getPath: ({ url }) => new URL(url).pathname });
  readonly #config: ReturnType<typeof checked>;

  constructor(config: HandlerConfig) {
    this.#config = checked(config);
    const { documents, allowHeaders: more, ledger } = this.#config;
    const allowed = ['content-type', 'x-request-id', ...more.map((name) => name.toLowerCase())];
    const allowHeaders = [...new Set(allowed)].join(', ');
    const get = { methods: ['GET', 'HEAD'], allowHeaders };
    const post = { methods: ['POST'], isLimited: true, allowHeaders };
    // The operator's own documents may replace others.
    const unlimited = {
      '/healthz': () => json({ status: 'ok' }),
      '/readyz': cachedBriefly(() => readiness(this.#config)),
      ...documents,
    };
    for (const [path, respond] of Object.entries(unlimited))
      this.#serve({ ...get, path, isLimited: false, respond });
    for (const [path, respond] of Object.entries({ '/': apiPage, '/openapi.json': openApi }))
      this.#serve({ ...get, path, isLimited: true, respond: unchanging(respond) });
    const operation = operationsOver(this.#config);
    for (const [name, path] of Object.entries(paths) as readonly [OperationName, string][])
      this.#serve({ ...post, path, respond: (request, work) => operation(name, request, work) });
    if (ledger) {
      const respond = (request: Request, work: Work) => this.#answerRpc(request, work, ledger);
      // RPC clients add headers of their own, such as `solana-client`.
      this.#serve({ ...post, path: '/rpc', allowHeaders: '*', respond });
    }
    this.#app.notFound((c) => this.#fail(c, 'unknown', new HttpError(unknownPath(c.req.path))));
  }

  async fetch(request: Request, { clientAddress }: Caller): Promise<Response> {
    const requestId = requestIdOf(request.headers.get('x-request-id'));
    return await this.#app.fetch(request, { clientAddress, requestId, startedAt: performance.now() });
  }

  #serve(route: Route): void {
    this.#app.all(route.path, async (c) => {
      try {
        return this.#send(c, route.path, await this.#documentOf(c, route));
      } catch (error) {
        return this.#fail(c, route.path, error);
      }
    });
  }

  async #documentOf(c: Context<Env>, route: Route): Promise<ServedDocument> {
    const { path, methods, isLimited, allowHeaders, respond } = route;
    const { cors, rateLimiter, timeoutMs } = this.#config;
    const { raw } = c.req;
    if (raw.method === 'OPTIONS' && cors !== false)
      return { status: 204, headers: preflightHeaders(methods, allowHeaders), body: '' };
    if (!methods.includes(raw.method)) refuse(methodNotAllowed(path, raw.method, methods));
    return await answerWithin({ signal: raw.signal, timeoutMs }, async (work) => {
      if (isLimited && rateLimiter) {
        const { clientAddress } = c.env;
        const limit = await rateLimiter({ header: (name) => c.req.header(name), clientAddress, path });
        if (limit) refuse(rateLimited(limit));
      }
      return await respond(raw, work);
    });
  }

  /** The status is 200 even for an error in the answer, so that clients read it. */
  async #answerRpc(request: Request, work: Work, { transport }: Ledger): Promise<HttpDocument> {
    const text = await jsonTextOf(request, work, this.#config.maxBodyBytes);
    let payload: unknown;
    try {
      payload = parseJson(text);
    } catch {
      return json({ jsonrpc: '2.0', error: { code: -32_700, message: 'Parse error' }, id: null });
    }
    const answer = await transport({ payload });
    // Notifications have no answer.
    return answer === undefined ? { headers: JSON_HEADERS, body: '' } : json(answer);
  }

  #fail(c: Context<Env>, path: string, error: unknown): Response {
    const { status, code, message, details, headers } = answerOf(error);
    // An error is reported as such only if something is wrong with the service.
    const reported = status >= 500 && code !== 'overloaded' ? { code, error } : { code };
    const document = json({ error: { code, message, details } }, status, c.req.query('integers'));
    return this.#send(c, path, { ...document, headers: { ...document.headers, ...headers } }, reported);
  }

  /** Creates the response, and reports it to the observer. */
  #send(c: Context<Env>, path: string, document: ServedDocument, reported: Reported = {}): Response {
    const { status = 200, headers, body } = document;
    const { requestId, clientAddress, startedAt } = c.env;
    notify(this.#config.observe, {
      requestId,
      method: shortened(c.req.method),
      path,
      clientAddress,
      status,
      durationMs: performance.now() - startedAt,
      ...reported,
    });
    const { cors, ledger } = this.#config;
    const access = corsHeaders(cors, c.req.header('origin'));
    const source = ledger ? EMBEDDED : {};
    const vary = headers.vary && access.vary && { vary: `${headers.vary}, ${access.vary}` };
    const shared = { ...SECURE_HEADERS, ...access, ...vary, ...source, 'x-request-id': requestId };
    return new Response(BODILESS.includes(status) ? null : body, {
      status,
      headers: { ...headers, ...shared },
      ...ENCODED,
    });
  }
}

/** The caller's request id if it is safe to log, or a new one. */
const requestIdOf = (given: string | null): string =>
  given !== null && /^[\w.:-]{1,64}$/.test(given) ? given : crypto.randomUUID();

/** HSTS is up to the proxy that speaks TLS. */
const SECURE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const;

const BODILESS: readonly number[] = [204, 304];

/** For Cloudflare: what says that it is compressed is. */
const ENCODED: ResponseInit & { readonly encodeBody: 'manual' } = { encodeBody: 'manual' };

const EMBEDDED = { [LEDGER_HEADER]: 'embedded' } as const;

/** A config with its defaults. */
function checked(config: HandlerConfig) {
  assertNames(config, 'config', {
    client: 1,
    maxBodyBytes: 1,
    timeoutMs: 1,
    cors: 1,
    allowHeaders: 1,
    rateLimiter: assertFunction,
    mintSigner: (value: unknown, field: string) =>
      assertFunction(value, field, 'a function, such as the mintSigner of createMintSupply()'),
    observe: assertFunction,
    documents: given((value) => {
      assertObject(value, 'documents');
      for (const [path, document] of Object.entries(value as object))
        assertFunction(document, `documents.${path}`, 'a function that returns a document');
    }),
    ledger: given((value, field) => assertHas(value, 'transport', field, 'an embedded ledger')),
  });
  const { client, maxBodyBytes = 16_384, timeoutMs = 30_000, cors = '*', allowHeaders = [] } = config;
  const clients = Array.isArray(client) ? (client as readonly HeavenClient[]) : [client as HeavenClient];
  if (!clients.every((one) => typeof one?.deployment === 'object') || clients.length === 0)
    throw inputError('client', 'client must be a client made with createHeavenClient, or a list of them.');
  const assertUpTo = (field: string, value: unknown, most: number) =>
    assertNumber(field, value, [Number.MIN_VALUE, most], `a number over 0 and up to ${most}`);
  assertUpTo('timeoutMs', timeoutMs, MAX_TIMER_MS);
  assertUpTo('maxBodyBytes', maxBodyBytes, Number.MAX_SAFE_INTEGER);
  const assertEach = (field: string, value: unknown, isOne: (item: unknown) => boolean, what: string) => {
    if (!Array.isArray(value) || !value.every(isOne))
      throw inputError(field, `${field} must be ${what}.`, value);
  };
  if (cors !== '*' && cors !== false)
    assertEach('cors', cors, isOrigin, "'*', false, or a list of origins such as ['https://app.example']");
  assertEach('allowHeaders', allowHeaders, isHeaderName, "a list of header names such as ['authorization']");
  const { mintSigner, observe, rateLimiter, documents, ledger } = config;
  return {
    ...{ clients, maxBodyBytes, timeoutMs, cors, allowHeaders, rateLimiter, documents, ledger },
    mintSigner: mintSigner ?? grindMintAddress,
    observe: observe ?? reportToConsole,
  };
}

// ---------------------------------------------------------------- answers

const unknownPath = (path: string): ErrorAnswer => ({
  status: 404,
  code: 'unknown-path',
  // No path is longer, and a longer one may hold a key.
  message: path.length > 60 ? 'There is no such path.' : `There is no path ${path}.`,
  details: { paths: Object.values(paths) },
});

const methodNotAllowed = (path: string, method: string, methods: readonly string[]): ErrorAnswer => ({
  status: 405,
  code: 'method-not-allowed',
  message: `${path} takes ${methods[0]}, not ${shortened(method)}.`,
  headers: { allow: methods.join(', ') },
});

const rateLimited = (limit: RateLimit): ErrorAnswer => {
  const headers = retryAfter(limit);
  const then = 'Retry after the number of seconds in the retry-after header.';
  return limit.isOverload
    ? { status: 503, code: 'overloaded', message: `The service is too busy. ${then}`, headers }
    : { status: 429, code: 'rate-limited', message: `Too many requests. ${then}`, headers };
};

/** How long `/readyz` waits for the nodes: whoever probes it waits two seconds or more. */
const READY_MS = 1_800;
/** How long the answer of `/readyz` is cached: anybody may ask, and each check costs a call to every node. */
const READINESS_MS = 1_000;

/** Shares a check that is under way, and then its document for a second. `check` never rejects. */
function cachedBriefly(check: () => Promise<HttpDocument>): () => Promise<HttpDocument> {
  let last: { readonly document: Promise<HttpDocument>; until: number } | undefined;
  return () => {
    if (last !== undefined && performance.now() < last.until) return last.document;
    const current = { document: check(), until: Number.POSITIVE_INFINITY };
    last = current;
    void current.document.then(() => {
      current.until = performance.now() + READINESS_MS;
    });
    return current.document;
  };
}

/** Whether every cluster can be read, and whether it is none. */
async function readiness({ clients, ledger }: ReturnType<typeof checked>): Promise<HttpDocument> {
  try {
    const reads = clients.map((client) => {
      const timeoutMs = Math.min(READY_MS, client.timeoutMs);
      return fetchAccounts({ ...client, timeoutMs }, [CLOCK_SYSVAR_ADDRESS], {});
    });
    await Promise.all(reads);
    return json({ status: 'ready', ...(ledger && { ledger: 'embedded' }) });
  } catch (error) {
    return json({ status: 'not-ready', code: answerOf(error).code }, 503);
  }
}

function reportToConsole({ path, error }: RequestEvent): void {
  if (error !== undefined) console.error(`heaven-pools: ${path}:`, error);
}
