import { getAddressEncoder } from '@solana/kit';
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
import { createPracticeWallet, type EmbeddedLedger } from 'heaven-pools/testing';

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignTransactionFeature;

/**
 * A wallet for the model only, which signs without asking. The page finds and uses it like any other. Its key is new on each
 * load and never leaves the page. With `?guards=phantom` or `?guards=solflare` in the page's address it adds assertions like
 * these wallets.
 */
export async function registerPracticeWallet({ rpc }: EmbeddedLedger): Promise<() => void> {
  const asked = new URLSearchParams(globalThis.location?.search).get('guards');
  const guards = asked === 'phantom' || asked === 'solflare' ? asked : 'none';
  const { address, signTransaction } = await createPracticeWallet({ guards, rpc });
  const account = {
    address,
    publicKey: getAddressEncoder().encode(address),
    chains: ['solana:localnet'],
    features: [SolanaSignTransaction],
  } as const;
  const features: Features = {
    [StandardConnect]: { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
    [StandardDisconnect]: { version: '1.0.0', disconnect: async () => {} },
    [StandardEvents]: { version: '1.0.0', on: () => () => {} },
    [SolanaSignTransaction]: {
      version: '1.0.0',
      // Older packages' types lack 1.
      supportedTransactionVersions: ['legacy', 0, 1 as never],
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => ({ signedTransaction: await signTransaction(transaction) })),
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
