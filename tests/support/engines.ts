import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { type RunningServer, serverOf } from './server-process.js';

const golden = fileURLToPath(new URL('../golden', import.meta.url));

export type { RunningServer as RunningEngine };

/**
 * How each engine serves a `fetch` handler, as `docs/self-hosting.md` says, and prints its port. workerd needs a
 * configuration: see `startWorker`.
 */
const PROGRAMS = {
  node: `
    import { startServer } from '../../src/node/server.js';
    const { port } = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
    console.log('port ' + port);`,
  bun: `
    const { port } = Bun.serve({ fetch: handler.fetch, port: 0, hostname: '127.0.0.1' });
    console.log('port ' + port);`,
  deno: `
    const onListen = ({ port }) => console.log('port ' + port);
    Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, (request) => handler(request));`,
};

/**
 * Serves `tests/golden/service.ts` with an engine.
 *
 * @param command The engine's file, and what comes before the program's.
 */
export async function startEngine(
  engine: keyof typeof PROGRAMS,
  [file, ...options]: readonly [string, ...string[]],
  rpcUrl: string,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), `heaven-${engine}-`));
  await build({
    stdin: { contents: `import { handler } from './service.js';${PROGRAMS[engine]}`, resolveDir: golden },
    outfile: join(folder, 'program.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const child = spawn(file, [...options, join(folder, 'program.mjs')], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, RPC_URL: rpcUrl },
  });
  return await serverOf(child, /^port (\d+)$/m, folder);
}
