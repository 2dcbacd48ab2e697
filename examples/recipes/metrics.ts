// A bot's metrics for Prometheus: quotes and their time, the outcome of trades, and what was spent, at http://127.0.0.1:PORT/metrics.
// A trade lands, one fails, one expires, and the example reads its own metrics and checks them against the wallet's balance.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildBuy,
  computeBuy,
  fetchPoolSnapshot,
  inspectTransaction,
  keepLifetime,
  minimumAfterSlippage,
  prepareTrade,
  quoteBuy,
  signPrepared,
  submitUntilCertain,
  type TransactionSender,
  toSwapState,
} from 'heaven-pools';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import { balancesOf, connect, run } from '../common.js';

const { PORT = '0' } = process.env;
const registry = new Registry();
const registers = [registry];
collectDefaultMetrics({ register: registry });
const quoteSeconds = new Histogram({
  name: 'bot_quote_seconds',
  help: 'Time to compute a quote. Its count is the number of quotes.',
  buckets: [0.00001, 0.0001, 0.001, 0.01],
  registers,
});
const trades = new Counter({
  name: 'bot_trades_total',
  help: 'Trades by outcome: landed, failed, expired.',
  labelNames: ['outcome'],
  registers,
});
const tradeSeconds = new Histogram({
  name: 'bot_trade_seconds',
  help: 'Time from the first send to a certain outcome.',
  labelNames: ['outcome'],
  buckets: [0.5, 1, 2, 4, 8, 16, 32, 64],
  registers,
});
/** A number holds lamports exactly up to nine million SOL. */
const spent = new Counter({
  name: 'bot_spent_lamports_total',
  help: 'Lamports that left the wallet, by purpose: trade, network (base and priority fee), rent.',
  labelNames: ['for'],
  registers,
});
const snapshotSlot = new Gauge({
  name: 'bot_snapshot_slot',
  help: 'The slot of the newest snapshot.',
  registers,
});

/** Serves the metrics, and 404 elsewhere. */
async function serve(port: number) {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(port, '127.0.0.1').unref(), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics` };
}

run(async () => {
  const { server, url } = await serve(Number(PORT));
  const { client, ledger, signer } = await connect({});
  if (ledger === undefined || signer === undefined)
    throw new Error('This example needs the embedded ledger.');
  const { mint, configVersion } = ledger.pools.community;
  const wallet = signer.address;

  const snapshot = await fetchPoolSnapshot(client, { configVersion, mint });
  const terms = { configVersion, mint, snapshot, slippageBps: 50 };
  const quoteResponse = await quoteBuy(client, { ...terms, lamports: 100_000_000n });
  const built = await buildBuy(client, { payer: wallet, quoteResponse, snapshot });
  const prepared = prepareTrade(client, built);
  const networkFee = (await inspectTransaction(prepared.tx)).fees.total as bigint;
  const lifetime = await keepLifetime(client, { refreshEveryMs: 100 });

  /** Buys, and counts what it took. `minimumOut`: in place of the quote's. */
  async function buy(
    amount: bigint,
    { send, minimumOut }: { send?: TransactionSender; minimumOut?: bigint } = {},
  ) {
    const snapshot = await fetchPoolSnapshot(client, { configVersion, mint }); // or watch.latest of watchPool
    snapshotSlot.set(Number(snapshot.slot));
    const endQuote = quoteSeconds.startTimer();
    const { amountOut } = computeBuy(toSwapState(snapshot), amount);
    endQuote();
    const { current } = lifetime;
    const least = minimumOut ?? minimumAfterSlippage(amountOut, 50);
    const { bytes } = await signPrepared(
      prepared.patch({ amount, minimumOut: least, lifetime: current }),
      signer!,
    );
    const endTrade = tradeSeconds.startTimer();
    const result = await submitUntilCertain(client, bytes, { ...current, send, skipPreflight: true });
    endTrade({ outcome: result.status });
    trades.inc({ outcome: result.status });
    if (result.status === 'landed') spent.inc({ for: 'trade' }, Number(amount));
    // What failed in a block paid its fee too.
    const wasInBlock = result.status !== 'expired' && result.slot !== undefined;
    if (wasInBlock) spent.inc({ for: 'network' }, Number(networkFee));
    console.log(`a trade for ${amount} lamports: ${result.status}`);
  }

  const before = await balancesOf(client, wallet, mint);
  await buy(100_000_000n);
  await buy(200_000_000n, { minimumOut: 2n ** 63n });
  // A service that takes the transaction and does nothing, until its block hash is no longer valid.
  const lose: TransactionSender = async () => ledger.setSlot(ledger.slot + 160n);
  await buy(300_000_000n, { send: lose });
  lifetime.stop();
  const after = await balancesOf(client, wallet, mint);
  spent.inc({ for: 'rent' }, Number(after.rent - before.rent));

  const scraped = await (await fetch(url)).text();
  const lines = scraped.split('\n').filter((line) => /^bot_(trades|spent|\w+_count)/.test(line));
  console.log(lines.join('\n'));
  let counted = 0n;
  for (const line of lines) if (line.startsWith('bot_spent')) counted += BigInt(line.split(' ')[1] ?? '');
  const gone = before.sol - after.sol;
  if (counted !== gone) throw new Error(`${gone} lamports are gone, and the metrics count ${counted}.`);
  console.log(`The wallet holds ${gone} lamports less, as counted.`);
  server.close();
  server.closeAllConnections();
});
