import { HeavenError } from '../base/errors.js';
import { assertU64 } from '../base/input.js';
import type { HeavenClient, HeavenSubmitRpc } from '../client.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../pool/quote.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { assertBuilt, type BuiltTransaction } from '../transaction/assemble.js';
import { assertSide, quoteMismatch } from '../transaction/quote-response.js';
import { readEpoch } from './status.js';

/** A quote of a trade, whose details say which slot it is for. Without details, it counts as old. */
export type TradeQuote = (BuyQuote | SellQuote) & { readonly details?: Partial<QuoteDetails> | undefined };

/** How a quote that the user reads is made again if they take long. */
export interface Requote<
  TQuote extends TradeQuote = TradeQuote,
  TBuilt extends BuiltTransaction = BuiltTransaction,
> {
  /** The quote that the user saw, and `built` was made from. */
  readonly quote: TQuote;
  /** How old it may be, in slots of some 0.4 seconds. */
  readonly maxAge: bigint;
  /** Makes it again, such as with `quoteBuy` and the same input. */
  quoteAgain(options: RequestOptions): Promise<TQuote>;
  /** Builds from the new quote, such as with `buildBuy` and otherwise the same input. */
  buildAgain(quote: TQuote, options: RequestOptions): Promise<TBuilt>;
  /**
   * Asked if the new quote is worse than the one that the user saw: its minimum is lower, or it takes more. Show both; only `true` goes on to
   * the wallet.
   */
  accept(shown: TQuote, fresh: TQuote): boolean | Promise<boolean>;
}

/** What to sign, and the new quote that it is made from, if there is one. A declined quote isn't built. */
export type Renewed<TQuote, TBuilt> =
  | { readonly built: TBuilt; readonly quote?: TQuote; readonly declined?: undefined }
  | { readonly built: TBuilt; readonly quote: TQuote; readonly declined: HeavenError<'quote-mismatch'> };

/** Makes an old quote again and builds from it. If it is worse, the caller decides. */
export async function renew<TQuote extends TradeQuote, TBuilt extends BuiltTransaction>(
  client: HeavenClient<HeavenSubmitRpc>,
  built: TBuilt,
  requote: Requote<TQuote, TBuilt>,
  options: RequestOptions,
): Promise<Renewed<TQuote, TBuilt>> {
  const { maxAge } = requote;
  assertU64(maxAge, 'requote.maxAge');
  const shown = termsOf(requote.quote, 'requote.quote');
  const { absoluteSlot } = await readEpoch(client, { commitment: client.commitment }, options);
  if (shown.slot !== undefined && absoluteSlot - shown.slot <= maxAge) return { built };
  const quote = await requote.quoteAgain(options);
  const fresh = termsOf(quote, 'requote.quoteAgain');
  for (const name of ['side', 'mint'] as const)
    if (fresh[name] !== shown[name])
      throw quoteMismatch(`requote.quoteAgain.${name}`, shown[name], fresh[name]);
  const isWorse = fresh.minimumOut < shown.minimumOut || fresh.most > shown.most;
  if (isWorse && (await requote.accept(requote.quote, quote)) !== true)
    return { built, quote, declined: worse(shown, fresh) };
  const rebuilt = await requote.buildAgain(quote, options);
  assertBuilt(rebuilt);
  return { built: rebuilt, quote };
}

type Terms = ReturnType<typeof termsOf>;

/** What counts of a quote: the least that the user gets, and the most that they give. */
function termsOf(quote: TradeQuote, field: string) {
  const side = typeof quote === 'object' && 'amountIn' in quote ? 'sell' : 'buy';
  assertSide(quote, side, field);
  const { mint, minimumOut, details } = quote;
  const most = 'amountIn' in quote ? quote.amountIn : quote.maxLamportSpend;
  assertU64(minimumOut, `${field}.minimumOut`);
  return { side, mint, minimumOut, most, slot: details?.slot };
}

const worse = (shown: Terms, fresh: Terms) =>
  new HeavenError(
    'quote-mismatch',
    `The price has moved: for at most ${fresh.most} instead of ${shown.most} units, the trade now gives at least ${fresh.minimumOut} instead of ${shown.minimumOut}. Nothing was signed. Show the new quote, and build from it.`,
    { field: 'minimumOut', asked: shown.minimumOut, found: fresh.minimumOut },
  );
