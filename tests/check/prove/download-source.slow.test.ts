import {
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getAddressEncoder,
  type RpcTransport,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { downloadProofSource } from '../../../src/check/prove/download-source.js';
import { createProgramGround } from '../../../src/check/prove/ground.js';
import { createClient, type HeavenClient, type HeavenRpc } from '../../../src/index.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, HEAVEN_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';
import { expectRefusal } from '../../support/errors.js';
import { noopProgram } from '../../svm/noop-program.js';

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
const LOADER_2 = 'BPFLoader2111111111111111111111111111111111' as Address;
const METADATA = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address;
/** sha256 of the no-op program, by another implementation. */
const NOOP_HASH = 'fcfa22fe9aeefdf9d2cfe21ba743d9a3ae7992a3421863d3579fe83ec2b9b616';

const authority = (await generateKeyPairSigner()).address;
const programData = (await generateKeyPairSigner()).address;
const bytesOf = (address: Address) => [...getAddressEncoder().encode(address)];
const programAccount = Uint8Array.of(2, 0, 0, 0, ...bytesOf(programData));
/** The slot is 0x0102. */
const HEADER = [3, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1, ...bytesOf(authority)];
const code = Uint8Array.of(...HEADER, ...noopProgram());

const withByte = (data: Uint8Array, at: number, byte: number) =>
  data.map((old, index) => (index === at ? byte : old));

let ledger: EmbeddedLedger;
let client: HeavenClient;
beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  client = createClient({ rpc: ledger.rpc });
  ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, { owner: LOADER, data: programAccount });
  ledger.setAccount(programData, { owner: LOADER, data: code });
  ledger.setAccount(CHAINLINK_STORE_PROGRAM_ADDRESS, { owner: LOADER_2, data: noopProgram() });
});

describe('a download', () => {
  test('holds the programs with their hash, slot and authority', async () => {
    const { programs, reasons } = await downloadProofSource(client);
    expect(programs.exchange).toEqual({
      address: HEAVEN_PROGRAM_ADDRESS,
      elf: noopProgram(),
      sha256: NOOP_HASH,
      programData,
      lastDeploySlot: 0x0102n,
      upgradeAuthority: authority,
    });
    expect(programs.chainlink).toEqual({
      address: CHAINLINK_STORE_PROGRAM_ADDRESS,
      elf: noopProgram(),
      sha256: NOOP_HASH,
    });
    expect(reasons).toContain('there is no Token Metadata program on this cluster');
  });

  test('a program that nobody can upgrade', async () => {
    const data = code.slice();
    data.fill(0, 12, 45);
    ledger.setAccount(programData, { owner: LOADER, data });
    const { programs } = await downloadProofSource(client);
    expect(programs.exchange).not.toHaveProperty('upgradeAuthority');
    ledger.setAccount(METADATA, { owner: LOADER_2, data: noopProgram() });
    expect((await downloadProofSource(client)).programs.metadata?.address).toBe(METADATA);
  });

  test('finds pools of each kind with their positions, and can be run', async () => {
    const steps: string[] = [];
    const source = await downloadProofSource(client, { observe: (step) => steps.push(step) });
    const { pools } = ledger;
    expect(new Set(source.pools.map(({ address }) => address))).toEqual(
      new Set(Object.values(pools).map(({ pool }) => pool)),
    );
    const pro = source.pools.find(({ kind }) => kind === 'pro');
    expect(pro).toMatchObject({ address: pools.pro.pool, configVersion: 3, mint: pools.pro.mint });
    expect(pro?.positions).toHaveLength(1);
    expect(source).toMatchObject({ slot: ledger.slot, unixTimestamp: ledger.unixTimestamp });
    expect(source.reasons).toEqual(['there is no Token Metadata program on this cluster']);
    expect(steps).toHaveLength(5);
    const ground = await createProgramGround(source);
    expect((await ground.open()).getAccount(pools.pro.pool)).toEqual(ledger.getAccount(pools.pro.pool));
  });

  test('holds only the named pools', async () => {
    const { pro, creator } = ledger.pools;
    const source = await downloadProofSource(client, { pools: [pro.pool], mints: [creator.mint] });
    expect(source.pools.map(({ address }) => address)).toEqual([pro.pool, creator.pool]);
    const one = await downloadProofSource(client, { pools: [pro.pool, creator.pool], maxPools: 1 });
    expect(one.pools.map(({ address }) => address)).toEqual([pro.pool]);
  });

  test('from a node that lists no accounts holds the default tokens, and says so', async () => {
    const refusing = (async (config: { readonly payload: unknown }) => {
      if ((config.payload as { method: string }).method === 'getProgramAccounts')
        return { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } };
      return ledger.transport(config as never);
    }) as RpcTransport;
    const rpc = createSolanaRpcFromTransport(refusing) as HeavenRpc;
    const { pools, reasons } = await downloadProofSource(createClient({ rpc }));
    // LIGHT's.
    expect(pools.map(({ address }) => address)).toEqual([ledger.pools.creator.pool]);
    expect(reasons.filter((reason) => reason.includes('were looked for: '))).toHaveLength(3);
  });

  test('can use another program in place of the deployed one', async () => {
    ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, undefined);
    const { programs } = await downloadProofSource(client, { program: noopProgram() });
    expect(programs.exchange).toEqual({
      address: HEAVEN_PROGRAM_ADDRESS,
      elf: noopProgram(),
      sha256: NOOP_HASH,
    });
  });
});

describe('is rejected', () => {
  test('a program that does not exist', async () => {
    ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, undefined);
    await expectRefusal(downloadProofSource(client), 'account-not-found', {
      address: HEAVEN_PROGRAM_ADDRESS,
    });
  });

  test.each<[string, () => void]>([
    [
      'of another owner',
      () => ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, { owner: authority, data: programAccount }),
    ],
    [
      'of another size',
      () => ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, { owner: LOADER, data: programAccount.slice(0, 35) }),
    ],
    [
      'of another tag',
      () =>
        ledger.setAccount(HEAVEN_PROGRAM_ADDRESS, { owner: LOADER, data: withByte(programAccount, 0, 3) }),
    ],
    ['that is closed', () => ledger.setAccount(programData, undefined)],
    ['whose code has another owner', () => ledger.setAccount(programData, { owner: authority, data: code })],
    ['whose header is cut', () => ledger.setAccount(programData, { owner: LOADER, data: code.slice(0, 44) })],
    [
      'whose code has another tag',
      () => ledger.setAccount(programData, { owner: LOADER, data: withByte(code, 0, 1) }),
    ],
    [
      'whose authority is neither there nor not',
      () => ledger.setAccount(programData, { owner: LOADER, data: withByte(code, 12, 2) }),
    ],
    ['without code', () => ledger.setAccount(programData, { owner: LOADER, data: code.slice(0, 45) })],
    ['that is no ELF', () => ledger.setAccount(programData, { owner: LOADER, data: withByte(code, 45, 0) })],
  ])('a program %s', async (_, arrange) => {
    arrange();
    await expectRefusal(downloadProofSource(client), 'invalid-program', { program: HEAVEN_PROGRAM_ADDRESS });
  });

  test('a file that is too large, or not a program', async () => {
    const large = new Uint8Array(10 * 1_024 * 1_024 + 1);
    large.set(noopProgram());
    for (const program of [large, new Uint8Array(), Uint8Array.of(1, 2, 3)])
      await expectRefusal(downloadProofSource(client, { program }), 'invalid-program');
  });

  test.each([0, 17, 1.5])('%d pools', async (maxPools) => {
    await expectRefusal(downloadProofSource(client, { maxPools }), 'invalid-input', { field: 'maxPools' });
  });

  test('invalid addresses', async () => {
    const pools = ['pool' as Address];
    await expectRefusal(downloadProofSource(client, { pools }), 'invalid-address', { field: 'pools[0]' });
    await expectRefusal(downloadProofSource(client, { mints: pools }), 'invalid-address', {
      field: 'mints[0]',
    });
  });
});
