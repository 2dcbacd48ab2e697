// A bot: watches a pool, quotes each change here, buys what has fallen and sells it when it has risen. It shows how a bot is
// put together; the rule is no advice.
import { setTimeout as delay } from 'node:timers/promises';
import type { Address, KeyPairSigner } from '@solana/kit';
import {
  type BuiltTransaction,
  buildBuy,
  buildSell,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  type FetchedPoolSnapshot,
  inspectTransaction,
  isHeavenError,
  type PoolWatch,
  quoteBuy,
  quoteSell,
  simulate,
  suggestPriorityFee,
  toUiAmount,
  watchPool,
} from 'heaven-pools';
import { findAssociatedTokenAddress } from 'heaven-pools/program';
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
  send,
  sol,
  UsageError,
  ui,
  wholeNumber,
} from '../common.js';
import { runMarket } from './market.js';

const HELP = `
Usage: npx tsx examples/bot/main.ts [options]

Watches a standard pool and trades in it, until Ctrl-C or after --trades.

  --mint ADDRESS   the token (default: LIGHT)
  --config NUMBER  the config version of its pool: 1 or 2 (default: 2)
  --size SOL       what each buy spends (default: 0.5)
  --dip PERCENT    buys when the price is so much under its highest (default: 1)
  --rise PERCENT   sells when it is so much over that of the buy (default: 1)
  --slippage BPS   basis points (default: 50)
  --trades NUMBER  ends after so many; 0 goes on for ever (default: 4)
  --seed NUMBER    of the market on the embedded ledger (default: 7)
  --outage NUMBER  breaks the connection after so many trades of that market (default: 0, never)`;

/** So old a snapshot is no price any more. */
const MOST_SECONDS_BEHIND = 20n;
/** Micro-lamports per compute unit: what trades pay for priority at most, and where the node knows nothing better. */
const MOST_PRIORITY = 40_000_000n;
/** So many slots pass until a transaction lands. */
const SLOTS_TO_LAND = 2n;
/** So many failures that are the same, one after the other, don't pass by themselves. */
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
    slippage: { type: 'string', default: '50' },
    trades: { type: 'string', default: '4' },
    seed: { type: 'string', default: '7' },
    outage: { type: 'string', default: '0' },
  });
  if (options === undefined) return;
  const locator = {
    mint: addressOf('mint', options.mint),
    configVersion: wholeNumber('config', options.config, 1, 2),
  };
  const rule = { dip: basisPoints('dip', options.dip), rise: basisPoints('rise', options.rise) };
  const slippageBps = wholeNumber('slippage', options.slippage, 0, 10_000);
  const most = wholeNumber('trades', options.trades);
  const market = { seed: wholeNumber('seed', options.seed), outage: wholeNumber('outage', options.outage) };
  if (!/^\d+(\.\d{1,9})?$/.test(options.size))
    throw new UsageError(`--size must be SOL, and not ${options.size}`);

  const cluster = await connect(options);
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
      if (event.type === 'reread') console.log(`      connected at slot ${event.slot}`);
      if (event.type === 'reread-failed') console.log(`      can't read the pool: ${event.error.message}`);
    },
  });
  const all = [trade(cluster, watch, { ...rule, size: options.size, slippageBps, most, signal })];
  if (cluster.ledger) all.push(runMarket(cluster.ledger, locator, { ...market, signal }));
  await Promise.all(all.map((each) => each.finally(() => stop.abort())));
});

/** A percentage of the command line in basis points. */
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
    readonly size: string;
    readonly slippageBps: number;
    readonly most: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  let top: Price | undefined;
  let position: Position | undefined;
  let book: Book | undefined;
  let failure = { reason: '', times: 0 };
  // A slow loop gets the newest snapshot, not all of them: what comes while a trade is sent is skipped.
  for await (const snapshot of watch) {
    book ??= await openBook(cluster, snapshot);
    if (top === undefined || changeBps(top, snapshot) > 0n) top = snapshot;
    const side =
      position === undefined
        ? changeBps(top, snapshot) <= -rule.dip && 'buy'
        : changeBps(position.price, snapshot) >= rule.rise && 'sell';
    if (!side) continue;
    // What is not kept up to date is no price: the connection may be lost since.
    if (!watch.isLive || !isFresh(cluster, snapshot)) continue;
    try {
      // Fees and the window of a sandwich-resistant pool go by the slot in which the trade lands.
      const landing = { ...snapshot, slot: (watch.latest ?? snapshot).slot + SLOTS_TO_LAND };
      const { tokens } = await execute(cluster, book, landing, rule, side, position?.tokens ?? 0n);
      position = side === 'buy' ? { tokens, price: snapshot } : undefined;
      top = undefined;
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
  if (book !== undefined) await closeBook(cluster, book);
}

/** Whether the chain's clock is near ours: a node can answer, and be far behind. */
const isFresh = ({ ledger }: Cluster, { unixTimestamp }: FetchedPoolSnapshot) =>
  ledger !== undefined || BigInt(Math.floor(Date.now() / 1000)) - unixTimestamp < MOST_SECONDS_BEHIND;

/** The wallet can't pay for the trade, and will not by waiting. */
class LackOfFunds extends Error {}

/** Tells what went wrong, and whether to go on. */
async function isPassing(error: unknown, signal: AbortSignal): Promise<boolean> {
  if (error instanceof LackOfFunds) return false;
  if (!isHeavenError(error)) {
    // Of kit, or of the cluster: a minimum that was not reached, a block hash that was over, a node that is away.
    console.log(`      not traded: ${inWords(error)}`);
    return true;
  }
  switch (error.code) {
    case 'rpc-rate-limited':
      console.log('      the node wants a pause');
      await delay((error.context.retryAfterSeconds ?? 5) * 1000, undefined, { signal }).catch(
        () => undefined,
      );
      return true;
    case 'rpc-failed':
    case 'rpc-timeout':
    case 'rpc-behind':
    case 'swap-disabled':
    case 'pool-not-open':
    case 'insufficient-liquidity':
      console.log(`      not traded: ${error.message}`);
      return true;
    default:
      // Anything else will not pass by itself.
      return false;
  }
}

// ---------------------------------------------------------------- one trade

/** What was traded, and what the wallet held at the beginning and holds now. */
interface Book {
  readonly tokenAccount: Address;
  readonly decimals: number;
  readonly computeUnitPrice: bigint;
  readonly start: Awaited<ReturnType<typeof balancesOf>>;
  now: Awaited<ReturnType<typeof balancesOf>>;
  trades: number;
  spent: bigint;
  earned: bigint;
  fees: bigint;
  readonly buildCalls: number[];
}

async function openBook(
  { client, rpc, wallet }: Cluster,
  { addresses, token }: FetchedPoolSnapshot,
): Promise<Book> {
  const { mint, tokenProgram } = addresses;
  const tokenAccount = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
  const start = await balancesOf(rpc, wallet, tokenAccount);
  // What was enough lately for most transactions that write to this pool.
  const { suggested } = await suggestPriorityFee(client, [addresses.pool], { percentile: 75 });
  const price = suggested?.microLamports ?? MOST_PRIORITY;
  const computeUnitPrice = price < MOST_PRIORITY ? price : MOST_PRIORITY;
  const cells = ['#', 'side', 'in', 'out', 'SOL per million', 'impact', 'pool fees', 'network fee', 'units'];
  console.log(bold(`\n${line(cells)}`));
  const sums = { trades: 0, spent: 0n, earned: 0n, fees: 0n };
  return {
    tokenAccount,
    decimals: token.decimals,
    computeUnitPrice,
    start,
    now: start,
    ...sums,
    buildCalls: [],
  };
}

async function execute(
  cluster: Cluster,
  book: Book,
  snapshot: FetchedPoolSnapshot,
  { size, slippageBps }: { readonly size: string; readonly slippageBps: number },
  side: 'buy' | 'sell',
  tokens: bigint,
): Promise<{ readonly tokens: bigint }> {
  const { client, rpc, wallet, signer } = cluster;
  const { decimals, computeUnitPrice } = book;
  const { configVersion, addresses } = snapshot;
  const terms = { configVersion, mint: addresses.mint, slippageBps, snapshot };
  const common = { payer: wallet, snapshot, computeUnitPrice, encodedUserDefinedEventData: '' };

  // With a snapshot at hand the quote needs no node, and the transaction nothing but a block hash.
  const before = cluster.calls();
  let quote: DetailedBuyQuote | DetailedSellQuote;
  let built: BuiltTransaction;
  if (side === 'buy') {
    const bought = await quoteBuy(client, { ...terms, maxSolSpend: size });
    built = await buildBuy(client, { ...common, quoteResponse: bought });
    quote = bought;
  } else {
    const sold = await quoteSell(client, { ...terms, amountInUi: toUiAmount(tokens, decimals) });
    built = await buildSell(client, { ...common, quoteResponse: sold });
    quote = sold;
  }
  book.buildCalls.push(cluster.calls() - before);

  const simulation = await simulate(client, built, { quote });
  const { fees } = await inspectTransaction(built.tx);
  let { amountOut } = quote.details;
  if (cluster.isSending) {
    if (!simulation.ok) {
      const { sol: held } = await balancesOf(rpc, wallet, book.tokenAccount);
      const needed = fees.total + (side === 'buy' ? quote.details.amountIn : 0n);
      if (held < needed)
        throw new LackOfFunds(`The wallet holds ${sol(held)}, and the ${side} takes ${sol(needed)}.`);
      throw new Error(simulation.error.message);
    }
    await send(cluster, built, [signer as KeyPairSigner]);
    const now = await balancesOf(rpc, wallet, book.tokenAccount);
    // What has arrived, by the balances: the pool may have moved since the quote.
    amountOut = side === 'buy' ? now.tokens - book.now.tokens : now.sol - book.now.sol + fees.total;
    book.now = now;
  }
  book.trades += 1;
  book.fees += fees.total;
  if (side === 'buy') book.spent += quote.details.amountIn;
  else book.earned += amountOut;

  const [amountIn, arrived] =
    side === 'buy'
      ? [sol(quote.details.amountIn), ui(amountOut, decimals)]
      : [ui(quote.details.amountIn, decimals), sol(amountOut)];
  const cells = [
    String(book.trades),
    side,
    amountIn,
    arrived,
    (quote.details.priceBefore * 1e6).toFixed(6),
    percent(quote.details.priceImpactBps),
    sol(quote.details.totalFee),
    sol(fees.total),
    simulation.ok ? String(simulation.computeUnits) : '-',
  ];
  console.log(side === 'buy' ? green(line(cells)) : red(line(cells)));
  if (!cluster.isSending && !simulation.ok) console.log(`      ${simulation.error.message}`);
  return { tokens: amountOut };
}

const WIDTHS = [3, 4, 20, 20, 15, 7, 15, 15, 6];
const line = (cells: readonly string[]) =>
  cells.map((cell, column) => cell.padStart(WIDTHS[column] ?? 0)).join('  ');

async function closeBook({ rpc, wallet, isSending, calls }: Cluster, book: Book): Promise<void> {
  const { start, trades, spent, earned, fees, buildCalls, decimals } = book;
  console.log(
    `\n${trades} trades; to quote and build each took ${Math.max(0, ...buildCalls)} call to the node (the block hash). ${calls()} calls in all.`,
  );
  if (!isSending) return;
  const end = await balancesOf(rpc, wallet, book.tokenAccount);
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
}
