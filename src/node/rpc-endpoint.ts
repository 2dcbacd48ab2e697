import { randomUUID } from 'node:crypto';
import {
  answerOf,
  type Endpoint,
  type EndpointConfig,
  type HttpRequest,
  type HttpResponse,
  parseJson,
  stringifyJson,
} from 'heaven-pools/http';

import { corsHeaders, isJson, JSON_HEADERS, requestIdOf, retryAfter } from '../http/exchange.js';
import { notify } from '../solana/rpc/notify.js';
import { type RpcDispatch, rpcError } from '../testing/rpc-methods/dispatch.js';
import { RPC_ERROR } from '../testing/rpc-methods/rpc.js';

const PATH = '/rpc';

/** The options of {@link withRpc} besides the ledger, like those of the endpoint that it wraps. */
type RpcConfig = Required<Pick<EndpointConfig, 'cors' | 'maxBodyBytes' | 'observe'>> &
  Pick<EndpointConfig, 'rateLimiter'>;

/**
 * An endpoint that also answers JSON-RPC at `/rpc` like a node. The status is always 200, so that clients read the error in the body.
 */
export function withRpc(endpoint: Endpoint, dispatch: RpcDispatch, config: RpcConfig): Endpoint {
  const { observe } = config;
  return async (request) => {
    if (request.path !== PATH) return await endpoint(request);
    const started = performance.now();
    const requestId = requestIdOf(request.header('x-request-id'), randomUUID);
    const answer = await answerTo(request, dispatch, config);
    const { method, clientAddress } = request;
    const durationMs = performance.now() - started;
    notify(observe, { requestId, method, path: PATH, clientAddress, status: answer.status, durationMs });
    const cors = corsHeaders(config.cors, request.header('origin'));
    return { ...answer, headers: { ...answer.headers, ...cors, 'x-request-id': requestId } };
  };
}

async function answerTo(
  request: HttpRequest,
  dispatch: RpcDispatch,
  { cors, maxBodyBytes, rateLimiter }: RpcConfig,
): Promise<HttpResponse> {
  const { method, header, clientAddress } = request;
  if (method === 'OPTIONS' && cors !== false) return PREFLIGHT;
  if (method !== 'POST') return refuse(405, `${PATH} takes POST, not ${method}.`, { allow: 'POST' });
  const limit = await rateLimiter?.({ header, clientAddress, path: PATH });
  if (limit) {
    const headers = retryAfter(limit);
    return refuse(429, `Too many requests. Retry after ${headers['retry-after']} seconds.`, headers);
  }
  if (!isJson(request)) return refuse(415, 'Send the header content-type: application/json.');
  let text: string;
  try {
    text = await request.text(maxBodyBytes);
  } catch (error) {
    const { status, message } = answerOf(error);
    return refuse(status, message);
  }
  let payload: unknown;
  try {
    payload = parseJson(text);
  } catch {
    return json(200, rpcError(null, RPC_ERROR.parse, 'Parse error'));
  }
  return json(200, await dispatch(payload));
}

type Headers = Readonly<Record<string, string>>;

const json = (status: number, value: unknown, headers: Headers = {}): HttpResponse => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  // Notifications have no answer.
  body: value === undefined ? '' : stringifyJson(value),
});

const refuse = (status: number, message: string, headers?: Headers) =>
  json(status, rpcError(null, RPC_ERROR.invalidRequest, message), headers);

/** RPC clients add their own headers, such as `solana-client`. */
const PREFLIGHT: HttpResponse = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
  },
  body: '',
};
