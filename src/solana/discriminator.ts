/** The bytes of a discriminator in hex. */
export const hexBytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

export const startsWith = (data: ArrayLike<number>, prefix: Uint8Array): boolean =>
  data.length >= prefix.length && prefix.every((byte, index) => data[index] === byte);
