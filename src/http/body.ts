import { isError } from '../base/input.js';

import { readBytes } from '../solana/rpc/response-text.js';
import { refuse } from './errors.js';
import type { Work } from './time-limit.js';

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });

/** The text of a JSON body. Keeps at most the limit in memory, whatever the headers say. */
export async function jsonTextOf(request: Request, work: Work, maxBytes: number): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    const message = 'Send the header content-type: application/json.';
    refuse({ status: 415, code: 'unsupported-media-type', message });
  }
  work.isReceiving = true;
  const bytes = await bytesOf(request, maxBytes).catch(endedEarly);
  work.isReceiving = false;
  if (bytes === undefined || bytes.byteLength > maxBytes)
    return refuse({ status: 413, code: 'body-too-large', message: `The body is over ${maxBytes} bytes.` });
  try {
    return utf8.decode(bytes);
  } catch {
    // Replacing the bytes would change the request.
    return refuse({ status: 400, code: 'malformed-json', message: 'The body is not UTF-8.' });
  }
}

/** The bytes of a body, or `undefined` if there are too many. */
async function bytesOf(request: Request, maxBytes: number): Promise<ArrayBuffer | Uint8Array | undefined> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) return undefined;
  // A server reads no more than the declared length, and reading all at once is much faster than a stream.
  if (declared !== null || request.body === null) return await request.arrayBuffer();
  return await readBytes(request, maxBytes);
}

function endedEarly(cause: unknown): never {
  const reason = isError(cause) ? cause.name : 'the connection is gone';
  refuse({ status: 400, code: 'incomplete-body', message: `The body ended early: ${reason}.` });
}
