import { useRef } from 'react';

import { useChosenPool } from '../queries';
import { Claims } from './claims';
import { PoolActions } from './pool-actions';
import { PoolList } from './pool-list';

export default function PoolsView() {
  const [chosen] = useChosenPool();
  const actions = useRef<HTMLDivElement>(null);
  return (
    <div className="columns">
      <div className="fields">
        <Claims />
        <section className="card" aria-labelledby="pools-title">
          <h2 id="pools-title">Pools</h2>
          <PoolList onChoose={() => actions.current?.scrollIntoView({ block: 'nearest' })} />
        </section>
      </div>
      <div ref={actions}>{chosen && <PoolActions key={chosen.address} pool={chosen} />}</div>
    </div>
  );
}
