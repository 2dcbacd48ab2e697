import { address, getAddressDecoder, getTransactionDecoder, getTransactionEncoder } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { registerPracticeWallet } from '../../src/testing/index.js';
import { buyFor, ledger, useLedger } from '../support/ledger.js';

useLedger();

/** As much of a Wallet Standard wallet as the tests use. */
interface Wallet {
  readonly features: {
    readonly 'standard:connect': { connect(): Promise<{ readonly accounts: readonly Account[] }> };
    readonly 'solana:signTransaction': {
      readonly supportedTransactionVersions: readonly ('legacy' | number)[];
      signTransaction(
        ...inputs: readonly { readonly account: Account; readonly transaction: Uint8Array }[]
      ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
    };
  };
}
interface Account {
  readonly address: string;
  readonly publicKey: Uint8Array;
}

beforeEach(() => void vi.stubGlobal('window', new EventTarget()));
afterEach(() => void vi.unstubAllGlobals());

/** The app's side of the Wallet Standard, as `getWallets` of `@wallet-standard/app` speaks it. */
function startApp() {
  const wallets = new Set<Wallet>();
  const api = {
    register: (wallet: Wallet) => {
      wallets.add(wallet);
      return () => void wallets.delete(wallet);
    },
  };
  window.addEventListener('wallet-standard:register-wallet', (event) =>
    (event as unknown as { readonly detail: (given: typeof api) => void }).detail(api),
  );
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  return { get: () => [...wallets] };
}

describe('registerPracticeWallet', () => {
  test('offers the wallet to an app that has started, and takes it away', async () => {
    const wallets = startApp();
    const unregister = await registerPracticeWallet();
    expect(wallets.get()).toMatchObject([{ name: 'Practice wallet', chains: ['solana:localnet'] }]);
    unregister();
    expect(wallets.get()).toEqual([]);
  });

  test('offers it to an app that starts later, and nothing where there is no page', async () => {
    const unregister = await registerPracticeWallet({ name: 'Mine' });
    expect(startApp().get()).toMatchObject([{ name: 'Mine' }]);
    unregister();
    expect(startApp().get()).toEqual([]);
    vi.unstubAllGlobals();
    expect((await registerPracticeWallet())()).toBeUndefined();
  });

  test('connects, and signs as the configuration says', async () => {
    const wallets = startApp();
    await registerPracticeWallet({ guards: 'solflare', rpc: ledger.rpc });
    const [wallet] = wallets.get();
    const [account] = (await wallet?.features['standard:connect'].connect())?.accounts ?? [];
    if (wallet === undefined || account === undefined) throw new Error('no account');
    expect(getAddressDecoder().decode(account.publicKey)).toBe(account.address);
    const payer = address(account.address);
    ledger.setBalance(payer, 5_000_000_000n);
    const built = await buyFor(payer);
    const transaction = Uint8Array.from(getTransactionEncoder().encode(built.transaction));
    const feature = wallet.features['solana:signTransaction'];
    expect(feature.supportedTransactionVersions).toEqual(['legacy', 0, 1]);
    const outputs = await feature.signTransaction({ account, transaction }, { account, transaction });
    expect(outputs).toHaveLength(2);
    const signed = getTransactionDecoder().decode(outputs[0]?.signedTransaction as Uint8Array);
    expect(signed.signatures[payer]).toHaveLength(64);
    // Solflare adds two assertions.
    expect(signed.messageBytes.length).toBeGreaterThan(built.transaction.messageBytes.length);
  });
});
