import type {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
  SolanaErrorCode,
} from '@solana/kit';

// RPC errors as kit throws and recognizes them, without kit: under esbuild, importing its class or any of its codes adds all
// of its error messages to a bundle, some 10 KB.

/** The types hold these numbers to kit's. */
export const HTTP_ERROR: typeof SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR = 8_100_002;
export const PREFLIGHT_FAILURE: typeof SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE =
  -32_002;
export const MALFORMED_ERROR: typeof SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR = 10;

/** The same as kit's `isSolanaError`. */
export const isSolanaError = <TCode extends SolanaErrorCode = SolanaErrorCode>(
  error: unknown,
  code?: TCode,
): error is SolanaError<TCode> =>
  error instanceof Error &&
  error.name === 'SolanaError' &&
  (code === undefined || (error as SolanaError).context.__code === code);

/**
 * Whether a transport got an HTTP error. A node can answer with a JSON-RPC error of the same code and any data: only a transport's
 * has headers that can be read.
 */
export const isHttpError = (error: unknown): error is SolanaError<typeof HTTP_ERROR> =>
  isSolanaError(error, HTTP_ERROR) &&
  typeof (error.context.headers as Partial<Headers> | undefined)?.get === 'function';

/** An error that kit's `isSolanaError` recognizes, as it does one of another copy of kit. */
export const createSolanaError = (code: number, message: string, context: object): Error =>
  Object.assign(new Error(message), {
    name: 'SolanaError',
    context: Object.freeze({ ...context, __code: code }),
  });
