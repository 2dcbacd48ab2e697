import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { getWalletBalances, type WalletBalances } from '../data/wallet-balances.js';
import { listenToAccounts } from '../pool/watch/account-subscriptions.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { type Fresh, type FreshnessOptions, keepFresh, maxAgeOf } from './fresh.js';
import { createStore, keepingData, type Store } from './store.js';

/** Whose balances a {@link BalancesStore} has. */
export interface BalancesStoreInput {
  readonly wallet: Address;
  /** Only these tokens; their accounts are then subscribed to. Default: all tokens of the wallet. */
  readonly mints?: readonly Address[] | undefined;
}

/** What {@link createBalancesStore} returns. */
export interface BalancesStore extends Store<WalletBalances> {}

/** Several accounts change in one transaction: one read is enough for all. */
const SETTLE_MS = 50;
/** More accounts than a node would like to have subscribed to are read only. */
const MOST_SUBSCRIBED = 32;

/**
 * Follows what a wallet holds: a {@link Store} of its {@link WalletBalances}.
 *
 * With the client's `rpcSubscriptions` it reads again when the wallet's account, or its account of one of `mints`, changes. Without
 * them it reads after half of `maxAgeMs`. Call `refresh` when a transaction is confirmed.
 * @throws {HeavenError} `invalid-input` for bad options; all else is in the state
 * @example
 * ```ts
 * const balances = createBalancesStore(client, { wallet: user, mints: [mint] });
 * const unsubscribe = balances.subscribe(({ data }) => console.log(data?.sol.spendable, data?.tokens[0]?.uiAmount));
 * ```
 */
export function createBalancesStore(
  client: HeavenClient,
  { wallet, mints }: BalancesStoreInput,
  options: FreshnessOptions = {},
): BalancesStore {
  const maxAgeMs = maxAgeOf(options);
  return createStore<WalletBalances>((set, get) => {
    let fresh: Fresh<WalletBalances> | undefined;
    return {
      start: () => {
        const changes = listenForChanges(client, () => void own.read());
        const own: Fresh<WalletBalances> = keepFresh<WalletBalances>(
          {
            start: () => void own.read(),
            read: (abortSignal) => getWalletBalances(client, { wallet, mints, abortSignal }),
            slotOf: ({ slot }) => slot,
            heard: () => (changes.hasTicked() ? own.state().data : undefined),
            changed: () => {
              const state = own.state();
              set(keepingData(state, get()));
              if (state.status === 'ready' && mints !== undefined) void changes.to(wallet, state.data);
            },
          },
          maxAgeMs,
        );
        fresh = own;
        set(keepingData(own.state(), get()));
        own.begin();
        return () => {
          own.stop();
          changes.stop();
          fresh = undefined;
        };
      },
      refresh: async () => await fresh?.refresh(),
    };
  });
}

/** Listens to the accounts behind balances, if the client can. */
function listenForChanges({ rpcSubscriptions, commitment }: HeavenClient, changed: () => void) {
  let subscribed = '';
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStopped = false;
  const up = new Set<Address>();
  let hasTicked = false;

  const soon = () => {
    if (!hasStopped) timer ??= setTimeout(fire, SETTLE_MS);
  };
  const fire = () => {
    timer = undefined;
    changed();
  };
  const to = async (wallet: Address, { tokens }: WalletBalances): Promise<void> => {
    if (rpcSubscriptions === undefined) return;
    const accounts = await Promise.all(
      tokens.map(async ({ mint, tokenProgram }) =>
        findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram }),
      ),
    );
    const addresses = [wallet, ...accounts];
    const key = addresses.join();
    if (hasStopped || key === subscribed || addresses.length > MOST_SUBSCRIBED) return;
    unsubscribe?.();
    subscribed = key;
    up.clear();
    const all = [CLOCK_SYSVAR_ADDRESS, ...addresses];
    unsubscribe = listenToAccounts(rpcSubscriptions, commitment, all, {
      up: (address) => {
        up.add(address);
        // What changed before the subscriptions were there is read.
        if (up.size === all.length) soon();
      },
      down: (address) => void up.delete(address),
      update: (address) => {
        if (address !== CLOCK_SYSVAR_ADDRESS) soon();
        else if (up.size === all.length) hasTicked = true;
      },
    });
  };
  return {
    to,
    /** Whether the clock has changed since this was asked last, with all subscriptions there. */
    hasTicked: () => {
      const ticked = hasTicked;
      hasTicked = false;
      return ticked && timer === undefined;
    },
    stop: () => {
      hasStopped = true;
      unsubscribe?.();
      clearTimeout(timer);
    },
  };
}
