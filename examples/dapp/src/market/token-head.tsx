import * as heaven from 'heaven-pools';
import { useMemo } from 'react';

import { formatPrice, formatSol, formatUsd } from '../format';
import { CopyAddress, TokenIcon } from '../ui';
import { priceChange } from './bars';
import type { PoolView } from './market-panel';

/** What the token is, and what it is worth. Each figure has its place before it is known. */
export function TokenHead({ pool, snapshot, trades, isRead }: PoolView) {
  const change = useMemo(() => snapshot && priceChange(trades, snapshot), [trades, snapshot]);
  const { solPerToken = 0, usdPerToken = 0 } = snapshot === undefined ? {} : heaven.toSpotPrice(snapshot);
  const known = snapshot === undefined ? 'skeleton' : undefined;
  const { tokenB = 0n } = snapshot ? heaven.decodeLiquidityPoolState(snapshot.data.pool).reserve : {};
  const sol = snapshot ? heaven.toUsdValue(snapshot, tokenB, 'SOL') : 0;
  return (
    <header className="token-head">
      <TokenIcon mint={pool.mint} symbol={pool.symbol} />
      <div className="token-name">
        <h2 id="market-title">
          {pool.name} <span className="quiet">{pool.symbol} / SOL</span>
        </h2>
        <CopyAddress text={pool.mint} label="Copy mint" />
      </div>
      <p className="token-price">
        <strong className={known}>{formatPrice(solPerToken)} SOL</strong>
        <span className={known ?? 'quiet'}>{formatUsd(usdPerToken)}</span>{' '}
        {change === undefined ? (
          <span className={isRead && snapshot ? 'hidden' : 'skeleton'}>▲ +0.00% in 24 h</span>
        ) : (
          <span className={change.percent < 0 ? 'down' : 'up'}>
            {change.percent < 0 ? '▼ −' : '▲ +'}
            {Math.abs(change.percent).toFixed(2)}% <span className="quiet">in {change.hours} h</span>
          </span>
        )}
      </p>
      <dl className="token-stats">
        <dt>Market cap</dt>
        <dd className={known}>{snapshot ? formatUsd(heaven.computeMarketCap(snapshot)) : '$00,000'}</dd>
        <dt>Liquidity</dt>
        <dd className={known} title={`${formatSol(tokenB)} in the pool`}>
          {snapshot ? formatUsd(sol) : '$00,000'}
        </dd>
      </dl>
    </header>
  );
}
