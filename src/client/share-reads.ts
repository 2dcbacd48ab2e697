import type { Address } from '@solana/kit';
import { isHeavenError } from '../base/errors.js';
import { assertCall, assertFunction, assertNumber } from '../base/input.js';
import type { HeavenClient, HeavenRpc } from '../program/client.js';
import { AccountBatches, MAX_ACCOUNTS_PER_CALL } from '../solana/rpc/account-batches.js';
import { slotOf } from '../solana/rpc/accounts.js';
import { behind, invalidResponse } from '../solana/rpc/errors.js';
import { notify } from '../solana/rpc/notify.js';
import { send } from '../solana/rpc/send.js';
import { MAX_SLOTS_AHEAD } from '../solana/timing.js';
import { isAheadOfClock } from './ahead-of-clock.js';

/** How long reads are cached, and how many calls run at once. */
export interface SharedReadsConfig {
  /** How long accounts are cached. Default 150 milliseconds. A read in the last fifth of this time also makes the next call. */
  readonly accountsTtlMs?: number;
  /** How long a block hash is cached. Default 2000 milliseconds: at least 140 of its 150 blocks are then left. */
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
 * the node has caught up. A slot that is more than 300 ahead of all others is forgotten if the next answer contradicts it. All
 * accounts of one read come from the same slot.
 *
 * If connections belong to a request, as on Cloudflare Workers, use the client itself.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const client = shareReads(createHeavenClient({ rpcUrl }));
 * ```
 */
export function shareReads<TRpc extends HeavenRpc>(
  client: HeavenClient<TRpc>,
  config: SharedReadsConfig = {},
): HeavenClient<TRpc> {
  assertCall(
    client,
    config,
    { accountsTtlMs: 1, blockhashTtlMs: 1, maxConcurrentCalls: 1, observe: assertFunction },
    'config',
  );
  const { accountsTtlMs = 150, blockhashTtlMs = 2_000, maxConcurrentCalls = 8, observe } = config;
  const assertFrom = (field: string, value: unknown, least: number) =>
    assertNumber(field, value, [least, Number.POSITIVE_INFINITY], `a number from ${least} on`);
  assertFrom('accountsTtlMs', accountsTtlMs, 0);
  assertFrom('blockhashTtlMs', blockhashTtlMs, 0);
  assertFrom('maxConcurrentCalls', maxConcurrentCalls, 1);
  const reads = new SharedReads(client, { accountsTtlMs, blockhashTtlMs, maxConcurrentCalls, observe });
  const shared: Partial<Record<PropertyKey, unknown>> = {
    getMultipleAccounts: (addresses: readonly Address[], options?: ReadOptions) =>
      reads.getMultipleAccounts(addresses, options),
    getLatestBlockhash: (options?: ReadOptions) => reads.getLatestBlockhash(options),
  };
  // kit's RPC objects are proxies too: their methods can't be copied.
  const rpc = new Proxy(client.rpc, {
    get: (target, name, receiver) => shared[name] ?? Reflect.get(target, name, receiver),
  });
  return Object.freeze({ ...client, rpc });
}

/** How long to wait for a node that is behind, and how often. A slot lasts about 215 ms. */
const BEHIND = { waitMs: 200, retries: 3 } as const;
/** If nodes are behind for this long, the slot was wrong or the cluster restarted. A jump is believed after this long. */
const MAX_BEHIND_MS = 60_000;
const RPC_MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

const now = () => performance.now();

/** A slot far ahead of everything before it, `from`: after a pause, or because a node named a wrong one. */
interface Jump {
  readonly from: bigint | undefined;
  readonly to: bigint;
  readonly at: number;
}

interface Response {
  readonly context: { readonly slot: bigint };
}

interface AccountsResponse extends Response {
  readonly value: readonly unknown[];
}

type ReadOptions = Readonly<Record<string, unknown>>;
type Observed = { readonly observe: SharedReadsConfig['observe'] };

interface PendingRequest<TResponse> {
  send(options?: { readonly abortSignal?: AbortSignal }): Promise<TResponse>;
}

type Request = (least: { readonly minContextSlot?: bigint }) => PendingRequest<unknown>;

/** Answers the reads of all users of a client, and never with an older slot than before. */
class SharedReads {
  readonly #client: HeavenClient;
  readonly #observe: SharedReadsConfig['observe'];
  readonly #accounts: ReadCache<AccountsResponse>;
  readonly #blockhashes: ReadCache<Response>;
  readonly #batches: AccountBatches<AccountsResponse>;
  /** The newest slot of accounts that were read. */
  #newest: bigint | undefined;
  #jump: Jump | undefined;
  /** When nodes were first behind it. */
  #behindSince: number | undefined;

  constructor(client: HeavenClient, config: Required<Omit<SharedReadsConfig, 'observe'>> & Observed) {
    const { accountsTtlMs, blockhashTtlMs, maxConcurrentCalls, observe } = config;
    this.#client = client;
    this.#observe = observe;
    this.#accounts = new ReadCache('getMultipleAccounts', accountsTtlMs, observe);
    this.#blockhashes = new ReadCache('getLatestBlockhash', blockhashTtlMs, observe);
    this.#batches = new AccountBatches({
      maxConcurrentCalls,
      timeoutMs: client.timeoutMs,
      call: (addresses) => this.#callForAccounts(addresses),
    });
  }

  getMultipleAccounts(addresses: readonly Address[], options?: ReadOptions): PendingRequest<unknown> {
    if (!this.#isShared(options) || new Set(addresses).size > MAX_ACCOUNTS_PER_CALL)
      return this.#client.rpc.getMultipleAccounts(addresses, options);
    const leastSlot = () => this.#newest ?? 0n;
    return pending(() =>
      this.#accounts.read(addresses.join(), leastSlot(), () => this.#readAccounts(addresses)),
    );
  }

  getLatestBlockhash(options?: ReadOptions): PendingRequest<unknown> {
    if (!this.#isShared(options)) return this.#client.rpc.getLatestBlockhash(options);
    // A block hash stays valid after accounts of a later slot are read.
    return pending(() => this.#blockhashes.read('', 0n, () => this.#callForBlockhash()));
  }

  /** Only reads as this library makes them are shared. */
  #isShared({ commitment, encoding = 'base64', ...others }: ReadOptions = {}): boolean {
    const isPlain = encoding === 'base64' && Object.keys(others).length === 0;
    return isPlain && commitment === this.#client.commitment;
  }

  async #readAccounts(addresses: readonly Address[]): Promise<AccountsResponse> {
    const { response, indexes } = await this.#batches.read(addresses);
    return { ...response, value: indexes.map((index) => response.value[index]) };
  }

  async #callForAccounts(addresses: readonly Address[]): Promise<AccountsResponse> {
    const { rpc, commitment } = this.#client;
    const method = 'getMultipleAccounts';
    const response = await this.#call(method, (least) =>
      rpc.getMultipleAccounts(addresses, { commitment, encoding: 'base64', ...least }),
    );
    const { value } = response as Partial<AccountsResponse>;
    if (!Array.isArray(value) || value.length !== addresses.length)
      throw invalidResponse(method, `it does not hold ${addresses.length} accounts`);
    this.#note(response.context.slot, isAheadOfClock(addresses, response));
    return { ...response, value };
  }

  #note(slot: bigint, isAhead: boolean): void {
    const newest = this.#newest;
    this.#behindSince = undefined;
    if (newest !== undefined && slot <= newest) return;
    if (newest === undefined ? isAhead : slot > newest + MAX_SLOTS_AHEAD)
      // Two wrong slots in a row are one jump.
      this.#jump = {
        from: this.#recentJump === undefined ? newest : this.#recentJump.from,
        to: slot,
        at: now(),
      };
    this.#newest = slot;
  }

  get #recentJump(): Jump | undefined {
    return this.#jump !== undefined && now() - this.#jump.at < MAX_BEHIND_MS ? this.#jump : undefined;
  }

  #callForBlockhash(): Promise<Response> {
    const { rpc, commitment } = this.#client;
    return this.#call('getLatestBlockhash', (least) => rpc.getLatestBlockhash({ commitment, ...least }));
  }

  /** Calls the node, and waits for one that is behind. */
  async #call(method: SharedMethod, request: Request): Promise<Response> {
    for (let retries = 0; ; ) {
      try {
        return await this.#attempt(method, request, this.#newest);
      } catch (error) {
        if (!isHeavenError(error, 'rpc-behind')) throw error;
        const response = await this.#undoJump(method, request);
        if (response !== undefined) return response;
        this.#behindSince ??= now();
        if (retries++ < BEHIND.retries) await new Promise((resolve) => setTimeout(resolve, BEHIND.waitMs));
        else if (now() - this.#behindSince < MAX_BEHIND_MS) throw error;
        else this.#newest = undefined;
      }
    }
  }

  /** Reads again for what was known before a jump. If the response is far behind the jump, that was to a wrong slot. */
  async #undoJump(method: SharedMethod, request: Request): Promise<Response | undefined> {
    const jump = this.#recentJump;
    if (jump === undefined) return undefined;
    const response = await this.#attempt(method, request, jump.from).catch(() => undefined);
    if (response === undefined || response.context.slot + MAX_SLOTS_AHEAD >= jump.to) return undefined;
    if (this.#jump === jump) {
      this.#jump = undefined;
      this.#newest = jump.from;
    }
    return response;
  }

  async #attempt(method: SharedMethod, request: Request, least: bigint | undefined): Promise<Response> {
    const started = now();
    try {
      const sent = request(least === undefined ? {} : { minContextSlot: least });
      const response = (await send(this.#client, method, sent, {})) as Response;
      const slot = slotOf(response);
      if (slot === undefined) throw invalidResponse(method, 'it does not name its slot');
      if (least !== undefined && slot < least) throw behind(method, least);
      notify(this.#observe, { type: 'call', method, durationMs: now() - started, slot });
      return response;
    } catch (cause) {
      const isBehind =
        isHeavenError(cause, 'rpc-failed') && cause.context.rpcCode === RPC_MIN_CONTEXT_SLOT_NOT_REACHED;
      const error = isBehind && least !== undefined ? behind(method, least) : cause;
      notify(this.#observe, { type: 'call', method, durationMs: now() - started, error });
      throw error;
    }
  }
}

const pending = <TResponse>(read: () => Promise<TResponse>): PendingRequest<TResponse> => ({
  send: async ({ abortSignal } = {}) => {
    abortSignal?.throwIfAborted();
    return await unlessAborted(read(), abortSignal);
  },
});

/** If one of those who wait for an answer aborts, the others keep waiting. Leaves no listener behind, as kit's counterpart does. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

interface CachedRead<TResponse> {
  readonly promise: Promise<TResponse>;
  readonly askedAt: number;
  /** Its answer is of this slot or a later one. */
  leastSlot: bigint;
  isAnswered: boolean;
  /** What takes its place. */
  next?: CachedRead<TResponse>;
}

/** A read in the last part of the time makes the next call, so that nobody waits for it. */
const READ_AHEAD = 0.8;

/** Answers equal reads from one call, while it is in flight and for some time after it was asked. */
class ReadCache<TResponse extends Response> {
  readonly #method: SharedMethod;
  readonly #ttlMs: number;
  readonly #observe: SharedReadsConfig['observe'];
  /** About the oldest first. */
  readonly #reads = new Map<string, CachedRead<TResponse>>();

  constructor(method: SharedMethod, ttlMs: number, observe: SharedReadsConfig['observe']) {
    this.#method = method;
    this.#ttlMs = ttlMs;
    this.#observe = observe;
  }

  /** The answer to a read, from `leastSlot` or later. `call` must not answer with an older one. */
  read(key: string, leastSlot: bigint, call: () => Promise<TResponse>): Promise<TResponse> {
    this.#dropExpired(key);
    const known = this.#reads.get(key);
    if (known !== undefined && known.leastSlot >= leastSlot) {
      this.#observeRead(known.isAnswered ? 'cache' : 'in-flight-call');
      if (known.isAnswered && known.askedAt + this.#ttlMs * READ_AHEAD <= now())
        known.next ??= this.#ask(key, leastSlot, call);
      return known.promise;
    }
    this.#observeRead('new-call');
    const read = this.#ask(key, leastSlot, call);
    this.#keep(key, read);
    return read.promise;
  }

  #ask(key: string, leastSlot: bigint, call: () => Promise<TResponse>): CachedRead<TResponse> {
    const read: CachedRead<TResponse> = { promise: call(), askedAt: now(), leastSlot, isAnswered: false };
    read.promise.then(
      ({ context }) => {
        read.leastSlot = context.slot;
        read.isAnswered = true;
        if (this.#reads.get(key)?.next === read) this.#keep(key, read);
      },
      () => {
        const known = this.#reads.get(key);
        if (known === read) this.#reads.delete(key);
        if (known?.next === read) delete known.next;
      },
    );
    return read;
  }

  #keep(key: string, read: CachedRead<TResponse>): void {
    this.#reads.delete(key);
    this.#reads.set(key, read);
  }

  /** Drops the oldest reads, and the one that is asked for: what was read ahead stands behind younger ones. */
  #dropExpired(asked: string): void {
    for (const [key, read] of this.#reads) if (!this.#hasExpired(key, read)) break;
    const own = this.#reads.get(asked);
    if (own) this.#hasExpired(asked, own);
  }

  /** Whether a read is over its time. What was read ahead takes its place. */
  #hasExpired(key: string, { askedAt, isAnswered, next }: CachedRead<TResponse>): boolean {
    if (askedAt + this.#ttlMs > now()) return false;
    if (next) this.#keep(key, next);
    else if (isAnswered) this.#reads.delete(key);
    return true;
  }

  #observeRead(from: Extract<SharedReadEvent, { readonly type: 'read' }>['from']): void {
    notify(this.#observe, { type: 'read', method: this.#method, from });
  }
}
