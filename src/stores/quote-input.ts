import type { AnyHeavenError } from '../errors.js';
import { inputError, invalidInput } from '../input.js';
import { invalidAmount } from '../math/units.js';
import type { PoolLocator } from '../pool/locate.js';
import { assertPoolKind } from '../pool/mismatch.js';
import { buyQuoteFrom, type DetailedBuyQuote, type DetailedSellQuote, sellQuoteFrom } from '../pool/quote.js';
import {
  assertSellInput,
  type BuyAmount,
  type ExactOutAmount,
  lamportsToSpend,
  type SellAmount,
} from '../pool/quote-amounts.js';
import { assertExactOutInput, buyExactOutQuoteFrom, sellExactOutQuoteFrom } from '../pool/quote-exact-out.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { assertConfigVersion } from '../program/addresses.js';
import { assertAddress } from '../solana/addresses.js';
import { shownError } from './fresh.js';

/** A trade for a {@link QuoteStore}: in a pro pool if `pool` is given, else in the standard pool of the mint. */
export type QuoteStoreInput = PoolLocator &
  (
    | ({ readonly side: 'buy' } & (BuyAmount | ExactOutAmount))
    | ({ readonly side: 'sell' } & (SellAmount | ExactOutAmount))
  );

/** A quote, and the input that it answers. Told apart by `side`. */
export type LiveQuote = {
  readonly input: QuoteStoreInput;
  /** The pool as it was for the quote: its token's decimals, its price. */
  readonly snapshot: FetchedPoolSnapshot;
} & (
  | { readonly side: 'buy'; readonly quote: DetailedBuyQuote }
  | { readonly side: 'sell'; readonly quote: DetailedSellQuote }
);

/** What an input asks for, as far as it can be read. */
export interface ReadInput {
  /** The pool, unless the input doesn't name one. */
  readonly locator: PoolLocator | undefined;
  /** What the quote is for besides its amount and terms: a quote for another subject isn't shown in its place. */
  readonly subject: string;
  /** How to quote it; an error; or nothing yet, while there is no amount. */
  readonly ask: ((snapshot: FetchedPoolSnapshot) => LiveQuote) | undefined;
  readonly error: AnyHeavenError | undefined;
}

/** No amount yet: nothing, zero, or digits that end in a point. */
const UNFINISHED = /^\s*(?:0*(?:\.0*)?|\d+\.)\s*$/;

const AMOUNTS = {
  buy: ['lamports', 'maxSolSpend', 'amountOut', 'amountOutUi'],
  sell: ['amountIn', 'amountInUi', 'amountOut', 'amountOutUi'],
} as const;

const NOTHING: ReadInput = { locator: undefined, subject: '', ask: undefined, error: undefined };

/** Reads what a page gives. It never throws. */
export function readInput(given: QuoteStoreInput | undefined | null): ReadInput {
  if (given === undefined || given === null) return NOTHING;
  let known = NOTHING;
  try {
    if (typeof given !== 'object') throw invalidInput('input', given, 'what to quote, or undefined');
    // The caller may go on to change it.
    const input = { ...given };
    const { side, configVersion, mint } = input;
    const pool = input.pool ?? undefined;
    assertConfigVersion(configVersion, 'configVersion');
    assertAddress(mint, 'mint');
    if (pool !== undefined) assertAddress(pool, 'pool');
    if (side !== 'buy' && side !== 'sell') throw invalidInput('side', side, "'buy' or 'sell'");
    known = {
      ...NOTHING,
      locator: { configVersion, mint, pool },
      subject: `${side} ${configVersion} ${mint} ${pool ?? ''}`,
    };
    return { ...known, ask: askFor(input) };
  } catch (error) {
    return { ...known, error: shownError(error) };
  }
}

/** How to quote an input; nothing while there is no amount. */
function askFor(input: QuoteStoreInput): ReadInput['ask'] {
  const fields = input as unknown as Readonly<Record<string, unknown>>;
  const [field, second] = AMOUNTS[input.side].filter((name) => (fields[name] ?? undefined) !== undefined);
  if (field === undefined) return undefined;
  if (second !== undefined)
    throw inputError(field, `Both ${field} and ${second} are given. Give one amount.`, fields[field]);
  const amount = fields[field];
  if (typeof amount === 'string') {
    if (UNFINISHED.test(amount)) return undefined;
    // In a field, an exponent is a slip.
    if (/e/i.test(amount)) throw invalidAmount(field, amount);
  }
  const isExactOut = field.startsWith('amountOut');
  const kind = (input.pool ?? undefined) === undefined ? 'standard' : 'pro';
  if (isExactOut) assertExactOutInput(input as ExactOutAmount);
  if (input.side === 'buy') {
    const lamports = isExactOut ? 0n : lamportsToSpend(input as BuyAmount);
    return (snapshot) => {
      assertPoolKind(kind, snapshot.kind);
      const quote = isExactOut
        ? buyExactOutQuoteFrom(snapshot, input as ExactOutAmount)
        : buyQuoteFrom(snapshot, lamports, input);
      return { side: 'buy', quote, input, snapshot };
    };
  }
  if (!isExactOut) assertSellInput(input as SellAmount);
  return (snapshot) => {
    assertPoolKind(kind, snapshot.kind);
    const quote = isExactOut
      ? sellExactOutQuoteFrom(snapshot, input as ExactOutAmount)
      : sellQuoteFrom(snapshot, input as SellAmount);
    return { side: 'sell', quote, input, snapshot };
  };
}
