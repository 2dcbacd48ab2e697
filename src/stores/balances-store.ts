import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { getWalletBalances, type WalletBalances } from '../data/wallet-balances.js';
import { listenToAccounts } from '../pool/watch/account-subscriptions.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { type Fresh, type FreshnessOptions, keepFresh, maxAgeOf } from './fresh.js';
import { createStore, keepingData, type Store } from './store.js';

/** Whose balances a {@link BalancesStore} reads. */
export interface BalancesStoreInput {
  readonly wallet: Address;
  /** Only these tokens; the store also subscribes to their accounts. Default: all tokens of the wallet. */
  readonly mints?: readonly Address[] | undefined;
}

/** What {@link createBalancesStore} returns. */
export interface BalancesStore extends Store<WalletBalances> {}

/** One transaction changes several accounts: a single read covers them all. */
const SETTLE_MS = 50;
/** Beyond this many accounts, the store only reads: nodes don't like that many subscriptions. */
const MOST_SUBSCRIBED = 32;

/**
 * Follows a wallet's SOL and token balances: a {@link Store} of {@link WalletBalances}.
 *
 * With the client's `rpcSubscriptions`, it reads again when the wallet's account, or its account for one of `mints`, changes. Without
 * them, it reads every `maxAgeMs / 2`. Call `refresh` when a transaction is confirmed.
 * @throws {HeavenError} `invalid-input` for bad options; other errors are in the state
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

/** Listens to the accounts behind the balances, if the client has subscriptions. */
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
        // Read changes from before the subscriptions were active.
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
    /** Whether the clock has changed since the last call, with all subscriptions active. */
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
