import { createHmac, randomBytes } from 'node:crypto';
import type { RateLimiter } from 'heaven-pools/http';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import { callerOf, networkOf } from './caller.js';

/** Counts that several servers share. */
export interface SharedCounts {
  /** A client of `@redis/client`. */
  readonly client: object;
  /** Called when it fails, or is late: ends what waits for it. This process then counts on its own. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each request that this process counts on its own. */
  readonly onFallback?: () => void;
}

const WINDOW_SECONDS = 60;
/** A request waits no longer for its count. */
const MOST_MS = 250;
/** A /48 network may make this many times the requests of one caller: one customer often has all 65,536 of its /64 networks. */
const NETWORK_SHARE = 16;

/** Limits the requests of each caller per minute. */
export function limitPerMinute(most: number, shared?: SharedCounts): RateLimiter {
  const countCaller = counterOf('caller', most, shared);
  const countNetwork = counterOf('network', most * NETWORK_SHARE, shared);
  return async ({ clientAddress = '' }) => {
    const caller = callerOf(clientAddress);
    const isIpv6 = caller.includes(':');
    try {
      await countCaller(caller);
      if (isIpv6) await countNetwork(networkOf(caller));
      return undefined;
    } catch (error) {
      if (error instanceof RateLimiterRes) return { retryAfterSeconds: error.msBeforeNext / 1000 };
      throw error;
    }
  };
}

/** Counts by key, and throws what is one too many. In the shared store if there is one and it answers, otherwise in this process. */
function counterOf(name: string, points: number, shared: SharedCounts | undefined) {
  const own = new BoundedMemory({ points, duration: WINDOW_SECONDS });
  if (shared === undefined) return (key: string) => own.consume(key);
  const store = new RateLimiterRedis({
    storeClient: shared.client,
    useRedisPackage: true,
    keyPrefix: `heaven-pools:${name}`,
    points,
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
    // A caller over the limit costs the store nothing.
    inMemoryBlockOnConsumed: points,
  });
  return async (key: string) => {
    const late = setTimeout(() => shared.onFailure(new Error('ETIMEDOUT')), MOST_MS);
    try {
      const count = await store.consume(key);
      if (Number.isInteger(count.consumedPoints)) return count;
      throw new TypeError('The reply is not a count.');
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      // Not the store's own `insuranceLimiter`, because that keeps the error to itself.
      shared.onFailure(error);
      shared.onFallback?.();
      return await own.consume(key);
    } finally {
      clearTimeout(late);
    }
  };
}

/** How many callers have their own counter, in about 5 MB. */
const MAX_CALLERS = 32_768;
/** Further callers share this many counters: the number of hexadecimal digits in a counter's name. */
const SHARED_DIGITS = 3;

/** When there is no room for more callers, it keeps all counts: further callers share counters, callers of the same network first. */
class BoundedMemory extends RateLimiterMemory {
  readonly #callers = new Set<string>();
  /** Nobody outside can tell which networks share a counter. */
  readonly #secret = randomBytes(16);

  override consume(key: string): Promise<RateLimiterRes> {
    return super.consume(this.#hasOwn(key) ? key : this.#sharedBy(key));
  }

  #hasOwn(key: string): boolean {
    const callers = this.#callers;
    if (callers.has(key)) return true;
    if (callers.size >= MAX_CALLERS) return false;
    callers.add(key);
    setTimeout(() => callers.delete(key), this.msDuration).unref();
    return true;
  }

  #sharedBy(key: string): string {
    const hash = createHmac('sha256', this.#secret).update(networkOf(key)).digest('hex');
    return `shared ${hash.slice(0, SHARED_DIGITS)}`;
  }
}
