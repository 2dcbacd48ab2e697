import { assertWhole } from '../../base/input.js';

const FIRST_BUFFER_BYTES = 16_384;

/** The text of a response, or `undefined` beyond `maxBytes`, counted as they arrive, after decompression. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  // An engine without streams only has the whole text. Then it is too late to save memory.
  if (!response.body && !isTooLong(response, maxBytes)) {
    const text = await response.text();
    return text.length > maxBytes ? undefined : text;
  }
  const bytes = await readBytes(response, maxBytes);
  return bytes && new TextDecoder().decode(bytes);
}

const isTooLong = ({ headers }: Pick<Response, 'headers'>, maxBytes: number): boolean =>
  Number(headers.get('content-length')) > maxBytes;

/** The bytes of a response, or `undefined` if there is no stream of them, or more than `maxBytes`. */
export async function readBytes(
  response: Pick<Response, 'headers' | 'body'>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { body } = response;
  if (!body) return undefined;
  if (isTooLong(response, maxBytes)) {
    body.cancel().catch(() => {});
    return undefined;
  }
  const reader = body.getReader();
  // One buffer: kept apart, many tiny chunks would take far more memory than their bytes.
  let bytes = new Uint8Array(Math.min(FIRST_BUFFER_BYTES, maxBytes));
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, size);
    const end = size + value.byteLength;
    if (end > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    if (end > bytes.byteLength) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.byteLength)));
      larger.set(bytes.subarray(0, size));
      bytes = larger;
    }
    bytes.set(value, size);
    size = end;
  }
}

/** Rejects a limit that is not a whole number of bytes. */
export const assertMaxResponseBytes = (value: unknown): void =>
  assertWhole('maxResponseBytes', value, [1, Number.MAX_SAFE_INTEGER], 'a whole number of bytes over 0');
