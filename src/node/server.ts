import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { serve } from '@hono/node-server';

import type { Handler } from '../http/handler.js';

export interface ServerConfig {
  readonly handler: Handler;
  /** Default 3000; 0 takes any free port. */
  readonly port?: number;
  /** Default: all interfaces. */
  readonly hostname?: string;
  /** How long requests in flight may take once the server closes. Default 10000 milliseconds. */
  readonly graceMs?: number;
}

export interface RunningServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, finishes those in flight, and ends. */
  close(): Promise<void>;
}

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
  handler,
  port = 3000,
  hostname,
  graceMs = 10_000,
}: ServerConfig): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const options = {
      fetch: handler,
      port,
      overrideGlobalObjects: false,
      ...(hostname === undefined ? {} : { hostname }),
    };
    const server = serve(options, (info: AddressInfo) => {
      server.off('error', reject);
      const isAny = hostname === undefined || hostname === '0.0.0.0' || hostname === '::';
      const host = isAny ? 'localhost' : hostname.includes(':') ? `[${hostname}]` : hostname;
      resolve({
        url: `http://${host}:${info.port}`,
        port: info.port,
        close: () => closeServer(server, silent, graceMs),
      });
    }) as Server;
    const silent = new Set<Socket>();
    server.on('connection', (socket) => {
      silent.add(socket);
      socket.once('close', () => silent.delete(socket));
    });
    server.on('request', ({ socket }) => silent.delete(socket));
    server.once('error', reject);
  });
}

/** @param silent Connections on which no request has come yet: Node does not count them as idle. */
function closeServer(server: Server, silent: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // A connection that was answered while closing is idle only then.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close((error) => {
      clearInterval(sweep);
      clearTimeout(deadline);
      if (error) reject(error);
      else resolve();
    });
    for (const socket of silent) socket.destroy();
    server.closeIdleConnections();
  });
}
