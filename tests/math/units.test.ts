import { describe, expect, test } from 'vitest';
import { maximumAfterSlippage, minimumAfterSlippage, toNativeAmount, toUiAmount } from '../../src/index.js';
import { assertUiAmount } from '../../src/math/units.js';
import { U64_MAX } from '../support/amounts.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

describe('slippage', () => {
  test('is exact for any amount: a minimum is rounded down, a maximum up', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX / 2n), fc.integer({ min: 0, max: 10_000 }), (amount, slippageBps) => {
        const [less, more] = [BigInt(10_000 - slippageBps), BigInt(10_000 + slippageBps)];
        const minimum = minimumAfterSlippage(amount, slippageBps);
        expect(minimum * 10_000n <= amount * less && (minimum + 1n) * 10_000n > amount * less).toBe(true);
        const maximum = maximumAfterSlippage(amount, slippageBps);
        expect(maximum * 10_000n >= amount * more && (maximum - 1n) * 10_000n < amount * more).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('reaches from 0 to 100 %, and a maximum stays within 64 bits', () => {
    expect([minimumAfterSlippage(3n, 1), maximumAfterSlippage(3n, 1)]).toEqual([2n, 4n]);
    expect([minimumAfterSlippage(3n, 0), minimumAfterSlippage(3n, 10_000)]).toEqual([3n, 0n]);
    expect([maximumAfterSlippage(U64_MAX, 0), maximumAfterSlippage(3n, 10_000)]).toEqual([U64_MAX, 6n]);
    expect(() => maximumAfterSlippage(U64_MAX, 1)).toThrow(heavenError('amount-out-of-range'));
    for (const compute of [minimumAfterSlippage, maximumAfterSlippage])
      expect(() => compute(-1n, 1)).toThrow(heavenError('invalid-amount', { field: 'amount' }));
  });

  test.each([-1, 10_001, 12.5, Number.NaN, '50', null, undefined, 50n])('is never %s', (slippageBps) => {
    for (const compute of [minimumAfterSlippage, maximumAfterSlippage])
      expect(() => compute(1n, slippageBps as never)).toThrow(
        heavenError('invalid-slippage', { field: 'slippageBps', value: slippageBps }),
      );
  });

  test.each([
    [1e-7, '0.0000001'],
    [1.25e-7, '0.000000125'],
    [5e-12, '0.000000000005'],
  ])('of %s is written in digits when it is rejected', (slippageBps, digits) => {
    expect(() => minimumAfterSlippage(1n, slippageBps)).toThrow(`got ${digits}.`);
  });
});

describe('units', () => {
  const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most });
  const decimal = fc.record({
    whole: digits(12).map((text) => text || '0'),
    fraction: digits(12),
    exponent: fc.option(fc.integer({ min: -12, max: 8 }), { nil: undefined }),
  });

  test('a decimal text is taken digit by digit, or rejected for its decimals or its size', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 12 }), ({ whole, fraction, exponent }, decimals) => {
        const text = `${whole}${fraction && `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`;
        // The amount as a fraction of whole numbers.
        const dividend = BigInt(whole + fraction) * 10n ** BigInt(decimals + Math.max(exponent ?? 0, 0));
        const divisor = 10n ** BigInt(fraction.length - Math.min(exponent ?? 0, 0));
        const convert = () => toNativeAmount(text, decimals, 'amount');
        if (dividend % divisor !== 0n) expect(convert).toThrow(heavenError('invalid-amount:decimals'));
        else if (dividend / divisor > U64_MAX) expect(convert).toThrow(heavenError('amount-out-of-range'));
        else expect(convert()).toBe(dividend / divisor);
      }),
      { numRuns: 3_000 },
    );
  });

  test('there and back loses nothing, below zero too', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        const text = toUiAmount(amount, decimals);
        expect(toNativeAmount(text, decimals)).toBe(amount);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        if (amount > 0n) expect(toUiAmount(-amount, decimals)).toBe(`-${text}`);
      }),
    );
  });

  test.each([
    [1.5, 9, 1_500_000_000n],
    [0.1, 9, 100_000_000n],
    [4.35, 2, 435n],
    [1e-7, 9, 100n],
    ['1e-9', 9, 1n],
    ['15E-1', 6, 1_500_000n],
    ['00012.50', 1, 125n],
    ['1.10000000000000000000', 1, 11n],
    ['0', 9, 0n],
    ['1', 0, 1n],
    ['18446744073.709551615', 9, U64_MAX],
    ['1', 19, 10_000_000_000_000_000_000n],
  ])('%s with %i decimals', (amount, decimals, native) => {
    expect(toNativeAmount(amount, decimals)).toBe(native);
  });

  test.each<[string, ...amounts: unknown[]]>([
    ['invalid-amount', Number.NaN, Number.POSITIVE_INFINITY, -1, 1n, null],
    ['invalid-amount', '-0', '', '.5', '1.', '1,5', ' 1', '0x10', '1e9999'],
    ['invalid-amount:decimals', '1e-10', '1e-999'],
    ['amount-out-of-range', '18446744073.709551616', 1e21, '1e999', '9'.repeat(100_000)],
  ])('rejects as %s: %s, %s and so on', (code, ...amounts) => {
    for (const amount of amounts)
      expect(() => toNativeAmount(amount as never, 9, 'maxSolSpend'), String(amount).slice(0, 30)).toThrow(
        heavenError(code, { field: 'maxSolSpend' }),
      );
  });

  test.each([-1, 256, 1.5, '9'])('rejects %s decimals', (decimals) => {
    const error = heavenError('invalid-input', { field: 'decimals', value: decimals });
    expect(() => toNativeAmount('1', decimals as never)).toThrow(error);
    expect(() => toUiAmount(1n, decimals as never)).toThrow(error);
    expect(toUiAmount(1n, 255)).toBe(`0.${'0'.repeat(254)}1`);
  });

  test.each([1.5, '1', undefined, null])('no UI amount of %s', (amount) => {
    expect(() => toUiAmount(amount as never, 9)).toThrow(heavenError('invalid-amount', { field: 'amount' }));
  });

  test('an amount is 0 only if all its digits are', () => {
    for (const amount of ['1', '0.1', '5.5', 1.1]) expect(() => assertUiAmount(amount, 'x')).not.toThrow();
    for (const amount of ['0', '0.0', 0])
      expect(() => assertUiAmount(amount, 'x')).toThrow(heavenError('zero-amount', { field: 'x' }));
  });
});
