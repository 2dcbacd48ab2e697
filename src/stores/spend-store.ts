import type { HeavenClient } from '../client.js';
import { fetchWalletSpend, type WalletSpend, type WalletSpendInput } from '../data/maximum-spend.js';
import type { FreshnessOptions } from './fresh.js';
import type { Store } from './store.js';
import { createWalletStore } from './wallet-store.js';

/** Whose wallet, and which token. The other options are those of {@link maximumSpend}. */
export interface SpendStoreInput extends Omit<WalletSpendInput, 'abortSignal'> {}

/** What {@link createSpendStore} returns. */
export interface SpendStore extends Store<WalletSpend> {}

/**
 * Follows what a wallet holds of SOL and a token, and the most that a buy and a sell can use: a {@link Store} of {@link WalletSpend},
 * for the balance and the "Max" button of a swap card. All of it comes from one read.
 *
 * With the client's `rpcSubscriptions`, it reads again when the wallet's account, or its account for the token, changes. Without
 * them, it reads every `maxAgeMs / 2`. Call `refresh` when a transaction is confirmed.
 * @throws {HeavenError} `invalid-input` for bad options; other errors are in the state
 * @example
 * ```ts
 * const spend = createSpendStore(client, { wallet: user, mint });
 * const unsubscribe = spend.subscribe(({ data }) => console.log(data?.lamports, data?.buy.uiAmount, data?.sell.uiAmount));
 * ```
 */
export function createSpendStore(
  client: HeavenClient,
  input: SpendStoreInput,
  options: FreshnessOptions = {},
): SpendStore {
  return createWalletStore<WalletSpend>(
    client,
    {
      wallet: input.wallet,
      read: ({ abortSignal }) => fetchWalletSpend(client, { ...input, abortSignal }),
      tokensOf: (spend) => [spend],
    },
    options,
  );
}
