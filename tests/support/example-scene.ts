import { generateKeyPairSigner, signTransaction } from '@solana/kit';
import {
  buildBuy,
  buildCreateStandardLiquidityPool,
  createHeavenClient,
  createLocalClient,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
} from 'heaven-pools';
import { findAssociatedTokenAddress, findLpPositionAddress, getBuyInstruction } from 'heaven-pools/program';
import { createEmbeddedLedger, createFeeBrackets, createSlotFeeBrackets } from 'heaven-pools/testing';
import { toCamelCase } from '../../src/base/case.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import { RENT_SYSVAR_ADDRESS } from '../../src/solana/programs.js';

// The names that the API reference's examples use without declaring them.

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const ONE_SIDE = { slippageBps: 50 } as const;

async function common(kind: 'standard' | 'pro') {
  const ledger = await createEmbeddedLedger();
  const { rpc, rpcSubscriptions, pools } = ledger;
  const sample = kind === 'pro' ? pools.pro : pools.creator;
  const { configVersion, creator, mint, pool, protocolConfig, tokenProgram } = sample;
  const client = createHeavenClient({ rpc, rpcSubscriptions });
  const mintSigner = await generateKeyPairSigner();
  const newSigner = await generateKeyPairSigner();
  const newWallet = newSigner.address;
  ledger.setBalance(newWallet, 1_000_000_000_000n);
  if (kind === 'pro') {
    ledger.updatePool(pool, () => ({ creatorTradingFeeClaimStatus: 2, creatorTradingFees: 1_000_000_000n }));
    const fees = { rewardDebt: 0n, pendingFees: 5_000n };
    await ledger.setLpPosition({ pool, user: creator, lpTokenBalance: 1_000_000_000n, ...fees });
  }
  const position = await findLpPositionAddress({ pool, user: creator });
  const dataOf = (address: Parameters<typeof ledger.getAccount>[0]) =>
    ledger.getAccount(address)?.data ?? new Uint8Array();
  const fees = createFeeBrackets([9_223_372_036_854_775_807n, 50]);
  const slotFees = createSlotFeeBrackets([15, 1_000]);
  const accounts = {
    tokenAProgram: tokenProgram,
    liquidityPoolState: pool,
    user: creator,
    payer: creator,
    creator,
    newReceiver: newWallet,
    sender: creator,
    senderLpPosition: position,
    receiver: newWallet,
    receiverLpPosition: newWallet,
    tokenProgram,
    tokenAMint: mint,
    mint,
    userTokenAVault: newWallet,
    userTokenBVault: newWallet,
    tokenAVault: sample.tokenAVault,
    tokenBVault: sample.tokenBVault,
    protocolConfig,
    userLpPosition: position,
  };
  /** Those that an instruction takes: its builder rejects others. */
  const accountsOf = (instruction: string) => {
    const declared = getInstructionDeclarations().find(({ name }) => toCamelCase(name) === instruction);
    return Object.fromEntries(
      Object.entries(accounts).filter(([name]) => name in (declared?.accounts ?? {})),
    ) as typeof accounts;
  };
  const params = { maxSolSpend: 1n, minimumAmountOut: 0n, encodedUserDefinedEventData: '' };
  const instruction = getBuyInstruction({ ...accountsOf('buy'), params });
  const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 } as const;
  const signature = ledger.transactions.buy;
  const logs = (await rpc.getTransaction(signature, config).send())?.meta?.logMessages ?? [];
  const payload =
    logs.find((line) => line.startsWith('Program data: '))?.slice('Program data: '.length) ?? '';
  const lutAddress = ledger.lookupTables.community;
  const launch = await buildCreateStandardLiquidityPool(client, {
    payer: creator,
    creator,
    name: 'A token',
    symbol: 'TOKEN',
    uri: 'https://example.com/token.json',
    initialPurchaseAmount: 0n,
    lutAddress,
    mintSigner,
  });
  const { creator: ofCreator } = pools;
  const quoteResponse = await quoteBuy(client, { ...ofCreator, maxSolSpend: 1, ...ONE_SIDE });
  const input = { payer: ofCreator.creator, quoteResponse, encodedUserDefinedEventData: '' };
  const built = await buildBuy(client, { ...input, payer: newWallet });
  return {
    ledger,
    client,
    rpc,
    rpcUrl: 'https://node.example',
    remote: createLocalClient(client),
    mint,
    pool,
    position,
    locator: { pool, mint, configVersion },
    wallet: creator,
    user: creator,
    payer: creator,
    creator,
    sender: creator,
    receiver: newWallet,
    newReceiver: newWallet,
    mintSigner,
    maxTokenB: 1_000_000_000n,
    lpTokensToBurn: 1_000_000n,
    lutAddress,
    launch,
    input,
    tx: (await buildBuy(client, input)).tx,
    built,
    lifetime: built.lifetime,
    signed: await signTransaction([newSigner.keyPair], built.transaction),
    signature,
    config,
    logs,
    payload,
    accounts,
    accountsOf,
    instruction,
    fees,
    slotFees,
    poolData: dataOf(pool),
    configData: dataOf(protocolConfig),
    positionData: dataOf(position),
    rentData: dataOf(RENT_SYSVAR_ADDRESS),
    poolAccounts: {
      pool: dataOf(pool),
      protocolConfig: dataOf(protocolConfig),
      mint: dataOf(mint),
      priceFeed: dataOf(client.deployment.solUsdFeed),
      clock: dataOf(CLOCK as typeof pool),
    },
    tokenProgram,
  };
}

type Scene = Awaited<ReturnType<typeof common>>;

/** A scene with the quote of a trade. */
async function quoted<TQuote>(kind: 'standard' | 'pro', quoteFor: (scene: Scene) => Promise<TQuote>) {
  const scene = await common(kind);
  return { ...scene, quote: await quoteFor(scene) };
}
const BUY = { maxSolSpend: 1, ...ONE_SIDE };
const SELL = { amountInUi: 250, ...ONE_SIDE };

/** One for each kind of pool and side of a trade. */
export const scenes = {
  buy: () => quoted('standard', ({ client, locator }) => quoteBuy(client, { ...locator, ...BUY })),
  sell: () => quoted('standard', ({ client, locator }) => quoteSell(client, { ...locator, ...SELL })),
  proBuy: () => quoted('pro', ({ client, locator }) => quoteProBuy(client, { ...locator, ...BUY })),
  proSell: () => quoted('pro', ({ client, locator }) => quoteProSell(client, { ...locator, ...SELL })),
  /** A wallet that has tokens, and no pool of its own yet. */
  create: async () => {
    const scene = await common('pro');
    const { ledger, mint, receiver: payer, tokenProgram } = scene;
    const account = await findAssociatedTokenAddress({ owner: payer, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner: payer, amount: 10n ** 18n });
    return { ...scene, payer, creator: payer };
  },
};

export type Scenes = { readonly [TName in keyof typeof scenes]: Awaited<ReturnType<(typeof scenes)[TName]>> };
