import { HttpError, refuse } from './errors.js';
import type { Work } from './time-limit.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a JSON body. */
export async function jsonTextOf(request: Request, work: Work, maxBytes: number): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    const message = 'Send the header content-type: application/json.';
    refuse({ status: 415, code: 'unsupported-media-type', message });
  }
  work.isReceiving = true;
  const text = await textOf(request, maxBytes);
  work.isReceiving = false;
  return text;
}

/** The body as text. Keeps at most the limit in memory, whatever the headers say. */
async function textOf(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw bodyTooLarge(maxBytes);
  // A server reads no more than the declared length, and reading all at once is much faster than a stream.
  const bytes = await (declared === null ? readUpTo(maxBytes, request.body) : readAll(request));
  if (bytes.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  try {
    return utf8.decode(bytes);
  } catch {
    // Replacing the bytes would change the request.
    throw new HttpError({ status: 400, code: 'malformed-json', message: 'The body is not UTF-8.' });
  }
}

const readAll = (request: Request): Promise<ArrayBuffer> => request.arrayBuffer().catch(endedEarly);

async function readUpTo(maxBytes: number, body: ReadableStream<Uint8Array> | null): Promise<ArrayBuffer> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let size = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(endedEarly);
    if (done) break;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    size += value.byteLength;
    if (size > maxBytes) {
      void reader.cancel().catch(() => {});
      throw bodyTooLarge(maxBytes);
    }
  }
  return await new Blob(chunks).arrayBuffer();
}

const bodyTooLarge = (maxBytes: number) =>
  new HttpError({ status: 413, code: 'body-too-large', message: `The body is over ${maxBytes} bytes.` });

function endedEarly(cause: unknown): never {
  const reason = cause instanceof Error ? cause.name : 'the connection is gone';
  throw new HttpError({
    status: 400,
    code: 'incomplete-body',
    message: `The body ended early: ${reason}.`,
  });
}
