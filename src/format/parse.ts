import { HeavenError } from '../errors.js';
import { describe, inputError } from '../input.js';
import { toNativeAmount } from '../math/units.js';
import { type FormatOptions, symbolsOf } from './localize.js';

/** Longer than any amount that is typed. */
const MOST_CHARACTERS = 200;
/** What separates thousands where a locale has one of them: people type what their keyboard has. */
const ALIKE = [' \u00a0\u202f', "'’"] as const;

/**
 * What a person typed or pasted, in native units: the opposite of {@link formatAmount} with all digits. Thousands may be grouped as the locale does.
 * What could be meant in two ways is rejected: `1,500` is one and a half to some, and 1500 to others.
 *
 * @param text Such as `1.5`, `.5`, `1,234,567.8`. No sign, no exponent.
 * @param options `locale`: whose separators and numerals. Default `en-US`.
 * @throws {HeavenError} `invalid-amount` (no amount, or one that could be read in two ways), `too-many-decimals`, `amount-out-of-range`, `invalid-input`
 * @example
 * ```ts
 * parseAmount('98,415.31', 6); // 98415310000n
 * parseAmount('1,5', 9, { locale: 'de' }); // 1500000000n
 * ```
 */
export function parseAmount(
  text: string,
  decimals: number,
  { locale }: { readonly locale?: FormatOptions['locale'] } = {},
): bigint {
  if (typeof text !== 'string') throw inputError('text', 'text must be a string.');
  const typed = text.trim();
  const { separator, group, numerals } = symbolsOf({ locale });
  const groups = ALIKE.find((alike) => group !== '' && alike.includes(group)) ?? group;
  const written = Array.from(typed.slice(0, MOST_CHARACTERS), (character) => {
    const digit = numerals.indexOf(character);
    if (digit >= 0) return String(digit);
    return character === separator ? '.' : groups.includes(character) ? ',' : character;
  }).join('');
  if (
    typed.length > MOST_CHARACTERS ||
    !/^(?:\d+\.?\d*|\.\d+|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?)$/.test(written)
  )
    throw invalid(text, `an amount such as 1${separator}5`);
  if (/^\d+,\d+$/.test(written))
    throw invalid(text, `an amount without a separator for thousands, as this could be read in two ways`);
  const [whole = '', fraction = ''] = written.replaceAll(',', '').split('.');
  return toNativeAmount(`${whole || '0'}${fraction && `.${fraction}`}`, decimals, 'amount');
}

const invalid = (text: string, expected: string) =>
  new HeavenError('invalid-amount', `amount must be ${expected}; got ${describe(text)}.`, {
    field: 'amount',
    value: text,
  });
