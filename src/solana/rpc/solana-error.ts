import type {
  SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
  SolanaErrorCode,
} from '@solana/kit';

// RPC errors as kit throws and recognizes them, without kit: under esbuild, importing its class or any of its codes adds all
// of its error messages to a bundle, some 10 KB.

/** The types hold these numbers to kit's. */
export const HTTP_ERROR: typeof SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR = 8_100_002;
export const MALFORMED_ERROR: typeof SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR = 10;

/** The same as kit's `isSolanaError`. */
export const isSolanaError = <TCode extends SolanaErrorCode = SolanaErrorCode>(
  error: unknown,
  code?: TCode,
): error is SolanaError<TCode> =>
  error instanceof Error &&
  error.name === 'SolanaError' &&
  (code === undefined || (error as SolanaError).context.__code === code);

/** An error that kit's `isSolanaError` recognizes, as it does one of another copy of kit. */
export const createSolanaError = (code: number, message: string, context: object): Error =>
  Object.assign(new Error(message), {
    name: 'SolanaError',
    context: Object.freeze({ ...context, __code: code }),
  });
