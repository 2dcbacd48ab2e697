/** The bytes of a discriminator in hex. */
export const hexBytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

export function startsWith(data: ArrayLike<number>, prefix: ArrayLike<number>): boolean {
  for (let index = 0; index < prefix.length; index++) if (data[index] !== prefix[index]) return false;
  return true;
}
