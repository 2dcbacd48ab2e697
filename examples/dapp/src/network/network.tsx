import { type Address, createSolanaRpcSubscriptions } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createClient, type HeavenClient, type HeavenHistoryRpc, type HeavenSubmitRpc } from 'heaven-pools';
import { createContext, type ReactNode, use, useState } from 'react';

import { navigate } from '../address';
import type { Practice } from './practice';

/** Where the page reads from and sends to. Practice mode and a cluster look the same from here on. */
export interface Network {
  readonly client: HeavenClient<HeavenSubmitRpc & HeavenHistoryRpc>;
  /** `''` in practice mode. Every query key starts with it. */
  readonly rpcUrl: string;
  readonly name: string;
  /** The wallets' name for the cluster, if they have one. */
  readonly chain: `solana:${string}` | undefined;
  readonly practice: Practice | undefined;
  /** The pool to open when the address of the page names none. */
  readonly defaultPool: Address | undefined;
  /** Reads a stranger's file, such as a token's image. */
  fetchFile(url: string, init?: RequestInit): Promise<Response>;
  explorerUrl(signature: string): string | undefined;
}

const TIMEOUT_MS = 15_000;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const CLUSTERS: Readonly<Record<string, 'mainnet' | 'devnet'>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
};

async function connect(rpcUrl: string): Promise<Network> {
  if (rpcUrl !== '') return await connectToCluster(rpcUrl);
  const { createPractice } = await import('./practice');
  const practice = await createPractice();
  const { rpc, rpcSubscriptions, pools } = practice.ledger;
  return {
    client: createClient({ rpc, rpcSubscriptions, timeoutMs: TIMEOUT_MS }),
    rpcUrl,
    name: 'Practice',
    chain: undefined,
    practice,
    defaultPool: pools.community.pool,
    fetchFile: practice.fetchFile,
    explorerUrl: () => undefined,
  };
}

async function connectToCluster(rpcUrl: string): Promise<Network> {
  // The client checks the URL first.
  const { rpc } = createClient({ rpcUrl, timeoutMs: TIMEOUT_MS });
  const rpcSubscriptions = createSolanaRpcSubscriptions(subscriptionsUrl(rpcUrl));
  const genesis = await rpc.getGenesisHash().send({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  const cluster = CLUSTERS[genesis];
  return {
    client: createClient({ rpc, rpcSubscriptions, timeoutMs: TIMEOUT_MS }),
    rpcUrl,
    name: cluster === 'mainnet' ? 'Mainnet' : cluster === 'devnet' ? 'Devnet' : 'Own cluster',
    chain: cluster && `solana:${cluster}`,
    practice: undefined,
    defaultPool: undefined,
    fetchFile: (url, init) => fetch(url, init),
    explorerUrl: (signature) => explorerUrl(signature, cluster, rpcUrl),
  };
}

/** Nodes accept subscriptions at the same address, and a local validator at the next port. */
function subscriptionsUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port === '8899') url.port = '8900';
  return url.href;
}

/** Whether a node's URL may contain a key, as with many providers: in the path, in the query or before the host. */
export function mayHoldKey(rpcUrl: string): boolean {
  const { hostname, pathname, search, hash, username, password } = new URL(rpcUrl);
  return !LOCAL_HOSTS.includes(hostname) && `${pathname}${search}${hash}${username}${password}` !== '/';
}

function explorerUrl(signature: string, cluster: string | undefined, rpcUrl: string): string | undefined {
  const url = new URL(`https://explorer.solana.com/tx/${signature}`);
  if (cluster === 'devnet') url.searchParams.set('cluster', cluster);
  if (cluster === undefined) {
    // An explorer must not learn a private node's URL, because it may contain a key.
    if (!LOCAL_HOSTS.includes(new URL(rpcUrl).hostname)) return undefined;
    url.searchParams.set('cluster', 'custom');
    url.searchParams.set('customUrl', rpcUrl);
  }
  return url.href;
}

interface NetworkState {
  /** `undefined` while connecting, and after a failure. */
  readonly network: Network | undefined;
  readonly error: unknown;
  /** Connects to a node, or to practice mode with `''`. The network in use stays until that has worked. */
  switchTo(rpcUrl: string): Promise<void>;
}

const NetworkContext = createContext<NetworkState | undefined>(undefined);

const networkQuery = (rpcUrl: string) => ({
  queryKey: ['network', rpcUrl],
  queryFn: () => connect(rpcUrl),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  structuralSharing: false,
});

export function NetworkProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [rpcUrl, setRpcUrl] = useState(() => new URLSearchParams(location.search).get('rpc') ?? '');
  const { data: network, error } = useQuery(networkQuery(rpcUrl));
  const switchTo = async (next: string) => {
    await queries.fetchQuery(networkQuery(next));
    setRpcUrl(next);
    navigate({ rpc: next !== '' && mayHoldKey(next) ? '' : next, pool: '' });
  };
  return <NetworkContext value={{ network, error, switchTo }}>{children}</NetworkContext>;
}

export function useNetworkState(): NetworkState {
  const state = use(NetworkContext);
  if (state === undefined) throw new Error('useNetworkState needs a NetworkProvider.');
  return state;
}

/** The connected network. The page renders its views only when there is one. */
export function useNetwork(): Network {
  const { network } = useNetworkState();
  if (network === undefined) throw new Error('useNetwork is for views, which are rendered once connected.');
  return network;
}
