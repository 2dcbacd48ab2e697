import type { Address } from '@solana/kit';
import { generateKeyPairSigner, type Instruction, isTransactionSigner } from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import {
  getTransferCheckedInstruction,
  parseCreateAssociatedTokenIdempotentInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';

import {
  type BuildClaimCreatorTradingFeesInput,
  type BuiltTransaction,
  buildClaimCreatorTradingFees,
  type WrapSol,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  parseClaimStandardCreatorTradingFeesInstruction,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { INSTRUCTIONS_SYSVAR_ADDRESS } from '../support/addresses.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { allInstructionsOf } from '../support/transactions.js';
import { createWorld, feeOf, POOL_NAMES, POOLS, type PoolName, WRAPPED_SOL_RENT } from '../svm/harness.js';
import { STRATEGIES } from '../svm/trades.js';

/** What has accrued in the creator pool since the last claim. */
const UNCLAIMED = 420_891_248_646n;

useLedger();

type State = Parameters<Parameters<EmbeddedLedger['updatePool']>[1]>[0];
type StandardPoolName = 'community' | 'creator' | 'launching';

/** A claim by the creator, who is the receiver of all sample pools. */
const claim = (change: object = {}, name: StandardPoolName = 'creator') => {
  const { mint, creator, configVersion } = ledger.pools[name];
  const input = { amount: 0n, mint, payer: creator, version: configVersion, ...change };
  return buildClaimCreatorTradingFees(client, input as BuildClaimCreatorTradingFeesInput);
};

const update = (fields: Partial<State>, name: StandardPoolName = 'creator') =>
  ledger.updatePool(ledger.pools[name].pool, () => fields);

const exchangeInstructionOf = ({ instructions }: BuiltTransaction) =>
  instructions.find(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS)!;

const claimOf = (built: BuiltTransaction) =>
  parseClaimStandardCreatorTradingFeesInstruction(exchangeInstructionOf(built) as never);

const programsIn = (built: BuiltTransaction) =>
  allInstructionsOf(built).map(({ programAddress }) => programAddress);

describe('the claim', () => {
  test.each([
    ['all', 0n],
    ['one lamport', 1n],
    ['a part', 123_456_789_012n],
    ['exactly what has accrued', UNCLAIMED],
  ])('of %s carries its amount', async (_, amount) => {
    const built = await claim({ amount });
    expect(claimOf(built).data).toEqual({ amount });
    // The discriminator, and a little-endian u64.
    const data = new DataView(Uint8Array.from(exchangeInstructionOf(built).data!).buffer);
    expect(data.byteLength).toBe(16);
    expect(data.getBigUint64(0)).toBe(0xa559dd34aaf9226fn);
    expect(data.getBigUint64(8, true)).toBe(amount);
  });

  test.each(['community', 'creator'] as const)('names its accounts in order (%s pool)', async (name) => {
    update(
      {
        creatorTradingFees: 5n,
        creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
      },
      name,
    );
    const { mint, creator, tokenProgram, pool, protocolConfig, tokenAVault, tokenBVault } =
      ledger.pools[name];
    const built = await claim({}, name);
    const readonly = (address: Address) => ({ address, role: 0 });
    const writable = (address: Address) => ({ address, role: 1 });
    expect(exchangeInstructionOf(built).accounts?.map(({ address, role }) => ({ address, role }))).toEqual([
      readonly(tokenProgram),
      readonly(TOKEN_PROGRAM_ADDRESS),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ADDRESS),
      readonly(SYSTEM_PROGRAM_ADDRESS),
      writable(pool),
      { address: creator, role: expect.toSatisfy((role: number) => role === 2 || role === 3) },
      readonly(mint),
      readonly(WRAPPED_SOL_MINT_ADDRESS),
      writable(await findAssociatedTokenAddress({ owner: creator, mint, tokenProgram })),
      writable(await findAssociatedTokenAddress({ owner: creator, mint: WRAPPED_SOL_MINT_ADDRESS })),
      writable(tokenAVault),
      writable(tokenBVault),
      writable(protocolConfig),
      readonly(INSTRUCTIONS_SYSVAR_ADDRESS),
      readonly(CHAINLINK_STORE_PROGRAM_ADDRESS),
      readonly(SOL_USD_FEED_ADDRESS),
    ]);
  });

  test('needs the receiver’s signature, and is unsigned', async () => {
    const { creator } = ledger.pools.creator;
    const { requiredSigners, transaction, warnings, size, tx } = await claim();
    expect(requiredSigners).toEqual([creator]);
    expect(transaction.signatures).toEqual({ [creator]: null });
    expect(warnings).toEqual([]);
    expect(Buffer.from(tx, 'base64')).toHaveLength(size);
    expect(size).toBeLessThan(1_232);
  });

  test('creates the receiver’s token account', async () => {
    const { mint, creator, tokenProgram } = ledger.pools.creator;
    const created = (await claim()).instructions
      .filter(({ programAddress }) => programAddress === ASSOCIATED_TOKEN_PROGRAM_ADDRESS)
      .map((instruction) => parseCreateAssociatedTokenIdempotentInstruction(instruction as never).accounts);
    expect(
      created.map(({ ata, mint, owner, payer, tokenProgram }) => [
        ata.address,
        mint.address,
        owner.address,
        payer.address,
        tokenProgram.address,
      ]),
    ).toEqual([
      [
        await findAssociatedTokenAddress({ owner: creator, mint: WRAPPED_SOL_MINT_ADDRESS }),
        WRAPPED_SOL_MINT_ADDRESS,
        creator,
        creator,
        TOKEN_PROGRAM_ADDRESS,
      ],
      [
        await findAssociatedTokenAddress({ owner: creator, mint, tokenProgram }),
        mint,
        creator,
        creator,
        tokenProgram,
      ],
    ]);
  });

  const BUDGET = COMPUTE_BUDGET_PROGRAM_ADDRESS;
  const ATA = ASSOCIATED_TOKEN_PROGRAM_ADDRESS;
  const STEPS: Readonly<Record<WrapSol, readonly Address[]>> = {
    // wrapped SOL account, token account, claim, unwrapping
    associated: [BUDGET, BUDGET, ATA, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS],
    // a new account, made wrapped SOL, and the rest
    temporary: [
      BUDGET,
      BUDGET,
      SYSTEM_PROGRAM_ADDRESS,
      TOKEN_PROGRAM_ADDRESS,
      ATA,
      HEAVEN_PROGRAM_ADDRESS,
      TOKEN_PROGRAM_ADDRESS,
    ],
    // no unwrapping
    none: [BUDGET, BUDGET, ATA, ATA, HEAVEN_PROGRAM_ADDRESS],
  };
  test.each(STRATEGIES)('has its instructions in order (wrapSol %s)', async (wrapSol) => {
    expect(programsIn(await claim({ wrapSol }))).toEqual(STEPS[wrapSol]);
  });

  test('unwraps by default', async () => {
    expect((await claim()).tx).toBe((await claim({ wrapSol: 'associated' })).tx);
  });

  test.each([
    ['by default', {}, 130_000, 20_000_000n],
    ['with null', { computeUnitLimit: null, computeUnitPrice: null }, 130_000, 20_000_000n],
    ['as given', { computeUnitLimit: 99_999, computeUnitPrice: 7 }, 99_999, 7n],
  ])('has a compute budget %s', async (_, change, units, microLamports) => {
    expect((await claim(change)).computeBudget).toEqual([
      getSetComputeUnitLimitInstruction({ units }),
      getSetComputeUnitPriceInstruction({ microLamports }),
    ]);
  });

  test('0 leaves the compute budget out', async () => {
    const built = await claim({ computeUnitLimit: 0, computeUnitPrice: 0n });
    expect(programsIn(built)).not.toContain(COMPUTE_BUDGET_PROGRAM_ADDRESS);
  });

  test('puts the caller’s instructions before and after it', async () => {
    const note: Instruction = {
      programAddress: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
      accounts: [],
      data: new Uint8Array([104, 105]),
    };
    const programs = programsIn(await claim({ before: [note], after: [note] }));
    expect([programs[2], programs.at(-1)]).toEqual([note.programAddress, note.programAddress]);
  });

  test('reads the pool and the block hash once each, and reads no block hash if one is given', async () => {
    const { lifetime } = await claim();
    const methods = () => ledger.requests.map(({ method }) => method).sort();
    expect(methods()).toEqual(['getLatestBlockhash', 'getMultipleAccounts']);
    expect((await claim({ lifetime })).lifetime).toEqual(lifetime);
    expect(methods()).toEqual(['getLatestBlockhash', 'getMultipleAccounts', 'getMultipleAccounts']);
  });

  test('keeps a signer attached, and leaves no placeholder signer', async () => {
    const signer = await generateKeyPairSigner();
    update({ creatorTradingFeeReceiver: signer.address });
    const signersIn = ({ instructions }: BuiltTransaction) =>
      new Set(
        instructions.flatMap(({ accounts = [] }) =>
          accounts.flatMap((meta) => ('signer' in meta ? [meta.signer] : [])),
        ),
      );
    expect(isTransactionSigner(signer)).toBe(true);
    const { lifetime, ...bySigner } = await claim({ payer: signer });
    expect(signersIn({ lifetime, ...bySigner })).toEqual(new Set([signer]));
    const byAddress = await claim({ payer: signer.address, lifetime });
    expect(signersIn(byAddress)).toEqual(new Set());
    expect(byAddress.tx).toBe(bySigner.tx);
  });

  test('follows the receiver, not the creator', async () => {
    const receiver = (await generateKeyPairSigner()).address;
    update({ creatorTradingFeeReceiver: receiver });
    expect(claimOf(await claim({ payer: receiver })).accounts.user.address).toBe(receiver);
  });

  test('works while swaps are switched off, and before the pool opens', async () => {
    ledger.updatePool(ledger.pools.creator.pool, ({ allowlist, info }) => ({
      allowlist: { ...allowlist, swap: 0 },
      info: { ...info, openAt: ledger.unixTimestamp + 1_000n },
    }));
    await expect(claim()).resolves.toBeDefined();
  });
});

describe('what can be claimed', () => {
  const { Unclaimed, Submitted, Processed } = CreatorTradingFeeClaimStatus;
  const { Creator, Community, Shared, Blocked } = CreatorTradingFeeDistribution;

  test.each([
    ['not blocked but shared', { creatorTradingFeeDistribution: Shared }],
    ['exactly at the threshold', { tradingVolumeUsd: 100_000 }],
    ['without a threshold, Unclaimed', thresholdOf(0, Unclaimed)],
    ['without a threshold, Submitted', thresholdOf(0, Submitted)],
    ['without a threshold, Processed', thresholdOf(0, Processed)],
  ])('%s', async (_, fields) => {
    update(fields);
    await expect(claim()).resolves.toBeDefined();
  });

  test('a community pool is claimable while Unclaimed if its fees go to the creator', async () => {
    update({ creatorTradingFees: 77n, creatorTradingFeeDistribution: Creator }, 'community');
    expect(claimOf(await claim({ amount: 77n }, 'community')).data).toEqual({ amount: 77n });
  });

  test.each([undefined, null])('everything, with the amount %s', async (amount) => {
    expect(claimOf(await claim({ amount })).data).toEqual({ amount: 0n });
  });

  test.each([
    ['blocked', { creatorTradingFeeDistribution: Blocked }, 'blocked'],
    [
      'blocked, though without a threshold',
      { creatorTradingFeeDistribution: Blocked, ...thresholdOf(0, Processed) },
      'blocked',
    ],
    ['fees of the community', { creatorTradingFeeDistribution: Community }, 'community'],
    [
      'fees of the community, though without a threshold',
      { creatorTradingFeeDistribution: Community, ...thresholdOf(0, Processed) },
      'community',
    ],
    ['a volume a cent below', { tradingVolumeUsd: 99_999.99 }, 'volume-below-threshold'],
    ['no volume', { tradingVolumeUsd: 0 }, 'volume-below-threshold'],
    ['a volume that is no number', { tradingVolumeUsd: Number.NaN }, 'volume-below-threshold'],
    ['Unclaimed', { creatorTradingFeeClaimStatus: Unclaimed }, 'not-processed'],
    ['Submitted', { creatorTradingFeeClaimStatus: Submitted }, 'not-processed'],
    ['an unknown status', { creatorTradingFeeClaimStatus: 9 }, 'not-processed'],
    ['a threshold of a cent, Unclaimed', thresholdOf(0.01, Unclaimed), 'not-processed'],
  ])('not with %s', async (_, fields, reason) => {
    update({ creatorTradingFeeDistribution: Creator, ...fields });
    for (const amount of [0n, 1n]) {
      await expectRefusal(claim({ amount }), 'fees-not-claimable', { reason });
    }
    // A stranger learns only that they are not the receiver.
    const stranger = SYSTEM_PROGRAM_ADDRESS;
    await expect(claim({ payer: stranger })).rejects.toEqual(
      heavenError('not-authorized:fee-receiver', { found: ledger.pools.creator.creator, asked: stranger }),
    );
  });

  function thresholdOf(usd: number, creatorTradingFeeClaimStatus: number): Partial<State> {
    return { creatorTradingFeeTradingVolumeThreshold: usd, creatorTradingFeeClaimStatus };
  }

  test('says how much volume is missing', async () => {
    update({ tradingVolumeUsd: 99_999.999_9 });
    const { message } = await expectRefusal(claim(), 'fees-not-claimable', {
      tradingVolumeUsd: 99_999.999_9,
      tradingVolumeThresholdUsd: 100_000,
    });
    expect(message).toContain('is 99999.99 USD, and its creator fees can be claimed from 100000 USD on');
  });

  test.each([
    ['with a threshold', {}],
    ['without one', thresholdOf(0, Unclaimed)],
  ])('nothing, with a warning, where nothing accrued: %s', async (_, fields) => {
    update({ creatorTradingFees: 0n, ...fields });
    const built = await claim();
    expect(built.warnings.map(({ code }) => code)).toEqual(['nothing-to-claim']);
    expect(claimOf(built).data).toEqual({ amount: 0n });
    await expectRefusal(claim({ amount: 1n }), 'insufficient-balance:creator-fees', {
      requested: 1n,
      available: 0n,
    });
  });

  test.each([UNCLAIMED + 1n, 2n ** 64n - 1n])('not %s lamports', async (requested) => {
    await expect(claim({ amount: requested })).rejects.toEqual(
      heavenError('insufficient-balance:creator-fees', { requested, available: UNCLAIMED }),
    );
  });

  test('not by the creator if somebody else is the receiver', async () => {
    const receiver = (await generateKeyPairSigner()).address;
    const { creator } = ledger.pools.creator;
    update({ creatorTradingFeeReceiver: receiver });
    await expect(claim()).rejects.toEqual(
      heavenError('not-authorized:fee-receiver', { found: receiver, asked: creator }),
    );
  });

  test.each([1, 3, 9])('not with config version %i', async (version) => {
    await expect(claim({ version })).rejects.toEqual(
      heavenError('pool-mismatch:configVersion', { found: 2, asked: version }),
    );
  });

  test('not of a pro pool', async () => {
    const { mint, creator } = ledger.pools.pro;
    await expectRefusal(claim({ mint, payer: creator, version: 3 }), 'pool-not-found', { mint });
    ledger.updatePool(ledger.pools.creator.pool, ({ info }) => ({ info: { ...info, type: 1 } }));
    await expect(claim()).rejects.toEqual(
      heavenError('pool-mismatch:kind', { asked: 'standard', found: 'pro' }),
    );
  });
});

describe('rejects bad input before any call to the node', () => {
  const VERSION = expect.stringMatching(/version/i);

  test.each([
    ['a negative amount', { amount: -1n }, 'invalid-amount', 'amount'],
    ['an amount that is a number', { amount: 1 }, 'invalid-amount', 'amount'],
    ['an amount of text', { amount: '1' }, 'invalid-amount', 'amount'],
    ['an amount over 64 bits', { amount: 2n ** 64n }, 'amount-out-of-range', 'amount'],
    ['a payer that is no address', { payer: 'me' }, 'invalid-address', 'payer'],
    ['no payer', { payer: undefined }, 'invalid-address', 'payer'],
    ['an unknown way to wrap', { wrapSol: 'maybe' }, 'invalid-input', 'wrapSol'],
    ['a negative compute limit', { computeUnitLimit: -1 }, 'invalid-input', 'computeUnitLimit'],
    ['a compute price of text', { computeUnitPrice: '1' }, 'invalid-input', 'computeUnitPrice'],
  ])('%s', async (_, change, code, field) => {
    await expect(claim(change)).rejects.toEqual(heavenError(code, { field }));
    expect(ledger.requests).toEqual([]);
  });

  // What names the pool is found out while the block hash is on its way.
  test.each([
    ['a mint that is no address', { mint: 'x' }, 'invalid-address', 'mint'],
    ['no mint', { mint: undefined }, 'invalid-address', 'mint'],
    ['a fractional version', { version: 1.5 }, 'invalid-input', VERSION],
    ['a version of text', { version: '2' }, 'invalid-input', VERSION],
    ['a version over 16 bits', { version: 65_536 }, 'invalid-input', VERSION],
  ])('%s', async (_, change, code, field) => {
    await expect(claim(change)).rejects.toEqual(heavenError(code, { field }));
    expect(ledger.requests.map(({ method }) => method)).not.toContain('getMultipleAccounts');
  });
});

describe.each(POOL_NAMES)('a claim from the %s pool, executed', (name: PoolName) => {
  const FEE = { limit: 130_000n, price: 20_000_000n };
  const ACCRUED = 5_000_000_000n;
  const HELD = 2_000_000_000n;
  const { accountRent } = POOLS[name];

  const createReceiver = async () => {
    const world = await createWorld(name);
    world.ledger.updatePool(world.pool.pool, () => ({
      creatorTradingFeeReceiver: world.wallet.address,
      creatorTradingFees: ACCRUED,
      creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
      creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
    }));
    return world;
  };
  type World = Awaited<ReturnType<typeof createReceiver>>;

  const build = (world: World, wrapSol: WrapSol) =>
    buildClaimCreatorTradingFees(world.client, {
      amount: 0n,
      mint: world.pool.mint,
      payer: world.wallet.address,
      version: world.pool.configVersion,
      lifetime: world.lifetime(),
      wrapSol,
    });

  /** Runs it with the transfer that the exchange would make in the place of its instruction. The bank signs too. */
  const settle = (world: World, built: BuiltTransaction) => {
    const { userTokenBVault } = claimOf(built).accounts;
    const pay = getTransferCheckedInstruction({
      source: world.bank.wrappedSolAccount,
      mint: WRAPPED_SOL_MINT_ADDRESS,
      destination: userTokenBVault.address,
      authority: world.bank.signer,
      amount: ACCRUED,
      decimals: 9,
    });
    return world.run(
      allInstructionsOf(built).map((instruction) =>
        instruction.programAddress === HEAVEN_PROGRAM_ADDRESS ? pay : instruction,
      ),
    );
  };

  test.each(STRATEGIES)('leaves only the token account behind (wrapSol %s)', async (wrapSol) => {
    const world = await createReceiver();
    const { sol } = world.holdings();
    const kept = wrapSol === 'none' ? WRAPPED_SOL_RENT : 0n;
    const held = wrapSol === 'none' ? { [world.wrappedSolAccount]: 0n } : {};
    await world.send(await build(world, wrapSol));
    expect(world.holdings()).toEqual({
      sol: sol - feeOf(FEE) - accountRent - kept,
      tokens: { [world.tokenAccount]: 0n, ...held },
    });
    // Again: now the accounts are there.
    await world.send(await build(world, wrapSol));
    expect(world.holdings().sol).toBe(sol - 2n * feeOf(FEE) - accountRent - kept);
  });

  test.each(STRATEGIES)('pays the fees out (wrapSol %s)', async (wrapSol) => {
    const world = await createReceiver();
    const { sol } = world.holdings();
    await settle(world, await build(world, wrapSol));
    const before = sol - feeOf({ ...FEE, signatures: 2n }) - accountRent;
    expect(world.holdings()).toEqual(
      wrapSol === 'none'
        ? {
            sol: before - WRAPPED_SOL_RENT,
            tokens: { [world.tokenAccount]: 0n, [world.wrappedSolAccount]: ACCRUED },
          }
        : { sol: before + ACCRUED, tokens: { [world.tokenAccount]: 0n } },
    );
  });

  test.each(STRATEGIES)('with wrapped SOL and tokens held before (wrapSol %s)', async (wrapSol) => {
    const world = await createReceiver();
    world.giveTokens(9n);
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    await settle(world, await build(world, wrapSol));
    const after = sol - feeOf({ ...FEE, signatures: 2n });
    const tokens = { [world.tokenAccount]: 9n };
    const { wrappedSolAccount } = world;
    expect(world.holdings()).toEqual(
      {
        // Closing the account unwraps all that is in it.
        associated: { sol: after + ACCRUED + HELD + WRAPPED_SOL_RENT, tokens },
        temporary: { sol: after + ACCRUED, tokens: { ...tokens, [wrappedSolAccount]: HELD } },
        none: { sol: after, tokens: { ...tokens, [wrappedSolAccount]: HELD + ACCRUED } },
      }[wrapSol],
    );
  });
});
