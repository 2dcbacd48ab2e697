// What several views read. Each key starts with the network, so that nothing of one network is shown for another.
import type { Address } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { useEffect } from 'react';

import { navigate, useAddress } from './address';
import { addressIn, isolate, shortenAddress, UserError } from './format';
import type { Start } from './market/bars';
import { type Network, useNetwork } from './network/network';
import { useWallet } from './wallet/wallet';

type PoolId = Pick<heaven.FoundPool, 'address' | 'mint' | 'kind' | 'configVersion' | 'creator'>;

export interface Pool extends PoolId {
  /** What the token calls itself, isolated. It may be a lie, so the mint is shown with it. */
  name: string;
  symbol: string;
  /** Real SOL. */
  lamports: bigint;
  initial: Start;
  volumeUsd: number;
  createdAtSlot: bigint;
  feeReceiver: Address;
}

/** A pool in the form that the library's functions take. */
export const locatorOf = ({ kind, mint, configVersion, address }: PoolId): heaven.PoolLocator => ({
  mint,
  configVersion,
  pool: kind === 'pro' ? address : undefined,
});

const later = () => import('./later');

const MOST_POOLS = 200;
const MOST_MINTS = 50;

/** The SOL that can leave a pool: a standard pool starts with virtual SOL. */
const realLamports = ({ kind, state: { reserve } }: heaven.FoundPool) =>
  kind === 'pro' ? reserve.tokenB : reserve.tokenB - reserve.initialB;

const byReserve = (a: heaven.FoundPool, b: heaven.FoundPool) => (realLamports(a) < realLamports(b) ? 1 : -1);

/** Adds the tokens' names. The pools with the most SOL come first. */
async function withNames({ client }: Network, found: readonly heaven.FoundPool[]): Promise<Pool[]> {
  const pools = [...found].sort(byReserve).slice(0, MOST_POOLS);
  const mints = [...new Set(pools.map(({ mint }) => mint))];
  const tokens = new Map<Address, heaven.TokenDescription>();
  while (mints.length > 0) {
    const page = mints.splice(0, MOST_MINTS);
    // A token without a readable name can still be traded.
    const read = await heaven.getTokenMetadata(client, { mints: page }).catch(() => []);
    for (const token of read) tokens.set(token.mint, token);
  }
  return pools.map((pool) => {
    const { address, mint, kind, configVersion, creator, state } = pool;
    return {
      ...{ address, mint, kind, configVersion, creator },
      name: isolate(tokens.get(mint)?.name ?? 'Token without a name'),
      symbol: isolate(tokens.get(mint)?.symbol ?? shortenAddress(mint)),
      lamports: realLamports(pool),
      initial: { tokens: state.reserve.initialA, lamports: state.reserve.initialB },
      volumeUsd: state.tradingVolumeUsd,
      createdAtSlot: state.createdAtSlot,
      feeReceiver: state.creatorTradingFeeReceiver,
    };
  });
}

/** Every pool. Many public nodes don't list them. */
export function usePools() {
  const network = useNetwork();
  return useQuery({
    queryKey: [network.rpcUrl, 'pools'],
    queryFn: async ({ signal }) =>
      await withNames(
        network,
        await (await later()).findPools(network.client, { all: true, abortSignal: signal }),
      ),
    staleTime: 60_000,
  });
}

const UNFOUND: Record<string, string> = {
  'invalid-address': 'That is not a Solana address. An address has 32 to 44 letters and digits.',
  'account-not-found': 'There is nothing at this address on this network.',
  'invalid-account-data': 'This address is neither a token nor a pool of the exchange. Is it a wallet?',
};

/** The pools at an address, or at one in a link: the pool itself, or those of a token. */
export async function findNamedPools(
  network: Network,
  address: string,
  signal: AbortSignal,
  onFound?: (pool: PoolId) => void,
) {
  try {
    const wanted = addressIn(address) ?? (address as Address);
    const found = await heaven.findPoolsAt(network.client, wanted, { abortSignal: signal });
    if (found.length === 0) throw new UserError('There is no pool for this token on the exchange.');
    const [best] = [...found].sort(byReserve);
    if (best) onFound?.(best);
    return await withNames(network, found);
  } catch (error) {
    throw (heaven.isHeavenError(error) && UNFOUND[error.code] && new UserError(UNFOUND[error.code])) || error;
  }
}

/** The pools at the address in `?pool=`, the one with the most SOL first. Several if it is a token's. */
export function useFoundPools() {
  const network = useNetwork();
  const wanted = useAddress().searchParams.get('pool') || network.defaultPool;
  return useQuery({
    queryKey: [network.rpcUrl, 'pools at', wanted ?? ''],
    queryFn: ({ signal, client }) =>
      findNamedPools(network, wanted ?? '', signal, (pool) => {
        // Names can wait, the price can't.
        void client.prefetchQuery(snapshotQuery(network, pool));
      }),
    enabled: wanted !== undefined,
    staleTime: 'static',
    // What an address is stays so: asking again, or with each view that opens, would hide the answer.
    retry: (failures, error) => failures < 1 && !(error instanceof UserError),
    retryOnMount: false,
  });
}

export function useChosenPool(): [Pool | undefined, (pool: Pick<Pool, 'address'>) => void] {
  const { data } = useFoundPools();
  return [data?.[0], ({ address }) => navigate({ pool: address })];
}

export const snapshotQuery = ({ client, rpcUrl }: Network, pool: PoolId | undefined) => ({
  queryKey: [rpcUrl, 'pool', pool?.address ?? ''],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    heaven.fetchPoolSnapshot(client, { ...locatorOf(pool as PoolId), abortSignal: signal }),
  enabled: pool !== undefined,
  staleTime: 2_000,
  // The accounts' bytes would be compared one by one.
  structuralSharing: false,
});

/** A pool's reserves, fees and price. {@link useWatchPool} keeps those of the chosen pool live; otherwise they are polled. */
export function useSnapshot(pool: Pool | undefined) {
  return useQuery({ ...snapshotQuery(useNetwork(), pool), refetchInterval: 5_000 });
}

/** Follows the chosen pool through the node's subscriptions, into the query cache. */
export function useWatchPool(pool: Pool | undefined): void {
  const network = useNetwork();
  const queries = useQueryClient();
  useEffect(() => {
    if (pool === undefined) return;
    const { queryKey } = snapshotQuery(network, pool);
    const { client, socket, rpcUrl } = network;
    const stop = new AbortController();
    const follow = async () => {
      const { createSolanaRpcSubscriptions, watchPool } = await later();
      const rpcSubscriptions = socket ? createSolanaRpcSubscriptions(socket) : client.rpcSubscriptions;
      const watch = watchPool({ ...client, rpcSubscriptions }, locatorOf(pool), { abortSignal: stop.signal });
      for await (const snapshot of watch) {
        queries.setQueryData(queryKey, snapshot);
        for (const what of ['quote', 'trades']) void queries.invalidateQueries({ queryKey: [rpcUrl, what] });
      }
    };
    // The polling goes on, and reports what is wrong. The first quote goes first.
    const start = setTimeout(() => void follow().catch(() => {}), 1_000);
    return () => {
      clearTimeout(start);
      stop.abort();
    };
  }, [network, pool, queries]);
}

/** What the wallet holds of SOL and a token, and the most that a buy and a sell can use of it. */
export function useBalances(mint: Address | undefined) {
  const { client, rpcUrl, practice } = useNetwork();
  const wallet = useWallet()?.address;
  const { price } = usePriorityFee();
  return useQuery({
    queryKey: [rpcUrl, 'balances', wallet ?? '', mint ?? '', String(price)],
    queryFn: async ({ signal }) => {
      const { getWalletBalances, maximumSpend } = await later();
      const whose = { wallet: wallet as Address, abortSignal: signal };
      practice?.welcome(whose.wallet);
      const one = { mint: mint as Address, computeUnitPrice: price, wrapSol: 'temporary' } as const;
      const input = { ...whose, ...one };
      const [{ sol, tokens }, sell] = await Promise.all([
        getWalletBalances(client, { ...whose, mints: [one.mint] }),
        maximumSpend(client, { ...input, side: 'sell', closeTokenAccount: true }),
      ]);
      // A buy leaves what it takes to sell again.
      const { signatureFee, priorityFee, guardFee } = sell.breakdown;
      const keepLamports = signatureFee + priorityFee + guardFee;
      const buy = await maximumSpend(client, { ...input, side: 'buy', keepLamports });
      return { lamports: sol.lamports, tokenUnits: tokens[0]?.amount ?? 0n, buy, sell };
    },
    enabled: wallet !== undefined && mint !== undefined,
    refetchInterval: 15_000,
    placeholderData: (before, query) => (query?.queryKey[3] === mint ? before : undefined),
  });
}

export type Balances = NonNullable<ReturnType<typeof useBalances>['data']>;

/** In micro-lamports: 0.001 SOL for a transaction. */
const MAX_PRIORITY_FEE = 1_000_000_000_000n;

/** What the market pays for priority, within a limit. */
export function usePriorityFee() {
  const { client, rpcUrl } = useNetwork();
  const wallet = useWallet();
  const [pool] = useChosenPool();
  const { data } = useQuery({
    queryKey: [rpcUrl, 'priority', pool?.address ?? ''],
    queryFn: async ({ signal }) =>
      await (await later()).suggestPriorityFee(client, [pool?.address as Address], { abortSignal: signal }),
    // Only who can trade pays it.
    enabled: pool !== undefined && wallet !== undefined,
    staleTime: 20_000,
    refetchInterval: 30_000,
  });
  const market = data?.percentiles[50]?.microLamports ?? 0n;
  /** Micro-lamports per compute unit, for a transaction with this compute limit. */
  const priceFor = (units: number) =>
    market * BigInt(units) > MAX_PRIORITY_FEE ? MAX_PRIORITY_FEE / BigInt(units) : market;
  return { priceFor, price: data ? priceFor(data.computeUnitLimit) : 0n };
}
