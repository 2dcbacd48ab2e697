import type { MetadataFetch, MetadataProblem, MetadataResponse } from './types.js';
import { type Gateways, safeUrl } from './urls.js';

/** How to reach untrusted URIs. */
export interface SafeFetch {
  readonly fetch: MetadataFetch;
  readonly gateways: Gateways;
}

const MOST_REDIRECTS = 3;

/** A problem with what a URI leads to. */
export class Trouble extends Error {
  readonly code: MetadataProblem['code'];

  constructor(code: MetadataProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Fetches an untrusted URI and reads the response. Every redirect must lead to a public `https:` host too. */
export async function fetchSafely<T>(
  uri: string,
  signal: AbortSignal,
  { fetch, gateways }: SafeFetch,
  read: (response: MetadataResponse) => Promise<T>,
): Promise<T> {
  const ask = (url: string, redirect: 'manual' | 'follow') =>
    fetch(url, { signal, redirect, credentials: 'omit', referrerPolicy: 'no-referrer' });
  let url = checked(uri, gateways);
  for (let redirects = 0; ; redirects++) {
    let response = await ask(url, 'manual');
    try {
      if (response.type === 'opaqueredirect') {
        response = await ask(url, 'follow');
        // A browser has followed redirects by now. If one led elsewhere, its response is not used.
        if (response.url) checked(response.url, gateways);
      }
      if (!isRedirect(response)) return await read(response);
      if (redirects === MOST_REDIRECTS) throw new Trouble('fetch-failed', 'The URI leads on too often.');
      url = checked(absolute(response.headers.get('location'), url), gateways);
    } finally {
      drop(response);
    }
  }
}

/** Cancels the unread part of a response: a server could keep its connection open forever. */
function drop({ body }: MetadataResponse): void {
  const stream = body as Partial<Pick<ReadableStream, 'cancel'>> | null | undefined;
  stream?.cancel?.().catch(() => {});
}

const isRedirect = ({ status }: MetadataResponse): boolean => status >= 300 && status < 400 && status !== 304;

/** Resolves a redirect's target, which may be relative. */
function absolute(location: string | null, from: string): string {
  try {
    return new URL(location ?? '', from).href;
  } catch {
    return '';
  }
}

function checked(uri: string, gateways: Gateways): string {
  const url = safeUrl(uri, gateways);
  if (url !== undefined) return url;
  throw new Trouble(
    'unsafe-url',
    'The URI is not an https: URL of a public host, and no gateway is set for it.',
  );
}
