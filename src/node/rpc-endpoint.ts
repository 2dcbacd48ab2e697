import { randomUUID } from 'node:crypto';

import { notify } from '../client.js';
import type { Endpoint, EndpointConfig, HttpAnswer, HttpRequest } from '../http/endpoint.js';
import { answerOf } from '../http/errors.js';
import { parseJson, stringifyJson } from '../http/json.js';
import { type RpcDispatch, rpcError } from '../testing/rpc-methods/dispatch.js';
import { RPC_ERROR } from '../testing/rpc-methods/refusal.js';

const PATH = '/rpc';

/** What {@link withRpc} takes beside the ledger: as the endpoint around it. */
type RpcConfig = Required<Pick<EndpointConfig, 'cors' | 'maxBodyBytes' | 'observe'>> &
  Pick<EndpointConfig, 'rateLimiter'>;

/**
 * An endpoint that answers JSON-RPC at `/rpc` as well, as a node does: 200 whatever the answer says, so that a client
 * reads the error in it.
 */
export function withRpc(endpoint: Endpoint, dispatch: RpcDispatch, config: RpcConfig): Endpoint {
  const { observe } = config;
  return async (request) => {
    if (request.path !== PATH) return await endpoint(request);
    const started = performance.now();
    const given = request.header('x-request-id');
    const requestId = given && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
    const answer = await answerTo(request, dispatch, config);
    const { method, clientAddress } = request;
    const durationMs = performance.now() - started;
    notify(observe, { requestId, method, path: PATH, clientAddress, status: answer.status, durationMs });
    const headers = { ...answer.headers, ...corsHeaders(config.cors, request), 'x-request-id': requestId };
    return { ...answer, headers };
  };
}

async function answerTo(
  request: HttpRequest,
  dispatch: RpcDispatch,
  { cors, maxBodyBytes, rateLimiter }: RpcConfig,
): Promise<HttpAnswer> {
  const { method, header, clientAddress } = request;
  if (method === 'OPTIONS' && cors !== false) return PREFLIGHT;
  if (method !== 'POST') return refuse(405, `${PATH} takes POST, not ${method}.`, { allow: 'POST' });
  const limit = await rateLimiter?.({ header, clientAddress, path: PATH });
  if (limit) {
    const seconds = String(Math.max(1, Math.ceil(limit.retryAfterSeconds) || 1));
    return refuse(429, `Too many requests. Retry after ${seconds} seconds.`, { 'retry-after': seconds });
  }
  if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? ''))
    return refuse(415, 'Send the header content-type: application/json.');
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

const json = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  // Notifications have no answer.
  body: value === undefined ? '' : stringifyJson(value),
});

const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  json(status, rpcError(null, RPC_ERROR.invalidRequest, message), headers);

/** Clients of nodes add headers of their own, such as `solana-client`. */
const PREFLIGHT: HttpAnswer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
  },
  body: '',
};

function corsHeaders(cors: RpcConfig['cors'], { header }: HttpRequest): Readonly<Record<string, string>> {
  if (cors === false) return {};
  if (cors === '*') return { ...EXPOSED, 'access-control-allow-origin': '*' };
  const origin = header('origin');
  const isKnown = typeof origin === 'string' && cors.includes(origin);
  return isKnown ? { ...EXPOSED, 'access-control-allow-origin': origin, vary: 'origin' } : { vary: 'origin' };
}

const EXPOSED = { 'access-control-expose-headers': 'retry-after, x-request-id' } as const;
