import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';

import { type Network, useNetwork } from '../network/network';
import { locatorOf, type Pool, snapshotQuery } from '../queries';

export type Side = 'buy' | 'sell';
/** Which of a trade's two amounts was typed. The other one is computed. */
export type Given = 'pay' | 'receive';

export type Ask = { side: Side; given: Given; amount: bigint; slippageBps: number };

export interface TradeQuote {
  ask: Ask;
  quote: heaven.DetailedBuyQuote | heaven.DetailedSellQuote;
  /** The pool that it is for: of a token's pools the one that gives most. */
  pool: Pool;
}

const QUOTES = {
  standard: {
    buy: { pay: heaven.quoteBuy, receive: heaven.quoteBuyExactOut },
    sell: { pay: heaven.quoteSell, receive: heaven.quoteSellExactOut },
  },
  pro: {
    buy: { pay: heaven.quoteProBuy, receive: heaven.quoteProBuyExactOut },
    sell: { pay: heaven.quoteProSell, receive: heaven.quoteProSellExactOut },
  },
};
// They differ in the name of the amount, which `amountOf` chooses.
type AnyQuote = (client: Network['client'], input: object) => Promise<TradeQuote['quote']>;

const amountOf = ({ side, given, amount }: Ask) =>
  given === 'receive'
    ? // Pays what it costs now. By default it would pay the slippage, too, and receive that much more.
      { amountOut: amount, slippageOn: 'output' }
    : side === 'buy'
      ? { lamports: amount }
      : { amountIn: amount };

/** Quotes a trade: from the snapshot without a call, or in the best of several pools. */
export async function fetchQuote(
  { client }: Network,
  pools: Pool[],
  ask: Ask,
  snapshot: heaven.FetchedPoolSnapshot | undefined,
  abortSignal?: AbortSignal,
): Promise<TradeQuote> {
  const [pool] = pools as [Pool];
  const { side, given, slippageBps } = ask;
  if (pools.length === 1) {
    const quote = QUOTES[pool.kind][side][given] as AnyQuote;
    const input = { ...locatorOf(pool), ...amountOf(ask), slippageBps, snapshot, abortSignal };
    return { ask, pool, quote: await quote(client, input) };
  }
  const pro = pools.filter(({ kind }) => kind === 'pro');
  const input = { side, mint: pool.mint, pools: pro, ...amountOf(ask), slippageBps, abortSignal };
  const { quoteBest } = await import('../later');
  const best = await quoteBest(client, input as Parameters<typeof quoteBest>[1]);
  const chosen = pools.find(({ address }) => address === best.pool) ?? pool;
  return { ask, pool: chosen, quote: best.quote };
}

/** The quote for what was typed. While the next one is on its way, the last one stays. */
export function useQuote(pools: Pool[], ask: Ask | undefined) {
  const network = useNetwork();
  const queries = useQueryClient();
  const snapshot = snapshotQuery(network, pools[0]);
  const trade = [pools[0]?.address, ask?.side, ask?.given];
  return useQuery({
    queryKey: [network.rpcUrl, 'quote', ...trade, String(ask?.amount), ask?.slippageBps],
    queryFn: ({ signal }) =>
      fetchQuote(network, pools, ask as Ask, queries.getQueryData(snapshot.queryKey), signal),
    enabled: ask !== undefined && pools.length > 0,
    refetchInterval: 5_000,
    gcTime: 10_000,
    retry: false,
    placeholderData: (last, query) =>
      trade.every((part, index) => part === query?.queryKey[index + 2]) ? last : undefined,
  });
}
