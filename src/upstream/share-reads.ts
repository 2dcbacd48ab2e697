import type { Address } from '@solana/kit';

import type { HeavenClient, HeavenRpc } from '../client.js';
import { HeavenError, isHeavenError } from '../errors.js';
import { assertNumber } from '../input.js';
import { MAX_ACCOUNTS_PER_CALL } from '../solana/limits.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { slotOf } from '../solana/rpc/accounts.js';
import { clockSlotAmong } from '../solana/rpc/clock-slot.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import { notify } from '../solana/rpc/notify.js';
import { send } from '../solana/rpc/send.js';

/** How long reads are cached, and how many calls run at once. */
export interface SharedReadsConfig {
  /** How long accounts are cached. Default 150 milliseconds. Those in use are refreshed after half of it. */
  readonly accountsTtlMs?: number;
  /** How long a block hash is cached. Default 2000 milliseconds: at least 145 of its 150 blocks are then left. */
  readonly blockhashTtlMs?: number;
  /** The most calls for accounts at once; further reads wait and are batched. Default 8. */
  readonly maxConcurrentCalls?: number;
  /** Called for each read and for each call to the node, for metrics. */
  readonly observe?: (event: SharedReadEvent) => void;
}

/** A read that was answered, or a call to the node that ended, discriminated by `type`. Durations in milliseconds. */
export type SharedReadEvent =
  | {
      readonly type: 'read';
      readonly method: SharedMethod;
      /** Where the answer comes from: the cache, a call in flight, or a new call. */
      readonly from: 'cache' | 'in-flight-call' | 'new-call';
    }
  | {
      readonly type: 'call';
      readonly method: SharedMethod;
      readonly durationMs: number;
      /** The slot of the answer. */
      readonly slot?: bigint;
      readonly error?: unknown;
    };

/** The RPC methods whose answers {@link shareReads} shares. */
export type SharedMethod = 'getMultipleAccounts' | 'getLatestBlockhash';

/**
 * A client that caches and batches reads, for servers and bots. Equal reads share a call, and different reads are
 * batched up to the node's limit of accounts. No answer is older than one before it: reads throw `rpc-behind` until
 * the node has caught up. All accounts of one read come from the same slot, which is the one in the cluster's clock: each call
 * for accounts reads it too.
 *
 * If connections belong to a request, as on Cloudflare Workers, use the client itself.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const client = shareReads(createClient({ rpcUrl }));
 * ```
 */
export function shareReads<TRpc extends HeavenRpc>(
  client: HeavenClient<TRpc>,
  { accountsTtlMs = 150, blockhashTtlMs = 2_000, maxConcurrentCalls = 8, observe }: SharedReadsConfig = {},
): HeavenClient<TRpc> {
  const assertFrom = (field: string, value: unknown, least: number) =>
    assertNumber(field, value, [least, Number.POSITIVE_INFINITY], `a number from ${least} on`);
  assertFrom('accountsTtlMs', accountsTtlMs, 0);
  assertFrom('blockhashTtlMs', blockhashTtlMs, 0);
  assertFrom('maxConcurrentCalls', maxConcurrentCalls, 1);
  const { call, newestSlot } = callsInOrder(client, observe);
  const { commitment } = client;
  const accounts = batches(client, maxConcurrentCalls, (addresses) =>
    call(
      'getMultipleAccounts',
      (slot) => client.rpc.getMultipleAccounts([...addresses], { commitment, encoding: 'base64', ...slot }),
      (response) => {
        const { value } = response as { readonly value?: unknown };
        const isWhole = Array.isArray(value) && value.length === addresses.length;
        if (!isWhole || !value.every((account) => typeof account === 'object'))
          throw invalidResponse('getMultipleAccounts', `it does not hold ${addresses.length} accounts`);
        const clockSlot = clockSlotAmong(addresses, value);
        if (clockSlot === undefined)
          throw invalidResponse('getMultipleAccounts', 'it does not hold the clock');
        return { ...response, context: { ...response.context, slot: clockSlot }, value };
      },
    ),
  );
  const blockhash = () =>
    call(
      'getLatestBlockhash',
      (slot) => client.rpc.getLatestBlockhash({ commitment, ...slot }),
      (response) => {
        const { value } = response as { readonly value?: { readonly blockhash?: unknown } | null };
        if (typeof value?.blockhash !== 'string')
          throw invalidResponse('getLatestBlockhash', 'it holds no block hash');
        return response;
      },
    );
  const accountsOf = memory('getMultipleAccounts', accountsTtlMs, newestSlot, observe);
  // A block hash stays valid after accounts of a later slot are read.
  const blockhashOf = memory('getLatestBlockhash', blockhashTtlMs, () => 0n, observe);
  const isOurs = (config: Readonly<Record<string, unknown>> = {}) => {
    const { commitment: level, encoding = 'base64', ...others } = config;
    return level === commitment && encoding === 'base64' && Object.keys(others).length === 0;
  };

  const methods: Partial<Record<PropertyKey, unknown>> = {
    getMultipleAccounts: ((addresses, config) =>
      isOurs(config) && withClock(addresses).size <= MAX_ACCOUNTS_PER_CALL
        ? accountsOf(addresses.join(), () => accounts(addresses))
        : client.rpc.getMultipleAccounts(addresses, config)) as HeavenRpc['getMultipleAccounts'],
    getLatestBlockhash: ((config) =>
      isOurs(config)
        ? blockhashOf('', blockhash)
        : client.rpc.getLatestBlockhash(config)) as HeavenRpc['getLatestBlockhash'],
  };
  const rpc = new Proxy(client.rpc, {
    get: (target, name, receiver) => methods[name] ?? Reflect.get(target, name, receiver),
  });
  return { ...client, rpc };
}

/** How long to wait for a node that is behind, and how often. A slot lasts about 215 ms. */
const BEHIND = { waitMs: 200, retries: 3 } as const;
/** If no node reaches the slot for this long, the slot was wrong or the cluster restarted. */
const MARK_DOUBTED_AFTER_MS = 60_000;
/** After a pause of this length, an earlier delay doesn't count: nobody saw whether nodes stayed behind. */
const QUIET_MS = 10_000;
/** Reads that may wait for a call. */
const MOST_WAITING = 10_000;
const RPC_MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

const now = () => performance.now();

interface Response {
  readonly context: { readonly slot: bigint };
}

interface AccountsResponse extends Response {
  readonly value: readonly unknown[];
}

type SlotConfig = { readonly minContextSlot?: bigint };

interface PendingRequest {
  send(options: { abortSignal: AbortSignal }): Promise<unknown>;
}

/** Rejects a malformed response. Returns it with the slot that counts. */
type Check<TResponse extends Response> = (response: Response) => TResponse;

const withClock = (addresses: readonly Address[]) => new Set([CLOCK_SYSVAR_ADDRESS, ...addresses]);

/** Calls to the node that never return an older slot than one answered before they were sent. */
function callsInOrder(client: HeavenClient, observe: SharedReadsConfig['observe']) {
  let newest: bigint | undefined;
  /** When nodes were first and last seen behind the newest slot. */
  let doubt: { readonly since: number; last: number } | undefined;

  const attempt = async <TResponse extends Response>(
    method: SharedMethod,
    request: (config: SlotConfig) => PendingRequest,
    check: Check<TResponse>,
  ): Promise<TResponse> => {
    const least = newest;
    const minContextSlot = least === undefined ? {} : { minContextSlot: least };
    const response = await send(client, method, request(minContextSlot), {}).catch((error: unknown) => {
      const isBehind =
        isHeavenError(error, 'rpc-failed') && error.context.rpcCode === RPC_MIN_CONTEXT_SLOT_NOT_REACHED;
      throw isBehind && least !== undefined ? behind(method, least) : error;
    });
    if (slotOf(response) === undefined) throw invalidResponse(method, 'it does not name its slot');
    const checked = check(response as Response);
    const { slot } = checked.context;
    if (least !== undefined && slot < least) throw behind(method, least);
    // A context slot is only what a node says. One from the far future would make all other nodes look behind.
    if (method === 'getMultipleAccounts' && (newest === undefined || slot > newest)) newest = slot;
    doubt = undefined;
    return checked;
  };

  /** Records that a node is behind. Returns whether to drop the newest slot because nodes have been behind it for too long. */
  const isGivenUp = (): boolean => {
    const time = now();
    if (doubt === undefined || time - doubt.last > QUIET_MS) doubt = { since: time, last: time };
    doubt.last = time;
    return time - doubt.since >= MARK_DOUBTED_AFTER_MS;
  };

  const call = async <TResponse extends Response>(
    method: SharedMethod,
    request: (config: SlotConfig) => PendingRequest,
    check: Check<TResponse>,
  ): Promise<TResponse> => {
    for (let retries = 0; ; retries++) {
      const started = now();
      try {
        const response = await attempt(method, request, check);
        notify(observe, { type: 'call', method, durationMs: now() - started, slot: response.context.slot });
        return response;
      } catch (error) {
        notify(observe, { type: 'call', method, durationMs: now() - started, error });
        if (!isHeavenError(error, 'rpc-behind')) throw error;
        const isDoubted = isGivenUp();
        const isLast = retries >= BEHIND.retries;
        if (isLast && !isDoubted) throw error;
        if (isLast) {
          newest = undefined;
          doubt = undefined;
        } else await new Promise((resolve) => setTimeout(resolve, BEHIND.waitMs));
      }
    }
  };
  return { call, newestSlot: () => newest ?? 0n };
}

const behind = (method: string, minContextSlot: bigint) =>
  new HeavenError(
    'rpc-behind',
    `The RPC node is behind: ${method} needs slot ${minContextSlot} or later, which was read before. Retry, or use another node.`,
    { method, minContextSlot },
  );

interface WaitingRead {
  readonly addresses: readonly Address[];
  readonly deadline: number;
  readonly resolve: (response: AccountsResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches waiting reads, with a few calls at a time. Never splits a read. */
function batches(
  { timeoutMs }: HeavenClient,
  maxConcurrentCalls: number,
  read: (addresses: readonly Address[]) => Promise<AccountsResponse>,
) {
  const method = 'getMultipleAccounts';
  const waiting: WaitingRead[] = [];
  let calls = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      while (calls < maxConcurrentCalls && waiting.length > 0) void callNext();
    }, 0);
  };

  const callNext = async () => {
    const indexes = new Map<Address, number>([[CLOCK_SYSVAR_ADDRESS, 0]]);
    const reads: WaitingRead[] = [];
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (next.deadline < now()) {
        const message = `The RPC node did not keep up within ${timeoutMs} ms. Retry, or use another node.`;
        next.reject(new HeavenError('rpc-timeout', message, { method, timeoutMs }));
        waiting.shift();
        continue;
      }
      const added = new Set(next.addresses.filter((address) => !indexes.has(address)));
      if (indexes.size + added.size > MAX_ACCOUNTS_PER_CALL) break;
      for (const address of added) indexes.set(address, indexes.size);
      reads.push(next);
      waiting.shift();
    }
    if (reads.length === 0) return;
    calls += 1;
    try {
      const response = await read([...indexes.keys()]);
      for (const { addresses, resolve } of reads) {
        resolve({
          ...response,
          value: addresses.map((address) => response.value[indexes.get(address) as number]),
        });
      }
    } catch (error) {
      for (const { reject } of reads) reject(error);
    } finally {
      calls -= 1;
      if (waiting.length > 0) schedule();
    }
  };

  return (addresses: readonly Address[]) =>
    new Promise<Response>((resolve, reject) => {
      if (waiting.length >= MOST_WAITING) {
        const message = 'Too many reads wait for the RPC node already. Slow down.';
        reject(new HeavenError('rpc-rate-limited', message, { method }));
        return;
      }
      waiting.push({ addresses, deadline: now() + timeoutMs, resolve, reject });
      schedule();
    });
}

/** The fraction of a response's lifetime after which it is refreshed if callers still ask for it. */
const REFRESH_AFTER = 0.5;

/** Caches responses until a later slot is seen, shares reads under way, and refreshes what is in use. */
function memory(
  method: SharedMethod,
  ms: number,
  newestSlot: () => bigint,
  observe: SharedReadsConfig['observe'],
) {
  const pending = new Map<string, { readonly promise: Promise<Response>; readonly leastSlot: bigint }>();
  /** In order of response. */
  const remembered = new Map<string, { readonly response: Response; readonly askedAt: number }>();

  const forgetOld = (time: number) => {
    for (const [key, { askedAt }] of remembered) {
      if (askedAt + ms > time) return;
      remembered.delete(key);
    }
  };

  const underWay = (key: string): Promise<Response> | undefined => {
    const entry = pending.get(key);
    return entry === undefined || entry.leastSlot < newestSlot() ? undefined : entry.promise;
  };

  const begin = (key: string, read: () => Promise<Response>, askedAt: number): Promise<Response> => {
    notify(observe, { type: 'read', method, from: 'new-call' });
    forgetOld(askedAt);
    const promise = read();
    const entry = { promise, leastSlot: newestSlot() };
    pending.set(key, entry);
    const settle = () => {
      if (pending.get(key) === entry) pending.delete(key);
    };
    promise.then((response) => {
      settle();
      remembered.delete(key);
      remembered.set(key, { response, askedAt });
    }, settle);
    return promise;
  };

  const known = (key: string, read: () => Promise<Response>): Response | undefined => {
    const entry = remembered.get(key);
    if (entry === undefined || entry.response.context.slot < newestSlot()) return undefined;
    const time = now();
    const age = time - entry.askedAt;
    if (age >= ms) return undefined;
    notify(observe, { type: 'read', method, from: 'cache' });
    if (age >= ms * REFRESH_AFTER && underWay(key) === undefined) void begin(key, read, time);
    return entry.response;
  };

  return (key: string, read: () => Promise<Response>) => ({
    known: () => known(key, read),
    send: (options?: { readonly abortSignal?: AbortSignal }): Promise<Response> => {
      if (options?.abortSignal?.aborted) return Promise.reject(options.abortSignal.reason);
      const response = known(key, read);
      if (response !== undefined) return Promise.resolve(response);
      const promise = underWay(key);
      if (promise !== undefined) notify(observe, { type: 'read', method, from: 'in-flight-call' });
      return unlessAborted(promise ?? begin(key, read, now()), options?.abortSignal);
    },
  });
}

/** If one caller aborts, the others keep waiting. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    const stay = () => signal.removeEventListener('abort', leave);
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(stay);
  });
}
