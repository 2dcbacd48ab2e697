import {
  bodyTooLarge,
  createEndpoint,
  type Endpoint,
  type EndpointConfig,
  incompleteBody,
  notUtf8,
} from './endpoint.js';

/** What {@link createHandler} takes. */
export interface HandlerConfig extends EndpointConfig {}

/** A web-standard handler: for any server, worker or test. */
export interface Handler {
  (request: Request, caller?: { readonly clientAddress?: string | undefined }): Promise<Response>;
  /** The same without the web's `Request` and `Response`, for servers with their own types. */
  readonly endpoint: Endpoint;
}

/**
 * The HTTP interface as a `fetch` handler.
 *
 * It keeps no state, so it also runs on Cloudflare Workers. On a long-running server, pass it a client made with `shareReads`.
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
  const endpoint = createEndpoint(config);
  const handler = async (
    request: Request,
    caller?: { readonly clientAddress?: string | undefined },
  ): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { status, headers, body } = await endpoint({
      method: request.method,
      path: pathname,
      query: search.slice(1),
      header: (name) => request.headers.get(name),
      text: (maxBytes) => textOf(request, maxBytes),
      onDisconnect: (listener) => {
        if (request.signal.aborted) listener();
        else request.signal.addEventListener('abort', listener, { once: true });
      },
      clientAddress: caller?.clientAddress,
    });
    const isEmpty = request.method === 'HEAD' || status === 204;
    return new Response(isEmpty ? null : body, { status, headers });
  };
  return Object.assign(handler, { endpoint });
}

/** The body as text. Stops reading at the limit, whatever the headers say. */
async function textOf(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw bodyTooLarge(maxBytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      void reader?.cancel().catch(() => {});
      throw notUtf8();
    }
  };
  let size = 0;
  let text = '';
  const reader = request.body?.getReader();
  if (reader === undefined) return text;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw incompleteBody((cause as Error).name);
    });
    if (done) return text + decoded();
    size += value.byteLength;
    if (size > maxBytes) {
      void reader.cancel().catch(() => {});
      throw bodyTooLarge(maxBytes);
    }
    text += decoded(value);
  }
}
