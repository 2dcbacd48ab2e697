import type { HttpDocument } from './exchange.js';

/** A document as it is sent. */
export interface ServedDocument extends Omit<HttpDocument, 'body'> {
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** Serves a document that never changes. It is compressed once, and not sent to callers who have it already. */
export function unchanging(make: () => HttpDocument | Promise<HttpDocument>) {
  let made: ReturnType<typeof packed> | undefined;
  return async ({ headers: asked }: Request): Promise<ServedDocument> => {
    made ??= packed(make());
    const { body, compressed, tag, ...document } = await made;
    const headers = { ...document.headers, etag: `W/"${tag}"`, vary: 'accept-encoding' };
    if (asked.get('if-none-match')?.includes(`"${tag}"`)) return { status: 304, headers, body: '' };
    if (compressed === undefined || !ACCEPTS_GZIP.test(asked.get('accept-encoding') ?? ''))
      return { headers, body };
    return { headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
  };
}

/** The SHA-256 of a text, in base64. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

async function packed(making: HttpDocument | Promise<HttpDocument>) {
  const { headers, body } = await making;
  const made = { headers, body, tag: await hashOf(body), compressed: undefined };
  // Older versions of Bun lack it.
  if (typeof CompressionStream === 'undefined') return made;
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return { ...made, compressed: new Uint8Array(await new Response(stream).arrayBuffer()) };
}
