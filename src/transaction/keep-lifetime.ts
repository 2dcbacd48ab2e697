import type { HeavenClient } from '../client.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../errors.js';
import { assertMilliseconds, assertWhole } from '../input.js';
import { BLOCKHASH_LIFETIME_BLOCKS, SLOT_MS } from '../solana/limits.js';
import { notify } from '../solana/rpc/notify.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { lifetimeOf, type TransactionLifetime } from './assemble.js';

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
const MOST_PATIENCE_MS = 30_000;

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
  const { abortSignal, observe } = options;
  const refreshEveryMs = options.refreshEveryMs ?? 1_000;
  const maxAgeBlocks = options.maxAgeBlocks ?? 75;
  assertMilliseconds('refreshEveryMs', refreshEveryMs);
  assertWhole('maxAgeBlocks', maxAgeBlocks, [1, Number(BLOCKHASH_LIFETIME_BLOCKS)]);

  let askedAt = instant();
  let lifetime = await lifetimeOf(client, { abortSignal });
  let wasStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new AbortController();
  const hasStopped = () => over.signal.aborted;
  const ageInBlocks = () => Math.ceil(msSince(askedAt) / SLOT_MS);
  const isStale = () => hasStopped() || ageInBlocks() > maxAgeBlocks;

  const take = (next: TransactionLifetime, at: Instant) => {
    if (next.blockhash === lifetime.blockhash) return;
    // One that is too old gives way to whatever the node says now: it may have named too high a block height.
    if (next.lastValidBlockHeight <= lifetime.lastValidBlockHeight && !isStale())
      return notify(observe, { type: 'older', lifetime: next });
    lifetime = next;
    askedAt = at;
    wasStale = false;
    notify(observe, { type: 'refreshed', lifetime });
  };
  /** Asks once, and returns the pause before the next request. */
  const refresh = async (): Promise<number> => {
    const at = instant();
    const timeoutMs = Math.min(client.timeoutMs, REFRESH_TIMEOUT_MS);
    try {
      const next = await lifetimeOf({ ...client, timeoutMs }, { abortSignal: over.signal });
      if (!hasStopped()) take(next, at);
    } catch (error) {
      if (hasStopped()) return 0;
      notify(observe, { type: 'refresh-failed', error: error as AnyHeavenError });
      const asked = isHeavenError(error, 'rpc-rate-limited') ? error.context.retryAfterSeconds : undefined;
      return Math.max(refreshEveryMs, Math.min((asked ?? 0) * 1_000, MOST_PATIENCE_MS));
    }
    return refreshEveryMs;
  };
  const refreshIn = (ms: number) => {
    timer = setTimeout(async () => {
      const pauseMs = await refresh();
      if (hasStopped()) return;
      if (isStale() && !wasStale) {
        wasStale = true;
        notify(observe, { type: 'stale', ageInBlocks: ageInBlocks() });
      }
      // An observer may stop it.
      if (!hasStopped()) refreshIn(pauseMs);
    }, ms);
    // Browsers' timers are numbers.
    (timer as { unref?: () => void }).unref?.();
  };
  const stop = () => {
    clearTimeout(timer);
    over.abort('over');
  };
  if (abortSignal?.aborted) stop();
  else {
    abortSignal?.addEventListener('abort', stop, { once: true, signal: over.signal });
    refreshIn(refreshEveryMs);
  }
  // An engine without `using` lacks this symbol. There, this is a second `stop`.
  const dispose = ((Symbol as { readonly dispose?: symbol }).dispose ?? 'stop') as DisposeKey;
  const kept = {
    get current() {
      if (isStale()) throw staleLifetime(hasStopped(), ageInBlocks(), maxAgeBlocks);
      return lifetime;
    },
    get ageInBlocks() {
      return ageInBlocks();
    },
    get isStale() {
      return isStale();
    },
    stop,
  };
  return Object.assign(kept, { [dispose]: stop } as Record<DisposeKey, () => void>);
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
