import type { RpcTransport } from '@solana/kit';

import { isHeavenError } from '../errors.js';
import { assertMilliseconds, inputError } from '../input.js';
import { isValidAddress } from '../solana/addresses.js';
import { SLOT_MS } from '../solana/limits.js';
import { clockSlotAmong } from '../solana/rpc/clock-slot.js';
import { type AccountFacts, expectedAt, faultOf } from '../solana/rpc/expected-accounts.js';
import { isHttpError } from '../solana/rpc/http-error.js';
import { createHttpTransport, rpcUrlOf } from '../solana/rpc/http-transport.js';
import { notify } from '../solana/rpc/notify.js';
import { networkCodeOf } from '../solana/rpc/send.js';
import { withinTime } from '../solana/rpc/within-time.js';

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
 * requests, is behind, returns an invalid answer or a clock far ahead of the last one, and skips the node that failed, for longer
 * each time. When all fail, the result is the last one's answer or error. A node that fails may have sent a transaction on, unless no connection to it
 * was made: if the next node then rejects it, the result is the first node's failure.
 * @param nodes URLs, `http:` or `https:`, or transports
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * import { createSolanaRpcFromTransport } from '@solana/kit';
 *
 * const transport = createFailoverTransport(['https://one.example', 'https://two.example']);
 * const client = createClient({ rpc: createSolanaRpcFromTransport(transport) });
 * ```
 */
export function createFailoverTransport(
  nodes: readonly (string | RpcTransport)[],
  { attemptTimeoutMs = 5_000, maxResponseBytes, observe }: FailoverConfig = {},
): RpcTransport {
  if (!Array.isArray(nodes) || nodes.length === 0)
    throw inputError('nodes', 'nodes must be a list of URLs or transports, not empty.');
  assertMilliseconds('attemptTimeoutMs', attemptTimeoutMs);
  const states = nodes.map(
    (node, index): NodeState => ({
      index,
      send:
        typeof node === 'function'
          ? node
          : createHttpTransport(rpcUrlOf(node, `nodes[${index}]`), { maxResponseBytes }),
      failures: 0,
      failedAt: Number.NEGATIVE_INFINITY,
      restsUntil: 0,
    }),
  );

  /** The newest clock of an answer that was returned. */
  let newest: { readonly slot: bigint; readonly readAt: number } | undefined;
  const accept = (clockSlot: bigint | undefined) => {
    if (clockSlot !== undefined && !(newest !== undefined && clockSlot <= newest.slot))
      newest = { slot: clockSlot, readAt: now() };
  };
  const isFarAhead = (clockSlot: bigint | undefined): clockSlot is bigint =>
    clockSlot !== undefined &&
    newest !== undefined &&
    Number(clockSlot - newest.slot) > MOST_SLOTS_AHEAD + (now() - newest.readAt) / SLOT_MS;

  const noteFailure = (
    node: NodeState,
    method: string,
    started: number,
    { reason, cooldownMs }: Complaint,
  ) => {
    // Concurrent requests that fail together count as one failure.
    if (cooldownMs !== 0 && (started > node.failedAt || node.failures === 0)) {
      node.failures += 1;
      node.failedAt = now();
    }
    const rest = cooldownMs ?? Math.min(MOST_REST_MS, FIRST_REST_MS * 2 ** (node.failures - 1));
    node.restsUntil = now() + rest;
    notify(observe, { node: node.index, method, reason, cooldownMs: rest });
  };

  const transport = async ({ payload, signal }: Parameters<RpcTransport>[0]): Promise<unknown> => {
    const method = String((payload as { readonly method?: unknown } | null)?.method);
    let last: () => unknown = () => undefined;
    let behind: (() => unknown) | undefined;
    /** The outcome of a node that may have forwarded a transaction. */
    let lost: (() => unknown) | undefined;
    let clockSlot: bigint | undefined;
    for (const node of bestFirst(states)) {
      const started = now();
      const { restsUntil } = node;
      // Only one request at a time probes whether a failed node is back.
      const probedUntil = node.failures > 0 ? started + attemptTimeoutMs : undefined;
      if (probedUntil !== undefined) node.restsUntil = probedUntil;
      let outcome: () => unknown;
      let complaint: Complaint | undefined;
      let isRefused: boolean;
      try {
        const response = await withinTime((within) => node.send({ payload, signal: within }), {
          ms: attemptTimeoutMs,
          abortSignal: signal,
          onTimeout: () => new TooSlow(`no answer within ${attemptTimeoutMs} ms`),
          onAbort: () => signal?.reason as unknown,
        });
        clockSlot = clockSlotIn(payload, response);
        complaint = isFarAhead(clockSlot)
          ? { reason: `its clock is at slot ${clockSlot}, far ahead of the last one` }
          : complaintOf(response, payload);
        isRefused = isRefusal(response);
        outcome = () => response;
      } catch (error) {
        clockSlot = undefined;
        if (signal?.aborted) {
          if (node.restsUntil === probedUntil) node.restsUntil = restsUntil;
          throw error;
        }
        complaint = { reason: reasonOf(error), cooldownMs: retryAfterMs(error) };
        isRefused = isHttpError(error)
          ? REFUSALS.includes(error.context.statusCode)
          : NOT_CONNECTED.includes(networkCodeOf(error) ?? '');
        outcome = () => {
          throw error;
        };
      }
      if (complaint === undefined) {
        node.failures = 0;
        node.restsUntil = 0;
        accept(clockSlot);
        // A rejection here doesn't prove that the transaction was not sent.
        return (isRefused && lost ? lost : outcome)();
      }
      if (method === 'sendTransaction' && !isRefused) lost ??= outcome;
      noteFailure(node, method, started, complaint);
      last = outcome;
      // A node that is behind will catch up, so its error is more useful than another node's absence.
      if (complaint.isBehind) behind = outcome;
    }
    const answer = lost ?? behind ?? last;
    // If every node is that far ahead, time has passed that this process didn't see, as after sleep.
    if (answer === last) accept(clockSlot);
    return answer();
  };
  return transport as RpcTransport;
}

interface NodeState {
  readonly index: number;
  readonly send: RpcTransport;
  failures: number;
  failedAt: number;
  restsUntil: number;
}

interface Complaint {
  readonly reason: string;
  /** Default: longer each time. */
  readonly cooldownMs?: number | undefined;
  readonly isBehind?: boolean;
}

/** How far a node's clock may be ahead of the last one, beyond the time since. */
const MOST_SLOTS_AHEAD = 150;
const FIRST_REST_MS = 1_000;
const MOST_REST_MS = 30_000;

/** JSON-RPC errors that are the node's fault, not the request's, and how long the node then rests. 0: no rest. */
const NODE_ERRORS: Readonly<Record<number, Omit<Complaint, 'reason'>>> = {
  // Node is behind or unhealthy; internal error.
  [-32005]: {},
  [-32603]: {},
  // Minimum context slot not reached; method not found; key excluded from the secondary indexes.
  [-32016]: { cooldownMs: 0, isBehind: true },
  [-32601]: { cooldownMs: 0 },
  [-32010]: { cooldownMs: 0 },
};

/** HTTP statuses for a rejected key or too many requests. The node did not run the request. */
const REFUSALS: readonly number[] = [401, 403, 429];
const INTERNAL_ERROR = -32603;
/** Node's codes for a connection that was never made. The node did not get the request. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** Whether a response says that the node did not run the request. */
function isRefusal(response: unknown): boolean {
  const { error } = (response ?? {}) as { readonly error?: { readonly code?: unknown } | null };
  return Boolean(error) && Number(error?.code) !== INTERNAL_ERROR;
}

const now = () => performance.now();

/** Healthy nodes in order, then resting nodes by the end of their rest. */
function bestFirst(nodes: readonly NodeState[]): readonly NodeState[] {
  const time = now();
  const rest = ({ restsUntil }: NodeState) => Math.max(0, restsUntil - time);
  return [...nodes].sort((a, b) => rest(a) - rest(b));
}

function complaintOf(response: unknown, payload: unknown): Complaint | undefined {
  const { error, result } = (response ?? {}) as {
    readonly error?: { readonly code?: unknown } | null;
    readonly result?: { readonly context?: { readonly slot?: unknown } | null } | null;
  };
  if (error) {
    const code = Number(error.code);
    const complaint = NODE_ERRORS[code];
    return complaint && { ...complaint, reason: `JSON-RPC error ${code}` };
  }
  if (result === undefined) return { reason: 'no JSON-RPC answer' };
  const slot = result?.context?.slot;
  const least = minContextSlotOf(payload);
  // A value that is not a slot is rejected later, when the answer is read.
  const isBehind = isSlot(least) && isSlot(slot) && slot < least;
  if (isBehind) return { reason: `it answered of slot ${slot}, before ${least}`, cooldownMs: 0, isBehind };
  const reason = wrongAccountIn(payload, response);
  return reason === undefined ? undefined : { reason };
}

/** The accounts that were asked for and those in the answer, if the call reads several. Empty lists if not. */
function accountsIn(payload: unknown, response: unknown) {
  const { method, params } = (payload ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  const [addresses] = Array.isArray(params) ? (params as unknown[]) : [];
  const value = (response as { readonly result?: { readonly value?: unknown } | null } | null)?.result?.value;
  return method === 'getMultipleAccounts' && Array.isArray(addresses) && Array.isArray(value)
    ? { addresses: addresses as readonly unknown[], value: value as readonly unknown[] }
    : { addresses: [], value: [] };
}

/**
 * Why an account in the answer can't be at its address, or `undefined`. Malformed accounts are rejected later, when the answer
 * is read.
 */
function wrongAccountIn(payload: unknown, response: unknown): string | undefined {
  const { addresses, value } = accountsIn(payload, response);
  for (const [index, address] of addresses.entries()) {
    const expected = expectedAt(String(address));
    const facts = expected && factsOf(value[index]);
    const reason = facts && faultOf(expected, facts);
    if (reason !== undefined) return `its account at ${address}: ${reason}`;
  }
  return undefined;
}

/** The slot in the clock account of an answer, if it holds that account. */
function clockSlotIn(payload: unknown, response: unknown): bigint | undefined {
  const { addresses, value } = accountsIn(payload, response);
  return clockSlotAmong(addresses, value);
}

function factsOf(account: unknown): AccountFacts | undefined {
  const { owner, data } = (account ?? {}) as { readonly owner?: unknown; readonly data?: unknown };
  const [text, encoding] = Array.isArray(data) ? (data as unknown[]) : [];
  if (typeof text !== 'string' || encoding !== 'base64' || !isValidAddress(owner)) return undefined;
  const size = Math.floor((text.replace(/=+$/, '').length * 3) / 4);
  try {
    return { owner, size, start: Uint8Array.from(atob(text.slice(0, 12)), (byte) => byte.charCodeAt(0)) };
  } catch {
    return undefined;
  }
}

const isSlot = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || Number.isInteger(value);

/** The request's `minContextSlot`, if it has one. */
function minContextSlotOf(payload: unknown): unknown {
  const { params } = (payload ?? {}) as { readonly params?: unknown };
  const config: unknown = Array.isArray(params) ? params.at(-1) : undefined;
  return (config as { readonly minContextSlot?: unknown } | null | undefined)?.minContextSlot;
}

/** A reason that can't contain the node's address. */
function reasonOf(error: unknown): string {
  if (error instanceof TooSlow) return error.message;
  if (isHttpError(error)) return `HTTP ${error.context.statusCode}`;
  if (isHeavenError(error, 'rpc-response-too-large'))
    return `its answer is longer than ${error.context.maxResponseBytes} bytes`;
  if (isHeavenError(error, 'rpc-invalid-response')) return error.context.reason;
  const code = networkCodeOf(error);
  return code === undefined ? 'it could not be reached' : `it could not be reached: ${code}`;
}

class TooSlow extends Error {}

/** The pause in milliseconds that a rate limit asks for. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isHttpError(error)) return undefined;
  const seconds = Number(error.context.headers?.get('retry-after') || Number.NaN);
  return seconds > 0 ? Math.min(MOST_REST_MS, seconds * 1000) : undefined;
}
