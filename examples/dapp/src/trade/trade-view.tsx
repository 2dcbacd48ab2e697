import { lazy, Suspense } from 'react';

import { TradeCard } from './trade-card';

const MarketPanel = lazy(() => import('../market/market-panel'));

export function TradeView() {
  return (
    <div className="view">
      <TradeCard />
      <Suspense>
        <MarketPanel />
      </Suspense>
    </div>
  );
}
