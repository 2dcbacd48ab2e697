import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { describe, invalidInput } from '../base/input.js';
import { toUiAmount } from '../math/units.js';
import { type BuyQuote, type SellQuote, SOL_DECIMALS } from '../pool/quote.js';
import { assertUsedFor } from '../pool/read.js';

const PATH = 'quoteResponse';

/** Rejects what is not a quote, or a quote of the other side. */
export function assertSide(quote: unknown, side: 'buy' | 'sell', field: string): void {
  if (typeof quote !== 'object' || quote === null) throw invalidInput(field, quote, `a ${side} quote`);
  const found = 'maxLamportSpend' in quote ? 'buy' : 'amountIn' in quote ? 'sell' : side;
  if (found === side) return;
  throw new HeavenError(
    'quote-mismatch',
    `${field} is a ${found} quote, but this builds a ${side}. Quote the ${side}.`,
    { field, asked: side, found },
  );
}

/** Rejects a buy quote for another program, and one whose SOL, which a person saw, is not its lamports. */
export function assertBuyQuote(quote: BuyQuote, programAddress: Address): BuyQuote {
  assertUsedFor(`${PATH}.programId`, programAddress, quote.programId);
  assertShownAmount('maxSolSpend', quote.maxLamportSpend, SOL_DECIMALS, quote.maxSolSpend);
  return quote;
}

/** {@link assertBuyQuote} for a sell quote. */
export function assertSellQuote(quote: SellQuote, programAddress: Address): SellQuote {
  assertUsedFor(`${PATH}.programId`, programAddress, quote.programId);
  assertShownAmount('minimumOutUi', quote.minimumOut, SOL_DECIMALS, quote.minimumOutUi);
  return quote;
}

/** Rejects a quote that names another pool than it is used for. */
export function assertQuotedPool({ details }: BuyQuote | SellQuote, pool: Address): void {
  const quoted = details?.pool ?? undefined;
  if (quoted !== undefined) assertUsedFor(`${PATH}.details.pool`, pool, quoted);
}

/** Rejects a quote whose UI amount of tokens is not its native amount. */
export function assertShownTokens(quote: BuyQuote | SellQuote, decimals: number): void {
  if ('amountIn' in quote) assertShownAmount('amountInUi', quote.amountIn, decimals, quote.amountInUi);
  else assertShownAmount('minimumOutUi', quote.minimumOut, decimals, quote.minimumOutUi);
}

function assertShownAmount(field: string, native: bigint, decimals: number, shown: number): void {
  const exact = toUiAmount(native, decimals);
  const expected = Number(exact);
  if (shown === expected) return;
  throw new HeavenError(
    'quote-mismatch',
    `${PATH}.${field} is ${describe(shown)}, but its native amount ${native} is ${exact}. Pass the quote on as it was returned.`,
    { field: `${PATH}.${field}`, asked: expected, found: shown },
  );
}
