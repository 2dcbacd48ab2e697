// Finds and connects Wallet Standard wallets, and asks them to sign.
import { SolanaSignTransaction, type SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';

import type { SignTransactionBytes } from 'heaven-pools';

import { tame } from './format.js';
import { Problem } from './messages.js';

type Needed = StandardConnectFeature & SolanaSignTransactionFeature;
type Optional = Partial<StandardDisconnectFeature & StandardEventsFeature>;

/** A wallet with all features that the page needs. */
export type UsableWallet = Wallet & { readonly features: Needed & Optional };

const isUsable = (wallet: Wallet): wallet is UsableWallet =>
  wallet.chains.some((chain) => chain.startsWith('solana:')) &&
  StandardConnect in wallet.features &&
  SolanaSignTransaction in wallet.features &&
  (wallet as UsableWallet).features[SolanaSignTransaction].supportedTransactionVersions.includes(0);

/** The transaction version for a wallet: 1 if it supports that, otherwise 0. */
export function versionFor({ features }: UsableWallet): 0 | 1 {
  const { supportedTransactionVersions } = features[SolanaSignTransaction];
  // Older packages' types lack 1.
  return (supportedTransactionVersions as readonly unknown[]).includes(1) ? 1 : 0;
}

/** The wallets in this browser that have all features that the page needs. */
export const usableWallets = (): readonly UsableWallet[] => getWallets().get().filter(isUsable);

const MOST_LETTERS = 32;

/** A wallet's own name. Any extension can register a wallet. */
export const nameOf = ({ name }: Wallet): string => tame(name, MOST_LETTERS) || 'a wallet without a name';

/** The wallet's label for an account, if it has one. */
export const labelOf = ({ label }: WalletAccount): string => tame(label ?? '', MOST_LETTERS);

/** Reports the available wallets, now and whenever they change. */
export function watchWallets(tell: (wallets: readonly UsableWallet[]) => void): void {
  const { on } = getWallets();
  on('register', () => tell(usableWallets()));
  on('unregister', () => tell(usableWallets()));
  tell(usableWallets());
}

const solanaAccounts = (accounts: readonly WalletAccount[]) =>
  accounts.filter(
    ({ chains, features }) =>
      chains.some((chain) => chain.startsWith('solana:')) && features.includes(SolanaSignTransaction),
  );

/** The wallet that shares an account with the page, and the account, if there is one. */
export function walletWith(
  address: string,
): { readonly wallet: UsableWallet; readonly account: WalletAccount } | undefined {
  for (const wallet of usableWallets()) {
    const account = solanaAccounts(wallet.accounts).find((one) => one.address === address);
    if (account !== undefined) return { wallet, account };
  }
  return undefined;
}

/** Asks the wallet for its accounts. */
export async function connectWallet(wallet: UsableWallet): Promise<readonly WalletAccount[]> {
  let accounts: readonly WalletAccount[];
  try {
    ({ accounts } = await wallet.features[StandardConnect].connect());
  } catch (error) {
    throw refusalOf(error, `${nameOf(wallet)} did not connect. Try again and allow it there.`);
  }
  const found = solanaAccounts(accounts);
  if (found.length === 0)
    throw new Problem(undefined, `${nameOf(wallet)} has given no Solana account. Choose one there.`);
  return found;
}

export async function disconnectWallet(wallet: UsableWallet): Promise<void> {
  // Disconnect the page even if the wallet can't or won't.
  await wallet.features[StandardDisconnect]?.disconnect().catch(() => {});
}

/** Reports when the accounts of a connected wallet change. */
export const watchAccounts = (
  wallet: UsableWallet,
  tell: (accounts: readonly WalletAccount[]) => void,
): (() => void) =>
  wallet.features[StandardEvents]?.on('change', ({ accounts }) => {
    if (accounts !== undefined) tell(solanaAccounts(accounts));
  }) ?? (() => {});

/** Asks the wallet for the signature of an account. */
export const signerOf =
  (
    wallet: UsableWallet,
    account: WalletAccount,
    chain: `solana:${string}` | undefined,
  ): SignTransactionBytes =>
  async (transaction) => {
    if (chain !== undefined && !account.chains.includes(chain))
      throw new Problem(
        undefined,
        `This account of ${nameOf(wallet)} is not for ${chain.replace('solana:', 'Solana ')}. Switch the network there, or use another account.`,
      );
    try {
      const { signTransaction } = wallet.features[SolanaSignTransaction];
      const [output] = await signTransaction({
        account,
        transaction,
        ...(chain === undefined ? {} : { chain }),
      });
      return output?.signedTransaction;
    } catch (error) {
      throw refusalOf(error, `${nameOf(wallet)} could not sign. Nothing was sent.`);
    }
  };

const USER_REJECTED = 4001;

/** Wallets report a rejection by the user in different ways. */
function refusalOf(error: unknown, otherwise: string): Problem {
  if (error instanceof Problem) return error;
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const said = typeof message === 'string' ? tame(message, 200) : '';
  return code === USER_REJECTED || /reject|denied|decline|cancel|refuse/i.test(said)
    ? new Problem(undefined, 'You refused it in the wallet. Nothing was sent.')
    : new Problem(undefined, said === '' ? otherwise : `${otherwise} It said: ${said}`);
}
