import { useMutation } from '@tanstack/react-query';
import type { UiWallet } from '@wallet-standard/react';

import { explainError, shortenAddress } from '../format';
import { CopyButton, Dialog, Problem } from '../ui';
import { useWalletState } from './wallet';

/** Connects a wallet, or shows the connected one. */
export function WalletDialog({ onClose }: { onClose: () => void }) {
  const { wallet, found } = useWalletState();
  return (
    <Dialog title={wallet === undefined ? 'Connect a wallet' : 'Your wallet'} onClose={onClose}>
      {wallet ? <Connected /> : found.length > 0 ? <Choices onConnected={onClose} /> : <NoWallet />}
      <p className="quiet">A wallet asks you before it signs. This page never sees a key.</p>
    </Dialog>
  );
}

function Choices({ onConnected }: { onConnected: () => void }) {
  const { found, connect } = useWalletState();
  const connecting = useMutation({
    mutationFn: (wallet: UiWallet) => connect(wallet),
    onSuccess: onConnected,
  });
  return (
    <>
      <ul className="picks">
        {found.map((wallet) => (
          <li key={wallet.name}>
            <button type="button" className="pick" onClick={() => connecting.mutate(wallet)}>
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
  const query = `${encodeURIComponent(location.href)}?ref=${encodeURIComponent(location.origin)}`;
  const apps = { Phantom: 'https://phantom.app/ul/browse/', Solflare: 'https://solflare.com/ul/v1/browse/' };
  if (!matchMedia('(pointer: coarse)').matches)
    return (
      <p>
        No wallet found. Install a Solana wallet in this browser and reload the page. Quotes work without one.
      </p>
    );
  return (
    <>
      <p>No wallet found in this browser. Open this page in the browser of your wallet:</p>
      <ul className="picks">
        {Object.entries(apps).map(([name, url]) => (
          <li key={name}>
            <a className="pick" href={url + query}>
              Open in {name}
            </a>
          </li>
        ))}
      </ul>
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
        <label className="field">
          Account
          <select value={wallet.address} onChange={({ target }) => choose(target.value)}>
            {accounts.map(({ address, label }) => (
              <option key={address} value={address}>
                {label === undefined ? shortenAddress(address) : `${label} (${shortenAddress(address)})`}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" onClick={() => void disconnect().catch(() => {})}>
        Disconnect
      </button>
    </>
  );
}
