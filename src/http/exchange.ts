import { stringifyJson } from './json.js';

// What all endpoints share.

/** A request in a form that any server can provide. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** The part after the question mark, if any. */
  readonly query?: string | undefined;
  /** A header's value by its name in lower case. */
  readonly header: (name: string) => string | null | undefined;
  /** The body as text. Must throw as soon as it has more bytes. */
  readonly text: (maxBytes: number) => Promise<string>;
  /** Calls back once if the caller disconnects before the answer is sent. */
  readonly onDisconnect?: (listener: () => void) => void;
  readonly clientAddress?: string | undefined;
}

/** A document to serve unchanged. */
export interface HttpDocument {
  /** Default 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, for any server to send. */
export interface HttpResponse extends HttpDocument {
  readonly status: number;
}

/** The origins whose pages may call. */
export type Cors = '*' | readonly string[] | false;

/** The caller's request id if it is safe to log, or a new one. */
export const requestIdOf = (given: string | null | undefined, next: () => string): string =>
  typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : next();

export function corsHeaders(cors: Cors, origin: string | null | undefined): Readonly<Record<string, string>> {
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

export const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export const json = (value: unknown, status = 200): HttpDocument => ({
  status,
  headers: JSON_HEADERS,
  body: stringifyJson(value),
});

/** Whether a request declares a JSON body. */
export const isJson = ({ header }: HttpRequest): boolean =>
  /^application\/json\s*(;|$)/i.test(header('content-type') ?? '');

/** The `retry-after` header. */
export const retryAfter = ({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) => ({
  'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds) || 1)),
});
