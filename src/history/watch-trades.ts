import type { Signature } from '@solana/kit';

import type { HeavenClient, HeavenHistoryRpc } from '../client.js';
import type { AnyHeavenError } from '../errors.js';
import { inputError } from '../input.js';
import type { TradeSource } from './list-trades.js';
import type { Trade } from './trades.js';

/** What happens to the connection of a {@link watchTrades} or {@link watchNewPools}, told apart by `type`. */
export type HistoryWatchEvent =
  /** The subscription is there, and what happened before it is read. */
  | { readonly type: 'connected' }
  /** The subscription is lost. It reconnects by itself; what happens meanwhile comes later. */
  | { readonly type: 'disconnected'; readonly error: AnyHeavenError }
  /** The node was asked for what the subscription did not tell. `found`: how many transactions that were. */
  | { readonly type: 'caught-up'; readonly found: number }
  /** A read failed. It is tried again by itself. */
  | { readonly type: 'read-failed'; readonly error: AnyHeavenError };

/** Which trades {@link watchTrades} watches. */
export interface WatchTradesInput extends TradeSource {
  /** Goes on behind this trade: the newest that you have. Default: what happens from now on. */
  readonly from?: Signature | Trade | null | undefined;
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Told of the state of the connection, for logs and metrics. */
  readonly observe?: ((event: HistoryWatchEvent) => void) | undefined;
}

/** Trades as they happen, oldest first. It can be iterated over once. */
export interface TradesWatch extends AsyncIterable<Trade> {
  /** Whether trades come as they happen: false before the first connection, while it is lost, and after the end. */
  readonly isLive: boolean;
  /** The next trade. The first call begins the watch. */
  next(): Promise<IteratorResult<Trade, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<Trade, undefined>>;
  [Symbol.asyncIterator](): TradesWatch;
}

/** Watches trades as they happen, without a gap and without a repeat. */
export function watchTrades(client: HeavenClient<HeavenHistoryRpc>, input: WatchTradesInput): TradesWatch {
  throw inputError('input', `Not implemented yet: ${client.commitment} ${input.mint}.`);
}
