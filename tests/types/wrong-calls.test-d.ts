// Calls that must not compile. Each line under `@ts-expect-error` fails the build once it compiles.
import type { Address } from '@solana/kit';
import {
  buildBuy,
  buildClaimCreatorTradingFees,
  buildProSetLpFee,
  computeBuy,
  createHeavenClient,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  fetchPoolSnapshot,
  getPoolInfo,
  type HeavenClient,
  type HeavenRpc,
  isHeavenError,
  type PoolSnapshot,
  quoteBest,
  quoteBuy,
  quoteMany,
  quoteProBuy,
  quoteSell,
  type SwapState,
  submitTransaction,
} from 'heaven-pools';

declare const client: HeavenClient;
declare const mint: Address;
declare const pool: Address;
declare const wallet: Address;
declare const rpc: HeavenRpc;
declare const state: SwapState;
declare const snapshot: PoolSnapshot;
declare const buyQuote: DetailedBuyQuote;
declare const sellQuote: DetailedSellQuote;

/** Compiled, and never called. */
export const quotes = () => {
  quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
  // @ts-expect-error without the slippage
  quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5' });
  // @ts-expect-error a misspelt field
  quoteBuy(client, { configVersion: 2, mint, maxSolSpent: '1.5', slippageBps: 50 });
  // @ts-expect-error a string that nobody has checked to be an address
  getPoolInfo(client, { mint: 'So11111111111111111111111111111111111111112' });
  // @ts-expect-error an RPC for a client
  quoteBuy(rpc, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
  // @ts-expect-error a pool is no standard pool's
  quoteSell(client, { configVersion: 2, mint, pool, amountInUi: '1', slippageBps: 50 });
  // @ts-expect-error a pro pool must be named
  quoteProBuy(client, { configVersion: 3, mint, maxSolSpend: '1.5', slippageBps: 50 });
  // @ts-expect-error a sell with the amount of a buy
  quoteMany(client, [{ side: 'sell', configVersion: 2, mint, maxSolSpend: '1', slippageBps: 50 }]);
  quoteBest(client, { mint, side: 'sell', amountIn: 1n, slippageBps: 50 });
  // @ts-expect-error what goes in and what must come out
  quoteBest(client, { mint, side: 'buy', maxSolSpend: '1', amountOut: 1n, slippageBps: 50 });
};

export const builders = () => {
  const encodedUserDefinedEventData = '';
  const trade = { payer: wallet, encodedUserDefinedEventData };
  const bracket = { marketCapUpperBound: 1n, buyFeeBps: 1, sellFeeBps: 1 };
  buildProSetLpFee(client, { payer: wallet, pool, brackets: [bracket] });
  buildBuy(client, { payer: wallet, quoteResponse: buyQuote, encodedUserDefinedEventData });
  // @ts-expect-error the quote of a sell
  buildBuy(client, { payer: wallet, quoteResponse: sellQuote, encodedUserDefinedEventData });
  // @ts-expect-error nobody pays
  buildBuy(client, { quoteResponse: buyQuote, encodedUserDefinedEventData });
  // @ts-expect-error an invalid way to wrap
  buildBuy(client, { ...trade, quoteResponse: buyQuote, wrapSol: 'always' });
  // @ts-expect-error a number for lamports
  buildClaimCreatorTradingFees(client, { payer: wallet, mint, version: 1, amount: 1 });
  // @ts-expect-error a market cap in a number
  buildProSetLpFee(client, { payer: wallet, pool, brackets: [{ ...bracket, marketCapUpperBound: 1 }] });
};

export const core = () => {
  computeBuy(state, 1_500_000_000n);
  // @ts-expect-error a number for lamports
  computeBuy(state, 1_500_000_000);
  // @ts-expect-error a snapshot for the state of a slot
  computeBuy(snapshot, 1n);
};

export const others = () => {
  createHeavenClient({ rpcUrl: 'https://node.example' });
  createHeavenClient({ rpc });
  // @ts-expect-error neither an RPC nor an address of one
  createHeavenClient({});
  // @ts-expect-error a mint may have a pool in each config
  fetchPoolSnapshot(client, { mint });
  // @ts-expect-error an unknown code
  isHeavenError(new Error(), 'no-such-code');
};

export const readOnly = () => {
  // @ts-expect-error results are not changed
  buyQuote.minimumOut = 0n;
  // @ts-expect-error nor lists
  buyQuote.details.warnings.push({ code: 'stale-price', message: '' });
  // @ts-expect-error nor snapshots
  snapshot.reserveA = 0n;
  // @ts-expect-error nor clients
  client.commitment = 'finalized';
};

export const submissions = () => {
  // @ts-expect-error a client whose RPC is only known to read
  submitTransaction(client, 'base64', { lastValidBlockHeight: 1n });
  const sending = createHeavenClient({ rpcUrl: 'https://node.example' });
  // @ts-expect-error without the last block height
  submitTransaction(sending, 'base64', {});
  submitTransaction(sending, new Uint8Array(), { lastValidBlockHeight: 1n, rpcs: [sending.rpc] });
  // @ts-expect-error one node for a list
  submitTransaction(sending, 'base64', { lastValidBlockHeight: 1n, rpcs: sending.rpc });
};
