import {
  type Address,
  addSignersToInstruction,
  generateKeyPairSigner,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import * as heaven from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS as ATA,
  HEAVEN_PROGRAM_ADDRESS as EXCHANGE,
  SYSTEM_PROGRAM_ADDRESS as SYSTEM,
  TOKEN_PROGRAM_ADDRESS as TOKEN,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import { createSamplePoolFields } from '../../src/testing/index.js';
import { allInstructions } from '../../src/transaction/built.js';
import {
  addressNamed,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
} from '../support/addresses.js';
import { CATCH_ALL } from '../support/amounts.js';
import { createWorld, feeOf, programsOf, type World } from './harness.js';

// Each operation of pro pools with the real programs around the exchange's instruction, which does nothing here: it lands, and a
// wallet gets back all that it put into accounts.

/** All of the sample pool's. */
const LP_TOKENS = 400_000_000_000n;
const TABLE = addressNamed('a lookup table');

/** A pro pool of the wallet's or a vault's, with fees to claim and liquidity to withdraw. */
async function createProWorld(hasVault: boolean) {
  const world = await createWorld('classic', { hasVault });
  const { ledger, owner } = world;
  world.giveTokens(1_000_000_000_000_000n);
  world.place(TABLE, LOOKUP_TABLE_PROGRAM_ADDRESS, encodeLookupTable({ addresses: [] }));
  const receiver = await generateKeyPairSigner();
  const { mint } = world.pool;
  const { pro } = await createSamplePoolFields();
  const { pool } = await ledger.addPool({ ...pro, mint, creator: owner.address });
  const position = { lpTokenBalance: LP_TOKENS, rewardDebt: 0n, pendingFees: 5_000n };
  await ledger.setLpPosition({ pool, user: owner.address, ...position });
  return { world, receiver, locator: { pool, mint, configVersion: 3 } };
}
type ProWorld = Awaited<ReturnType<typeof createProWorld>>;

interface Operation {
  /** Builds it with an input and more options. */
  readonly build: (client: heaven.HeavenClient, input: never) => Promise<heaven.BuiltTransaction>;
  /** Default: the pool, and the owner as payer. */
  readonly input?: (given: ProWorld) => object | Promise<object>;
  /** Default: what a setting asks for. */
  readonly budget?: { readonly limit: bigint; readonly price?: bigint };
  /** The programs that it calls, besides the compute budget. Default: the exchange alone. */
  readonly programs?: readonly Address[];
  /** Who signs besides the wallet, and before it if they pay. */
  readonly signers?: (given: ProWorld) => readonly KeyPairSigner[];
}

const own = ({ world, locator }: ProWorld) => ({ payer: world.owner.address, pool: locator.pool });
const inPool = ({ world, locator }: ProWorld) => ({ payer: world.owner.address, ...locator });
const deposit = { maxTokenA: 4_000_000_000_000n, maxTokenB: 1_000_000_000n, minLpTokens: 0n };
const brackets = [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 90, sellFeeBps: 95 }];
const slots = [{ slotOffsetUpperbound: 10, buyFeeBps: 900, sellFeeBps: 905 }];
const slotFee = { brackets: slots, maxSlotOffset: 20, maxFeeBps: 905, enabled: true };
const bankPays = ({ world }: ProWorld) => [world.bank.signer, world.wallet];

const toBuy = async (given: ProWorld) => {
  const terms = { ...given.locator, maxSolSpend: 1, slippageBps: 100 };
  return { ...own(given), quoteResponse: await heaven.quoteProBuy(given.world.client, terms) };
};
const toSell = async (given: ProWorld) => {
  const terms = { ...given.locator, amountInUi: 1_000, slippageBps: 100 };
  return { ...own(given), quoteResponse: await heaven.quoteProSell(given.world.client, terms) };
};
/** A setting of the pool, by the name of its builder. */
const setting = (build: Operation['build'], change: object) => ({
  [build.name]: { build, input: (given: ProWorld) => ({ ...own(given), ...change }) },
});
/** The bank pays for what the wallet trades. */
const forWallet = (input: typeof toBuy | typeof toSell) => async (given: ProWorld) => {
  const { owner, bank } = given.world;
  return { ...(await input(given)), payer: bank.signer.address, source: owner.address };
};

const SWAP = { limit: 200_000n, price: 40_000_000n };
const LIQUIDITY = { limit: 250_000n };
const CLAIM = { limit: 130_000n };
const WRAPPING = [ATA, SYSTEM, TOKEN];
const BUY = { build: heaven.buildProBuy, budget: SWAP, programs: [...WRAPPING, ATA, EXCHANGE, TOKEN] };
const SELL = { build: heaven.buildProSell, budget: SWAP, programs: [ATA, EXCHANGE, TOKEN] };
const PAID_OUT = { budget: CLAIM, programs: [ATA, ATA, EXCHANGE, TOKEN] };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'a creation for another wallet': {
    build: heaven.buildProCreate,
    input: ({ world, locator }) => ({
      payer: world.owner.address,
      creator: world.bank.signer.address,
      configVersion: 3,
      mint: locator.mint,
      initialTokenAAmount: 1_000_000n,
      initialTokenBAmount: 1_000_000n,
      lutAddress: TABLE,
    }),
    budget: { limit: 400_000n },
    signers: ({ world }) => [world.wallet, world.bank.signer],
  },
  'a buy': { ...BUY, input: toBuy },
  'a buy that another pays for': { ...BUY, input: forWallet(toBuy), signers: bankPays },
  'a sell': { ...SELL, input: toSell },
  'a sell that another pays for': { ...SELL, input: forWallet(toSell), signers: bankPays },
  'a deposit': {
    build: heaven.buildProAddLiquidity,
    input: (given) => ({ ...inPool(given), ...deposit }),
    budget: LIQUIDITY,
    programs: [...WRAPPING, EXCHANGE, TOKEN],
  },
  'a withdrawal': {
    build: heaven.buildProRemoveLiquidity,
    input: (given) => ({ ...inPool(given), lpTokensToBurn: LP_TOKENS, minTokenA: 0n, minTokenB: 0n }),
    budget: LIQUIDITY,
    programs: [ATA, ATA, EXCHANGE, TOKEN],
  },
  'a transfer of LP tokens that another pays for': {
    build: heaven.buildProTransferLp,
    input: ({ world, locator, receiver }) => ({
      payer: world.bank.signer.address,
      pool: locator.pool,
      sender: world.owner.address,
      receiver: receiver.address,
      amount: 1n,
    }),
    signers: bankPays,
  },
  "a claim of the creator's fees": { build: heaven.buildProClaimCreatorFees, ...PAID_OUT },
  'a claim of LP fees': { build: heaven.buildProClaimLpFees, ...PAID_OUT },
  // The wrapped SOL account is closed again, the token account was there.
  'another receiver, who signs too': {
    build: heaven.buildProUpdateCreatorFeeReceiver,
    input: (given) => ({
      ...own(given),
      mint: given.locator.mint,
      version: 3,
      newReceiver: given.receiver.address,
    }),
    ...PAID_OUT,
    signers: ({ world, receiver }) => [world.wallet, receiver],
  },
  ...setting(heaven.buildProToggleSwap, { enabled: false }),
  ...setting(heaven.buildProToggleDeposit, { enabled: false }),
  ...setting(heaven.buildProToggleWithdraw, { enabled: false }),
  ...setting(heaven.buildProSetMarketCapCreatorFee, { brackets }),
  ...setting(heaven.buildProSetLpFee, { brackets }),
  ...setting(heaven.buildProSetReflectionFee, { brackets }),
  ...setting(heaven.buildProSetSlotCreatorFee, slotFee),
};

/** Those that take a `rentPayer`. */
const OPENING: readonly unknown[] = [
  ...[heaven.buildProBuy, heaven.buildProSell, heaven.buildProAddLiquidity, heaven.buildProRemoveLiquidity],
  ...[heaven.buildProClaimCreatorFees, heaven.buildProClaimLpFees],
];

const lamportsOf = ({ svm }: World, { address }: KeyPairSigner) => svm.getBalance(address) ?? 0n;

describe.each([0, 1] as const)('in version %i', (transactionVersion) => {
  describe.each(['alone', 'with a sponsor', 'by a vault'] as const)('%s', (paying) => {
    test.each(Object.entries(OPERATIONS))('%s lands, and costs its fee', async (_, operation) => {
      const { build, input = own, budget = { limit: 60_000n }, programs = [EXCHANGE] } = operation;
      const hasVault = paying === 'by a vault';
      const given = await createProWorld(hasVault);
      const { world } = given;
      const sponsor = await generateKeyPairSigner();
      world.svm.airdrop(sponsor.address, 1_000_000_000n as never);
      // A member of the vault pays the fee, and the vault all rent.
      const sponsors = { alone: [], 'with a sponsor': [sponsor], 'by a vault': [world.wallet] }[paying];
      const feePayer = sponsors[0]?.address;
      const rentPayer = paying === 'with a sponsor' && OPENING.includes(build) ? 'feePayer' : undefined;
      const options = { lifetime: world.lifetime(), transactionVersion, feePayer, rentPayer };
      const built = await build(world.client, { ...(await input(given)), ...options } as never);
      expect(built.version).toBe(transactionVersion);
      // Who paid the fee for another's trade, and rent for an account, pays nothing beside a sponsor, and does not sign.
      const named = built.instructions.flatMap(({ accounts = [] }) => accounts.map(({ address }) => address));
      const signing = operation.signers?.(given) ?? [world.wallet];
      const others = signing.filter(({ address }) => sponsors.length === 0 || named.includes(address));
      const signers = [...sponsors, ...others];
      // Who pays the fee first.
      expect(built.requiredSigners[0]).toBe(signers[0]?.address);
      expect([...built.requiredSigners].sort()).toEqual(signers.map(({ address }) => address).sort());
      const fee = feeOf({ price: 20_000_000n, ...budget, signatures: BigInt(signers.length) });
      const [payer] = signers as [KeyPairSigner];
      const [paid, held] = [lamportsOf(world, payer), world.holdings()];

      const keys = signers.map(({ keyPair }) => keyPair);
      const result = hasVault
        ? await world.runBy(
            payer,
            allInstructions(built).map((instruction) => addSignersToInstruction(signers, instruction)),
            built.config,
          )
        : world.sendSigned(await signTransaction(keys, built.transaction as never));
      // Version 1 has its budget in the message.
      const units = Array<Address>(transactionVersion === 0 ? 2 : 0).fill(COMPUTE_BUDGET_PROGRAM_ADDRESS);
      expect(programsOf(result)).toEqual([...units, ...programs]);
      expect(lamportsOf(world, payer)).toBe(paid - fee);
      const rest = payer.address === world.owner.address ? held.sol - fee : held.sol;
      expect(world.holdings()).toEqual({ ...held, sol: rest });
    });
  });
});
