import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of several servers. */
export interface RunningProxy {
  readonly url: string;
  /** The paths that each server was asked for. */
  readonly asked: readonly ReadonlySet<string>[];
  close(): void;
}

/** Gives each request to another server than the request before it, whoever asks. */
export async function startProxy(targets: readonly string[]): Promise<RunningProxy> {
  const asked = targets.map(() => new Set<string>());
  let turn = 0;
  const server = createServer((request, response) => {
    const index = turn++ % targets.length;
    const { method, headers, url: path = '' } = request;
    asked[index]?.add(path);
    const onward = httpRequest(`${targets[index]}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}
