/**
 * The HTTP interface: its `fetch` handler, and the client of a service that serves it.
 *
 * @module heaven-pools/http
 */

export { parseJson, stringifyJson } from '../base/json.js';
export type {
  HandlerConfig,
  RateLimit,
  RateLimitedRequest,
  RateLimiter,
  RequestEvent,
} from './endpoint.js';
export { answerOf, type ErrorAnswer } from './errors.js';
export type { Caller, FetchHandler, HttpDocument } from './exchange.js';
export { createHandler, type Handler } from './handler.js';
export { type DecodedQuote, decodeQuote, encodeQuote } from './quote-json.js';
export {
  createRemoteClient,
  type RemoteClient,
  type RemoteClientConfig,
} from './remote-client.js';
export type { ServiceDetails, ServiceTransactionDetails, ServiceWarning } from './schemas/details.js';
