import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import {
  OPERATIONS,
  openPrograms,
  parseSource,
  stringifySource,
  verifyOperations,
} from '../../src/verify/index.js';
import { type BundledCli, bundleCli } from '../node/cli-support.js';
import { serveLedger } from '../support/node.js';
import { noopProgram } from '../svm/programs.js';
import { clusterWith, sampleSource } from './support.js';

let cli: BundledCli;
beforeAll(async () => {
  // LiteSVM is a native package, so it can't be part of a bundle.
  cli = await bundleCli({ withPackages: false });
});
afterAll(() => cli?.remove());

test('a program that does nothing is different in every row', async () => {
  const source = { ...(await sampleSource()), programs: { [HEAVEN_PROGRAM_ADDRESS]: noopProgram() } };
  const { rows, isEqual, sha256 } = await verifyOperations(source, await openPrograms(source));
  expect(isEqual).toBe(false);
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(rows.filter((row) => row.isEqual)).toEqual([]);
  const operations = rows.map(({ operation }) => operation);
  // They need a deposit, which fails.
  const others = ['buildProRemoveLiquidity', 'buildProTransferLp', 'buildProClaimLpFees'];
  expect(new Set([...operations, ...others])).toEqual(new Set(OPERATIONS.map(({ name }) => name)));
  const [buy] = rows;
  expect(buy).toMatchObject({ operation: 'buildBuy', did: { tokens: 0n, lamports: 0n } });
  expect(buy?.failed).toBeUndefined();
  // Nobody deploys Token Metadata here.
  const launches = rows.filter(({ operation }) => operation === 'buildCreateStandardLiquidityPool');
  for (const { failed } of launches) expect(failed?.reason).toMatch(/Program/);
});

test('the command downloads, keeps the download, and runs it again', async () => {
  const { ledger } = await clusterWith(noopProgram());
  const node = await serveLedger(() => ledger);
  try {
    const file = `${cli.folder}/download.json`;
    const first = await cli.run(['verify', '--rpc', node.url, '--save', file]);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/^The program HEAVEN\w+, SHA-256 [0-9a-f]{64}, deployed in slot \d+\n/);
    expect(first.stdout).toMatch(/\nbuildProBuy .* NO .* A3 A5 A6\n/);
    expect(first.stdout).toMatch(/\nEqual: 0 of \d+\. Did not run: \d+\.\n$/);
    expect(first.stderr).toContain('buildProCreate\n');
    const source = parseSource(readFileSync(file, 'utf8'));
    expect(parseSource(stringifySource(source))).toEqual(source);
    const second = await cli.run(['verify', '--from', file, '--json']);
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({ program: HEAVEN_PROGRAM_ADDRESS, is_equal: false });
    const none = await cli.run(['verify', '--rpc', node.url, '--pools', ledger.pools.pro.mint, '--json']);
    expect(none.code).toBe(2);
    expect(JSON.parse(none.stdout).error.code).toBe('invalid-account-data');
  } finally {
    await node.close();
  }
});
