import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { paths } from '../../src/operations/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { furnish } from '../golden/scene.js';
import { type RunningEngine, startEngine } from '../support/engines.js';
import { type InstalledRuntime, installBun, installDeno } from '../support/installed.js';
import { type LedgerNode, serveLedger } from '../support/node.js';
import { startWorker } from '../support/workerd.js';

// One service in each engine, over a socket and a node: it answers byte for byte as the golden files say.

type Recorded = Readonly<Record<'path' | 'request' | 'answer', string>> & { readonly status: number };

const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../golden/sample.json', import.meta.url), 'utf8'),
);
const script = fileURLToPath(new URL('../golden/service.ts', import.meta.url));

const [bun, deno] = await Promise.all([installBun(), installDeno()]);

type Start = (rpcUrl: string) => Promise<RunningEngine>;
const installed = (engine: 'bun' | 'deno', runtime: InstalledRuntime | string, ...options: string[]) =>
  typeof runtime === 'string'
    ? runtime
    : (rpcUrl: string) => startEngine(engine, [runtime.path, ...options], rpcUrl);

const ENGINES: readonly (readonly [name: string, startOrReason: Start | string])[] = [
  ['Node', (rpcUrl) => startEngine('node', [process.execPath], rpcUrl)],
  ['workerd', (rpcUrl) => startWorker(rpcUrl, undefined, script)],
  ['Bun', installed('bun', bun)],
  ['Deno', installed('deno', deno, 'run', '--allow-net', '--allow-env')],
];

let node: LedgerNode;
beforeAll(async () => {
  const ledger = await createEmbeddedLedger();
  await furnish(ledger);
  node = await serveLedger(() => ledger);
});
afterAll(async () => {
  await node?.close();
  for (const runtime of [bun, deno]) if (typeof runtime !== 'string') runtime.remove();
});

describe.each(ENGINES)('%s', (name, start) => {
  if (typeof start === 'string') {
    test.skip(`(skipped: ${name} could not be installed: ${start})`);
    return;
  }
  let engine: RunningEngine;
  beforeAll(async () => {
    engine = await start(node.url);
  });
  afterAll(() => engine?.close());

  test.each(Object.values(paths))('%s', async (path) => {
    const own = recorded.filter((one) => one.path === path);
    expect(own.length).toBeGreaterThanOrEqual(3);
    for (const { request, status, answer } of own) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${engine.url}${path}`, { method: 'POST', headers, body: request });
      expect(await response.text()).toBe(answer);
      expect(response.status).toBe(status);
    }
  });
});
