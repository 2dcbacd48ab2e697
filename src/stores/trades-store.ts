import type { Signature } from '@solana/kit';

import type { HeavenClient, HeavenHistoryRpc } from '../client.js';
import { listTrades, type TradePage } from '../history/list-trades.js';
import { tradeKey } from '../history/order.js';
import type { TradeSource } from '../history/trade-source.js';
import type { Trade } from '../history/trades.js';
import type { HistoryWatch } from '../history/watch-history.js';
import { watchTrades } from '../history/watch-trades.js';
import { assertWhole } from '../input.js';
import { type Fresh, type FreshnessOptions, keepFresh, maxAgeOf, shownError } from './fresh.js';
import { createStore, keepingData, type Store } from './store.js';

/** Options of {@link createTradesStore}. */
export interface TradesStoreOptions extends FreshnessOptions {
  /** How many past trades to load first, and how many more `loadOlder` loads. From 1 to 1000, default 25. */
  readonly limit?: number | undefined;
  /** The maximum number of trades to keep: new ones then push out the oldest. From `limit` to 10000, default 1000. */
  readonly maxTrades?: number | undefined;
}

/** The trades of a {@link TradesStore}. */
export interface TradeList {
  /** Newest first. */
  readonly trades: readonly Trade[];
  /** Whether `loadOlder` may find more. */
  readonly hasOlder: boolean;
}

/** What {@link createTradesStore} returns. */
export interface TradesStore extends Store<TradeList> {
  /** Appends a page of older trades, up to `maxTrades`. It never rejects: after a failure the state is `stale`. */
  readonly loadOlder: () => Promise<void>;
}

/**
 * Lists a pool's or a token's trades, newest first, and adds new ones as they happen: a {@link Store} of them. For candles, pass its
 * trades to {@link toCandles}.
 *
 * New trades arrive over the client's `rpcSubscriptions`. Without them, the store asks for new ones every `maxAgeMs / 2`.
 * @throws {HeavenError} `invalid-input` for bad options; other errors are in the state
 * @example
 * ```ts
 * const trades = createTradesStore(client, { mint }, { limit: 50 });
 * const unsubscribe = trades.subscribe(({ data }) => console.log(data?.trades[0]?.side));
 * ```
 */
export function createTradesStore(
  client: HeavenClient<HeavenHistoryRpc>,
  source: TradeSource,
  options: TradesStoreOptions = {},
): TradesStore {
  const { limit = 25, maxTrades = 1000 } = options;
  const maxAgeMs = maxAgeOf(options);
  assertWhole('limit', limit, [1, 1000]);
  assertWhole('maxTrades', maxTrades, [limit, 10_000]);
  let followed: FollowedTrades | undefined;
  const store = createStore<TradeList>((set, get) => ({
    start: () => {
      const show = () => set(keepingData(own.fresh.state(), get()));
      const own: FollowedTrades = followTrades(client, source, { limit, maxTrades, maxAgeMs }, show);
      followed = own;
      show();
      own.fresh.begin();
      return () => {
        own.stop();
        followed = undefined;
      };
    },
    refresh: async () => await followed?.fresh.refresh(),
  }));
  return { ...store, loadOlder: async () => await followed?.loadOlder() };
}

interface FollowedTrades {
  readonly fresh: Fresh<TradeList>;
  readonly loadOlder: () => Promise<void>;
  readonly stop: () => void;
}

/** Follows trades until it is stopped. */
function followTrades(
  client: HeavenClient<HeavenHistoryRpc>,
  source: TradeSource,
  {
    limit,
    maxTrades,
    maxAgeMs,
  }: { readonly limit: number; readonly maxTrades: number; readonly maxAgeMs: number },
  changed: () => void,
): FollowedTrades {
  const stopped = new AbortController();
  let watch: HistoryWatch<Trade> | undefined;
  let cursor: Signature | undefined;
  let loading: Promise<void> | undefined;

  const known = () => fresh.state().data?.trades ?? [];
  /** Returns the newest trades, up to the limit. A transaction whose trades don't all fit is left out. */
  const listOf = (trades: readonly Trade[]): TradeList => {
    let kept = Math.min(trades.length, maxTrades);
    if (kept < trades.length) {
      while (kept > 1 && trades[kept - 1]?.signature === trades[kept]?.signature) kept--;
      cursor = trades[kept - 1]?.signature;
    }
    return { trades: trades.slice(0, kept), hasOlder: cursor !== undefined };
  };
  const tell = (news: readonly Trade[]) => {
    const { data } = fresh.state();
    if (data === undefined) return;
    const merged = withNews(data.trades, news);
    fresh.hear(merged === data.trades ? data : listOf(merged));
  };
  const follow = async () => {
    if (client.rpcSubscriptions === undefined || watch !== undefined) return;
    let own: HistoryWatch<Trade> | undefined;
    try {
      own = watchTrades(client, {
        ...source,
        from: known()[0],
        abortSignal: stopped.signal,
        observe: (event) => {
          if (event.type === 'disconnected' || event.type === 'read-failed') fresh.doubt(event.error);
          // An empty list has no trade to continue from: read what happened before the subscription.
          else if (event.type === 'connected' && known().length === 0) void fresh.read();
          else tell([]);
        },
      });
      watch = own;
      for await (const trade of own) tell([trade]);
    } catch (error) {
      fresh.doubt(shownError(error));
    }
    if (watch === own) watch = undefined;
  };

  const fresh: Fresh<TradeList> = keepFresh<TradeList>(
    {
      start: () => void fresh.read(),
      read: async (abortSignal) => {
        const [newest] = known();
        const page = await listTrades(client, { ...source, until: newest, limit, abortSignal });
        const trades = withPage(known(), page);
        if (trades === page.trades) cursor = page.next;
        return listOf(trades);
      },
      heard: () => (watch?.isLive === true ? fresh.state().data : undefined),
      slotOf: () => 0n,
      changed: () => {
        changed();
        if (fresh.state().status === 'ready' && !stopped.signal.aborted) void follow();
      },
    },
    maxAgeMs,
  );

  const older = async () => {
    const before = cursor;
    if (before === undefined || known().length >= maxTrades) return;
    try {
      const page = await listTrades(client, { ...source, before, limit, abortSignal: stopped.signal });
      if (stopped.signal.aborted || cursor !== before) return;
      cursor = page.next;
      fresh.hear(listOf([...known(), ...page.trades]));
    } catch (error) {
      fresh.doubt(shownError(error));
    }
  };
  return {
    fresh,
    loadOlder: async () => {
      loading ??= older().finally(() => {
        loading = undefined;
      });
      await loading;
    },
    stop: () => {
      fresh.stop();
      stopped.abort('over');
    },
  };
}

/** Adds new trades to a list, newest first. Skips any older than the list: those were pushed out, or come with `loadOlder`. */
function withNews(list: readonly Trade[], news: readonly Trade[]): readonly Trade[] {
  const keys = new Set(list.map(tradeKey));
  const added = news.filter((trade) => !keys.has(tradeKey(trade)));
  if (added.length === 0) return list;
  const merged = [...list];
  for (const trade of [...added].reverse()) {
    const index = merged.findIndex(({ slot }) => slot <= trade.slot);
    if (index >= 0) merged.splice(index, 0, trade);
    else if (merged.length === 0) merged.push(trade);
  }
  return merged;
}

/** Merges a list with a newer page. If the page does not reach the list, it replaces the list, unless its node is behind. */
function withPage(list: readonly Trade[], page: TradePage): readonly Trade[] {
  const [newest] = list;
  if (newest === undefined) return page.trades;
  const keys = new Set(list.map(tradeKey));
  const [first] = page.trades;
  const isJoined = page.next === undefined || page.trades.some((trade) => keys.has(tradeKey(trade)));
  if (isJoined || first === undefined || first.slot <= newest.slot) return withNews(list, page.trades);
  return page.trades;
}
