// A bot that watches a pool, quotes each change locally, buys after a fall and sells after a rise, with prepared
// transactions and a fresh block hash. It shows how to build a bot; the trading rule is not advice.
import type { Address } from '@solana/kit';
import {
  type FetchedPoolSnapshot,
  isHeavenError,
  type KeptLifetime,
  keepLifetime,
  type PoolWatch,
  quoteBuy,
  quoteSell,
  suggestPriorityFee,
  toNativeAmount,
  watchPool,
} from 'heaven-pools';
import {
  addressOf,
  balancesOf,
  bold,
  type Cluster,
  connect,
  green,
  inWords,
  percent,
  readOptions,
  red,
  run,
  sol,
  UsageError,
  ui,
  wholeNumber,
} from '../common.js';
import { createFaults, createNodeFaults } from './faults.js';
import { delay, landingLater, runOnLedgerTime, SLOTS_TO_LAND } from './ledger-time.js';
import { randomNumbers, runMarket } from './market.js';
import { createTrader, histogramOf, type Trader, UnknownFill } from './trader.js';

const HELP = `
Usage: npx tsx examples/bot/main.ts [options]

Watches a standard pool and trades in it, until Ctrl-C or after --trades.

  --mint ADDRESS   the token (default: LIGHT)
  --config NUMBER  the config version of its pool: 1 or 2 (default: 2)
  --size SOL       what each buy spends (default: 0.5)
  --dip PERCENT    buys when the price is so much under its highest (default: 1)
  --rise PERCENT   sells when it is so much over that of the buy (default: 1)
  --stop PERCENT   sells when it is so much under that of the buy (default: 5)
  --slippage BPS   basis points (default: 50)
  --trades NUMBER  ends after so many; 0 goes on for ever (default: 4)
  --seed NUMBER    of the market on the embedded ledger (default: 7)
  --minutes NUMBER ends after so many minutes of the cluster's time; 0 does not (default: 0)
  --node-faults    on the embedded ledger: a node that limits requests and falls behind, and outages in which the price moves
  --faults         these, and loses answers, transactions and connections, and moves the price before trades`;

/** A snapshot older than this is no longer a price. */
const MOST_SECONDS_BEHIND = 20n;
/** Micro-lamports per compute unit: the most that trades pay for priority, and what they pay if the node suggests nothing. */
const MOST_PRIORITY = 40_000_000n;
/** How long until what could not be done is tried again. */
const RETRY_MS = 1_000;
/** This many equal failures in a row won't pass by themselves. */
const MOST_EQUAL_FAILURES = 5;

interface Position {
  readonly tokens: bigint;
  readonly price: Price;
}

/** A price as two integers, SOL and tokens: comparisons are exact. */
type Price = Pick<FetchedPoolSnapshot, 'reserveA' | 'reserveB'>;

/** How far a price is from another, in basis points, rounded towards zero. */
const changeBps = (from: Price, to: Price): bigint =>
  ((to.reserveB * from.reserveA - from.reserveB * to.reserveA) * 10_000n) / (from.reserveB * to.reserveA);

run(async () => {
  const options = readOptions(HELP, {
    mint: { type: 'string', default: 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' },
    config: { type: 'string', default: '2' },
    size: { type: 'string', default: '0.5' },
    dip: { type: 'string', default: '1' },
    rise: { type: 'string', default: '1' },
    stop: { type: 'string', default: '5' },
    slippage: { type: 'string', default: '50' },
    trades: { type: 'string', default: '4' },
    seed: { type: 'string', default: '7' },
    minutes: { type: 'string', default: '0' },
    'node-faults': { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
  });
  if (options === undefined) return;
  const locator = {
    mint: addressOf('mint', options.mint),
    configVersion: wholeNumber('config', options.config, 1, 2),
  };
  const rule = {
    dip: basisPoints('dip', options.dip),
    rise: basisPoints('rise', options.rise),
    stop: basisPoints('stop', options.stop),
  };
  const slippageBps = wholeNumber('slippage', options.slippage, 0, 10_000);
  const most = wholeNumber('trades', options.trades);
  const seed = wholeNumber('seed', options.seed);
  const minutes = wholeNumber('minutes', options.minutes);
  if (!/^\d+(\.\d{1,9})?$/.test(options.size))
    throw new UsageError(`--size must be SOL, and not ${options.size}`);
  if ((options.faults || options['node-faults']) && options.rpc !== undefined)
    throw new UsageError('--faults and --node-faults are for the embedded ledger');

  const faults = options.faults ? createFaults(seed) : undefined;
  const nodeFaults = options.faults || options['node-faults'] ? createNodeFaults(seed) : undefined;
  const cluster = await connect({
    ...options,
    through: (transport, ledger) => {
      const landing = landingLater(transport);
      const nodes = nodeFaults?.through(landing) ?? landing;
      return faults?.through(nodes, ledger) ?? nodes;
    },
  });
  const putBack = cluster.ledger && runOnLedgerTime(cluster.ledger, randomNumbers(seed + 2));
  const stop = new AbortController();
  const { signal } = stop;
  process.once('SIGINT', () => stop.abort());

  console.log(
    `${cluster.ledger ? 'On the embedded ledger, with a made-up market' : cluster.isSending ? 'On a cluster, with real money' : 'On a cluster, on paper: nothing is signed or sent'}.`,
  );
  console.log(
    `Buys ${options.size} SOL at ${percent(Number(rule.dip))} under the top, sells ${percent(Number(rule.rise))} over the buy; slippage ${percent(slippageBps)}.`,
  );

  const watch = watchPool(cluster.client, locator, {
    abortSignal: signal,
    observe: (event) => {
      if (event.type === 'disconnected') console.log(`      no connection: ${event.error.message}`);
      if (event.type === 'live') console.log(`      connected at slot ${event.slot}`);
      if (event.type === 'reread-failed') console.log(`      can't read the pool: ${event.error.message}`);
    },
  });
  const size = toNativeAmount(options.size, 9, 'size');
  const all = [trade(cluster, watch, { ...rule, size, slippageBps, most, minutes, faults, signal })];
  const { ledger } = cluster;
  const onLarge = () => void (ledger && nodeFaults?.breakOff(ledger));
  if (ledger) all.push(runMarket(ledger, locator, { seed, onLarge, signal }));
  await Promise.all(all.map((each) => each.finally(() => stop.abort()))).finally(putBack);
  for (const [what, times] of Object.entries({ ...faults?.counts, ...nodeFaults?.counts }))
    console.log(`  fault: ${what} ${times}`);
});

/** A percentage from the command line, in basis points. */
function basisPoints(name: string, text: string): bigint {
  if (/^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) > 0) return BigInt(Math.round(Number(text) * 100));
  throw new UsageError(`--${name} must be a percentage such as 1.5, and not ${text}`);
}

async function trade(
  cluster: Cluster,
  watch: PoolWatch,
  rule: {
    readonly dip: bigint;
    readonly rise: bigint;
    readonly stop: bigint;
    readonly size: bigint;
    readonly slippageBps: number;
    readonly most: number;
    readonly minutes: number;
    readonly faults: ReturnType<typeof createFaults> | undefined;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  let top: Price | undefined;
  let position: Position | undefined;
  let book: Book | undefined;
  let failure = { reason: '', times: 0 };
  /** Whether something could not be done on the last snapshot, and is tried again. */
  let isWaiting = false;
  // A slow loop gets the newest snapshot, and skips those that arrive while a trade is sent.
  for await (const snapshot of persistently(watch, () => isWaiting, rule.signal)) {
    isWaiting = true;
    try {
      book ??= await openBook(cluster, snapshot, rule);
    } catch (error) {
      if (!(await isPassing(error, rule.signal))) throw error;
      continue;
    }
    if (rule.minutes > 0 && snapshot.unixTimestamp - book.openedAt >= BigInt(rule.minutes * 60)) break;
    if (top === undefined || changeBps(top, snapshot) > 0n) top = snapshot;
    const side =
      position === undefined
        ? changeBps(top, snapshot) <= -rule.dip && 'buy'
        : isOver(changeBps(position.price, snapshot), rule) && 'sell';
    isWaiting = side !== false;
    if (!side || !isFresh(cluster, snapshot)) continue;
    try {
      // Fees and the window of a sandwich-resistant pool go by the slot in which the trade lands.
      const landing = { ...snapshot, slot: (watch.latest ?? snapshot).slot + SLOTS_TO_LAND };
      const { tokens } = await execute(cluster, book, landing, rule, side, position?.tokens ?? 0n);
      position = side === 'buy' ? { tokens, price: snapshot } : undefined;
      top = undefined;
      isWaiting = false;
      failure = { reason: '', times: 0 };
    } catch (error) {
      if (!(await isPassing(error, rule.signal))) throw error;
      const reason = inWords(error);
      failure = { reason, times: reason === failure.reason ? failure.times + 1 : 1 };
      if (failure.times === MOST_EQUAL_FAILURES)
        throw new Error(`The same failure ${failure.times} times in a row: ${reason}`);
      continue;
    }
    if (book.trades === rule.most) break;
  }
  if (book !== undefined) await closeBook(cluster, book, rule.faults !== undefined);
}

/** What a watch yields, and its newest snapshot every second while the caller waits. One that isn't live yields once it is. */
async function* persistently(watch: PoolWatch, isWaiting: () => boolean, signal: AbortSignal) {
  for await (const snapshot of watch) {
    yield snapshot;
    while (isWaiting()) {
      await delay(RETRY_MS, signal);
      if (!watch.isLive || watch.latest === undefined) break;
      yield watch.latest;
    }
  }
}

/** Whether a change since the buy ends a position. */
const isOver = (change: bigint, { rise, stop }: { readonly rise: bigint; readonly stop: bigint }) =>
  change >= rise || change <= -stop;

/** Whether the chain's clock is near ours: a node that answers can still be far behind. */
const isFresh = ({ ledger }: Cluster, { unixTimestamp }: FetchedPoolSnapshot) =>
  ledger !== undefined || BigInt(Math.floor(Date.now() / 1000)) - unixTimestamp < MOST_SECONDS_BEHIND;

/** The wallet can't pay for the trade, and waiting won't change that. */
class LackOfFunds extends Error {}

/** Reports an error, and returns whether to continue. */
async function isPassing(error: unknown, signal: AbortSignal): Promise<boolean> {
  if (error instanceof LackOfFunds || error instanceof UnknownFill) return false;
  if (!isHeavenError(error)) {
    // From kit or the cluster: a missed minimum, an expired block hash, a node that is down.
    console.log(`      not traded: ${inWords(error)}`);
    return true;
  }
  switch (error.code) {
    case 'rpc-rate-limited':
      console.log('      the node wants a pause');
      await delay((error.context.retryAfterSeconds ?? 5) * 1000, signal);
      return true;
    case 'rpc-failed':
    case 'rpc-timeout':
    case 'rpc-behind':
    case 'lifetime-stale':
    case 'operation-disabled':
    case 'pool-not-open':
    case 'insufficient-liquidity':
      console.log(`      not traded: ${error.message}`);
      return true;
    default:
      // Anything else won't pass by itself.
      return false;
  }
}

// ---------------------------------------------------------------- one trade

/** What was traded, and what the wallet held at the start. */
interface Book {
  /** Unix seconds, by the cluster's clock. */
  readonly openedAt: bigint;
  readonly mint: Address;
  readonly decimals: number;
  /** Executes trades, unless the bot only trades on paper. */
  readonly trader: Trader | undefined;
  readonly lifetime: KeptLifetime;
  readonly start: Awaited<ReturnType<typeof balancesOf>>;
  trades: number;
  failures: number;
  spent: bigint;
  earned: bigint;
  bought: bigint;
  sold: bigint;
  fees: bigint;
}

async function openBook(
  cluster: Cluster,
  snapshot: FetchedPoolSnapshot,
  { slippageBps, faults, signal }: Pick<Parameters<typeof trade>[2], 'slippageBps' | 'faults' | 'signal'>,
): Promise<Book> {
  const { client, wallet } = cluster;
  const { addresses, token, unixTimestamp: openedAt } = snapshot;
  const { mint, pool } = addresses;
  const start = await balancesOf(client, wallet, mint);
  // A fee that was recently enough for most transactions that write to this pool.
  const { suggested } = await suggestPriorityFee(client, [pool], { percentile: 75 });
  const price = suggested?.microLamports ?? MOST_PRIORITY;
  const computeUnitPrice = price < MOST_PRIORITY ? price : MOST_PRIORITY;
  const lifetime = await keepLifetime(client, { abortSignal: signal });
  // With faults, failures must reach a block and cost their fee.
  const submit = { skipPreflight: faults !== undefined };
  const options = { slippageBps, computeUnitPrice, lifetime, submit };
  const trader = cluster.isSending ? await createTrader(cluster, snapshot, options) : undefined;
  faults?.trouble(pool);
  const cells = ['#', 'side', 'in', 'out', 'SOL per million', 'impact', 'pool fees', 'network fee'];
  console.log(bold(`\n${line(cells)}`));
  const sums = { trades: 0, failures: 0, spent: 0n, earned: 0n, bought: 0n, sold: 0n, fees: 0n };
  return { openedAt, mint, decimals: token.decimals, trader, lifetime, start, ...sums };
}

async function execute(
  cluster: Cluster,
  book: Book,
  snapshot: FetchedPoolSnapshot,
  { size, slippageBps }: { readonly size: bigint; readonly slippageBps: number },
  side: 'buy' | 'sell',
  tokens: bigint,
): Promise<{ readonly tokens: bigint }> {
  const { decimals, trader } = book;
  const amount = side === 'buy' ? size : tokens;
  const { fill, networkFee, ...quote } =
    trader === undefined
      ? await onPaper(cluster, snapshot, slippageBps, side, amount)
      : await onChain(cluster, book, trader, snapshot, side, amount);
  book.trades += 1;
  book.fees += networkFee;
  if (side === 'buy') {
    book.spent += fill.amountIn;
    book.bought += fill.amountOut;
  } else {
    book.sold += fill.amountIn;
    book.earned += fill.amountOut;
  }
  const [amountIn, arrived] =
    side === 'buy'
      ? [sol(fill.amountIn), ui(fill.amountOut, decimals)]
      : [ui(fill.amountIn, decimals), sol(fill.amountOut)];
  const cells = [
    String(book.trades),
    side,
    amountIn,
    arrived,
    ((Number(snapshot.reserveB) / Number(snapshot.reserveA)) * 10 ** (decimals - 3)).toFixed(6),
    percent(quote.priceImpactBps),
    sol(quote.totalFee),
    sol(networkFee),
  ];
  console.log(side === 'buy' ? green(line(cells)) : red(line(cells)));
  return { tokens: fill.amountOut };
}

/** What a trade would return now. */
async function onPaper(
  { client }: Cluster,
  snapshot: FetchedPoolSnapshot,
  slippageBps: number,
  side: 'buy' | 'sell',
  amount: bigint,
) {
  const terms = {
    configVersion: snapshot.configVersion,
    mint: snapshot.addresses.mint,
    slippageBps,
    snapshot,
  };
  const { details } =
    side === 'buy'
      ? await quoteBuy(client, { ...terms, lamports: amount })
      : await quoteSell(client, { ...terms, amountIn: amount });
  return { ...details, fill: details, networkFee: 0n };
}

async function onChain(
  { client, wallet }: Cluster,
  book: Book,
  trader: Trader,
  snapshot: FetchedPoolSnapshot,
  side: 'buy' | 'sell',
  amount: bigint,
) {
  const done = await trader.execute(side, snapshot, amount);
  if (done.status === 'landed') return { ...done.quote, fill: done.fill, networkFee: done.networkFee };
  book.failures += 1;
  book.fees += done.networkFee;
  if (done.status === 'failed' && side === 'buy') {
    const { sol: held } = await balancesOf(client, wallet, book.mint);
    if (held < amount)
      throw new LackOfFunds(`The wallet holds ${sol(held)}, and the buy takes ${sol(amount)}.`);
  }
  throw new Error(done.reason);
}

const WIDTHS = [3, 4, 20, 20, 15, 7, 15, 15];
const line = (cells: readonly string[]) =>
  cells.map((cell, column) => cell.padStart(WIDTHS[column] ?? 0)).join('  ');

async function closeBook({ client, wallet, calls }: Cluster, book: Book, mayFail: boolean): Promise<void> {
  const { start, trades, failures, spent, earned, bought, sold, fees, trader, decimals, lifetime } = book;
  lifetime.stop();
  console.log(`\n${trades} trades, ${failures} that failed or expired; ${calls()} calls to the node in all.`);
  if (trader === undefined) return;
  for (const row of histogramOf(trader.latencies)) console.log(row);
  const end = await insistently(() => balancesOf(client, wallet, book.mint), mayFail);
  const rows = [
    ['at the start', start.sol],
    ['bought for', -spent],
    ['sold for', earned],
    ['network fees', -fees],
    ['rent of the token account', start.rent - end.rent],
    ['at the end', end.sol],
  ] as const;
  for (const [what, amount] of rows) console.log(`  ${what.padEnd(26)}${sol(amount).padStart(24)}`);
  console.log(`  ${'tokens left'.padEnd(26)}${ui(end.tokens - start.tokens, decimals).padStart(20)}`);
  const missing = end.sol - (start.sol - spent + earned - fees + start.rent - end.rent);
  const missingTokens = end.tokens - (start.tokens + bought - sold);
  if (missing !== 0n || missingTokens !== 0n)
    throw new Error(`The books are off by ${missing} lamports and ${missingTokens} token units.`);
  console.log('  The books balance to the lamport.');
}

/** Retries a read until it succeeds. */
async function insistently<T>(read: () => Promise<T>, mayFail: boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!mayFail || attempt === 20) throw error;
    }
  }
}
