import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { type GivenSnapshot, givenOrFetched } from '../pool/given-snapshot.js';
import { assertSellInput, type DetailedSellQuote, type SellAmount, sellQuoteFrom } from '../pool/quote.js';

/** A sell in a standard pool to quote. */
export interface QuoteSellInput extends SellAmount, GivenSnapshot, RequestOptions {
  /** 1 community, 2 creator. */
  readonly configVersion: number;
  readonly mint: Address;
}

/**
 * Quotes a sell in a standard pool: what `amountInUi` tokens give at the state of the chain now, and the least that must
 * arrive. One call to the node, none with a `snapshot` at hand.
 *
 * @throws {HeavenError} `invalid-amount`, `zero-amount`, `too-many-decimals`, `amount-out-of-range`,
 * `invalid-slippage`, `swap-disabled`, `pool-not-open`, `insufficient-liquidity`, `fees-exceed-amount`,
 * `output-is-zero`, `quote-mismatch` (a snapshot of another pool), and those of {@link fetchPoolSnapshot}
 * @example
 * ```ts
 * const quote = await quoteSell(client, { configVersion: 2, mint, amountInUi: '250000', slippageBps: 50 });
 * ```
 */
export async function quoteSell(client: HeavenClient, input: QuoteSellInput): Promise<DetailedSellQuote> {
  assertSellInput(input);
  const { configVersion, mint, abortSignal } = input;
  const snapshot = await givenOrFetched(client, {
    configVersion,
    mint,
    snapshot: input.snapshot,
    abortSignal,
  });
  return sellQuoteFrom(snapshot, input);
}
