// What an error, a warning or a log says of a value that somebody passed. A key may be anywhere, such as in the field of an address.

/** Stands in place of a key, of a signature, which nothing tells from one, and of a URL: many a node's has one. */
export const SECRET = 'what may hold a secret key (a logged key is lost)';

/** As many letters and digits as 64 bytes take in base58, base64 or hex; a list of numbers; a phrase: 12 words or more of its length. */
const KEYS = /[\w+/=-]{80,}|(\b\d+\W+){31,}\d+|(\b[a-z]{3,8}\s+){11,}[a-z]{3,8}/gi;

/** A text without keys of 64 bytes, which nothing tells from signatures, and without phrases that stand for one. */
export const hideKeys = (text: string): string => text.replace(KEYS, SECRET);

const MAX_CHARACTERS = 60;

/** The beginning of a text, or {@link SECRET} if there may be a key in it. */
export const shortened = (text: string): string =>
  hideKeys(text) !== text || text.includes('://')
    ? SECRET
    : text.length > MAX_CHARACTERS
      ? `${text.slice(0, MAX_CHARACTERS)}…`
      : text;

/** A value for an error message: short, without keys, and never throwing itself. A bigint has its `n`, which tells it from a number. */
export function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null)
    return 'then' in value ? 'a promise: await it' : Array.isArray(value) ? 'an array' : 'an object';
  if (typeof value === 'bigint') return shortened(`${value}n`);
  const shown = shortened(String(value));
  return typeof value === 'string' && shown !== SECRET ? JSON.stringify(shown) : shown;
}

/** More than 64 bytes take in any notation. */
const LONGER = /^[\w+/=-]{161}/;

/** Whether a text is a key, and no longer, such as a transaction. */
export const isKey = (text: string): boolean => hideKeys(text) !== text && !LONGER.test(text);

/** Whether a value is a key: 64 bytes or numbers. */
export function isKeyBytes(value: unknown): boolean {
  const { length, byteLength = length, 0: first = 0 } = Object(value) as Partial<Uint8Array>;
  return byteLength === 64 && typeof first === 'number';
}

/** {@link describe} for what should be an address, a signer, a hash or a transaction, in place of which people pass keys of any library. */
export function describeKey(value: unknown): string {
  const object = Object(value);
  if ('privateKey' in object || 'secretKey' in object || isKeyBytes(object))
    return 'a key pair: pass its address, or a signer that kit makes of it';
  return 'toBase58' in object ? 'a web3.js PublicKey: pass its toBase58()' : describe(value);
}
