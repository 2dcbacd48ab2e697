import { HeavenError } from '../base/errors.js';
import { assertNames, describe, inputError } from '../base/input.js';
import { toNativeAmount } from '../math/units.js';
import { type FormatOptions, symbolsOf } from './localize.js';

/** Longer than any amount that people type. */
const MAX_CHARACTERS = 200;
/** Thousands separators that count as the same where a locale uses one of them: people type what their keyboard has. */
const ALIKE = [' \u00a0\u202f', "'’"] as const;

/**
 * Parses what a person typed or pasted into native units: the reverse of {@link formatAmount} with all digits. Thousands may be grouped as
 * in the locale. Ambiguous input is rejected: some read `1,500` as one and a half, others as 1500.
 *
 * @param text Such as `1.5`, `.5`, `1,234,567.8`. No sign, no exponent.
 * @param options `locale`: whose separators and numerals to expect. Default `en-US`.
 * @throws {HeavenError} `invalid-amount` (not an amount, ambiguous, or too many decimals), `amount-out-of-range`, `invalid-input`
 * @example
 * ```ts
 * parseAmount('98,415.31', 6); // 98415310000n
 * parseAmount('1,5', 9, { locale: 'de' }); // 1500000000n
 * ```
 */
export function parseAmount(
  text: string,
  decimals: number,
  options: { readonly locale?: FormatOptions['locale'] } = {},
): bigint {
  assertNames(options, 'options', { locale: 1 });
  const { locale } = options;
  if (typeof text !== 'string') throw inputError('text', 'text must be a string.');
  const typed = text.trim();
  const { separator, group, numerals } = symbolsOf({ locale });
  const groups = ALIKE.find((alike) => group !== '' && alike.includes(group)) ?? group;
  const written = Array.from(typed.slice(0, MAX_CHARACTERS), (character) => {
    const digit = numerals.indexOf(character);
    if (digit >= 0) return String(digit);
    return character === separator ? '.' : groups.includes(character) ? ',' : character;
  }).join('');
  if (
    typed.length > MAX_CHARACTERS ||
    !/^(?:\d+\.?\d*|\.\d+|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?)$/.test(written)
  )
    throw invalid(text, `an amount such as 1${separator}5`, `1${separator}5`);
  if (/^\d+,\d+$/.test(written))
    throw invalid(
      text,
      `an amount without a separator for thousands, as this could be read in two ways`,
      `1500 or 1${separator}5`,
    );
  const [whole = '', fraction = ''] = written.replaceAll(',', '').split('.');
  return toNativeAmount(`${whole || '0'}${fraction && `.${fraction}`}`, decimals, 'amount');
}

/**
 * Parses a percentage that a person typed, such as a slippage, into basis points: the reverse of {@link formatBps}. Takes the same
 * separators and numerals as {@link parseAmount}, and a percent sign behind them.
 *
 * @param text Such as `0.5` or `12.25 %`, with at most two decimals. No sign.
 * @param options `locale`: whose separators and numerals to expect. Default `en-US`.
 * @returns Basis points: 100 are one percent.
 * @throws {HeavenError} `invalid-amount` (not a percentage, ambiguous, or too many decimals), `amount-out-of-range`, `invalid-input`
 * @example
 * ```ts
 * parseBps('0.5'); // 50
 * parseBps('12,25 %', { locale: 'de' }); // 1225
 * ```
 */
export function parseBps(text: string, options: { readonly locale?: FormatOptions['locale'] } = {}): number {
  if (typeof text !== 'string') throw inputError('text', 'text must be a string.');
  const bps = parseAmount(text.replace(/[\s\p{Cf}]*[%٪][\s\p{Cf}]*$/u, ''), 2, options);
  if (bps <= Number.MAX_SAFE_INTEGER) return Number(bps);
  throw new HeavenError('amount-out-of-range', `amount is ${describe(text)}, which is too large.`, {
    field: 'amount',
    value: text,
  });
}

const invalid = (text: string, expected: string, example: string) =>
  new HeavenError('invalid-amount', `amount must be ${expected}; got ${describe(text)}.`, {
    field: 'amount',
    value: text,
    example,
  });
