import { isSolanaError } from '@solana/kit';

import { HeavenError, isHeavenError } from '../../errors.js';
import { assertAbortSignal } from '../../input.js';
import { isHttpError } from './http-error.js';
import { withinTime } from './within-time.js';

/** Lets a caller cancel what a function reads from the node. */
export interface RequestOptions {
  /** Cancels the call: the function then throws `aborted`. */
  readonly abortSignal?: AbortSignal | undefined;
}

interface PendingRequest<TResponse> {
  send(options: { abortSignal: AbortSignal }): Promise<TResponse>;
}

/**
 * Sends a request within a time limit and turns whatever goes wrong into this library's errors.
 * @throws {HeavenError} `rpc-failed`, `rpc-rate-limited`, `rpc-timeout`, `aborted`
 */
export async function send<TResponse>(
  { timeoutMs }: { readonly timeoutMs: number },
  method: string,
  request: PendingRequest<TResponse>,
  { abortSignal }: RequestOptions,
): Promise<TResponse> {
  assertAbortSignal(abortSignal, 'abortSignal');
  try {
    return await withinTime((signal) => request.send({ abortSignal: signal }), {
      ms: timeoutMs,
      abortSignal,
      onTimeout: () =>
        new HeavenError(
          'rpc-timeout',
          `The RPC node did not answer ${method} within ${timeoutMs} ms. Retry, or use another node.`,
          { method, timeoutMs },
        ),
      onAbort: () => new HeavenError('aborted', `${method} was aborted by the caller.`, { method }),
    });
  } catch (error) {
    throw isHeavenError(error) ? error : rpcError(method, error);
  }
}

function rpcError(method: string, cause: unknown): HeavenError {
  if (isHttpError(cause)) {
    const { statusCode: status, headers } = cause.context;
    if (status === 429) {
      const after = Number(headers?.get('retry-after') ?? Number.NaN);
      const advice = after > 0 && Number.isFinite(after) ? `Wait ${after} s` : 'Slow down';
      return new HeavenError(
        'rpc-rate-limited',
        `Too many requests for the RPC node (HTTP 429 to ${method}). ${advice}, or use another node.`,
        { method, ...(Number.isFinite(after) ? { retryAfterSeconds: after } : {}) },
        { cause },
      );
    }
    const message =
      status === 401 || status === 403
        ? `The RPC node refuses the key, or the caller (HTTP ${status} to ${method}). Check the key, or use another node.`
        : `The RPC node answered ${method} with HTTP ${status}. Retry, or use another node.`;
    return new HeavenError('rpc-failed', message, { method, status }, { cause });
  }
  // JSON-RPC's own codes are negative; the others are kit's.
  const rpcCode = isSolanaError(cause) && cause.context.__code < 0 ? cause.context.__code : undefined;
  const why = networkCodeOf(cause);
  return new HeavenError(
    'rpc-failed',
    why === undefined
      ? `${method} failed at the RPC node, or the node could not be reached. Retry, or use another node.`
      : `${method} did not get through to the RPC node (${why}). Check its URL, try again, or use another node.`,
    { method, ...(rpcCode === undefined ? {} : { rpcCode }) },
    { cause },
  );
}

/** What the system says of a connection that failed, such as `ENOTFOUND`: fetch hides it in the cause. Never a URL. */
export function networkCodeOf(error: unknown): string | undefined {
  const codeOf = (each: unknown) => (each as { readonly code?: unknown } | null | undefined)?.code;
  const code = codeOf((error as Error | null | undefined)?.cause) ?? codeOf(error);
  return typeof code === 'string' && /^[A-Z][A-Z_\d]{2,39}$/.test(code) ? code : undefined;
}
