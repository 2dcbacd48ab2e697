import type { Address } from '@solana/kit';

import type { HeavenClient, HeavenHistoryRpc } from '../client.js';
import { type Position, toPosition } from '../history/position.js';
import type { Trade } from '../history/trades.js';
import { computeSell } from '../math/swap.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { toSwapState } from '../pool/swap-state.js';
import { maxAgeOf } from './fresh.js';
import { followLive, type Live } from './live-pool.js';
import { createStore, LOADING, type Store } from './store.js';
import {
  createTradesStore,
  type TradeList,
  type TradesStore,
  type TradesStoreOptions,
} from './trades-store.js';

/** Whose position a {@link PositionStore} follows. */
export interface PositionStoreInput {
  readonly wallet: Address;
  readonly mint: Address;
  /** The pool to value the position in: its config version. Default: the position has no value. */
  readonly configVersion?: number | null | undefined;
  /** A pro pool's address. Default: the standard pool of `mint`. */
  readonly pool?: Address | null | undefined;
}

/** A wallet's position, from its trades so far. */
export interface LivePosition {
  /** `value` and `unrealizedPnl` are what selling all of `held` in the pool would bring now, fees and price impact included. */
  readonly position: Position;
  /** The wallet's trades that it was computed from, newest first. */
  readonly trades: readonly Trade[];
  /** Whether every trade is counted: `false` if there are older ones than `limit`, or some that the transactions don't prove. */
  readonly isComplete: boolean;
}

/** What {@link createPositionStore} returns. */
export interface PositionStore extends Store<LivePosition> {}

/**
 * Follows a wallet's position in a token: what it bought and sold, what the rest cost, and with a `configVersion`, what selling it now would
 * make. A {@link Store} of {@link toPosition}'s result, which changes with each trade of the wallet and with the pool.
 *
 * It knows trades only: compare `held` with the wallet's balance. Call `refresh` when a transaction is confirmed.
 *
 * @param options As in {@link createTradesStore}, but `limit` is 400 by default.
 * @throws {HeavenError} `invalid-input` for bad options; other errors are in the state
 * @example
 * ```ts
 * const store = createPositionStore(client, { wallet: user, mint, configVersion: 2 });
 * const unsubscribe = store.subscribe(({ data }) => console.log(data?.position.held, data?.position.unrealizedPnl));
 * ```
 */
export function createPositionStore(
  client: HeavenClient<HeavenHistoryRpc>,
  { wallet, mint, configVersion, pool }: PositionStoreInput,
  options: TradesStoreOptions = {},
): PositionStore {
  const limit = options.limit ?? 400;
  const maxAgeMs = maxAgeOf(options);
  // Checks the options now.
  const listOwn = () => createTradesStore(client, { mint, wallet }, { ...options, limit });
  listOwn();
  const locator: PoolLocator | undefined =
    typeof configVersion === 'number' ? { configVersion, mint, pool } : undefined;
  return createStore<LivePosition>((set) => {
    let own: TradesStore | undefined;
    let market: Live<FetchedPoolSnapshot> | undefined;
    return {
      start: () => {
        const trades = listOwn();
        const valued = remembering((list: TradeList, snapshot?: FetchedPoolSnapshot) =>
          positionOf(list, wallet, mint, snapshot),
        );
        const show = () => {
          const state = trades.getSnapshot();
          if (state.status === 'error') return set(state);
          if (state.data === undefined) return set(LOADING);
          const data = valued(state.data, market?.latest());
          const doubt = market?.state();
          set(
            state.status === 'ready' && (doubt?.status === 'stale' || doubt?.status === 'error')
              ? { status: 'stale', data, error: doubt.error }
              : { ...state, data },
          );
        };
        own = trades;
        if (locator !== undefined) market = followLive(client, locator, maxAgeMs, () => show());
        trades.subscribe(show);
        return () => {
          trades.dispose();
          market?.stop();
          market = undefined;
          own = undefined;
        };
      },
      refresh: async () => void (await Promise.all([own?.refresh(), market?.refresh()])),
    };
  });
}

function positionOf(
  { trades, hasOlder }: TradeList,
  wallet: Address,
  mint: Address,
  snapshot: FetchedPoolSnapshot | undefined,
): LivePosition {
  const unvalued = toPosition(trades, wallet, { mint });
  const { held, unproven } = unvalued;
  const lamports = snapshot && held > 0n ? saleOf(snapshot, held) : undefined;
  const position =
    lamports === undefined
      ? unvalued
      : toPosition(trades, wallet, { mint, price: { lamports, tokenUnits: held } });
  return { position, trades, isComplete: unproven.length === 0 && !hasOlder };
}

/** Returns what selling everything would bring now. The spot price would overstate it. */
function saleOf(snapshot: FetchedPoolSnapshot, held: bigint): bigint | undefined {
  try {
    return computeSell(toSwapState(snapshot), held).amountOut;
  } catch {
    // More than the pool can take.
    return undefined;
  }
}

/** Computes a value only if its inputs have changed, so that the state stays the same object. */
function remembering<A, B, T>(compute: (a: A, b?: B) => T): (a: A, b?: B) => T {
  let last: { readonly a: A; readonly b: B | undefined; readonly value: T } | undefined;
  return (a, b) => {
    if (last === undefined || last.a !== a || last.b !== b) last = { a, b, value: compute(a, b) };
    return last.value;
  };
}
