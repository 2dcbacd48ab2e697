import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildProTransferLp, createHeavenClient } from '../../src/index.js';
import { type VerifySettings, verify } from '../../src/node/commands/verify.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type ExchangeBehavior } from '../../src/testing/index.js';
import {
  downloadSource,
  ledgerOf,
  parseSource,
  stringifySource,
  type VerifySource,
} from '../../src/verify/index.js';
import { expectRefusal } from '../support/errors.js';
import { noopProgram } from '../svm/programs.js';
import { clusterWith, sampleSource } from './support.js';

let folder: string;
let file: string;
let source: VerifySource;
beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/verify-`);
  file = `${folder}/download.json`;
  const sample = await sampleSource();
  // The pro pool alone: the rows of the others are verify.test.ts's.
  source = { ...sample, pools: sample.pools.slice(2, 3) };
  writeFileSync(file, stringifySource(source));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the download', () => {
  test('holds the program without its header, and the accounts of each pool', async () => {
    const elf = noopProgram();
    const { ledger, client } = await clusterWith(elf);
    const { creator, pro, community } = ledger.pools;
    const found = await downloadSource(client);
    expect(found.programs).toEqual({ [HEAVEN_PROGRAM_ADDRESS]: elf });
    // LIGHT's, and the pro pool.
    expect(found.pools).toEqual([creator.pool, pro.pool]);
    const addresses = found.accounts.map(({ address }) => address);
    for (const { pool, mint, protocolConfig, tokenAVault, tokenBVault } of [creator, pro])
      for (const address of [pool, mint, protocolConfig, tokenAVault, tokenBVault])
        expect(addresses).toContain(address);
    for (const { address, data, lamports, owner } of found.accounts)
      expect({ data, lamports, owner }).toEqual({ ...ledger.getAccount(address) });
    const named = await downloadSource(client, [community.pool, community.pool]);
    expect(named.pools).toEqual([community.pool]);
    expect(parseSource(stringifySource(named))).toEqual(named);
  });

  test('rejects addresses that are not pools, and a cluster without the program', async () => {
    const { ledger, client } = await clusterWith(noopProgram());
    await expectRefusal(downloadSource(client, ['x']), 'invalid-address');
    await expectRefusal(downloadSource(client, [ledger.pools.pro.mint]), 'invalid-account-data:found');
    ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, undefined);
    await expectRefusal(downloadSource(client), 'account-not-found');
  });

  test('from a file that is not one is rejected, or without clock and rent', async () => {
    const withoutAddress = stringifySource(source).replaceAll(HEAVEN_PROGRAM_ADDRESS, 'x');
    for (const text of ['x', '{}', withoutAddress])
      expect(() => parseSource(text)).toThrow("The file is not a download of 'heaven-pools verify --save'.");
    await expectRefusal(() => ledgerOf({ ...source, accounts: [] }), 'invalid-account-data');
  });
});

async function run(settings: VerifySettings, behavior?: ExchangeBehavior) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const output = { print: (line: string) => printed.push(line), note: (line: string) => noted.push(line) };
  const code = await verify(settings, output, async (given) => async () => {
    const ledger = ledgerOf(given);
    ledger.setBehavior(behavior);
    return ledger;
  });
  return { code, printed, noted };
}

describe('the command', () => {
  test('prints a table, what did not run, and exits with 0 if every row is equal', async () => {
    const { code, printed, noted } = await run({ from: file });
    expect(code).toBe(0);
    expect(printed[0]).toBe(`The program ${HEAVEN_PROGRAM_ADDRESS}`);
    const head = /^operation +on +input +we said +the program did +equal +error +rests on +alternative$/;
    expect(printed[1]).toMatch(head);
    expect(printed[2]).toMatch(/^buildProBuy +\w+ +0\.010000001 SOL +tokens (\d+) +tokens \1 +yes +A3 A5/);
    expect(printed).toContain('Did not run: buildBuy, no pool: no pool allows it');
    expect(printed.at(-1)).toMatch(/^Equal: (\d+) of \1\. Did not run: \d+\.$/);
    expect(noted.slice(0, 2)).toEqual(['buildProBuy', 'buildProSell']);
  });

  test('exits with 1 if a row is not, and prints the same as JSON', async () => {
    const scripted = { transfer_lp_tokens: { custom: 6026 } };
    const { code, printed } = await run({ from: file, json: true }, { scripted });
    expect(code).toBe(1);
    expect(printed).toHaveLength(1);
    const report = JSON.parse(printed[0] ?? '');
    expect(report).toMatchObject({ program: HEAVEN_PROGRAM_ADDRESS, is_equal: false });
    expect(report.rows.find((row: { is_equal: boolean }) => !row.is_equal)).toMatchObject({
      operation: 'buildProTransferLp',
      said: { received: 4_000_000_011, 'lp_token.supply.total': 0 },
      did: {},
      failed: { code: 6026, reason: 'LpTokensLocked' },
      assumptions: ['A2', 'A8'],
    });
  });

  test('names the program, and ends the warnings about what it confirmed, for this program alone', async () => {
    const { printed } = await run({ from: file, json: true });
    const verified = JSON.parse(printed[0] ?? '');
    expect(verified.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(verified.assumptions).toMatchObject({ A2: 'confirmed', A8: 'confirmed', A11: 'confirmed' });
    const { rpc, pools } = await createEmbeddedLedger();
    const { pool, creator: payer } = pools.pro;
    const input = { pool, payer, sender: payer, receiver: pools.creator.creator, amount: 1n };
    const codesWith = async (config: object) => {
      const { warnings } = await buildProTransferLp(createHeavenClient({ rpc, ...config }), input);
      return warnings.map(({ code }) => code);
    };
    expect(await codesWith({})).toContain('unverified-assumption');
    expect(await codesWith({ verified })).not.toContain('unverified-assumption');
    const contradicted = { ...verified, assumptions: { A2: 'contradicted' } };
    expect(await codesWith({ verified: contradicted })).toContain('unverified-assumption');
    const clientWith = (wrong: unknown) => () => createHeavenClient({ rpc, verified: wrong as never });
    const ofAnother = clientWith({ ...verified, program: pool });
    await expectRefusal(ofAnother, 'invalid-input', { field: 'verified.program' });
    await expectRefusal(clientWith('x'), 'invalid-input', { field: 'verified' });
  });

  test('says when the program has changed, and fails then and for a row that did not run, if told to', async () => {
    const elf = noopProgram();
    const programs = { [HEAVEN_PROGRAM_ADDRESS]: elf };
    const deployed = { ...source, pools: [], deployedSlot: 411n, programs };
    writeFileSync(`${folder}/deployed.json`, stringifySource(deployed));
    const from = { from: `${folder}/deployed.json` };
    const { code, printed } = await run({ ...from, json: true });
    const sha256 = createHash('sha256').update(elf).digest('hex');
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ sha256, deployed_slot: 411 });
    const program = `The program ${HEAVEN_PROGRAM_ADDRESS}, SHA-256 ${sha256}, deployed in slot 411`;
    expect((await run(from)).printed[0]).toBe(program);
    expect(code).toBe(0);
    expect((await run({ ...from, strict: true })).code).toBe(1);
    const previous = `${folder}/previous.json`;
    writeFileSync(previous, printed[0] ?? '');
    expect((await run({ ...from, previous })).printed.join()).not.toContain('has changed');
    writeFileSync(previous, JSON.stringify({ sha256: 'another' }));
    const warning = `The program has changed since ${previous}: its SHA-256 was another.`;
    expect((await run({ ...from, previous })).printed.at(-2)).toBe(warning);
    const message = "is not the output of 'heaven-pools verify --json'";
    await expect(run({ ...from, previous: file })).rejects.toThrow(message);
  });

  test('replays the last trades of a pool, and prints the same as JSON', async () => {
    const { pool } = (await createEmbeddedLedger()).pools.pro;
    const { code, printed } = await run({ embedded: true, replay: pool, last: 3 });
    expect(code).toBe(0);
    expect(printed[0]).toMatch(/^slot +signature +trade +verdict +we said +it did +fee now +fee paid$/);
    expect(printed[1]).toMatch(/not judged +the first trade of the list$/);
    expect(printed[2]).toMatch(/(buy|sell) +equal +baseReserve (\d+) +baseReserve \2 +(\d+ bps) +\3$/);
    expect(printed.at(-1)).toBe('Equal: 2. Different: 0. Not judged: 1.');
    const json = await run({ embedded: true, replay: pool, last: 3, json: true });
    const equal = { verdict: 'equal' };
    expect(JSON.parse(json.printed[0] ?? '').rows).toMatchObject([{}, equal, equal]);
  });

  test.each<[string, VerifySettings, string]>([
    ['a pool that is not an address', { embedded: true, replay: 'x' }, '--replay must be a base58 address'],
    ['no node to replay from', { replay: HEAVEN_PROGRAM_ADDRESS }, 'Name a node with --rpc'],
    ['no source', {}, 'Name a node with --rpc'],
    ['--save without a download', { from: 'x', save: 'y' }, '--save and --pools belong to a download'],
    ['--pools without a download', { from: 'x', pools: 'y' }, '--save and --pools belong to a download'],
    ['a file that is not there', { from: '/none/file.json' }, "--from /none/file.json can't be read: ENOENT"],
    ['a URL that is not one', { rpcUrl: 'x' }, '--rpc'],
  ])('rejects %s', async (_, settings, message) => {
    await expect(run(settings)).rejects.toThrow(message);
  });
});
