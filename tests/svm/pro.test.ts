import { type Address, generateKeyPairSigner, type KeyPairSigner, signTransaction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  buildProSell,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetReflectionFee,
  buildProSetSlotCreatorFee,
  buildProToggleDeposit,
  buildProToggleSwap,
  buildProToggleWithdraw,
  buildProTransferLp,
  buildProUpdateCreatorFeeReceiver,
  quoteProBuy,
  quoteProSell,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS as ATA,
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  HEAVEN_PROGRAM_ADDRESS as EXCHANGE,
  SYSTEM_PROGRAM_ADDRESS as SYSTEM,
  TOKEN_PROGRAM_ADDRESS as TOKEN,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/index.js';
import {
  addressNamed,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
} from '../support/addresses.js';
import { CATCH_ALL } from '../support/amounts.js';
import { createWorld, feeOf, programsOf, type World } from './harness.js';

// Each operation of pro pools with the real programs around the exchange's instruction, which does nothing here: it lands, and a
// wallet gets back all that it put into accounts.

const LP_TOKENS = 6_324_555_320_336n;
const TABLE = addressNamed('a lookup table');

/** A pro pool of the wallet's, with fees to claim and liquidity to withdraw. */
async function createProWorld() {
  const world = await createWorld('classic');
  const { ledger, wallet } = world;
  world.giveTokens(1_000_000_000_000_000n);
  world.place(TABLE, LOOKUP_TABLE_PROGRAM_ADDRESS, encodeLookupTable({ addresses: [] }));
  const receiver = await generateKeyPairSigner();
  const { mint } = world.pool;
  const { pool } = await ledger.addPool({
    kind: 'pro',
    configVersion: 3,
    mint,
    tokenProgram: TOKEN,
    creator: wallet.address,
    token: { decimals: 6, supply: 1_000_000_000_000_000n },
    state: {
      creatorTradingFees: 5_000_000n,
      creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
      creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
      allowlist: {
        swap: 1,
        depositLiquidity: 1,
        removeLiquidity: 1,
        sameSlotTrading: 1,
        updateCreatorTradingFee: 1,
      },
      lpToken: {
        supply: { initial: LP_TOKENS, total: LP_TOKENS, unlocked: LP_TOKENS, locked: 0n, burnt: 0n },
        decimals: 9,
      },
    },
    reserve: { tokenA: 400_000_000_000_000n, tokenB: 100_000_000_000n },
  });
  const position = { lpTokenBalance: LP_TOKENS, rewardDebt: 0n, pendingFees: 5_000n };
  await ledger.setLpPosition({ pool, user: wallet.address, ...position });
  return { world, receiver, locator: { pool, mint, configVersion: 3 } };
}
type ProWorld = Awaited<ReturnType<typeof createProWorld>>;

interface Operation {
  readonly build: (given: ProWorld, options: object) => Promise<BuiltTransaction>;
  /** Default: what a setting asks for. */
  readonly budget?: { readonly limit: bigint; readonly price?: bigint };
  /** The programs that it calls, besides the compute budget. Default: the exchange alone. */
  readonly programs?: readonly Address[];
  /** Who signs besides the wallet, and before it if they pay. */
  readonly signers?: (given: ProWorld) => readonly KeyPairSigner[];
}

const own = ({ world, locator }: ProWorld) => ({ payer: world.wallet.address, pool: locator.pool });
const brackets = [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 90, sellFeeBps: 95 }];
const bankPays = ({ world }: ProWorld) => [world.bank.signer, world.wallet];

const buy = async (given: ProWorld, options: object) => {
  const { client } = given.world;
  const quoteResponse = await quoteProBuy(client, { ...given.locator, maxSolSpend: 1, slippageBps: 100 });
  return await buildProBuy(client, { ...own(given), quoteResponse, ...options });
};
const sell = async (given: ProWorld, options: object) => {
  const { client } = given.world;
  const quoteResponse = await quoteProSell(client, { ...given.locator, amountInUi: 1_000, slippageBps: 100 });
  return await buildProSell(client, { ...own(given), quoteResponse, ...options });
};
const fromWallet = ({ world }: ProWorld) => ({
  payer: world.bank.signer.address,
  source: world.wallet.address,
});

const SWAP = { limit: 200_000n, price: 40_000_000n };
const LIQUIDITY = { limit: 250_000n };
const CLAIM = { limit: 130_000n };
const WRAPPING = [ATA, SYSTEM, TOKEN];

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'a creation for another wallet': {
    build: (given, options) =>
      buildProCreate(given.world.client, {
        payer: given.world.wallet.address,
        creator: given.world.bank.signer.address,
        configVersion: 3,
        mint: given.locator.mint,
        initialTokenAAmount: 1_000_000n,
        initialTokenBAmount: 1_000_000n,
        lutAddress: TABLE,
        ...options,
      }),
    budget: { limit: 400_000n },
    signers: ({ world }) => [world.wallet, world.bank.signer],
  },
  'a buy': { build: buy, budget: SWAP, programs: [...WRAPPING, ATA, EXCHANGE, TOKEN] },
  'a buy that another pays for': {
    build: (given, options) => buy(given, { ...options, ...fromWallet(given) }),
    budget: SWAP,
    programs: [...WRAPPING, ATA, EXCHANGE, TOKEN],
    signers: bankPays,
  },
  'a sell': { build: sell, budget: SWAP, programs: [ATA, EXCHANGE, TOKEN] },
  'a sell that another pays for': {
    build: (given, options) => sell(given, { ...options, ...fromWallet(given) }),
    budget: SWAP,
    programs: [ATA, EXCHANGE, TOKEN],
    signers: bankPays,
  },
  'a deposit': {
    build: (given, options) =>
      buildProAddLiquidity(given.world.client, {
        ...own(given),
        ...given.locator,
        maxTokenA: 4_000_000_000_000n,
        maxTokenB: 1_000_000_000n,
        minLpTokens: 0n,
        ...options,
      }),
    budget: LIQUIDITY,
    programs: [...WRAPPING, EXCHANGE, TOKEN],
  },
  'a withdrawal': {
    build: (given, options) =>
      buildProRemoveLiquidity(given.world.client, {
        ...own(given),
        ...given.locator,
        lpTokensToBurn: LP_TOKENS,
        minTokenA: 0n,
        minTokenB: 0n,
        ...options,
      }),
    budget: LIQUIDITY,
    programs: [ATA, ATA, EXCHANGE, TOKEN],
  },
  'a transfer of LP tokens that another pays for': {
    build: (given, options) =>
      buildProTransferLp(given.world.client, {
        payer: given.world.bank.signer.address,
        pool: given.locator.pool,
        sender: given.world.wallet.address,
        receiver: given.receiver.address,
        amount: 1n,
        ...options,
      }),
    signers: bankPays,
  },
  "a claim of the creator's fees": {
    build: (given, options) => buildProClaimCreatorFees(given.world.client, { ...own(given), ...options }),
    budget: CLAIM,
    programs: [ATA, ATA, EXCHANGE, TOKEN],
  },
  'a claim of LP fees': {
    build: (given, options) => buildProClaimLpFees(given.world.client, { ...own(given), ...options }),
    budget: CLAIM,
    programs: [ATA, ATA, EXCHANGE, TOKEN],
  },
  'another receiver, who signs too': {
    build: (given, options) =>
      buildProUpdateCreatorFeeReceiver(given.world.client, {
        ...own(given),
        mint: given.locator.mint,
        version: 3,
        newReceiver: given.receiver.address,
        ...options,
      }),
    budget: CLAIM,
    // The wrapped SOL account is closed again, the token account was there.
    programs: [ATA, ATA, EXCHANGE, TOKEN],
    signers: ({ world, receiver }) => [world.wallet, receiver],
  },
  ...Object.fromEntries(
    [buildProToggleSwap, buildProToggleDeposit, buildProToggleWithdraw].map((build) => [
      build.name,
      {
        build: (given, options) => build(given.world.client, { ...own(given), enabled: false, ...options }),
      } as Operation,
    ]),
  ),
  ...Object.fromEntries(
    [buildProSetMarketCapCreatorFee, buildProSetLpFee, buildProSetReflectionFee].map((build) => [
      build.name,
      {
        build: (given, options) => build(given.world.client, { ...own(given), brackets, ...options }),
      } as Operation,
    ]),
  ),
  'a fee by slots': {
    build: (given, options) =>
      buildProSetSlotCreatorFee(given.world.client, {
        ...own(given),
        brackets: [{ slotOffsetUpperbound: 10, buyFeeBps: 900, sellFeeBps: 905 }],
        maxSlotOffset: 20,
        maxFeeBps: 905,
        enabled: true,
        ...options,
      }),
  },
};

const lamportsOf = ({ svm }: World, { address }: KeyPairSigner) => svm.getBalance(address) ?? 0n;

describe.each([0, 1] as const)('in version %i', (transactionVersion) => {
  test.each(Object.entries(OPERATIONS))('%s lands, and costs its fee', async (_, operation) => {
    const { build, budget = { limit: 60_000n }, programs = [EXCHANGE] } = operation;
    const given = await createProWorld();
    const { world } = given;
    const signers = operation.signers?.(given) ?? [world.wallet];
    const built = await build(given, { lifetime: world.lifetime(), transactionVersion });
    expect(built.version).toBe(transactionVersion);
    // The payer first.
    expect(built.requiredSigners).toEqual(signers.map(({ address }) => address));
    const fee = feeOf({ price: 20_000_000n, ...budget, signatures: BigInt(signers.length) });
    const [payer] = signers as [KeyPairSigner];
    const [paid, held] = [lamportsOf(world, payer), world.holdings()];

    const keys = signers.map(({ keyPair }) => keyPair);
    const result = world.sendSigned(await signTransaction(keys, built.transaction as never));
    // Version 1 has its budget in the message.
    const units = Array<Address>(transactionVersion === 0 ? 2 : 0).fill(COMPUTE_BUDGET_PROGRAM_ADDRESS);
    expect(programsOf(result)).toEqual([...units, ...programs]);
    expect(lamportsOf(world, payer)).toBe(paid - fee);
    const rest = payer === world.wallet ? held.sol - fee : held.sol;
    expect(world.holdings()).toEqual({ ...held, sol: rest });
  });
});
