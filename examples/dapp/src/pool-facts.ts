// The facts of the pool, and the charts below them.
import { computeMarketCap, sumFees, toSpotPrice, toSwapState } from 'heaven-pools';

import { byId, type Fact, setFacts } from './dom.js';
import { formatBps, formatCompact, formatPrice, formatUsd, shortenAddress } from './format.js';
import { nameOfPool, onChange, state } from './state.js';
import { amountToPay, side } from './trade-card.js';

const KINDS = { standard: 'Standard', pro: 'Pro' } as const;
const VERSIONS: Readonly<Record<number, string>> = { 1: ', community fees', 2: ', creator fees' };

function renderFacts(): void {
  const { pool, snapshot } = state;
  if (pool === undefined || snapshot === undefined) {
    setFacts(byId('pool-facts'), []);
    return;
  }
  const { buyFees, sellFees } = toSwapState(snapshot);
  const facts: Fact[] = [
    { term: 'Token', value: `${nameOfPool(pool)}${pool.name?.symbol ? ` (${pool.name.symbol})` : ''}` },
    { term: 'Mint', value: pool.mint },
    { term: 'Pool', value: shortenAddress(pool.address), exact: pool.address },
    { term: 'Kind', value: `${KINDS[pool.kind]}${VERSIONS[pool.configVersion] ?? ''}` },
    { term: 'Price', value: `${formatPrice(toSpotPrice(snapshot).solPerToken)} SOL` },
    { term: 'Market cap', value: formatUsd(Number(computeMarketCap(snapshot)) / 1e6) },
    { term: 'SOL in the pool', value: formatCompact(Number(snapshot.reserveB) / 1e9) },
    { term: 'Fees now', value: `buy ${formatBps(sumFees(buyFees))}, sell ${formatBps(sumFees(sellFees))}` },
  ];
  setFacts(byId('pool-facts'), facts);
}

let charts: typeof import('./pool-charts.js') | undefined;
let isRestWanted = false;

/** Loads the parts below the first quote after that is drawn. */
function loadRest(): void {
  void import('./pool-charts.js').then((loaded) => {
    charts = loaded;
    renderCharts();
  });
  void import('./market.js').then(({ startMarket }) => startMarket());
}

function renderCharts(): void {
  const { snapshot, pool } = state;
  if (!isRestWanted && (snapshot !== undefined || !state.isConnecting)) {
    isRestWanted = true;
    requestAnimationFrame(() => setTimeout(loadRest));
  }
  if (charts === undefined) return;
  if (snapshot === undefined) {
    charts.clearCharts(pool !== undefined || state.isConnecting);
    return;
  }
  const tokenName = pool?.name?.symbol || 'tokens';
  charts.renderCharts({ snapshot, side: side(), amountIn: amountToPay(), tokenName });
}

const OFTEN_MS = 200;
let isDue = false;

export function startPoolFacts(): void {
  onChange(() => {
    renderFacts();
    // A few times per second is enough, because each takes a whole frame.
    if (isDue) return;
    if (charts === undefined) {
      renderCharts();
      return;
    }
    isDue = true;
    setTimeout(() => {
      isDue = false;
      renderCharts();
    }, OFTEN_MS);
  });
}
