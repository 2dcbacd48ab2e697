// What several views read. Each key starts with the network, so that nothing of one network is shown for another.
import type { Address } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type FoundPool,
  fetchPoolSnapshot,
  findPools,
  findPoolsAt,
  getTokenMetadata,
  getWalletBalances,
  isHeavenError,
  maximumSpend,
  type PoolLocator,
  suggestPriorityFee,
  watchPool,
} from 'heaven-pools';
import { useEffect } from 'react';

import { navigate, useAddress } from './address';
import { shortenAddress, UserError } from './format';
import { type Network, useNetwork } from './network/network';
import { useSetting } from './setting';
import { useWallet } from './wallet/wallet';

/** A pool that can be chosen. */
export interface Pool {
  address: Address;
  mint: Address;
  kind: 'standard' | 'pro';
  configVersion: number;
  /** What the token calls itself. It may be a lie, so the mint is shown with it. */
  name: string;
  symbol: string;
  lamports: bigint;
  /** What was traded so far, in dollars. */
  volumeUsd: number;
}

/** A pool in the form that the library's functions take. */
export const locatorOf = ({ kind, mint, configVersion, address }: Pool): PoolLocator => ({
  mint,
  configVersion,
  pool: kind === 'pro' ? address : undefined,
});

const MOST_POOLS = 200;
const MOST_MINTS = 50;

/** Adds the tokens' names. The pools with the most SOL come first. */
async function withNames({ client }: Network, found: readonly FoundPool[]): Promise<Pool[]> {
  const solIn = ({ state }: FoundPool) => state.reserve.tokenB;
  const pools = [...found].sort((a, b) => (solIn(a) < solIn(b) ? 1 : -1)).slice(0, MOST_POOLS);
  const mints = [...new Set(pools.map(({ mint }) => mint))];
  const pages = mints.flatMap((_, at) => (at % MOST_MINTS === 0 ? [mints.slice(at, at + MOST_MINTS)] : []));
  // A token without a readable name can still be traded.
  const read = await Promise.all(
    pages.map((page) => getTokenMetadata(client, { mints: page }).catch(() => [])),
  );
  const tokens = new Map(read.flat().map((token) => [token.mint, token]));
  return pools.map((pool) => ({
    address: pool.address,
    mint: pool.mint,
    kind: pool.kind,
    configVersion: pool.configVersion,
    lamports: solIn(pool),
    volumeUsd: pool.state.tradingVolumeUsd,
    name: shorten(tokens.get(pool.mint)?.name, 32) || 'Token without a name',
    symbol: shorten(tokens.get(pool.mint)?.symbol, 10) || shortenAddress(pool.mint),
  }));
}

const shorten = (text = '', length: number) => [...text].slice(0, length).join('');

/** Every pool. Many public nodes don't list them. */
export function usePools() {
  const network = useNetwork();
  return useQuery({
    queryKey: [network.rpcUrl, 'pools'],
    queryFn: async ({ signal }) =>
      await withNames(network, await findPools(network.client, { all: true, abortSignal: signal })),
    staleTime: 60_000,
  });
}

/** Words for a search that found nothing. */
const UNFOUND: Record<string, string> = {
  'invalid-address':
    'That is not a Solana address. An address has 32 to 44 letters and digits. Copy all of it.',
  'account-not-found': 'There is nothing at this address on this network.',
  'account-owner-mismatch': 'This address is neither a token nor a pool of the exchange. Is it a wallet?',
};

/** The pools at an address: the pool itself, or those of a token. */
export async function findNamedPools(network: Network, address: string, signal?: AbortSignal) {
  try {
    const found = await findPoolsAt(network.client, address.trim() as Address, { abortSignal: signal });
    if (found.length === 0) throw new UserError('There is no pool for this token on the exchange.');
    return await withNames(network, found);
  } catch (error) {
    throw (isHeavenError(error) && UNFOUND[error.code] && new UserError(UNFOUND[error.code])) || error;
  }
}

/** The pools at the address in `?pool=`, the one with the most SOL first. Several if it is a token's. */
export function useFoundPools() {
  const network = useNetwork();
  const wanted = useAddress().searchParams.get('pool') || network.defaultPool;
  return useQuery({
    queryKey: [network.rpcUrl, 'pools at', wanted ?? ''],
    queryFn: ({ signal }) => findNamedPools(network, wanted ?? '', signal),
    enabled: wanted !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The pool in the address of the page, and how to choose another. */
export function useChosenPool(): [Pool | undefined, (pool: Pick<Pool, 'address'>) => void] {
  const { data } = useFoundPools();
  return [data?.[0], ({ address }) => navigate({ pool: address })];
}

export const snapshotQuery = ({ client, rpcUrl }: Network, pool: Pool | undefined) => ({
  queryKey: [rpcUrl, 'pool', pool?.address ?? ''],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    fetchPoolSnapshot(client, { ...locatorOf(pool as Pool), abortSignal: signal }),
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
    const stop = new AbortController();
    const watch = watchPool(network.client, locatorOf(pool), { abortSignal: stop.signal });
    const update = () => {
      if (!watch.isLive) return;
      queries.setQueryData(queryKey, watch.latest);
      void queries.invalidateQueries({ queryKey: [network.rpcUrl, 'quote'] });
    };
    // A slot changes nothing but the fees of a launch: once a second is enough.
    const timer = setInterval(update, 1_000);
    const follow = async () => {
      for await (const _ of watch) update();
    };
    // The polling goes on, and reports what is wrong.
    follow().catch(() => {});
    return () => {
      clearInterval(timer);
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
      const owner = wallet as Address;
      practice?.welcome(owner);
      const input = {
        wallet: owner,
        mint: mint as Address,
        computeUnitPrice: price,
        wrapSol: 'temporary',
        abortSignal: signal,
      } as const;
      const [held, maxSell] = await Promise.all([
        getWalletBalances(client, { wallet: owner, mints: [input.mint], abortSignal: signal }),
        maximumSpend(client, { ...input, side: 'sell' }),
      ]);
      // A buy leaves what it takes to sell again.
      const { signatureFee, priorityFee, guardFee } = maxSell.breakdown;
      const keepLamports = signatureFee + priorityFee + guardFee;
      const maxBuy = await maximumSpend(client, { ...input, side: 'buy', keepLamports });
      const token = held.tokens.find((each) => each.mint === mint);
      return { lamports: held.sol.lamports, tokenUnits: token?.amount ?? 0n, maxBuy, maxSell };
    },
    enabled: wallet !== undefined && mint !== undefined,
    refetchInterval: 15_000,
    placeholderData: (before, query) => (query?.queryKey[3] === mint ? before : undefined),
  });
}

export type Balances = NonNullable<ReturnType<typeof useBalances>['data']>;

/** How much to pay for priority: what the market pays, more, or nothing. Never more than the cap. */
export type PriorityLevel = 'market' | 'fast' | 'none';
const PERCENTILES = { market: 50, fast: 90 } as const;
/** The compute units of a trade. */
const TRADE_UNITS = 200_000;
const DEFAULT_CAP = '0.001';

export function usePriorityFee() {
  const { client, rpcUrl } = useNetwork();
  const [pool] = useChosenPool();
  const [level, setLevel] = useSetting<PriorityLevel>('priority', 'market');
  const [cap, setCap] = useSetting<string>('priority-cap', DEFAULT_CAP);
  const { data } = useQuery({
    queryKey: [rpcUrl, 'priority', pool?.address ?? ''],
    queryFn: ({ signal }) => suggestPriorityFee(client, [pool?.address as Address], { abortSignal: signal }),
    enabled: pool !== undefined,
    staleTime: 20_000,
    refetchInterval: 30_000,
  });
  const most = BigInt(Math.round(Number(cap) * 1e9)) * 1_000_000n;
  const market = level === 'none' ? 0n : (data?.percentiles[PERCENTILES[level]]?.microLamports ?? 0n);
  /** Micro-lamports per compute unit, for a transaction with this compute limit. */
  const priceFor = (units: number) => (market * BigInt(units) > most ? most / BigInt(units) : market);
  const price = priceFor(TRADE_UNITS);
  const lamports = (price * BigInt(TRADE_UNITS)) / 1_000_000n;
  const isCapped = price < market;
  return { level, setLevel, cap, setCap, priceFor, price, lamports, isCapped };
}
