// Buys with a tip, through a bundle for Jito's block engine, and follows the trade until its outcome is certain. Without --rpc it
// runs on the embedded ledger, against a stand-in that loses the first bundle.
import { address, isAddress, signTransaction } from '@solana/kit';
import { buildBuy, quoteBuy, simulate, submitUntilCertain, type TransactionSender } from 'heaven-pools';

import { addressOf, connect, inWords, readOptions, run, sol, UsageError, wholeNumber } from '../common.js';
import { startBlockEngine } from './stand-in/jito.js';

const HELP = `
Usage: npx tsx examples/recipes/jito-bundle.ts [options]

  --jito URL       the block engine, with --rpc (default: https://mainnet.block-engine.jito.wtf/api/v1/bundles)
  --mint ADDRESS   the token to buy
  --config NUMBER  the version of its pool's config (default: 1)
  --sol AMOUNT     what to spend (default: 0.1)
  --tip LAMPORTS   1000 at least (default: 10000)`;
const JITO = 'https://mainnet.block-engine.jito.wtf/api/v1/bundles';
/** One of Jito's eight. Ask for them: the stand-in has only this one. */
const TIP_ACCOUNT = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');

type Statuses = { value: readonly { status?: string; confirmation_status?: string }[] } | null;

/** The block engine's methods. What one throws proves nothing: the bundle may be under way. */
const blockEngine =
  (url: string) =>
  async <T>(method: string, params: readonly unknown[], signal = AbortSignal.timeout(5_000)): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    // 429: more requests than Jito allows in a second.
    if (!response.ok) throw new Error(`${method}: HTTP ${response.status}`);
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };

run(async () => {
  const options = readOptions(HELP, {
    jito: { type: 'string', default: JITO },
    mint: { type: 'string' },
    config: { type: 'string', default: '1' },
    sol: { type: 'string', default: '0.1' },
    tip: { type: 'string', default: '10000' },
  });
  if (options === undefined) return;
  const lamports = BigInt(wholeNumber('tip', options.tip, 1_000));
  const cluster = await connect(options);
  const { client, ledger, signer, wallet } = cluster;
  if (ledger === undefined && options.mint === undefined) throw new UsageError('--rpc needs --mint');
  const mint = ledger?.pools.community.mint ?? addressOf('mint', options.mint as string);
  const engine = ledger && (await startBlockEngine(ledger, [TIP_ACCOUNT]));
  const ask = blockEngine(engine?.url ?? options.jito);

  // Any of the accounts: the fewer trades write the same one, the less they wait for each other.
  const accounts = (await ask<readonly string[]>('getTipAccounts', [])).filter(isAddress);
  const to = accounts[Math.floor(Math.random() * accounts.length)];
  if (to === undefined) throw new Error('The block engine named no tip account.');

  const terms = { configVersion: wholeNumber('config', options.config, 1, 2), mint, slippageBps: 100 };
  const quoteResponse = await quoteBuy(client, { ...terms, maxSolSpend: options.sol });
  const built = await buildBuy(client, {
    payer: wallet,
    quoteResponse,
    tip: { to, lamports },
    dontFront: true,
  });
  // The block engine takes a transaction that would fail, and nothing else simulates it.
  const simulation = await simulate(client, built);
  if (!simulation.ok) throw new Error(`Not sent, the trade would fail: ${simulation.error.message}`);
  console.log(`simulated: ${sol(simulation.sol.change)} with fees, rent and a tip to ${to}`);
  if (!cluster.isSending || signer === undefined) {
    console.log('Nothing was sent. With --keypair PATH --send it would be.');
    return;
  }
  const signed = await signTransaction([signer.keyPair], built.transaction);

  const bundles = new Set<string>();
  const send: TransactionSender = async (tx, { abortSignal }) => {
    const id = await ask<string>('sendBundle', [[tx], { encoding: 'base64' }], abortSignal);
    bundles.add(id);
    console.log(`sent as bundle ${id}`);
  };
  const result = await submitUntilCertain(client, signed, {
    ...built.lifetime,
    send,
    observe: (event) => {
      if (event.type === 'sender-failed')
        console.log(`no answer (${String(event.error)}): the same bytes go out again`);
      if (event.type === 'outcome-unknown') console.error(event.error.message);
    },
  });
  if (result.status === 'landed') {
    const bought = result.trades?.[0]?.amountOut ?? 'unknown';
    console.log(`landed in slot ${result.slot}: bought ${bought} units, tipped ${lamports} lamports`);
  } else if (result.status === 'failed')
    console.log(`failed: the fee is paid, and no tip. ${result.error.message}`);
  else console.log('expired: nothing was traded or paid, and no longer can be. Quote and sign again.');

  // What the block engine says is no more than a hint: `Failed` and `Invalid` don't mean that a bundle can't land any more.
  for (const id of bundles) {
    try {
      const inFlight = await ask<Statuses>('getInflightBundleStatuses', [[id]]);
      const landed = await ask<Statuses>('getBundleStatuses', [[id]]);
      const { confirmation_status = 'not landed' } = landed?.value[0] ?? {};
      console.log(`Jito's statuses: ${inFlight?.value[0]?.status ?? 'unknown'}, ${confirmation_status}`);
    } catch (error) {
      console.log(`Jito does not say what became of the bundle: ${inWords(error)}`);
    }
  }
  if (engine) console.log(`sent ${engine.sent.length} times, ${new Set(engine.sent).size} transaction`);
  engine?.stop();
});
