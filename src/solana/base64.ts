/**
 * The bytes of base64 text. Written by hand: kit's codecs bundle all of its error messages.
 *
 * @throws what the engine throws for text that is not base64
 */
export function base64Bytes(text: string): Uint8Array {
  // Engines ignore nothing but spaces and line breaks.
  if (/\s/.test(text)) throw new TypeError('Base64 has no white space.');
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
