import type { Address, Signature } from '@solana/kit';

import type { HeavenClient, HeavenHistoryRpc } from '../client.js';
import { inputError } from '../input.js';
import type { HistoryWatchEvent } from './watch-trades.js';

/** A pool that was just created. */
export interface NewPool {
  readonly kind: 'standard' | 'pro';
  readonly pool: Address;
  /** The token. */
  readonly mint: Address;
  readonly configVersion: number;
  readonly creator: Address;
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds. `undefined` if the node does not say. */
  readonly blockTime: bigint | undefined;
}

/** Which new pools {@link watchNewPools} watches. */
export interface WatchNewPoolsOptions {
  readonly kind?: NewPool['kind'] | null | undefined;
  readonly configVersion?: number | null | undefined;
  /** Goes on behind this transaction of the exchange. Default: what happens from now on. */
  readonly from?: Signature | NewPool | null | undefined;
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Told of the state of the connection, for logs and metrics. */
  readonly observe?: ((event: HistoryWatchEvent) => void) | undefined;
}

/** New pools as they are created, oldest first. It can be iterated over once. */
export interface NewPoolsWatch extends AsyncIterable<NewPool> {
  /** Whether pools come as they are created: false before the first connection, while it is lost, and after the end. */
  readonly isLive: boolean;
  /** The next new pool. The first call begins the watch. */
  next(): Promise<IteratorResult<NewPool, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<NewPool, undefined>>;
  [Symbol.asyncIterator](): NewPoolsWatch;
}

/** Watches launches and the creation of pro pools. */
export function watchNewPools(
  client: HeavenClient<HeavenHistoryRpc>,
  options: WatchNewPoolsOptions = {},
): NewPoolsWatch {
  throw inputError('options', `Not implemented yet: ${client.commitment} ${options.kind}.`);
}
