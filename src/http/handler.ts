import { Endpoint, type HandlerConfig } from './endpoint.js';
import type { Caller } from './exchange.js';

/** A web-standard handler: for any server, worker or test. */
export interface Handler {
  (request: Request, caller?: Caller): Promise<Response>;
  /** The same without a caller, to mount in an app of yours: `app.mount('/heaven', handler.fetch)`. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * The HTTP interface as a `fetch` handler, for Node, Cloudflare Workers, Deno, Bun or an app of yours.
 *
 * It keeps no state. On a long-running server, pass it a client made with `shareReads`.
 *
 * @throws {HeavenError} `invalid-input`; the handler itself answers every error and never throws
 * @example
 * ```ts
 * const handler = createHandler({ client });
 * const response = await handler(new Request('https://heaven.example/healthz'));
 * console.log(response.status); // 200
 * ```
 */
export function createHandler(config: HandlerConfig): Handler {
  const endpoint = new Endpoint(config);
  const handler = (request: Request, caller: Caller = {}) => endpoint.fetch(request, caller);
  return Object.assign(handler, { fetch: (request: Request) => handler(request) });
}
