import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit';

import { rpcUrlOf } from '../client.js';
import { HeavenError } from '../errors.js';

/** What a node did wrong, for logs and metrics. Its address is not among it: many carry a key. */
export interface NodeFailure {
  /** Which of the nodes, from 0. */
  readonly node: number;
  readonly method: string;
  readonly reason: string;
  /** How long it is now asked only as a last resort. */
  readonly restMs: number;
}

export interface FailoverConfig {
  /** How long a node may take before the next one is asked. Default 5000 milliseconds. */
  readonly attemptMs?: number;
  readonly onFailure?: (failure: NodeFailure) => void;
}

/**
 * A transport over several nodes, best first. The next one is asked when a node can't be reached, is too slow, refuses for
 * its limits, or is behind what the request needs; the one that failed then rests, for longer each time, and is tried again
 * by itself. When all fail, the last one's answer or error is the outcome.
 *
 * @param nodes URLs, `http:` or `https:`, or transports
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const transport = createFailoverTransport(['https://one.example', 'https://two.example']);
 * const client = createClient({ rpc: createSolanaRpcFromTransport(transport) });
 * ```
 */
export function createFailoverTransport(
  nodes: readonly (string | RpcTransport)[],
  { attemptMs = 5_000, onFailure }: FailoverConfig = {},
): RpcTransport {
  if (!Array.isArray(nodes) || nodes.length === 0) {
    throw new HeavenError('invalid-input', 'nodes must be a list of URLs or transports, not empty.', {
      field: 'nodes',
    });
  }
  const states = nodes.map(
    (node, index): NodeState => ({
      index,
      send:
        typeof node === 'function'
          ? node
          : createDefaultRpcTransport({ url: rpcUrlOf(node, `nodes[${index}]`) }),
      failures: 0,
      restsUntil: 0,
    }),
  );

  const noteFailure = (node: NodeState, method: string, { reason, restMs }: Complaint) => {
    if (restMs !== 0) node.failures += 1;
    const rest = restMs ?? Math.min(MOST_REST_MS, FIRST_REST_MS * 2 ** (node.failures - 1));
    node.restsUntil = now() + rest;
    onFailure?.({ node: node.index, method, reason, restMs: rest });
  };

  const transport = async ({ payload, signal }: Parameters<RpcTransport>[0]): Promise<unknown> => {
    const method = String((payload as { readonly method?: unknown } | null)?.method);
    let outcome: () => unknown = () => undefined;
    for (const node of bestFirst(states)) {
      // One request at a time finds out whether a node that failed is back.
      if (node.failures > 0) node.restsUntil = now() + attemptMs;
      try {
        const response = await withinTime(node.send, payload, signal, attemptMs);
        const complaint = complaintOf(response, payload);
        if (complaint === undefined) {
          node.failures = 0;
          node.restsUntil = 0;
          return response;
        }
        noteFailure(node, method, complaint);
        outcome = () => response;
      } catch (error) {
        if (signal?.aborted) throw error;
        noteFailure(node, method, { reason: (error as Error).message, restMs: retryAfterMs(error) });
        outcome = () => {
          throw error;
        };
      }
    }
    return outcome();
  };
  return transport as RpcTransport;
}

interface NodeState {
  readonly index: number;
  readonly send: RpcTransport;
  failures: number;
  restsUntil: number;
}

interface Complaint {
  readonly reason: string;
  /** Default: longer each time. */
  readonly restMs?: number | undefined;
}

const FIRST_REST_MS = 1_000;
const MOST_REST_MS = 30_000;

/** JSON-RPC errors that are the node's and not the request's; 0: it does not rest for it. */
const NODE_ERRORS: Readonly<Record<number, Omit<Complaint, 'reason'>>> = {
  // Node is behind or unhealthy; internal error.
  [-32005]: {},
  [-32603]: {},
  // Minimum context slot not reached; method not found; key excluded from the secondary indexes.
  [-32016]: { restMs: 0 },
  [-32601]: { restMs: 0 },
  [-32010]: { restMs: 0 },
};

const now = () => performance.now();

/** Those that are well in their order, then the resting ones by when their rest ends. */
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
  const isBehind = least !== undefined && slot !== undefined && BigInt(slot as bigint | number) < least;
  return isBehind ? { reason: `it answered of slot ${slot}, before ${least}`, restMs: 0 } : undefined;
}

/** The slot that an answer must have reached, if the request says so. */
function minContextSlotOf(payload: unknown): bigint | undefined {
  const { params } = (payload ?? {}) as { readonly params?: unknown };
  const config: unknown = Array.isArray(params) ? params.at(-1) : undefined;
  const slot = (config as { readonly minContextSlot?: bigint | number } | null | undefined)?.minContextSlot;
  return slot === undefined ? undefined : BigInt(slot);
}

/** What a rate limit asks for. */
function retryAfterMs(error: unknown): number | undefined {
  const { headers } = ((error as { readonly context?: unknown }).context ?? {}) as {
    readonly headers?: Headers;
  };
  const seconds = Number(headers?.get('retry-after') || Number.NaN);
  return seconds > 0 ? Math.min(MOST_REST_MS, seconds * 1000) : undefined;
}

/** Raced, so that a transport that ignores its signal can't hold the others up. */
async function withinTime(
  send: RpcTransport,
  payload: unknown,
  signal: AbortSignal | undefined,
  ms: number,
): Promise<unknown> {
  const attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true, signal: attempt.signal });
  });
  try {
    return await Promise.race([send({ payload, signal: attempt.signal }), giveUp]);
  } finally {
    clearTimeout(timer);
    attempt.abort('over');
  }
}
