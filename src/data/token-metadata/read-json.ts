import { HeavenError, isHeavenError } from '../../errors.js';
import { readText } from '../../solana/rpc/response-text.js';
import { withinTime } from '../../solana/rpc/within-time.js';
import { fetchSafely, type SafeFetch, Trouble } from './fetch-safely.js';
import type { MetadataProblem, MetadataResponse } from './types.js';

/** The limits for reading the JSON of one token. */
export interface JsonLimits extends SafeFetch {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly abortSignal: AbortSignal | undefined;
}

/** The object at a URI, or why there is none. */
export type JsonOutcome =
  | { readonly json: object; readonly problem?: undefined }
  | { readonly json?: undefined; readonly problem: MetadataProblem };

/** Reads the JSON at an untrusted URI: only from public `https:` hosts, within a time and a size limit. Throws if the caller aborts. */
export async function readJson(uri: string, limits: JsonLimits): Promise<JsonOutcome> {
  const { timeoutMs, abortSignal } = limits;
  try {
    const read = (response: MetadataResponse) => textOf(response, limits.maxBytes);
    const text = await withinTime(async (signal) => await fetchSafely(uri, signal, limits, read), {
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

async function textOf(response: MetadataResponse, maxBytes: number): Promise<string> {
  if (!response.ok)
    throw new Trouble('fetch-failed', `The metadata was refused with HTTP ${response.status}.`);
  const text = await readText(response as unknown as Response, maxBytes);
  if (text === undefined) throw new Trouble('too-large', `The metadata is longer than ${maxBytes} bytes.`);
  return text;
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
