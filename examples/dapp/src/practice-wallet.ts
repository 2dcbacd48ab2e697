import {
  generateKeyPairSigner,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  signTransaction,
} from '@solana/kit';
import { SolanaSignTransaction, type SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignTransactionFeature;

/**
 * A wallet for the model alone, which signs without asking. It is found and used as any other; its key is made anew with
 * the page and can't leave it.
 */
export async function registerPracticeWallet(): Promise<() => void> {
  const signer = await generateKeyPairSigner();
  const account = {
    address: signer.address,
    publicKey: getAddressEncoder().encode(signer.address),
    chains: ['solana:localnet'],
    features: [SolanaSignTransaction],
  } as const;
  const features: Features = {
    [StandardConnect]: { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
    [StandardDisconnect]: { version: '1.0.0', disconnect: async () => {} },
    [StandardEvents]: { version: '1.0.0', on: () => () => {} },
    [SolanaSignTransaction]: {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => {
            const signed = await signTransaction(
              [signer.keyPair],
              getTransactionDecoder().decode(transaction) as never,
            );
            return { signedTransaction: Uint8Array.from(getTransactionEncoder().encode(signed)) };
          }),
        ),
    },
  };
  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Practice wallet',
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    chains: ['solana:localnet'],
    accounts: [account],
    features,
  };
  return getWallets().register(wallet);
}
