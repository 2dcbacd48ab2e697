import { expect, test } from 'vitest';

import { toUiAmount } from '../../src/index.js';
import { assertShownTokens } from '../../src/transaction/quote-response.js';
import { U64_MAX } from '../support/amounts.js';
import { fc } from '../support/properties.js';

// The rule itself, and not a builder that applies it: twenty thousand amounts take a builder a minute.

/** Reads decimal text as libraries do that multiply its digits with a power of ten. */
function multiplied(text: string): number {
  const [whole = '', fraction = ''] = text.split('.');
  return Number(whole + fraction) * Number(`1e-${fraction.length}`);
}

test('UI amounts pass as other services show and libraries read them, and a millionth off does not', () => {
  const amounts = fc.tuple(fc.bigInt({ min: 2n ** 53n, max: U64_MAX }), fc.integer({ min: 0, max: 12 }));
  let inOtherPlaces = 0;
  const check = ([native, decimals]: readonly [bigint, number]) => {
    const isTaken = (amountInUi: number) => {
      try {
        assertShownTokens({ amountIn: native, amountInUi } as never, { decimals } as never);
        return true;
      } catch {
        return false;
      }
    };
    const [text, divided] = [toUiAmount(native, decimals), String(Number(native) / 10 ** decimals)];
    if (divided !== String(Number(text))) inOtherPlaces += 1;
    const shown = [text, divided].flatMap((written) => [Number(written), multiplied(written)]);
    const wrong = [1 + 1e-6, 1 - 1e-6].map((factor) => Number(text) * factor);
    return shown.every(isTaken) && !wrong.some(isTaken);
  };
  fc.assert(fc.property(amounts, check), { numRuns: 20_000 });
  // Float division often gives another double.
  expect(inOtherPlaces).toBeGreaterThan(2_000);
  expect(check([11_604_444_992_709_001n, 9])).toBe(true);
});
