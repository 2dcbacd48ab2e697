import { type FetchHandler, type HandlerConfig, parseJson, stringifyJson } from 'heaven-pools/http';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { type RequestIdVariables, requestId } from 'hono/request-id';

import { textOf } from '../http/body.js';
import { answerOf, refuse } from '../http/errors.js';
import { type Caller, isJson, JSON_HEADERS, retryAfter } from '../http/exchange.js';
import { notify } from '../solana/rpc/notify.js';
import { type RpcDispatch, rpcError } from '../testing/rpc-methods/dispatch.js';
import { RPC_ERROR } from '../testing/rpc-methods/rpc.js';

const PATH = '/rpc';

/** The options of {@link withRpc} besides the ledger, like those of the handler that it wraps. */
type RpcConfig = Required<Pick<HandlerConfig, 'cors' | 'maxBodyBytes' | 'observe'>> &
  Pick<HandlerConfig, 'rateLimiter'>;

type RpcContext = Context<{ Bindings: Caller; Variables: RequestIdVariables }>;

/**
 * A handler that also answers JSON-RPC at `/rpc` like a node. The status is always 200, so that clients read the error in the body.
 */
export function withRpc(handler: FetchHandler, dispatch: RpcDispatch, config: RpcConfig): FetchHandler {
  const app = new Hono<{ Bindings: Caller; Variables: RequestIdVariables }>();
  app.use(PATH, (c, next) => report(c, next, config.observe), requestId({ limitLength: 64 }));
  if (config.cors !== false) {
    const origin = config.cors === '*' ? '*' : [...config.cors];
    const exposeHeaders = ['retry-after', 'x-request-id'];
    // Without a list of headers, any is allowed: RPC clients add their own, such as `solana-client`.
    app.use(PATH, cors({ origin, allowMethods: ['POST'], exposeHeaders, maxAge: 86_400 }));
  }
  app.post(PATH, async (c) => send(c, await answerTo(c, dispatch, config)));
  app.all(PATH, (c) => {
    c.header('allow', 'POST');
    return refuse({
      status: 405,
      code: 'method-not-allowed',
      message: `${PATH} takes POST, not ${c.req.method}.`,
    });
  });
  app.all('*', (c) => handler(c.req.raw, c.env));
  app.onError((error, c) => {
    const { status, message } = answerOf(error);
    c.status(status);
    return send(c, rpcError(null, RPC_ERROR.invalidRequest, message));
  });
  return (request, caller = {}) => app.fetch(request, caller);
}

async function report(
  c: RpcContext,
  next: () => Promise<void>,
  observe: RpcConfig['observe'],
): Promise<void> {
  const started = performance.now();
  await next();
  const { clientAddress } = c.env;
  const durationMs = performance.now() - started;
  const { method } = c.req;
  const event = { requestId: c.get('requestId'), method, path: PATH, clientAddress, durationMs };
  notify(observe, { ...event, status: c.res.status });
}

async function answerTo(
  c: RpcContext,
  dispatch: RpcDispatch,
  { maxBodyBytes, rateLimiter }: RpcConfig,
): Promise<unknown> {
  const { clientAddress } = c.env;
  const limit = await rateLimiter?.({ header: (name) => c.req.header(name), clientAddress, path: PATH });
  if (limit) {
    const { 'retry-after': seconds } = retryAfter(limit);
    c.header('retry-after', seconds);
    refuse({
      status: 429,
      code: 'rate-limited',
      message: `Too many requests. Retry after ${seconds} seconds.`,
    });
  }
  if (!isJson(c.req.raw)) {
    const message = 'Send the header content-type: application/json.';
    refuse({ status: 415, code: 'unsupported-media-type', message });
  }
  const text = await textOf(c.req.raw, maxBodyBytes);
  let payload: unknown;
  try {
    payload = parseJson(text);
  } catch {
    return rpcError(null, RPC_ERROR.parse, 'Parse error');
  }
  return await dispatch(payload);
}

/** Notifications have no answer. */
const send = (c: RpcContext, answer: unknown): Response =>
  c.newResponse(answer === undefined ? '' : stringifyJson(answer), { headers: JSON_HEADERS });
