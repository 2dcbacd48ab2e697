import type { Address, Signature } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { computeSell, listTrades, type Trade, toPosition, toSwapState, watchTrades } from 'heaven-pools';
import { useEffect, useMemo } from 'react';

import { explainError } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, useSnapshot } from '../queries';
import { useWallet } from '../wallet/wallet';

const SHOWN = 200;
/** Without notifications, this is how late a trade may show. */
const REREAD_MS = 20_000;

const keyOf = ({ signature, instructionIndex, innerIndex }: Trade) =>
  `${signature} ${instructionIndex} ${innerIndex}`;

/** Adds trades to a list, each once, newest first. */
function merge(known: readonly Trade[], added: readonly Trade[]): readonly Trade[] {
  const keys = new Set(known.map(keyOf));
  const fresh = added.filter((trade) => !keys.has(keyOf(trade)));
  return fresh.length === 0 ? known : [...fresh, ...known].sort((a, b) => Number(b.slot - a.slot));
}

/** The latest trades of a pool, and those that happen while the page is open. */
export function useTrades(pool: Pool | undefined) {
  const { client, practice, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const address = pool?.address;
  const queryKey = useMemo(() => [rpcUrl, 'trades', address], [rpcUrl, address]);
  const { data, error } = useQuery({
    queryKey,
    enabled: address !== undefined,
    refetchInterval: REREAD_MS,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<readonly Trade[]>(queryKey) ?? [];
      const input = { pool: address, limit: SHOWN, until: known[0], abortSignal: signal };
      const { trades, next } = await listTrades(client, input);
      // More than a page has happened since: the older ones would leave a hole.
      return next === undefined ? merge(known, trades) : trades;
    },
  });
  const { data: past = [] } = useQuery({
    queryKey: [rpcUrl, 'past trades', address],
    enabled: practice !== undefined && address !== undefined,
    queryFn: async () => (await practice?.pastTrades(address as Address)) ?? [],
    structuralSharing: false,
  });
  const isRead = data !== undefined;
  useEffect(() => {
    if (address === undefined || !isRead) return;
    const left = new AbortController();
    const follow = async () => {
      const [from] = queries.getQueryData<readonly Trade[]>(queryKey) ?? [];
      for await (const trade of watchTrades(client, { pool: address, from, abortSignal: left.signal }))
        queries.setQueryData<readonly Trade[]>(queryKey, (known = []) => merge(known, [trade]));
    };
    // A node without notifications: the query reads the list again.
    follow().catch(() => {});
    return () => left.abort();
  }, [client, queries, queryKey, address, isRead]);
  const trades = useMemo(() => [...(data ?? []), ...past], [data, past]);
  return { trades, isRead, problem: error ? explainError(error).message : undefined };
}

export type Market = ReturnType<typeof useTrades>;

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
export function usePosition(pool: Pool, trades: readonly Trade[]) {
  const { client, rpcUrl } = useNetwork();
  const wallet = useWallet()?.address as Address;
  const { data: snapshot } = useSnapshot(pool);
  const { mint } = pool;
  // A new trade of the wallet is a new question.
  const latest = trades.find(({ user }) => user === wallet)?.signature;
  const { data, error } = useQuery({
    queryKey: [rpcUrl, 'position', mint, wallet, latest],
    enabled: wallet !== undefined,
    structuralSharing: false,
    queryFn: ({ signal }) => listTrades(client, { mint, wallet, limit: 400, abortSignal: signal }),
    placeholderData: (before, query) =>
      query?.queryKey[2] === mint && query.queryKey[3] === wallet ? before : undefined,
  });
  const position = useMemo(() => {
    if (data === undefined || snapshot === undefined) return undefined;
    const own = withNetworkFees(data.trades);
    const unvalued = toPosition(own, wallet, { mint });
    const tokenUnits = unvalued.held;
    if (tokenUnits === 0n) return unvalued;
    try {
      // What selling all of it brings: the spot price would promise too much.
      const { amountOut: lamports } = computeSell(toSwapState(snapshot), tokenUnits);
      return toPosition(own, wallet, { mint, price: { lamports, tokenUnits } });
    } catch {
      // More than the pool can take.
      return unvalued;
    }
  }, [data, wallet, mint, snapshot]);
  return { position, error, isComplete: data?.next === undefined && position?.unproven.length === 0 };
}
