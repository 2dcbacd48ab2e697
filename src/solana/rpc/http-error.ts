import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, type SolanaError } from '@solana/kit';

/**
 * Whether a transport got an HTTP error. A node can answer with a JSON-RPC error of the same code and any data: only a transport's
 * has headers that can be read.
 */
export const isHttpError = (
  error: unknown,
): error is SolanaError<typeof SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR> =>
  isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
  typeof (error.context.headers as Partial<Headers> | undefined)?.get === 'function';
