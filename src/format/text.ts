import { assertWhole, inputError } from '../input.js';

/** What is not seen, or turns the text around it about: controls, bidi marks, joiners, fillers, lone surrogates, variation selectors. */
const HIDDEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800\u115f\u1160\u3164\uffa0]/gu;
const CHARACTER = /\P{M}\p{M}{0,3}/gu;
/** A text is cut here before it is looked at, so that a long one costs nothing. */
const MOST_UNITS = 16_384;

/**
 * A text that anybody may have written, such as a token's name, made harmless to show: without control characters, marks that turn the
 * direction of writing, invisible and zero-width characters, with line breaks and runs of spaces as one space, at most three accents on a letter, and at most
 * so many characters as a reader counts them. What is cut ends in `…`. It is text still, not HTML: put it where text belongs.
 *
 * @param most Characters, from 1 to 4096. Default 64.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * tameText('Li\u202eght\u200b  Coin', 32); // 'Light Coin'
 * tameText('A very long name', 6); // 'A ver…'
 * ```
 */
export function tameText(text: string, most = 64): string {
  if (typeof text !== 'string') throw inputError('text', 'text must be a string.');
  assertWhole('most', most, [1, 4_096]);
  const seen = text
    .slice(0, MOST_UNITS)
    .replace(/\s+/gu, ' ')
    .replace(HIDDEN, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = seen.match(CHARACTER) ?? [];
  if (characters.length <= most) return characters.join('').trim();
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}

/**
 * The beginning and the end of an address, to recognize it by. An attacker can make an address with the same ones: let it be copied whole.
 *
 * @param size Characters at each end, 2 to 16. Default 4.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * shortAddress('GmBQ8xPWb1tBVrgEgpBWkQRQDtE5gPwY9g1ySEWBu8Vo'); // 'GmBQ…u8Vo'
 * ```
 */
export function shortAddress(address: string, size = 4): string {
  if (typeof address !== 'string') throw inputError('address', 'address must be a string.');
  assertWhole('size', size, [2, 16]);
  return address.length <= 2 * size + 1 ? address : `${address.slice(0, size)}…${address.slice(-size)}`;
}
