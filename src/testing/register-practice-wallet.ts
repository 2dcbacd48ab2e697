import { getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';
import { assertObject } from '../base/input.js';

import { createPracticeWallet, type PracticeWallet, type PracticeWalletConfig } from './practice-wallet.js';

/** How a registered practice wallet behaves, and what it is called. */
export interface RegisterPracticeWalletConfig extends PracticeWalletConfig {
  /** Default `Practice wallet`. */
  readonly name?: string | undefined;
}

/** How the Wallet Standard lets a page take a wallet. Returns a function that removes it. */
type Register = (api: { readonly register: (wallet: object) => () => void }) => void;

const CHAINS = ['solana:localnet'] as const;
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iOCIgZmlsbD0iIzViNGJkNiIvPjxwYXRoIGQ9Ik04IDExaDE2djExSDh6bTAgMCAxMi00djRtLTEgNS41MDBoNSIgZmlsbD0ibm9uZSIgc3Ryb2tlPSIjZmZmIiBzdHJva2Utd2lkdGg9IjIiIHN0cm9rZS1saW5lam9pbj0icm91bmQiLz48L3N2Zz4=';

/**
 * Creates a {@link createPracticeWallet | practice wallet}, and offers it to the page through the Wallet Standard, as a browser extension
 * does: to try a page without one, and to test it. It is for the chain `solana:localnet`, has a new key on each call, and signs
 * legacy transactions and versions 0 and 1 without asking. Where there is no `window` it does nothing.
 *
 * @returns A function that takes the wallet away again.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const ledger = await createEmbeddedLedger();
 * const unregister = await registerPracticeWallet({ guards: 'phantom', rpc: ledger.rpc });
 * // the wallets that the page finds now include it
 * unregister();
 * ```
 */
export async function registerPracticeWallet(config: RegisterPracticeWalletConfig = {}): Promise<() => void> {
  assertObject(config, 'config');
  const { name = 'Practice wallet', ...own } = config;
  const wallet = standardWallet(await createPracticeWallet(own), name);
  const page = (globalThis as { readonly window?: EventTarget }).window;
  if (page === undefined) return () => {};
  const removals: (() => void)[] = [];
  const register: Register = (api) => {
    removals.push(api.register(wallet));
  };
  // To apps that listen by now, and to those that start later.
  const onAppReady = (event: Event) => register((event as CustomEvent).detail);
  page.addEventListener('wallet-standard:app-ready', onAppReady);
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  return () => {
    page.removeEventListener('wallet-standard:app-ready', onAppReady);
    for (const remove of removals) remove();
  };
}

/** The wallet with the features of the Wallet Standard that a page needs. */
function standardWallet({ address, signTransaction }: PracticeWallet, name: string) {
  const account = {
    address,
    publicKey: getAddressEncoder().encode(address),
    chains: CHAINS,
    features: ['solana:signTransaction'],
  } as const;
  const accounts = [account];
  return {
    version: '1.0.0',
    name,
    icon: ICON,
    chains: CHAINS,
    accounts,
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => {} },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0, 1],
        signTransaction: (...inputs: readonly { readonly transaction: ReadonlyUint8Array }[]) =>
          Promise.all(
            inputs.map(async ({ transaction }) => ({
              signedTransaction: await signTransaction(transaction),
            })),
          ),
      },
    },
  };
}
