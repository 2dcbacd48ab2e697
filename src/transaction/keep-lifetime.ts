import { type AnyHeavenError, HeavenError, isHeavenError } from '../base/errors.js';
import { assertCall, assertFunction, assertMilliseconds, assertWhole } from '../base/input.js';
import type { HeavenClient } from '../program/client.js';
import { notify } from '../solana/rpc/notify.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { BLOCKHASH_LIFETIME_BLOCKS, SLOT_MS } from '../solana/timing.js';
import { lifetimeOf, type TransactionLifetime } from './lifetime.js';

/** An event of {@link keepLifetime}, discriminated by `type`. */
export type KeptLifetimeEvent =
  /** There is a newer block hash. */
  | { readonly type: 'refreshed'; readonly lifetime: TransactionLifetime }
  /** A node that is behind returned an older block hash than the current one. It is not used. */
  | { readonly type: 'older'; readonly lifetime: TransactionLifetime }
  /** The node did not return one. It is asked again. */
  | { readonly type: 'refresh-failed'; readonly error: AnyHeavenError }
  /** The block hash has become too old: `current` throws until there is a newer one. */
  | { readonly type: 'stale'; readonly ageInBlocks: number };

/** How often {@link keepLifetime} refreshes, and how old a block hash may get. */
export interface KeepLifetimeOptions extends RequestOptions {
  /** How often the node is asked. Default 1000 milliseconds. */
  readonly refreshEveryMs?: number | undefined;
  /** The age at which a block hash is stale, at most 150. Default 75: half of its life is left for the transaction to land. */
  readonly maxAgeBlocks?: number | undefined;
  /** Called for each refresh, for logs and metrics. */
  readonly observe?: ((event: KeptLifetimeEvent) => void) | undefined;
}

/** `Symbol.dispose` as a type, without asking for a `lib` that has it. */
type DisposeKey = SymbolConstructor['dispose' & keyof SymbolConstructor] & symbol;

/** The block hash that {@link keepLifetime} keeps fresh. With `using`, refreshing stops at the end of the block. */
export interface KeptLifetime extends Record<DisposeKey, () => void> {
  /**
   * Pass it to builders as `lifetime`, without a call to the node.
   * @throws {HeavenError} `lifetime-stale`
   */
  readonly current: TransactionLifetime;
  /** The most blocks that can have passed since the request for `current`, at the cluster's target of 200 milliseconds each. */
  readonly ageInBlocks: number;
  /** Whether `current` throws: it is older than `maxAgeBlocks`, or refreshing was stopped. */
  readonly isStale: boolean;
  /** Stops refreshing, and cancels a request in flight. */
  stop(): void;
}

/** After this long, the block hash in the answer isn't worth waiting for. */
const REFRESH_TIMEOUT_MS = 5_000;
const MAX_PATIENCE_MS = 30_000;

/**
 * Keeps the newest block hash ready: reads one, and refreshes it in the background until you stop it or the signal
 * fires. A build with a `snapshot` and this `lifetime` makes no call to the node. In Node it doesn't keep the process
 * alive.
 *
 * If a refresh fails, `current` stays until it is older than `maxAgeBlocks`, and then throws. A node that keeps
 * returning the same block hash, or older ones, doesn't make it younger.
 *
 * @returns Once there is a first block hash.
 * @throws {HeavenError} `invalid-input`, and the `rpc-…` codes and `aborted` of the first read
 * @example
 * ```ts
 * const kept = await keepLifetime(client);
 * const quote = await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * const input = { payer, quoteResponse: quote };
 * const built = await buildBuy(client, { ...input, lifetime: kept.current });
 * kept.stop();
 * ```
 */
export async function keepLifetime(
  client: HeavenClient,
  options: KeepLifetimeOptions = {},
): Promise<KeptLifetime> {
  assertCall(
    client,
    options,
    { refreshEveryMs: 1, maxAgeBlocks: 1, observe: assertFunction, abortSignal: 1 },
    'options',
  );
  const { abortSignal, observe } = options;
  const refreshEveryMs = options.refreshEveryMs ?? 1_000;
  const maxAgeBlocks = options.maxAgeBlocks ?? 75;
  assertMilliseconds('refreshEveryMs', refreshEveryMs);
  assertWhole('maxAgeBlocks', maxAgeBlocks, [1, Number(BLOCKHASH_LIFETIME_BLOCKS)]);

  const askedAt = instant();
  const lifetime = await lifetimeOf(client, { abortSignal });
  const kept = new FreshLifetime(client, { refreshEveryMs, maxAgeBlocks, observe }, lifetime, askedAt);
  kept.start(abortSignal);
  return kept as FreshLifetime & Record<DisposeKey, () => void>;
}

class FreshLifetime {
  readonly #client: HeavenClient;
  readonly #refreshEveryMs: number;
  readonly #maxAgeBlocks: number;
  readonly #observe: KeepLifetimeOptions['observe'];
  readonly #over = new AbortController();
  #lifetime: TransactionLifetime;
  /** When the request for it was sent. */
  #askedAt: Instant;
  #hasReportedStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    client: HeavenClient,
    options: Required<Pick<KeepLifetimeOptions, 'refreshEveryMs' | 'maxAgeBlocks' | 'observe'>>,
    lifetime: TransactionLifetime,
    askedAt: Instant,
  ) {
    this.#client = client;
    this.#refreshEveryMs = options.refreshEveryMs as number;
    this.#maxAgeBlocks = options.maxAgeBlocks as number;
    this.#observe = options.observe;
    this.#lifetime = lifetime;
    this.#askedAt = askedAt;
    // An engine without `using` lacks this symbol.
    const { dispose } = Symbol as { readonly dispose?: symbol };
    if (dispose !== undefined) Object.defineProperty(this, dispose, { value: this.stop });
    // Frozen, it survives the proxies that frameworks put around a page's state.
    Object.freeze(this);
  }

  get current(): TransactionLifetime {
    if (this.isStale) throw staleLifetime(this.#hasStopped, this.ageInBlocks, this.#maxAgeBlocks);
    return this.#lifetime;
  }

  get ageInBlocks(): number {
    return Math.ceil(msSince(this.#askedAt) / SLOT_MS);
  }

  get isStale(): boolean {
    return this.#hasStopped || this.ageInBlocks > this.#maxAgeBlocks;
  }

  start(abortSignal: AbortSignal | null | undefined): void {
    if (abortSignal?.aborted) {
      this.stop();
      return;
    }
    abortSignal?.addEventListener('abort', this.stop, { once: true, signal: this.#over.signal });
    this.#refreshIn(this.#refreshEveryMs);
  }

  /** Works without its object too, such as for an effect's cleanup. */
  readonly stop = (): void => {
    clearTimeout(this.#timer);
    this.#over.abort('over');
  };

  get #hasStopped(): boolean {
    return this.#over.signal.aborted;
  }

  #refreshIn(ms: number): void {
    this.#timer = setTimeout(async () => {
      const pauseMs = await this.#refresh();
      if (this.#hasStopped) return;
      this.#reportStale();
      // An observer may stop it.
      if (!this.#hasStopped) this.#refreshIn(pauseMs);
    }, ms);
    // Browsers' timers are numbers.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Asks once, and returns the pause before the next request. */
  async #refresh(): Promise<number> {
    const askedAt = instant();
    const timeoutMs = Math.min(this.#client.timeoutMs, REFRESH_TIMEOUT_MS);
    try {
      const next = await lifetimeOf({ ...this.#client, timeoutMs }, { abortSignal: this.#over.signal });
      if (!this.#hasStopped) this.#take(next, askedAt);
    } catch (error) {
      if (this.#hasStopped) return 0;
      notify(this.#observe, { type: 'refresh-failed', error: error as AnyHeavenError });
      const asked = isHeavenError(error, 'rpc-rate-limited') ? error.context.retryAfterSeconds : undefined;
      return Math.max(this.#refreshEveryMs, Math.min((asked ?? 0) * 1_000, MAX_PATIENCE_MS));
    }
    return this.#refreshEveryMs;
  }

  #take(next: TransactionLifetime, askedAt: Instant): void {
    if (next.blockhash === this.#lifetime.blockhash) return;
    // One that is too old gives way to whatever the node says now: it may have named too high a block height.
    if (next.lastValidBlockHeight <= this.#lifetime.lastValidBlockHeight && !this.isStale) {
      notify(this.#observe, { type: 'older', lifetime: next });
      return;
    }
    this.#lifetime = next;
    this.#askedAt = askedAt;
    this.#hasReportedStale = false;
    notify(this.#observe, { type: 'refreshed', lifetime: next });
  }

  #reportStale(): void {
    if (!this.isStale || this.#hasReportedStale) return;
    this.#hasReportedStale = true;
    notify(this.#observe, { type: 'stale', ageInBlocks: this.ageInBlocks });
  }
}

function staleLifetime(hasStopped: boolean, ageInBlocks: number, maxAgeBlocks: number): HeavenError {
  return new HeavenError(
    'lifetime-stale',
    hasStopped
      ? 'keepLifetime was stopped, so its block hash is not refreshed any more. Call keepLifetime again.'
      : `The newest block hash is ${ageInBlocks} blocks old, more than maxAgeBlocks (${maxAgeBlocks}): the node gives no newer one. Wait for it, or use another node.`,
    { reason: hasStopped ? 'stopped' : 'old', ageInBlocks, maxAgeBlocks },
  );
}

/** A moment by two clocks: one stops while the computer sleeps, and the other can be reset. */
interface Instant {
  readonly ticks: number;
  readonly date: number;
}

const instant = (): Instant => ({ ticks: performance.now(), date: Date.now() });
/** By the clock that advanced further. */
const msSince = ({ ticks, date }: Instant): number => Math.max(performance.now() - ticks, Date.now() - date);
