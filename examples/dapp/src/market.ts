// The market of a pool: its chart and its last trades, past and live. Loaded on demand.
import {
  type CandleSeries,
  type ChartBar,
  createCandleSeries,
  createTradesStore,
  type Trade,
  type TradesStore,
  toChartBars,
  toPriceChange,
  toSpotPrice,
} from 'heaven-pools';

import { drawCandles, type Mark, MOST_BACK, reach, startCandles, timeOf } from './candle-chart.js';
import { table } from './charts.js';
import type { Connection } from './connection.js';
import { byId, element, quiet, setText } from './dom.js';
import { formatAmount, formatPrice, formatShort, formatUsd, SOL_DECIMALS, shortenAddress } from './format.js';
import { explain } from './messages.js';
import type { Pool } from './pools.js';
import { startPosition } from './position.js';
import { redraw } from './redraw.js';
import { nameOfPool, onChange, state, symbolOfPool } from './state.js';
import { tokenImage } from './token-image.js';

const PAGE = 200;
const MOST = 5_000;
const SHOWN = 60;
const DAY = 86_400;
/** More candles than fit on a wide screen. */
const MOST_SHOWN = 2_000;

/** What is known about a pool's past. */
interface Market {
  pool: Pool;
  readonly store: TradesStore;
  /** Practice mode's trades from before the page was opened. `undefined` until they are loaded. */
  past: readonly Trade[] | undefined;
  is: 'loading' | 'ready';
  /** Newest first. */
  trades: readonly Trade[];
  /** Why there are no trades, or no new ones. */
  problem: string | undefined;
  candles: Candles | undefined;
}

let market: Market | undefined;
let seconds = 900;
let drawn = '';

/** SOL per token, if the transaction proves it. */
function priceOf({ price }: Trade): number | undefined {
  if (price === undefined) return undefined;
  const decimals = state.snapshot?.token.decimals;
  if (decimals === undefined) return price.solPerToken;
  return (Number(price.lamports) / Number(price.tokenUnits)) * 10 ** (decimals - SOL_DECIMALS);
}

function load({ client, model }: Connection, pool: Pool): void {
  market?.store.dispose();
  const store = createTradesStore(client, { pool: pool.address }, { limit: PAGE, maxTrades: MOST });
  const past = model === undefined ? [] : undefined;
  const current: Market = {
    pool,
    store,
    past,
    is: 'loading',
    trades: [],
    problem: undefined,
    candles: undefined,
  };
  market = current;
  const tell = () => {
    const { data, error } = store.getSnapshot();
    // Without notifications, the list is polled.
    current.problem = data === undefined ? error && explain(error).message : undefined;
    current.trades = [...(data?.trades ?? []), ...(current.past ?? [])];
    const isKnown = current.past !== undefined && (data !== undefined || error !== undefined);
    current.is = isKnown ? 'ready' : 'loading';
    if (market === current) renderSoon();
  };
  store.subscribe(tell);
  void model?.pastTrades(pool.address).then((trades) => {
    current.past = trades;
    tell();
  });
}

// Drawing

/** The candles of a market. A new trade changes only its own. */
interface Candles {
  readonly series: CandleSeries;
  readonly seconds: number;
  /** The trades that were added. */
  trades: readonly Trade[];
}

function startCandlesOf(now: bigint): Candles {
  const from = now - BigInt(seconds * (MOST_BACK + MOST_SHOWN));
  const series = createCandleSeries({ intervalSeconds: seconds, from: from < 0n ? 0n : from });
  return { series, seconds, trades: [] };
}

/** The latest bars, up to now. None if nothing was traded in their time. */
function barsOf(current: Market, count: number): readonly ChartBar[] {
  const { snapshot } = state;
  if (snapshot === undefined) return [];
  const { unixTimestamp: now, token } = snapshot;
  if (current.candles?.seconds !== seconds) current.candles = startCandlesOf(now);
  const { candles, trades } = current;
  if (candles.trades !== trades) candles.series.addAll(trades);
  candles.trades = trades;
  candles.series.fillTo(now);
  // One more, for the first one's open.
  const latest = candles.series.candles.slice(-count - 1);
  const bars = toChartBars(latest, token.decimals).slice(-count);
  return bars.some((bar) => bar.trades > 0) ? bars : [];
}

const style = () =>
  document.querySelector<HTMLInputElement>('input[name=chart-style]:checked')?.value === 'line'
    ? 'line'
    : 'candles';

function marksOf({ trades }: Market): readonly Mark[] {
  const own = state.account?.address;
  if (own === undefined) return [];
  return trades.flatMap((trade) => {
    if (trade.user !== own || trade.blockTime === undefined) return [];
    const price = priceOf(trade);
    return price === undefined ? [] : [{ time: Number(trade.blockTime), price, side: trade.side }];
  });
}

function renderChart(current: Market): void {
  const target = byId('candles');
  const bars = current.is === 'ready' ? barsOf(current, reach()) : [];
  const symbol = symbolOfPool(current.pool);
  if (bars.length === 0) {
    const text =
      current.is === 'loading'
        ? undefined
        : current.trades.length === 0
          ? current.problem === undefined
            ? 'No trades yet. The first one draws the first candle.'
            : `No history: ${current.problem}`
          : 'No trade in the time that this chart spans. Choose longer candles.';
    target.replaceChildren(
      text === undefined
        ? element('p', { class: 'nothing skeleton' }, 'Reading the trades…')
        : element('p', { class: 'nothing' }, text),
    );
    byId('candle-table').replaceChildren();
    return;
  }
  const last = bars.at(-1) as ChartBar;
  drawCandles({
    bars,
    marks: marksOf(current),
    style: style(),
    seconds,
    price: state.snapshot && toSpotPrice(state.snapshot).solPerToken,
    description: `Price of ${symbol} in SOL: ${bars.length} candles, the last one at ${formatPrice(last.close)} SOL.`,
  });
  if (!byId('candle-table').closest('details')?.open) return;
  renderTable(bars);
}

function renderTable(bars: readonly ChartBar[]): void {
  const rows = [...bars]
    .reverse()
    .map(({ time, open, high, low, close, volume, isGap }) => [
      timeOf(time, seconds),
      ...[open, high, low, close].map((value) => (isGap ? '–' : formatPrice(value))),
      formatPrice(volume, 3),
    ]);
  redraw(byId('candle-table'), table({ head: ['Time', 'Open', 'High', 'Low', 'Close', 'SOL'], rows }));
}

function rowOf(trade: Trade, now: bigint | undefined): HTMLTableRowElement {
  const { side, amountIn, amountOut, user, blockTime, decimals = 0 } = trade;
  const [lamports, tokens] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn];
  const price = priceOf(trade);
  const figure = (amount: bigint | undefined, of: number) =>
    amount === undefined
      ? element('span', { title: trade.unproven.join(' ') }, 'not proven')
      : element('span', { title: formatAmount(amount, of) }, formatShort(amount, of, 4));
  const isOwn = user === state.account?.address;
  const cells = [
    blockTime === undefined || now === undefined ? '' : ago(Number(now - blockTime)),
    element('span', { class: side }, side === 'buy' ? '▲ Buy' : '▼ Sell'),
    figure(lamports, SOL_DECIMALS),
    figure(tokens, state.snapshot?.token.decimals ?? decimals),
    price === undefined ? '–' : formatPrice(price),
    isOwn ? element('strong', {}, 'you') : element('span', { title: user }, shortenAddress(user)),
  ];
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

function ago(span: number): string {
  if (span < 60) return `${Math.max(span, 0)} s`;
  if (span < 3_600) return `${Math.floor(span / 60)} min`;
  return span < DAY ? `${Math.floor(span / 3_600)} h` : `${Math.floor(span / DAY)} d`;
}

let shown = SHOWN;
/** What the list was drawn from, and its rows: a new trade adds one. */
let listed: readonly unknown[] = [];
let rows = new Map<Trade, HTMLTableRowElement>();

function renderTrades(current: Market): void {
  const target = byId('trade-list');
  const { pool, trades, is, problem, store } = current;
  const { snapshot, account } = state;
  // The pool may change often, but the list changes only with its trades and over time.
  const about = [pool, account, snapshot?.token.decimals, (snapshot?.unixTimestamp ?? 0n) / 15n];
  const next = [...about, trades, is, problem, shown];
  if (next.every((one, index) => one === listed[index])) return;
  if (about.some((one, index) => one !== listed[index])) rows = new Map();
  listed = next;
  byId('older').hidden = trades.length <= shown && store.getSnapshot().data?.hasOlder !== true;
  if (trades.length === 0) {
    const text = is === 'loading' ? 'Reading the trades…' : (problem ?? 'No trades yet.');
    target.replaceChildren(element('p', { class: is === 'loading' ? 'skeleton tall' : 'quiet' }, text));
    return;
  }
  if (target.querySelector('table') === null || rows.size === 0) {
    const head = ['Ago', 'Side', 'SOL', symbolOfPool(pool), 'Price', 'Trader'];
    target.replaceChildren(table({ head, rows: [] }));
  }
  const now = snapshot?.unixTimestamp;
  const before = rows;
  rows = new Map(trades.slice(0, shown).map((trade) => [trade, before.get(trade) ?? rowOf(trade, now)]));
  for (const [trade, row] of before) if (!rows.has(trade)) row.remove();
  const body = target.querySelector('tbody');
  [...rows.values()].forEach((row, index) => {
    if (body?.rows[index] !== row) body?.insertBefore(row, body.rows[index] ?? null);
  });
}

function renderHead({ pool, trades }: Market): void {
  const { snapshot } = state;
  const symbol = symbolOfPool(pool);
  setText(byId('market-title'), `${symbol === 'tokens' ? nameOfPool(pool) : symbol} / SOL`);
  const image = byId('market-image');
  const key = pool.address;
  if (image.dataset.shown !== key) {
    image.dataset.shown = key;
    image.replaceChildren(tokenImage(pool.mint, pool.name?.symbol));
  }
  if (snapshot === undefined) {
    for (const id of ['market-price', 'market-usd', 'market-change']) setText(byId(id), '');
    return;
  }
  const { solPerToken: price, usdPerToken } = toSpotPrice(snapshot);
  setText(byId('market-price'), `${formatPrice(price)} SOL`);
  setText(byId('market-usd'), formatUsd(usdPerToken));
  const change = toPriceChange(trades, snapshot);
  const place = byId('market-change');
  place.className = change === undefined || change.percent >= 0 ? 'up' : 'down';
  setText(
    place,
    change === undefined
      ? ''
      : `${change.percent >= 0 ? '▲ +' : '▼ −'}${Math.abs(change.percent).toFixed(2)} % in ${change.seconds === DAY ? '24 h' : ago(change.seconds)}`,
  );
}

let frame = 0;

/** Draws at most once per frame. */
function renderSoon(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => render(true));
}

/** Draws what has changed, or everything with `force`. */
function render(force = false): void {
  const current = market;
  if (current === undefined) return;
  const { snapshot, account } = state;
  const minute = snapshot === undefined ? '' : snapshot.unixTimestamp / 15n;
  const key = [current.pool.address, snapshot?.reserveA, snapshot?.reserveB, minute, account?.address].join();
  if (!force && key === drawn) return;
  drawn = key;
  renderHead(current);
  renderChart(current);
  renderTrades(current);
}

function follow(): void {
  const { connection, pool } = state;
  if (connection === undefined || pool === undefined) {
    market?.store.dispose();
    market = undefined;
    if (state.isConnecting) return;
    byId('market-image').replaceChildren();
    delete byId('market-image').dataset.shown;
    setText(byId('market-title'), 'Price');
    for (const id of ['market-price', 'market-usd', 'market-change']) setText(byId(id), '');
    byId('candles').replaceChildren(element('p', { class: 'nothing' }, 'Choose a token to see its price.'));
    byId('trade-list').replaceChildren(quiet('Choose a token to see its trades.'));
    return;
  }
  if (market?.pool.address !== pool.address || followed !== connection) {
    followed = connection;
    shown = SHOWN;
    load(connection, pool);
    return;
  }
  // It has an image now.
  market.pool = pool;
  render();
}

let followed: Connection | undefined;

export function startMarket(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name=interval]')) {
    if (input.checked) seconds = Number(input.value);
    input.addEventListener('change', () => {
      seconds = Number(input.value);
      render(true);
    });
  }
  for (const input of document.querySelectorAll('input[name=chart-style]'))
    input.addEventListener('change', () => render(true));
  startCandles(byId('candles'), () => market && renderChart(market));
  byId('candle-table')
    .closest('details')
    ?.addEventListener('toggle', () => render(true));
  byId('older').addEventListener('click', () => {
    shown += SHOWN;
    if (market !== undefined && market.trades.length < shown) void market.store.loadOlder();
    render(true);
  });
  startPosition();
  onChange(follow);
  follow();
}
