import { type Address, createSolanaRpcSubscriptions, type Signature } from '@solana/kit';
import {
  createClient,
  type HeavenClient,
  type HeavenHistoryRpc,
  type HeavenSubmitRpc,
  type MetadataFetch,
  type Trade,
} from 'heaven-pools';
import type { EmbeddedLedger } from 'heaven-pools/testing';

/** Where the page reads from and sends to. The embedded ledger and a cluster look the same from here on. */
export interface Connection {
  readonly client: HeavenClient<HeavenSubmitRpc & HeavenHistoryRpc>;
  /** The model, if the page runs on it. */
  readonly model: Model | undefined;
  /** The wallets' name for the cluster, or `undefined` if they have none. */
  readonly chain: `solana:${string}` | undefined;
  /** Reads tokens' metadata files and images. */
  readonly fetchFile: MetadataFetch;
  /** An explorer's page for a transaction. */
  explorerUrl(signature: Signature): string | undefined;
  close(): void;
}

export interface Model {
  readonly ledger: EmbeddedLedger;
  /** Whether slots advance. */
  isRunning: boolean;
  /** The trades of a pool from before the page was opened, newest first. Created on the first call. */
  pastTrades(pool: Address): Promise<readonly Trade[]>;
  /** Hosts a token's file for this page only, and returns its URL. */
  keepFile(text: string): string;
  /** Gives a wallet SOL to play with, the first time. */
  welcome(wallet: string): void;
}

/** How long the page waits for a node's response. */
export const TIMEOUT_MS = 15_000;

/** The genesis hashes of the known clusters. */
const GENESIS: Readonly<Record<string, 'mainnet' | 'devnet'>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
};

/** Connects to the model, which is loaded on demand. */
export async function connectToModel(): Promise<Connection> {
  const { createModel } = await import('./model.js');
  const isPaused = new URLSearchParams(location.search).get('time') === 'paused';
  const { model, fetchFile, close } = await createModel(!isPaused);
  const { rpc, rpcSubscriptions } = model.ledger;
  return {
    client: createClient({ rpc, rpcSubscriptions, timeoutMs: TIMEOUT_MS }),
    model,
    chain: undefined,
    fetchFile,
    explorerUrl: () => undefined,
    close,
  };
}

/**
 * Connects to a cluster.
 *
 * @throws {HeavenError} `invalid-input` for an invalid URL, and the `rpc-…` codes
 */
export async function connectToCluster(rpcUrl: string): Promise<Connection> {
  // The client checks the URL first.
  const timeoutMs = TIMEOUT_MS;
  const { rpc } = createClient({ rpcUrl, timeoutMs });
  const rpcSubscriptions = createSolanaRpcSubscriptions(subscriptionsUrl(rpcUrl));
  const client = createClient({ rpc, rpcSubscriptions, timeoutMs });
  const genesis = await rpc.getGenesisHash().send({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  const cluster = GENESIS[genesis];
  return {
    client,
    model: undefined,
    chain: cluster && `solana:${cluster}`,
    fetchFile: (url, init) => fetch(url, init),
    explorerUrl: (signature) => explorerUrl(signature, cluster, rpcUrl),
    close: () => {},
  };
}

/** Nodes accept subscriptions at the same address, and a local validator at the next port. */
function subscriptionsUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port === '8899') url.port = '8900';
  return url.href;
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a node's URL may contain a key, as with many providers: in the path, in the query or before the host. */
export function mayHoldKey(rpcUrl: string): boolean {
  const { hostname, pathname, search, hash, username, password } = new URL(rpcUrl);
  return !LOCAL_HOSTS.includes(hostname) && `${pathname}${search}${hash}${username}${password}` !== '/';
}

function explorerUrl(signature: Signature, cluster: string | undefined, rpcUrl: string): string | undefined {
  const url = new URL(`https://explorer.solana.com/tx/${signature}`);
  if (cluster === 'devnet') url.searchParams.set('cluster', cluster);
  if (cluster === undefined) {
    // Don't pass a private node's URL to an explorer, because it may contain a key.
    if (!LOCAL_HOSTS.includes(new URL(rpcUrl).hostname)) return undefined;
    url.searchParams.set('cluster', 'custom');
    url.searchParams.set('customUrl', rpcUrl);
  }
  return url.href;
}
