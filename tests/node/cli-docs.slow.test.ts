import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildBuy, createHeavenClient, quoteBuy } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { type LedgerNode, serveLedger } from '../support/node.js';
import { type BundledCli, bundleCli } from './cli-support.js';

/** The pages that show a command, each with the command. */
const PAGES = { launching: 'grind', signing: 'inspect', verifying: 'verify' } as const;

/** The shell blocks of these pages that call it, each with what it is said to print. */
const blocks = Object.entries(PAGES).flatMap(([page, command]) => {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm)]
    .map(([, commands = '', output]) => ({ page, command, commands, output }))
    .filter(({ commands }) => commands.includes(`npx heaven-pools ${command}`));
});
/** `verify` needs the deployed program: its flags are checked, and its own tests run it. */
const runnable = blocks.filter(({ command }) => command !== 'verify');

let cli: BundledCli;
let node: LedgerNode;
let cwd: string;
beforeAll(async () => {
  cli = await bundleCli();
  const ledger = await createEmbeddedLedger();
  node = await serveLedger(() => ledger);
  cwd = `${cli.folder}/here`;
  mkdirSync(cwd);
  // What `npx heaven-pools` would run where the package is installed.
  mkdirSync(`${cli.folder}/bin`);
  writeFileSync(
    `${cli.folder}/bin/npx`,
    `#!/bin/sh\n[ "$1" = heaven-pools ] || exit 99\nshift\nexec "${process.execPath}" "${cli.path}" "$@"\n`,
  );
  chmodSync(`${cli.folder}/bin/npx`, 0o755);
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { mint, configVersion, creator: payer } = ledger.pools.creator;
  const quoteResponse = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
  const { tx } = await buildBuy(client, { payer, quoteResponse, encodedUserDefinedEventData: '' });
  writeFileSync(`${cwd}/tx.txt`, tx);
});
afterAll(async () => {
  cli?.remove();
  await node?.close();
});

/** The address of `grind` is another one each time. */
const withoutSearched = (text: string) => text.replace(/^[1-9A-HJ-NP-Za-km-z]{31,43}7\n$/, 'ADDRESS\n');

test.each(Object.entries(PAGES))('%s.md shows %s with its own flags', async (page, command) => {
  const shown = blocks.filter((block) => block.page === page);
  expect(shown).not.toEqual([]);
  const { stdout: help } = await cli.run([command, '--help']);
  const flags = shown.flatMap(({ commands }) =>
    [...commands.matchAll(/^npx heaven-pools .*$/gm)].flatMap(([line]) => line.match(/--[a-z-]+/g) ?? []),
  );
  for (const flag of flags) expect(help).toMatch(new RegExp(`^ +(-\\w, )?(--[a-z-]+, )?${flag}\\b`, 'm'));
});

test.each(runnable)('$page: $commands', async ({ commands, output }) => {
  const { PATH = '', HOME = '' } = process.env;
  const script = commands.replaceAll('https://your-node.example', node.url);
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd,
    env: { HOME, PATH: `${cli.folder}/bin:${PATH}` },
    maxBuffer: 1 << 24,
  });
  if (output === undefined) expect(stdout).not.toBe('');
  else expect(withoutSearched(stdout)).toBe(withoutSearched(output));
});
