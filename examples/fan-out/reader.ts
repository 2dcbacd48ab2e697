// Follows the accounts of pools over one WebSocket, and writes a frame to Redis for each slot.
//
//   REDIS_URL=redis://… RPC_URL=https://… WS_URL=wss://… POOLS=mint:configVersion,… npx tsx examples/fan-out/reader.ts
//
// A pro pool is mint:configVersion:pool.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, address, createSolanaRpc, createSolanaRpcSubscriptions } from '@solana/kit';
import { trackedAccounts } from 'heaven-pools';
import { stringifyJson } from 'heaven-pools/http';

import { inWords, run } from '../common.js';
import { COMMITMENT, clockOf, connectRedis, keysOf, READER } from './redis.js';

const { REDIS_URL = 'redis://127.0.0.1:6379', RPC_URL = '', WS_URL = '', POOLS = '' } = process.env;
const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
const MAX_ACCOUNTS_PER_CALL = 100;
const CALL_MS = 5_000;
const BEHIND_MS = 1_000;
const BEAT_MS = 250;
/** After so many beats without a frame, the subscriptions are silent. */
const MOST_BEATS = 40;
const KEPT_FRAMES = 1_000;
const KEPT_SECONDS = 60;

/** An account as of a slot, in a node's JSON. */
interface Version {
  readonly slot: bigint;
  readonly json: string;
}

run(async () => {
  const rpc = createSolanaRpc(RPC_URL);
  // Notifications are in the order of their slots on one connection only.
  const oneConnection = { maxSubscriptionsPerChannel: Number.MAX_SAFE_INTEGER };
  const rpcSubscriptions = createSolanaRpcSubscriptions(WS_URL, oneConnection);
  const config = { commitment: COMMITMENT, encoding: 'base64' } as const;
  const tracked = POOLS.split(',').map((text) => {
    const [mint = '', configVersion, pool] = text.split(':');
    const locator = { mint: address(mint), configVersion: Number(configVersion) };
    return trackedAccounts(pool === undefined ? locator : { ...locator, pool: address(pool) });
  });
  const accounts = (await Promise.all(tracked)).flatMap(({ accounts }) => accounts);
  const addresses = [...new Set(accounts.map(({ address }) => address))];

  /** Follows the accounts until something fails. What it wrote then grows old, and servers stop using it. */
  async function follow(): Promise<void> {
    const stop = new AbortController();
    const withinTime = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) });
    const redis = await connectRedis(REDIS_URL, 'reader');
    const reader = randomUUID();
    const { hash, stream } = keysOf(reader);
    const known = new Map<Address, Version>();
    /** Updates of slots that may not be over. */
    let pending: (Version & { readonly address: Address })[] = [];
    /** The slots of the newest clock, of the first read, and of the last frame. */
    let [clockSlot, readSlot, frameSlot]: (bigint | undefined)[] = [];
    let frames = 0;
    let beats: { readonly slot: bigint; readonly at: number }[] = [];
    let asOf = 0;
    let fail: (error: unknown) => void = () => {};
    const failure = new Promise<never>((_, reject) => {
      fail = reject;
    });

    async function listen(): Promise<void> {
      const { signal: abortSignal } = stop;
      const subscribed = addresses.map((one) =>
        rpcSubscriptions.accountNotifications(one, config).subscribe({ abortSignal }),
      );
      const ends = (await Promise.all(subscribed)).map(async (notifications, index) => {
        for await (const { context, value } of notifications)
          onUpdate({
            address: addresses[index] as Address,
            slot: context.slot,
            // A node notifies of an account that is gone as an empty one, and reads it as null.
            json: stringifyJson(value.lamports === 0n ? null : value),
          });
        throw new Error('a subscription ended');
      });
      await Promise.race(ends);
    }

    function onUpdate(update: Version & { readonly address: Address }): void {
      const { address, slot } = update;
      if (frameSlot !== undefined && slot <= frameSlot) throw new Error(`slot ${slot} was not over`);
      pending.push(update);
      if (address !== CLOCK || (clockSlot !== undefined && slot <= clockSlot)) return;
      const over = clockSlot;
      clockSlot = slot;
      if (over === undefined) readAll(slot).catch(fail);
      // The node notifies slot by slot, and the clock changes in each. What came before is handled first.
      else setImmediate(() => writeFrame(over).catch(fail));
    }

    /** Reads the accounts once the subscriptions are active, so that nothing in between is missed. */
    async function readAll(minContextSlot: bigint): Promise<void> {
      // The node that answers may be some slots behind the one that notifies.
      await pause(BEHIND_MS);
      let newest = minContextSlot;
      for (let from = 0; from < addresses.length; from += MAX_ACCOUNTS_PER_CALL) {
        const some = addresses.slice(from, from + MAX_ACCOUNTS_PER_CALL);
        const request = rpc.getMultipleAccounts(some, { ...config, minContextSlot });
        const { context, value } = await request.send(withinTime());
        for (const [index, one] of some.entries())
          known.set(one, { slot: context.slot, json: stringifyJson(value[index]) });
        if (context.slot > newest) newest = context.slot;
      }
      readSlot = newest;
    }

    /** Writes the state at the end of a slot. */
    async function writeFrame(slot: bigint): Promise<void> {
      if (readSlot === undefined || slot < readSlot) return;
      frameSlot = slot;
      frames += 1;
      const changed = new Set(frames === 1 ? addresses : []);
      for (const { address, ...version } of pending.filter((update) => update.slot <= slot)) {
        if (version.slot < (known.get(address) as Version).slot) continue;
        known.set(address, version);
        changed.add(address);
      }
      pending = pending.filter((update) => update.slot > slot);
      for (const beat of beats) if (beat.slot <= slot) asOf = beat.at;
      beats = beats.filter((beat) => beat.slot > slot);
      const frame: Record<string, string> = { slot: String(slot), asOf: String(asOf) };
      for (const one of changed) frame[one] = (known.get(one) as Version).json;
      const write = redis
        .multi()
        .hSet(hash, { ...frame, id: frames })
        .xAdd(stream, String(frames), frame, {
          TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: KEPT_FRAMES },
        });
      for (const key of [hash, stream]) write.expire(key, KEPT_SECONDS);
      if (frames === 1) write.set(READER, reader);
      await write.exec();
      if (frames === 1) console.log(`following ${addresses.length} accounts from slot ${slot} on`);
    }

    /** Asks the node for its slot. A frame alone may be late: the connection may hang, and this process may have been stopped. */
    async function beat(): Promise<void> {
      for (; beats.length < MOST_BEATS; await pause(BEAT_MS)) {
        const { ms: at } = await clockOf(redis);
        const slot = await rpc.getSlot({ commitment: COMMITMENT }).send(withinTime());
        beats.push({ slot, at });
      }
      throw new Error('the subscriptions are silent');
    }

    try {
      await Promise.race([listen(), beat(), failure]);
    } finally {
      stop.abort();
      redis.destroy();
    }
  }

  for (;;) {
    await follow().catch((error) => console.error(`lost: ${inWords(error)}`));
    await pause(500);
  }
});
