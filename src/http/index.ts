/**
 * The HTTP interface: its `fetch` handler, and the client of a service that serves it.
 *
 * @module heaven-pools/http
 */

export {
  bodyTooLarge,
  type Endpoint,
  type EndpointConfig,
  incompleteBody,
  notUtf8,
  type RateLimit,
  type RateLimiter,
  type RequestEvent,
} from './endpoint.js';
export { answerOf, type ErrorAnswer } from './errors.js';
export type { HttpDocument, HttpRequest, HttpResponse } from './exchange.js';
export { createHandler, type Handler, type HandlerConfig } from './handler.js';
export { parseJson, stringifyJson } from './json.js';
export {
  createRemoteClient,
  type RemoteClient,
  type RemoteClientConfig,
} from './remote-client.js';
