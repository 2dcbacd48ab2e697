import type { Address } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listTrades, type Trade } from 'heaven-pools';
import { useMemo } from 'react';

import { explainError } from '../format';
import { useNetwork } from '../network/network';
import type { Pool } from '../queries';

const NONE: readonly Trade[] = [];

/** The latest trades of a pool. {@link useWatchPool} asks for new ones when the pool changes; otherwise they are polled. */
export function useTrades(pool: Pool | undefined) {
  const { client, practice, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const address = pool?.address;
  const queryKey = [rpcUrl, 'trades', address];
  const { data, error } = useQuery({
    queryKey,
    enabled: address !== undefined,
    refetchInterval: 10_000,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<readonly Trade[]>(queryKey) ?? [];
      const input = { pool: address, limit: 200, until: known[0], abortSignal: signal };
      const { trades, next } = await listTrades(client, input);
      // More than a page has happened since: the older ones would leave a hole.
      if (next !== undefined) return trades;
      return trades.length === 0 ? known : [...trades, ...known];
    },
  });
  const { data: past = NONE } = useQuery({
    queryKey: [rpcUrl, 'past trades', address],
    enabled: practice !== undefined && address !== undefined,
    queryFn: async () => (await practice?.pastTrades(address as Address)) ?? NONE,
    staleTime: 'static',
    structuralSharing: false,
  });
  const trades = useMemo(() => [...(data ?? NONE), ...past], [data, past]);
  const problem = error ? explainError(error).message : undefined;
  return { trades, isRead: data !== undefined, problem };
}

export type Market = ReturnType<typeof useTrades>;
