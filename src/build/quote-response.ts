import type { Address } from '@solana/kit';

import { HeavenError } from '../errors.js';
import {
  assertFields,
  assertPositiveU64,
  assertU64,
  describe,
  type FieldsOf,
  invalidInput,
} from '../input.js';
import { slippageOf } from '../math/slippage.js';
import { toUiAmount } from '../math/units.js';
import { assertSame } from '../pool/given-snapshot.js';
import { type BuyQuote, type SellQuote, SOL_DECIMALS } from '../pool/quote.js';
import { assertConfigVersion } from '../program/addresses.js';
import { assertAddress } from '../solana/addresses.js';

const PATH = 'quoteResponse';

/** Every field that buy and sell quotes share. */
const QUOTE_FIELDS = {
  configVersion: 1,
  mint: 1,
  programId: 1,
  slippageBps: 1,
  minimumOut: 1,
  minimumOutUi: 1,
  details: 1,
} as const satisfies FieldsOf<Pick<BuyQuote, keyof BuyQuote & keyof SellQuote>>;

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

/**
 * Checks a buy quote that came back from a caller: its shape, its program, and that the amounts a person saw are the
 * amounts that will move.
 */
export function assertBuyQuote(quote: BuyQuote, programAddress: Address): BuyQuote {
  assertQuote(quote, 'buy', programAddress);
  assertFields(quote, PATH, { ...QUOTE_FIELDS, maxLamportSpend: 1, maxSolSpend: 1 });
  assertPositiveU64(quote.maxLamportSpend, `${PATH}.maxLamportSpend`);
  assertShownAmount('maxSolSpend', quote.maxLamportSpend, SOL_DECIMALS, quote.maxSolSpend);
  return quote;
}

/** {@link assertBuyQuote} for a sell quote. */
export function assertSellQuote(quote: SellQuote, programAddress: Address): SellQuote {
  assertQuote(quote, 'sell', programAddress);
  assertFields(quote, PATH, { ...QUOTE_FIELDS, amountIn: 1, amountInUi: 1 });
  assertPositiveU64(quote.amountIn, `${PATH}.amountIn`);
  assertShownAmount('minimumOutUi', quote.minimumOut, SOL_DECIMALS, quote.minimumOutUi);
  return quote;
}

function assertQuote(quote: BuyQuote | SellQuote, side: 'buy' | 'sell', programAddress: Address): void {
  if (typeof quote !== 'object' || quote === null) throw invalidInput(PATH, quote, `a ${side} quote`);
  const actual = 'maxLamportSpend' in quote ? 'buy' : 'amountIn' in quote ? 'sell' : side;
  if (actual !== side) {
    throw new HeavenError(
      'quote-mismatch',
      `${PATH} is a ${actual} quote, but this builds a ${side}. Quote the ${side}.`,
      { field: PATH, asked: side, found: actual },
    );
  }
  assertAddress(quote.programId, `${PATH}.programId`);
  assertSame(`${PATH}.programId`, programAddress, quote.programId);
  assertAddress(quote.mint, `${PATH}.mint`);
  assertConfigVersion(quote.configVersion, `${PATH}.configVersion`);
  assertU64(quote.minimumOut, `${PATH}.minimumOut`);
  slippageOf(quote.slippageBps, `${PATH}.slippageBps`);
  const pool = quote.details?.pool ?? undefined;
  if (pool !== undefined) assertAddress(pool, `${PATH}.details.pool`);
}

/** Rejects a quote that names another pool than it is used for. */
export function assertQuotedPool({ details }: BuyQuote | SellQuote, pool: Address): void {
  const quoted = details?.pool ?? undefined;
  if (quoted !== undefined) assertSame(`${PATH}.details.pool`, pool, quoted);
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
