import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type BuildOptions, build } from 'esbuild';

import { type RunningServer, serverOf } from './server-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The example on the sources of this repository. */
const ON_SOURCES: BuildOptions = {
  alias: { 'heaven-pools': join(root, 'src/index.ts'), 'heaven-pools/http': join(root, 'src/http/index.ts') },
};

/**
 * Bundles the example worker and serves it on Cloudflare's runtime with its own configuration, on a free port.
 *
 * @param installed The folder of an installed package, whose example to bundle as its configuration says.
 * @param script Another worker, to serve in its place.
 */
export async function startWorker(
  rpcUrl: string,
  installed?: string,
  script?: string,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'heaven-worker-'));
  const example = join(installed ?? root, 'examples/worker');
  await build({
    entryPoints: [script ?? join(example, 'worker.ts')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd'],
    ...(installed === undefined ? ON_SOURCES : {}),
    logLevel: 'error',
  });
  const config = await readFile(join(example, 'workerd.capnp'), 'utf8');
  await writeFile(join(folder, 'workerd.capnp'), config.replace('127.0.0.1:8787', '127.0.0.1:0'));
  // The program itself: what the package puts into .bin passes on no other file descriptors.
  const { default: program }: { readonly default: string } = createRequire(
    join(root, 'tests/interop/package.json'),
  )('workerd');
  const child = spawn(program, ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: folder,
    env: { ...process.env, RPC_URL: rpcUrl },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  return await serverOf(child, /^\{"event":"listen".*"port":(\d+).*\}$/m, folder);
}
