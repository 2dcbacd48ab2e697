import {
  isSolanaError,
  type RpcTransport,
  type SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { HeavenError, isHeavenError } from '../../base/errors.js';
import { isError } from '../../base/input.js';
import { outsideText } from '../../base/text.js';

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

/** What answered isn't a node: a web page at a wrong URL, or nothing. */
export const notJsonRpc = (method: string, cause?: unknown) =>
  new HeavenError(
    'rpc-invalid-response',
    `The answer to ${method} is not JSON-RPC. Check that the URL is that of an RPC node, not of a web page, or use another node.`,
    { method, reason: 'it is not JSON-RPC' },
    { cause },
  );

/** A node returned an account that can't be at an address that this library derived. */
export const wrongAccount = (account: string, address: string, reason: string) =>
  new HeavenError(
    'rpc-wrong-account',
    `The RPC node's account at ${address} can't be the ${account} that is there: ${reason}. Use another node. If all say so, check the cluster and the deployment.`,
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

/** The HTTP statuses of an address that takes no requests: it redirects (0 in a browser), doesn't exist or doesn't take a POST. */
const MISDIRECTED = /^[03]|^40[45]/;

/** Whether a node may give this code: JSON-RPC's own are negative, and 429 stands for HTTP's. The others are kit's. */
export const isNodesCode = (code: number): boolean => code < 0 || code === 429;

/** What kit says of an error of HTTP or JSON-RPC. */
export interface KitContext {
  readonly statusCode?: number;
  readonly message?: unknown;
  readonly headers?: Partial<Headers> | undefined;
  readonly __code?: number;
  readonly __serverMessage?: unknown;
}

/** This library's error for a request that failed. */
export async function rpcError(
  method: string,
  cause: unknown,
  context: KitContext = Object(Object(cause).context),
): Promise<HeavenError> {
  // Without a network, this module would not load either. Service workers load none: there, the words of a node are not looked up.
  const isAnswer = context.__code !== undefined || isUnread(cause);
  const words = isAnswer ? await import('./node-words.js').catch(() => undefined) : undefined;
  const limit = words?.limitIn(method, context);
  return limit
    ? new HeavenError('rpc-rate-limited', ...limit, { cause })
    : failed(method, cause, context, words?.adviceIn(context));
}

function failed(
  method: string,
  cause: unknown,
  { __code: rpcCode, __serverMessage: words }: KitContext,
  advice = 'Retry',
) {
  if (isHttpError(cause)) {
    const { statusCode: status } = cause.context;
    const message =
      status === 401 || status === 403
        ? `The RPC node refuses the key, or the caller (HTTP ${status} to ${method}). Check the key, or use another node.`
        : `The RPC node answered ${method} with HTTP ${status}. ${MISDIRECTED.test(String(status)) ? 'Check its URL' : advice}, or use another node.`;
    return status === 429
      ? new HeavenError('rpc-rate-limited', message, { method }, { cause })
      : new HeavenError('rpc-failed', message, { method, status }, { cause });
  }
  if (cause instanceof SyntaxError) return notJsonRpc(method, cause);
  if (rpcCode !== undefined && isNodesCode(rpcCode)) {
    const rpcMessage = typeof words === 'string' ? outsideText(words).replace(/[.\s]+$/, '') : '';
    const told = rpcMessage === '' ? '' : `: ${rpcMessage}`;
    return new HeavenError(
      'rpc-failed',
      `The RPC node answered ${method} with error ${rpcCode}${told}. ${advice}, or use another node.`,
      { method, rpcCode, ...(told === '' ? {} : { rpcMessage }) },
      { cause },
    );
  }
  const why = networkCodeOf(cause);
  const message =
    why === undefined
      ? `${method} failed at the RPC node, or the node could not be reached. Retry, or use another node.`
      : `${method} did not get through to the RPC node (${why}). Check its URL, try again, or use another node.`;
  return new HeavenError('rpc-failed', message, { method }, { cause });
}

/** The node did not answer in time. */
export const timedOut = (method: string, timeoutMs: number) =>
  new HeavenError(
    'rpc-timeout',
    `The RPC node did not answer ${method} within ${timeoutMs} ms. Retry, or use another node.`,
    { method, timeoutMs },
  );

/** The node's slot is older than the one that the request asks for. */
export const behind = (method: string, minContextSlot: bigint) =>
  new HeavenError(
    'rpc-behind',
    `The RPC node is behind: ${method} needs slot ${minContextSlot} or later, which was read before. Retry, or use another node.`,
    { method, minContextSlot },
  );

/**
 * A transport that throws a node's JSON-RPC error together with what the node says. Kit drops most messages, and its constructor
 * throws a `TypeError` for a code that it doesn't know. Kit itself reads the error of a preflight.
 */
export function throwingErrors(transport: (...args: Parameters<RpcTransport>) => unknown): RpcTransport {
  const throwing = async (request: Parameters<RpcTransport>[0]): Promise<unknown> => {
    const response = await transport(request);
    const { error } = Object(response) as { readonly error?: unknown };
    const { code: given, message } = Object(error) as Readonly<Record<string, unknown>>;
    const code = Number(given);
    const isPreflight = code === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE;
    if (!isNodesCode(code) || isPreflight) return response;
    const { method } = request.payload as { readonly method?: unknown };
    const context = { __code: code, __serverMessage: message };
    throw kitError(context) ?? (await rpcError(String(method), undefined, context));
  };
  return throwing as RpcTransport;
}

/** Kit's error with the node's message, or `undefined` for a code that kit doesn't know. */
function kitError({ __code, ...context }: Required<Pick<KitContext, '__code' | '__serverMessage'>>) {
  try {
    return new SolanaError(__code as typeof SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR, context as never);
  } catch {
    return undefined;
  }
}

/** Whether kit's constructor failed at a code that it doesn't know. Every engine words it differently. */
const isUnread = (error: unknown) => error instanceof TypeError && /\blength\b/.test(error.message);

/** Whether `fetch` could not connect, in the words of each engine. */
export const isUnreachable = (error: unknown): boolean =>
  networkCodeOf(error) !== undefined ||
  (isError(error) &&
    error.name === 'TypeError' &&
    /^(?:failed to fetch|fetch failed|load failed|(?:the )?network)/i.test(error.message));

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
