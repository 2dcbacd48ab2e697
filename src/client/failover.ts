import type { RpcTransport } from '@solana/kit';

import { type AnyHeavenError, type HeavenErrorContexts, isHeavenError } from '../base/errors.js';
import { assertFunction, assertMilliseconds, assertNames, inputError } from '../base/input.js';
import {
  behind,
  isHttpError,
  networkCodeOf,
  rpcError,
  throwingErrors,
  timedOut,
} from '../solana/rpc/errors.js';
import { createHttpTransport, rpcUrlOf } from '../solana/rpc/http-transport.js';
import { notify } from '../solana/rpc/notify.js';
import { pause, withinTime } from '../solana/timing.js';
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

/** How a node does now, for metrics. */
export interface RpcNodeState {
  /** How long the node is only a last resort, in milliseconds. */
  readonly cooldownMs: number;
  /** How many slots it lacked of the `minContextSlot` of a request, when it last answered one. */
  readonly slotsBehind: number;
}

/** A transport over several nodes, which tells how each of them does. */
export type FailoverTransport = RpcTransport & { readonly nodes: () => readonly RpcNodeState[] };

/** The limits of {@link createFailoverTransport}, and a callback for failures. */
export interface FailoverConfig {
  /**
   * How long a request may take, whichever nodes are asked. Default 5000 milliseconds. Keep it below the client's `timeoutMs`. A node
   * that is silent for its share, half of this with two nodes, is late: the next one is asked too, and the first answer counts.
   */
  readonly attemptTimeoutMs?: number;
  /** The most bytes in an answer of a node given by URL, decompressed. Default 16777216 (16 MiB). */
  readonly maxResponseBytes?: number;
  readonly observe?: (failure: RpcNodeFailure) => void;
}

/**
 * A transport over several nodes, best first. It asks the next node when one can't be reached, is late, limits requests, is behind
 * (also if its answer is older than the request's `minContextSlot`), or returns an invalid answer or a slot far ahead of the clock, and
 * skips the node that failed, for longer each time. When all fail, it throws the error of one that is behind or limits requests, which
 * will pass, or the last one's; a JSON-RPC error has the node's message in it. A node that fails or is late may have sent a
 * transaction on, unless it refused the request: if the next node then rejects it, it throws the first node's failure.
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
): FailoverTransport {
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
  const send = ((request: Request) => failover.send(request)) as RpcTransport;
  return Object.assign(send, { nodes: () => failover.states() });
}

type Request = Parameters<RpcTransport>[0];

/** How a node answered a request. */
interface Attempt {
  readonly node: FailoverNode;
  readonly started: number;
  /** Returns the response, or throws what the node's transport threw. */
  readonly outcome: () => unknown;
  /** Why another node should be asked. */
  readonly fault?: Fault | undefined;
  /** Whether the node did not run the request. */
  readonly isRefused: boolean;
}

interface Fault {
  readonly reason: string;
  /** Default: longer each time. 0: none. */
  readonly cooldownMs?: number | undefined;
  /** It will pass soon, so this error is more useful than another node's absence. */
  readonly passes?: 'behind' | 'limit';
}

const FIRST_COOLDOWN_MS = 1_000;
const MAX_COOLDOWN_MS = 30_000;
/** Why attempts are aborted that nobody waits for. A reason of our own is much cheaper than the default one. */
const OVER = 'over';

const now = () => performance.now();

class Failover {
  readonly #nodes: readonly FailoverNode[];
  readonly #timeoutMs: number;
  readonly #observe: FailoverConfig['observe'];

  constructor(transports: readonly RpcTransport[], timeoutMs: number, observe: FailoverConfig['observe']) {
    this.#nodes = transports.map((transport, index) => new FailoverNode(transport, index));
    this.#timeoutMs = timeoutMs;
    this.#observe = observe;
  }

  states(): readonly RpcNodeState[] {
    const time = now();
    return this.#nodes.map((node) => ({
      cooldownMs: node.cooldownMs(time),
      slotsBehind: node.slotsBehind,
    }));
  }

  async send({ payload, signal }: Request): Promise<unknown> {
    const over = new AbortController();
    const leave = () => over.abort(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave);
    try {
      return (await this.#ask(payload, over.signal)).outcome();
    } finally {
      signal?.removeEventListener('abort', leave);
      over.abort(OVER);
    }
  }

  /** Asks one node after another, the next one beside those that are late. The signal ends what is left of that. */
  async #ask(payload: unknown, signal: AbortSignal): Promise<Attempt> {
    const method = String((payload as { readonly method?: unknown } | null)?.method);
    const isSending = method === 'sendTransaction';
    const others = this.#bestFirst();
    const shareMs = this.#timeoutMs / others.length;
    const deadline = now() + this.#timeoutMs;
    const running = new Map<FailoverNode, Promise<Attempt>>();
    const late = new Set<FailoverNode | undefined>();
    const failed: Attempt[] = [];
    while (others.length > 0 || running.size > 0) {
      const node = others.shift();
      const started = now();
      const limitMs = Math.max(shareMs, deadline - started);
      if (node) running.set(node, node.attempt({ payload, signal }, method, limitMs));
      const share = node && others.length > 0 ? [pause(shareMs, signal)] : [];
      const attempt = await Promise.race([...running.values(), ...share]);
      if (signal.aborted) throw signal.reason;
      if (!attempt) {
        const reason = `no answer within ${Math.round(shareMs)} ms`;
        if (node) this.#blame(node, method, started, { reason });
        late.add(node);
        continue;
      }
      running.delete(attempt.node);
      if (attempt.fault === undefined) {
        attempt.node.recover();
        // A rejection doesn't prove that no node before has sent the transaction on.
        if (!(isSending && attempt.isRefused)) return attempt;
        others.length = 0;
      } else if (!late.has(attempt.node)) this.#blame(attempt.node, method, attempt.started, attempt.fault);
      failed.push(attempt);
    }
    return (
      (isSending ? failed.find(({ isRefused }) => !isRefused) : undefined) ??
      failed.find(({ fault }) => fault === undefined) ??
      failed.find(({ fault }) => fault?.passes === 'behind') ??
      failed.find(({ fault }) => fault?.passes === 'limit') ??
      (failed.at(-1) as Attempt)
    );
  }

  #blame(node: FailoverNode, method: string, started: number, { reason, cooldownMs }: Fault): void {
    notify(this.#observe, { node: node.index, method, reason, cooldownMs: node.fail(started, cooldownMs) });
  }

  /** Healthy nodes in order, then failed nodes by the end of their cooldown. */
  #bestFirst(): FailoverNode[] {
    const time = now();
    return [...this.#nodes].sort((a, b) => a.cooldownMs(time) - b.cooldownMs(time));
  }
}

/** A node, and how long it is now only a last resort. */
class FailoverNode {
  readonly index: number;
  slotsBehind = 0;
  readonly #transport: RpcTransport;
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #lastResortUntil = 0;

  constructor(transport: RpcTransport, index: number) {
    this.#transport = throwingErrors(async (request) => {
      const response: unknown = await transport(request);
      this.slotsBehind = slotsBehind(response, request.payload) ?? this.slotsBehind;
      return response;
    });
    this.index = index;
  }

  cooldownMs(time: number): number {
    return Math.max(0, this.#lastResortUntil - time);
  }

  /** Asks the node. Throws only if nobody waits for it any more. */
  async attempt({ payload, signal }: Required<Request>, method: string, ms: number): Promise<Attempt> {
    const started = now();
    // Only one request at a time finds out whether a failed node is back.
    if (this.#failures > 0) this.#lastResortUntil = started + ms;
    try {
      const response = await withinTime((within) => this.#transport({ payload, signal: within }), {
        ms,
        abortSignal: signal,
        onTimeout: () => timedOut(method, Math.round(ms)),
        onAbort: () => signal.reason as unknown,
      });
      return { node: this, started, outcome: () => response, ...answered(response, payload) };
    } catch (error) {
      if (signal.aborted) throw error;
      const outcome = () => {
        throw error;
      };
      const failure = (isHeavenError(error) ? error : await rpcError(method, error)) as AnyHeavenError;
      return { node: this, started, outcome, ...failed(failure) };
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

type Answer = Pick<Attempt, 'fault' | 'isRefused'>;

/** What a response is worth. Throws `rpc-behind` for a result that is older than the request asks for. */
function answered(response: unknown, payload: unknown): Answer {
  const { error, result } = Object(response) as Fields;
  // The error of a preflight, or no error of a node: every other one was thrown.
  if (error) return { isRefused: true };
  if (result === undefined) return { fault: { reason: 'no JSON-RPC answer' }, isRefused: false };
  const { method, params } = Object(payload) as Fields;
  if (Number(slotsBehind(response, payload)) > 0)
    throw behind(String(method), BigInt(leastSlotOf(payload) as number));
  const isAhead = method === 'getMultipleAccounts' && isAheadOfClock(Object(params)[0], result);
  return { fault: isAhead ? { reason: 'its slot is far ahead of its clock' } : undefined, isRefused: false };
}

type Fields = Readonly<Record<string, unknown>>;

const leastSlotOf = (payload: unknown): number | undefined => {
  const { params } = Object(payload) as Fields;
  return Array.isArray(params) ? Object(params.at(-1)).minContextSlot : undefined;
};

/** How many slots a response, or the error of a node that is behind, lacks of those that the request asks for, if both say. */
function slotsBehind(response: unknown, payload: unknown): number | undefined {
  const { error, result } = Object(response) as Fields;
  const slot = Object(Object(result).context).slot ?? Object(Object(error).data).contextSlot;
  const lacking = Number(leastSlotOf(payload)) - Number(slot);
  return Number.isNaN(lacking) ? undefined : Math.max(0, lacking);
}

const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;
const INTERNAL_ERROR = -32603;
/** The node is behind or unhealthy, or failed. */
const UNHEALTHY: readonly number[] = [-32005, INTERNAL_ERROR];
/** Another node may be able to: also method not found, and a key excluded from the secondary indexes. */
const UNABLE: readonly number[] = [MIN_CONTEXT_SLOT_NOT_REACHED, -32601, -32010];
/** HTTP statuses for a rejected key. */
const REJECTED: readonly number[] = [401, 403];
/** HTTP statuses for what a node can't read or finds too long. Another node may be able to. */
const UNREADABLE: readonly number[] = [400, 413, 414, 415, 422, 431];
/** Node's codes for a connection that was never made. The node did not get the request. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** What an error is worth. Its reason can't contain the node's address. */
function failed(error: AnyHeavenError): Answer {
  switch (error.code) {
    case 'rpc-rate-limited': {
      const { retryAfterSeconds: seconds } = error.context;
      const cooldownMs = seconds === undefined ? seconds : Math.min(MAX_COOLDOWN_MS, seconds * 1000);
      // A gateway that is overloaded, HTTP 503, may have passed the request on.
      const isRefused = !isHttpError(error.cause) || error.cause.context.statusCode === 429;
      return { fault: { reason: 'too many requests', cooldownMs, passes: 'limit' }, isRefused };
    }
    case 'rpc-behind':
      return { fault: { reason: 'it is behind', cooldownMs: 0, passes: 'behind' }, isRefused: true };
    case 'rpc-timeout':
      return { fault: { reason: `no answer within ${error.context.timeoutMs} ms` }, isRefused: false };
    case 'rpc-invalid-response':
      return { fault: { reason: error.context.reason }, isRefused: false };
  }
  const { status, rpcCode } = error.context as HeavenErrorContexts['rpc-failed'];
  if (rpcCode !== undefined) return { fault: faultOf(rpcCode), isRefused: rpcCode !== INTERNAL_ERROR };
  if (status !== undefined) {
    const isUnreadable = UNREADABLE.includes(status);
    const fault = { reason: `HTTP ${status}`, ...(isUnreadable ? { cooldownMs: 0 } : {}) };
    return { fault, isRefused: isUnreadable || REJECTED.includes(status) };
  }
  const code = networkCodeOf(error.cause);
  const reason = `it could not be reached${code === undefined ? '' : `: ${code}`}`;
  return { fault: { reason }, isRefused: NOT_CONNECTED.includes(code ?? '') };
}

/** The fault of a node that answers with a JSON-RPC error, or `undefined` if the request is at fault. */
function faultOf(code: number): Fault | undefined {
  const reason = `JSON-RPC error ${code}`;
  if (UNHEALTHY.includes(code)) return { reason };
  if (!UNABLE.includes(code)) return undefined;
  return { reason, cooldownMs: 0, ...(code === MIN_CONTEXT_SLOT_NOT_REACHED ? { passes: 'behind' } : {}) };
}
