import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { listenToAccounts } from '../pool/watch/account-subscriptions.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { type Fresh, type FreshnessOptions, keepFresh, maxAgeOf } from './fresh.js';
import { createStore, keepingData, type Store } from './store.js';

/** One transaction changes several accounts: a single read covers them all. */
const SETTLE_MS = 50;
/** Beyond this many accounts, the store only reads: nodes don't like that many subscriptions. */
const MOST_SUBSCRIBED = 32;

/** A token of a wallet. */
export interface HeldToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** What a store reads of a wallet. */
export interface WalletSource<T> {
  readonly wallet: Address;
  readonly read: (options: RequestOptions) => Promise<T>;
  /** The tokens to subscribe to the accounts of; without it, the store only reads. */
  readonly tokensOf: ((data: T) => readonly HeldToken[]) | undefined;
}

/** Creates a store of what a wallet holds, which reads again when the wallet's accounts change. */
export function createWalletStore<T extends { readonly slot: bigint }>(
  client: HeavenClient,
  { wallet, read, tokensOf }: WalletSource<T>,
  options: FreshnessOptions,
): Store<T> {
  const maxAgeMs = maxAgeOf(options);
  return createStore<T>((set, get) => {
    let fresh: Fresh<T> | undefined;
    return {
      start: () => {
        const changes = listenForChanges(client, () => void own.read());
        const own: Fresh<T> = keepFresh<T>(
          {
            start: () => void own.read(),
            read: (abortSignal) => read({ abortSignal }),
            slotOf: ({ slot }) => slot,
            heard: () => (changes.hasTicked() ? own.state().data : undefined),
            changed: () => {
              const state = own.state();
              set(keepingData(state, get()));
              if (state.status === 'ready' && tokensOf !== undefined)
                void changes.to(wallet, tokensOf(state.data));
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

/** Listens to a wallet's accounts, if the client has subscriptions. */
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
  const to = async (wallet: Address, tokens: readonly HeldToken[]): Promise<void> => {
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
