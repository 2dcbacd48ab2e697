import type {
  AccountNotificationsApi,
  Address,
  Commitment,
  LogsNotificationsApi,
  RpcSubscriptions,
} from '@solana/kit';
import { type AnyHeavenError, HeavenError } from '../../base/errors.js';
import { inputError } from '../../base/input.js';
import { CLOCK_SYSVAR_ADDRESS } from '../programs.js';
import { backOffMs } from '../timing.js';
import { accountFrom, type RawAccount, slotOf } from './accounts.js';

type Subscriptions = RpcSubscriptions<AccountNotificationsApi & LogsNotificationsApi>;

/** A subscription that lasted this long worked: its loss doesn't count as another failure in a row. */
const LASTING_MS = 10_000;
/** The clock changes in every slot, so a connection that is silent for this long is dead. So is a request without an answer. */
const SILENT_MS = 30_000;

const now = () => performance.now();

/** Receives the notifications of one or more addresses. */
export interface SubscriptionListener<T> {
  /** Notifications about the address arrive from now on. Called again after each {@link SubscriptionListener.down}. */
  up(address: Address): void;
  /** Notifications have stopped, or could not be started. The subscription reconnects by itself. */
  down(address: Address, error: AnyHeavenError): void;
  notification(address: Address, value: T): void;
}

/** An account as of a slot. */
export interface AccountNotification extends RawAccount {
  readonly slot: bigint;
}

/** Listens to accounts. A notification that can't be read is `undefined`. */
export type AccountListener = SubscriptionListener<AccountNotification | undefined>;

const connections = new WeakMap<Subscriptions, Map<Commitment, Connection>>();

/** What a client is subscribed to at one commitment: each address once, however many listen to it. */
export class Connection {
  readonly #rpc: Subscriptions;
  readonly #commitment: Commitment;
  readonly #accounts = new Map<Address, Subscription<AccountNotification | undefined>>();
  readonly #logs = new Map<Address, Subscription<unknown>>();
  #heardAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Returns the only connection of a subscription client and a commitment. */
  static of(client: {
    readonly rpcSubscriptions?: Subscriptions | undefined;
    readonly commitment: Commitment;
  }): Connection {
    const { rpcSubscriptions, commitment } = client;
    if (rpcSubscriptions === undefined)
      throw inputError(
        'rpcSubscriptions',
        "Watching needs subscriptions. Make them with kit: createHeavenClient({ …, rpcSubscriptions: createSolanaRpcSubscriptions('wss://…') }).",
      );
    const byCommitment = connections.get(rpcSubscriptions) ?? new Map<Commitment, Connection>();
    connections.set(rpcSubscriptions, byCommitment);
    const connection = byCommitment.get(commitment) ?? new Connection(rpcSubscriptions, commitment);
    byCommitment.set(commitment, connection);
    return connection;
  }

  constructor(rpc: Subscriptions, commitment: Commitment) {
    this.#rpc = rpc;
    this.#commitment = commitment;
  }

  /** Listens until the returned function is called. */
  listenToAccounts(addresses: readonly Address[], listener: AccountListener): () => void {
    const options = { commitment: this.#commitment, encoding: 'base64' } as const;
    return this.#listen(this.#accounts, addresses, listener, (address) => ({
      method: 'accountSubscribe',
      what: address,
      subscribe: (abortSignal) => this.#rpc.accountNotifications(address, options).subscribe({ abortSignal }),
      decode: (value) => accountNotification(address, value),
    }));
  }

  /** Listens to the logs of transactions that name an address, until the returned function is called. */
  listenToLogs(address: Address, listener: SubscriptionListener<unknown>): () => void {
    const options = { commitment: this.#commitment };
    return this.#listen(this.#logs, [address], listener, () => ({
      method: 'logsSubscribe',
      what: `the logs of ${address}`,
      subscribe: (abortSignal) =>
        this.#rpc.logsNotifications({ mentions: [address] }, options).subscribe({ abortSignal }),
      decode: (value) => value,
    }));
  }

  /** Reconnects a subscription that turned out to leave out logs. */
  reconnectLogs(address: Address, error: AnyHeavenError): void {
    this.#logs.get(address)?.restartOlder(now(), error);
  }

  #listen<T>(
    subscriptions: Map<Address, Subscription<T>>,
    addresses: readonly Address[],
    listener: SubscriptionListener<T>,
    topicOf: (address: Address) => Topic<T>,
  ): () => void {
    this.#timer ??= setInterval(() => this.#restartSilent(), SILENT_MS / 3);
    const onSign = () => {
      this.#heardAt = now();
    };
    for (const address of addresses) {
      const subscription = subscriptions.get(address) ?? new Subscription(address, topicOf(address), onSign);
      subscriptions.set(address, subscription);
      subscription.add(listener);
    }
    return () => this.#leave(subscriptions, addresses, listener);
  }

  #leave<T>(
    subscriptions: Map<Address, Subscription<T>>,
    addresses: readonly Address[],
    listener: SubscriptionListener<T>,
  ): void {
    for (const address of addresses)
      if (subscriptions.get(address)?.remove(listener)) subscriptions.delete(address);
    if (this.#accounts.size + this.#logs.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Reconnects all subscriptions if the clock's says nothing, and each one that the node does not answer. */
  #restartSilent(): void {
    const time = now() - SILENT_MS;
    const isSilent = this.#heardAt <= time && this.#accounts.get(CLOCK_SYSVAR_ADDRESS)?.isUp === true;
    for (const subscription of [...this.#accounts.values(), ...this.#logs.values()]) {
      const { method, what } = subscription.topic;
      if (isSilent || !subscription.isUp)
        subscription.restartOlder(
          time,
          new HeavenError(
            'rpc-timeout',
            isSilent
              ? `The subscriptions said nothing for ${SILENT_MS} ms, though the clock changes in each slot: reconnecting.`
              : `The node did not answer the subscription to ${what} within ${SILENT_MS} ms: reconnecting.`,
            { method, timeoutMs: SILENT_MS },
          ),
        );
    }
  }
}

/** Validates a notification, which comes from outside. */
function accountNotification(address: Address, notification: unknown): AccountNotification | undefined {
  const slot = slotOf(notification);
  if (slot === undefined) return undefined;
  try {
    const { value } = notification as { readonly value?: unknown };
    return { ...accountFrom('accountSubscribe', value, address, 0), slot };
  } catch {
    return undefined;
  }
}

/** What to subscribe to. */
interface Topic<T> {
  /** The node's name of the subscription, and what it is to, for errors. */
  readonly method: string;
  readonly what: string;
  readonly subscribe: (abortSignal: AbortSignal) => Promise<AsyncIterable<unknown>>;
  readonly decode: (notification: unknown) => T;
}

/** A subscription that reconnects with growing pauses until the last listener leaves. */
class Subscription<T> {
  readonly topic: Topic<T>;
  readonly #address: Address;
  readonly #onSign: () => void;
  readonly #listeners = new Set<SubscriptionListener<T>>();
  #attempt: AbortController | undefined;
  #begunAt = 0;
  #upSince: number | undefined;
  /** The last error while it is down; `undefined` before the first attempt has ended. */
  #error: AnyHeavenError | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onSign Called when the node answers or notifies. */
  constructor(address: Address, topic: Topic<T>, onSign: () => void) {
    this.#address = address;
    this.topic = topic;
    this.#onSign = onSign;
    this.#connect();
  }

  get isUp(): boolean {
    return this.#upSince !== undefined;
  }

  add(listener: SubscriptionListener<T>): void {
    this.#listeners.add(listener);
    if (this.isUp) listener.up(this.#address);
    else if (this.#error !== undefined) listener.down(this.#address, this.#error);
  }

  /** Closes the subscription with the last listener, and returns whether it did. */
  remove(listener: SubscriptionListener<T>): boolean {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return false;
    clearTimeout(this.#timer);
    const attempt = this.#attempt;
    this.#attempt = undefined;
    attempt?.abort();
    return true;
  }

  /** Reconnects if the present attempt began before a time of `performance.now()`. */
  restartOlder(time: number, error: AnyHeavenError): void {
    if (this.#attempt !== undefined && this.#begunAt <= time) this.#restart(error);
  }

  #connect(): void {
    const mine = new AbortController();
    this.#attempt = mine;
    this.#begunAt = now();
    const lose = (cause?: unknown) => {
      if (this.#attempt === mine) this.#restart(lost(this.topic, cause));
    };
    this.#receive(mine).then(lose, lose);
  }

  /** Ends when the subscription does. An abandoned attempt may hang for ever, without blocking anything. */
  async #receive(mine: AbortController): Promise<void> {
    const notifications = (await this.topic.subscribe(mine.signal))[Symbol.asyncIterator]();
    // kit drops what arrives before the first request for a notification: nothing is missed only from here on.
    let next = notifications.next();
    if (this.#attempt !== mine) {
      next.catch(() => {});
      return;
    }
    this.#upSince = now();
    this.#onSign();
    this.#notify((listener) => listener.up(this.#address));
    for (;;) {
      const { done, value } = await next;
      if (done || this.#attempt !== mine) return;
      next = notifications.next();
      this.#onSign();
      const decoded = this.topic.decode(value);
      this.#notify((listener) => listener.notification(this.#address, decoded));
    }
  }

  #restart(error: AnyHeavenError): void {
    this.#attempt?.abort(error);
    this.#attempt = undefined;
    clearTimeout(this.#timer);
    this.#failures =
      this.#upSince !== undefined && now() - this.#upSince >= LASTING_MS ? 0 : this.#failures + 1;
    this.#upSince = undefined;
    this.#error = error;
    this.#timer = setTimeout(() => this.#connect(), backOffMs(this.#failures));
    this.#notify((listener) => listener.down(this.#address, error));
  }

  #notify(call: (listener: SubscriptionListener<T>) => void): void {
    for (const listener of [...this.#listeners]) call(listener);
  }
}

const lost = ({ method, what }: Topic<unknown>, cause: unknown) =>
  new HeavenError(
    'rpc-failed',
    `The subscription to ${what} failed or was lost. It reconnects by itself; if that does not help, use another node.`,
    { method },
    cause === undefined ? undefined : { cause },
  );
