import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { getWalletBalances, type WalletBalances } from '../data/wallet-balances.js';
import type { FreshnessOptions } from './fresh.js';
import type { Store } from './store.js';
import { createWalletStore } from './wallet-store.js';

/** Whose balances a {@link BalancesStore} reads. */
export interface BalancesStoreInput {
  readonly wallet: Address;
  /** Only these tokens; the store also subscribes to their accounts. Default: all tokens of the wallet. */
  readonly mints?: readonly Address[] | undefined;
}

/** What {@link createBalancesStore} returns. */
export interface BalancesStore extends Store<WalletBalances> {}

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
  return createWalletStore<WalletBalances>(
    client,
    {
      wallet,
      read: ({ abortSignal }) => getWalletBalances(client, { wallet, mints, abortSignal }),
      tokensOf: mints === undefined ? undefined : ({ tokens }) => tokens,
    },
    options,
  );
}
