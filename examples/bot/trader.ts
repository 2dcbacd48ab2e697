// One trade of the bot: quoted on the current snapshot, written into a prepared transaction, signed, and followed to its end.
import { KeyObject } from 'node:crypto';
import type { Signature } from '@solana/kit';
import {
  buildBuy,
  buildSell,
  computeBuy,
  computeSell,
  type FetchedPoolSnapshot,
  inspectTransaction,
  type KeptLifetime,
  minimumAfterSlippage,
  parseTransaction,
  prepareTrade,
  quoteBuy,
  quoteSell,
  type SubmitOptions,
  type SwapResult,
  submitUntilCertain,
  toSwapState,
} from 'heaven-pools';
import { signPreparedSync } from 'heaven-pools/node';
import type { Cluster } from '../common.js';
import { delay } from './ledger-time.js';

/** What a trade moved, as the transaction's own record proves. */
export interface Fill {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** How a trade ended. A failed one can have cost its network fee. */
export type Execution =
  | {
      readonly status: 'landed';
      readonly fill: Fill;
      readonly quote: SwapResult;
      readonly networkFee: bigint;
    }
  | { readonly status: 'failed' | 'expired'; readonly reason: string; readonly networkFee: bigint };

export interface TraderOptions {
  readonly slippageBps: number;
  readonly computeUnitPrice: bigint;
  readonly lifetime: KeptLifetime;
  readonly submit: Pick<SubmitOptions, 'skipPreflight'>;
}

export type Trader = Awaited<ReturnType<typeof createTrader>>;

/** A trade has landed, but no node says what it moved, so the books can't be right. */
export class UnknownFill extends Error {}

/** How often to ask for the record of a transaction that has landed. */
const MOST_QUESTIONS = 100;
const QUESTION_MS = 100;

/** Prepares a buy and a sell. `execute` then makes no call to the node until the transaction is signed. */
export async function createTrader(
  { client, rpc, signer }: Cluster,
  snapshot: FetchedPoolSnapshot,
  { slippageBps, computeUnitPrice, lifetime, submit }: TraderOptions,
) {
  if (signer === undefined) throw new Error('A trader needs the key of its wallet.');
  const { configVersion, addresses, reserveA, reserveB } = snapshot;
  const terms = { configVersion, mint: addresses.mint, slippageBps, snapshot };
  const common = {
    payer: signer.address,
    snapshot,
    computeUnitPrice,
    lifetime: lifetime.current,
  };
  // Any amounts: each trade writes its own.
  const [bought, sold] = await Promise.all([
    quoteBuy(client, { ...terms, lamports: reserveB / 10_000n }),
    quoteSell(client, { ...terms, amountIn: reserveA / 10_000n }),
  ]);
  const [builtBuy, builtSell] = await Promise.all([
    buildBuy(client, { ...common, quoteResponse: bought }),
    buildSell(client, { ...common, quoteResponse: sold }),
  ]);
  const [buy, sell] = [prepareTrade(client, builtBuy), prepareTrade(client, builtSell)];
  const [buyFee, sellFee] = await Promise.all(
    [buy, sell].map(async ({ tx }) => (await inspectTransaction(tx)).fees.total),
  );
  const key = KeyObject.from(signer.keyPair.privateKey);
  /** Milliseconds from the decision to the signed bytes. */
  const latencies: number[] = [];

  /** What the trade moved, and what the network took for it: what the transaction's own record proves. */
  const fillOf = async (signature: Signature): Promise<Fill & { readonly fee: bigint }> => {
    for (let question = 1; question <= MOST_QUESTIONS; question += 1) {
      const record = await rpc
        .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 })
        .send()
        .catch(() => null);
      const { trades = [], fee } = record?.meta ? parseTransaction(record) : {};
      const [{ amountIn, amountOut } = {}] = trades;
      if (amountIn !== undefined && amountOut !== undefined && fee !== undefined)
        return { amountIn, amountOut, fee };
      await delay(QUESTION_MS);
    }
    throw new UnknownFill(`No node says what ${signature} did. Look for it before you trade again.`);
  };

  const execute = async (
    side: 'buy' | 'sell',
    now: FetchedPoolSnapshot,
    amount: bigint,
  ): Promise<Execution> => {
    const began = process.hrtime.bigint();
    const quote = (side === 'buy' ? computeBuy : computeSell)(toSwapState(now), amount);
    const minimumOut = minimumAfterSlippage(quote.amountOut, slippageBps);
    const { current } = lifetime;
    const unsigned = (side === 'buy' ? buy : sell).patch({ amount, minimumOut, lifetime: current });
    const { bytes } = signPreparedSync(unsigned, key);
    latencies.push(Number(process.hrtime.bigint() - began) / 1e6);

    const fee = (side === 'buy' ? buyFee : sellFee) as bigint;
    const result = await submitUntilCertain(client, bytes, { ...current, ...submit });
    if (result.status === 'expired') return { status: 'expired', reason: 'it expired', networkFee: 0n };
    if (result.status === 'failed') {
      // Rejected by every node, it was never in a block.
      const networkFee = result.slot === undefined ? 0n : fee;
      return { status: 'failed', reason: result.error.message, networkFee };
    }
    const { fee: networkFee, ...fill } = await fillOf(result.signature);
    return { status: 'landed', fill, quote, networkFee };
  };
  return { execute, latencies };
}

/** A histogram of milliseconds in powers of two, a line each, and the quantiles that matter. */
export function histogramOf(latencies: readonly number[]): readonly string[] {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const counts = new Map<number, number>();
  for (const ms of sorted) {
    const bucket = Math.max(-4, Math.ceil(Math.log2(Math.max(ms, 1e-6))));
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const rows = [...counts].map(([bucket, count]) => {
    const bar = '#'.repeat(Math.ceil((40 * count) / sorted.length));
    return `  up to ${String(2 ** bucket).padStart(7)} ms ${String(count).padStart(5)}  ${bar}`;
  });
  return [
    `From the decision to signed bytes: median ${at(0.5).toFixed(3)} ms, 99th percentile ${at(0.99).toFixed(3)} ms`,
    ...rows,
  ];
}
