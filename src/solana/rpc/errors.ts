import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, type SolanaError } from '@solana/kit';

import { HeavenError, isHeavenError } from '../../errors.js';

// What goes wrong between us and a node: wrong answers, and requests that fail.

/** Rejects a malformed response. */
export function invalidResponse(method: string, reason: string, cause?: unknown): HeavenError {
  return new HeavenError(
    'rpc-invalid-response',
    `The RPC node's answer to ${method} is not valid: ${reason}. Use another node.`,
    { method, reason },
    { cause },
  );
}

/** A node returned an account that can't be at an address that this library derived. */
export const wrongAccount = (account: string, address: string, reason: string) =>
  new HeavenError(
    'rpc-wrong-account',
    `The RPC node's account at ${address} can't be the ${account} that is there: ${reason}. Use another node. If all nodes say the same, check the cluster and the deployment's addresses.`,
    { account, address, reason },
  );

/** The response is longer than the limit, and was not read to its end. */
export const responseTooLarge = (method: string, maxResponseBytes: number) =>
  new HeavenError(
    'rpc-invalid-response',
    `The RPC node's answer to ${method} is longer than ${maxResponseBytes} bytes. Ask for less, use another node, or raise maxResponseBytes.`,
    { method, reason: `its answer is longer than ${maxResponseBytes} bytes`, maxResponseBytes },
  );

/**
 * Whether a transport got an HTTP error. A node can answer with a JSON-RPC error of the same code and any data: only a transport's
 * has headers that can be read.
 */
export const isHttpError = (
  error: unknown,
): error is SolanaError<typeof SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR> =>
  isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
  typeof (error.context.headers as Partial<Headers> | undefined)?.get === 'function';

/** This library's error for a request that failed. */
export function rpcError(method: string, cause: unknown): HeavenError {
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

/** JSON-RPC: the method does not exist. */
const NO_SUCH_METHOD = -32_601;

/** Reports a missing method of the node as such. Every other error stays as it is. */
export function explainMissingMethod(error: unknown, method: string): unknown {
  if (!isHeavenError(error, 'rpc-failed') || error.context.rpcCode !== NO_SUCH_METHOD) return error;
  return new HeavenError(
    'rpc-method-unsupported',
    `The RPC node does not answer ${method}. Use another node.`,
    { method, rpcCode: NO_SUCH_METHOD },
    { cause: error },
  );
}
