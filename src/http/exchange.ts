import { stringifyJson } from './json.js';

// What endpoints have in common, whatever they answer.

/** A request, as any server can give it. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** The part after the question mark, if any. */
  readonly query?: string | undefined;
  /** A header's value by its name in lower case. */
  readonly header: (name: string) => string | null | undefined;
  /** The body as text. Must throw as soon as it has more bytes. */
  readonly text: (mostBytes: number) => Promise<string>;
  /** Calls back once if the caller disconnects before the answer is sent. */
  readonly onGone?: (listener: () => void) => void;
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
export interface HttpAnswer extends HttpDocument {
  readonly status: number;
}

/** Which pages of other origins may call. */
export type Cors = '*' | readonly string[] | false;

/** The caller's id of the request, if it is one that can be logged as it is, or a new one. */
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

/** Whether a request says that its body is JSON. */
export const isJson = ({ header }: HttpRequest): boolean =>
  /^application\/json\s*(;|$)/i.test(header('content-type') ?? '');

/** The header that says how long to wait. */
export const retryAfter = ({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) => ({
  'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds) || 1)),
});
