import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The example worker on Cloudflare's runtime. */
export interface RunningWorker {
  readonly url: string;
  close(): Promise<void>;
}

/** The example on the sources of this repository. */
const ON_SOURCES: BuildOptions = {
  alias: {
    'heaven-pools': join(root, 'src/index.ts'),
    'heaven-pools/http': join(root, 'src/http/index.ts'),
  },
};

/**
 * Bundles the example worker and serves it with its own configuration, on a free port.
 *
 * @param installed The folder of an installed package, whose example to bundle as its configuration says.
 * @param script Another worker, to serve in its place.
 */
export async function startWorker(
  rpcUrl: string,
  installed?: string,
  script?: string,
): Promise<RunningWorker> {
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
  const child = spawn(
    join(root, 'tests/interop/node_modules/.bin/workerd'),
    ['serve', 'workerd.capnp', '--control-fd=3'],
    {
      cwd: folder,
      env: { ...process.env, RPC_URL: rpcUrl },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`workerd ended with ${code}: ${complaints}`)));
    let events = '';
    child.stdio[3]?.on('data', (chunk) => {
      events += chunk;
      const line = /^\{"event":"listen".*\}$/m.exec(events)?.[0];
      if (line) resolve((JSON.parse(line) as { port: number }).port);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
