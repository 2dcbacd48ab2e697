import type { Address } from '@solana/kit';
import { addressText, bytesOfAddress } from './base58.js';

/** Ed25519: the prime of its field, and the constant of its curve. */
const P =
  57_896_044_618_658_097_711_785_492_504_343_953_926_634_992_332_820_282_019_728_792_003_956_564_819_949n;
const D =
  37_095_705_934_669_439_343_138_083_508_754_565_189_542_113_879_843_219_016_388_785_533_085_940_283_555n;

/** Whether 32 bytes are a point of the curve, so that they may be somebody's public key. */
export function isOnCurve(bytes: Uint8Array): boolean {
  const number = bytes.reduceRight((total, byte) => total * 256n + BigInt(byte), 0n);
  const y = number % 2n ** 255n;
  const u = (y * y - 1n + P) % P;
  const v = (D * y * y + 1n) % P;
  const square = (u * v) % P;
  // x is 0, and has no sign.
  if (square === 0n) return number === y;
  // Euler's criterion, without its inverse: a square to the power of (P - 1) / 2, which is 2^254 - 10, is 1.
  let power = square;
  for (let count = 0; count < 254; count++) power = (power * power) % P;
  return power === square ** 10n % P;
}

/** The address that a program derives from texts and bytes: the first, by falling bump, that is nobody's public key. */
export async function programDerivedAddress(
  programAddress: Address,
  seeds: readonly (string | Uint8Array)[],
): Promise<Address> {
  const bytesOf = (seed: string | Uint8Array) => [
    ...(typeof seed === 'string' ? new TextEncoder().encode(seed) : seed),
  ];
  const before = seeds.flatMap(bytesOf);
  const after = [bytesOfAddress(programAddress), 'ProgramDerivedAddress'].flatMap(bytesOf);
  for (let bump = 255; bump >= 0; bump--) {
    const hash = await crypto.subtle.digest('SHA-256', Uint8Array.of(...before, bump, ...after));
    const bytes = new Uint8Array(hash);
    if (!isOnCurve(bytes)) return addressText(bytes);
  }
  throw new Error('No seeds are without an address.');
}
