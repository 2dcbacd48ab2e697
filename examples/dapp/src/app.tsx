import { useMutation } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';

import { useAddress } from './address';
import { explainError, formatAmount, shortenAddress } from './format';
import { type Network, useNetworkState } from './network/network';
import { NetworkDialog } from './network/network-dialog';
import { useBalances, useChosenPool, useSetting, useWatchPool } from './queries';
import { TradeView } from './trade/trade-view';
import { Problem } from './ui';
import { useWalletState } from './wallet/wallet';

const VIEWS: Readonly<Record<string, readonly [title: string, View: ComponentType]>> = {
  trade: ['Trade', TradeView],
  launch: ['Launch', lazy(() => import('./launch/launch-view'))],
  pools: ['Pools', lazy(() => import('./pools/pools-view'))],
};

export function App() {
  const { network, error } = useNetworkState();
  const [isChoosing, setIsChoosing] = useState(false);
  const named = useAddress().hash.slice(1);
  const view = named in VIEWS ? named : 'trade';
  const [title, View] = VIEWS[view] ?? ['Trade', TradeView];
  return (
    <>
      <title>{`${title} on Heaven`}</title>
      <header className="bar">
        <h1 className="brand">
          <Logo />
          Heaven
        </h1>
        <nav aria-label="Views">
          {Object.entries(VIEWS).map(([name, [text]]) => (
            <a key={name} href={`#${name}`} aria-current={name === view ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <div className="bar-end">
          <button type="button" className="chip" onClick={() => setIsChoosing(true)}>
            <span
              className={`dot ${network ? (network.practice ? 'practice' : 'good') : error ? 'bad' : ''}`}
            />
            {network?.name ?? (error ? 'Not connected' : 'Connecting…')}
          </button>
          <ThemeButton />
          {network ? (
            <WalletButton />
          ) : (
            <button type="button" className="chip primary" disabled>
              Connect
            </button>
          )}
        </div>
      </header>
      <div className="notes">
        {network && <NetworkNote key={network.rpcUrl} network={network} />}
        <OfflineNote />
        <Problem>
          {Boolean(error) &&
            `Not connected. ${explainError(error).message} Correct the address under Network.`}
        </Problem>
      </div>
      <main>
        <Suspense>{network ? <View key={network.rpcUrl} /> : null}</Suspense>
      </main>
      <footer>
        An example of <strong>heaven-pools</strong>. Not a service, and no advice.
      </footer>
      {isChoosing && <NetworkDialog onClose={() => setIsChoosing(false)} />}
    </>
  );
}

function NetworkNote({ network }: { readonly network: Network }) {
  const { practice, rpcUrl, chain } = network;
  const [pool] = useChosenPool();
  useWatchPool(pool);
  const [isRunning, setIsRunning] = useState(new URLSearchParams(location.search).get('time') !== 'paused');
  useEffect(() => practice?.offerWallet(), [practice]);
  useEffect(() => (isRunning ? practice?.run() : undefined), [practice, isRunning]);
  const buy = useMutation({ mutationFn: async () => pool && (await practice?.simulateBuy(pool)) });
  if (practice === undefined)
    return (
      <p className="strip" role="note">
        A real cluster:{' '}
        {chain === 'solana:mainnet' ? 'trades here cost real money' : (chain ?? 'one of your own')}.
        Everything is computed in this page; the node at {new URL(rpcUrl).host} is only read from and sent to.
      </p>
    );
  return (
    <div className="strip" role="note">
      <p>
        <strong>Practice mode: no money moves.</strong>{' '}
        <span className="wide">The exchange runs inside this page; pools, prices and SOL are made up.</span>
      </p>
      <p className="row">
        <button type="button" aria-pressed={!isRunning} onClick={() => setIsRunning(!isRunning)}>
          Pause<span className="wide"> time</span>
        </button>
        <button type="button" onClick={() => buy.mutate()}>
          <span className="wide">Simulate a </span>5 SOL buy
        </button>
      </p>
      <Problem>{buy.error && `The simulated buy failed. ${explainError(buy.error).message}`}</Problem>
    </div>
  );
}

function OfflineNote() {
  const isOnline = useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed);
      addEventListener('offline', changed);
      return () => {
        removeEventListener('online', changed);
        removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
  );
  return (
    <Problem>{!isOnline && 'You are offline. Quotes stand still until the connection is back.'}</Problem>
  );
}

function WalletButton() {
  const { wallet, openDialog } = useWalletState();
  const [pool] = useChosenPool();
  const { data } = useBalances(pool?.mint);
  if (wallet === undefined)
    return (
      <button type="button" className="chip primary" onClick={openDialog}>
        Connect<span className="wide"> wallet</span>
      </button>
    );
  return (
    <button type="button" className="chip" title={wallet.address} onClick={openDialog}>
      <img src={wallet.icon} alt="" width="20" height="20" />
      <span className="wide">{shortenAddress(wallet.address)} · </span>
      {data === undefined ? '…' : `${formatAmount(data.lamports, 9)} SOL`}
    </button>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useSetting<'' | 'dark' | 'light'>('theme', '');
  const isDark = theme === '' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <button
      type="button"
      className="chip icon"
      aria-label="Dark theme"
      aria-pressed={isDark}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d="M10 2.5a7.5 7.5 0 1 0 0 15z" fill="currentColor" />
        <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
      </svg>
    </button>
  );
}

const Logo = () => (
  <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <ellipse cx="12" cy="7.4" rx="9.2" ry="3.6" transform="rotate(-14 12 7.4)" className="logo-ring" />
    <path d="M4.5 20.5c4-.6 5.6-3.6 7.3-6.1s3.3-3.2 7.7-2.6" className="logo-stroke" />
  </svg>
);
