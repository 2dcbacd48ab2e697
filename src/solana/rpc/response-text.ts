import { assertWhole } from '../../input.js';

const FIRST_BUFFER_BYTES = 16_384;

/** The text of a response, or `undefined` beyond `maxBytes`, counted as they arrive, after decompression. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const { body, headers } = response;
  if (Number(headers.get('content-length')) > maxBytes) {
    body?.cancel().catch(() => {});
    return undefined;
  }
  // An engine without streams only has the whole text. Then it is too late to save memory.
  if (!body) {
    const text = await response.text();
    return text.length > maxBytes ? undefined : text;
  }
  const reader = body.getReader();
  // One buffer: kept apart, many tiny chunks would take far more memory than their bytes.
  let bytes = new Uint8Array(Math.min(FIRST_BUFFER_BYTES, maxBytes));
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(bytes.subarray(0, size));
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
