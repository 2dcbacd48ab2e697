// What the reader and the servers agree on in Redis.
//
// For each slot the reader writes a frame: the accounts that changed, by address, in a node's JSON, and two more fields. With this
// frame, all accounts are known as of the end of `slot`. At the time `asOf`, in milliseconds of Redis' clock, the node was not yet past
// that slot. The clocks of the machines don't count: they may differ.
import { createClient } from '@redis/client';

/** Reader and servers read at the same level. */
export const COMMITMENT = 'confirmed';
/** Names the newest reader whose hash is whole. */
export const READER = 'fan-out:reader';

/** Each reader writes keys of its own, so that two readers never mix. */
export const keysOf = (reader: string) => ({
  /** All accounts, the other fields of the newest frame, and its `id`. */
  hash: `fan-out:${reader}:accounts`,
  /** The newest frames, with ids 1, 2, 3 and so on. */
  stream: `fan-out:${reader}:frames`,
});

/** Connects once: a connection that is lost, silent or answers what nobody asked fails its commands. */
export async function connectRedis(url: string, name: string) {
  const socket = { connectTimeout: 2_000, socketTimeout: 2_000, reconnectStrategy: false } as const;
  const redis = createClient({ url, name, socket });
  redis.on('error', () => redis.destroy());
  return await redis.connect();
}

type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Redis' clock in milliseconds, which it reached at `askedAt` of `performance.now()` or later. */
export async function clockOf(redis: Redis) {
  const askedAt = performance.now();
  const [seconds, microseconds] = await redis.time();
  return { ms: Number(seconds) * 1_000 + Number(microseconds) / 1_000, askedAt };
}
