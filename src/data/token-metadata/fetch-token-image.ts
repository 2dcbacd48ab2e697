import { HeavenError } from '../../errors.js';
import { assertMilliseconds, assertWhole, inputError, invalidInput } from '../../input.js';
import { readBytes } from '../../solana/rpc/response-text.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import { withinTime } from '../../solana/rpc/within-time.js';
import { fetchSafely, Trouble } from './fetch-safely.js';
import type { MetadataFetch, MetadataResponse } from './types.js';
import { gatewaysFrom, safeUrl } from './urls.js';

/** How to fetch an image, and its limits. */
export interface FetchTokenImageInput extends RequestOptions {
  /** The global `fetch`, or your own that uses a proxy. */
  readonly fetch: MetadataFetch;
  /** Default 1000000 bytes. */
  readonly maxBytes?: number | null | undefined;
  /** Default 8000 milliseconds. */
  readonly timeoutMs?: number | null | undefined;
}

/** The bytes of an image, and their type. */
export interface TokenImage {
  /** Such as `image/png`. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Not SVG: it is a document, and rendering one can be arbitrarily expensive. */
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/**
 * Fetches a token's image for a page to show from memory, as a blob URL: its host then sees one request, and nothing of what the page does later. Only
 * PNG, JPEG, GIF, WebP and AVIF, up to a size, and only from a public `https:` host.
 *
 * @param url The `image.value` of {@link getTokenMetadata} or {@link getUriMetadata}.
 * @returns `undefined` if the host refuses it, takes too long or redirects to one that is not public, or if it is of another type or too large.
 * @throws {HeavenError} `invalid-input`, `aborted`. Failures of `fetch` itself are passed on
 * @example
 * ```ts
 * const fetchImage = async () => new Response('an image', { headers: { 'content-type': 'image/png' } }); // or the global fetch
 * const image = await fetchTokenImage('https://example.com/token.png', { fetch: fetchImage });
 * console.log(image?.type, image && URL.createObjectURL(new Blob([image.bytes], { type: image.type })));
 * ```
 */
export async function fetchTokenImage(
  url: string,
  input: FetchTokenImageInput,
): Promise<TokenImage | undefined> {
  const { fetch, abortSignal } = input;
  const maxBytes = input.maxBytes ?? 1_000_000;
  const timeoutMs = input.timeoutMs ?? 8_000;
  if (typeof fetch !== 'function') throw invalidInput('fetch', fetch, 'a function such as the global fetch');
  assertWhole('maxBytes', maxBytes, [1, 16_777_216]);
  assertMilliseconds('timeoutMs', timeoutMs);
  const gateways = gatewaysFrom(undefined);
  const safe = typeof url === 'string' ? safeUrl(url, gateways) : undefined;
  if (safe === undefined) throw inputError('url', 'url must be an https: URL of a public host.', url);
  try {
    return await withinTime(
      async (signal) =>
        await fetchSafely(safe, signal, { fetch, gateways }, (found) => imageOf(found, maxBytes)),
      {
        ms: timeoutMs,
        abortSignal,
        onTimeout: () => new Trouble('timeout', `The image was not read within ${timeoutMs} ms.`),
        onAbort: () =>
          new HeavenError('aborted', 'Fetching a token image was aborted by the caller.', {
            method: 'fetch',
          }),
      },
    );
  } catch (error) {
    if (error instanceof Trouble) return undefined;
    throw error;
  }
}

async function imageOf(response: MetadataResponse, maxBytes: number): Promise<TokenImage | undefined> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  if (!response.ok || !TYPES.includes(type)) return undefined;
  const bytes = await readBytes(response as Response, maxBytes);
  return bytes && { type, bytes };
}
