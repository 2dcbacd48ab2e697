// A launch: finds an address for the token, shows what the launch costs and does, signs it, and shows the pool.
import {
  type BuiltLaunch,
  buildCreateStandardLiquidityPool,
  getPoolInfo,
  grindMintAddress,
  type InitialBuyQuote,
  inspectTransaction,
  quoteInitialBuy,
  type Simulation,
  type SuccessfulSimulation,
  toUiAmount,
} from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';
import {
  addressOf,
  bold,
  type Cluster,
  connect,
  preview,
  readOptions,
  run,
  send,
  sol,
  UsageError,
  ui,
} from '../common.js';

const HELP = `
Usage: npx tsx examples/launch/main.ts [options]

Launches a token with an initial purchase, in one transaction. Its metadata is final.

  --name TEXT      up to 32 bytes (default: Example)
  --symbol TEXT    up to 10 bytes (default: EXAMPLE)
  --uri URL        up to 200 bytes (default: https://example.com/token.json)
  --suffix TEXT    what the address ends with: 777 for those on the exchange (default: 7, for a quick try)
  --percent NUMBER of the tokens to buy at once, 0 for none (default: 5)
  --lut ADDRESS    the lookup table (default: the one that launches with config 1 use)`;

/** Community. Config 2 (creator) accepts no launches, as captured. */
const configVersion = 1;

run(async () => {
  const options = readOptions(HELP, {
    name: { type: 'string', default: 'Example' },
    symbol: { type: 'string', default: 'EXAMPLE' },
    uri: { type: 'string', default: 'https://example.com/token.json' },
    suffix: { type: 'string', default: '7' },
    percent: { type: 'string', default: '5' },
    lut: { type: 'string' },
  });
  if (options === undefined) return;
  const { name, symbol, uri, suffix, percent } = options;
  if (!/^\d{1,2}(\.\d+)?$/.test(percent))
    throw new UsageError(`--percent must be a number under 100, and not ${percent}`);
  const cluster = await connect(options);
  const { client, wallet, signer, ledger } = cluster;
  const lutAddress =
    options.lut === undefined ? COMMUNITY_LOOKUP_TABLE_ADDRESS : addressOf('lut', options.lut);
  const isOnPaper = ' on a cluster, on paper: nothing is signed by you or sent';
  console.log(
    `Launching ${symbol}${ledger ? ' on the embedded ledger' : cluster.isSending ? ' on a cluster' : isOnPaper}.`,
  );

  // Check this before the search, which takes a while.
  const purchase = await quoteInitialBuy(client, {
    configVersion,
    initialPurchasePercent: percent,
    slippageBps: 100,
  });
  console.log(
    `${percent} % of the tokens cost ${sol(purchase.details.leastLamports)}, ${sol(purchase.costLamports)} at most; market cap $${purchase.details.marketCapUsd.toFixed(2)} before.`,
  );

  const built = await buildCreateStandardLiquidityPool(client, {
    payer: wallet,
    creator: wallet,
    name,
    symbol,
    uri,
    configVersion,
    initialPurchaseAmount: purchase.tokenAmount,
    maxSolSpend: toUiAmount(purchase.costLamports, 9),
    lutAddress,
    // A function, so that everything else is checked before the search begins.
    mintSigner: ({ abortSignal }) => search(suffix, abortSignal),
  });

  console.log(`\n${bold('What it does')}`);
  const simulation = await preview(cluster, built, { [built.mint]: symbol });
  if (simulation.ok) await showCosts(built, purchase, simulation);
  if (!cluster.isSending || signer === undefined) {
    console.log('\nNothing was sent. With --keypair PATH --send it would be.');
    return;
  }
  if (!simulation.ok) throw new Error('Not sent: the launch would fail.');
  await send(cluster, built, [signer]);
  await showPool(cluster, built, simulation);
});

/** Searches for the mint's address, with a progress bar on a terminal. */
async function search(suffix: string, abortSignal: AbortSignal | undefined) {
  const isTerminal = process.stderr.isTTY === true;
  const started = performance.now();
  let tries = 0;
  const signer = await grindMintAddress({
    suffix,
    abortSignal,
    observe: ({ attempts, expectedAttempts, attemptsPerSecond }) => {
      tries = attempts;
      if (!isTerminal) return;
      // Attempts are independent: the chance of success grows, but the expected time left never changes.
      const chance = 1 - Math.exp(-attempts / expectedAttempts);
      const bar = '#'.repeat(Math.round(chance * 30)).padEnd(30, '.');
      const left = (expectedAttempts / attemptsPerSecond).toFixed(1);
      process.stderr.write(
        `\r[${bar}] ${attempts} tries, ${Math.round(attemptsPerSecond)}/s, some ${left} s to go\u001b[K`,
      );
    },
  });
  if (isTerminal) process.stderr.write('\r\u001b[K');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Found ${signer.address} after ${tries > 0 ? `some ${tries} tries and ` : ''}${seconds} s.`);
  return signer;
}

/** What leaves the wallet, in parts that add up to it. */
async function showCosts(
  { tx }: BuiltLaunch,
  { details }: InitialBuyQuote,
  { sol: change }: SuccessfulSimulation,
): Promise<void> {
  const { fees } = await inspectTransaction(tx);
  const total = -change.change;
  const rows = [
    ['initial purchase', details.leastLamports],
    ['network fee', fees.signatures],
    ['priority fee', fees.priority],
    // Of the mint, its metadata, the token accounts and the pool, and 0.01 SOL for the metadata program.
    ['rent and metadata', total - details.leastLamports - fees.total],
    ['in all', total],
  ] as const;
  console.log(`\n${bold('What it costs')}`);
  for (const [what, lamports] of rows) console.log(`    ${what.padEnd(20)}${sol(lamports).padStart(20)}`);
}

async function showPool(
  { client }: Cluster,
  { mint, pool }: BuiltLaunch,
  simulation: Simulation,
): Promise<void> {
  const info = await getPoolInfo(client, { mint });
  const [tokens] = simulation.ok ? simulation.tokens.filter((token) => token.mint === mint) : [];
  const rows = [
    ['mint', mint],
    ['pool', pool],
    ['yours', `${ui(tokens?.after ?? 0n, 9)} tokens`],
    ['market cap', `$${info.currentMarketCapUsd.toFixed(2)}`],
    ['buy fee now', `${info.currentBuyFeePct} %`],
    ['creator fees', `${info.currentCreatorFeeCollectedSol} SOL so far`],
  ] as const;
  console.log(`\n${bold('The pool')}`);
  for (const [what, value] of rows) console.log(`    ${what.padEnd(16)}${value}`);
}
