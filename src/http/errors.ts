import { type HeavenError, type HeavenErrorCode, isHeavenError } from '../base/errors.js';
import { retryAfter } from './exchange.js';
import { fieldPath } from './names.js';
import { inInterfaceNames } from './texts.js';

/** An error response of the HTTP interface. */
export interface ErrorAnswer {
  readonly status: 400 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 499 | 500 | 502 | 503 | 504;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error for requests that the handler itself rejects. */
export class HttpError extends Error {
  readonly answer: ErrorAnswer;

  constructor(answer: ErrorAnswer) {
    super(answer.message);
    this.answer = answer;
  }
}

export function refuse(answer: ErrorAnswer): never {
  throw new HttpError(answer);
}

/** The HTTP status of each library error. */
export const STATUS: Readonly<Record<HeavenErrorCode, ErrorAnswer['status']>> = {
  'invalid-input': 400,
  'invalid-address': 400,
  'invalid-amount': 400,
  'zero-amount': 400,
  'amount-out-of-range': 400,
  'invalid-slippage': 400,
  'malformed-data': 400,
  'pool-not-found': 404,
  'account-not-found': 404,
  'insufficient-liquidity': 422,
  'fees-exceed-amount': 422,
  'output-is-zero': 422,
  'invalid-account-data': 422,
  'unusable-account': 422,
  'pool-mismatch': 422,
  'price-unavailable': 422,
  'operation-disabled': 422,
  'not-authorized': 422,
  'invalid-fees': 422,
  'insufficient-balance': 422,
  'no-pool-trades': 422,
  'pool-not-open': 422,
  'quote-mismatch': 422,
  'unsupported-mint': 422,
  'token-not-transferable': 422,
  'pool-exists': 422,
  'fees-not-claimable': 422,
  'spend-too-low': 422,
  'transaction-too-large': 422,
  'invalid-transaction': 422,
  'not-patchable': 422,
  'transaction-not-signed': 422,
  'outcome-unknown': 504,
  'lifetime-stale': 502,
  'rpc-failed': 502,
  'rpc-rate-limited': 502,
  'rpc-invalid-response': 502,
  'rpc-wrong-account': 502,
  'history-incomplete': 502,
  'rpc-behind': 502,
  'rpc-method-unsupported': 502,
  'transaction-mismatch': 422,
  'rpc-timeout': 504,
  'service-failed': 502,
  'missing-package': 500,
  aborted: 499,
};

/**
 * The part of an error that callers may see: nothing about the node, files or stacks. For an interface of your own, such as an MCP server,
 * that shows errors as the HTTP interface does.
 *
 * @example
 * ```ts
 * const { status, code } = answerOf(new Error('not for callers'));
 * console.log(status, code); // 500 internal-error
 * ```
 */
export function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof HttpError) return error.answer;
  if (!isHeavenError(error)) {
    const message = 'Internal error: this is a bug. Tell the operator of the service the x-request-id.';
    return { status: 500, code: 'internal-error', message };
  }
  return {
    status: STATUS[error.code] ?? 500,
    code: error.code,
    message: inInterfaceNames(withoutNodesWords(error), fieldOf(error)),
    details: detailsOf(error),
    ...(isHeavenError(error, 'rpc-rate-limited') ? { headers: retryAfter(error.context) } : {}),
  };
}

/** What a node says is between it and its operator. */
const withoutNodesWords = ({ message, context }: HeavenError): string =>
  'rpcMessage' in context ? message.replace(`: ${context.rpcMessage}`, '') : message;

/** The field that an error is about. */
const fieldOf = ({ context }: HeavenError): string => ('field' in context ? String(context.field) : '');

/** Whether a detail is a text of ours. What an error repeats of a request stays as it came. */
export const isOwnText = (name: string): boolean => !['value', 'asked', 'found'].includes(name);

function detailsOf(error: HeavenError): Readonly<Record<string, unknown>> {
  const field = fieldOf(error);
  const { rpcMessage: _, ...context } = error.context as Readonly<Record<string, unknown>>;
  const details = Object.entries(context).map(([name, value]) => {
    if (name === 'field') return [name, fieldPath(field)];
    const text = shown(value);
    const isOurs = typeof text === 'string' && isOwnText(name);
    return [fieldPath(name), isOurs ? inInterfaceNames(text, field) : text];
  });
  return Object.fromEntries(details);
}

/** A value for a response, shortened if it is long. */
const shown = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 200
    ? `${value.slice(0, 200)}…`
    : typeof value === 'object' && value !== null
      ? String(value)
      : value;
