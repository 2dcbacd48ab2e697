import { toSnakeCase } from '../base/case.js';
import { inputError, invalidInput } from '../base/input.js';
import { parseJson, stringifyJson } from '../base/json.js';
import type { Field } from '../input/field.js';
import { object, u64 } from '../input/fields.js';
import { buyQuoteFields, quoteDetails as passedOn, sellQuoteFields } from '../input/transactions.js';
import type { BuyQuote, SellQuote } from '../pool/quote.js';
import { assertShownSol, assertSide } from '../transaction/quote-response.js';
import { sdkPath } from './names.js';
import { exactAmounts, exactly, NATIVE, type ReceivedQuote } from './rounded-quote.js';
import { given, markedWarnings, quoteDetails, type RemoteResult } from './schemas/details.js';
import { decode, decoderOf, encode } from './schemas/json.js';

/** A quote that was read from JSON. Pass it to the matching builder. */
export type DecodedQuote = RemoteResult<'quoteBuy'> | RemoteResult<'quoteSell'>;

const QUOTE = 'quote';
const details = () =>
  given({
    ...passedOn(),
    ...quoteDetails(),
    // Of an exact-out quote, which no path returns.
    leastAmountIn: u64(),
    warnings: markedWarnings(),
  });
const FIELDS = {
  buy: () => object({ ...buyQuoteFields(), ...details() }),
  sell: () => object({ ...sellQuoteFields(), ...details() }),
} as const;

/**
 * Writes a quote as the JSON of the HTTP interface, with all digits of its amounts: to store it, or to hand it to another process, a tool
 * or a service. `JSON.stringify` can't write a `bigint`, and JSON itself can't tell one from a number.
 *
 * @param quote From a quote function of the SDK or of a remote client.
 * @returns JSON text. Amounts over 2^53 are also in `details.exact`, as strings.
 * @throws {HeavenError} `invalid-input` and the codes of amounts, for what is not a quote
 * @example
 * ```ts
 * const json = encodeQuote(await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 }));
 * const { tx } = await buildTrade(client, { payer, quote: decodeQuote(json) });
 * ```
 */
export function encodeQuote(quote: BuyQuote | SellQuote): string {
  const side = typeof quote === 'object' && quote !== null && 'amountIn' in quote ? 'sell' : 'buy';
  assertSide(quote, side, QUOTE);
  const field = FIELDS[side]();
  const checked = field.check(quote as never, QUOTE);
  const exact = exactAmounts(checked);
  const more = checked.details || exact ? { details: { ...checked.details, exact } } : {};
  return stringifyJson(encode(field, { ...checked, ...more }, [QUOTE]));
}

/**
 * Reads the JSON of a quote: what {@link encodeQuote} wrote, or a response of the HTTP interface. Checks each field, and that the SOL
 * shown is its lamports. It can't know who wrote the JSON: compare a quote from others with your request, as `createRemoteClient` does,
 * and its transaction with `assertTransactionMatches`.
 *
 * @param json The text. Or an object, as `parseJson` reads it; as `JSON.parse` reads it, amounts over 2^53 must be in `details.exact`.
 * @throws {HeavenError} `invalid-input` and the codes of amounts, naming the field; `quote-mismatch` for amounts that contradict each other
 * @example
 * ```ts
 * const json = encodeQuote(quote);
 * console.log(decodeQuote(json).minimumOut === quote.minimumOut); // true
 * ```
 */
export function decodeQuote(json: string | object): DecodedQuote {
  const parsed = objectIn(json);
  const side = 'amount_in' in parsed ? 'sell' : 'buy';
  if (side === 'buy' && !('max_lamport_spend' in parsed))
    throw inputError(QUOTE, `${QUOTE} is not the JSON of a quote. Pass what encodeQuote or /quote returned.`);
  const field = FIELDS[side]();
  const decoded = decode(decoderOf(field as Field), parsed);
  if ('problems' in decoded) {
    const [problem] = decoded.problems;
    const at = `${QUOTE}.${sdkPath(problem?.path ?? '')}`;
    throw inputError(at, `${at} ${problem?.message}. Pass what encodeQuote or /quote returned.`);
  }
  const quote = withAmounts(field.check(decoded.value as never, QUOTE), json);
  if ('amountIn' in quote) assertShownSol(`${QUOTE}.minimumOutUi`, quote.minimumOut, quote.minimumOutUi);
  else assertShownSol(`${QUOTE}.maxSolSpend`, quote.maxLamportSpend, quote.maxSolSpend);
  return quote;
}

function objectIn(json: string | object): object {
  let parsed: unknown;
  try {
    // Numbers, JsonDecimals and bigints alike.
    parsed = parseJson(typeof json === 'string' ? json : stringifyJson(json));
  } catch (cause) {
    throw inputError(
      QUOTE,
      `${QUOTE} is not valid JSON: ${(cause as Error).message}. Pass it as it was returned.`,
    );
  }
  if (typeof parsed === 'object' && parsed !== null) return parsed;
  throw invalidInput(QUOTE, json, 'the JSON of a quote');
}

type Read = ReturnType<ReturnType<(typeof FIELDS)[keyof typeof FIELDS]>['check']>;

/** The quote with the amounts of `details.exact`, which only JSON has. */
function withAmounts(quote: Read, json: string | object): DecodedQuote {
  const amounts = NATIVE.flatMap((name) => {
    const { [name]: read }: ReceivedQuote = quote;
    if (read === undefined) return [];
    const exact = exactly(quote, name, read, QUOTE);
    const raw: unknown = (json as Readonly<Record<string, unknown>>)[toSnakeCase(name)];
    if (exact === undefined && typeof raw === 'number' && !Number.isSafeInteger(raw))
      throw inputError(
        `${QUOTE}.${name}`,
        `${QUOTE}.${name} is ${raw}, which JSON.parse has rounded. Pass the text, or keep details.exact.`,
      );
    return [[name, exact ?? read] as const];
  });
  const { details: { exact: _, ...details } = {}, ...documented } = quote;
  const more = Object.keys(details).length > 0 ? { details } : {};
  return { ...documented, ...Object.fromEntries(amounts), ...more } as DecodedQuote;
}
