/**
 * The HTTP interface: its `fetch` handler, and the client of a service that serves it.
 *
 * @module heaven-pools/http
 */

export type { HandlerConfig } from './endpoint.js';
export { answerOf, type ErrorAnswer } from './errors.js';
export type { Caller, FetchHandler, HttpDocument } from './exchange.js';
export { createHandler, type Handler } from './handler.js';
export { parseJson, stringifyJson } from './json.js';
export {
  createRemoteClient,
  type RemoteClient,
  type RemoteClientConfig,
} from './remote-client.js';
export type { RateLimit, RateLimitedRequest, RateLimiter, RequestEvent } from './steps.js';
