import type { FetchHandler, HandlerConfig } from 'heaven-pools/http';
import { parseJson, stringifyJson } from 'heaven-pools/http';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';

import { textOf } from '../http/body.js';
import { answerOf, refuse } from '../http/errors.js';
import { isJson, JSON_HEADERS } from '../http/exchange.js';
import { type Env, limitRate, methodNotAllowed, observeWith } from '../http/steps.js';
import { type RpcDispatch, rpcError } from '../testing/rpc-methods/dispatch.js';
import { RPC_ERROR } from '../testing/rpc-methods/rpc.js';

const PATH = '/rpc';

/** The options of {@link withRpc} besides the ledger, like those of the handler that it wraps. */
type RpcConfig = Required<Pick<HandlerConfig, 'cors' | 'maxBodyBytes' | 'observe'>> &
  Pick<HandlerConfig, 'rateLimiter'>;

/**
 * A handler that also answers JSON-RPC at `/rpc` like a node. The status is always 200, so that clients read the error in the body.
 */
export function withRpc(handler: FetchHandler, dispatch: RpcDispatch, config: RpcConfig): FetchHandler {
  const { cors: origins, maxBodyBytes, observe, rateLimiter } = config;
  const app = new Hono<Env>();
  app.use(PATH, observeWith(observe, new Set([PATH])), requestId({ limitLength: 64 }));
  if (origins !== false) {
    // RPC clients add their own headers, such as `solana-client`: no list of headers allows any.
    const origin = origins === '*' ? origins : [...origins];
    app.use(PATH, cors({ origin, allowMethods: ['POST'], maxAge: 86_400, exposeHeaders: EXPOSED }));
  }
  app.post(PATH, async (c) => {
    await limitRate(c, rateLimiter);
    if (!isJson(c.req.raw)) {
      const message = 'Send the header content-type: application/json.';
      refuse({ status: 415, code: 'unsupported-media-type', message });
    }
    const text = await textOf(c.req.raw, maxBodyBytes);
    return send(c, await answerTo(text, dispatch));
  });
  app.all(PATH, (c) => refuse(methodNotAllowed(PATH, c.req.method, ['POST'])));
  app.onError((error, c) => {
    const { status, message, headers = {} } = answerOf(error);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    c.status(status);
    return send(c, rpcError(null, RPC_ERROR.invalidRequest, message));
  });
  app.all('*', (c) => handler(c.req.raw, c.env));
  return (request, caller = {}) => app.fetch(request, caller);
}

const EXPOSED = ['retry-after', 'x-request-id'];

async function answerTo(text: string, dispatch: RpcDispatch): Promise<unknown> {
  let payload: unknown;
  try {
    payload = parseJson(text);
  } catch {
    return rpcError(null, RPC_ERROR.parse, 'Parse error');
  }
  return await dispatch(payload);
}

/** Notifications have no answer. */
const send = (c: Context, answer: unknown): Response =>
  c.newResponse(answer === undefined ? '' : stringifyJson(answer), { headers: JSON_HEADERS });
