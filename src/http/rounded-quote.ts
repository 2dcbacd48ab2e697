import { HeavenError } from '../base/errors.js';
import { toUiAmount } from '../math/units.js';
import { decimalsOf } from '../transaction/quote-response.js';

// Restores quotes that went through doubles, as in every JavaScript JSON library: above 2^53, their digits differ from the
// quoted ones. `details.exact` has the quoted amounts. Without it, they are known up to the rounding of a double.

/** The native amounts of a quote, and the UI amounts with the same value. */
const SHOWN_AS = {
  maxLamportSpend: 'maxSolSpend',
  amountIn: 'amountInUi',
  minimumOut: 'minimumOutUi',
} as const;
const NATIVE = Object.keys(SHOWN_AS) as readonly (keyof typeof SHOWN_AS)[];

/** A quote in a request. */
export interface ReceivedQuote {
  readonly maxLamportSpend?: bigint | undefined;
  readonly maxSolSpend?: number | undefined;
  readonly amountIn?: bigint | undefined;
  readonly amountInUi?: number | undefined;
  readonly minimumOut?: bigint | undefined;
  readonly minimumOutUi?: number | undefined;
  readonly details?: { readonly exact?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** An amount that arrived rounded, and the amount that is used instead. */
export interface RoundedAmount {
  readonly field: keyof typeof SHOWN_AS;
  readonly received: bigint;
  readonly used: bigint;
}

/** The integers of a quote that a double may not represent exactly, as text. */
export function exactAmounts(quote: ReceivedQuote): Readonly<Record<string, string>> | undefined {
  const large = NATIVE.flatMap((field) => {
    const value = quote[field];
    return value !== undefined && value > Number.MAX_SAFE_INTEGER ? [[field, String(value)] as const] : [];
  });
  return large.length === 0 ? undefined : Object.fromEntries(large);
}

/**
 * The quote with the quoted amounts from `details.exact`, if it has them. Otherwise an amount as JavaScript prints it becomes the
 * smallest that is printed so, which is not above the quoted one and, under 2^57, at most 16 units too low. Any other is used as
 * it is: nothing shows whether another library has rounded it.
 *
 * @throws {HeavenError} `quote-mismatch` for amounts that don't round to each other
 */
export function withoutRounding<TQuote extends ReceivedQuote>(
  quote: TQuote,
): { readonly quote: TQuote; readonly rounded: readonly RoundedAmount[] } {
  const rounded = NATIVE.flatMap((field): readonly RoundedAmount[] => {
    const received = quote[field];
    const ui = quote[SHOWN_AS[field]];
    if (received === undefined || ui === undefined) return [];
    const used =
      exactly(quote, field, received) ??
      (isPrintedByJavaScript(received) ? leastRoundedTo(received, ui) : received);
    if (used === undefined) throw notARounding(field, received, ui);
    return used === received ? [] : [{ field, received, used }];
  });
  const used = Object.fromEntries(rounded.map((amount) => [amount.field, amount.used]));
  return { quote: { ...quote, ...used }, rounded };
}

/** Whether an integer's digits are those that JavaScript prints for a large double. Other libraries print others. */
const isPrintedByJavaScript = (value: bigint): boolean =>
  value > Number.MAX_SAFE_INTEGER && String(Number(value)) === String(value);

function exactly(
  { details }: ReceivedQuote,
  field: keyof typeof SHOWN_AS,
  received: bigint,
): bigint | undefined {
  const text = details?.exact?.[field];
  if (text === undefined) return undefined;
  const exact = BigInt(text);
  if (Number(exact) === Number(received)) return exact;
  throw new HeavenError(
    'quote-mismatch',
    `quoteResponse.${field} is ${received}, and quoteResponse.details.exact.${field} is ${exact}. Pass the quote on as it was returned.`,
    { field: `quoteResponse.${field}`, asked: exact, found: received },
  );
}

/** The smallest integer that a double rounds to `received` and whose UI amount a double rounds to `ui`. */
function leastRoundedTo(received: bigint, ui: number): bigint | undefined {
  const decimals = decimalsOf(received, ui);
  if (decimals === undefined) return undefined;
  const double = BigInt(Number(received));
  // The distance between doubles of this size. Just below a power of two, it is half of this.
  const step = 2n ** BigInt(double.toString(2).length - 53);
  const shown = (value: bigint) => Number(toUiAmount(value, decimals));
  const isFar = (value: bigint) => Number(value) >= Number(received) && shown(value) >= ui;
  let [low, high] = [double - step, double + step];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (isFar(middle)) high = middle;
    else low = middle + 1n;
  }
  return Number(low) === Number(received) && shown(low) === ui ? low : undefined;
}

const notARounding = (field: keyof typeof SHOWN_AS, native: bigint, ui: number) =>
  new HeavenError(
    'quote-mismatch',
    `quoteResponse.${field} is ${native}, and quoteResponse.${SHOWN_AS[field]} is ${ui}: they are not the same amount. Pass the quote on as it was returned.`,
    { field: `quoteResponse.${field}`, asked: ui, found: native },
  );
