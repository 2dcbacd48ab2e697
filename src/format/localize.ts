import { invalidInput } from '../base/input.js';
import { createRecent } from '../solana/recent.js';
import { type Decimal, digitsOf, type Rounding, withSignificantDigits } from './decimal.js';

/** How to write numbers for people. */
export interface FormatOptions {
  /**
   * A BCP 47 language tag, or several by preference: sets the grouping, decimal separator, numerals and currency position. Default `en-US`,
   * whatever the machine's locale, so a server and a browser write the same text. Pass `navigator.language` for the user's.
   */
  readonly locale?: string | readonly string[] | undefined;
  /** `always` puts a sign before everything but 0, for changes. Default `auto`: a minus only. */
  readonly sign?: 'auto' | 'always' | undefined;
}

/** How to write a number once its digits are decided. */
export interface Style extends FormatOptions {
  readonly unit?: keyof typeof UNITS | undefined;
  /** Writes three digits and a word or letter for the magnitude, from a million on. */
  readonly compact?: boolean | undefined;
  /** Counts four or more zeros after the decimal point in subscript: `0.0₄152`. */
  readonly subscript?: boolean | undefined;
  /** Pads with zeros after the decimal point to this many decimals. */
  readonly minimumDecimals?: number | undefined;
}

const COMPACT_FROM_DIGITS = 7;
const COMPACT_DIGITS = 3;
const SUBSCRIPT_FROM_ZEROS = 4;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const NO_BREAK_SPACE = '\u00a0';

/** A number format, and the symbols to write the fraction with. */
interface Symbols {
  readonly format: Intl.NumberFormat;
  readonly separator: string;
  /** The thousands separator; empty if the locale has none. */
  readonly group: string;
  readonly numerals: readonly string[];
}

/** Creating one takes a thousand times longer than using it. */
const known = /* @__PURE__ */ createRecent<Symbols>(64);

type Sign = 'auto' | 'always' | 'never';

const UNITS = {
  usd: { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
  percent: { style: 'unit', unit: 'percent' },
} as const;

/** Returns how a locale writes numbers. */
export function symbolsOf(
  { locale = 'en-US', unit }: Style,
  signDisplay: Sign = 'auto',
  isCompact = false,
): Symbols {
  const key = [String(locale), unit, signDisplay, isCompact].join();
  const before = known.get(key);
  if (before !== undefined) return before;
  try {
    const tags = typeof locale === 'string' ? locale : [...locale];
    const format = new Intl.NumberFormat(tags, {
      ...(unit === undefined ? {} : UNITS[unit]),
      ...(isCompact
        ? { notation: 'compact', maximumSignificantDigits: COMPACT_DIGITS }
        : { minimumFractionDigits: 0, maximumFractionDigits: 0 }),
      signDisplay,
    });
    const parts = new Intl.NumberFormat(tags, { minimumFractionDigits: 1 }).formatToParts(1_234_567);
    const partOf = (name: string) => parts.find(({ type }) => type === name)?.value;
    const digit = new Intl.NumberFormat(tags);
    const symbols = {
      format,
      separator: partOf('decimal') ?? '.',
      group: partOf('group') ?? '',
      numerals: Array.from({ length: 10 }, (_, value) => digit.format(value)),
    };
    known.set(key, symbols);
    return symbols;
  } catch {
    throw invalidInput('locale', locale, "a language tag such as 'en-US' or 'de'");
  }
}

/**
 * Writes a number as a locale does. Its digits never pass through a float.
 *
 * @param shown The number with only the digits to show, unless it is compact.
 */
export function localize(exact: Decimal, shown: Decimal, rounding: Rounding, style: Style): string {
  const { units, scale } = shown;
  const signDisplay = units === 0n ? 'never' : (style.sign ?? 'auto');
  const whole = units / 10n ** BigInt(scale);
  if (style.compact && digitsOf(whole) >= COMPACT_FROM_DIGITS) {
    const { units: rounded } = withSignificantDigits(exact, COMPACT_DIGITS, rounding);
    return textOf(symbolsOf(style, signDisplay, true).format.formatToParts(rounded));
  }
  const { format, separator, numerals } = symbolsOf(style, signDisplay, false);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits
    .slice(digits.length - scale)
    .replace(/0+$/, '')
    .padEnd(style.minimumDecimals ?? 0, '0');
  // A zero `bigint` has no sign.
  const parts = format.formatToParts(whole === 0n && units < 0n ? -0 : whole);
  if (scale === 0 && fraction === '') return textOf(parts);
  return textOf(parts, fractionOf(fraction, whole === 0n && style.subscript === true, separator, numerals));
}

function fractionOf(
  fraction: string,
  isSmall: boolean,
  separator: string,
  numerals: readonly string[],
): string {
  if (fraction === '') return '';
  const zeros = isSmall ? fraction.search(/[1-9]/) : 0;
  const written = (digits: string, from: ArrayLike<string>) =>
    Array.from(digits, (digit) => from[Number(digit)]).join('');
  return zeros < SUBSCRIPT_FROM_ZEROS
    ? separator + written(fraction, numerals)
    : separator + numerals[0] + written(String(zeros), SUBSCRIPTS) + written(fraction.slice(zeros), numerals);
}

/** Joins the parts, with the fraction after the last digit, a true minus sign, and a space before `M`. */
function textOf(parts: readonly Intl.NumberFormatPart[], fraction = ''): string {
  const last = parts.map(({ type }) => type).lastIndexOf('integer');
  return parts
    .map(({ type, value }, index) => {
      if (type === 'minusSign') return value.replace('-', '−');
      if (type === 'compact' && parts[index - 1]?.type !== 'literal' && /^[A-Z]/i.test(value))
        return NO_BREAK_SPACE + value;
      return index === last ? value + fraction : value;
    })
    .join('');
}
