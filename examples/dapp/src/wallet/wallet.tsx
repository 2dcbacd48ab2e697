import type { Address } from '@solana/kit';
import { SolanaSignTransaction, type SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import type { WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { getWalletFeature, type UiWallet, useWallets } from '@wallet-standard/react';
import type { SignTransactionBytes } from 'heaven-pools';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';

import { useNetworkState } from '../network/network';
import { useSetting } from '../queries';
import { WalletDialog } from './wallet-dialog';

/** The connected wallet, with the account that trades. */
export interface Wallet {
  readonly address: Address;
  readonly name: string;
  readonly icon: string;
  /** The newest version of transactions that it signs. */
  readonly version: 0 | 1;
  readonly sign: SignTransactionBytes;
}

interface WalletState {
  readonly wallet: Wallet | undefined;
  /** The wallets in this browser that can trade. */
  readonly found: readonly UiWallet[];
  readonly accounts: readonly WalletAccount[];
  choose(account: WalletAccount): void;
  connect(wallet: UiWallet, silent?: boolean): Promise<void>;
  disconnect(): void;
  openDialog(): void;
}

const WalletContext = createContext<WalletState | undefined>(undefined);

type Features = SolanaSignTransactionFeature &
  StandardConnectFeature &
  Partial<StandardDisconnectFeature & StandardEventsFeature>;

/** A feature of a wallet, with its type. */
const featureOf = <TName extends keyof Features>(wallet: UiWallet, name: TName) =>
  (wallet.features.includes(name) ? getWalletFeature(wallet, name) : undefined) as Features[TName];

const canTrade = (wallet: UiWallet) =>
  wallet.chains.some((chain) => chain.startsWith('solana:')) &&
  wallet.features.includes(StandardConnect) &&
  wallet.features.includes(SolanaSignTransaction) &&
  featureOf(wallet, SolanaSignTransaction).supportedTransactionVersions.includes(0);

const ofSolana = (accounts: readonly WalletAccount[]) =>
  accounts.filter(
    ({ chains, features }) =>
      chains.some((chain) => chain.startsWith('solana:')) && features.includes(SolanaSignTransaction),
  );

export function WalletProvider({ children }: { readonly children: ReactNode }) {
  const { network } = useNetworkState();
  const found = useWallets().filter(canTrade);
  const [remembered, remember] = useSetting<string>('wallet', '');
  const [connected, setConnected] = useState<UiWallet>();
  const [accounts, setAccounts] = useState<readonly WalletAccount[]>([]);
  const [chosen, choose] = useState<WalletAccount>();
  const [isOpen, setIsOpen] = useState(false);
  const account = accounts.find(({ address }) => address === chosen?.address) ?? accounts[0];

  const connect = async (wallet: UiWallet, silent = false) => {
    const given = await featureOf(wallet, StandardConnect).connect({ silent });
    const usable = ofSolana(given.accounts);
    if (usable.length === 0 && silent) return;
    if (usable.length === 0) throw new Error(`${wallet.name} has given no Solana account. Choose one there.`);
    setConnected(wallet);
    setAccounts(usable);
    remember(wallet.name);
  };
  const disconnect = () => {
    // The page forgets the wallet even if the wallet can't disconnect.
    void featureOf(connected as UiWallet, StandardDisconnect)
      ?.disconnect()
      .catch(() => {});
    setConnected(undefined);
    setAccounts([]);
    remember('');
  };

  // The wallet of the last visit connects by itself, unless it wants to ask.
  const known = connected === undefined ? found.find(({ name }) => name === remembered) : undefined;
  useEffect(() => {
    if (known !== undefined) connect(known, true).catch(() => {});
  }, [known]);

  useEffect(() => {
    if (connected === undefined) return;
    return featureOf(connected, StandardEvents)?.on('change', ({ accounts: changed }) => {
      if (changed !== undefined) setAccounts(ofSolana(changed));
    });
  }, [connected]);

  // A wallet that is gone, such as that of practice mode on a cluster.
  const isGone = connected !== undefined && !found.some(({ name }) => name === connected.name);
  const wallet =
    connected === undefined || account === undefined || isGone
      ? undefined
      : toWallet(connected, account, network?.chain);
  const state = {
    wallet,
    found,
    accounts,
    choose,
    connect,
    disconnect,
    openDialog: () => setIsOpen(true),
  };
  return (
    <WalletContext value={state}>
      {children}
      {isOpen && <WalletDialog onClose={() => setIsOpen(false)} />}
    </WalletContext>
  );
}

function toWallet(wallet: UiWallet, account: WalletAccount, chain: `solana:${string}` | undefined): Wallet {
  const { supportedTransactionVersions, signTransaction } = featureOf(wallet, SolanaSignTransaction);
  return {
    address: account.address as Address,
    name: wallet.name,
    icon: account.icon ?? wallet.icon,
    // The types of older packages lack version 1.
    version: (supportedTransactionVersions as readonly unknown[]).includes(1) ? 1 : 0,
    sign: async (transaction) => {
      if (chain !== undefined && !account.chains.includes(chain))
        throw new Error(
          `This account of ${wallet.name} is not for ${chain.replace('solana:', 'Solana ')}. Switch the network there, or use another account.`,
        );
      const [output] = await signTransaction({ account, transaction, ...(chain && { chain }) });
      return output?.signedTransaction;
    },
  };
}

export function useWalletState(): WalletState {
  const state = use(WalletContext);
  if (state === undefined) throw new Error('useWalletState needs a WalletProvider.');
  return state;
}

/** The connected wallet. */
export const useWallet = (): Wallet | undefined => useWalletState().wallet;

/** Opens the dialog that connects a wallet. */
export const useConnectDialog = (): (() => void) => useWalletState().openDialog;
