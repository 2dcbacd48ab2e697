// Several wallets trade one pool from one process, on the embedded ledger: one watch of the pool and one block hash serve all of
// them. A wallet's trades wait for each other: it signs nothing before the outcome of its last transaction is certain.
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, getBase64Encoder, type KeyPairSigner, type Signature } from '@solana/kit';
import { getTokenDecoder } from '@solana-program/token';
import * as heaven from 'heaven-pools';
import { findAssociatedTokenAddress } from 'heaven-pools/program';
import { createEmbeddedLedger } from 'heaven-pools/testing';

import { keyOf, run } from '../common.js';

interface Wallet {
  readonly name: string;
  readonly signer: KeyPairSigner;
  readonly tokenAccount: Address;
  readonly prepared: Readonly<Record<'buy' | 'sell', heaven.PreparedTrade>>;
  readonly sent: Set<Signature>;
  /** Its trades, one after the other. */
  queue: Promise<void>;
  /** Its books: lamports, with the rent of its token account, and token units. */
  lamports: bigint;
  tokens: bigint;
}
const SLIPPAGE_BPS = 500;
/** Left in each wallet, for fees and rent. */
const RESERVE_LAMPORTS = 30_000_000n;

run(async () => {
  const ledger = await createEmbeddedLedger();
  const { rpc, rpcSubscriptions } = ledger;
  const client = heaven.createHeavenClient({ rpc, rpcSubscriptions });
  const { mint, configVersion, tokenProgram } = ledger.pools.community;
  const clock = setInterval(() => ledger.setSlot(ledger.slot + 1n), 200);
  const ending = new AbortController();
  const watch = heaven.watchPool(client, { configVersion, mint }, { abortSignal: ending.signal });
  const lifetime = await heaven.keepLifetime(client, { refreshEveryMs: 200 });

  /** The snapshot that all wallets quote on, once it is up to date. */
  async function snapshotNow(): Promise<heaven.FetchedPoolSnapshot> {
    while (!watch.isLive || watch.latest === undefined) await pause(50, undefined, { signal: ending.signal });
    return watch.latest;
  }

  async function createWallet(number: number): Promise<Wallet> {
    const signer = await keyOf(number);
    ledger.setBalance(signer.address, 1_000_000_000n);
    const tokenAccount = await findAssociatedTokenAddress({ owner: signer.address, mint, tokenProgram });
    const snapshot = await snapshotNow();
    const terms = { configVersion, mint, snapshot, slippageBps: SLIPPAGE_BPS };
    const common = { payer: signer, snapshot, lifetime: lifetime.current };
    // Any amounts: each trade writes its own.
    const bought = await heaven.quoteBuy(client, { ...terms, lamports: 10_000_000n });
    const sold = await heaven.quoteSell(client, { ...terms, amountIn: bought.minimumOut });
    const [buy, sell] = await Promise.all([
      heaven.buildBuy(client, { ...common, quoteResponse: bought }),
      heaven.buildSell(client, { ...common, quoteResponse: sold }),
    ]);
    const prepared = { buy: heaven.prepareTrade(client, buy), sell: heaven.prepareTrade(client, sell) };
    const own = { sent: new Set<Signature>(), queue: Promise.resolve(), lamports: 0n, tokens: 0n };
    return { name: `wallet ${number}`, signer, tokenAccount, prepared, ...own };
  }

  /** What the wallets hold, in one call: up to 50 wallets. Lamports include the token account's. */
  async function readBalances(wallets: readonly Wallet[]) {
    const addresses = wallets.flatMap(({ signer, tokenAccount }) => [signer.address, tokenAccount]);
    const config = { encoding: 'base64', commitment: 'confirmed' } as const;
    const { value } = await rpc.getMultipleAccounts(addresses, config).send();
    return wallets.map((_, index) => {
      const [own, account] = value.slice(2 * index);
      const data = account && getBase64Encoder().encode(account.data[0]);
      const tokens = data ? getTokenDecoder().decode(data).amount : 0n;
      return { lamports: (own?.lamports ?? 0n) + (account?.lamports ?? 0n), tokens };
    });
  }

  async function sign({ signer, prepared, sent }: Wallet, side: 'buy' | 'sell', amount: bigint) {
    const compute = side === 'buy' ? heaven.computeBuy : heaven.computeSell;
    for (;;) {
      const { amountOut } = compute(heaven.toSwapState(await snapshotNow()), amount);
      const { current } = lifetime;
      const minimumOut = heaven.minimumAfterSlippage(amountOut, SLIPPAGE_BPS);
      const unsigned = prepared[side].patch({ amount, minimumOut, lifetime: current });
      const { bytes, signature } = await heaven.signPrepared(unsigned, signer);
      // With the same block hash and amounts it would be the same transaction, which runs once. Wait for another block hash.
      if (!sent.has(signature)) {
        sent.add(signature);
        return { bytes, options: current };
      }
      await pause(100);
    }
  }

  /** Trades after the wallet's earlier trades. What is left then decides: nothing is spent twice. */
  function trade(wallet: Wallet, side: 'buy' | 'sell', amountOf: () => bigint): Promise<void> {
    wallet.queue = wallet.queue.then(async () => {
      const amount = amountOf();
      const available = side === 'buy' ? wallet.lamports - RESERVE_LAMPORTS : wallet.tokens;
      if (amount <= 0n || amount > available)
        return console.log(`${wallet.name}: no ${side} of ${amount}, ${available} are left`);
      const { bytes, options } = await sign(wallet, side, amount);
      const result = await heaven.submitUntilCertain(client, bytes, options);
      console.log(`${wallet.name}: ${side} of ${amount} ${result.status}`);
      if (result.status === 'expired' || result.slot === undefined) return;
      // What failed in a block paid its fee too.
      wallet.lamports -= (await heaven.inspectTransaction(wallet.prepared[side].tx)).fees.total as bigint;
      if (result.status === 'failed') return;
      const { amountIn, amountOut } = result.trades?.[0] ?? {};
      if (amountIn === undefined || amountOut === undefined)
        throw new Error(`The node has no record of ${result.signature}, so the books can't be right.`);
      wallet.lamports += side === 'buy' ? -amountIn : amountOut;
      wallet.tokens += side === 'buy' ? amountOut : -amountIn;
    });
    return wallet.queue;
  }

  async function tradeAll() {
    const wallets = await Promise.all([1, 2, 3].map(createWallet));
    const before = await readBalances(wallets);
    for (const [index, wallet] of wallets.entries()) Object.assign(wallet, before[index]);
    const plans = wallets.map((wallet) =>
      Promise.all([
        trade(wallet, 'buy', () => 500_000_000n),
        trade(wallet, 'buy', () => 500_000_000n),
        trade(wallet, 'sell', () => wallet.tokens / 2n),
      ]),
    );
    await Promise.all(plans);
    const after = await readBalances(wallets);
    for (const [index, { name, lamports, tokens }] of wallets.entries()) {
      const held = after[index]!;
      const books = `${lamports} lamports and ${tokens} units`;
      if (held.lamports !== lamports || held.tokens !== tokens)
        throw new Error(`${name} holds ${held.lamports} and ${held.tokens}, and its books say ${books}`);
      console.log(`${name}: ${books}, as booked`);
    }
  }

  let changes = 0;
  async function keepWatching() {
    for await (const _snapshot of watch) changes += 1;
  }

  const trading = tradeAll().finally(() => {
    ending.abort();
    lifetime.stop();
    clearInterval(clock);
  });
  await Promise.all([trading, keepWatching()]);
  console.log(`One watch saw the pool change ${changes} times.`);
});
