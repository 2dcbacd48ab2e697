import { computeBuy, computeSell } from '../math/swap.js';
import { candidatesOf } from '../pool/addresses.js';
import type { PoolSnapshot } from '../pool/decode.js';
import { tradableStateOf } from '../pool/quote.js';
import { fetchPool } from '../pool/read.js';
import type { HeavenClient } from '../program/client.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { assertProtects } from '../transaction/quote-response.js';
import type { QuotedTrade } from './schemas/compare.js';

// Loaded only by remote clients that have a node: see `tsup.config.ts`.

/** Rejects a quote whose minimum protects less than its slippage does at the state that a node reports, and returns its token. */
export async function assertProtectsNow(
  node: HeavenClient,
  { isBuy, amountIn, minimumOut, slippageBps, ...locator }: QuotedTrade,
  options: RequestOptions,
): Promise<PoolSnapshot['token']> {
  const { snapshot } = await fetchPool(node, candidatesOf(locator), options);
  const { amountOut } = (isBuy ? computeBuy : computeSell)(tradableStateOf(snapshot), amountIn);
  assertProtects('minimumOut', { minimumOut, amountOut }, slippageBps);
  return snapshot.token;
}
