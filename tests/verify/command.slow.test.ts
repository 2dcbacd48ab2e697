import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildProTransferLp, createHeavenClient } from '../../src/index.js';
import { type VerifySettings, verify } from '../../src/node/commands/verify.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type ExchangeBehavior, type LedgerAccount } from '../../src/testing/index.js';
import {
  downloadSource,
  ledgerOf,
  openPrograms,
  parseSource,
  stringifySource,
  type VerifySource,
} from '../../src/verify/index.js';
import { expectRefusal } from '../support/errors.js';
import { noopProgram } from '../svm/programs.js';
import { CODE, clusterWith, LOADER, sampleSource } from './support.js';

let folder: string;
let file: string;
/** The same with a program, which the model stands in for. */
let deployed: string;
let source: VerifySource;
const elf = noopProgram();
const sha256 = createHash('sha256').update(elf).digest('hex');
beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/verify-`);
  file = `${folder}/download.json`;
  const sample = await sampleSource();
  // The pro pool alone: the rows of the others are verify.test.ts's.
  source = { ...sample, pools: sample.pools.slice(2, 3) };
  writeFileSync(file, stringifySource(source));
  deployed = `${folder}/deployed.json`;
  const ran = { ...source, deployedSlot: 411n, programs: { [HEAVEN_PROGRAM_ADDRESS]: elf } };
  writeFileSync(deployed, stringifySource(ran));
  writeFileSync(`${folder}/launches.json`, stringifySource({ ...ran, pools: [] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the download', () => {
  test('holds the program without its header, and the accounts of each pool', async () => {
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

  test.each<[string, Address, Change, string]>([
    ['of another loader', HEAVEN_PROGRAM_ADDRESS, { owner: CODE }, `belongs to ${CODE}, not to ${LOADER}`],
    [
      'cut short',
      HEAVEN_PROGRAM_ADDRESS,
      { data: (data) => data.slice(0, 35) },
      'it has 35 bytes, but 36 are needed',
    ],
    ['empty', HEAVEN_PROGRAM_ADDRESS, { data: () => new Uint8Array() }, 'it has 0 bytes, but 36 are needed'],
    [
      'that is a buffer',
      HEAVEN_PROGRAM_ADDRESS,
      { data: (data) => Uint8Array.of(1, ...data.slice(1)) },
      'its tag is 1',
    ],
    ['without program data', CODE, undefined, 'it does not exist, so the program is closed'],
    ['with program data of another owner', CODE, { owner: LIGHT }, `belongs to ${LIGHT}, not to ${LOADER}`],
    [
      'with program data cut short',
      CODE,
      { data: (data) => data.slice(0, 11) },
      'it has 11 bytes, but 45 are needed',
    ],
    [
      'with a program as program data',
      CODE,
      { data: (data) => Uint8Array.of(2, ...data.slice(1)) },
      'its tag is 2',
    ],
    ['without an ELF file', CODE, { data: (data) => data.slice(0, 45) }, 'it holds no ELF file'],
  ])('names the account of a program %s', async (_, address, change, reason) => {
    const { ledger, client } = await clusterWith(elf);
    const { owner, data } = ledger.getAccount(address) as Required<LedgerAccount>;
    const changed = change && { owner: change.owner ?? owner, data: change.data?.(data) ?? data };
    ledger.setAccount(address, changed);
    const name = change?.owner === undefined ? 'invalid-account-data' : 'invalid-account-data:found';
    const error = await expectRefusal(downloadSource(client), name, { address });
    expect(error.message).toContain(`account ${address} `);
    expect(error.message).toContain(reason);
    expect(error.message).toMatch(/Check the (program's )?address and the cluster\.$/);
  });

  test('without a program can only be run on the model', async () => {
    await expectRefusal(openPrograms(source), 'invalid-input', { field: 'from' });
  });

  test('from a file that is not one is rejected, or without clock and rent', async () => {
    const withoutAddress = stringifySource(source).replaceAll(HEAVEN_PROGRAM_ADDRESS, 'x');
    for (const text of ['x', '{}', withoutAddress])
      expect(() => parseSource(text)).toThrow("The file is not a download of 'heaven-pools verify --save'.");
    await expectRefusal(() => ledgerOf({ ...source, accounts: [] }), 'invalid-account-data');
  });
});

type Change = { readonly owner?: Address; readonly data?: (data: Uint8Array) => Uint8Array } | undefined;
const LIGHT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;

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
    const title = `The library's own model of ${HEAVEN_PROGRAM_ADDRESS}, which proves nothing about the program`;
    expect(printed[0]).toBe(title);
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
    const { printed } = await run({ from: deployed, json: true });
    const verified = JSON.parse(printed[0] ?? '');
    expect(verified.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(verified).toMatchObject({ program: HEAVEN_PROGRAM_ADDRESS, sha256, deployed_slot: 411 });
    expect(verified.assumptions).toMatchObject({ A2: 'confirmed', A8: 'confirmed', A11: 'confirmed' });
    // Nothing tells these, and there is no standard pool.
    expect(verified.assumptions).toMatchObject({ A10: 'untested', A14: 'untested', A13: 'untested' });
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
    for (const wrong of [undefined, null, 'x', sha256.toUpperCase(), `${sha256}0`])
      await expectRefusal(clientWith({ ...verified, sha256: wrong }), 'invalid-input', {
        field: 'verified.sha256',
      });
    const assumptions = { ...verified.assumptions, A2: 'yes' };
    await expectRefusal(clientWith({ ...verified, assumptions }), 'invalid-input', {
      field: 'verified.assumptions.A2',
    });
    await expectRefusal(clientWith({ ...verified, assumptions: null }), 'invalid-input', {
      field: 'verified.assumptions',
    });
  });

  test('confirms nothing about a program that did not run', async () => {
    const report = JSON.parse((await run({ embedded: true, json: true })).printed[0] ?? '');
    expect(report.is_equal).toBe(true);
    expect(new Set(Object.values(report.assumptions))).toEqual(new Set(['untested']));
    const { rpc } = await createEmbeddedLedger();
    const used = () => createHeavenClient({ rpc, verified: report });
    expect(used).toThrow("as 'heaven-pools verify --rpc' prints");
  });

  test('says when the program has changed, and fails then and for a row that did not run, if told to', async () => {
    const from = { from: `${folder}/launches.json` };
    const { code, printed } = await run({ ...from, json: true });
    const program = `The program ${HEAVEN_PROGRAM_ADDRESS}, SHA-256 ${sha256}, deployed in slot 411`;
    expect((await run(from)).printed[0]).toBe(program);
    expect(code).toBe(0);
    expect((await run({ ...from, strict: true })).code).toBe(1);
    const previous = `${folder}/previous.json`;
    writeFileSync(previous, printed[0] ?? '');
    expect((await run({ ...from, previous })).printed.join()).not.toContain('has changed');
    const another = { program: HEAVEN_PROGRAM_ADDRESS, sha256: '0'.repeat(64) };
    writeFileSync(previous, JSON.stringify(another));
    const warning = `The program has changed since ${previous}: its SHA-256 was ${another.sha256}.`;
    expect((await run({ ...from, previous })).printed.at(-2)).toBe(warning);
    writeFileSync(previous, JSON.stringify({ ...another, program: CODE }));
    const ofAnother = `--previous ${previous} is of the program ${CODE}, not of ${HEAVEN_PROGRAM_ADDRESS}.`;
    await expect(run({ ...from, previous })).rejects.toThrow(ofAnother);
  });

  test('reads --previous before anything runs', async () => {
    const previous = `${folder}/wrong.json`;
    const message = "is not the output of 'heaven-pools verify --json' on a deployed program";
    for (const wrong of ['x', '{}', '{"sha256":"another"}', `{"sha256":null,"program":"${CODE}"}`]) {
      writeFileSync(previous, wrong);
      // The download isn't there either.
      await expect(run({ from: '/none/file.json', previous })).rejects.toThrow(message);
    }
    const missing = "--previous /none/file.json can't be read: ENOENT";
    await expect(run({ from: file, previous: '/none/file.json' })).rejects.toThrow(missing);
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
    [
      'what --replay does not use',
      { embedded: true, replay: 'x', pools: 'y', save: 'y', from: 'y', previous: 'y', strict: true },
      "--replay doesn't use --pools and --save and --from and --previous and --strict",
    ],
    ['what --embedded does not use', { embedded: true, save: 'y' }, "--embedded doesn't use --save"],
    [
      'what --from does not use',
      { from: 'x', save: 'y', pools: 'y' },
      "--from doesn't use --pools and --save",
    ],
    ['--last without --replay', { embedded: true, last: 3 }, '--last belongs to --replay'],
    ...[{ embedded: true }, { embedded: true, replay: CODE }, { from: 'x' }, { replay: CODE }].map(
      (settings): [string, VerifySettings, string] => [
        `a program that is not an address, with ${Object.keys(settings).join(' and ')}`,
        { ...settings, programId: 'x' },
        '--program-id must be a base58 address of 32 bytes; got "x".',
      ],
    ),
    [
      'another program than the model’s',
      { embedded: true, programId: CODE },
      `--embedded is of the program ${HEAVEN_PROGRAM_ADDRESS}, not of ${CODE}.`,
    ],
    [
      'another program than the model’s, to replay',
      { embedded: true, replay: CODE, programId: CODE },
      `--embedded is of the program ${HEAVEN_PROGRAM_ADDRESS}, not of ${CODE}.`,
    ],
    ['a file that is not there', { from: '/none/file.json' }, "--from /none/file.json can't be read: ENOENT"],
    ['a URL that is not one', { rpcUrl: 'x' }, '--rpc'],
  ])('rejects %s', async (_, settings, message) => {
    await expect(run(settings)).rejects.toThrow(message);
  });
});
