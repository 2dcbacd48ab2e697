import type { Address } from '@solana/kit';

// Addresses as text and as bytes. Written by hand: kit's codecs bundle all of its error messages, more than the rest of the
// remote client, and are slower.

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SIZE = 32;

/** Digits that are read or written at once, and what so many of them count to: times 16 bits, it is exact as a number. */
const CHUNK = 5;
const CHUNK_RANGE = 656_356_768; // 58^5
const LIMB_RANGE = 0x1_0000;

/** The 32 bytes of an address; `undefined` for any other text. */
export function addressBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length < SIZE || text.length > 44) return undefined;
  // 16 bits each, the lowest first. 44 digits need one more than an address has.
  const limbs: number[] = new Array(SIZE / 2 + 1).fill(0);
  for (let start = 0; start < text.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, text.length);
    let carry = 0;
    let factor = 1;
    for (let index = start; index < end; index++) {
      const digit = BASE58_ALPHABET.indexOf(text.charAt(index));
      if (digit < 0) return undefined;
      carry = carry * 58 + digit;
      factor *= 58;
    }
    for (let index = 0; index < limbs.length; index++) {
      const value = (limbs[index] as number) * factor + carry;
      carry = Math.floor(value / LIMB_RANGE);
      limbs[index] = value - carry * LIMB_RANGE;
    }
  }
  if (limbs[SIZE / 2] !== 0) return undefined;
  const bytes = new Uint8Array(SIZE);
  for (let index = 0; index < SIZE; index++)
    bytes[SIZE - 1 - index] = (limbs[index >> 1] as number) >> (8 * (index & 1));
  const first = bytes.findIndex((byte) => byte !== 0);
  return text.search(/[^1]|$/) === (first < 0 ? SIZE : first) ? bytes : undefined;
}

/** The bytes of a known address. */
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
  /** Digits of base 58, so many in each, the lowest first. */
  const chunks: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let index = 0; index < chunks.length; index++) {
      const value = (chunks[index] as number) * 256 + carry;
      carry = Math.floor(value / CHUNK_RANGE);
      chunks[index] = value - carry * CHUNK_RANGE;
    }
    if (carry > 0) chunks.push(carry);
  }
  let text = '';
  for (const chunk of chunks) {
    let rest = chunk;
    for (let digit = 0; digit < CHUNK; digit++) {
      text = BASE58_ALPHABET.charAt(rest % 58) + text;
      rest = Math.floor(rest / 58);
    }
  }
  const first = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(first < 0 ? bytes.length : first) + text.replace(/^1+/, '');
}
