import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type DetailedBuyQuote,
  type DetailedSellQuote,
  type FetchedPoolSnapshot,
  type OtherPool,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteProBuy,
  quoteProBuyExactOut,
  quoteProSell,
  quoteProSellExactOut,
  quoteSell,
  quoteSellExactOut,
} from 'heaven-pools';

import { type Network, useNetwork } from '../network/network';
import { locatorOf, type Pool, snapshotQuery } from '../queries';

export type Side = 'buy' | 'sell';
/** Which of a trade's two amounts was typed. The other one is computed. */
export type Given = 'pay' | 'receive';

export interface Ask {
  readonly side: Side;
  readonly given: Given;
  readonly amount: bigint;
  readonly slippageBps: number;
}

export interface TradeQuote {
  readonly ask: Ask;
  readonly quote: DetailedBuyQuote | DetailedSellQuote;
  /** The pool that it is for: of a token's pools the one that gives most. */
  readonly pool: Pool;
  readonly others: readonly OtherPool[];
}

const QUOTES = {
  standard: {
    buy: { pay: quoteBuy, receive: quoteBuyExactOut },
    sell: { pay: quoteSell, receive: quoteSellExactOut },
  },
  pro: {
    buy: { pay: quoteProBuy, receive: quoteProBuyExactOut },
    sell: { pay: quoteProSell, receive: quoteProSellExactOut },
  },
};
// They differ in the name of the amount, which `amountOf` chooses.
type AnyQuote = (client: Network['client'], input: object) => Promise<TradeQuote['quote']>;

const amountOf = ({ side, given, amount }: Ask) =>
  given === 'receive' ? { amountOut: amount } : side === 'buy' ? { lamports: amount } : { amountIn: amount };

/** Quotes a trade: from the snapshot without a call, or in the best of several pools. */
export async function fetchQuote(
  { client }: Network,
  pools: readonly Pool[],
  ask: Ask,
  snapshot: FetchedPoolSnapshot | undefined,
  abortSignal?: AbortSignal,
): Promise<TradeQuote> {
  const [pool] = pools as readonly [Pool];
  const { side, given, slippageBps } = ask;
  if (pools.length === 1) {
    const quote = QUOTES[pool.kind][side][given] as AnyQuote;
    const input = { ...locatorOf(pool), ...amountOf(ask), slippageBps, snapshot, abortSignal };
    return { ask, pool, others: [], quote: await quote(client, input) };
  }
  const pro = pools.filter(({ kind }) => kind === 'pro');
  const input = { side, mint: pool.mint, pools: pro, ...amountOf(ask), slippageBps, abortSignal };
  const best = await quoteBest(client, input as Parameters<typeof quoteBest>[1]);
  const chosen = pools.find(({ address }) => address === best.pool) ?? pool;
  return { ask, pool: chosen, others: best.others, quote: best.quote };
}

/** The quote for what was typed. While the next one is on its way, the last one stays. */
export function useQuote(pools: readonly Pool[], ask: Ask | undefined) {
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

/** By how many basis points a quote may change between review and signature without being shown again. */
const TOLERANCE_BPS = 10n;

/** Whether the user should see the new quote before signing. */
export function hasMoved({ ask, quote: seen }: TradeQuote, { quote: now }: TradeQuote): boolean {
  const [before, after] = [seen.details, now.details];
  const isOver = (a: bigint, b: bigint) => (a > b ? a - b : b - a) * 10_000n > a * TOLERANCE_BPS;
  return ask.given === 'pay'
    ? after.amountOut < seen.minimumOut || isOver(before.amountOut, after.amountOut)
    : isOver(before.amountIn, after.amountIn);
}
