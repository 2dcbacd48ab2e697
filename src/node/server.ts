import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyTooLarge, type Endpoint, type Handler, incompleteBody, notUtf8 } from 'heaven-pools/http';

import { Shutdown } from './shutdown.js';

/** What {@link startServer} serves, where, and its time limits. */
export interface ServerConfig {
  readonly handler: Pick<Handler, 'endpoint'>;
  /** Default 3000; 0 takes any free port. */
  readonly port?: number;
  /** Default: all interfaces. */
  readonly hostname?: string;
  /** How long requests in flight may take once the server closes. Default 10000 milliseconds. */
  readonly graceMs?: number;
  /** How long a caller may take to send a request, including its body. Default 30000 milliseconds. */
  readonly receiveTimeoutMs?: number;
  /**
   * The number of proxies in front of the server. The caller's address is then the one that the first of them added to
   * `x-forwarded-for`. Default 0: the address of the connection.
   */
  readonly trustedProxies?: number;
}

/** A running server. */
export interface RunningServer {
  /** Its URL on this machine. */
  readonly url: string;
  readonly port: number;
  /**
   * Accepts no more connections, answers the requests in flight, and closes every connection. Open connections stay open for half a
   * second at least, and requests that arrive on them are answered too.
   */
  close(): Promise<void>;
}

/** Longer than any request may take. */
const QUIET_MS = 120_000;
/** Proxies keep connections for a minute or less. The server must not be the first to close one. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Serves a handler with Node.
 *
 * @throws the operating system's error, such as `EADDRINUSE`
 * @example
 * ```ts
 * const server = await startServer({ handler: createHandler({ client }), port: 3000 });
 * ```
 */
export function startServer({
  handler: { endpoint },
  port = 3000,
  hostname,
  graceMs = 10_000,
  receiveTimeoutMs = 30_000,
  trustedProxies = 0,
}: ServerConfig): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const server = createServer(
      {
        requestTimeout: receiveTimeoutMs,
        headersTimeout: Math.min(receiveTimeoutMs, 10_000),
        connectionsCheckingInterval: 1_000,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      (request, response) => void serve(request, response, false),
    );
    // A caller that neither sends nor reads holds a connection, and the memory of unread responses.
    server.timeout = QUIET_MS;
    const shutdown = new Shutdown(server);
    const service = { endpoint, shutdown, trustedProxies };
    const serve = (request: IncomingMessage, response: ServerResponse, isAwaited: boolean) => {
      shutdown.begin(request, response);
      return respond(service, request, response, isAwaited).catch(() => response.destroy());
    };
    // With `expect: 100-continue`, ask for the body only when it is wanted.
    server.on('checkContinue', (request, response) => void serve(request, response, true));
    server.once('error', reject);
    server.listen({ port, ...(hostname === undefined ? {} : { host: hostname }) }, () => {
      server.off('error', reject);
      const info = server.address() as AddressInfo;
      const isAny = hostname === undefined || hostname === '0.0.0.0' || hostname === '::';
      const host = isAny ? 'localhost' : hostname.includes(':') ? `[${hostname}]` : hostname;
      resolve({
        url: `http://${host}:${info.port}`,
        port: info.port,
        close: () => shutdown.close(graceMs),
      });
    });
  });
}

interface Service {
  readonly endpoint: Endpoint;
  readonly shutdown: Shutdown;
  readonly trustedProxies: number;
}

/** @param isAwaited Whether the caller waits for `100 Continue` before it sends the body. */
async function respond(
  { endpoint, shutdown, trustedProxies }: Service,
  request: IncomingMessage,
  response: ServerResponse,
  isAwaited: boolean,
): Promise<void> {
  const { status, headers, body } = await endpoint({
    method: request.method ?? 'GET',
    ...targetOf(request.url ?? '/'),
    header: (name) => request.headers[name] as string | undefined,
    text: (maxBytes) => textOf(request, maxBytes, () => isAwaited && response.writeContinue()),
    onDisconnect: (listener) =>
      response.once('close', () => {
        if (!response.writableEnded) listener();
      }),
    clientAddress: addressOf(request, trustedProxies),
  });
  const isLast = shutdown.endsWith(request);
  if (response.destroyed) return;
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name] as string);
  // After our 408, Node must not send its own for the same request.
  const isLate = status === 408;
  const isEndless =
    !request.complete && (isLate || !(Number(request.headers['content-length']) <= SHORT_BYTES));
  if (isLast || isEndless || isLate) response.setHeader('connection', 'close');
  // Head and body go out in one write, and Node computes the length.
  if (request.method !== 'HEAD' && !isEndless) return void response.end(status === 204 ? undefined : body);
  response.setHeader('content-length', new TextEncoder().encode(body).length);
  if (isEndless) await linger(request, response, body);
  response.end();
}

/** A body that Node may read and discard by itself. */
const SHORT_BYTES = 65_536;
const LINGER_MS = 2_000;

/** Answers a caller that is still sending, and keeps reading for a while, because cutting the connection would lose the response. */
function linger(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    request.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    if (request.method !== 'HEAD') response.write(body);
    request.resume();
  });
}

/** The path and the query of a request target, which may be a full URL. */
function targetOf(target: string): { readonly path: string; readonly query?: string } {
  const isUrl = !target.startsWith('/') && URL.canParse(target);
  const { pathname, search } = isUrl ? new URL(target) : { pathname: target, search: '' };
  const mark = target.indexOf('?');
  if (isUrl || mark < 0) return { path: pathname, query: search.slice(1) };
  return { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The body as text. Stops reading at the limit, whatever the headers say. */
function textOf(request: IncomingMessage, maxBytes: number, onStart: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    let size = 0;
    const stop = (error: Error) => {
      request.off('data', take);
      reject(error);
    };
    const decode = (chunk?: Uint8Array) => {
      try {
        text += decoder.decode(chunk, { stream: chunk !== undefined });
      } catch {
        stop(notUtf8());
      }
    };
    const take = (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > maxBytes) stop(bodyTooLarge(maxBytes));
      else decode(chunk);
    };
    if (Number(request.headers['content-length']) > maxBytes) return reject(bodyTooLarge(maxBytes));
    onStart();
    request.on('data', take);
    request.once('end', () => {
      decode();
      resolve(text);
    });
    request.once('error', (error) => stop(incompleteBody(error.name)));
    request.once('close', () => {
      if (!request.complete) stop(incompleteBody('the connection is gone'));
    });
  });
}

/** The caller's address, behind the trusted proxies. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  if (trustedProxies === 0 || forwarded === undefined) return socket.remoteAddress;
  const addresses = String(forwarded)
    .split(',')
    .map((address) => address.trim());
  return addresses.at(-trustedProxies) ?? addresses[0];
}
