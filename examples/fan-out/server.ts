// Serves quotes from the accounts in Redis while these are proven fresh, and from the node otherwise.
//
//   REDIS_URL=redis://… RPC_URL=https://… npx tsx examples/fan-out/server.ts      without RPC_URL: an error otherwise
import { setTimeout as pause } from 'node:timers/promises';
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { createFailoverTransport, createHeavenClient, type HeavenRpc, shareReads } from 'heaven-pools';
import { createHandler, parseJson } from 'heaven-pools/http';
import { startServer } from 'heaven-pools/node';

import { inWords, run } from '../common.js';
import { COMMITMENT, clockOf, connectRedis, keysOf, READER } from './redis.js';

const { REDIS_URL = 'redis://127.0.0.1:6379', RPC_URL, PORT = '3000', MAX_AGE_MS = '1500' } = process.env;
/** The node is a slot or two ahead of the frames: who needs one of its slots waits. */
const MOST_WAIT_MS = 1_000;
const SILENT_MS = 500;
const now = () => performance.now();

/** The accounts at the end of a slot, as the newest frame left them. */
let view = { slot: -1n, asOf: 0, accounts: new Map<string, unknown>() };
let clock: Awaited<ReturnType<typeof clockOf>> = { ms: 0, askedAt: 0 };

/** Whether this was the node's newest state within the last `MAX_AGE_MS`, wherever it was held up since. */
function isFresh(): boolean {
  const age = clock.ms + now() - clock.askedAt - view.asOf;
  // Below 0, Redis' clock was set back.
  return age >= 0 && age <= Number(MAX_AGE_MS);
}

/** Takes a frame in one step: nobody sees half of it. */
function apply({ slot, asOf, ...changed }: Record<string, string>, accounts: typeof view.accounts): void {
  for (const [address, json] of Object.entries(changed)) accounts.set(address, parseJson(json));
  view = { slot: BigInt(slot as string), asOf: Number(asOf), accounts };
}

/** Follows the newest reader, until its frames end and there is another. */
async function follow(): Promise<void> {
  const redis = await connectRedis(REDIS_URL, 'server');
  try {
    const reader = (await redis.get(READER)) ?? '';
    const { hash, stream } = keysOf(reader);
    const { id, ...whole } = { id: '0', slot: '-1', asOf: '0', ...(await redis.hGetAll(hash)) };
    // At once: another Redis has another clock.
    clock = await clockOf(redis);
    apply(whole, new Map());
    for (let last = Number(id); ; ) {
      clock = await clockOf(redis);
      const read = await redis.xRead({ key: stream, id: String(last) }, { BLOCK: SILENT_MS });
      for (const { id: frame, message } of read?.[0]?.messages ?? []) {
        last += 1;
        if (frame !== `${last}-0`) throw new Error('frames are missing');
        apply(message, view.accounts);
      }
      if (read === null && reader !== (await redis.get(READER))) return;
    }
  } finally {
    redis.destroy();
  }
}

/** Answers as a node that has the mirrored accounts only. After these errors a failover asks the next node. */
const mirror = (async ({ payload }: { readonly payload: unknown }) => {
  const { id, method, params } = payload as { id: unknown; method: string; params: readonly unknown[] };
  const answer = (body: object) => ({ jsonrpc: '2.0', id, ...body });
  const [addresses, config] = params as [readonly string[], Readonly<Record<string, unknown>> | undefined];
  const { minContextSlot = 0, commitment, encoding, ...others } = config ?? {};
  const isPlain = commitment === COMMITMENT && encoding === 'base64' && Object.keys(others).length === 0;
  if (method !== 'getMultipleAccounts' || !isPlain || !addresses.every((one) => view.accounts.has(one)))
    return answer({ error: { code: -32601, message: 'Not mirrored' } });
  const least = BigInt(minContextSlot as number);
  for (const from = now(); isFresh() && view.slot < least && now() - from < MOST_WAIT_MS; ) await pause(10);
  const value = addresses.map((one) => view.accounts.get(one));
  if (!isFresh() || view.slot < least || value.includes(undefined))
    return answer({ error: { code: -32016, message: 'The mirror is behind' } });
  return answer({ result: { context: { slot: view.slot }, value } });
}) as RpcTransport;

run(async () => {
  const transport = createFailoverTransport(RPC_URL ? [mirror, RPC_URL] : [mirror]);
  const rpc = createSolanaRpcFromTransport(transport) as HeavenRpc;
  // No answer is older than one before it, wherever each came from.
  const client = shareReads(createHeavenClient({ rpc, commitment: COMMITMENT }));
  const server = await startServer({ handler: createHandler({ client }), port: Number(PORT) });
  process.once('SIGTERM', () => server.close().then(() => process.exit()));
  console.log(`serving at ${server.url}`);
  for (;;) {
    await follow().catch((error) => console.error(`lost: ${inWords(error)}`));
    await pause(500);
  }
});
