import {
  type AccountNotificationsApi,
  type Address,
  createSolanaRpcSubscriptionsFromTransport,
  getDataPublisherFromEventEmitter,
  type LogsNotificationsApi,
  type RpcSubscriptions,
  type RpcSubscriptionsTransport,
  type TypedEventTarget,
} from '@solana/kit';

import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import type { LedgerAccount, LedgerState } from './ledger-state.js';
import { encodedAccount } from './rpc-methods/account-encoding.js';
import type { TransactionHistory, TransactionRecord } from './rpc-methods/history.js';
import { addressOf, inContext, listOf } from './rpc-methods/rpc.js';

/** The subscriptions that an embedded ledger supports. */
export type LedgerSubscriptionsApi = AccountNotificationsApi & LogsNotificationsApi;

/** What a subscription is told. */
interface Listeners {
  /** The account. Unset for a subscription to logs. */
  readonly address?: Address;
  readonly onWrite?: (account: Required<LedgerAccount> | undefined, slot: bigint) => void;
  readonly onTransaction?: (record: TransactionRecord) => void;
}

interface Subscription extends Listeners {
  readonly fail: (error: Error) => void;
}

type Notify = (value: unknown) => void;
type Events = { readonly notification: CustomEvent; readonly error: CustomEvent };

/**
 * The subscriptions of an embedded ledger, for tests to inspect and break. They notify of its writes, and of the logs of
 * transactions that are sent to it. Before a write returns, all subscribers of the account are notified in the order in which
 * they subscribed. They react in microtasks, without a timer. A transaction's logs come after its writes.
 */
export class LedgerSubscriptions {
  /** While set, new subscriptions fail with this error. */
  refusal: Error | undefined;
  readonly #ledger: LedgerState;
  readonly #active = new Set<Subscription>();
  /** Those to accounts, by their address. */
  readonly #ofAccounts = new Map<Address, Set<Subscription>>();
  #opened = 0;

  constructor(ledger: LedgerState, history: TransactionHistory) {
    this.#ledger = ledger;
    ledger.onWrite((address, account, slot) => {
      for (const { onWrite } of [...(this.#ofAccounts.get(address) ?? [])]) onWrite?.(account, slot);
    });
    history.onAdd((record) => {
      for (const { onTransaction } of [...this.#active]) onTransaction?.(record);
    });
  }

  /** The number of current subscriptions. */
  get count(): number {
    return this.#active.size;
  }

  /** The number of all subscriptions so far. */
  get opened(): number {
    return this.#opened;
  }

  /** The accounts with a current subscription, oldest first. */
  get addresses(): readonly Address[] {
    return [...this.#active].flatMap(({ address }) => address ?? []);
  }

  /** Ends all subscriptions with an error, as a broken connection does. */
  dropAll(error: Error = new Error('The connection was lost.')): void {
    for (const { fail } of [...this.#active]) fail(error);
  }

  /** The subscriptions as kit's API. */
  createRpc(): RpcSubscriptions<LedgerSubscriptionsApi> {
    const transport = (async ({ request: { methodName, params }, signal }) =>
      this.#subscribe(methodName, params as readonly unknown[], signal)) as RpcSubscriptionsTransport;
    return createSolanaRpcSubscriptionsFromTransport<RpcSubscriptionsTransport, LedgerSubscriptionsApi>(
      transport,
    );
  }

  #subscribe(method: string, [asked, config]: readonly unknown[], signal: AbortSignal) {
    const isAccount =
      method === 'accountNotifications' && (config as { encoding?: unknown })?.encoding === 'base64';
    if (!isAccount && method !== 'logsNotifications') {
      throw new Error(
        `The embedded ledger has only accountNotifications in base64, and logsNotifications, not ${method}.`,
      );
    }
    signal.throwIfAborted();
    if (this.refusal !== undefined) throw this.refusal;
    const events = new EventTarget();
    const publish = (channel: 'notification' | 'error', detail: unknown) =>
      events.dispatchEvent(new CustomEvent(channel, { detail }));
    const notify: Notify = (value) => publish('notification', value);
    const subscription: Subscription = {
      ...(isAccount ? toAccount(asked as Address, this.#ledger, notify) : toLogs(mentionIn(asked), notify)),
      fail: (error) => {
        this.#remove(subscription);
        publish('error', error);
      },
    };
    this.#add(subscription);
    signal.addEventListener('abort', () => this.#remove(subscription), { once: true });
    return getDataPublisherFromEventEmitter(events as TypedEventTarget<Events>);
  }

  #add(subscription: Subscription): void {
    this.#active.add(subscription);
    this.#opened += 1;
    const { address } = subscription;
    if (address === undefined) return;
    const others = this.#ofAccounts.get(address);
    if (others) others.add(subscription);
    else this.#ofAccounts.set(address, new Set([subscription]));
  }

  #remove(subscription: Subscription): void {
    this.#active.delete(subscription);
    const { address } = subscription;
    if (address !== undefined) this.#ofAccounts.get(address)?.delete(subscription);
  }
}

const toAccount = (address: Address, ledger: LedgerState, notify: Notify): Listeners => ({
  address,
  onWrite: (account, slot) => notify(inContext(slot, encodedAccount(account ?? REMOVED, 'base64', ledger))),
});

const toLogs = (mentioned: Address | undefined, notify: Notify): Listeners => ({
  onTransaction: ({ accounts, slot, signature, err, meta }) => {
    if (mentioned !== undefined && !accounts.includes(mentioned)) return;
    notify(inContext(slot, { signature, err, logs: meta.logMessages }));
  },
});

/** The address in a logs filter, or `undefined` for all. Nodes accept only one. */
function mentionIn(filter: unknown): Address | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined;
  const { mentions } = Object(filter) as { readonly mentions?: unknown };
  const [mentioned, ...more] = listOf(mentions, 1, (address) => addressOf(address));
  if (mentioned === undefined || more.length > 0)
    throw new Error("Logs are of 'all', 'allWithVotes' or { mentions: [address] }.");
  return mentioned;
}

/** A closed account as a node shows it. */
const REMOVED: Required<LedgerAccount> = {
  owner: SYSTEM_PROGRAM_ADDRESS,
  data: new Uint8Array(),
  lamports: 0n,
};
