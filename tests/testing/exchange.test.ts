import { type Address, generateKeyPairSigner } from '@solana/kit';
import { getSyncNativeInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, test } from 'vitest';

import * as heaven from '../../src/index.js';
import {
  CreatorTradingFeeDistribution,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  getCreatorToggleProSwapInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createSamplePoolFields, type EmbeddedLedger, type SamplePool } from '../../src/testing/index.js';

import { CATCH_ALL, SOL, U64_MAX } from '../support/amounts.js';
import { client, launchOf, ledger, useLedger } from '../support/ledger.js';
import { allInstructionsOf } from '../support/transactions.js';

// The embedded ledger's model of the exchange, beyond swaps, deposits and withdrawals (those are in testing/invariants.test.ts).

const always = (bps: number) => [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: bps, sellFeeBps: bps }];

const SLOTS = [{ slotOffsetUpperbound: 9, buyFeeBps: 70, sellFeeBps: 80 }];
const SLOT_FEE = { brackets: SLOTS, maxSlotOffset: 9, maxFeeBps: 80, enabled: true };

let stranger: Address;

useLedger();
beforeEach(async () => {
  stranger = (await generateKeyPairSigner()).address;
  ledger.setBalance(stranger, 100n * SOL);
});

const lamportsOf = (address: Address) => ledger.getAccount(address)?.lamports ?? 0n;

async function succeeds({ tx }: heaven.BuiltTransaction): Promise<void> {
  const { err, logs } = await ledger.execute(tx);
  expect({ err, logs: err === null ? [] : logs }).toEqual({ err: null, logs: [] });
}

/** Expects that the exchange fails with a code in a transaction that was possible when it was built. */
async function fails(built: heaven.BuiltTransaction, code: number): Promise<void> {
  const exchange = client.deployment.programAddress;
  const before = allInstructionsOf(built).findIndex(({ programAddress }) => programAddress === exchange);
  const { err } = await ledger.execute(built.tx);
  expect(err).toEqual({ InstructionError: [before, { Custom: code }] });
}

const own = () => ({ pool: ledger.pools.pro.pool, payer: ledger.pools.pro.creator });

/** Transactions that succeed as things stand. */
const BUILDS = {
  toggle: () => heaven.buildProToggleSwap(client, { ...own(), enabled: false }),
  'LP fee': () => heaven.buildProSetLpFee(client, { ...own(), brackets: always(33) }),
  'creator fee': () => heaven.buildProSetMarketCapCreatorFee(client, { ...own(), brackets: always(33) }),
  'slot fee': () => heaven.buildProSetSlotCreatorFee(client, { ...own(), ...SLOT_FEE }),
  claim: () => heaven.buildProClaimCreatorFees(client, { ...own(), amount: 400_000_000n }),
  'claim of all': () => heaven.buildProClaimCreatorFees(client, { ...own(), amount: 0n }),
  'LP claim': () => heaven.buildProClaimLpFees(client, own()),
  transfer: () => transfer(1n),
  creation: () => createPro(),
  launch: () => launch(),
} as const;

/** The creator's LP tokens for the stranger, who pays. */
const transfer = (amount: bigint) => {
  const { pool, creator: sender } = ledger.pools.pro;
  return heaven.buildProTransferLp(client, { pool, payer: stranger, sender, receiver: stranger, amount });
};

type State = Parameters<Parameters<EmbeddedLedger['updatePool']>[1]>[0];
const change = (fields: (state: State) => Partial<State>) => () =>
  ledger.updatePool(ledger.pools.pro.pool, fields);
const set = (fields: Partial<State>) => change(() => fields);
const changeConfig =
  (of: 'pro' | 'community', fields: ReturnType<Parameters<EmbeddedLedger['updateConfig']>[1]>) => () =>
    ledger.updateConfig(ledger.pools[of].protocolConfig, () => fields);
const another = change(({ info }) => ({ info: { ...info, creator: stranger } }));
const fixed = change(({ allowlist }) => ({ allowlist: { ...allowlist, updateCreatorTradingFee: 0 } }));
const setPosition = (lpTokenBalance: bigint) => {
  const { pool, payer: user } = own();
  return ledger.setLpPosition({ pool, user, lpTokenBalance, rewardDebt: 0n, pendingFees: 0n });
};
const removePosition = async () =>
  ledger.setAccount(await findLpPositionAddress({ pool: own().pool, user: own().payer }), undefined);
const { Blocked } = CreatorTradingFeeDistribution;

test.each<[code: number, name: keyof typeof BUILDS, what: string, change: () => unknown]>([
  // The address depends on the creator and the kind.
  [2006, 'toggle', "the pool is another creator's", another],
  [2006, 'LP fee', "the pool is another creator's", another],
  [2006, 'claim', 'the pool is a standard one', change(({ info }) => ({ info: { ...info, type: 2 } }))],
  [6039, 'creator fee', 'the creator fee is fixed', fixed],
  [6039, 'slot fee', 'the creator fee is fixed', fixed],
  [6004, 'claim', 'another receives the fees', change(() => ({ creatorTradingFeeReceiver: stranger }))],
  [6040, 'claim', 'the fees are blocked', set({ creatorTradingFeeDistribution: Blocked })],
  [6040, 'claim', 'the threshold rises', set({ creatorTradingFeeTradingVolumeThreshold: 1e12 })],
  [6012, 'claim', 'a lamport is missing', set({ creatorTradingFees: 399_999_999n })],
  [6032, 'claim of all', 'nothing is left', set({ creatorTradingFees: 0n })],
  [6032, 'LP claim', 'nothing is left', () => setPosition(1n)],
  [6012, 'transfer', 'the position is empty', () => setPosition(0n)],
  [3012, 'transfer', 'there is no position', removePosition],
  [6006, 'creation', 'no pools are created', changeConfig('pro', { allowCreatePool: 0 })],
  [6048, 'creation', 'the config is for others', changeConfig('pro', { supportedPoolType: 2 })],
  [6006, 'launch', 'no pools are created', changeConfig('community', { allowCreatePool: 0 })],
  [6045, 'launch', 'there are other tokens', changeConfig('community', { initialTokenAAmount: 1n })],
  // So is what the purchase costs.
  [6013, 'launch', 'the virtual SOL is more', changeConfig('community', { initialTokenBAmount: 40 })],
])('%i: a %s fails once %s', async (code, name, _, change) => {
  const built = await BUILDS[name]();
  await change();
  await fails(built, code);
});

test('a setting by a stranger fails', async () => {
  const { pool: liquidityPoolState } = ledger.pools.pro;
  // Before an instruction that would do: the first of the exchange is what fails.
  const toggle = { liquidityPoolState, creator: stranger, enabled: false };
  const before = [getCreatorToggleProSwapInstruction(toggle)];
  const built = await heaven.buildProToggleSwap(client, { ...own(), enabled: true, before });
  await fails(built, 6004);
});

test('a claim by a receiver who is not the creator is counted as such', async () => {
  const { pool, mint, configVersion: version } = ledger.pools.creator;
  ledger.updatePool(pool, () => ({ creatorTradingFeeReceiver: stranger }));
  const input = { mint, version, payer: stranger, amount: SOL };
  await succeeds(await heaven.buildClaimCreatorTradingFees(client, input));
  expect(await heaven.getPoolState(client, { pool })).toMatchObject({
    creatorTradingFeesClaimedByOthers: SOL,
    creatorTradingFeesClaimedByCreator: 13_688_215_097_851n,
  });
});

test('a transfer settles the fees of both sides', async () => {
  const { pool, creator } = ledger.pools.pro;
  change(({ reserve }) => ({ reserve: { ...reserve, accumulatedFeePerLpToken: 5_000_000n } }))();
  const amount = 100_000_000_000n;
  await succeeds(await transfer(amount));
  const from = await heaven.getLpBalance(client, { pool, user: creator });
  const to = await heaven.getLpBalance(client, { pool, user: stranger });
  // 400 LP tokens at 0.005 lamports per unit, and what was stored.
  const earned = (400_000_000_000n * 5_000_000n) / SOL + 1_234_567n;
  expect(from).toMatchObject({ lpTokenBalance: 300_000_000_000n, pendingFees: earned });
  expect(to).toMatchObject({ lpTokenBalance: amount, pendingFees: 0n, rewardDebt: 500_000_000n });
});

describe("a pool's receiver", () => {
  const build = (change: object = {}) => {
    const input = { ...own(), mint: ledger.pools.pro.mint, version: 3, newReceiver: stranger };
    return heaven.buildProUpdateCreatorFeeReceiver(client, { ...input, ...change });
  };
  /** The creator's token account and wrapped SOL account. */
  const accountsOf = async (tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) => {
    const { mint, creator: owner } = ledger.pools.pro;
    return await Promise.all([
      findAssociatedTokenAddress({ owner, mint, tokenProgram }),
      findAssociatedTokenAddress({ owner, mint: WRAPPED_SOL_MINT_ADDRESS }),
    ]);
  };

  test.each([
    ['Token', TOKEN_PROGRAM_ADDRESS],
    ['Token-2022', TOKEN_2022_PROGRAM_ADDRESS],
  ])('costs no rent: the accounts that the update makes are closed (%s)', async (_, tokenProgram) => {
    const { pool, mint, creator } = ledger.pools.pro;
    ledger.setMint(mint, tokenProgram, { decimals: 9, supply: 1_000_000n });
    ledger.updatePool(pool, ({ tokenA }) => ({ tokenA: { ...tokenA, owner: tokenProgram } }));
    const accounts = await accountsOf(tokenProgram);
    for (const account of accounts) ledger.setAccount(account, undefined);
    const before = lamportsOf(creator);
    const built = await build();
    await succeeds(built);
    // 130000 units at 20000000 micro-lamports, and two signatures.
    expect(lamportsOf(creator)).toBe(before - 2_610_000n);
    expect(accounts.map((account) => ledger.getAccount(account))).toEqual([undefined, undefined]);
    const inspection = await heaven.inspectTransaction(built.tx, { client, owner: creator });
    // The new receiver, and nothing about the accounts.
    expect(inspection.warnings.map(({ code }) => code)).toEqual(['authority-change']);
  });

  test('leaves accounts that were there as they are, and one that instructions of the caller’s use', async () => {
    const { mint, creator: owner } = ledger.pools.pro;
    const [token, wrapped] = await accountsOf();
    // Empty ones, too: they are the creator's to close.
    ledger.setTokenAccount(token, TOKEN_PROGRAM_ADDRESS, { mint, owner, amount: 0n });
    const before = ledger.getAccount(token);
    ledger.setAccount(wrapped, undefined);
    await succeeds(await build({ after: [getSyncNativeInstruction({ account: wrapped })] }));
    expect(ledger.getAccount(token)).toEqual(before);
    expect(ledger.getAccount(wrapped)).toBeDefined();
  });
});

/** A pro pool of LIGHT, of which its creator holds some. */
function createPro() {
  const { mint, creator } = ledger.pools.creator;
  return heaven.buildProCreate(client, {
    payer: creator,
    creator,
    configVersion: 3,
    mint,
    initialTokenAAmount: 4_000_000_000_000n,
    initialTokenBAmount: 9n * SOL,
    lutAddress: ledger.lookupTables.community,
  });
}

test('a new pro pool has the tokens that arrive, and the protocol fee of its config', async () => {
  const { mint, tokenProgram } = ledger.pools.creator;
  const fee = { epoch: 0n, basisPoints: 150, maximum: U64_MAX };
  const transferFee = { older: fee, newer: fee };
  ledger.setMint(mint, tokenProgram, { decimals: 9, supply: 10n ** 18n, transferFee });
  const built = await createPro();
  await succeeds(built);
  const { reserve, marketCapBasedFees } = await heaven.getPoolState(client, { pool: built.pool });
  expect(reserve.tokenA).toBe(3_940_000_000_000n);
  expect(marketCapBasedFees.protocolTradingFee.brackets[0]).toMatchObject({ buyFeeBps: 30, sellFeeBps: 30 });
});

const LAUNCH_PURCHASE = 50_000_000_000_000_000n;
const launch = () =>
  heaven.buildCreateStandardLiquidityPool(client, {
    ...launchOf(stranger),
    initialPurchaseAmount: LAUNCH_PURCHASE,
    mintSigner: () => generateKeyPairSigner(),
  });

test('a purchase in a launch of more than the config allows per wallet is warned of', async () => {
  for (const [maxSupplyPerWallet, codes] of [
    [LAUNCH_PURCHASE, ['high-fee']],
    [LAUNCH_PURCHASE - 1n, ['high-fee', 'wallet-limit']],
  ] as const) {
    changeConfig('community', { maxSupplyPerWallet })();
    const quote = { configVersion: 1, tokenAmount: LAUNCH_PURCHASE };
    const { details } = await heaven.quoteInitialBuy(client, quote);
    expect(details.warnings.map(({ code }) => code)).toEqual(codes);
    expect((await launch()).warnings.map(({ code }) => code)).toEqual(codes);
  }
});

test('a sale fails where the SOL of its config is staked', async () => {
  const { mint, configVersion, creator, protocolConfig } = ledger.pools.creator;
  const terms = { configVersion, mint, slippageBps: 50, amountIn: 10n ** 12n };
  const quoteResponse = await heaven.quoteSell(client, terms);
  const { amountOut } = quoteResponse.details;
  const built = await heaven.buildSell(client, { payer: creator, quoteResponse });
  ledger.updateConfig(protocolConfig, () => ({ unstakedWsolReserve: amountOut - 1n }));
  await fails(built, 6012);
  ledger.updateConfig(protocolConfig, () => ({ unstakedWsolReserve: amountOut + 7n }));
  await succeeds(built);
  const state = await heaven.getProtocolConfigState(client, { version: configVersion });
  expect(state.unstakedWsolReserve).toBe(7n);
});

describe('a buy and a sell in one slot', () => {
  /** Gives a wallet tokens of a pool to sell. */
  async function fund(owner: Address, { mint, tokenProgram }: SamplePool): Promise<void> {
    ledger.setBalance(owner, 100n * SOL);
    const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner, amount: 10n ** 13n });
  }
  const toBuy = async (payer: Address, pool: SamplePool = ledger.pools.pro) => {
    const quoteResponse = await heaven.quoteProBuy(client, { ...pool, maxSolSpend: 1, slippageBps: 500 });
    return await heaven.buildProBuy(client, { payer, quoteResponse, pool: pool.pool });
  };
  const toSell = async (payer: Address, pool: SamplePool = ledger.pools.pro) => {
    const quoteResponse = await heaven.quoteProSell(client, { ...pool, amountInUi: 100, slippageBps: 500 });
    return await heaven.buildProSell(client, { payer, quoteResponse, pool: pool.pool });
  };
  beforeEach(() => fund(stranger, ledger.pools.pro));

  test.each([
    ['a sell after a buy', toBuy, toSell],
    ['a buy after a sell', toSell, toBuy],
  ])('%s fails, as the simulation says, and succeeds in the next slot', async (_, first, second) => {
    await succeeds(await first(stranger));
    const built = await second(stranger);
    const config = { encoding: 'base64', replaceRecentBlockhash: true } as const;
    const { value } = await ledger.rpc.simulateTransaction(built.tx, config).send();
    expect(heaven.explainTransactionFailure(value)?.code).toBe(6053);

    const failure = heaven.explainTransactionFailure(await ledger.execute(built.tx));
    expect(failure?.programError?.name).toBe('OnlySingleSwapAllowed');
    expect(failure?.message).toContain('without same-slot trading, wait for the next slot');

    ledger.setSlot(ledger.slot + 1n);
    await succeeds(built);
  });

  test('succeeds where the pool allows it', async () => {
    change(({ allowlist }) => ({ allowlist: { ...allowlist, sameSlotTrading: 1 } }))();
    await succeeds(await toBuy(stranger));
    await succeeds(await toSell(stranger));
  });

  test('leaves two buys, other wallets and other pools alone', async () => {
    const { pro } = await createSamplePoolFields();
    const other = await ledger.addPool({ ...pro, creator: ledger.pools.creator.creator });
    await succeeds(await toBuy(stranger));
    await succeeds(await toBuy(stranger));
    const wallet = (await generateKeyPairSigner()).address;
    await fund(wallet, ledger.pools.pro);
    await succeeds(await toSell(wallet));
    await succeeds(await toSell(stranger, other));
    await fails(await toSell(stranger), 6053);
  });
});
