import type { Address } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';

import { navigate } from '../address';
import { useSetting } from '../setting';
import type { Practice } from './practice';

/** Where the page reads from and sends to. Practice mode and a cluster look the same from here on. */
export interface Network {
  client: heaven.HeavenClient<heaven.HeavenSubmitRpc & heaven.HeavenHistoryRpc>;
  /** Where a cluster's subscriptions are. */
  socket?: string;
  /** `''` in practice mode. Every query key starts with it. */
  rpcUrl: string;
  name: string;
  /** The wallets' name for the cluster, if they have one. */
  chain: `solana:${string}` | undefined;
  practice?: Practice;
  /** The pool to open when the address of the page names none. */
  defaultPool?: Address;
  fetchFile: typeof fetch;
}

const timeoutMs = 15_000;
const CLUSTERS: Record<string, { name: string; chain: Network['chain'] }> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': { name: 'Mainnet', chain: 'solana:mainnet' },
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: { name: 'Devnet', chain: 'solana:devnet' },
};

async function connectToPractice(): Promise<Network> {
  const { startPractice } = await import('./practice');
  const practice = await startPractice();
  const { rpc, rpcSubscriptions, pools } = practice.ledger;
  return {
    client: heaven.createHeavenClient({ rpc, rpcSubscriptions, timeoutMs }),
    rpcUrl: '',
    name: 'Practice',
    chain: undefined,
    practice,
    defaultPool: pools.community.pool,
    fetchFile: practice.fetchFile,
  };
}

async function connectToCluster(rpcUrl: string): Promise<Network> {
  // The client checks the URL first.
  const { rpc } = heaven.createHeavenClient({ rpcUrl, timeoutMs });
  // Nodes accept subscriptions at the same address, and a local validator at the next port.
  const socket = new URL(rpcUrl.replace(/^http/, 'ws'));
  if (socket.port === '8899') socket.port = '8900';
  const genesis = await rpc.getGenesisHash().send({ abortSignal: AbortSignal.timeout(timeoutMs) });
  return {
    client: heaven.createHeavenClient({ rpc, timeoutMs }),
    socket: socket.href,
    rpcUrl,
    ...(CLUSTERS[genesis] ?? { name: 'Own cluster', chain: undefined }),
    fetchFile: fetch.bind(globalThis),
  };
}

const SLOW_MS = 3_000;

/** Whether an answer has been waited for so long that what is on the screen may be old. */
export function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = isWaiting && setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer || undefined);
      setIsSlow(false);
    };
  }, [isWaiting]);
  return isSlow;
}

export const isNodeUrl = (rpcUrl: string) => /^https?:/.test(rpcUrl) && URL.canParse(rpcUrl);

/** Whether a node's URL may hold a key, as with many providers: in the path, in the query or before the host. */
export function mayHoldKey(rpcUrl: string): boolean {
  const { hostname, pathname, search, hash, username, password } = new URL(rpcUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return !isLocal && `${pathname}${search}${hash}${username}${password}` !== '/';
}

const networkQuery = (rpcUrl: string) => ({
  queryKey: ['network', rpcUrl],
  queryFn: () => (rpcUrl === '' ? connectToPractice() : connectToCluster(rpcUrl)),
  structuralSharing: false,
  staleTime: 'static' as const,
  retry: false,
});

function useNetworkProvider() {
  const queries = useQueryClient();
  const [linked] = useState(() => new URLSearchParams(location.search).get('rpc') ?? '');
  // The last node that the user chose or agreed to: a reload doesn't ask again.
  const [trusted, trust] = useSetting<string>('node', '');
  const [rpcUrl, setRpcUrl] = useState(isNodeUrl(linked) && linked !== trusted ? undefined : linked);
  const [isChoosing, setIsChoosing] = useState(false);
  const connection = useQuery({ ...networkQuery(rpcUrl ?? ''), enabled: rpcUrl !== undefined });
  const choose = (next: string) => {
    if (isNodeUrl(next) && !mayHoldKey(next)) trust(next);
    setRpcUrl(next);
  };
  return {
    /** `undefined` while connecting, and after a failure. */
    network: connection.data,
    error: connection.isFetching ? null : connection.error,
    /** The node that the link to the page names. Nothing is read from it until the user agrees. */
    asked: rpcUrl === undefined ? linked : undefined,
    /** Connects to that node, or goes to practice mode. */
    answer: (isAgreed: boolean) => {
      choose(isAgreed ? linked : '');
      if (!isAgreed) navigate({ rpc: '', pool: '' });
    },
    /** The node that is connected to, `''` for practice mode. */
    rpcUrl,
    ...{ isChoosing, setIsChoosing },
    /** Connects to a node, or to practice mode with `''`. The network in use stays until that has worked. */
    switchTo: async (next: string) => {
      await queries.fetchQuery(networkQuery(next));
      choose(next);
      navigate({ rpc: next !== '' && mayHoldKey(next) ? '' : next, pool: '' });
    },
  };
}

type NetworkState = ReturnType<typeof useNetworkProvider>;
// The page is inside its providers, so no context is ever without its value.
const NetworkContext = createContext<NetworkState | null>(null);

export const NetworkProvider = ({ children }: { children: ReactNode }) => (
  <NetworkContext value={useNetworkProvider()}>{children}</NetworkContext>
);

export const useNetworkState = () => use(NetworkContext) as NetworkState;

/** The connected network. The page renders its views only when there is one. */
export const useNetwork = () => useNetworkState().network as Network;
