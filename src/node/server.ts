import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { FetchHandler } from 'heaven-pools/http';
import {
  assertHas,
  assertMilliseconds,
  assertNames,
  assertNumber,
  assertWhole,
  invalidInput,
  MAX_TIMER_MS,
} from '#input';

import { hideKeys } from '../base/shown.js';

import { ipOf } from './caller.js';
import { Connections } from './connections.js';

/** What {@link startServer} serves, where, and its time limits. */
export interface ServerConfig {
  /** A handler of `createHandler`, or any function of a web `Request`, such as the `fetch` of a Hono app that it is mounted in. */
  readonly handler: FetchHandler;
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
  /**
   * Replaces the global `Request` and `Response` of the process with those of `@hono/node-server`, which answer some 40 % more requests.
   * Default false.
   */
  readonly overrideGlobalObjects?: boolean;
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

/** Proxies keep connections for a minute or less. The server must not be the first to close one. */
const KEEP_ALIVE_MS = 65_000;
/**
 * How many connections may wait to be accepted. With Node's 511, some of a burst wait until their system tries again: 4,000 at once, to a
 * server that was busy for 4 seconds, took 12 seconds instead of 5. The kernel has its own limit.
 */
const BACKLOG = 4_096;

/**
 * Serves a handler with Node.
 *
 * @throws {HeavenError} `invalid-input`; and the operating system's error, such as `EADDRINUSE`
 * @example
 * ```ts
 * const server = await startServer({ handler: createHandler({ client }), port: 3000 });
 * ```
 */
export function startServer(config: ServerConfig): Promise<RunningServer> {
  assertHas(config, 'handler', 'config', 'an object with a handler made with createHandler');
  assertNames(config, 'config', {
    handler: 1,
    port: 1,
    hostname: 1,
    graceMs: 1,
    receiveTimeoutMs: 1,
    trustedProxies: 1,
    overrideGlobalObjects: 1,
  });
  const { handler, hostname, port = 3000, trustedProxies = 0, overrideGlobalObjects = false } = config;
  const { graceMs = 10_000, receiveTimeoutMs = 30_000 } = config;
  if (typeof handler !== 'function') throw invalidInput('handler', handler, 'a function of a Request');
  assertWhole('port', port, [0, 65_535]);
  assertHostName(hostname);
  assertNumber('graceMs', graceMs, [0, MAX_TIMER_MS]);
  assertMilliseconds('receiveTimeoutMs', receiveTimeoutMs);
  assertWhole('trustedProxies', trustedProxies, [0, 10]);
  if (typeof overrideGlobalObjects !== 'boolean')
    throw invalidInput('overrideGlobalObjects', overrideGlobalObjects, 'true or false');
  return new Promise((resolve, reject) => {
    const server = createServer({
      requestTimeout: receiveTimeoutMs,
      headersTimeout: Math.min(receiveTimeoutMs, 10_000),
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    // A caller that neither sends nor reads holds a connection, and the memory of unread responses.
    server.timeout = receiveTimeoutMs;
    const respond = async (request: Request, bindings: object) => {
      const { incoming, outgoing } = bindings as HttpBindings;
      const response = await handler(request, { clientAddress: addressOf(incoming, trustedProxies) });
      // After our 408, Node must not send its own for the same request.
      const isLast = connections.endsWith(incoming) || response.status === 408;
      if (isLast && !outgoing.headersSent) outgoing.setHeader('connection', 'close');
      return response;
    };
    // The host is for callers that name none, as with HTTP/1.0.
    const listener = getRequestListener(respond, { hostname: 'localhost', overrideGlobalObjects });
    const connections = new Connections(server, listener);
    server.once('error', reject);
    server.listen({ port, backlog: BACKLOG, ...(hostname === undefined ? {} : { host: hostname }) }, () => {
      server.off('error', reject);
      const info = server.address() as AddressInfo;
      const isAny = hostname === undefined || hostname === '0.0.0.0' || hostname === '::';
      const host = isAny ? 'localhost' : hostname.includes(':') ? `[${hostname}]` : hostname;
      resolve({
        url: `http://${host}:${info.port}`,
        port: info.port,
        close: () => connections.close(graceMs),
      });
    });
  });
}

/** Rejects what is no host name, before Node looks it up and repeats it: a key is none. */
function assertHostName(hostname: unknown): void {
  if (hostname === undefined || (typeof hostname === 'string' && hideKeys(hostname) === hostname)) return;
  throw invalidInput('hostname', hostname, 'a host name or an IP address');
}

/** The caller's address, behind the trusted proxies; `undefined` if they pass on something else, which then isn't logged either. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  if (trustedProxies === 0 || forwarded === undefined) return socket.remoteAddress;
  const addresses = String(forwarded).split(',');
  return ipOf(addresses.at(-trustedProxies) ?? (addresses[0] as string));
}
