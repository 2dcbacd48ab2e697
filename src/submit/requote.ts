import { HeavenError } from '../base/errors.js';
import { assertHas, assertObject, assertU64, invalidInput } from '../base/input.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../pool/quote.js';
import type { HeavenClient, HeavenSubmitRpc } from '../program/client.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { assertBuilt, signable } from '../transaction/built.js';
import { assertSide, quoteMismatch } from '../transaction/quote-response.js';
import type { BuiltTrade } from '../transaction/trade.js';
import { otherChange } from './rebuilt.js';
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
   * Asked if the new quote is worse than the one that the user saw: its minimum is lower, or it takes more. Show both. Asked again, with
   * `changed`, if what was built from it differs in more than the trade's amounts: in its priority fee, its tip or other instructions. Only
   * `true` goes on. If an answer took longer than `maxAge`, the quote is made once more.
   */
  accept(shown: TQuote, fresh: TQuote, changed?: ChangedBuild<TBuilt>): boolean | Promise<boolean>;
}

/** A trade that was built again, and differs in more than its amounts. */
export interface ChangedBuild<TBuilt extends BuiltTrade = BuiltTrade> {
  readonly shown: TBuilt;
  readonly fresh: TBuilt;
  /** The first difference. */
  readonly error: HeavenError<'transaction-mismatch'>;
}

/** What to sign, and the new quote that it is made from, if there is one. With `declined`, what the user saw. */
export type Renewed =
  | { readonly built: BuiltTrade; readonly quote?: TradeQuote; readonly declined?: undefined }
  | { readonly built: BuiltTrade; readonly quote: TradeQuote; readonly declined: DeclinedError };

/** How what was declined is worse. */
export type DeclinedError = HeavenError<'quote-mismatch'> | HeavenError<'transaction-mismatch'>;

/** Makes an old quote again and builds from it. If it is worse, or the transaction differs in other things, the caller decides. */
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
  const terms = termsOf(first, 'requote.quote');
  assertHas(built, 'settings', 'built', 'what a builder of trades returned, whole');
  assertBuiltFrom(terms, built, 'built');
  let shown = { quote: first, terms, built };
  let slot = await slotNow();
  // A slot far ahead is as wrong as an old one: a service may name any.
  let isOld = terms.slot === undefined || slot - terms.slot > maxAge || terms.slot - slot > maxAge;
  while (isOld) {
    isOld = false;
    const quote = await requote.quoteAgain(options);
    const fresh = termsOf(quote, 'requote.quoteAgain');
    for (const name of ['side', 'mint'] as const)
      if (fresh[name] !== terms[name])
        throw quoteMismatch(`requote.quoteAgain.${name}`, terms[name], fresh[name]);
    const isAccepted = async (...changed: readonly [] | readonly [ChangedBuild]) => {
      if ((await requote.accept(shown.quote, quote, ...changed)) !== true) return false;
      const askedAt = slot;
      slot = await slotNow();
      isOld = slot - askedAt > maxAge;
      return true;
    };
    const isWorse = fresh.minimumOut < shown.terms.minimumOut || fresh.amountIn > shown.terms.amountIn;
    if (isWorse && !(await isAccepted())) return { built, quote, declined: declined(shown.terms, fresh) };
    const seen = shown;
    shown = { ...shown, quote, terms: fresh };
    if (isOld) continue;
    const rebuilt = asSigned(await requote.buildAgain(quote, options));
    assertBuiltFrom(fresh, rebuilt, 'requote.buildAgain');
    if (rebuilt.payer !== built.payer)
      throw quoteMismatch('requote.buildAgain.payer', built.payer, rebuilt.payer);
    const error = await otherChange(seen.built, rebuilt, client.deployment);
    if (error && !(await isAccepted({ shown: seen.built, fresh: rebuilt, error })))
      return { built, quote, declined: error };
    shown = { quote, terms: fresh, built: rebuilt };
  }
  return shown.quote === first ? { built } : { built: shown.built, quote: shown.quote };
}

/** The transaction that would be signed, whatever else the object says of it. */
function asSigned(rebuilt: BuiltTrade): BuiltTrade {
  assertBuilt(rebuilt);
  return { ...rebuilt, ...signable(rebuilt.transaction) };
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
