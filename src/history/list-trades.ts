import type { Address, Signature } from '@solana/kit';

import type { HeavenClient, HeavenHistoryRpc } from '../client.js';
import { inputError } from '../input.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import type { Trade } from './trades.js';

/**
 * Whose trades: those of one pool, or of every pool of a token.
 *
 * - `{ pool }`, or a pool's locator `{ configVersion, mint, pool? }`: one pool.
 * - `{ mint }`: every pool of the token, standard and pro.
 */
export interface TradeSource {
  /** The token. Alone: every pool of it. With `configVersion`: its standard pool, unless `pool` is another. */
  readonly mint?: Address | null | undefined;
  readonly pool?: Address | null | undefined;
  readonly configVersion?: number | null | undefined;
  /** Only trades of this wallet. The node is then asked for the wallet's transactions instead of the pool's. */
  readonly wallet?: Address | null | undefined;
}

/** What {@link listTrades} lists. */
export interface ListTradesInput extends TradeSource, RequestOptions {
  /** Only older transactions than this one: a page's `next`, a signature, or a trade. */
  readonly before?: Signature | Trade | null | undefined;
  /** Only newer transactions than this one: a signature, or a trade. */
  readonly until?: Signature | Trade | null | undefined;
  /** How many trades to a page, from 1 to 1000. A transaction is never split. Default 25. */
  readonly limit?: number | null | undefined;
  /** How many transactions are read at the same time, from 1 to 16. Default 4. */
  readonly concurrency?: number | null | undefined;
}

/** Transactions that were listed, and hold no trade that was asked for. */
export interface LeftOutTransactions {
  /** They failed, so nothing in them happened. */
  readonly failed: number;
  /** They did something else. */
  readonly unrelated: number;
}

/** Trades, newest first. */
export interface TradePage {
  readonly trades: readonly Trade[];
  /** `before` of the next page, or `undefined` if this was the last. A page can be empty and not be the last. */
  readonly next: Signature | undefined;
  readonly leftOut: LeftOutTransactions;
}

/** Lists past trades, newest first, a page at a time. */
export async function listTrades(
  client: HeavenClient<HeavenHistoryRpc>,
  input: ListTradesInput,
): Promise<TradePage> {
  throw inputError('input', `Not implemented yet: ${client.commitment} ${input.mint}.`);
}
