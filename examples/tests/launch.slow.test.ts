import { address } from '@solana/kit';
import { expect, test } from 'vitest';

import { findPoolAddress } from '../../src/program/index.js';
import { hasControlCodes, rent, runExample, unitsOf } from './run.js';

const SUPPLY = 1_000_000_000_000_000_000n;
const VIRTUAL = 35_000_000_000n;

/** The amount behind a label. */
const amount = (stdout: string, what: string): bigint =>
  unitsOf(new RegExp(`^ +${what} +([\\d,.]+)`, 'm').exec(stdout)?.[1] ?? '');

test("shows a launch's cost to the lamport, and its pool", async () => {
  const options = ['--percent', '2.5', '--symbol', 'MINE', '--commitment', 'finalized'];
  const { code, stdout, stderr } = await runExample('launch/main.ts', options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(hasControlCodes(stdout)).toBe(false);
  const [, found = ''] = /^Found (\S+) after /m.exec(stdout) ?? [];
  const mint = address(found);
  expect(mint.endsWith('7')).toBe(true);
  expect(stdout).toContain(`mint            ${mint}`);
  expect(stdout).toContain(`pool            ${await findPoolAddress({ mint })}`);
  // Among the steps, names stand for addresses.
  expect(stdout).toContain('Give up the MintTokens authority of MINE.');

  // What the curve asks for 2.5 % of the tokens, without fees.
  const tokens = SUPPLY / 40n;
  const spend = (VIRTUAL * tokens + (SUPPLY - tokens) - 1n) / (SUPPLY - tokens);
  expect(amount(stdout, 'initial purchase')).toBe(spend);
  // Two signatures; 400000 units at 20000000 micro-lamports.
  expect(amount(stdout, 'network fee')).toBe(10_000n);
  expect(amount(stdout, 'priority fee')).toBe(8_000_000n);
  const accounts = rent(270) + rent(607) + 10_000_000n + 2n * rent(170) + rent(2304);
  expect(amount(stdout, 'rent and metadata')).toBe(accounts);
  const total = spend + 8_010_000n + accounts;
  expect(amount(stdout, 'in all')).toBe(total);
  expect(stdout).toContain(`it would succeed: -${Number(total) / 1e9} SOL`);
  expect(stdout).toContain('yours           25,000,000.000000000 tokens');
  expect(stdout).toContain('creator fees    0 SOL so far');
});
