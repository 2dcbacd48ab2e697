import { HeavenError, isHeavenError } from '../../errors.js';
import { readText } from '../../solana/rpc/response-text.js';
import { withinTime } from '../../solana/rpc/within-time.js';
import type { MetadataFetch, MetadataProblem, MetadataResponse } from './types.js';
import { type Gateways, safeUrl } from './urls.js';

/** The limits for reading the JSON of one token. */
export interface JsonLimits {
  readonly fetch: MetadataFetch;
  readonly gateways: Gateways;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly abortSignal: AbortSignal | undefined;
}

/** The object at a URI, or why there is none. */
export type JsonOutcome =
  | { readonly json: object; readonly problem?: undefined }
  | { readonly json?: undefined; readonly problem: MetadataProblem };

const MOST_REDIRECTS = 3;

/** A problem with one token's JSON. */
class Trouble extends Error {
  readonly code: MetadataProblem['code'];

  constructor(code: MetadataProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads the JSON at an untrusted URI: only from public `https:` hosts, within a time and a size limit. Throws if the caller aborts. */
export async function readJson(uri: string, limits: JsonLimits): Promise<JsonOutcome> {
  const { timeoutMs, abortSignal } = limits;
  try {
    const text = await withinTime(async (signal) => await readSafely(uri, signal, limits), {
      ms: timeoutMs,
      abortSignal,
      onTimeout: () => new Trouble('timeout', `The metadata was not read within ${timeoutMs} ms.`),
      onAbort: () =>
        new HeavenError('aborted', 'Reading token metadata was aborted by the caller.', { method: 'fetch' }),
    });
    return { json: objectIn(text) };
  } catch (error) {
    if (abortSignal?.aborted && isHeavenError(error, 'aborted')) throw error;
    const { code, message } =
      error instanceof Trouble ? error : new Trouble('fetch-failed', 'The metadata could not be read.');
    return { problem: { code, source: 'uri', message } };
  }
}

async function readSafely(uri: string, signal: AbortSignal, limits: JsonLimits): Promise<string> {
  const { fetch, maxBytes } = limits;
  const ask = (url: string, redirect: 'manual' | 'follow') =>
    fetch(url, { signal, redirect, credentials: 'omit', referrerPolicy: 'no-referrer' });
  let url = checked(uri, limits);
  for (let redirects = 0; ; redirects++) {
    let response = await ask(url, 'manual');
    try {
      if (response.type === 'opaqueredirect') {
        response = await ask(url, 'follow');
        // A browser has followed redirects by now. If one led elsewhere, its response is not used.
        if (response.url) checked(response.url, limits);
      }
      if (!isRedirect(response)) return await textOf(response, maxBytes);
      if (redirects === MOST_REDIRECTS) throw new Trouble('fetch-failed', 'The metadata leads on too often.');
      url = checked(absolute(response.headers.get('location'), url), limits);
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

async function textOf(response: MetadataResponse, maxBytes: number): Promise<string> {
  if (!response.ok)
    throw new Trouble('fetch-failed', `The metadata was refused with HTTP ${response.status}.`);
  const text = await readText(response as unknown as Response, maxBytes);
  if (text === undefined) throw new Trouble('too-large', `The metadata is longer than ${maxBytes} bytes.`);
  return text;
}

/** Resolves a redirect's target, which may be relative. */
function absolute(location: string | null, from: string): string {
  try {
    return new URL(location ?? '', from).href;
  } catch {
    return '';
  }
}

function checked(uri: string, { gateways }: JsonLimits): string {
  const url = safeUrl(uri, gateways);
  if (url !== undefined) return url;
  throw new Trouble(
    'unsafe-url',
    'The URI is not an https: URL of a public host, and no gateway is set for it.',
  );
}

function objectIn(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Trouble('not-json', 'The metadata is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Trouble('not-json', 'The metadata is not a JSON object.');
  return value;
}
