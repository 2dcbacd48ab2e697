import { decodeLiquidityPoolState } from 'heaven-pools/program';
import { useEffect, useRef, useState } from 'react';

import { navigate, useAddress } from '../address';
import { formatBps, formatSol, formatUnits, formatUsd } from '../format';
import { PoolFacts } from '../market/pool-facts';
import { type Pool, useChosenPool, useSnapshot } from '../queries';
import { Button, Facts, Segment, TokenIcon } from '../ui';
import { useWallet } from '../wallet/wallet';
import { AmountForm } from './amount-form';
import { Claims } from './claims';
import { useShare } from './liquidity';
import { Manage } from './manage';
import { PoolList } from './pool-list';

const TABS = { deposit: 'Deposit', withdrawal: 'Withdraw' } as const;

/** What can be done with a pool: trade in any, deposit in a pro pool. Claims of all pools stand above the list. */
function PoolActions({ pool }: { pool: Pool }) {
  const isPro = pool.kind === 'pro';
  const card = useRef<HTMLElement>(null);
  const isNamed = useAddress().searchParams.get('pool') === pool.address;
  // On a phone it stands below the list: a link to it leads to it.
  useEffect(() => {
    if (isNamed) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isNamed]);
  const [tab, setTab] = useState<keyof typeof TABS | 'manage'>('deposit');
  const { data: snapshot } = useSnapshot(pool);
  const wallet = useWallet()?.address;
  const state = snapshot && decodeLiquidityPoolState(snapshot.data.pool);
  const isOwn = isPro && wallet !== undefined && state?.info.creator === wallet;
  const tabs = { ...TABS, ...(isOwn && { manage: 'Manage' }) };
  const share = useShare(pool, snapshot);
  const props = { pool, share, unit: { decimals: snapshot?.token.decimals ?? 9, symbol: pool.symbol } };
  const worth = share && `${formatBps(share.sharePct * 100)}, worth ${formatUsd(share.valueUsd)}`;
  const sides = share && `${formatSol(share.tokenB)} and ${formatUnits(share.tokenA, props.unit)}`;
  return (
    <section ref={card} className="card" aria-labelledby="pool-title">
      <header className="market-head">
        <TokenIcon mint={pool.mint} symbol={pool.symbol} />
        <h2 id="pool-title">{pool.symbol} / SOL</h2>
        <Button className="chip" onClick={() => navigate({ view: 'trade', pool: pool.address })}>
          Trade
        </Button>
      </header>
      {isPro && <Segment label="What to do" options={tabs} value={tab} onChange={setTab} />}
      {share?.exists && (
        <Facts
          facts={[
            { term: 'Your share', value: worth },
            { term: 'That is', value: sides },
          ]}
        />
      )}
      {isPro && tab !== 'manage' && <AmountForm key={tab} noun={tab} {...props} />}
      {tab === 'manage' && state && snapshot && <Manage {...props} state={state} snapshot={snapshot} />}
      <h3>About the pool</h3>
      {snapshot && <PoolFacts pool={pool} snapshot={snapshot} />}
    </section>
  );
}

export default function PoolsView() {
  const [chosen] = useChosenPool();
  return (
    <div className="columns">
      <div className="fields">
        <Claims />
        <section className="card" aria-labelledby="pools-title">
          <h2 id="pools-title">Pools</h2>
          <PoolList />
        </section>
      </div>
      {chosen && <PoolActions key={chosen.address} pool={chosen} />}
    </div>
  );
}
