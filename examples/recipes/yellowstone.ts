// Follows a pool over Yellowstone gRPC: account updates into a pool tracker, a new connection when one is lost, and a replay of the
// slots between. Without YELLOWSTONE_URL it runs against a stand-in that breaks the connection once.
//
//   YELLOWSTONE_URL=https://… YELLOWSTONE_TOKEN=… RPC_URL=https://… MINT=… CONFIG_VERSION=1 npx tsx examples/recipes/yellowstone.ts
import { setTimeout as pause } from 'node:timers/promises';
import { Metadata, status } from '@grpc/grpc-js';
import { address, createSolanaRpc, getAddressDecoder, getBase64Encoder } from '@solana/kit';
import { computeBuy, createPoolTracker, toUiAmount, trackedAccounts } from 'heaven-pools';

import { inWords, run } from '../common.js';
import { connectGeyser, isServiceError, type SubscribeUpdate } from './geyser.js';
import { startYellowstone } from './stand-in/yellowstone.js';

const {
  YELLOWSTONE_URL,
  YELLOWSTONE_TOKEN,
  RPC_URL,
  MINT,
  CONFIG_VERSION = '1',
  CHANGES = '16',
} = process.env;
/** The clock changes in each slot, so a connection that is silent for so long is lost. */
const SILENCE_MS = 10_000;
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [250, 30_000];
const { UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, UNIMPLEMENTED } = status;
/** Another connection wouldn't help. */
const FATAL: readonly status[] = [UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, UNIMPLEMENTED];

run(async () => {
  if (YELLOWSTONE_URL !== undefined && (RPC_URL === undefined || MINT === undefined))
    throw new Error('YELLOWSTONE_URL needs RPC_URL, a node, and MINT, a token with a pool of CONFIG_VERSION');
  const standIn = YELLOWSTONE_URL === undefined ? await startYellowstone() : undefined;
  const rpc = standIn?.rpc ?? createSolanaRpc(RPC_URL as string);
  const pool = standIn?.pool ?? { mint: address(MINT as string), configVersion: Number(CONFIG_VERSION) };
  const service = connectGeyser(new URL(standIn?.url ?? (YELLOWSTONE_URL as string)));
  const metadata = new Metadata();
  if (YELLOWSTONE_TOKEN !== undefined) metadata.set('x-token', YELLOWSTONE_TOKEN);

  const tracked = await trackedAccounts(pool);
  const addresses = tracked.accounts.map(({ address }) => address);
  const clock = tracked.accounts.find(({ name }) => name === 'clock')?.address;
  const tracker = createPoolTracker(tracked, {
    onReject: ({ address, error }) => console.error(`Rejected an update of ${address}: ${error.message}`),
  });
  let changes = 0;
  let price = 0n;
  tracker.onChange((change) => {
    if (change === 'isLive')
      console.log(tracker.isLive ? `live at slot ${tracker.snapshot?.slot}` : 'not live: no trades');
    const state = tracker.swapState();
    const bought = state === undefined ? 0n : computeBuy(state, 100_000_000n).amountOut;
    if (bought === price) return;
    price = bought;
    changes += 1;
    const when = tracker.isLive ? '' : ', in the past: not a price to trade at';
    console.log(`slot ${tracker.snapshot?.slot}: 0.1 SOL buys ${toUiAmount(bought, 9)} tokens${when}`);
  });

  /** Reads the five accounts as of one slot. `undefined` if the node does not answer. */
  async function read() {
    try {
      const config = { encoding: 'base64', commitment: 'confirmed' } as const;
      const { context, value } = await rpc.getMultipleAccounts(addresses, config).send();
      const dataOf = (text: string) => new Uint8Array(getBase64Encoder().encode(text));
      const accounts = value.map(
        (account, index) =>
          account && { address: addresses[index]!, owner: account.owner, data: dataOf(account.data[0]) },
      );
      return { slot: context.slot, accounts: accounts.map((account) => account ?? undefined) };
    } catch (error) {
      console.error(`The node did not answer, so the pool is not live yet: ${inWords(error)}`);
      return undefined;
    }
  }

  /** The newest slot of the stream. The next connection begins with it: this one may break in the middle of the slot. */
  let slot: bigint | undefined;
  const base58 = getAddressDecoder();
  const isOver = () => changes >= Number(CHANGES);

  /** One connection. Returns or throws when it is lost. */
  async function follow() {
    const stream = service.subscribe(metadata);
    const silence = setTimeout(() => stream.cancel(), SILENCE_MS);
    const replay = slot === undefined ? {} : { fromSlot: String(slot) };
    let present: Awaited<ReturnType<typeof read>>;
    try {
      stream.write({ accounts: { pool: { account: addresses } }, commitment: 'CONFIRMED', ...replay });
      tracker.gap();
      for await (const { account: update, ping } of stream as AsyncIterable<SubscribeUpdate>) {
        silence.refresh();
        // Proxies close a connection on which the client says nothing.
        if (ping) stream.write({ ping: { id: 1 } });
        if (!update) continue;
        const { account } = update;
        const at = BigInt(update.slot);
        tracker.apply({
          address: base58.decode(account.pubkey),
          owner: base58.decode(account.owner),
          data: account.data,
          lamports: BigInt(account.lamports),
          slot: at,
          writeVersion: BigInt(account.writeVersion),
        });
        if (slot === undefined || at > slot) slot = at;
        if (isOver()) return;
        if (tracker.isLive || base58.decode(account.pubkey) !== clock) continue;
        // A replay comes first: what was read waits until the stream has reached its slot, so that each change is seen.
        present ??= await read();
        if (present === undefined || at < present.slot) continue;
        tracker.load(present.accounts);
        present = undefined;
      }
    } finally {
      clearTimeout(silence);
      stream.cancel();
    }
  }

  async function keepFollowing() {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LAST_PAUSE_MS)) {
      const before = slot;
      let reason = 'the service ended it';
      try {
        await follow();
      } catch (error) {
        if (!isServiceError(error) || FATAL.includes(error.code)) throw error;
        reason = `${status[error.code]}, ${error.details}`;
        // It may no longer have the slot. The next connection begins in the present: what changed in between stays unknown.
        if (slot === before && error.code !== status.UNAVAILABLE) slot = undefined;
      }
      if (isOver()) break;
      tracker.gap();
      console.log(`lost the connection: ${reason}`);
      if (slot !== before) wait = FIRST_PAUSE_MS;
      await pause(wait * (0.5 + Math.random() / 2));
    }
  }

  await keepFollowing().finally(() => {
    service.close();
    standIn?.stop();
  });
});
