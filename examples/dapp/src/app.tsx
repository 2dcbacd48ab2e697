import { onlineManager, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react';

import logo from '../logo.svg';
import { useAddress } from './address';
import { explainError, fixed, formatSol, shortenAddress } from './format';
import { type Network, useNetworkState } from './network/network';
import { LinkedNodeDialog, NetworkDialog, NodeTrouble } from './network/network-dialog';
import { useBalances, useChosenPool, useWatchPool } from './queries';
import { TradeView } from './trade/trade-card';
import { Button, Problem } from './ui';
import { useWalletState } from './wallet/wallet';

const VIEWS: Record<string, ComponentType> = {
  Trade: TradeView,
  Launch: lazy(() => import('./launch/launch-view')),
  Pools: lazy(() => import('./pools/pools-view')),
};

const rises = fixed(1, { style: 'percent', signDisplay: 'always' });

const subscribeToConnection = (changed: () => void) => onlineManager.subscribe(changed);

export function App() {
  const { network, error, asked, rpcUrl, isChoosing, setIsChoosing } = useNetworkState();
  const isOnline = useSyncExternalStore(subscribeToConnection, () => onlineManager.isOnline());
  const { hash } = useAddress();
  const view = Object.keys(VIEWS).find((name) => `#${name.toLowerCase()}` === hash) ?? 'Trade';
  const View = VIEWS[view] as ComponentType;
  useEffect(() => {
    if (view) scrollTo(0, 0);
  }, [view]);
  return (
    <>
      <title>{`${view} on Heaven`}</title>
      <header className="bar">
        <h1 className="brand">
          <img src={logo} alt="" width="24" height="24" />
          <span>Heaven</span>
        </h1>
        <nav aria-label="Views">
          {Object.keys(VIEWS).map((name) => (
            <a key={name} href={`#${name.toLowerCase()}`} aria-current={name === view ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div className="bar-end">
          <Button className="chip" onClick={() => setIsChoosing(true)}>
            <span className={`dot ${network ? (network.practice ? 'warn' : 'up') : error ? 'bad' : ''}`} />
            <span>
              <span className="hidden">Network: </span>
              {network?.name ?? (error || asked ? 'Not connected' : 'Connecting…')}
            </span>
          </Button>
          {network ? <WalletButton /> : <span className="chip">…</span>}
        </div>
      </header>
      <section className="notes" aria-label="Network in use">
        {network ? (
          <NetworkNote key={network.rpcUrl} network={network} />
        ) : (
          <p className="strip">{error || asked !== undefined ? '' : 'Loading…'}</p>
        )}
        <Problem>{!isOnline && 'You are offline. Quotes stop until you are back online.'}</Problem>
      </section>
      <main>
        {!network && <NodeTrouble key={rpcUrl} />}
        <Suspense fallback={<Waiting />}>
          {network ? <View key={network.rpcUrl} /> : !error && <Waiting />}
        </Suspense>
      </main>
      <footer>
        An example of <strong>heaven-pools</strong>. Not a service, and no advice.
      </footer>
      {asked !== undefined && <LinkedNodeDialog rpcUrl={asked} />}
      {isChoosing && <NetworkDialog onClose={() => setIsChoosing(false)} />}
    </>
  );
}

/** As in index.html: cards of the size of what comes. */
const Waiting = () => (
  <div className="columns" aria-busy="true">
    <div className="card waiting" />
    <div className="card waiting" />
  </div>
);

/** Which network this is. It also keeps the chosen pool live for all views. */
function NetworkNote({ network: { practice, rpcUrl, name, chain } }: { network: Network }) {
  const [pool] = useChosenPool();
  useWatchPool(pool);
  useEffect(() => practice?.start(), [practice]);
  const queries = useQueryClient();
  const buy = useMutation({
    mutationFn: async () => pool && (await practice?.simulateBuy(pool)),
    onSuccess: () => queries.invalidateQueries(),
  });
  if (practice === undefined)
    return (
      <p className="strip" role="note">
        {name}: {chain === 'solana:mainnet' ? 'trades cost real money.' : 'trades are sent to this network.'}{' '}
        <span className="wide">
          Your browser computes everything. The node at {new URL(rpcUrl).host} delivers the data, and sends
          what you sign.
        </span>
      </p>
    );
  return (
    <div className="strip" role="note">
      <p>
        <strong>Practice mode: no money moves.</strong>{' '}
        <span role="status" className={buy.data === undefined ? 'wide' : undefined}>
          {buy.data === undefined
            ? 'The exchange runs in your browser. Pools, prices and SOL are made up.'
            : `Someone bought 5 SOL: ${rises(buy.data)}`}
        </span>
      </p>
      <Button className="chip" onClick={() => buy.mutate()}>
        Simulate a 5 SOL buy
      </Button>
      <Problem>{buy.error && `The simulated buy failed. ${explainError(buy.error).message}`}</Problem>
    </div>
  );
}

function WalletButton() {
  const { wallet, openDialog } = useWalletState();
  const [pool] = useChosenPool();
  const { data } = useBalances(pool?.mint);
  if (wallet === undefined)
    return (
      <Button className="chip primary" onClick={openDialog}>
        <span>
          Connect<span className="wide"> wallet</span>
        </span>
      </Button>
    );
  return (
    <Button className="chip" title={wallet.address} onClick={openDialog}>
      <img src={wallet.icon} alt="" width="20" height="20" />
      <span>
        <span className="wide">{shortenAddress(wallet.address)} · </span>
        {data === undefined ? '…' : formatSol(data.lamports)}
      </span>
    </Button>
  );
}
