import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import type { HeavenClient } from '../client.js';
import { assertNumber, inputError, MAX_TIMER_MS } from '../input.js';
import { type OperationName, paths } from '../operations.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import type { MintSignerSource } from '../standard/create-standard-liquidity-pool.js';
import { grindMintAddress } from '../standard/grind-mint-address.js';
import { answerOf, type ErrorAnswer, refuse } from './errors.js';
import { type Cors, type HttpDocument, JSON_HEADERS, json } from './exchange.js';
import { stringifyJson } from './json.js';
import { openApiDocument } from './openapi.js';
import { operationsOver, type Work } from './operation.js';
import { apiPage } from './page.js';
import {
  allowOrigins,
  type Env,
  limitRate,
  methodNotAllowed,
  observeWith,
  preflightWith,
  type RateLimiter,
  type RequestEvent,
} from './steps.js';
import { withinTime } from './time-limit.js';

/** What `createHandler` takes. */
export interface HandlerConfig {
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
  /** The headers that these pages may send besides `content-type` and `x-request-id`, such as `authorization`. Default none. */
  readonly allowHeaders?: readonly string[];
  /** Rejects callers that send too many requests. Default: no limit. */
  readonly rateLimiter?: RateLimiter;
  /** Returns the signer of a launch's new mint. Default: {@link grindMintAddress} finds one that ends in `777`. */
  readonly mintSigner?: MintSignerSource;
  /** Called for each answer, for logs and metrics. Default: writes errors that are not the caller's fault to the console. */
  readonly observe?: (event: RequestEvent) => void;
  /** Additional documents to serve with `GET`, such as metrics, by path. */
  readonly documents?: Readonly<Record<string, () => HttpDocument | Promise<HttpDocument>>>;
}

interface Route {
  readonly methods: readonly [string, ...string[]];
  readonly isLimited: boolean;
  readonly respond: (request: Request, work: Work) => HttpDocument | Promise<HttpDocument>;
}

/** The routes of the HTTP interface. They answer every error. */
export function createEndpoint(config: HandlerConfig): Hono<Env> {
  const {
    clients,
    maxBodyBytes = 65_536,
    timeoutMs = 30_000,
    cors = '*',
    allowHeaders = [],
    rateLimiter,
    mintSigner = grindMintAddress,
    observe = reportToConsole,
    documents = {},
  } = checked(config);
  const operation = operationsOver({ clients, maxBodyBytes, mintSigner });
  const answerPreflight = preflightWith(allowHeaders);
  const known = new Set<string>();
  const app = new Hono<Env>();
  app.use(observeWith(observe, known), requestId({ limitLength: 64 }), secureHeaders(SECURE_HEADERS));
  app.use(allowOrigins(cors));

  /** Answers a path's methods, preflights, and any other method with an error. */
  const serve = (path: string, { methods, isLimited, respond }: Route) => {
    known.add(path);
    app.on(methods[0], [path], async (c) => {
      const { raw } = c.req;
      const document = await withinTime({ signal: raw.signal, timeoutMs }, async (work) => {
        if (isLimited) await limitRate(c, rateLimiter);
        return await respond(raw, work);
      });
      return send(c, document);
    });
    if (cors !== false) app.options(path, answerPreflight(methods));
    app.all(path, (c) => refuse(methodNotAllowed(path, c.req.method, methods)));
  };
  const own = {
    '/': page,
    '/openapi.json': openApi,
    '/healthz': () => json({ status: 'ok' }),
    '/readyz': () => readiness(clients),
  };
  for (const [path, respond] of Object.entries({ ...own, ...documents })) {
    const isOperators = path === '/healthz' || path === '/readyz' || Object.hasOwn(documents, path);
    serve(path, { methods: ['GET', 'HEAD'], isLimited: !isOperators, respond });
  }
  for (const [name, path] of Object.entries(paths) as readonly [OperationName, string][]) {
    const respond = (request: Request, work: Work) => operation(name, request, work);
    serve(path, { methods: ['POST'], isLimited: true, respond });
  }
  app.notFound((c) => refuse(unknownPath(c.req.path)));
  app.onError((error, c) => send(c, errorDocument(answerOf(error))));
  return app;
}

/** Other origins may load the answers, as CORS says. HSTS is up to the proxy that speaks TLS. */
const SECURE_HEADERS = {
  crossOriginResourcePolicy: 'cross-origin',
  strictTransportSecurity: false,
  xFrameOptions: 'DENY',
} as const;

function checked({ client, ...config }: HandlerConfig) {
  const clients = Array.isArray(client) ? (client as readonly HeavenClient[]) : [client as HeavenClient];
  if (!clients.every((one) => typeof one?.deployment === 'object') || clients.length === 0) {
    throw inputError('client', 'client must be a client made with createHeavenClient, or a list of them.');
  }
  const assertUpTo = (field: string, value: unknown, most: number) =>
    assertNumber(field, value, [Number.MIN_VALUE, most], `a number over 0 and up to ${most}`);
  const { timeoutMs, maxBodyBytes, cors = '*', allowHeaders = [] } = config;
  if (timeoutMs !== undefined) assertUpTo('timeoutMs', timeoutMs, MAX_TIMER_MS);
  if (maxBodyBytes !== undefined) assertUpTo('maxBodyBytes', maxBodyBytes, Number.MAX_SAFE_INTEGER);
  if (cors !== '*' && cors !== false && !(Array.isArray(cors) && cors.every(isOrigin))) {
    throw inputError(
      'cors',
      "cors must be '*', false, or a list of origins such as ['https://app.example'].",
      cors,
    );
  }
  if (!Array.isArray(allowHeaders) || !allowHeaders.every(isHeaderName)) {
    throw inputError(
      'allowHeaders',
      "allowHeaders must be a list of header names such as ['authorization'].",
      allowHeaders,
    );
  }
  return { ...config, clients };
}

const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

const isHeaderName = (value: unknown): boolean => typeof value === 'string' && /^[\w-]+$/.test(value);

const send = (c: Context, { status = 200, headers, body }: HttpDocument): Response =>
  c.body(body, status as ContentfulStatusCode, headers);

// ---------------------------------------------------------------- answers

const errorDocument = ({ status, code, message, details, headers }: ErrorAnswer): HttpDocument => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: stringifyJson({ error: { code, message, details } }),
});

const unknownPath = (path: string): ErrorAnswer => ({
  status: 404,
  code: 'unknown-path',
  message: `There is no path ${path.slice(0, 200)}.`,
  details: { paths: Object.values(paths) },
});

const page = (): HttpDocument => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
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
