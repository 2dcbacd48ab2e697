/** Hex written by hand, in groups, as one string. */
export const hex = (...groups: readonly string[]): string => groups.join('').replaceAll(/\s/g, '');

export const bytesOf = (...groups: readonly string[]): Uint8Array =>
  Uint8Array.from(Buffer.from(hex(...groups), 'hex'));

export const hexOf = (bytes: ArrayLike<number>): string => Buffer.from(Array.from(bytes)).toString('hex');

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
