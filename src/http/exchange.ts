import { stringifyJson, stringifyJsonWithStrings } from '../base/json.js';

// What all endpoints share.

/** What a server knows of a caller. */
export interface Caller {
  readonly clientAddress?: string | undefined;
}

/** Answers a request. */
export type FetchHandler = (request: Request, caller?: Caller) => Response | Promise<Response>;

/** A document to serve unchanged. */
export interface HttpDocument {
  /** Default 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The origins whose pages may call. */
export type Cors = '*' | readonly string[] | false;

export const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

export const isHeaderName = (value: unknown): boolean => typeof value === 'string' && /^[\w-]+$/.test(value);

/** Which pages may read the answer. */
export function corsHeaders(cors: Cors, origin: string | undefined): Readonly<Record<string, string>> {
  if (cors === '*') return { 'access-control-allow-origin': '*', ...EXPOSED };
  if (cors === false) return {};
  if (origin === undefined || !cors.includes(origin)) return { vary: 'origin' };
  return { vary: 'origin', 'access-control-allow-origin': origin, ...EXPOSED };
}

/** Says that the figures of an answer are the embedded ledger's, and not those of a market. */
export const LEDGER_HEADER = 'x-heaven-ledger';

const EXPOSED = { 'access-control-expose-headers': `retry-after, x-request-id, ${LEDGER_HEADER}` } as const;

/** What a page may send to a path. */
export const preflightHeaders = (methods: readonly string[], allowHeaders: string) => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': allowHeaders,
  'access-control-max-age': '86400',
});

export const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

/** @param integers What the caller's `?integers=` says: with `string`, those over 2^53 are text. */
export const json = (value: unknown, status = 200, integers?: string): HttpDocument => ({
  status,
  headers: JSON_HEADERS,
  body: (integers === 'string' ? stringifyJsonWithStrings : stringifyJson)(value),
});

/** The `retry-after` header. */
export const retryAfter = ({ retryAfterSeconds = 1 }: { readonly retryAfterSeconds?: number }) => ({
  'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds) || 1)),
});
