import type { Address, Commitment } from '@solana/kit';
import { type AnyHeavenError, HeavenError } from '../../base/errors.js';
import type { HeavenRpcSubscriptions } from '../../client.js';
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

const hubs = new WeakMap<HeavenRpcSubscriptions, Map<Commitment, AccountHub>>();

const now = () => performance.now();

/** The account subscriptions of one commitment over one subscription client: one for each account, however many listen to it. */
export class AccountHub {
  readonly #subscriptions: HeavenRpcSubscriptions;
  readonly #commitment: Commitment;
  readonly #channels = new Map<Address, AccountChannel>();
  #lastHeard = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Returns the only hub of a commitment and a subscription client. */
  static of(subscriptions: HeavenRpcSubscriptions, commitment: Commitment): AccountHub {
    const byCommitment = hubs.get(subscriptions) ?? new Map<Commitment, AccountHub>();
    hubs.set(subscriptions, byCommitment);
    const hub = byCommitment.get(commitment) ?? new AccountHub(subscriptions, commitment);
    byCommitment.set(commitment, hub);
    return hub;
  }

  constructor(subscriptions: HeavenRpcSubscriptions, commitment: Commitment) {
    this.#subscriptions = subscriptions;
    this.#commitment = commitment;
  }

  /** Listens until the returned function is called. The clock must be among the addresses. */
  listen(addresses: readonly Address[], listener: AccountListener): () => void {
    if (this.#timer === undefined) {
      this.#lastHeard = now();
      this.#timer = setInterval(() => this.#dropSilent(), SILENT_MS / 3);
    }
    for (const address of addresses) {
      let channel = this.#channels.get(address);
      if (channel === undefined) {
        channel = this.#open(address);
        this.#channels.set(address, channel);
      }
      channel.listeners.add(listener);
      const state = channel.state();
      if (state === 'up') listener.up(address);
      else if (state !== undefined) listener.down(address, state);
    }
    return () => this.#leave(addresses, listener);
  }

  #leave(addresses: readonly Address[], listener: AccountListener): void {
    for (const address of addresses) {
      const channel = this.#channels.get(address);
      if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) continue;
      this.#channels.delete(address);
      channel.close();
    }
    if (this.#channels.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #open(address: Address): AccountChannel {
    const listeners = new Set<AccountListener>();
    const tell = (what: (listener: AccountListener) => void) => {
      for (const listener of [...listeners]) what(listener);
    };
    const channel = openChannel<unknown>({
      method: METHOD,
      what: address,
      subscribe: (abortSignal) =>
        this.#subscriptions
          .accountNotifications(address, { commitment: this.#commitment, encoding: 'base64' })
          .subscribe({ abortSignal }),
      up: () => {
        this.#lastHeard = now();
        tell((listener) => listener.up(address));
      },
      down: (error) => tell((listener) => listener.down(address, error)),
      notification: (value) => {
        this.#lastHeard = now();
        const { account, slot } = notificationOf(address, value);
        tell((listener) => listener.update(address, account, slot));
      },
    });
    return { ...channel, listeners };
  }

  /** Reconnects all subscriptions if none of them receives anything, and each one that the node does not answer. */
  #dropSilent(): void {
    const time = now() - SILENT_MS;
    const isSilent = this.#lastHeard <= time;
    for (const [address, { restartOlder, state }] of this.#channels)
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
}

const timedOut = (message: string) =>
  new HeavenError('rpc-timeout', message, { method: METHOD, timeoutMs: SILENT_MS });

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
