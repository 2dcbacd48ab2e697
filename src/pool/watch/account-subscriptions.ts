import type { Address, Commitment } from '@solana/kit';

import type { HeavenRpcSubscriptions } from '../../client.js';
import { type AnyHeavenError, HeavenError } from '../../errors.js';
import { accountFrom, type RawAccount, slotOf } from '../../solana/rpc/accounts.js';
import { type Channel, openChannel } from '../../solana/rpc/channel.js';

/** The RPC method's name, for errors. */
const METHOD = 'accountSubscribe';
/** The clock changes in every slot, so a connection that is silent for this long is dead. So is a request without an answer. */
const SILENT_MS = 30_000;
/** Receives the changes of accounts. */
export interface AccountListener {
  /** The account's changes are reported from now on. Called again after each {@link AccountListener.down}. */
  up(address: Address): void;
  /** The account's changes are not reported for now. It retries by itself. */
  down(address: Address, error: AnyHeavenError): void;
  /** The account as of a slot, or `undefined` for a notification that can't be read. */
  update(address: Address, account: RawAccount | undefined, slot: bigint): void;
}

/** One account's subscription. */
interface AccountChannel extends Channel {
  readonly listeners: Set<AccountListener>;
}

/** The subscriptions of one commitment over one subscription client. */
interface Hub {
  readonly channels: Map<Address, AccountChannel>;
  lastHeard: number;
  timer: ReturnType<typeof setInterval> | undefined;
}

const hubs = new WeakMap<HeavenRpcSubscriptions, Map<Commitment, Hub>>();

const now = () => performance.now();

function hubOf(subscriptions: HeavenRpcSubscriptions, commitment: Commitment): Hub {
  let byCommitment = hubs.get(subscriptions);
  if (byCommitment === undefined) {
    byCommitment = new Map();
    hubs.set(subscriptions, byCommitment);
  }
  let hub = byCommitment.get(commitment);
  if (hub === undefined) {
    hub = { channels: new Map(), lastHeard: now(), timer: undefined };
    byCommitment.set(commitment, hub);
  }
  return hub;
}

/** Listens until the returned function is called, with one subscription per account and client. The clock must be among them. */
export function listenToAccounts(
  subscriptions: HeavenRpcSubscriptions,
  commitment: Commitment,
  addresses: readonly Address[],
  listener: AccountListener,
): () => void {
  const hub = hubOf(subscriptions, commitment);
  const { channels } = hub;
  if (hub.timer === undefined) {
    hub.lastHeard = now();
    hub.timer = setInterval(() => dropSilent(hub), SILENT_MS / 3);
  }
  for (const address of addresses) {
    let channel = channels.get(address);
    if (channel === undefined) {
      channel = openAccount(subscriptions, commitment, address, () => {
        hub.lastHeard = now();
      });
      channels.set(address, channel);
    }
    channel.listeners.add(listener);
    const state = channel.state();
    if (state === 'up') listener.up(address);
    else if (state !== undefined) listener.down(address, state);
  }
  return () => {
    for (const address of addresses) {
      const channel = channels.get(address);
      if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) continue;
      channels.delete(address);
      channel.close();
    }
    if (channels.size === 0) {
      clearInterval(hub.timer);
      hub.timer = undefined;
    }
  };
}

/** Reconnects all subscriptions if none of them receives anything, and each one that the node does not answer. */
function dropSilent({ channels, lastHeard }: Hub): void {
  const time = now() - SILENT_MS;
  const isSilent = lastHeard <= time;
  for (const [address, { restartOlder, state }] of channels)
    if (isSilent || state() !== 'up')
      restartOlder(
        time,
        timedOut(
          isSilent
            ? `The subscriptions said nothing for ${SILENT_MS} ms, though the clock changes in each slot: reconnecting.`
            : `The node did not answer the subscription to ${address} within ${SILENT_MS} ms: reconnecting.`,
        ),
      );
}

const timedOut = (message: string) =>
  new HeavenError('rpc-timeout', message, { method: METHOD, timeoutMs: SILENT_MS });

function openAccount(
  subscriptions: HeavenRpcSubscriptions,
  commitment: Commitment,
  address: Address,
  heard: () => void,
): AccountChannel {
  const listeners = new Set<AccountListener>();
  const tell = (what: (listener: AccountListener) => void) => {
    for (const listener of [...listeners]) what(listener);
  };
  const channel = openChannel<unknown>({
    method: METHOD,
    what: address,
    subscribe: (abortSignal) =>
      subscriptions
        .accountNotifications(address, { commitment, encoding: 'base64' })
        .subscribe({ abortSignal }),
    up: () => {
      heard();
      tell((listener) => listener.up(address));
    },
    down: (error) => tell((listener) => listener.down(address, error)),
    notification: (value) => {
      heard();
      const { account, slot } = notificationOf(address, value);
      tell((listener) => listener.update(address, account, slot));
    },
  });
  return { ...channel, listeners };
}

/** Validates a notification, which comes from outside. */
function notificationOf(
  address: Address,
  notification: unknown,
): { readonly account: RawAccount | undefined; readonly slot: bigint } {
  const slot = slotOf(notification);
  if (slot === undefined) return { account: undefined, slot: 0n };
  try {
    return { account: accountFrom(METHOD, (notification as { value?: unknown }).value, address, 0), slot };
  } catch {
    return { account: undefined, slot };
  }
}
