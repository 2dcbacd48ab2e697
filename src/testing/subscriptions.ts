import {
  type AccountNotificationsApi,
  type Address,
  createSolanaRpcSubscriptionsFromTransport,
  type DataPublisher,
  type RpcSubscriptions,
  type RpcSubscriptionsTransport,
} from '@solana/kit';

import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import type { LedgerAccount, LedgerListener } from './ledger-state.js';
import { inContext } from './rpc-methods/rpc.js';

/** The subscriptions that an embedded ledger serves, and what a test needs to see of them and do to them. */
export interface LedgerSubscriptions {
  /** How many there are now. */
  readonly count: number;
  /** How many there were ever. */
  readonly opened: number;
  /** The accounts that are subscribed to now, in the order in which that began. */
  readonly addresses: readonly Address[];
  /** While it is set, new subscriptions fail with it. */
  refusal: Error | undefined;
  /** Ends all subscriptions with an error, as a connection that breaks does. */
  dropAll(error?: Error): void;
}

interface Subscription {
  readonly address: Address;
  readonly notify: (account: Required<LedgerAccount> | undefined, slot: bigint) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Account notifications over the writes of a ledger. A write is told to all who have subscribed to its account before the
 * write returns, in the order in which they subscribed; what they do about it follows in microtasks, without a timer.
 */
export function ledgerSubscriptions(
  onWrite: (listener: LedgerListener) => () => void,
  toRpcAccount: (account: Required<LedgerAccount>) => unknown,
): {
  readonly rpcSubscriptions: RpcSubscriptions<AccountNotificationsApi>;
  readonly subscriptions: LedgerSubscriptions;
} {
  const active = new Set<Subscription>();
  let opened = 0;
  let refusal: Error | undefined;

  onWrite((address, account, slot) => {
    for (const subscription of [...active])
      if (subscription.address === address) subscription.notify(account, slot);
  });

  const subscribe = (address: Address, signal: AbortSignal): DataPublisher => {
    const publishTo: Record<string, Set<(data: unknown) => void>> = {};
    const publish = (channel: string, data: unknown) => {
      for (const listener of [...(publishTo[channel] ?? [])]) listener(data);
    };
    const subscription: Subscription = {
      address,
      notify: (account, slot) => publish('notification', inContext(slot, toRpcAccount(account ?? REMOVED))),
      fail: (error) => {
        active.delete(subscription);
        publish('error', error);
      },
    };
    active.add(subscription);
    opened += 1;
    signal.addEventListener('abort', () => active.delete(subscription), { once: true });
    return {
      on: (channel, listener, options) => {
        publishTo[channel] ??= new Set();
        const listeners = publishTo[channel];
        const entry = listener as (data: unknown) => void;
        const off = () => void listeners.delete(entry);
        listeners.add(entry);
        options?.signal.addEventListener('abort', off, { once: true });
        return off;
      },
    };
  };

  const transport = (async ({ request: { methodName, params }, signal }) => {
    const [address, config] = params as readonly [Address, { readonly encoding?: unknown }?];
    if (methodName !== 'accountNotifications' || config?.encoding !== 'base64') {
      throw new Error(`The embedded ledger has only accountNotifications in base64, not ${methodName}.`);
    }
    signal.throwIfAborted();
    if (refusal !== undefined) throw refusal;
    return subscribe(address, signal);
  }) as RpcSubscriptionsTransport;

  return {
    rpcSubscriptions: createSolanaRpcSubscriptionsFromTransport<
      RpcSubscriptionsTransport,
      AccountNotificationsApi
    >(transport),
    subscriptions: {
      get count() {
        return active.size;
      },
      get opened() {
        return opened;
      },
      get addresses() {
        return [...active].map(({ address }) => address);
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

/** How a node shows an account that is no more. */
const REMOVED: Required<LedgerAccount> = {
  owner: SYSTEM_PROGRAM_ADDRESS,
  data: new Uint8Array(),
  lamports: 0n,
};
