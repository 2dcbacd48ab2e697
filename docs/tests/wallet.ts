import {
  generateKeyPairSigner,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { SolanaSignTransaction, type SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount, WalletEventsWindow } from '@wallet-standard/base';
import { StandardConnect, type StandardConnectFeature } from '@wallet-standard/features';

const CHAINS = ['solana:mainnet'] as const;

/** A wallet with one key that signs whatever it is asked to. */
async function createTestWallet(): Promise<Wallet> {
  const { address, keyPair } = await generateKeyPairSigner();
  const account: WalletAccount = {
    address,
    publicKey: new Uint8Array(getAddressEncoder().encode(address)),
    chains: CHAINS,
    features: [SolanaSignTransaction],
  };
  let accounts: readonly WalletAccount[] = [];
  const features: StandardConnectFeature & SolanaSignTransactionFeature = {
    [StandardConnect]: {
      version: '1.0.0',
      connect: async () => {
        accounts = [account];
        return { accounts };
      },
    },
    [SolanaSignTransaction]: {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: async (...inputs) =>
        await Promise.all(
          inputs.map(async ({ transaction }) => ({
            signedTransaction: new Uint8Array(
              getTransactionEncoder().encode(
                await partiallySignTransaction([keyPair], getTransactionDecoder().decode(transaction)),
              ),
            ),
          })),
        ),
    },
  };
  return {
    version: '1.0.0',
    name: 'Test wallet',
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains: CHAINS,
    features,
    get accounts() {
      return accounts;
    },
  };
}

/** Runs work in a simulated page with a wallet. */
export async function withWallet<T>(work: () => Promise<T>): Promise<T> {
  const wallet = await createTestWallet();
  const window = new EventTarget() as unknown as WalletEventsWindow;
  window.addEventListener('wallet-standard:app-ready', ({ detail: { register } }) => void register(wallet));
  const page = globalThis as { window?: unknown };
  const before = page.window;
  page.window = window;
  try {
    return await work();
  } finally {
    if (before === undefined) delete page.window;
    else page.window = before;
  }
}
