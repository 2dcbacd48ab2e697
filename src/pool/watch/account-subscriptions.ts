import type { Address, Commitment } from '@solana/kit';

import type { HeavenRpcSubscriptions } from '../../client.js';
import { type AnyHeavenError, HeavenError } from '../../errors.js';
import { accountFrom, type RawAccount, slotOf } from '../../solana/rpc/accounts.js';

/** The node's name of it, for errors. */
const METHOD = 'accountSubscribe';
/** The clock changes in each slot, so that a connection which says nothing for so long is dead. */
const SILENT_MS = 30_000;
/** A subscription that lasted so long was a good one: its loss is not one more failure of a row. */
const LASTING_MS = 10_000;
const BACK_OFF = { firstMs: 250, mostMs: 30_000 } as const;

/** How long to wait after so many failures in a row: half of it fixed, half of it random, so that not all come at once. */
export function backOffMs(failures: number): number {
  const most = Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** failures);
  return most / 2 + (Math.random() * most) / 2;
}

/** One who watches accounts. */
export interface AccountListener {
  /** From now on the account's changes are told. Again after each {@link AccountListener.down}. */
  up(address: Address): void;
  /** The account's changes are not told for now, or could not be from the start. It is tried again by itself. */
  down(address: Address, error: AnyHeavenError): void;
  /** The account as of a slot, or `undefined` for a notification that can't be read. */
  update(address: Address, account: RawAccount | undefined, slot: bigint): void;
}

/** One account's subscription. */
interface Channel {
  readonly listeners: Set<AccountListener>;
  /** Begins it anew if it began before a time. */
  readonly restartOlder: (time: number, error: AnyHeavenError) => void;
  readonly close: () => void;
  readonly state: () => 'up' | AnyHeavenError | undefined;
}

/** The subscriptions of one commitment over one subscription client. */
interface Hub {
  readonly channels: Map<Address, Channel>;
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

/** Listens until the returned function is called; one subscription per account and client. Needs the clock among them. */
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
    hub.timer = setInterval(() => dropIfSilent(hub), SILENT_MS / 3);
  }
  for (const address of addresses) {
    let channel = channels.get(address);
    if (channel === undefined) {
      channel = openChannel(subscriptions, commitment, address, () => {
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

function dropIfSilent(hub: Hub): void {
  const time = now() - SILENT_MS;
  if (hub.lastHeard > time) return;
  const error = new HeavenError(
    'rpc-timeout',
    `The subscriptions said nothing for ${SILENT_MS} ms, though the clock changes in each slot: they are begun anew.`,
    { method: METHOD, timeoutMs: SILENT_MS },
  );
  for (const { restartOlder } of hub.channels.values()) restartOlder(time, error);
}

function openChannel(
  subscriptions: HeavenRpcSubscriptions,
  commitment: Commitment,
  address: Address,
  heard: () => void,
): Channel {
  const listeners = new Set<AccountListener>();
  let attempt: AbortController | undefined;
  let begunAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let upSince: number | undefined;
  let lastError: AnyHeavenError | undefined;
  let failures = 0;

  const tell = (what: (listener: AccountListener) => void) => {
    for (const listener of [...listeners]) what(listener);
  };

  const connect = () => {
    const mine = new AbortController();
    attempt = mine;
    begunAt = now();
    const lose = (cause?: unknown) => {
      if (attempt === mine) restart(lost(address, cause));
    };
    listen(mine).then(lose, lose);
  };

  /** Ends when the subscription does. An attempt that was given up may hang for ever, which holds nobody. */
  const listen = async (mine: AbortController) => {
    const request = subscriptions.accountNotifications(address, { commitment, encoding: 'base64' });
    const notifications = (await request.subscribe({ abortSignal: mine.signal }))[Symbol.asyncIterator]();
    // kit drops what comes before it is asked for the first: only from here on nothing is missed.
    let next = notifications.next();
    if (attempt !== mine) {
      next.catch(() => {});
      return;
    }
    upSince = now();
    heard();
    tell((listener) => listener.up(address));
    for (;;) {
      const { done, value } = await next;
      if (done || attempt !== mine) return;
      next = notifications.next();
      heard();
      const { account, slot } = notificationOf(address, value);
      tell((listener) => listener.update(address, account, slot));
    }
  };

  const restart = (error: AnyHeavenError) => {
    attempt?.abort(error);
    attempt = undefined;
    clearTimeout(timer);
    failures = upSince !== undefined && now() - upSince >= LASTING_MS ? 0 : failures + 1;
    upSince = undefined;
    lastError = error;
    timer = setTimeout(connect, backOffMs(failures));
    tell((listener) => listener.down(address, error));
  };

  connect();
  return {
    listeners,
    restartOlder: (time, error) => {
      if (attempt !== undefined && begunAt <= time) restart(error);
    },
    close: () => {
      clearTimeout(timer);
      const mine = attempt;
      attempt = undefined;
      mine?.abort();
    },
    state: () => (upSince === undefined ? lastError : 'up'),
  };
}

/** What a notification says, which comes from outside. */
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

const lost = (address: Address, cause: unknown) =>
  new HeavenError(
    'rpc-failed',
    `The subscription to ${address} failed or was lost. It is tried again by itself; if that does not help, use another node.`,
    { method: METHOD },
    cause === undefined ? undefined : { cause },
  );
