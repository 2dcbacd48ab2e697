import { describe, expect, test } from 'vitest';
import {
  formatAmount,
  formatBps,
  formatPrice,
  formatUsd,
  parseAmount,
  parseBps,
  sanitizeText,
  shortenAddress,
  toMicroUsd,
} from '../../src/core.js';
import { expectRefusal } from '../support/errors.js';
import { fc, textsUpTo } from '../support/properties.js';

/** What a formatted number in `en-US` says, as an exact fraction of a whole number. */
function read(text: string): { readonly units: bigint; readonly scale: number } {
  const [, sign = '', digits = '', letter = ''] = /^([+−]?)([\d,.]+)(?:\u00a0([MBT]))?$/.exec(text) ?? [];
  const [whole = '', fraction = ''] = digits.replaceAll(',', '').split('.');
  const units = BigInt(whole + fraction) * 10n ** BigInt({ '': 0, M: 6, B: 9, T: 12 }[letter] ?? 0);
  return { units: sign === '−' ? -units : units, scale: fraction.length };
}

const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const decimals = fc.integer({ min: 0, max: 18 });

describe('an amount', () => {
  test.each([
    [98_415_310_987n, 6, {}, '98,415.3'],
    [0n, 9, {}, '0'],
    [1n, 9, {}, '0.000000001'],
    // Digits before the point tell how much it is.
    [987_654_000_000n, 6, { digits: 3 }, '987,654'],
    [999_999_999_999n, 6, { rounding: 'up' }, '1\u00a0M'],
    [1_144_999_500_000n, 6, { rounding: 'nearest' }, '1.14\u00a0M'],
    [18_446_744_073_709_551_615n, 9, { digits: 'all' }, '18,446,744,073.709551615'],
    [-1_200_000_000n, 9, { sign: 'always' }, '−1.2'],
    [0n, 9, { sign: 'always' }, '0'],
  ] as const)('%s of %s decimals with %o is %s', (amount, places, options, text) => {
    expect(formatAmount(amount, places, options)).toBe(text);
  });

  test('is written as its locale writes numbers', () => {
    const write = (locale: string | readonly string[]) =>
      formatAmount(12_345_678_901n, 4, { digits: 'all', locale });
    expect(write('de')).toBe('1.234.567,8901');
    expect(write('en-IN')).toBe('12,34,567.8901');
    expect(write('ar-EG')).toBe('١٬٢٣٤٬٥٦٧٫٨٩٠١');
    expect(write(['tlh', 'de'])).toBe('1.234.567,8901');
    expect(formatAmount(12_345_678_901n, 4, { locale: 'ja' })).toBe('123万');
  });

  test('is never more than the amount, and less than one last digit below it', () => {
    fc.assert(
      fc.property(amounts, decimals, fc.integer({ min: 1, max: 20 }), (amount, places, digits) => {
        const { units, scale } = read(formatAmount(amount, places, { digits }));
        const unit = 10n ** BigInt(places);
        const shown = (units * unit) / 10n ** BigInt(scale);
        expect(shown).toBeLessThanOrEqual(amount);
        const kept = shown < 1_000_000n * unit ? BigInt(digits) : 3n;
        expect((amount - shown) * 10n ** (kept - 1n)).toBeLessThanOrEqual(amount);
      }),
    );
  });

  test('rounded up is never less than the amount', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        const { units, scale } = read(formatAmount(amount, places, { rounding: 'up' }));
        expect(units * 10n ** BigInt(places)).toBeGreaterThanOrEqual(amount * 10n ** BigInt(scale));
      }),
    );
  });

  test('rejects what is not an amount, a number of digits, a way of rounding or a language', async () => {
    await expectRefusal(() => formatAmount(1 as never, 9), 'invalid-amount', { field: 'amount' });
    await expectRefusal(() => formatAmount(1n, 256), 'invalid-input', { field: 'decimals' });
    for (const [field, value] of [
      ['digits', 0],
      ['rounding', 'floor'],
      ['locale', 'no language'],
    ] as const)
      await expectRefusal(() => formatAmount(1n, 9, { [field]: value }), 'invalid-input', { field });
  });
});

describe('a price', () => {
  test.each([
    [0.0000152, {}, '0.0₄152'],
    [1.5e-12, {}, '0.0₁₁15'],
    [0.0000152, { subscript: false }, '0.0000152'],
    [-0.0000152, { sign: 'always' }, '−0.0₄152'],
    ['0.00001234567', {}, '0.0₄1235'],
    ['0.00001234567', { rounding: 'down', digits: 6 }, '0.0₄123456'],
    // Rounding takes a zero away.
    ['0.000099999', {}, '0.0001'],
    [0, {}, '0'],
    [1e21, {}, '1,000,000,000\u00a0T'],
    ['0.0000152', { locale: 'de' }, '0,0₄152'],
  ] as const)('of %s with %o is %s', (price, options, text) => {
    expect(formatPrice(price, options)).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 'abc', '', '1,5', '0x10', '9'.repeat(500)])(
    "can't be %s",
    async (price) => {
      await expectRefusal(() => formatPrice(price), 'invalid-amount', { field: 'price' });
    },
  );
});

describe('dollars', () => {
  test.each([
    [123.036, {}, '$123.03'],
    [123.036, { rounding: 'up' }, '$123.04'],
    [0.001246, {}, '$0.001246'],
    [-12.5, { sign: 'always' }, '−$12.50'],
    [-0.00001234, {}, '−$0.0₄1234'],
    [999_999.999, {}, '$999,999.99'],
    // A bigint is in millionths.
    [1_149_999_999_999n, {}, '$1.14\u00a0M'],
    [123_036_000n, { locale: 'de' }, '123,03\u00a0$'],
  ] as const)('of %s with %o are %s', (usd, options, text) => {
    expect(formatUsd(usd, options)).toBe(text);
  });

  test("convert lamports at a feed's price, rounded toward zero", () => {
    // 1.5 SOL at 82.02 USD are 123.03 USD.
    const solPrice = { answer: 8_202_000_000n, decimals: 8 };
    expect(toMicroUsd(1_500_000_000n, solPrice)).toBe(123_030_000n);
    expect(toMicroUsd(1n, { answer: 9_999n, decimals: 1 })).toBe(0n);
    expect(toMicroUsd(-13n, { answer: 8_202_000_000n, decimals: 8 })).toBe(-1n);
  });
});

test.each([
  [-9, { sign: 'always' }, '−0.09%'],
  [0.24, {}, '0.002%'],
  [123.456, {}, '1.23%'],
  [123.456, { rounding: 'up' }, '1.24%'],
  [0, { sign: 'always' }, '0%'],
  [1_000_000, {}, '10,000%'],
  [150, { locale: 'de' }, '1,5\u00a0%'],
] as const)('%s basis points with %o are %s', (bps, options, text) => {
  expect(formatBps(bps, options)).toBe(text);
});

describe('sanitizeText', () => {
  test.each([
    ['turned about', 'USD\u202eC\u2066 \u2069ok', 'USDC ok'],
    ['with what is not seen', 'S\u200bO\u200dL\ufeff\u2060\u00ad\u034f\u3164\u2800', 'SOL'],
    ['in tags and selectors', 'A\u{e0041}\u{e0100}\ufe0fB', 'AB'],
    ['with controls', 'a\0b\u001b[31mc\u0085', 'ab[31mc'],
    ['over many lines', '  a\n\r\n\tb\u2028c  ', 'a b c'],
    ['with half of a character', 'a\ud800b\udc00', 'ab'],
    ['in private characters', 'a\ue000b', 'ab'],
    ['of another script', 'नमस्ते ไทย 日本', 'नमस्ते ไทย 日本'],
    ['of marks alone', '\u0301\u0301\u0301', ''],
    ['in emoji', '👩‍🚀 up', '👩🚀 up'],
  ])('%s', (_, text, tamed) => {
    expect(sanitizeText(text)).toBe(tamed);
  });

  test('keeps at most three accents per letter, and at most maxLength characters', () => {
    expect(sanitizeText(`e${'\u0301'.repeat(1_000)}x`)).toBe('e\u0301\u0301\u0301x');
    expect(sanitizeText('A very long name', 6)).toBe('A ver…');
    expect(sanitizeText('é̂x'.repeat(2), 4)).toBe('é̂xé̂x');
    expect(sanitizeText('ab', 1)).toBe('…');
    expect(sanitizeText(' '.repeat(1_000_000), 5)).toBe('');
  });

  test('holds no invisible character, whatever the text was', () => {
    fc.assert(
      fc.property(textsUpTo(60), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const tamed = sanitizeText(text, most);
        expect(tamed).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|^\s|\s$|\s\s/u);
        expect(tamed.match(/\P{M}/gu)?.length ?? 0).toBeLessThanOrEqual(most);
        expect(sanitizeText(tamed, most)).toBe(tamed);
      }),
      { numRuns: 30 },
    );
  });

  test('rejects a value that is not a string', async () => {
    const text = { toString: () => 'x' } as never;
    await expectRefusal(() => sanitizeText(text), 'invalid-input', { field: 'text' });
    await expectRefusal(() => sanitizeText('x', 0), 'invalid-input', { field: 'maxLength' });
  });
});

test('shortenAddress keeps both ends of an address', async () => {
  const address = 'GmBQ8xPWb1tBVrgEgpBWkQRQDtE5gPwY9g1ySEWBu8Vo';
  expect(shortenAddress(address)).toBe('GmBQ…u8Vo');
  expect(shortenAddress(address, 6)).toBe('GmBQ8x…WBu8Vo');
  expect(shortenAddress('short')).toBe('short');
  await expectRefusal(() => shortenAddress(address, 1), 'invalid-input', { field: 'size' });
});

describe('parseAmount', () => {
  test.each([
    ['1.5', {}, 1_500_000n],
    [' .5 ', {}, 500_000n],
    ['0', {}, 0n],
    ['98,415.31', {}, 98_415_310_000n],
    ['1,5', { locale: 'de' }, 1_500_000n],
    ['1.234,5', { locale: 'de' }, 1_234_500_000n],
    ['١٬٢٣٤٫٥', { locale: 'ar-EG' }, 1_234_500_000n],
    // Where a point means nothing else.
    ['1.5', { locale: 'ar-EG' }, 1_500_000n],
    ['1.5', { locale: 'fr' }, 1_500_000n],
  ] as const)('%s with %o is %s', (text, options, amount) => {
    expect(parseAmount(text, 6, options)).toBe(amount);
  });

  test.each([
    ['', {}],
    ['-1', {}],
    ['1e3', {}],
    ['1,2', {}],
    ['1 5', {}],
    ['1.5', { locale: 'de' }],
    // One and a half, or a thousand and a half.
    ['1,500', {}],
    ['1.500', { locale: 'de' }],
    ['9'.repeat(1_000), {}],
    // What was cut off here would be lost without a word.
    [`5${' '.repeat(200)}000`, {}],
    ['∞', {}],
  ] as const)('%s with %o is rejected', async (text, options) => {
    await expectRefusal(() => parseAmount(text, 6, options), 'invalid-amount', { field: 'amount' });
  });

  test('reads what formatAmount writes, in any locale', () => {
    const locales = fc.constantFrom('en-US', 'de', 'fr', 'en-IN', 'ar-EG', 'sv', 'ja', 'pt-BR');
    fc.assert(
      fc.property(amounts, decimals, locales, (amount, places, locale) => {
        const unit = 10n ** BigInt(places);
        // A single group without decimals could be read in two ways.
        fc.pre(amount % unit !== 0n || amount / unit >= 1_000_000n);
        const written = formatAmount(amount, places, { digits: 'all', locale });
        expect(parseAmount(written, places, { locale })).toBe(amount);
      }),
    );
  });

  test('rejects more decimals than the token has, and amounts over 64 bits', async () => {
    await expectRefusal(() => parseAmount('0.0000001', 6), 'invalid-amount:decimals', { decimals: 6 });
    await expectRefusal(() => parseAmount('99999999999999999999', 6), 'amount-out-of-range');
    await expectRefusal(() => parseAmount(1 as never, 6), 'invalid-input', { field: 'text' });
  });
});

describe('a typed percentage', () => {
  test.each([
    ['0.5', 50],
    ['.5', 50],
    ['12.25 %', 1_225],
    ['0.250', 25],
  ] as const)('%j is %i basis points', (text, bps) => {
    expect(parseBps(text)).toBe(bps);
  });

  test('is read as its locale writes it, and is what formatBps writes', () => {
    expect(parseBps('12,25 %', { locale: 'de' })).toBe(1_225);
    const locales = fc.constantFrom('en', 'de', 'ar-EG', 'fr');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), locales, (bps, locale) => {
        expect(parseBps(formatBps(bps, { locale }), { locale })).toBe(bps);
      }),
    );
  });

  test('is rejected with the codes of an amount', async () => {
    for (const text of ['', 'x', '-1', '1e1', '5 % %', '1,5'])
      await expectRefusal(() => parseBps(text), 'invalid-amount', { field: 'amount' });
    await expectRefusal(() => parseBps('0.125'), 'invalid-amount:decimals', { decimals: 2 });
    await expectRefusal(() => parseBps('99999999999999999'), 'amount-out-of-range', { field: 'amount' });
    await expectRefusal(() => parseBps(5 as unknown as string), 'invalid-input', { field: 'text' });
  });
});
