import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  encodeProtocolConfig,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../../src/program/index.js';
import { createSampleConfig } from '../../../src/testing/samples.js';
import { OTHER, STRANGER } from '../../support/addresses.js';
import { CATCH_ALL } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { ledger } from '../../support/ledger.js';
import { ownWarnings } from '../../support/warnings.js';
import {
  accumulate,
  allow,
  codesOf,
  type Operation,
  parsedOf,
  pro,
  run,
  setLiquidity,
  setPosition,
  tokenAccountOf,
  update,
  useProPool,
} from './support.js';

useProPool();

test.each(['add', 'remove', 'claimCreatorFees', 'claimLpFees'] as const)(
  '%s unwraps behind it, unless that is not wanted',
  async (name) => {
    const programs = async (change = {}) =>
      (await run(name, change)).instructions.map(({ programAddress }) => programAddress);
    expect((await programs()).slice(-2)).toEqual([HEAVEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS]);
    expect((await programs({ wrapSol: 'none' })).at(-1)).toBe(HEAVEN_PROGRAM_ADDRESS);
    const { userTokenBVault } = parsedOf(await run(name, { wrapSol: 'temporary' })).accounts;
    const associated = await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS);
    expect(userTokenBVault).not.toMatchObject({ address: associated });
  },
);

describe('an operation is rejected', () => {
  test.each(['claimCreatorFees', 'updateReceiver'] as const)('%s of a standard pool', async (name) => {
    const context = { asked: 'pro', found: 'standard' };
    await expectRefusal(run(name, { pool: ledger.pools.creator.pool }), 'pool-mismatch:kind', context);
  });

  test('a withdrawal from an empty pool', async () => {
    setLiquidity(0n, 0n, 0n);
    await expectRefusal(run('remove'), 'insufficient-liquidity');
  });

  test.each([
    ['remove', 'lpTokensToBurn'],
    ['transfer', 'amount'],
  ] as const)('%s of more LP tokens than the position holds', async (name, amount) => {
    await setPosition({ lpTokenBalance: 999n });
    await expect(run(name, { [amount]: 999n })).resolves.toBeDefined();
    const context = { requested: 1_000n, available: 999n };
    await expectRefusal(run(name, { [amount]: 1_000n }), 'insufficient-balance:lp-tokens', context);
  });

  test('a creator fee over the maximum of the config that the pool has, and no other fee', async () => {
    const other = await findProtocolConfigAddress({ version: 4 });
    const data = encodeProtocolConfig({ ...createSampleConfig(3), version: 4, maxCreatorTradingFee: 200 });
    ledger.setAccount(other, { owner: HEAVEN_PROGRAM_ADDRESS, data });
    const setting = (name: Operation, sellFeeBps: number) =>
      run(name, { brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 200, sellFeeBps }] });
    await expect(setting('setMarketCapCreatorFee', 201)).resolves.toBeDefined();
    update({ protocolConfig: other });
    await expect(setting('setMarketCapCreatorFee', 200)).resolves.toBeDefined();
    const context = { field: 'brackets[0].sellFeeBps', feeBps: 201, maxFeeBps: 200 };
    await expectRefusal(setting('setMarketCapCreatorFee', 201), 'invalid-fees:feeBps', context);
    // Nor does it matter to the others that the creator fee is fixed.
    allow({ updateCreatorTradingFee: 0 });
    await expect(setting('setLpFee', 201)).resolves.toBeDefined();
    await expect(setting('setReflectionFee', 201)).resolves.toBeDefined();
  });

  const { Unclaimed, Submitted, Processed } = CreatorTradingFeeClaimStatus;
  const { Community, Creator, Blocked, Shared } = CreatorTradingFeeDistribution;
  const ALLOWED = { claimStatus: Processed, distribution: Creator };
  test.each([
    { ...ALLOWED, claimStatus: Unclaimed },
    { ...ALLOWED, claimStatus: Submitted },
    { ...ALLOWED, distribution: Community },
    { ...ALLOWED, distribution: Blocked },
    { ...ALLOWED, distribution: Shared },
    { claimStatus: Unclaimed, distribution: Community },
  ])('updateReceiver with status $claimStatus and distribution $distribution', async (state) => {
    update({
      creatorTradingFeeClaimStatus: state.claimStatus,
      creatorTradingFeeDistribution: state.distribution,
    });
    await expectRefusal(run('updateReceiver'), 'operation-disabled:update-fee-receiver', state);
  });

  test('updateReceiver to the same receiver, though it may be the creator again', async () => {
    update({ creatorTradingFeeReceiver: STRANGER });
    await expectRefusal(run('updateReceiver'), 'operation-disabled:update-fee-receiver', ALLOWED);
    const back = await run('updateReceiver', { newReceiver: pro.creator });
    expect(back.requiredSigners).toEqual([pro.creator]);
  });
});

describe('warnings', () => {
  test.each([
    ['toggleSwap', 'swap', []],
    ['toggleDeposit', 'depositLiquidity', []],
    ['toggleWithdraw', 'removeLiquidity', ['withdrawals-locked']],
  ] as const)('%s: no-change, and %s off', async (name, feature, whenOff) => {
    expect(codesOf(await run(name, { enabled: true }))).toEqual(['no-change']);
    expect(codesOf(await run(name, { enabled: false }))).toEqual(whenOff);
    allow({ [feature]: 0 });
    expect(codesOf(await run(name, { enabled: true }))).toEqual([]);
    expect(codesOf(await run(name, { enabled: false }))).toEqual(['no-change', ...whenOff]);
  });

  test('transfer: position-rent, unless the receiver has one', async () => {
    // (97 + 128) * 5080 lamports
    expect(ownWarnings(await run('transfer'))).toEqual([
      { code: 'position-rent', message: expect.stringMatching(new RegExp(`${OTHER} pays 0\\.001143 SOL`)) },
    ]);
    await setPosition({ user: STRANGER });
    expect(codesOf(await run('transfer'))).toEqual([]);
  });

  test('transfer: receiver-not-wallet, if the receiver is a program or owned by one', async () => {
    await setPosition({ user: STRANGER });
    ledger.setAccount(STRANGER, { owner: TOKEN_PROGRAM_ADDRESS, data: new Uint8Array(165) });
    expect(codesOf(await run('transfer'))).toEqual(['receiver-not-wallet']);
    ledger.setAccount(STRANGER, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() });
    expect(codesOf(await run('transfer'))).toEqual([]);
    // As accounts of a cluster: a program belongs to its loader, and the incinerator to the System program.
    const owner = 'BPFLoader2111111111111111111111111111111111' as Address;
    const incinerator = '1nc1nerator11111111111111111111111111111111' as Address;
    ledger.setAccount(TOKEN_PROGRAM_ADDRESS, { owner, data: new Uint8Array(36) });
    ledger.setBalance(incinerator, 1n);
    for (const receiver of [TOKEN_PROGRAM_ADDRESS, HEAVEN_PROGRAM_ADDRESS, incinerator]) {
      await setPosition({ user: receiver });
      expect(codesOf(await run('transfer', { receiver })), receiver).toEqual(['receiver-not-wallet']);
    }
  });

  const expectEmpty = async (name: 'claimCreatorFees' | 'claimLpFees') => {
    await expectRefusal(run(name), 'fees-not-claimable', { reason: 'nothing-to-claim' });
    expect(codesOf(await run(name, { allowEmpty: true }))).toEqual(['nothing-to-claim']);
  };

  test('claimLpFees: nothing-to-claim, if that is allowed', async () => {
    const free = { computeUnitPrice: 0n };
    expect(codesOf(await run('claimLpFees', free))).toEqual([]);
    await setPosition({ lpTokenBalance: 400_000_000_000n });
    await expectEmpty('claimLpFees');
    accumulate(1n);
    // A single lamport is something to claim: 1e9 * 1 / 1e9.
    await setPosition({ lpTokenBalance: 1_000_000_000n });
    expect(codesOf(await run('claimLpFees', free))).toEqual([]);
    await setPosition({ lpTokenBalance: 999_999_999n });
    await expectEmpty('claimLpFees');
  });

  test.each([
    // 1000000 lamports of 400e9 are 1000000 of 400e9 LP tokens, and 1000 tokens of A.
    ['add', 'minLpTokens', 1_000_000n],
    ['remove', 'minTokenA', 1_000_000_000n],
    ['remove', 'minTokenB', 1_000_000n],
  ] as const)('%s: minimum-not-reached by %s', async (name, field, reached) => {
    const codesAt = async (least: bigint) =>
      codesOf(await run(name, { [field]: least, computeUnitPrice: 0n }));
    expect(await codesAt(reached)).toEqual([]);
    expect(await codesAt(reached + 1n)).toEqual(['minimum-not-reached']);
  });
});
