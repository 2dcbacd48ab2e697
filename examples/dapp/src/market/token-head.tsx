import * as heaven from 'heaven-pools';
import { type ReactNode, useMemo } from 'react';

import { formatPrice, formatSol, formatUsd } from '../format';
import { CopyAddress, TokenIcon } from '../ui';
import { priceChange } from './bars';
import type { PoolView } from './market-panel';

interface HeadProps {
  icon: ReactNode;
  title: ReactNode;
  under: ReactNode;
  /** SOL and dollars per token. Without them, their place is kept. */
  price: readonly [sol: number, usd: number] | undefined;
  change?: ReactNode;
  stats: Record<string, [value: string | undefined, exact?: string]>;
}

/** What a token is, and what it is worth. Each figure has its place before it is known. */
export function Head({ icon, title, under, price = [0, 0], change, stats }: HeadProps) {
  const known = price[0] === 0 ? 'skeleton' : undefined;
  return (
    <header className="token-head">
      {icon}
      <div className="token-name">
        {title}
        {under}
      </div>
      <p className="token-price">
        <strong className={known}>{formatPrice(price[0])} SOL</strong>
        <span className={known ?? 'quiet'}>{formatUsd(price[1])}</span> {change}
      </p>
      <dl className="token-stats">
        {Object.entries(stats).flatMap(([term, [value, exact]]) => [
          <dt key={term}>{term}</dt>,
          <dd key={`${term} value`} className={value ? undefined : 'skeleton'} title={exact}>
            {value ?? '$00,000.00'}
          </dd>,
        ])}
      </dl>
    </header>
  );
}

export function TokenHead({ pool, snapshot, trades, isRead }: PoolView) {
  const change = useMemo(() => snapshot && priceChange(trades, snapshot), [trades, snapshot]);
  const spot = snapshot && heaven.toSpotPrice(snapshot);
  const { tokenB = 0n } = snapshot ? heaven.decodeLiquidityPoolState(snapshot.data.pool).reserve : {};
  const liquidity = snapshot && formatUsd(heaven.toUsdValue(snapshot, tokenB, 'SOL'));
  const { percent = 0, hours } = change ?? {};
  const [tone, sign] = percent < 0 ? ['down', '▼ −'] : percent > 0 ? ['up', '▲ +'] : ['quiet', ''];
  return (
    <Head
      icon={<TokenIcon mint={pool.mint} symbol={pool.symbol} />}
      title={
        <h2 id="market-title">
          {pool.name} <span className="quiet">{pool.symbol} / SOL</span>
        </h2>
      }
      under={<CopyAddress text={pool.mint} label="Copy mint" />}
      price={spot && [spot.solPerToken, spot.usdPerToken]}
      change={
        change ? (
          <span className={tone}>
            {`${sign}${Math.abs(percent).toFixed(2)}% `}
            <span className="quiet">in {hours} h</span>
          </span>
        ) : (
          <span className={isRead && snapshot ? 'hidden' : 'skeleton'}>▲ +0.00% in 24 h</span>
        )
      }
      stats={{
        'Market cap': [snapshot && formatUsd(heaven.computeMarketCap(snapshot))],
        Liquidity: [liquidity, `${formatSol(tokenB)} in the pool`],
      }}
    />
  );
}
