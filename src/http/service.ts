import { isHeavenError } from '../base/errors.js';
import { parseJson } from '../base/json.js';
import { outsideText } from '../base/text.js';
import { readText } from '../solana/rpc/response-text.js';
import { pause, withinTime } from '../solana/timing.js';
import { aborted, errorOf, failed, retryAfterIn } from './service-errors.js';

/** A service, and the limits of its client. */
export interface Service {
  readonly baseUrl: string;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly headers: Headers;
  readonly fetch: typeof fetch;
}

/** A request to a service. */
interface Request {
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly abortSignal: AbortSignal | undefined;
}

const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const FIRST_WAIT_MS = 200;
/** If the service asks for a longer pause, the client gives up. */
const MAX_WAIT_MS = 10_000;

/**
 * Posts a request, with as many retries as the client allows, and returns the answer.
 *
 * @throws {HeavenError} `aborted`, `service-failed`, and the service's own error codes
 */
export async function post(service: Service, request: Request): Promise<unknown> {
  const { retries } = service;
  const { path, abortSignal } = request;
  for (let attempt = 0; ; attempt++) {
    let error: unknown;
    let waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random()));
    try {
      const { status, headers, text } = await sendOnce(service, request);
      if (status === 200) return json(path, text);
      error = errorOf(path, status, headers, text);
      if (!PASSING.has(status)) throw error;
      const asked = retryAfterIn(headers);
      if (asked !== undefined) waitMs = asked * 1_000;
    } catch (cause) {
      if (isHeavenError(cause)) throw cause;
      if (abortSignal?.aborted) throw aborted(path);
      // Some engines name the URL.
      const reason = String((cause as Error | null | undefined)?.message ?? 'no reason given');
      error = failed(path, `it could not be reached: ${outsideText(reason)}`, {}, cause);
    }
    if (attempt >= retries || waitMs > MAX_WAIT_MS) throw error;
    // After an abort, the next attempt ends before it sends anything.
    await pause(waitMs, abortSignal ?? new AbortController().signal);
  }
}

async function sendOnce(
  { baseUrl, headers: own, timeoutMs, maxResponseBytes, fetch: send }: Service,
  { path, query, body, abortSignal }: Request,
) {
  const read = async (signal: AbortSignal) => {
    const headers = new Headers(own);
    headers.set('content-type', 'application/json');
    // A redirect must not carry the headers to another host.
    const init: RequestInit = { method: 'POST', headers, body, signal, redirect: 'manual' };
    const response = await send(`${baseUrl}${path}${query}`, init);
    const { status, headers: received } = response;
    const text = await readText(response, maxResponseBytes);
    const tooLong = `its answer is longer than ${maxResponseBytes} bytes (maxResponseBytes)`;
    if (text === undefined) throw failed(path, tooLong, { status });
    return { status, headers: received, text };
  };
  return await withinTime(read, {
    ms: timeoutMs,
    abortSignal,
    onTimeout: () => new Error(`no answer within ${timeoutMs} ms`),
    onAbort: () => new Error('the caller aborted'),
  });
}

function json(path: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw failed(path, 'its answer is not valid JSON', { status: 200 }, cause);
  }
}
