import type { AddressInfo } from 'node:net';

import { serve } from '@hono/node-server';

import type { Handler } from '../http/handler.js';

export interface ServerConfig {
  readonly handler: Handler;
  /** Default 3000; 0 takes any free port. */
  readonly port?: number;
  /** Default: all interfaces. */
  readonly hostname?: string;
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
export function startServer({ handler, port = 3000, hostname }: ServerConfig): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch: handler, port, ...(hostname === undefined ? {} : { hostname }) },
      (info: AddressInfo) => {
        server.off('error', reject);
        const host =
          hostname === undefined || hostname === '0.0.0.0' || hostname === '::' ? 'localhost' : hostname;
        resolve({
          url: `http://${host.includes(':') ? `[${host}]` : host}:${info.port}`,
          port: info.port,
          close: () =>
            new Promise((closed, failed) => {
              server.close((error) => (error ? failed(error) : closed()));
              if ('closeIdleConnections' in server) server.closeIdleConnections();
            }),
        });
      },
    );
    server.once('error', reject);
  });
}
