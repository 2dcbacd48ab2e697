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
import type { LedgerAccount, LedgerListener } from './ledger-state.js';
import type { TransactionRecord } from './rpc-methods/history.js';
import { addressOf, inContext, listOf } from './rpc-methods/rpc.js';

/** The subscriptions of an embedded ledger, for tests to inspect and break. */
export interface LedgerSubscriptions {
  /** The number of current subscriptions. */
  readonly count: number;
  /** The number of all subscriptions so far. */
  readonly opened: number;
  /** The accounts with a current subscription, oldest first. */
  readonly addresses: readonly Address[];
  /** While set, new subscriptions fail with this error. */
  refusal: Error | undefined;
  /** Ends all subscriptions with an error, as a broken connection does. */
  dropAll(error?: Error): void;
}

/** The subscriptions that an embedded ledger supports. */
export type LedgerSubscriptionsApi = AccountNotificationsApi & LogsNotificationsApi;

/** What a subscription is told. */
interface Listeners {
  /** The account. Unset for a subscription to logs. */
  readonly address?: Address;
  readonly write?: LedgerListener;
  readonly executed?: (record: TransactionRecord) => void;
}

interface Subscription extends Listeners {
  readonly fail: (error: Error) => void;
}

type Notify = (value: unknown) => void;
type Events = { readonly notification: CustomEvent; readonly error: CustomEvent };

/** A ledger's events, and how it formats an account. */
interface LedgerEvents {
  readonly onWrite: (listener: LedgerListener) => () => void;
  readonly onTransaction: (listener: (record: TransactionRecord) => void) => void;
  readonly toRpcAccount: (account: Required<LedgerAccount>) => unknown;
}

/**
 * Notifications of a ledger's writes, and of the logs of transactions that are sent to it. Before a write returns, all
 * subscribers of the account are notified in the order in which they subscribed. They react in microtasks, without a timer. A
 * transaction's logs come after its writes.
 */
export function ledgerSubscriptions({ onWrite, onTransaction, toRpcAccount }: LedgerEvents): {
  readonly rpcSubscriptions: RpcSubscriptions<LedgerSubscriptionsApi>;
  readonly subscriptions: LedgerSubscriptions;
} {
  const active = new Set<Subscription>();
  let opened = 0;
  let refusal: Error | undefined;

  onWrite((address, account, slot) => {
    for (const { write } of [...active]) write?.(address, account, slot);
  });
  onTransaction((record) => {
    for (const { executed } of [...active]) executed?.(record);
  });

  const toAccount = (asked: Address, notify: Notify): Listeners => ({
    address: asked,
    write: (address, account, slot) => {
      if (address === asked) notify(inContext(slot, toRpcAccount(account ?? REMOVED)));
    },
  });

  const toLogs = (mentioned: Address | undefined, notify: Notify): Listeners => ({
    executed: ({ accounts, slot, signature, err, meta }) => {
      if (mentioned !== undefined && !accounts.includes(mentioned)) return;
      notify(inContext(slot, { signature, err, logs: meta.logMessages ?? [] }));
    },
  });

  const transport = (async ({ request: { methodName, params }, signal }) => {
    const [first, config] = params as readonly [unknown, { readonly encoding?: unknown }?];
    const isAccount = methodName === 'accountNotifications' && config?.encoding === 'base64';
    if (!isAccount && methodName !== 'logsNotifications') {
      throw new Error(
        `The embedded ledger has only accountNotifications in base64, and logsNotifications, not ${methodName}.`,
      );
    }
    signal.throwIfAborted();
    if (refusal !== undefined) throw refusal;
    const events = new EventTarget();
    const publish = (channel: 'notification' | 'error', detail: unknown) =>
      events.dispatchEvent(new CustomEvent(channel, { detail }));
    const notify: Notify = (value) => publish('notification', value);
    const listeners = isAccount ? toAccount(first as Address, notify) : toLogs(mentionIn(first), notify);
    const subscription: Subscription = {
      ...listeners,
      fail: (error) => {
        active.delete(subscription);
        publish('error', error);
      },
    };
    active.add(subscription);
    opened += 1;
    signal.addEventListener('abort', () => active.delete(subscription), { once: true });
    return getDataPublisherFromEventEmitter(events as TypedEventTarget<Events>);
  }) as RpcSubscriptionsTransport;

  return {
    rpcSubscriptions: createSolanaRpcSubscriptionsFromTransport<
      RpcSubscriptionsTransport,
      LedgerSubscriptionsApi
    >(transport),
    subscriptions: {
      get count() {
        return active.size;
      },
      get opened() {
        return opened;
      },
      get addresses() {
        return [...active].flatMap(({ address }) => address ?? []);
      },
      get refusal() {
        return refusal;
      },
      set refusal(error) {
        refusal = error;
      },
      dropAll: (error = new Error('The connection was lost.')) => {
        for (const { fail } of [...active]) fail(error);
      },
    },
  };
}

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
