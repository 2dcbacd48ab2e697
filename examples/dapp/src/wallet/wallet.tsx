import type { Address } from '@solana/kit';
import { SolanaSignTransaction, type SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import type { WalletAccount } from '@wallet-standard/base';
import * as standard from '@wallet-standard/features';
import { getWalletFeature, type UiWallet, useWallets } from '@wallet-standard/react';
import type { SignTransactionBytes } from 'heaven-pools';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react';

import { UserError } from '../format';
import { useNetworkState } from '../network/network';
import { useSetting } from '../setting';

export interface Wallet {
  address: Address;
  name: string;
  icon: string;
  /** The newest version of transactions that it signs. */
  version: 0 | 1;
  sign: SignTransactionBytes;
}

type Features = SolanaSignTransactionFeature &
  standard.StandardConnectFeature &
  Partial<standard.StandardDisconnectFeature & standard.StandardEventsFeature>;

const featureOf = <TName extends keyof Features>(wallet: UiWallet, name: TName) =>
  (wallet.features.includes(name) ? getWalletFeature(wallet, name) : undefined) as Features[TName];

const isOfSolana = ({ chains, features }: Pick<UiWallet, 'chains' | 'features'>) =>
  chains.some((chain) => chain.startsWith('solana:')) && features.includes(SolanaSignTransaction);

const canTrade = (wallet: UiWallet) =>
  isOfSolana(wallet) &&
  wallet.features.includes(standard.StandardConnect) &&
  featureOf(wallet, SolanaSignTransaction).supportedTransactionVersions.includes(0);

function useWalletProvider() {
  const { network } = useNetworkState();
  const found = useWallets().filter(canTrade);
  const [remembered, remember] = useSetting<string>('wallet', '');
  const [connected, setConnected] = useState<{ wallet: UiWallet; account: WalletAccount | undefined }>();
  const [isOpen, setIsOpen] = useState(false);

  const accountIn = async (wallet: UiWallet, silent = false) => {
    const { accounts } = await featureOf(wallet, standard.StandardConnect).connect({ silent });
    const account = accounts.find(isOfSolana);
    if (account || silent) return account;
    throw new UserError(`${wallet.name} has given no Solana account. Choose one there.`);
  };
  const connectWith = async (wallet: UiWallet, silent: boolean) => {
    const account = await accountIn(wallet, silent);
    if (account === undefined) return;
    setConnected({ wallet, account });
    remember(wallet.name);
  };
  const disconnect = async () => {
    setConnected(undefined);
    remember('');
    await (connected && featureOf(connected.wallet, standard.StandardDisconnect)?.disconnect());
  };

  // The wallet of the last visit connects by itself, unless it wants to ask.
  const known = connected === undefined ? found.find(({ name }) => name === remembered) : undefined;
  useEffect(() => {
    if (known !== undefined) connectWith(known, true).catch(() => {});
  }, [known]);
  // Another account is chosen in the wallet.
  useEffect(() => {
    if (connected === undefined) return;
    const { wallet } = connected;
    return featureOf(wallet, standard.StandardEvents)?.on('change', ({ accounts }) => {
      if (accounts !== undefined) setConnected({ wallet, account: accounts.find(isOfSolana) });
    });
  }, [connected]);

  // A wallet can go, such as that of practice mode on a cluster.
  const isThere = found.some(({ name }) => name === connected?.wallet.name);
  const account = isThere ? connected?.account : undefined;
  const wallet = connected && account && toWallet(connected.wallet, account, network?.chain);
  return {
    ...{ wallet, found, disconnect, isOpen },
    connect: (one: UiWallet) => connectWith(one, false),
    /** A second wallet, which signs beside the connected one. */
    askSecond: async (one: UiWallet) =>
      toWallet(one, (await accountIn(one)) as WalletAccount, network?.chain),
    openDialog: () => setIsOpen(true),
    closeDialog: () => setIsOpen(false),
  };
}

function toWallet(wallet: UiWallet, account: WalletAccount, chain: `solana:${string}` | undefined): Wallet {
  const feature = featureOf(wallet, SolanaSignTransaction);
  // The types of older packages lack version 1.
  const versions: readonly unknown[] = feature.supportedTransactionVersions;
  return {
    address: account.address as Address,
    name: wallet.name,
    icon: account.icon ?? wallet.icon,
    version: versions.includes(1) ? 1 : 0,
    sign: async (transaction) => {
      if (chain !== undefined && !account.chains.includes(chain))
        throw new UserError(`This account of ${wallet.name} is not for ${chain}. Switch the network there.`);
      const [output] = await feature.signTransaction({ account, transaction, ...(chain && { chain }) });
      return output?.signedTransaction;
    },
  };
}

const WalletDialog = lazy(() => import('./wallet-dialog'));
type WalletState = ReturnType<typeof useWalletProvider>;
const WalletContext = createContext<WalletState | null>(null);

export function WalletProvider({ children }: { children: ReactNode }) {
  const state = useWalletProvider();
  return (
    <WalletContext value={state}>
      {children}
      <Suspense>{state.isOpen && <WalletDialog onClose={state.closeDialog} />}</Suspense>
    </WalletContext>
  );
}

export const useWalletState = () => use(WalletContext) as WalletState;

export const useWallet = (): Wallet | undefined => useWalletState().wallet;
