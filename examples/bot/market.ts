// A market for the embedded ledger: somebody else buys and sells. The same seed gives the same trades.
import {
  buildBuy,
  buildSell,
  createHeavenClient,
  fetchPoolSnapshot,
  type PoolLocator,
  quoteBuy,
  quoteSell,
  toUiAmount,
} from 'heaven-pools';
import { findAssociatedTokenAddress } from 'heaven-pools/program';
import type { EmbeddedLedger } from 'heaven-pools/testing';
import { keyOf } from '../common.js';
import { delay } from './ledger-time.js';

/** Numbers from 0 to 1 that look random (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often somebody trades. */
const MOVE_MS = 3_000;
/** The number of trades in each wave of falling and rising prices. */
const WAVE = 5;
/** After each so many trades, the price moves by 10 %, up and down in turn. The market is quiet before, and until everyone has heard of it. */
const LARGE = { every: 20, percent: 10n, beforeMs: 1_000, afterMs: 8_000 };

/** Trades until the signal fires. `onLarge` is called one second before each large move. */
export async function runMarket(
  ledger: EmbeddedLedger,
  locator: PoolLocator,
  {
    seed,
    onLarge,
    signal,
  }: { readonly seed: number; readonly onLarge?: () => void; readonly signal: AbortSignal },
): Promise<void> {
  // Its own client: its calls are not the bot's.
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { address: payer } = await keyOf(2);
  const { addresses, token, reserveA, reserveB } = await fetchPoolSnapshot(client, locator);
  const { mint, tokenProgram } = addresses;
  ledger.setBalance(payer, reserveB);
  ledger.setTokenAccount(
    await findAssociatedTokenAddress({ owner: payer, mint, tokenProgram }),
    tokenProgram,
    {
      mint,
      owner: payer,
      amount: reserveA,
    },
  );
  const random = randomNumbers(seed);
  for (let move = 1; !signal.aborted; move += 1) {
    await delay(MOVE_MS, signal);
    if (signal.aborted) return;
    const snapshot = await fetchPoolSnapshot(client, locator);
    const thousandths = BigInt(2 + Math.floor(random() * 7));
    const isBuy = Math.floor(move / WAVE) % 2 === 1;
    const terms = { ...locator, snapshot, slippageBps: 50 };
    const common = { payer, snapshot };
    const built = isBuy
      ? await buildBuy(client, {
          ...common,
          quoteResponse: await quoteBuy(client, {
            ...terms,
            maxSolSpend: toUiAmount((snapshot.reserveB * thousandths) / 1000n, 9),
          }),
        })
      : await buildSell(client, {
          ...common,
          quoteResponse: await quoteSell(client, {
            ...terms,
            amountInUi: toUiAmount((snapshot.reserveA * thousandths) / 1000n, token.decimals),
          }),
        });
    await ledger.execute(built.tx);
    if (move % LARGE.every > 0) continue;
    onLarge?.();
    await delay(LARGE.beforeMs, signal);
    const [over, under] = [100n + LARGE.percent, 100n];
    const [times, parts] = (move / LARGE.every) % 2 === 1 ? [over, under] : [under, over];
    ledger.updatePool(addresses.pool, ({ reserve }) => ({
      reserve: { ...reserve, tokenB: (reserve.tokenB * times) / parts },
    }));
    await delay(LARGE.afterMs, signal);
  }
}
