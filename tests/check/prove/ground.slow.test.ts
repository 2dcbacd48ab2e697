import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  createModelGround,
  createProgramGround,
  createSampleProofSource,
  type Ground,
} from '../../../src/check/prove/ground.js';
import { checkSource } from '../../../src/check/prove/source.js';
import { programOf } from '../../../src/check/prove/source-programs.js';
import { buildBuy, createClient, quoteBuy } from '../../../src/index.js';
import { decodeLiquidityPoolState, HEAVEN_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../support/addresses.js';
import { expectRefusal } from '../../support/errors.js';
import { noopProgram } from '../../svm/noop-program.js';

const sample = await createSampleProofSource();
const wallet = await generateKeyPairSigner();

test('the sample source has the pools, configs and positions of the embedded ledger', async () => {
  const { pools, slot, unixTimestamp } = await createEmbeddedLedger();
  expect(sample.pools.map(({ address, kind, configVersion }) => ({ address, kind, configVersion }))).toEqual([
    { address: pools.community.pool, kind: 'standard', configVersion: 1 },
    { address: pools.creator.pool, kind: 'standard', configVersion: 2 },
    { address: pools.pro.pool, kind: 'pro', configVersion: 3 },
    { address: pools.launching.pool, kind: 'standard', configVersion: 1 },
  ]);
  expect(sample.pools.map(({ positions }) => positions.length)).toEqual([0, 0, 1, 0]);
  expect(sample.configs.map(({ version }) => version)).toEqual([1, 2, 3]);
  expect(sample).toMatchObject({ slot, unixTimestamp, epoch: 952n, lamportsPerByte: 5_080n, reasons: [] });
});

async function buyOn(ground: Ground) {
  const ledger = await ground.open();
  ledger.setBalance(wallet.address, 10_000_000_000n);
  const { mint, configVersion, address } = ground.source.pools[1]!;
  const client = createClient({ rpc: ledger.rpc });
  const quoteResponse = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
  const payer = wallet.address;
  const { tx } = await buildBuy(client, { payer, quoteResponse, encodedUserDefinedEventData: '' });
  const { err } = await ledger.execute(tx);
  const { reserve } = decodeLiquidityPoolState(ledger.getAccount(address)!.data);
  return { err, reserve, ledger };
}
const reserveIn = async (ground: Ground) =>
  decodeLiquidityPoolState((await ground.open()).getAccount(ground.source.pools[1]!.address)!.data).reserve;

describe('on the model', () => {
  test('a trade moves the pool, on that ledger only', async () => {
    const ground = createModelGround(sample);
    expect(ground.runs).toBe('model');
    const before = await reserveIn(ground);
    const { err, reserve } = await buyOn(ground);
    expect(err).toBeNull();
    expect(reserve.tokenB).toBeGreaterThan(before.tokenB);
    expect(await reserveIn(ground)).toEqual(before);
  });

  test('the model can be a wrong one', async () => {
    const ground = createModelGround(sample, { scripted: { buy: { custom: 6_000 } } });
    expect((await buyOn(ground)).err).toEqual({ InstructionError: [expect.any(Number), { Custom: 6_000 }] });
  });

  test("what is written into a ledger's account data stays there", async () => {
    const ground = createModelGround(sample);
    const { address } = sample.pools[0]!;
    (await ground.open()).getAccount(address)!.data.fill(0);
    expect((await ground.open()).getAccount(address)!.data[0]).not.toBe(0);
  });

  test("the clock continues from the source's", async () => {
    const ledger = await createModelGround(sample).open();
    expect(ledger.slot).toBe(sample.slot);
    ledger.setSlot(sample.slot + 5n);
    expect(ledger.unixTimestamp).toBe(sample.unixTimestamp + 1n);
  });
});

describe('on the program', () => {
  test('a trade runs it: the no-op program moves nothing', async () => {
    const exchange = await programOf(HEAVEN_PROGRAM_ADDRESS, noopProgram());
    const ground = await createProgramGround({ ...sample, programs: { exchange } });
    expect(ground.runs).toBe('program');
    const { err, reserve, ledger } = await buyOn(ground);
    expect(err).toBeNull();
    expect(reserve).toEqual(await reserveIn(ground));
    expect(ledger.getAccount(wallet.address)!.lamports).toBeLessThan(10_000_000_000n);
    expect((await ground.open()).getAccount(wallet.address)).toBeUndefined();
  });

  test('rejects a source without the program, or with an invalid one', async () => {
    await expectRefusal(createProgramGround(sample), 'invalid-program', { program: HEAVEN_PROGRAM_ADDRESS });
    const broken = await programOf(HEAVEN_PROGRAM_ADDRESS, noopProgram().fill(0, 120, 136));
    await expectRefusal(
      createProgramGround({ ...sample, programs: { exchange: broken } }),
      'invalid-program',
      { program: HEAVEN_PROGRAM_ADDRESS },
    );
  });
});

describe('what a source is checked for', () => {
  const { deployment, accounts } = sample;
  const [pool] = sample.pools.map(({ address }) => address);
  const check = (changed: typeof accounts) =>
    checkSource({
      deployment,
      programs: {},
      accounts: changed,
      pools: sample.pools.map(({ address }) => address),
    });
  const without = (address: string) => accounts.filter((account) => account.address !== address);
  const changed = (address: string, change: Partial<(typeof accounts)[number]>) =>
    accounts.map((account) => (account.address === address ? { ...account, ...change } : account));

  test.each([
    ['the clock', CLOCK_SYSVAR_ADDRESS],
    ['the feed', deployment.solUsdFeed],
  ])('without %s there is no source', async (_, address) => {
    await expectRefusal(check(without(address)), 'account-not-found', { address });
    await expectRefusal(check(changed(address, { owner: pool! })), 'account-owner-mismatch', { address });
    await expectRefusal(check(changed(address, { data: new Uint8Array(8) })), 'invalid-account-data');
  });

  test('names a missing config; without any config there is no source', async () => {
    const [first, second, third] = sample.configs.map(({ address }) => address);
    const { configs, reasons, pools } = await check(without(second!));
    expect(configs.map(({ version }) => version)).toEqual([1, 3]);
    expect(reasons[0]).toBe('there is no config 2');
    expect(pools).toHaveLength(3);
    const rest = accounts.filter(({ address }) => ![first, second, third].includes(address));
    await expectRefusal(check(rest), 'account-not-found', { account: 'ProtocolConfig' });
    await expectRefusal(check(changed(first!, { owner: pool! })), 'account-owner-mismatch', {
      address: first,
    });
    const other = accounts.find(({ address }) => address === second)!;
    await expectRefusal(check(changed(first!, { data: other.data })), 'invalid-account-data', {
      address: first,
    });
  });

  test('a pool that is of an unknown kind, or lacks something, is left out with the reason', async () => {
    const account = accounts.find(({ address }) => address === pool)!;
    const strange = account.data.slice();
    strange[90] = 7;
    const { tokenA, tokenAVault } = decodeLiquidityPoolState(account.data);
    for (const [given, reason] of [
      [changed(pool!, { data: strange }), 'is left out: '],
      [changed(pool!, { owner: deployment.solUsdFeed }), 'belongs to'],
      [without(pool!), 'does not exist'],
      [without(tokenA.mint), `its mint ${tokenA.mint} is missing`],
      [without(tokenAVault), `its vault ${tokenAVault} is missing`],
    ] as const) {
      const { pools, reasons } = await check(given);
      expect(pools).toHaveLength(3);
      expect(reasons).toEqual([expect.stringContaining(reason)]);
      expect(reasons[0]).toContain(pool);
    }
  });

  test('rejects an account listed twice, or without lamports', async () => {
    await expectRefusal(check([...accounts, accounts[0]!]), 'invalid-account-data');
    const unknown = accounts.map(({ lamports, ...account }) => account);
    await expectRefusal(
      checkSource({ deployment, programs: {}, accounts: unknown, pools: [] }),
      'invalid-account-data',
    );
  });
});
