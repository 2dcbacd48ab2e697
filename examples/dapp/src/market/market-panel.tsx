import {
  computeMarketCap,
  decodeLiquidityPoolState,
  type FetchedPoolSnapshot,
  sumFees,
  toSpotPrice,
  toSwapState,
} from 'heaven-pools';
import { useState } from 'react';

import { formatBps, formatExact, formatPrice, formatSol, formatUsd, SOL } from '../format';
import { type Pool, useChosenPool, useSnapshot } from '../queries';
import { CopyButton, Facts, Segment } from '../ui';
import { FeeScheduleView } from './fee-schedule';
import { PositionView } from './position';
import { Price } from './price';
import { useTrades } from './trades';
import { TradesList } from './trades-list';

const KINDS = { standard: 'Standard pool', pro: 'Pro pool' } as const;
const VERSIONS: Readonly<Record<number, string>> = { 1: ', community fees', 2: ', creator fees' };
const TABS = { trades: 'Last trades', position: 'Your position', pool: 'Pool', fees: 'Fees' } as const;
type Tab = keyof typeof TABS;

function PoolFacts({ pool, snapshot }: { readonly pool: Pool; readonly snapshot: FetchedPoolSnapshot }) {
  const { buyFees, sellFees } = toSwapState(snapshot);
  const { reserve, tradingVolumeUsd } = decodeLiquidityPoolState(snapshot.data.pool);
  const { solPerToken, usdPerToken } = toSpotPrice(snapshot);
  const facts = [
    { term: 'Token', value: `${pool.name} (${pool.symbol})` },
    { term: 'Mint', value: <CopyButton text={pool.mint} label="Copy the mint" /> },
    { term: 'Pool', value: <CopyButton text={pool.address} label="Copy the pool" /> },
    { term: 'Kind', value: `${KINDS[pool.kind]}${VERSIONS[pool.configVersion] ?? ''}` },
    { term: 'Price', value: `${formatPrice(solPerToken)} SOL (${formatUsd(usdPerToken)})` },
    { term: 'Market cap', value: formatUsd(computeMarketCap(snapshot)) },
    { term: 'SOL in the pool', value: formatSol(reserve.tokenB), exact: formatExact(reserve.tokenB, SOL) },
    { term: 'Volume so far', value: formatUsd(tradingVolumeUsd) },
    { term: 'Fees now', value: `Buy ${formatBps(sumFees(buyFees))}, sell ${formatBps(sumFees(sellFees))}` },
  ];
  return <Facts facts={facts} />;
}

/** The market of the chosen pool: its price, its trades, what the wallet made there, its facts and its fees. */
export default function MarketPanel() {
  const [pool] = useChosenPool();
  const { data: snapshot } = useSnapshot(pool);
  const market = useTrades(pool);
  const [tab, setTab] = useState<Tab>('trades');
  if (pool === undefined)
    return <p className="card quiet">Choose a token to see its price and its trades.</p>;
  const unit = { decimals: snapshot?.token.decimals ?? 9, symbol: pool.symbol };
  return (
    <div className="market">
      <Price pool={pool} snapshot={snapshot} market={market} />
      <section className="card" aria-label="Market">
        <Segment label="About this pool" className="wide-tabs" options={TABS} value={tab} onChange={setTab} />
        <div className="tab-panel">
          {tab === 'trades' && (
            <TradesList key={pool.address} market={market} unit={unit} now={snapshot?.unixTimestamp} />
          )}
          {tab === 'position' && <PositionView pool={pool} trades={market.trades} />}
          {snapshot && tab === 'pool' && <PoolFacts pool={pool} snapshot={snapshot} />}
          {snapshot && tab === 'fees' && <FeeScheduleView source={snapshot} />}
        </div>
      </section>
    </div>
  );
}
