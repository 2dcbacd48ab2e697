import { assertWhole, inputError } from './input.js';
import { hideKeys } from './shown.js';

/** Characters that are invisible or reorder the text: controls, bidi marks, joiners, blank letters, lone surrogates, variation selectors. */
export const HIDDEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800\u115f\u1160\u3164\uffa0]/gu;
const CHARACTER = /\P{M}\p{M}{0,3}/gu;
/** Longer texts are cut here before any other work, so they cost nothing. */
const MAX_UNITS = 16_384;

/**
 * Sanitizes a text that anybody may have written, such as a token's name, for display. It removes control characters, marks that change
 * the direction of writing, and invisible characters. It turns line breaks and runs of spaces into one space, keeps at most three accents
 * per letter, and limits the length, in characters as a reader counts them.
 * A truncated text ends in `…`. The result is text, not HTML. For pages and bots that show texts from elsewhere, such as a form or a
 * metadata file: those that this library returns are sanitized.
 *
 * @param maxLength The maximum number of characters, from 1 to 4096. Default 64.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * sanitizeText('Li\u202eght\u200b  Coin', 32); // 'Light Coin'
 * sanitizeText('A very long name', 6); // 'A ver…'
 * ```
 */
export function sanitizeText(text: string, maxLength = 64): string {
  if (typeof text !== 'string') throw inputError('text', 'text must be a string.');
  assertWhole('maxLength', maxLength, [1, 4_096]);
  const characters = visible(text).match(CHARACTER) ?? [];
  if (characters.length <= maxLength) return characters.join('').trim();
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}

/** The beginning of a text, without hidden characters. */
const visible = (text: string): string =>
  text.slice(0, MAX_UNITS).replace(/\s+/gu, ' ').replace(HIDDEN, '').replace(/\s+/gu, ' ').trim();

/** Also with escaped slashes, and encoded in percents, once or more. Not the `'https://…'` of our own advice. */
const URLS = /[a-z\d+.-]{0,30}(?::|%(?:25)*3a)(?:\\?\/|%(?:25)*2f){2}(?!…')\S*/giu;
const KEYS =
  /\b(api[-_ ]?key|access[-_ ]?token|secret|password|authorization|bearer)\b["']?\s*(?:[=:]|%(?:25)*3[ad])?\s*["']?(?:bearer\s+)?[\w.+/~=-]{6,}/giu;

/** Replaces URLs and keys: many a node's URL holds a key. Hidden characters would hide them. */
export const withoutSecrets = (text: string): string =>
  hideKeys(visible(text).replace(URLS, 'a URL').replace(KEYS, '$1 …'));

/**
 * Text of a node, a service or a program, for an error, a log or a page: at most 200 visible characters, without URLs and keys. Every such
 * text goes through here.
 */
export const outsideText = (text: string, maxLength = 200): string =>
  sanitizeText(withoutSecrets(text), maxLength);

/** A sentence to go on with in another one. */
export const withoutFullStop = (sentence: string): string =>
  sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;

/** A stranger's words in quotation marks, which nothing in them ends. */
export const quotation = (words: string): string => `"${words.replaceAll('"', "'")}"`;

/**
 * Shortens an address to its beginning and end, for recognition. An attacker can create an address with the same ends, so let users copy
 * the whole address.
 *
 * @param size Characters at each end, 2 to 16. Default 4.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * shortenAddress('GmBQ8xPWb1tBVrgEgpBWkQRQDtE5gPwY9g1ySEWBu8Vo'); // 'GmBQ…u8Vo'
 * ```
 */
export function shortenAddress(address: string, size = 4): string {
  if (typeof address !== 'string') throw inputError('address', 'address must be a string.');
  assertWhole('size', size, [2, 16]);
  return address.length <= 2 * size + 1 ? address : `${address.slice(0, size)}…${address.slice(-size)}`;
}
