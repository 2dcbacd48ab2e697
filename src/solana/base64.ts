/**
 * The bytes of base64 text. By hand, as kit's codecs bring all of its error messages along.
 *
 * @throws what the engine throws for text that is not base64
 */
export function base64Bytes(text: string): Uint8Array {
  // Spaces and line breaks are the one thing that engines ignore.
  if (/\s/.test(text)) throw new TypeError('Base64 has no white space.');
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
