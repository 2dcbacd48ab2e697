import {
  type RpcTransport,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';

import { inputError } from '../../base/input.js';
import { parseRpcJson } from '../../base/json.js';
import { invalidResponse, isNodesCode, notJsonRpc, responseTooLarge } from './errors.js';
import { assertMaxResponseBytes, readText } from './response-text.js';

/** 16 MiB: some 5000 whole pools. */
export const DEFAULT_MAX_RESPONSE_BYTES = 16_777_216;

/**
 * A transport to one node, like kit's own with two differences: it stops reading an answer at `maxResponseBytes`, and it
 * rejects an answer to another request.
 *
 * Sending fails with kit's `SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR` for an HTTP error, with
 * `rpc-invalid-response`, and with whatever `fetch` and the reader of JSON throw.
 */
export function createHttpTransport(
  url: string,
  { maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES }: { readonly maxResponseBytes?: number | undefined },
): RpcTransport {
  assertMaxResponseBytes(maxResponseBytes);
  const transport = async ({ payload, signal }: Parameters<RpcTransport>[0]): Promise<unknown> => {
    const { id, method } = payload as { readonly id?: unknown; readonly method?: unknown };
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
      body: toJson(payload),
      // A redirect would carry the request, and a key in the URL, to wherever the answer names.
      // Workers don't know 'error'.
      redirect: 'manual',
      signal: signal ?? null,
    });
    const { ok, status: statusCode, statusText: message, headers } = response;
    if (!ok) {
      void response.body?.cancel().catch(() => {});
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, { headers, message, statusCode });
    }
    const text = await readText(response, maxResponseBytes);
    if (text === undefined) throw responseTooLarge(String(method), maxResponseBytes);
    const answer = parseRpcJson(text);
    if (id !== undefined && !isAnswerTo(id, answer)) {
      throw Object(answer).jsonrpc === undefined
        ? notJsonRpc(String(method))
        : invalidResponse(String(method), 'its id is not the id of the request');
    }
    return withSafeError(answer, String(method));
  };
  return transport as RpcTransport;
}

/** The URL of a node, or an error that does not repeat it: many URLs hold a key. */
export function rpcUrlOf(url: unknown, field: string): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw inputError(field, `${field} must be an http: or https: URL.`);
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url;
  throw inputError(
    field,
    `${field} must not contain a user name or a password: no engine sends them. Put a key in the path.`,
  );
}

/** Whether an answer is for this request. A node that can't read a request answers with an error and a null id. */
function isAnswerTo(request: unknown, answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const { id, error } = answer as { readonly id?: unknown; readonly error?: unknown };
  return id === request || (id === null && error !== undefined);
}

/**
 * Accepts only the codes of nodes, so that nobody takes a node's error for one that kit raises. Of the error's data it keeps what a
 * failed preflight says of the transaction, and the slot of a node that is behind.
 */
function withSafeError(answer: unknown, method: string): unknown {
  const { error } = answer as { readonly error?: unknown };
  if (error === undefined) return answer;
  const { code, message, data } = Object(error) as Readonly<Record<string, unknown>>;
  if (!Number.isInteger(code) || !isNodesCode(code as number) || typeof message !== 'string')
    throw invalidResponse(method, 'its error has no negative code or no message');
  const { err, logs, contextSlot } = Object(data) as Readonly<Record<string, unknown>>;
  const isPreflight = code === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE;
  return {
    ...(answer as object),
    // Whoever shows the message cleans it and then cuts it: half a key would not be recognized.
    error: { code, message: message.slice(0, 1_000), data: isPreflight ? { err, logs } : { contextSlot } },
  };
}

/** JSON, with each `bigint` as an integer. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? { $n: String(item) } : item,
  ).replace(/\{"\$n":"(-?\d+)"\}/g, '$1');
