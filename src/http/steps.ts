import type { Context, MiddlewareHandler } from 'hono';
import type { RequestIdVariables } from 'hono/request-id';

import { notify } from '../solana/rpc/notify.js';
import { answerOf, type ErrorAnswer, refuse } from './errors.js';
import { type Caller, type Cors, retryAfter } from './exchange.js';

// The steps of an answer, as Hono's middleware.

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
}

/** What Hono passes on with a request. */
export interface Env {
  Bindings: Caller;
  Variables: RequestIdVariables;
}

/** Reports each answer. An error is passed on only if it isn't the caller's fault. */
export function observeWith(
  observe: (event: RequestEvent) => void,
  known: ReadonlySet<string>,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { path, method } = c.req;
    const { status } = c.res;
    const { error } = c;
    const code = error && answerOf(error).code;
    notify(observe, {
      requestId: c.get('requestId'),
      method,
      path: known.has(path) ? path : 'unknown',
      clientAddress: c.env.clientAddress,
      status,
      durationMs: performance.now() - started,
      ...(code === undefined ? {} : { code }),
      ...(error && status >= 500 && code !== 'aborted' ? { error } : {}),
    });
  };
}

/** Rejects a request if the rate limiter does. */
export async function limitRate(c: Context<Env>, rateLimiter: RateLimiter | undefined): Promise<void> {
  const header = (name: string) => c.req.header(name);
  const limit = await rateLimiter?.({ header, clientAddress: c.env.clientAddress, path: c.req.path });
  if (limit) refuse(rateLimited(limit));
}

/** Tells browsers which pages may read the answer. Hono's own also costs more than a tenth of the throughput. */
export function allowOrigins(cors: Cors): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin') ?? '';
    if (cors !== '*' && cors !== false) c.header('vary', 'origin');
    if (cors === '*' || (cors !== false && cors.includes(origin))) {
      c.header('access-control-allow-origin', cors === '*' ? '*' : origin);
      c.header('access-control-expose-headers', 'retry-after, x-request-id');
    }
    await next();
  };
}

/** Answers a browser that asks what a page may send. */
export function preflightWith(allowHeaders: readonly string[]) {
  const headers = ['content-type', 'x-request-id', ...allowHeaders.map((name) => name.toLowerCase())];
  const allowed = [...new Set(headers)].join(', ');
  return (methods: readonly string[]) => (c: Context) =>
    c.body(null, 204, {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': allowed,
      'access-control-max-age': '86400',
    });
}

export const methodNotAllowed = (path: string, method: string, methods: readonly string[]): ErrorAnswer => ({
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
