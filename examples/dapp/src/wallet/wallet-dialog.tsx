import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../dialog';
import { shortenAddress } from '../format';
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
      {!wallet && found.length === 0 && (
        <p>No wallet found. Install a Solana wallet here, or open this page in the browser of your wallet.</p>
      )}
      <Problem error={connecting.error} />
      <p className="quiet">
        {network?.practice && 'The practice wallet signs at once. '}
        {network?.practice ? 'Other wallets ask' : 'A wallet asks'} you before it signs. This page never sees
        a key.
      </p>
    </Dialog>
  );
}
