/**
 * The HTTP interface: its `fetch` handler, and the client of a service that serves it.
 *
 * @module heaven-pools/http
 */

export type { Endpoint, EndpointConfig, RateLimit, RateLimiter, RequestEvent } from './endpoint.js';
export type { HttpDocument, HttpRequest, HttpResponse } from './exchange.js';
export { createHandler, type Handler, type HandlerConfig } from './handler.js';
export {
  createRemoteClient,
  type LaunchSigner,
  type RemoteClient,
  type RemoteClientConfig,
} from './remote-client.js';
