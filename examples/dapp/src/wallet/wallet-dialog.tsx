import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../dialog';
import { explainError, shortenAddress } from '../format';
import { useNetworkState } from '../network/network';
import { Button, CopyButton, Problem } from '../ui';
import { useWalletState } from './wallet';

export default function WalletDialog({ onClose }: { onClose: () => void }) {
  const { wallet, found, connect, disconnect } = useWalletState();
  const { network } = useNetworkState();
  const connecting = useMutation({ mutationFn: connect, onSuccess: onClose });
  return (
    <Dialog title={wallet ? 'Your wallet' : 'Connect a wallet'} onClose={onClose}>
      {wallet ? (
        <>
          <p className="wallet-line">
            <img src={wallet.icon} alt="" width="36" height="36" />
            <span>
              <strong>{wallet.name}</strong>
              <code>{shortenAddress(wallet.address)}</code>
            </span>
            <CopyButton text={wallet.address} label="Copy address" />
          </p>
          <Button onClick={() => void disconnect().catch(() => {})}>Disconnect</Button>
        </>
      ) : (
        <ul className="picks">
          {found.map((one) => (
            <li key={one.name}>
              <Button className="pick" onClick={() => connecting.mutate(one)}>
                <img src={one.icon} alt="" width="36" height="36" />
                <strong>{one.name}</strong>
                {connecting.isPending && connecting.variables === one && (
                  <span className="quiet">Connecting…</span>
                )}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!wallet && found.length === 0 && <NoWallet />}
      <Problem>{connecting.error && explainError(connecting.error).message}</Problem>
      <p className="quiet">
        {network?.practice && 'The practice wallet signs at once. '}
        {network?.practice ? 'Other wallets ask' : 'A wallet asks'} you before it signs. This page never sees
        a key.
      </p>
    </Dialog>
  );
}

const APPS = { Phantom: 'https://phantom.app/ul/browse/', Solflare: 'https://solflare.com/ul/v1/browse/' };

/** On a phone, wallets are apps: the page opens in the browser inside them. */
function NoWallet() {
  const query = `${encodeURIComponent(location.href)}?ref=${encodeURIComponent(location.origin)}`;
  if (!matchMedia('(pointer: coarse)').matches)
    return <p>No wallet found. Install a Solana wallet in this browser and reload the page.</p>;
  return (
    <>
      <p>No wallet found in this browser. Open this page in the browser of your wallet:</p>
      {Object.entries(APPS).map(([name, url]) => (
        <a key={name} className="pick" href={url + query}>
          Open in {name}
        </a>
      ))}
    </>
  );
}
