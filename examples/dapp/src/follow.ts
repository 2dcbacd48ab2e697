// Follows the chosen pool, the quote for the typed amount, and the wallet's balances, with the library's stores.
import type { Address } from '@solana/kit';
import {
  createPoolStore,
  createQuoteStore,
  type PoolStore,
  type QuoteStore,
  type QuoteStoreInput,
  type SpendStore,
  type TradeAmount,
} from 'heaven-pools';

import { explain } from './messages.js';
import { locatorOf, type Pool } from './pools.js';
import { type Ask, enoughFor, type Quote } from './quote.js';
import { changed, type State, state } from './state.js';

/** If the node is silent for half of this, the pool is read again. */
export const FRESHNESS = { maxAgeMs: 4_000 } as const;
const OUTAGE_MS = FRESHNESS.maxAgeMs / 2;

let pool: PoolStore | undefined;
let quotes: QuoteStore | undefined;
let asked = '';
let isAsking = false;

/** Follows the chosen pool. */
export function followPool(): void {
  leavePool();
  followWallet();
  if (state.connection === undefined || state.pool === undefined) return;
  const { client } = state.connection;
  pool = createPoolStore(client, locatorOf(state.pool), FRESHNESS);
  quotes = createQuoteStore(client, undefined, { ...FRESHNESS, debounceMs: 0 });
  quotes.subscribe(() => {
    if (!isAsking) changed();
  });
  pool.subscribe(({ status, data, error }) => {
    if (status === 'ready') state.readAt = performance.now();
    state.snapshot = data?.snapshot;
    // A lost subscription alone is not an outage, because the pool is then polled.
    const isLate = data === undefined || performance.now() - state.readAt > OUTAGE_MS;
    state.outage = error && isLate ? explain(error).message : undefined;
    changed();
  });
}

function leavePool(): void {
  pool?.dispose();
  quotes?.dispose();
  pool = undefined;
  quotes = undefined;
  asked = '';
  Object.assign(state, { snapshot: undefined, outage: undefined });
}

/** Reads the pool now, at the user's request. */
export const refreshPool = async (): Promise<void> => {
  await Promise.all([pool?.refresh(), quotes?.refresh()]);
};

/** The known pools of the chosen token. */
export const siblings = (): readonly Pool[] => state.pools.filter(({ mint }) => mint === state.pool?.mint);

/** The quote store's input: the chosen pool, or all pools of a token with several. */
function inputOf({ side, given, amount, slippageBps }: Ask): QuoteStoreInput | undefined {
  if (state.pool === undefined) return undefined;
  const field = given === 'receive' ? 'amountOut' : side === 'buy' ? 'lamports' : 'amountIn';
  const terms = { side, [field]: amount, slippageBps } as unknown as TradeAmount;
  const all = siblings();
  if (all.length < 2) return { ...locatorOf(state.pool), ...terms };
  return { mint: state.pool.mint, pools: all.filter(({ kind }) => kind === 'pro'), ...terms };
}

/**
 * The quote of a trade, in the best pool or in the one that the user pinned. `undefined` while it is loading.
 *
 * @throws {HeavenError} the reason if there is none
 */
export function quoteOf(ask: Ask): Quote | undefined {
  const found = findQuote(ask);
  if (found === undefined || ask.given === 'pay') return found;
  return { ...found, enough: enoughFor(ask.side, found.snapshot, ask.amount) };
}

function findQuote(ask: Ask): Quote | undefined {
  const key = [...Object.values(ask), ...siblings().map(({ address }) => address)].join();
  if (key !== asked) {
    asked = key;
    isAsking = true;
    quotes?.update(inputOf(ask));
    isAsking = false;
  }
  const { status, data, error } = quotes?.getSnapshot() ?? {};
  if (status === 'error') throw error;
  if (data === undefined || status === 'loading') return undefined;
  if (data.others === undefined) return { ...data, ask };
  if (!state.isPinned || data.pool === state.pool?.address) return { ...data, ask, best: data };
  const own = data.others.find((other) => other.pool === state.pool?.address);
  if (own?.status === 'refused') throw own.error;
  if (own === undefined || state.snapshot === undefined) return undefined;
  return { side: data.side, ask, quote: own.quote, snapshot: state.snapshot, best: data };
}

let wallet: { readonly of: readonly unknown[]; readonly store: Promise<SpendStore> } | undefined;

/** Follows the wallet's SOL and its balance of the chosen token. */
export function followWallet(): void {
  const { connection, account, pool } = state;
  const of = [connection, account?.address, pool?.mint];
  if (wallet !== undefined && of.every((one, index) => one === wallet?.of[index])) return;
  void wallet?.store.then((store) => store.dispose()).catch(() => {});
  wallet = undefined;
  Object.assign(state, { balances: undefined, balanceProblem: undefined });
  if (connection === undefined || account === undefined || pool === undefined) return;
  const input = { wallet: account.address as Address, mint: pool.mint, wrapSol: 'temporary' } as const;
  const store = import('./holdings.js').then(({ createSpendStore }) =>
    createSpendStore(connection.client, input),
  );
  const own = { of, store };
  wallet = own;
  const tell = (data: State['balances'], error: unknown) => {
    if (wallet !== own) return;
    state.balances = data ?? state.balances;
    state.balanceProblem = error === undefined ? undefined : explain(error).message;
    changed();
  };
  store.then(
    (found) => found.subscribe(({ data, error }) => tell(data, error)),
    (error: unknown) => tell(undefined, error),
  );
}

/** Reads the wallet's balances now. */
export async function readBalances(): Promise<void> {
  followWallet();
  const store = await wallet?.store.catch(() => undefined);
  await store?.refresh();
}
