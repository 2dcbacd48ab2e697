import { HeavenError } from '../base/errors.js';
import { assertObject, assertU64, invalidInput } from '../base/input.js';
import type { HeavenClient, HeavenSubmitRpc } from '../client.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../pool/quote.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { assertBuilt } from '../transaction/assemble.js';
import { assertSide, quoteMismatch } from '../transaction/quote-response.js';
import type { BuiltTrade } from '../transaction/trade.js';
import { readEpoch } from './status.js';

/** A quote of a trade, whose details say which slot it is for. Without details, it counts as old. */
export type TradeQuote = (BuyQuote | SellQuote) & { readonly details?: Partial<QuoteDetails> | undefined };

/** How a quote that the user reads is made again if they take long. */
export interface Requote<TQuote extends TradeQuote = TradeQuote, TBuilt extends BuiltTrade = BuiltTrade> {
  /** The quote that the user saw, and `built` was made from. */
  readonly quote: TQuote;
  /** How old it may be, in slots of some 0.2 seconds. */
  readonly maxAge: bigint;
  /** Makes it again, such as with `quoteBuy` and the same input. */
  quoteAgain(options: RequestOptions): Promise<TQuote>;
  /** Builds from the new quote, such as with `buildBuy` and otherwise the same input. */
  buildAgain(quote: TQuote, options: RequestOptions): Promise<TBuilt>;
  /**
   * Asked if the new quote is worse than the one that the user saw: its minimum is lower, or it takes more. Show both; only `true` goes on.
   * If that took longer than `maxAge`, the quote is made once more.
   */
  accept(shown: TQuote, fresh: TQuote): boolean | Promise<boolean>;
}

/** What to sign, and the new quote that it is made from, if there is one. A declined quote isn't built. */
export type Renewed =
  | { readonly built: BuiltTrade; readonly quote?: TradeQuote; readonly declined?: undefined }
  | {
      readonly built: BuiltTrade;
      readonly quote: TradeQuote;
      readonly declined: HeavenError<'quote-mismatch'>;
    };

/** Makes an old quote again and builds from it. If it is worse, the caller decides. */
export async function renew(
  client: HeavenClient<HeavenSubmitRpc>,
  built: BuiltTrade,
  requote: Requote,
  options: RequestOptions,
): Promise<Renewed> {
  assertRequote(requote);
  const { quote: first, maxAge } = requote;
  const slotNow = async () =>
    (await readEpoch(client, { commitment: client.commitment }, options)).absoluteSlot;
  let shown = first;
  let terms = termsOf(first, 'requote.quote');
  assertBuiltFrom(terms, built, 'built');
  let slot = await slotNow();
  // A slot far ahead is as wrong as an old one: a service may name any.
  let isOld = terms.slot === undefined || slot - terms.slot > maxAge || terms.slot - slot > maxAge;
  while (isOld) {
    const quote = await requote.quoteAgain(options);
    const fresh = termsOf(quote, 'requote.quoteAgain');
    for (const name of ['side', 'mint'] as const)
      if (fresh[name] !== terms[name])
        throw quoteMismatch(`requote.quoteAgain.${name}`, terms[name], fresh[name]);
    isOld = false;
    if (fresh.minimumOut < terms.minimumOut || fresh.amountIn > terms.amountIn) {
      if ((await requote.accept(shown, quote)) !== true)
        return { built, quote, declined: declined(terms, fresh) };
      const askedAt = slot;
      slot = await slotNow();
      isOld = slot - askedAt > maxAge;
    }
    [shown, terms] = [quote, fresh];
  }
  if (shown === first) return { built };
  const rebuilt = await requote.buildAgain(shown, options);
  assertBuilt(rebuilt);
  assertBuiltFrom(terms, rebuilt, 'requote.buildAgain');
  if (rebuilt.payer !== built.payer)
    throw quoteMismatch('requote.buildAgain.payer', built.payer, rebuilt.payer);
  return { built: rebuilt, quote: shown };
}

function assertRequote(requote: Requote): void {
  assertObject(requote, 'requote');
  for (const name of ['quoteAgain', 'buildAgain', 'accept'] as const)
    if (typeof requote[name] !== 'function')
      throw invalidInput(`requote.${name}`, requote[name], 'a function');
  assertU64(requote.maxAge, 'requote.maxAge');
}

/** What counts of a trade: the most that the user gives, and the least that they get. */
type Terms = Pick<BuiltTrade, 'side' | 'mint' | 'amountIn' | 'minimumOut'>;

function termsOf(quote: TradeQuote, field: string): Terms & { readonly slot: bigint | undefined } {
  const isSell = typeof quote === 'object' && quote !== null && 'amountIn' in quote;
  const side = isSell ? 'sell' : 'buy';
  assertSide(quote, side, field);
  const { mint, minimumOut, details } = quote;
  const amountIn = 'amountIn' in quote ? quote.amountIn : quote.maxLamportSpend;
  assertU64(amountIn, `${field}.${isSell ? 'amountIn' : 'maxLamportSpend'}`);
  assertU64(minimumOut, `${field}.minimumOut`);
  const slot: unknown = details?.slot;
  return { side, mint, amountIn, minimumOut, slot: typeof slot === 'bigint' ? slot : undefined };
}

/** Rejects what was not built from a quote. */
function assertBuiltFrom(terms: Terms, built: Terms, field: string): void {
  for (const name of ['side', 'mint', 'amountIn', 'minimumOut'] as const)
    if (built[name] !== terms[name]) throw quoteMismatch(`${field}.${name}`, terms[name], built[name]);
}

function declined(shown: Terms, fresh: Terms): HeavenError<'quote-mismatch'> {
  const field = fresh.minimumOut < shown.minimumOut ? 'minimumOut' : 'amountIn';
  return new HeavenError(
    'quote-mismatch',
    `The price has moved: for ${fresh.amountIn} instead of ${shown.amountIn} units, the trade now gives at least ${fresh.minimumOut} instead of ${shown.minimumOut}. Nothing was signed. Show the new quote, and build from it.`,
    { field, asked: shown[field], found: fresh[field] },
  );
}
