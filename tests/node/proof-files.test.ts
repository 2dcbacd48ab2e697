import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { createSampleProofSource } from '../../src/check/prove/ground.js';
import { programOf } from '../../src/check/prove/source-programs.js';
import { loadProofSource, saveProofSource } from '../../src/node/proof-files.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { expectRefusal } from '../support/errors.js';
import { noopProgram } from '../svm/noop-program.js';

const folder = mkdtempSync(join(tmpdir(), 'heaven-proof-'));
afterAll(() => rmSync(folder, { recursive: true }));
const pathOf = (file: string) => join(folder, file);

const sample = await createSampleProofSource();
const source = {
  ...sample,
  reasons: ['there is no Token Metadata program on this cluster'],
  programs: {
    exchange: {
      ...(await programOf(HEAVEN_PROGRAM_ADDRESS, noopProgram())),
      programData: sample.pools[0]!.address,
      lastDeploySlot: 2n ** 60n + 1n,
      upgradeAuthority: sample.pools[1]!.address,
    },
    chainlink: await programOf(CHAINLINK_STORE_PROGRAM_ADDRESS, noopProgram()),
  },
};

beforeEach(async () => {
  rmSync(folder, { recursive: true });
  await saveProofSource(source, join(folder));
});

/** Changes a JSON file by its text. */
const edit = (file: string, from: string | RegExp, to: string) => {
  const text = readFileSync(pathOf(file), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(pathOf(file), changed);
};

describe('a saved download', () => {
  test('loads unchanged', async () => {
    expect(await loadProofSource(folder)).toEqual(source);
  });

  test('consists of files that other tools read', () => {
    expect(new Uint8Array(readFileSync(pathOf('exchange.so')))).toEqual(noopProgram());
    const [first] = JSON.parse(readFileSync(pathOf('accounts.json'), 'utf8'));
    const { address, owner, data, lamports } = sample.accounts[0]!;
    expect(first).toEqual({
      pubkey: address,
      account: {
        lamports: Number(lamports),
        data: [Buffer.from(data).toString('base64'), 'base64'],
        owner,
        executable: false,
        rentEpoch: 18446744073709552000,
        space: data.length,
      },
    });
  });

  test("another program takes the place of the exchange's own", async () => {
    const other = noopProgram();
    other[124] = 7;
    rmSync(pathOf('exchange.so'));
    const { programs } = await loadProofSource(folder, { program: other });
    expect(programs.exchange).toEqual(await programOf(HEAVEN_PROGRAM_ADDRESS, other));
    expect(programs.chainlink).toEqual(source.programs.chainlink);
  });

  test.each(['source.json', 'accounts.json', 'exchange.so'])('lacks %s', async (file) => {
    rmSync(pathOf(file));
    await expectRefusal(loadProofSource(folder), 'invalid-proof-source', { file });
  });

  test.each<[string, string, () => void]>([
    [
      'a program that was changed',
      'exchange.so',
      () => writeFileSync(pathOf('exchange.so'), noopProgram().fill(9, 300)),
    ],
    ['a program that was cut', 'exchange.so', () => truncateSync(pathOf('exchange.so'), 351)],
    [
      'a program that is too large',
      'exchange.so',
      () => truncateSync(pathOf('exchange.so'), 10 * 1_024 * 1_024 + 1),
    ],
    [
      'accounts that are too large',
      'accounts.json',
      () => truncateSync(pathOf('accounts.json'), 33 * 1_024 * 1_024),
    ],
    [
      'a source that is too large',
      'source.json',
      () => truncateSync(pathOf('source.json'), 2 * 1_024 * 1_024),
    ],
    ['no JSON', 'source.json', () => writeFileSync(pathOf('source.json'), '{')],
    ['another format', 'source.json', () => edit('source.json', '"format":1', '"format":2')],
    ['another slot', 'source.json', () => edit('source.json', /"slot":\d/, '"slot":9')],
    [
      'a list of pools that is none',
      'source.json',
      () => edit('source.json', '"pools":[', '"pools":1,"x":['),
    ],
    [
      'a path in place of an address',
      'source.json',
      () => edit('source.json', /"pools":\["\w+/, '"pools":["../../x'),
    ],
    ['no deployment', 'source.json', () => edit('source.json', '"deployment":', '"elsewhere":')],
    ['another hash', 'exchange.so', () => edit('source.json', /"sha256":"f/, '"sha256":"e')],
    ['accounts that are none', 'accounts.json', () => writeFileSync(pathOf('accounts.json'), '{}')],
    ['an account without lamports', 'accounts.json', () => edit('accounts.json', '"lamports"', '"lamport"')],
    ['data that is not base64', 'accounts.json', () => edit('accounts.json', /"data":\["/, '"data":["!')],
    [
      'too many accounts',
      'accounts.json',
      () => writeFileSync(pathOf('accounts.json'), `[${Array(201).fill('0')}]`),
    ],
  ])('with %s is rejected', async (_, file, spoil) => {
    spoil();
    await expectRefusal(loadProofSource(folder), 'invalid-proof-source', { file });
  });

  test("a changed account is checked like a node's", async () => {
    const { owner } = sample.accounts.find(({ address }) => address === sample.deployment.solUsdFeed)!;
    edit('accounts.json', `"owner":"${owner}"`, `"owner":"${HEAVEN_PROGRAM_ADDRESS}"`);
    await expectRefusal(loadProofSource(folder), 'account-owner-mismatch', {
      address: sample.deployment.solUsdFeed,
    });
  });
});
