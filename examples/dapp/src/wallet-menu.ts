// Chooses, connects and disconnects the wallet, and shows its balances.
import type { Address } from '@solana/kit';
import type { WalletAccount } from '@wallet-standard/base';

import {
  byId,
  closesBeside,
  copyButton,
  element,
  isBusy,
  openDialog,
  setBusy,
  setText,
  show,
} from './dom.js';
import { followWallet } from './follow.js';
import { formatAmount, formatShortSol, formatSol, shortenAddress } from './format.js';
import { explain } from './messages.js';
import { changed, leave, onChange, state, symbolOfPool } from './state.js';
import { tokenImage } from './token-image.js';
import {
  connectWallet,
  disconnectWallet,
  labelOf,
  nameOf,
  type UsableWallet,
  watchAccounts,
  watchWallets,
} from './wallets.js';

let stopWatchingAccounts = () => {};
const menuButton = byId<HTMLButtonElement>('wallet-button');

export const openWalletMenu = () => openDialog('wallet-dialog');

function renderChoices(found: readonly UsableWallet[]): void {
  if (state.wallet !== undefined && !found.includes(state.wallet)) leaveWallet();
  const buttons = found.map((one) => {
    const button = element('button', { type: 'button' }, `Connect ${nameOf(one)}`);
    button.addEventListener('click', () => void connectTo(one, button));
    return button;
  });
  byId('wallet-buttons').replaceChildren(...buttons);
  byId('no-wallet').hidden = found.length > 0;
}

async function connectTo(chosen: UsableWallet, button: HTMLButtonElement): Promise<void> {
  if (isBusy(button)) return;
  show(byId('wallet-problem'), undefined);
  setBusy(button, `Connecting ${nameOf(chosen)}…`);
  try {
    const given = await connectWallet(chosen);
    state.wallet = chosen;
    stopWatchingAccounts = watchAccounts(chosen, takeAccounts);
    takeAccounts(given);
    byId<HTMLDialogElement>('wallet-dialog').close();
    menuButton.focus();
    // A trade may be near. If its code can't be loaded now, that is reported when it is needed.
    void import('./trade-operation.js').catch(() => {});
  } catch (error) {
    show(byId('wallet-problem'), explain(error).message);
  } finally {
    setBusy(button, undefined);
  }
}

function takeAccounts(given: readonly WalletAccount[]): void {
  if (given.length === 0) {
    leaveWallet();
    return;
  }
  state.accounts = given;
  takeAccount(given.find(({ address }) => address === state.account?.address) ?? (given[0] as WalletAccount));
}

function takeAccount(next: WalletAccount): void {
  // A transaction for one account is not signed with another.
  if (next.address !== state.account?.address) leave();
  state.account = next;
  welcome();
  followWallet();
  changed();
}

function leaveWallet(): void {
  stopWatchingAccounts();
  stopWatchingAccounts = () => {};
  state.wallet = undefined;
  state.account = undefined;
  state.accounts = [];
  leave();
  followWallet();
  changed();
}

/** In practice mode, every wallet gets SOL to play with. */
export function welcome(): void {
  if (state.account !== undefined) state.connection?.model?.welcome(state.account.address);
}

function render(): void {
  const { wallet, account, accounts, balances, balanceProblem, snapshot, pool } = state;
  const isConnected = wallet !== undefined && account !== undefined;
  byId('wallet-choices').hidden = isConnected;
  byId('wallet-connected').hidden = !isConnected;
  setText(byId('wallet-dialog-title'), isConnected ? 'Your wallet' : 'Connect a wallet');
  menuButton.classList.toggle('primary', !isConnected);
  if (!isConnected) {
    menuButton.replaceChildren('Connect', element('span', { class: 'wide-inline' }, ' wallet'));
    return;
  }
  menuButton.replaceChildren(
    element('span', { class: 'wide-inline' }, `${shortenAddress(account.address)} · `),
    balances === undefined ? '…' : formatShortSol(balances.lamports, 4),
  );
  menuButton.setAttribute('title', account.address);
  setText(byId('wallet-name'), nameOf(wallet));
  setText(byId('wallet-address'), shortenAddress(account.address));
  byId('wallet-image').replaceChildren(tokenImage(account.address as Address, nameOf(wallet), true));
  if (balanceProblem !== undefined) setText(byId('wallet-balance'), `Balance not known. ${balanceProblem}`);
  else if (balances !== undefined) {
    const tokens =
      snapshot === undefined
        ? ''
        : ` and ${formatAmount(balances.tokenUnits, snapshot.token.decimals)} ${symbolOfPool(pool)}`;
    setText(byId('wallet-balance'), `${formatSol(balances.lamports)}${tokens}`);
  }
  byId('account-field').hidden = accounts.length < 2;
  byId('account').replaceChildren(
    ...accounts.map((one) => {
      const [label, brief] = [labelOf(one), shortenAddress(one.address)];
      return element('option', { value: one.address }, label === '' ? brief : `${label} (${brief})`);
    }),
  );
  byId<HTMLSelectElement>('account').value = account.address;
}

export function startWalletMenu(): void {
  closesBeside(byId<HTMLDialogElement>('wallet-dialog'));
  menuButton.addEventListener('click', openWalletMenu);
  byId('disconnect').addEventListener('click', () => {
    const leaving = state.wallet;
    leaveWallet();
    if (leaving !== undefined) void disconnectWallet(leaving);
    byId('wallet-choices').querySelector('button')?.focus();
  });
  byId('wallet-copy').append(copyButton(() => state.account?.address ?? '', 'Copy address'));
  byId<HTMLSelectElement>('account').addEventListener('change', (event) => {
    const wanted = (event.target as HTMLSelectElement).value;
    const chosen = state.accounts.find(({ address }) => address === wanted);
    if (chosen !== undefined) takeAccount(chosen);
  });
  onChange(render);
  watchWallets(renderChoices);
}
