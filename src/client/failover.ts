import type { RpcTransport } from '@solana/kit';

import { isHeavenError } from '../base/errors.js';
import { assertFunction, assertMilliseconds, assertNames, inputError } from '../base/input.js';
import { isHttpError, networkCodeOf, throwingErrors } from '../solana/rpc/errors.js';
import { createHttpTransport, rpcUrlOf } from '../solana/rpc/http-transport.js';
import { notify } from '../solana/rpc/notify.js';
import { withinTime } from '../solana/timing.js';
import { isAheadOfClock } from './ahead-of-clock.js';

/** What a node did wrong, for logs and metrics. It leaves out the node's address, which may contain a key. */
export interface RpcNodeFailure {
  /** The index of the node, from 0. */
  readonly node: number;
  readonly method: string;
  readonly reason: string;
  /** How long the node is now only a last resort, in milliseconds. */
  readonly cooldownMs: number;
}

/** The limits of {@link createFailoverTransport}, and a callback for failures. */
export interface FailoverConfig {
  /** How long a node may take. Default 5000 milliseconds. Keep it below the client's `timeoutMs`. */
  readonly attemptTimeoutMs?: number;
  /** The most bytes in an answer of a node given by URL, decompressed. Default 16777216 (16 MiB). */
  readonly maxResponseBytes?: number;
  readonly observe?: (failure: RpcNodeFailure) => void;
}

/**
 * A transport over several nodes, best first. It asks the next node when one can't be reached, is too slow, limits
 * requests, is behind, or returns an invalid answer or a slot far ahead of the clock, and skips the node that failed, for longer each time. When all fail,
 * it throws the last one's error; a JSON-RPC error has the node's message in it. A node that fails may have sent a
 * transaction on, unless no connection to it was made: if the next node then rejects it, it throws the first node's failure.
 * @param nodes URLs, `http:` or `https:`, or transports
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * import { createSolanaRpcFromTransport } from '@solana/kit';
 *
 * const transport = createFailoverTransport(['https://one.example', 'https://two.example']);
 * const client = createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) });
 * ```
 */
export function createFailoverTransport(
  nodes: readonly (string | RpcTransport)[],
  config: FailoverConfig = {},
): RpcTransport {
  assertNames(config, 'config', { attemptTimeoutMs: 1, maxResponseBytes: 1, observe: assertFunction });
  const { attemptTimeoutMs = 5_000, maxResponseBytes, observe } = config;
  if (!Array.isArray(nodes) || nodes.length === 0)
    throw inputError('nodes', 'nodes must be a list of URLs or transports, not empty.');
  assertMilliseconds('attemptTimeoutMs', attemptTimeoutMs);
  const transports = nodes.map((node, index) =>
    typeof node === 'function'
      ? node
      : createHttpTransport(rpcUrlOf(node, `nodes[${index}]`), { maxResponseBytes }),
  );
  const failover = new Failover(transports, attemptTimeoutMs, observe);
  return throwingErrors((request) => failover.send(request));
}

type Request = Parameters<RpcTransport>[0];

/** How a node answered a request. */
interface Attempt {
  /** Returns the response, or throws what the node's transport threw. */
  readonly outcome: () => unknown;
  /** Why another node should be asked. */
  readonly fault: Fault | undefined;
  /** Whether the node did not run the request. */
  readonly isRefused: boolean;
}

interface Fault {
  readonly reason: string;
  /** Default: longer each time. 0: none. */
  readonly cooldownMs?: number | undefined;
  readonly isBehind?: boolean;
}

const FIRST_COOLDOWN_MS = 1_000;
const MAX_COOLDOWN_MS = 30_000;

const now = () => performance.now();

class Failover {
  readonly #nodes: readonly FailoverNode[];
  readonly #attemptTimeoutMs: number;
  readonly #observe: FailoverConfig['observe'];

  constructor(
    transports: readonly RpcTransport[],
    attemptTimeoutMs: number,
    observe: FailoverConfig['observe'],
  ) {
    this.#nodes = transports.map((transport, index) => new FailoverNode(transport, index));
    this.#attemptTimeoutMs = attemptTimeoutMs;
    this.#observe = observe;
  }

  async send(request: Request): Promise<unknown> {
    const method = String((request.payload as { readonly method?: unknown } | null)?.method);
    /** The outcome of the first node that may have forwarded a transaction. */
    let uncertain: Attempt | undefined;
    let behind: Attempt | undefined;
    let last: Attempt | undefined;
    for (const node of this.#bestFirst()) {
      const started = now();
      last = await node.attempt(request, this.#attemptTimeoutMs);
      const { fault } = last;
      if (fault === undefined) {
        node.recover();
        // A rejection here doesn't prove that the transaction was not sent.
        return (last.isRefused && uncertain ? uncertain : last).outcome();
      }
      if (method === 'sendTransaction' && !last.isRefused) uncertain ??= last;
      // A node that is behind will catch up, so its error is more useful than another node's absence.
      if (fault.isBehind) behind = last;
      const cooldownMs = node.fail(started, fault.cooldownMs);
      notify(this.#observe, { node: node.index, method, reason: fault.reason, cooldownMs });
    }
    return (uncertain ?? behind ?? last)?.outcome();
  }

  /** Healthy nodes in order, then failed nodes by the end of their cooldown. */
  #bestFirst(): readonly FailoverNode[] {
    const time = now();
    return [...this.#nodes].sort((a, b) => a.cooldownMs(time) - b.cooldownMs(time));
  }
}

/** A node, and how long it is now only a last resort. */
class FailoverNode {
  readonly index: number;
  readonly #transport: RpcTransport;
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #lastResortUntil = 0;

  constructor(transport: RpcTransport, index: number) {
    this.#transport = transport;
    this.index = index;
  }

  cooldownMs(time: number): number {
    return Math.max(0, this.#lastResortUntil - time);
  }

  /** Asks the node. Throws only if the caller aborts. */
  async attempt({ payload, signal }: Request, timeoutMs: number): Promise<Attempt> {
    // Only one request at a time finds out whether a failed node is back.
    if (this.#failures > 0) this.#lastResortUntil = now() + timeoutMs;
    try {
      const response = await withinTime((within) => this.#transport({ payload, signal: within }), {
        ms: timeoutMs,
        abortSignal: signal,
        onTimeout: () => new TooSlow(`no answer within ${timeoutMs} ms`),
        onAbort: () => signal?.reason as unknown,
      });
      return answered(response, payload);
    } catch (error) {
      if (signal?.aborted) throw error;
      return failed(error);
    }
  }

  recover(): void {
    this.#failures = 0;
    this.#lastResortUntil = 0;
  }

  /** Makes the node a last resort. Returns for how long. Requests that fail together count as one failure. */
  fail(started: number, cooldownMs: number | undefined): number {
    if (cooldownMs !== 0 && (started > this.#failedAt || this.#failures === 0)) {
      this.#failures += 1;
      this.#failedAt = now();
    }
    const ms = cooldownMs ?? Math.min(MAX_COOLDOWN_MS, FIRST_COOLDOWN_MS * 2 ** (this.#failures - 1));
    this.#lastResortUntil = now() + ms;
    return ms;
  }
}

const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;
const INTERNAL_ERROR = -32603;
/** The node is behind or unhealthy, or failed. */
const UNHEALTHY: readonly number[] = [-32005, INTERNAL_ERROR];
/** Another node may be able to: also method not found, and a key excluded from the secondary indexes. */
const UNABLE: readonly number[] = [MIN_CONTEXT_SLOT_NOT_REACHED, -32601, -32010];

/** The fault of a node that answers with a JSON-RPC error, or `undefined` if the request is at fault. */
function faultOf(code: number): Fault | undefined {
  const reason = `JSON-RPC error ${code}`;
  if (UNHEALTHY.includes(code)) return { reason };
  if (!UNABLE.includes(code)) return undefined;
  return { reason, cooldownMs: 0, isBehind: code === MIN_CONTEXT_SLOT_NOT_REACHED };
}

function answered(response: unknown, payload: unknown): Attempt {
  const outcome = () => response;
  const { error, result } = (response ?? {}) as {
    readonly error?: { readonly code?: unknown } | null;
    readonly result?: unknown;
  };
  if (error) {
    const code = Number(error.code);
    return { outcome, fault: faultOf(code), isRefused: code !== INTERNAL_ERROR };
  }
  return { outcome, fault: faultOfResult(result, payload), isRefused: false };
}

function faultOfResult(result: unknown, payload: unknown): Fault | undefined {
  if (result === undefined) return { reason: 'no JSON-RPC answer' };
  const { method, params } = Object(payload) as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'getMultipleAccounts' || !Array.isArray(params)) return undefined;
  return isAheadOfClock(params[0], result) ? { reason: 'its slot is far ahead of its clock' } : undefined;
}

/** HTTP statuses for a rejected key or too many requests. The node did not run the request. */
const REFUSALS: readonly number[] = [401, 403, 429];
/** Node's codes for a connection that was never made. The node did not get the request. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

function failed(error: unknown): Attempt {
  const isRefused = isHttpError(error)
    ? REFUSALS.includes(error.context.statusCode)
    : NOT_CONNECTED.includes(networkCodeOf(error) ?? '');
  const outcome = () => {
    throw error;
  };
  return { outcome, fault: { reason: reasonOf(error), cooldownMs: retryAfterMs(error) }, isRefused };
}

/** A reason that can't contain the node's address. */
function reasonOf(error: unknown): string {
  if (error instanceof TooSlow) return error.message;
  if (isHttpError(error)) return `HTTP ${error.context.statusCode}`;
  if (isHeavenError(error, 'rpc-invalid-response')) return error.context.reason;
  const code = networkCodeOf(error);
  return code === undefined ? 'it could not be reached' : `it could not be reached: ${code}`;
}

class TooSlow extends Error {}

/** The pause in milliseconds that a rate limit asks for. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isHttpError(error)) return undefined;
  const seconds = Number(error.context.headers?.get('retry-after') || Number.NaN);
  return seconds > 0 ? Math.min(MAX_COOLDOWN_MS, seconds * 1000) : undefined;
}
