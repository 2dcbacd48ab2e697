import { useMutation } from '@tanstack/react-query';
import type { UiWallet } from '@wallet-standard/react';

import { explainError, shortenAddress } from '../format';
import { CopyButton, Dialog, Problem } from '../ui';
import { useWalletState } from './wallet';

/** Connects a wallet, or shows the connected one. */
export function WalletDialog({ onClose }: { readonly onClose: () => void }) {
  const { wallet } = useWalletState();
  return (
    <Dialog title={wallet === undefined ? 'Connect a wallet' : 'Your wallet'} onClose={onClose}>
      {wallet === undefined ? <Choices onConnected={onClose} /> : <Connected />}
      <p className="quiet">A wallet asks you before it signs. This page never sees a key.</p>
    </Dialog>
  );
}

function Choices({ onConnected }: { readonly onConnected: () => void }) {
  const { found, connect } = useWalletState();
  const connecting = useMutation({
    mutationFn: (wallet: UiWallet) => connect(wallet),
    onSuccess: onConnected,
  });
  if (found.length === 0) return <NoWallet />;
  return (
    <>
      <ul className="picks">
        {found.map((wallet) => (
          <li key={wallet.name}>
            <button
              type="button"
              className="pick"
              aria-disabled={connecting.isPending}
              onClick={() => connecting.isPending || connecting.mutate(wallet)}
            >
              <img src={wallet.icon} alt="" width="36" height="36" />
              <strong>{wallet.name}</strong>
              {connecting.isPending && connecting.variables === wallet && (
                <span className="tag">Connecting…</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <Problem>{connecting.error && explainError(connecting.error).message}</Problem>
    </>
  );
}

/** On a phone, wallets are apps: the page opens in the browser inside them. */
function NoWallet() {
  const [page, ref] = [encodeURIComponent(location.href), encodeURIComponent(location.origin)];
  return (
    <>
      <p>No wallet found in this browser. Quotes work without one.</p>
      <p className="only-touch">Open this page in the browser of your wallet:</p>
      <ul className="picks only-touch">
        <li>
          <a className="pick" href={`https://phantom.app/ul/browse/${page}?ref=${ref}`}>
            Open in Phantom
          </a>
        </li>
        <li>
          <a className="pick" href={`https://solflare.com/ul/v1/browse/${page}?ref=${ref}`}>
            Open in Solflare
          </a>
        </li>
      </ul>
      <p className="only-mouse">To trade, install a Solana wallet in this browser and reload the page.</p>
    </>
  );
}

function Connected() {
  const { wallet, accounts, choose, disconnect } = useWalletState();
  if (wallet === undefined) return null;
  return (
    <>
      <p className="wallet-line">
        <img src={wallet.icon} alt="" width="36" height="36" />
        <span>
          <strong>{wallet.name}</strong>
          <code>{shortenAddress(wallet.address)}</code>
        </span>
        <CopyButton text={wallet.address} label="Copy address" />
      </p>
      {accounts.length > 1 && (
        <label>
          Account
          <select
            value={wallet.address}
            onChange={({ target }) => {
              const account = accounts.find(({ address }) => address === target.value);
              if (account !== undefined) choose(account);
            }}
          >
            {accounts.map(({ address, label }) => (
              <option key={address} value={address}>
                {label === undefined ? shortenAddress(address) : `${label} (${shortenAddress(address)})`}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" onClick={disconnect}>
        Disconnect
      </button>
    </>
  );
}
