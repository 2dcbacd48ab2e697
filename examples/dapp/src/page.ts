// The page: starts its parts, and shows the view that the address names. Loaded by main.ts.
import { byId, show } from './dom.js';
import { readBalances } from './follow.js';
import { explain } from './messages.js';
import { startNetwork } from './network.js';
import { startPoolFacts } from './pool-facts.js';
import { openPool, openPools, startTokenPicker } from './token-picker.js';
import { reviewTrade, startTrade } from './trade.js';
import { focusAmount, startTradeCard } from './trade-card.js';
import { startWalletMenu } from './wallet-menu.js';

const VIEWS = { trade: 'Trade', launch: 'Launch', pools: 'Pools' } as const;
type View = keyof typeof VIEWS;

/** What the other views need of the page. */
export interface ViewHost {
  /** Lets the user trade in a pool. */
  openPool(address: string): void;
  /** The wallet's SOL has changed. */
  onSpent(): void;
}

const host: ViewHost = {
  openPool: (address) => {
    location.hash = '#trade';
    openPool(address);
    focusAmount();
  },
  onSpent: () => void readBalances(),
};

/** The other views are loaded on demand. */
const LOADERS = {
  launch: async () => (await import('./launch-form.js')).startLaunch(host),
  pools: async () => (await import('./liquidity.js')).startLiquidity(host),
} as const;
const started = new Set<View>();

async function showView(): Promise<void> {
  const named = location.hash.slice(1);
  const view: View = named === 'launch' || named === 'pools' ? named : 'trade';
  document.body.dataset.view = view;
  for (const one of Object.keys(VIEWS)) byId(`nav-${one}`).ariaCurrent = one === view ? 'page' : null;
  document.title = `${VIEWS[view]} on Heaven`;
  // A chart that was drawn while hidden has no size.
  if (view === 'trade' || started.has(view)) return;
  started.add(view);
  try {
    await LOADERS[view]();
  } catch (error) {
    started.delete(view);
    show(byId('connection-problem'), explain(error).message);
  }
}

/** Starts the page. Call it once. */
export function startPage(): void {
  startWalletMenu();
  startTokenPicker();
  startTradeCard(() => void reviewTrade());
  startTrade();
  startPoolFacts();
  for (const button of document.querySelectorAll<HTMLButtonElement>('button:disabled'))
    button.disabled = false;
  addEventListener('hashchange', () => void showView());
  void showView();
  startNetwork(openPools);
}
