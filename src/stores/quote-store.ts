import type { HeavenClient } from '../client.js';
import { assertNumber, MAX_TIMER_MS } from '../input.js';
import { type FreshnessOptions, maxAgeOf, shownError } from './fresh.js';
import type { Live } from './live-pool.js';
import {
  type LiveQuote,
  type Market,
  type QuoteStoreInput,
  type ReadInput,
  readInput,
} from './quote-input.js';
import { createStore, IDLE, LOADING, type Store, type StoreState } from './store.js';

/** Options of {@link createQuoteStore}. */
export interface QuoteStoreOptions extends FreshnessOptions {
  /** How long an update to another pool waits for the next one. In the same pool nothing waits. Default 150 milliseconds. */
  readonly debounceMs?: number | undefined;
}

/** What {@link createQuoteStore} returns. */
export interface QuoteStore extends Store<LiveQuote> {
  /** Changes the trade to quote, or stops quoting if `undefined`. It never throws: a bad input becomes the `error` state. */
  readonly update: (input: QuoteStoreInput | undefined) => void;
}

/**
 * Quotes a trade as the user types, and again whenever the pool changes: a {@link Store} of a quote and the input that it answers.
 *
 * An input with `configVersion` names one pool. Without it, the store uses the token's pool that gives the most, like {@link quoteBest}:
 * it searches for the token's pools once (again on `refresh`), quotes in all of them whenever one changes, and puts their ranking
 * in `data.others`.
 *
 * The store follows the pools with the client's `rpcSubscriptions`, so it quotes a new amount at once and without a call. Without them,
 * it reads the pools every `maxAgeMs / 2`. Only a change of pool or token waits for `debounceMs`.
 *
 * The last update always wins. In `ready` and `stale`, the quote answers the last input. In `loading`, it may answer an earlier input
 * for the same pool or token and side: see `data.input`. If there is no amount yet (`''`, `'0'`, `'1.'`), the state is `idle`. A bad
 * amount, such as one with an exponent, is an `error`.
 * @throws {HeavenError} `invalid-input` for bad options; other errors are in the state
 * @example
 * ```ts
 * const quotes = createQuoteStore(client);
 * const unsubscribe = quotes.subscribe(({ status, data }) => console.log(status, data?.quote.minimumOutUi));
 * quotes.update({ side: 'buy', mint, maxSolSpend: '1.5', slippageBps: 50 }); // in the best pool of the token
 * quotes.update({ side: 'buy', configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 }); // in its standard pool
 * ```
 */
export function createQuoteStore(
  client: HeavenClient,
  input?: QuoteStoreInput | undefined,
  options: QuoteStoreOptions = {},
): QuoteStore {
  const { debounceMs = 150 } = options;
  const maxAgeMs = maxAgeOf(options);
  assertNumber('debounceMs', debounceMs, [0, MAX_TIMER_MS]);
  let asked = readInput(input);
  let live: { readonly market: Live<Market>; readonly key: string } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let show = () => {};

  const unfollow = () => {
    clearTimeout(timer);
    timer = undefined;
    live?.market.stop();
    live = undefined;
  };
  const follow = () => {
    const { source } = asked;
    unfollow();
    if (source === undefined) return;
    const { key } = source;
    const isHere = () => live?.key === key;
    live = { key, market: source.follow(client, maxAgeMs, () => isHere() && show()) };
    show();
  };

  const store = createStore<LiveQuote>((set, get) => {
    let shown: { readonly quote: LiveQuote; readonly subject: string } | undefined;
    show = () => {
      const next = stateOf(asked, live?.market, shown?.subject === asked.subject ? shown.quote : undefined);
      if (next.data !== undefined) shown = { quote: next.data, subject: asked.subject };
      else if (next.status !== 'loading') shown = undefined;
      // The quote is still up to date, but nothing has changed.
      if (!isSame(get(), next)) set(next);
    };
    return {
      start: () => {
        isRunning = true;
        follow();
        show();
        return () => {
          isRunning = false;
          unfollow();
        };
      },
      refresh: async () => {
        if (timer !== undefined) follow();
        await live?.market.refresh();
      },
    };
  });

  return {
    ...store,
    update: (next) => {
      asked = readInput(next);
      if (!isRunning) return;
      if (asked.source?.key !== live?.key) {
        unfollow();
        if (asked.source !== undefined) timer = setTimeout(follow, debounceMs);
      }
      show();
    },
  };
}

/** Computes the state from the input and what is known about the pools. */
function stateOf(
  { ask, error }: ReadInput,
  market: Live<Market> | undefined,
  last: LiveQuote | undefined,
): StoreState<LiveQuote> {
  if (error !== undefined) return { status: 'error', data: undefined, error };
  if (ask === undefined) return IDLE;
  const live = market?.state() ?? LOADING;
  if (live.status === 'error') return live;
  const latest = market?.latest();
  if (live.status === 'loading' || live.status === 'idle' || latest === undefined)
    return { status: 'loading', data: last, error: undefined };
  try {
    const data = ask(latest);
    return live.status === 'ready'
      ? { status: 'ready', data, error: undefined }
      : { status: 'stale', data, error: live.error };
  } catch (caught) {
    return { status: 'error', data: undefined, error: shownError(caught) };
  }
}

/** Whether two states are the same, apart from a new quote. */
const isSame = (before: StoreState<LiveQuote>, next: StoreState<LiveQuote>) =>
  before.status === next.status && before.data === next.data && before.error === next.error;
