// Calls that must not compile. Each line under `@ts-expect-error` fails the build once it compiles.
import type { Address } from '@solana/kit';
import * as heaven from 'heaven-pools';

declare const client: heaven.HeavenClient;
declare const mint: Address;
declare const pool: Address;
declare const wallet: Address;
declare const rpc: heaven.HeavenRpc;
declare const state: heaven.SwapState;
declare const snapshot: heaven.PoolSnapshot;
declare const buyQuote: heaven.DetailedBuyQuote;
declare const sellQuote: heaven.DetailedSellQuote;

/** Compiled, and never called. */
export const quotes = () => {
  heaven.quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
  // @ts-expect-error without the slippage
  heaven.quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5' });
  // @ts-expect-error a misspelt field
  heaven.quoteBuy(client, { configVersion: 2, mint, maxSolSpent: '1.5', slippageBps: 50 });
  // @ts-expect-error a string that nobody has checked to be an address
  heaven.getPoolInfo(client, { mint: 'So11111111111111111111111111111111111111112' });
  // @ts-expect-error an RPC for a client
  heaven.quoteBuy(rpc, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
  // @ts-expect-error a pool is no standard pool's
  heaven.quoteSell(client, { configVersion: 2, mint, pool, amountInUi: '1', slippageBps: 50 });
  // @ts-expect-error a pro pool must be named
  heaven.quoteProBuy(client, { configVersion: 3, mint, maxSolSpend: '1.5', slippageBps: 50 });
  // @ts-expect-error a sell with the amount of a buy
  heaven.quoteMany(client, [{ side: 'sell', configVersion: 2, mint, maxSolSpend: '1', slippageBps: 50 }]);
  heaven.quoteBest(client, { mint, side: 'sell', amountIn: 1n, slippageBps: 50 });
  // @ts-expect-error what goes in and what must come out
  heaven.quoteBest(client, { mint, side: 'buy', maxSolSpend: '1', amountOut: 1n, slippageBps: 50 });
};

export const builders = () => {
  const encodedUserDefinedEventData = '';
  const trade = { payer: wallet, encodedUserDefinedEventData };
  const bracket = { marketCapUpperBound: 1n, buyFeeBps: 1, sellFeeBps: 1 };
  const inNumbers = { ...bracket, marketCapUpperBound: 1 };
  heaven.buildProSetLpFee(client, { payer: wallet, pool, brackets: [bracket] });
  heaven.buildBuy(client, { payer: wallet, quoteResponse: buyQuote, encodedUserDefinedEventData });
  // @ts-expect-error the quote of a sell
  heaven.buildBuy(client, { payer: wallet, quoteResponse: sellQuote, encodedUserDefinedEventData });
  // @ts-expect-error nobody pays
  heaven.buildBuy(client, { quoteResponse: buyQuote, encodedUserDefinedEventData });
  // @ts-expect-error an invalid way to wrap
  heaven.buildBuy(client, { ...trade, quoteResponse: buyQuote, wrapSol: 'always' });
  // @ts-expect-error a number for lamports
  heaven.buildClaimCreatorTradingFees(client, { payer: wallet, mint, version: 1, amount: 1 });
  // @ts-expect-error a market cap in a number
  heaven.buildProSetLpFee(client, { payer: wallet, pool, brackets: [inNumbers] });
};

export const core = () => {
  heaven.computeBuy(state, 1_500_000_000n);
  // @ts-expect-error a number for lamports
  heaven.computeBuy(state, 1_500_000_000);
  // @ts-expect-error a snapshot for the state of a slot
  heaven.computeBuy(snapshot, 1n);
};

export const others = () => {
  heaven.createHeavenClient({ rpcUrl: 'https://node.example' });
  heaven.createHeavenClient({ rpc });
  // @ts-expect-error neither an RPC nor an address of one
  heaven.createHeavenClient({});
  // @ts-expect-error a mint may have a pool in each config
  heaven.fetchPoolSnapshot(client, { mint });
  // @ts-expect-error an unknown code
  heaven.isHeavenError(new Error(), 'no-such-code');
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
  heaven.submitTransaction(client, 'base64', { lastValidBlockHeight: 1n });
  const sending = heaven.createHeavenClient({ rpcUrl: 'https://node.example' });
  // @ts-expect-error without the last block height
  heaven.submitTransaction(sending, 'base64', {});
  heaven.submitTransaction(sending, new Uint8Array(), { lastValidBlockHeight: 1n, rpcs: [sending.rpc] });
  // @ts-expect-error one node for a list
  heaven.submitTransaction(sending, 'base64', { lastValidBlockHeight: 1n, rpcs: sending.rpc });
};
