import * as z from 'zod/mini';

import { type HeavenClient, notify } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertNumber, MAX_TIMER_MS } from '../input.js';
import { fetchAccounts } from '../pool/fetch.js';
import { CLOCK_SYSVAR_ADDRESS } from '../program/constants.js';
import type { MintSignerSource } from '../standard/create-standard-liquidity-pool.js';
import { grindMintAddress } from '../standard/grind-mint-address.js';
import type { Warning } from '../warnings.js';
import { answerOf, type ErrorAnswer, HttpError } from './errors.js';
import { parseJson, stringifyJson, stringifyJsonWithStrings } from './json.js';
import { camelCaseKeys, fieldPath, snakeCaseKeys } from './names.js';
import { openApiDocument } from './openapi.js';
import { apiPage } from './page.js';
import { type ReceivedQuote, type RoundedAmount, withoutRounding } from './rounded-quote.js';
import { type Route, routes } from './routes.js';

/** What the HTTP interface is served with. */
export interface EndpointConfig {
  /**
   * The cluster that is served; several for several deployments of the exchange. Requests for another program id than
   * theirs are refused.
   */
  readonly client: HeavenClient | readonly HeavenClient[];
  /** The largest request body in bytes. Default 65536. */
  readonly maxBodyBytes?: number;
  /** How long a request may take, its body included. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
  /** Which pages of other origins may call: all (`'*'`), those of a list such as `['https://app.example']`, or none. Default all. */
  readonly cors?: '*' | readonly string[] | false;
  /** Refuses callers that ask too much. Default: nobody is refused. */
  readonly rateLimiter?: RateLimiter;
  /** Gives a launch the signer of its new mint. Default: {@link grindMintAddress} finds one that ends in `777`. */
  readonly mintSigner?: MintSignerSource;
  /** Told of each answer, for logs and metrics. Default: errors that are not the caller's doing are written to the console. */
  readonly observe?: (event: RequestEvent) => void;
  /** Further documents to be read with `GET`, such as metrics, by their path. */
  readonly documents?: Readonly<Record<string, () => HttpDocument | Promise<HttpDocument>>>;
}

/** A request that was answered. */
export interface RequestEvent {
  readonly requestId: string;
  readonly method: string;
  /** One of the paths that are served, or `unknown`. */
  readonly path: string;
  readonly status: number;
  /** The error's code, if it is one. */
  readonly code?: string;
  readonly durationMs: number;
  readonly clientAddress?: string | undefined;
  /** What went wrong, if it was not the caller's doing. */
  readonly error?: unknown;
}

/** Says how many seconds to wait, or nothing to let the request pass. */
export type RateLimiter = (
  request: Pick<HttpRequest, 'header' | 'clientAddress'> & { readonly path: string },
) => RateLimit | undefined | Promise<RateLimit | undefined>;

/** A refusal for now. */
export interface RateLimit {
  readonly retryAfterSeconds: number;
}

/** A request, as any server can give it. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** What stands behind the question mark, if anything. */
  readonly query?: string | undefined;
  /** A header's value by its name in lower case. */
  readonly header: (name: string) => string | null | undefined;
  /** The body as text. Must throw as soon as it has more bytes. */
  readonly text: (mostBytes: number) => Promise<string>;
  /** Calls back once if the caller is gone before the answer is. */
  readonly onGone?: (listener: () => void) => void;
  readonly clientAddress?: string | undefined;
}

/** A document that is served as it is. */
export interface HttpDocument {
  /** Default 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, for any server to send. */
export interface HttpAnswer extends HttpDocument {
  readonly status: number;
}

/** The interface, for any server. Never throws. */
export type Endpoint = (request: HttpRequest) => Promise<HttpAnswer>;

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
    throw new HeavenError(
      'invalid-input',
      'client must be a client made with createClient, or a list of them.',
      {
        field: 'client',
      },
    );
  }
  const assertUpTo = (field: string, value: unknown, most: number) =>
    assertNumber(field, value, [Number.MIN_VALUE, most], `a number over 0 and up to ${most}`);
  assertUpTo('timeoutMs', timeoutMs, MAX_TIMER_MS);
  assertUpTo('maxBodyBytes', maxBodyBytes, Number.MAX_SAFE_INTEGER);
  if (cors !== '*' && cors !== false && !(Array.isArray(cors) && cors.every(isOrigin))) {
    throw new HeavenError(
      'invalid-input',
      "cors must be '*', false, or a list of origins such as ['https://app.example'].",
      { field: 'cors', value: cors },
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
  const pathOf = (path: string) =>
    Object.hasOwn(routes, path) || Object.hasOwn(all, path) ? path : 'unknown';

  const call = async (request: HttpRequest, path: string, work: Work): Promise<HttpDocument> => {
    const document = Object.hasOwn(all, path) ? all[path] : undefined;
    const route = Object.hasOwn(routes, path) ? (routes[path] as Route) : undefined;
    if (document === undefined && route === undefined)
      return refuse(unknownPath(request.path, Object.keys(routes)));
    const methods = route === undefined ? ['GET', 'HEAD'] : ['POST'];
    if (request.method === 'OPTIONS' && cors !== false) return preflight(methods);
    if (!methods.includes(request.method)) refuse(methodNotAllowed(path, request.method, methods));
    const isOperators = path === '/healthz' || path === '/readyz' || Object.hasOwn(documents, path);
    const limit = isOperators ? undefined : await rateLimiter?.({ ...callerOf(request), path });
    if (limit) refuse(rateLimited(limit));
    if (document !== undefined) return await document();
    return await answer(route as Route, clients, request, { maxBodyBytes, mintSigner, work });
  };

  return async (request) => {
    const started = performance.now();
    const path = pathOf(request.path);
    const requestId = requestIdOf(request.header('x-request-id'), nextId);
    const shared = { 'x-request-id': requestId, ...corsHeaders(cors, request.header('origin')) };
    const event = { requestId, method: request.method, path, clientAddress: request.clientAddress };
    try {
      const {
        status = 200,
        headers,
        body,
      } = await withinTime(
        { onGone: request.onGone, ms: timeoutMs, isReused: path.startsWith('/quote/') },
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

const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const json = (value: unknown, status = 200): HttpDocument => ({
  status,
  headers: JSON_HEADERS,
  body: stringifyJson(value),
});

/** A body that is larger than may be read. */
export const bodyTooLarge = (mostBytes: number) =>
  new HttpError({ status: 413, code: 'body-too-large', message: `The body is over ${mostBytes} bytes.` });

/** A body whose bytes are no text: another letter in their place would be another request. */
export const notUtf8 = () =>
  new HttpError({ status: 400, code: 'malformed-json', message: 'The body is not UTF-8.' });

/** A body that ends before it should. */
export const incompleteBody = (reason: string) =>
  new HttpError({ status: 400, code: 'incomplete-body', message: `The body ended early: ${reason}.` });

const refuse = (answer: ErrorAnswer): never => {
  throw new HttpError(answer);
};

const unknownPath = (path: string, paths: readonly string[]): ErrorAnswer => ({
  status: 404,
  code: 'unknown-path',
  message: `There is no path ${path.slice(0, 200)}.`,
  details: { paths },
});

const methodNotAllowed = (path: string, method: string, methods: readonly string[]): ErrorAnswer => ({
  status: 405,
  code: 'method-not-allowed',
  message: `${path} takes ${methods[0]}, not ${method}.`,
  headers: { allow: methods.join(', ') },
});

const rateLimited = ({ retryAfterSeconds }: RateLimit): ErrorAnswer => ({
  status: 429,
  code: 'rate-limited',
  message: 'Too many requests. Retry after the number of seconds in the retry-after header.',
  headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds) || 1)) },
});

const callerOf = ({ header, clientAddress }: HttpRequest) => ({ header, clientAddress });

/** The answer of one of the interface's paths. */
async function answer(
  route: Route,
  clients: readonly HeavenClient[],
  request: HttpRequest,
  {
    maxBodyBytes,
    mintSigner,
    work,
  }: {
    readonly maxBodyBytes: number;
    readonly mintSigner: MintSignerSource;
    readonly work: Work;
  },
): Promise<HttpDocument> {
  if (!/^application\/json\s*(;|$)/i.test(request.header('content-type') ?? '')) {
    refuse({
      status: 415,
      code: 'unsupported-media-type',
      message: 'Send the header content-type: application/json.',
    });
  }
  const integers = integersOf(request.query);
  work.isReceiving = true;
  const body = parsed(await request.text(maxBodyBytes));
  work.isReceiving = false;
  const { rounded, ...input } = unrounded(camelCaseKeys(validated(route, body)), integers);
  const client = clientFor(clients, input);
  const result = await route.call(client, { ...input, abortSignal: work.abortSignal } as never, {
    mintSigner,
  });
  const { details, ...documented } = route.respond(result as never, client.deployment) as {
    readonly details?: Details;
  };
  const noted = withNotes(details, { rounded, ignoredFields: ignoredFields(route, body) });
  const shown = snakeCaseKeys(noted === undefined ? documented : { ...documented, details: noted });
  return integers === 'string'
    ? { headers: JSON_HEADERS, body: stringifyJsonWithStrings(shown) }
    : json(shown);
}

/** How a caller's JSON treats integers over 2^53: as `string` it asks for text, as `exact` it keeps all digits. */
type Integers = 'string' | 'exact' | undefined;

function integersOf(query: string | undefined): Integers {
  const value = new URLSearchParams(query).get('integers');
  if (value === null || value === 'string' || value === 'exact') return value ?? undefined;
  return refuse({
    status: 400,
    code: 'invalid-request',
    message: `integers must be string or exact; got ${JSON.stringify(value.slice(0, 60))}.`,
    details: { fields: [{ field: 'integers', message: 'must be string or exact' }] },
  });
}

/** A checked request, its quote's amounts being none that doubles have rounded up. */
function unrounded(
  input: unknown,
  integers: Integers,
): ProgramInput & { readonly rounded: readonly RoundedAmount[] } {
  const { quoteResponse, ...rest } = input as ProgramInput;
  if (quoteResponse === undefined || integers === 'exact') return { ...(input as ProgramInput), rounded: [] };
  const { quote, rounded } = withoutRounding(quoteResponse);
  return { ...rest, quoteResponse: quote, rounded };
}

/** What stands behind an answer. */
interface Details {
  readonly warnings?: readonly Warning[];
}

/** Adds what was found odd in the request. */
function withNotes(
  details: Details | undefined,
  {
    rounded,
    ignoredFields,
  }: { readonly rounded: readonly RoundedAmount[]; readonly ignoredFields: readonly string[] },
): Details | undefined {
  if (rounded.length === 0 && ignoredFields.length === 0) return details;
  const warning = {
    code: 'rounded-quote',
    message: `The quote arrived rounded: ${rounded.map(({ field, received, used }) => `${fieldPath(field)} ${received} became ${used}, which is not above what was quoted`).join('; ')}. Pass details.exact on with the quote, or ask for it with ?integers=string.`,
  };
  return {
    ...details,
    ...(rounded.length === 0
      ? {}
      : {
          rounded: rounded.map((amount) => ({ ...amount, field: fieldPath(amount.field) })),
          warnings: [...(details?.warnings ?? []), warning],
        }),
    ...(ignoredFields.length === 0 ? {} : { ignoredFields }),
  } as Details;
}

/** The fields at the top of a request that its path does not know. */
function ignoredFields(route: Route, body: unknown): readonly string[] {
  let known = knownFields.get(route);
  if (known === undefined) {
    const { properties = {} } = z.toJSONSchema(route.request, { io: 'input', unrepresentable: 'any' });
    known = new Set(Object.keys(properties));
    knownFields.set(route, known);
  }
  const names = Object.keys(body as object).filter((name) => !known.has(name));
  return names.slice(0, MOST_NAMED).map((name) => name.slice(0, MOST_CHARACTERS));
}

const knownFields = new WeakMap<Route, ReadonlySet<string>>();
const MOST_NAMED = 20;
const MOST_CHARACTERS = 60;

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : 'is nested too deeply';
    return refuse({ status: 400, code: 'malformed-json', message: `The body ${reason}.` });
  }
}

function validated({ request }: Route, body: unknown): unknown {
  const { data, error } = request.safeParse(body);
  if (!error) return data;
  const fields = error.issues.map(({ path, message, code }) => ({
    field: path.join('.') || 'body',
    message: code === 'invalid_type' && message === 'Invalid input' ? 'must be an object' : message,
  }));
  return refuse({
    status: 400,
    code: 'invalid-request',
    message: fields.map(({ field, message }) => `${field} ${message}`).join('; '),
    details: { fields },
  });
}

interface ProgramInput {
  readonly programId?: unknown;
  readonly quoteResponse?: ReceivedQuote & { readonly programId?: unknown };
}

/** The client of the program that a request is for. With one alone, the builder refuses the quotes of others. */
function clientFor(
  clients: readonly HeavenClient[],
  { programId, quoteResponse }: ProgramInput,
): HeavenClient {
  const wanted = programId ?? quoteResponse?.programId;
  const found = clients.find(({ deployment }) => deployment.programAddress === wanted);
  const [first] = clients as readonly [HeavenClient];
  if (found !== undefined) return found;
  if (programId === undefined && clients.length === 1) return first;
  const served = clients.map(({ deployment }) => deployment.programAddress);
  return refuse({
    status: 422,
    code: 'unknown-program-id',
    message: `program_id is ${String(wanted)}, and only ${served.join(' and ')} ${served.length > 1 ? 'are' : 'is'} served here.`,
    details: {
      field: programId === undefined ? 'quote_response.program_id' : 'program_id',
      expected: served.join(' or '),
    },
  });
}

/** A request being answered. */
interface Work {
  readonly abortSignal: AbortSignal;
  /** Whether its body is still on its way. */
  isReceiving: boolean;
}

/** Controllers of quotes that ended well: making one costs more than answering a quote does. Only the library sees them. */
const spare: AbortController[] = [];
const MOST_SPARE = 1024;

/** Runs something for as long as the caller waits, and no longer than is allowed. */
function withinTime<T>(
  {
    onGone,
    ms,
    isReused,
  }: { readonly onGone: HttpRequest['onGone']; readonly ms: number; readonly isReused: boolean },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const controller = (isReused ? spare.pop() : undefined) ?? new AbortController();
    const work: Work = { abortSignal: controller.signal, isReceiving: false };
    const stop = (answer: ErrorAnswer) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      reject(new HttpError(answer));
      controller.abort(answer.code);
    };
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (isReused && spare.length < MOST_SPARE) spare.push(controller);
    };
    const timer = setTimeout(() => stop(work.isReceiving ? tooSlow(ms) : noAnswer(ms)), ms);
    onGone?.(() => stop({ status: 504, code: 'aborted', message: 'The caller is gone.' }));
    run(work).then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}

const tooSlow = (ms: number): ErrorAnswer => ({
  status: 408,
  code: 'request-timeout',
  message: `The request was not there within ${ms} ms.`,
});

const noAnswer = (ms: number): ErrorAnswer => ({
  status: 504,
  code: 'timeout',
  message: `There was no answer within ${ms} ms. Try again.`,
});

/** The caller's id of the request, if it is one that can be logged as it is, or a new one. */
const requestIdOf = (given: string | null | undefined, next: () => string): string =>
  typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : next();

/** Ids that no other process gives: a random part and a number. Drawn late: some engines have no randomness before a request. */
function requestIds(): () => string {
  let prefix: string | undefined;
  let count = 0;
  return () => {
    prefix ??= crypto.randomUUID().slice(0, 18);
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

function corsHeaders(
  cors: EndpointConfig['cors'],
  origin: string | null | undefined,
): Readonly<Record<string, string>> {
  if (cors === '*') return ANY_ORIGIN;
  if (!cors) return {};
  const isKnown = typeof origin === 'string' && cors.includes(origin);
  return isKnown
    ? { ...ANY_ORIGIN, 'access-control-allow-origin': origin, vary: 'origin' }
    : { vary: 'origin' };
}

const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
} as const;

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
