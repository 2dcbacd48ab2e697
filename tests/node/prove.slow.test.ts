import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSampleProofSource, parseDeployment, stringifyDeployment } from '../../src/check/index.js';
import { programOf } from '../../src/check/prove/source-programs.js';
import { createClient } from '../../src/index.js';
import { type ProveSettings, prove } from '../../src/node/commands/prove.js';
import { saveProofSource } from '../../src/node/proof-files.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { noopProgram } from '../svm/noop-program.js';
import { bundleCli } from './cli-support.js';

let folder: string;
let download: string;
let sha256: string;
beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/prove-`);
  download = `${folder}/download`;
  // The sample accounts, with a program at the exchange's address that does nothing.
  const source = await createSampleProofSource();
  const exchange = await programOf(HEAVEN_PROGRAM_ADDRESS, noopProgram());
  sha256 = exchange.sha256;
  await saveProofSource({ ...source, programs: { exchange } }, download);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(settings: ProveSettings) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await prove(settings, {
    print: (line) => printed.push(line),
    note: (line) => noted.push(line),
  });
  return { code, printed, noted, text: printed.join('\n') };
}

const SMALL = { seed: 1, trades: 6 };

describe('a program that does nothing', () => {
  test('is identified by its hash, and nothing is claimed about the exchange', {
    timeout: 120_000,
  }, async () => {
    const write = `${folder}/nothing.json`;
    const { code, printed } = await run({
      from: download,
      ...SMALL,
      write,
      expectHash: sha256.toUpperCase(),
    });
    expect(code).toBe(1);
    expect(printed[0]).toContain(`Ran the program ${HEAVEN_PROGRAM_ADDRESS}, SHA-256 ${sha256}`);
    expect(printed[1]).toMatch(/^NOTHING MOVED: \d{2,} transactions ran/);
    expect(printed.length).toBeLessThan(8);
    expect(printed.join()).not.toContain('confirmed');
    expect(printed.at(-1)).toBe(`${write} was not written.`);
    expect(existsSync(write)).toBe(false);
  });
});

describe('a rehearsal', () => {
  test('says first that it is a rehearsal, and has a line for each question', {
    timeout: 120_000,
  }, async () => {
    const [write, markdown] = [`${folder}/rehearsal.json`, `${folder}/report.md`];
    const { code, printed, text } = await run({ rehearse: true, ...SMALL, write, markdown });
    expect(code).toBe(0);
    expect(printed[1]).toBe('Everything the library assumes is confirmed.');
    expect(printed[0]).toBe("REHEARSAL on the library's own model: proves nothing about mainnet");
    for (const id of ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A8.scale', 'A9', 'A10', 'A11', 'A12'])
      expect(text).toMatch(new RegExp(`^ {2}${id}, .*: confirmed: `, 'm'));
    expect(text).not.toContain('REFUTED');
    expect(text).toContain('--seed 1 runs the same again');
    expect(readFileSync(markdown, 'utf8')).toMatch(/\| A4 \| .* \| confirmed: from the SOL/);
    const deployment = parseDeployment(readFileSync(write, 'utf8'));
    expect(createClient({ rpcUrl: 'http://127.0.0.1', deployment }).deployment).toEqual(
      createClient({ rpcUrl: 'http://127.0.0.1' }).deployment,
    );
  });

  test('exits with 1 if a hash is expected, because it runs no program', { timeout: 120_000 }, async () => {
    const { code, printed, noted } = await run({
      rehearse: true,
      ...SMALL,
      json: true,
      expectHash: sha256,
    });
    expect(code).toBe(1);
    expect(noted).toEqual([`The program's hash is not known, and ${sha256} was expected.`]);
    expect(printed).toHaveLength(1);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({
      runs: 'model',
      seed: 1,
      nothingMoved: false,
      assumptions: expect.arrayContaining([expect.objectContaining({ verdict: 'confirmed' })]),
    });
  });
});

describe("what can't run", () => {
  test.each<[string, ProveSettings, RegExp]>([
    ['nothing to prove', {}, /Name a node with --rpc/],
    ['two sources', { rpc: 'https://node.example', from: 'x' }, /give one of them/],
    ['nothing to keep', { from: 'x', save: 'y' }, /--save keeps what --rpc downloads/],
    ['a program in a rehearsal', { rehearse: true, program: 'x' }, /--rehearse runs no program/],
    ['a hash that is none', { rehearse: true, expectHash: 'abc' }, /64 hex digits/],
    ['a program that is not there', { from: 'x', program: '/none/program.so' }, /can't be read: ENOENT/],
  ])('is wrong usage: %s', async (_, settings, message) => {
    await expect(run(settings)).rejects.toThrow(message);
  });

  test('rejects writing over a deployment file, or into a missing folder', async () => {
    const proven = `${folder}/proven.json`;
    writeFileSync(proven, 'proven');
    await expect(run({ rehearse: true, ...SMALL, write: proven })).rejects.toThrow(
      `--write ${proven} already exists. Name another file, or delete that one first.`,
    );
    expect(readFileSync(proven, 'utf8')).toBe('proven');
    const nowhere = await run({ rehearse: true, ...SMALL, write: `${folder}/nowhere/file.json` });
    expect(nowhere).toMatchObject({ code: 2, printed: [] });
    expect(nowhere.noted.join()).toMatch(/file-not-written.*ENOENT/);
  });

  test('exits with 2 for a folder without a download, and a file that is not a program', async () => {
    const none = await run({ from: `${folder}/none` });
    expect(none).toMatchObject({ code: 2, printed: [] });
    expect(none.noted.join()).toContain("The proof can't run (invalid-proof-source)");
    const text = `${folder}/text.so`;
    writeFileSync(text, 'not an ELF file'.repeat(10));
    const bad = await run({ from: download, program: text, json: true });
    expect(bad.code).toBe(2);
    expect(JSON.parse(bad.printed[0] ?? '').error.code).toBe('invalid-program');
  });
});

test('the server reads a written file, and says so', { timeout: 60_000 }, async () => {
  const file = `${folder}/written.json`;
  writeFileSync(file, stringifyDeployment({ rules: { slotsPerLeader: 1 } }, 'a proof'));
  const cli = await bundleCli();
  try {
    const ready = new Promise<string>((resolve) => {
      const onStart = ({ stdout }: ChildProcess) =>
        stdout?.on('data', (chunk) => {
          const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
          if (url !== undefined) resolve(url);
        });
      void cli.run(['serve', '--port', '0', '--no-tour', '--deployment', file], { onStart });
    });
    const answer = await fetch(`${await ready}/readyz`);
    expect(JSON.parse(await answer.text()).deployments).toEqual([
      { program_id: HEAVEN_PROGRAM_ADDRESS, rules: { slots_per_leader: 1 } },
    ]);
    writeFileSync(file, '{ "rules": { "slotsPerLeader": 3 } }');
    const refused = await cli.run(['serve', '--port', '0', '--deployment', file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('slotsPerLeader must be');
  } finally {
    cli.remove();
  }
});
