import type { Address } from '@solana/kit';

// Addresses as text and as bytes. By hand, as kit's codecs bring all of its error messages along: more than all of the rest of
// the remote client. They also take longer.

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SIZE = 32;

/** The 32 bytes of an address; `undefined` for a text that is none. */
export function addressBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length < SIZE || text.length > 44) return undefined;
  let value = 0n;
  for (const character of text) {
    const digit = BASE58_ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const zeros = text.search(/[^1]|$/);
  const hex = value === 0n ? '' : value.toString(16);
  if (zeros + Math.ceil(hex.length / 2) !== SIZE) return undefined;
  const padded = hex.padStart(SIZE * 2, '0');
  return Uint8Array.from({ length: SIZE }, (_, index) =>
    Number.parseInt(padded.slice(index * 2, index * 2 + 2), 16),
  );
}

/** The bytes of what is known to be an address. */
export function bytesOfAddress(address: Address): Uint8Array<ArrayBuffer> {
  const bytes = addressBytes(address);
  if (bytes === undefined) throw new TypeError('That is not a base58 address of 32 bytes.');
  return bytes;
}

/** The address of 32 bytes. */
export const addressText = (bytes: Uint8Array): Address => base58Text(bytes) as Address;

/**
 * The address in some data.
 * @throws {RangeError} when the data ends before it does
 */
export function addressAt(data: Uint8Array, offset: number): Address {
  const bytes = data.subarray(offset, offset + SIZE);
  if (bytes.length < SIZE) throw new RangeError('The address is cut short.');
  return addressText(bytes);
}

/** Any bytes in base58. */
export function base58Text(bytes: Uint8Array): string {
  let value = bytes.reduce((total, byte) => total * 256n + BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58_ALPHABET[Number(value % 58n)] + text;
  const first = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(first < 0 ? bytes.length : first) + text;
}
