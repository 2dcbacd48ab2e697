import type { FetchedPoolSnapshot } from 'heaven-pools';

import { PoolList } from '../pools/pool-list';
import { type Pool, useChosenPool, useFoundPools, useSnapshot } from '../queries';
import { useSetting } from '../setting';
import { Segment } from '../ui';
import { FeeSchedule } from './fee-schedule';
import { PoolFacts } from './pool-facts';
import { PositionView } from './position';
import { Price } from './price';
import { type Market, TradesList, useTrades } from './trades-list';

export type PoolView = Market & { pool: Pool; snapshot: FetchedPoolSnapshot | undefined };

const TABS = { trades: 'Trades', position: 'Position', pool: 'Pool', fees: 'Fees' } as const;

export default function MarketPanel() {
  const [pool] = useChosenPool();
  const { data: snapshot } = useSnapshot(pool);
  const market = useTrades(pool);
  const [tab, setTab] = useSetting<keyof typeof TABS>('market', 'trades', TABS);
  const { data: chosen, isLoading } = useFoundPools();
  if (pool === undefined)
    return (
      <section className="card explore" aria-labelledby="explore-title">
        <h2 id="explore-title">{chosen || isLoading ? 'Reading the pool…' : 'Choose a token'}</h2>
        {!isLoading && <PoolList first="newest" onChoose={() => scrollTo({ top: 0 })} />}
      </section>
    );
  const { decimals = 9 } = snapshot?.token ?? {};
  return (
    <div className="fields">
      <Price pool={pool} snapshot={snapshot} {...market} />
      <section className="card" aria-label="Market">
        <Segment label="About this pool" options={TABS} value={tab} onChange={setTab} />
        <div className="tab-panel">
          {tab === 'trades' && <TradesList {...market} pool={pool} decimals={decimals} />}
          {tab === 'position' && <PositionView pool={pool} />}
          {snapshot && tab === 'pool' && <PoolFacts pool={pool} snapshot={snapshot} />}
          {snapshot && tab === 'fees' && <FeeSchedule source={snapshot} />}
        </div>
      </section>
    </div>
  );
}
