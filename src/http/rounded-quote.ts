import { HeavenError } from '../base/errors.js';

// Restores quotes that went through doubles, as in every JavaScript JSON library: above 2^53, their digits differ from the
// quoted ones. `details.exact` has the quoted amounts. Without it, they are known up to the rounding of a double.

/** The native amounts of a quote. */
export const NATIVE = ['maxLamportSpend', 'amountIn', 'minimumOut'] as const;
type NativeField = (typeof NATIVE)[number];

type Amounts<TAmount> = { readonly [TField in NativeField]?: TAmount | undefined };

/** A quote in a request. */
export interface ReceivedQuote extends Amounts<bigint> {
  readonly details?: { readonly exact?: Amounts<string> | undefined } | undefined;
}

/** An amount that arrived rounded, and the amount that is used instead. */
export interface RoundedAmount {
  readonly field: NativeField;
  readonly received: bigint;
  readonly used: bigint;
}

/** The integers of a quote that a double may not represent exactly, as text. */
export function exactAmounts(quote: ReceivedQuote): Amounts<string> | undefined {
  const large = NATIVE.filter((field) => (quote[field] ?? 0n) > Number.MAX_SAFE_INTEGER);
  const texts = large.map((field) => [field, String(quote[field])] as const);
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

/**
 * The quote with the quoted amounts from `details.exact`, if it has them. Otherwise an amount as JavaScript prints it becomes the
 * smallest that is printed so, which is not above the quoted one and, under 2^57, at most 16 units too low. Any other is used as
 * it is: nothing shows whether another library has rounded it.
 *
 * @throws {HeavenError} `quote-mismatch` for an amount that is not a rounding of that in `details.exact`
 */
export function withoutRounding<TQuote extends ReceivedQuote>(
  quote: TQuote,
): { readonly quote: TQuote; readonly rounded: readonly RoundedAmount[] } {
  const rounded = NATIVE.flatMap((field): readonly RoundedAmount[] => {
    const received = quote[field];
    if (received === undefined) return [];
    const used =
      exactly(quote, field, received) ??
      (isPrintedByJavaScript(received) ? leastRoundedTo(received) : received);
    return used === received ? [] : [{ field, received, used }];
  });
  const used = Object.fromEntries(rounded.map((amount) => [amount.field, amount.used]));
  return { quote: { ...quote, ...used }, rounded };
}

/** Whether an integer's digits are those that JavaScript prints for a large double. Other libraries print others. */
const isPrintedByJavaScript = (value: bigint): boolean =>
  value > Number.MAX_SAFE_INTEGER && String(Number(value)) === String(value);

/** The amount in a quote's `details.exact`, if it is there. */
export function exactly(
  { details }: ReceivedQuote,
  field: NativeField,
  received: bigint,
  path = 'quoteResponse',
): bigint | undefined {
  const text = details?.exact?.[field];
  if (text === undefined) return undefined;
  const exact = BigInt(text);
  if (Number(exact) === Number(received)) return exact;
  throw new HeavenError(
    'quote-mismatch',
    `${path}.${field} is ${received}, and ${path}.details.exact.${field} is ${exact}. Pass the quote on as it was returned.`,
    { field: `${path}.${field}`, asked: exact, found: received },
  );
}

/** The smallest integer that a double rounds to `received`. The UI amount tells no more: services round it in their own ways. */
function leastRoundedTo(received: bigint): bigint {
  const double = BigInt(Number(received));
  // The distance between doubles of this size. Just below a power of two, it is half of this.
  const step = 2n ** BigInt(double.toString(2).length - 53);
  let [low, high] = [double - step, double];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (Number(middle) === Number(received)) high = middle;
    else low = middle + 1n;
  }
  return low;
}
