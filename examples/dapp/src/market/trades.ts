import type { Signature } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { computeSell, listTrades, type Trade, toPosition, toSwapState, watchTrades } from 'heaven-pools';
import { useCallback, useEffect, useMemo } from 'react';

import { explainError } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, useSnapshot } from '../queries';
import { useWallet } from '../wallet/wallet';

const PAGE = 200;
/** Without notifications, this is how late a trade may show. */
const REREAD_MS = 20_000;

export interface TradeList {
  /** Newest first. */
  readonly trades: readonly Trade[];
  /** Where older trades begin, if there are any. */
  readonly older: Signature | undefined;
}

/** Adds trades to a list, each once, newest first. */
function merge(known: readonly Trade[], added: readonly Trade[]): readonly Trade[] {
  const keyOf = ({ signature, instructionIndex, innerIndex }: Trade) =>
    `${signature} ${instructionIndex} ${innerIndex}`;
  const keys = new Set(known.map(keyOf));
  const fresh = added.filter((trade) => !keys.has(keyOf(trade)));
  return fresh.length === 0 ? known : [...fresh, ...known].sort((a, b) => Number(b.slot - a.slot));
}

/** The trades of a pool: the latest ones, those that happen while the page is open, and older ones on request. */
export function useTrades(pool: Pool | undefined) {
  const { client, practice, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const address = pool?.address;
  const key = useMemo(() => [rpcUrl, 'trades', address], [rpcUrl, address]);
  const query = useQuery<TradeList>({
    queryKey: key,
    enabled: address !== undefined,
    refetchInterval: REREAD_MS,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<TradeList>(key);
      const until = known?.trades[0];
      const page = await listTrades(client, { pool: address, limit: PAGE, until, abortSignal: signal });
      return known !== undefined && page.next === undefined
        ? { ...known, trades: merge(known.trades, page.trades) }
        : { trades: page.trades, older: page.next };
    },
  });
  const past = useQuery({
    queryKey: [rpcUrl, 'past trades', address],
    enabled: practice !== undefined && address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    queryFn: async () => (address && (await practice?.pastTrades(address))) || [],
  });

  const isRead = query.data !== undefined;
  useEffect(() => {
    if (address === undefined || !isRead) return;
    const left = new AbortController();
    const follow = async () => {
      const [from] = queries.getQueryData<TradeList>(key)?.trades ?? [];
      const watch = watchTrades(client, { pool: address, from, abortSignal: left.signal });
      for await (const trade of watch)
        queries.setQueryData<TradeList>(
          key,
          (list) => list && { ...list, trades: merge(list.trades, [trade]) },
        );
    };
    // A node without notifications: the query reads the list again.
    follow().catch(() => undefined);
    return () => left.abort();
  }, [client, queries, key, address, isRead]);

  const older = query.data?.older;
  const loadOlder = useCallback(async () => {
    const page = await listTrades(client, { pool: address, limit: PAGE, before: older });
    queries.setQueryData<TradeList>(
      key,
      (list) => list && { trades: merge(list.trades, page.trades), older: page.next },
    );
  }, [client, queries, key, address, older]);
  const problem = query.error === null ? undefined : explainError(query.error).message;
  const isPending = query.isPending || (practice !== undefined && past.isPending);
  const trades = useMemo(
    () => [...(query.data?.trades ?? []), ...(past.data ?? [])],
    [query.data, past.data],
  );
  return { trades, isPending, problem, loadOlder: older === undefined ? undefined : loadOlder };
}

/** Counts what the network took: a buy cost that much more, and a sell brought that much less. */
function withNetworkFees(trades: readonly Trade[]): readonly Trade[] {
  const counted = new Set<Signature>();
  return trades.map((trade) => {
    const { side, signature, amountIn, amountOut, networkFee = 0n } = trade;
    if (counted.has(signature)) return trade;
    counted.add(signature);
    return side === 'buy'
      ? { ...trade, amountIn: amountIn && amountIn + networkFee }
      : { ...trade, amountOut: amountOut && amountOut - networkFee };
  });
}

/** What the wallet bought and sold of a pool's token, what the rest cost, and what selling it now would make. */
export function usePosition(pool: Pool | undefined, trades: readonly Trade[] = []) {
  const { client, rpcUrl } = useNetwork();
  const wallet = useWallet()?.address;
  const { data: snapshot } = useSnapshot(pool);
  const mint = pool?.mint;
  // A new trade of the wallet is a new question.
  const latest = trades.find(({ user }) => user === wallet)?.signature;
  const query = useQuery({
    queryKey: [rpcUrl, 'position', mint, wallet, latest],
    enabled: mint !== undefined && wallet !== undefined,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      await listTrades(client, { mint, wallet, limit: 400, abortSignal: signal }),
    placeholderData: (previous, { queryKey } = {} as never) =>
      queryKey?.[2] === mint && queryKey?.[3] === wallet ? previous : undefined,
  });
  const { data } = query;
  const position = useMemo(() => {
    if (data === undefined || wallet === undefined || snapshot === undefined) return undefined;
    const own = withNetworkFees(data.trades);
    const { held } = toPosition(own, wallet, { mint });
    let price: { readonly lamports: bigint; readonly tokenUnits: bigint } | undefined;
    try {
      // What selling all of it brings: the spot price would promise too much.
      if (held > 0n)
        price = { lamports: computeSell(toSwapState(snapshot), held).amountOut, tokenUnits: held };
    } catch {
      // More than the pool can take.
    }
    return toPosition(own, wallet, { mint, price });
  }, [data, wallet, mint, snapshot]);
  return {
    position,
    error: query.error,
    isComplete: data?.next === undefined && position?.unproven.length === 0,
  };
}
