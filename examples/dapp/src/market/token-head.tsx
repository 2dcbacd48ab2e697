import * as heaven from 'heaven-pools';
import { type ReactNode, useMemo } from 'react';

import { fixed, formatPrice, formatSol, formatUsd } from '../format';
import { Awaited, CopyAddress, TokenIcon } from '../ui';
import { priceChange } from './bars';
import type { PoolView } from './market-panel';

const changes = fixed(2, { style: 'percent', signDisplay: 'exceptZero' });

interface HeadProps {
  icon: ReactNode;
  title: ReactNode;
  under: ReactNode;
  /** SOL and dollars per token. Without them, their place is kept. */
  price: readonly [sol: number, usd: number] | undefined;
  change?: ReactNode;
  stats: Record<string, [value: string | undefined, exact?: string | undefined]>;
}

/** What a token is, and what it is worth. Each figure has its place before it is known. */
export function Head({ icon, title, under, price = [0, 0], change, stats }: HeadProps) {
  return (
    <header className="token-head">
      {icon}
      <div className="token-name">
        {title}
        {under}
      </div>
      <p className="token-price">
        <strong>
          <Awaited isKnown={price[0] > 0}>{formatPrice(price[0])} SOL</Awaited>
        </strong>
        <span className="quiet">
          <Awaited isKnown={price[0] > 0}>{formatUsd(price[1])}</Awaited>
        </span>{' '}
        {change}
      </p>
      <dl className="token-stats">
        {Object.entries(stats).flatMap(([term, [value, exact]]) => [
          <dt key={term}>{term}</dt>,
          <dd key={`${term} value`} title={exact}>
            <Awaited isKnown={value !== undefined}>{value ?? '$00,000.00'}</Awaited>
          </dd>,
        ])}
      </dl>
    </header>
  );
}

export function TokenHead({ pool, snapshot, trades, isRead }: PoolView) {
  const change = useMemo(() => snapshot && priceChange(trades, snapshot), [trades, snapshot]);
  const spot = snapshot && heaven.toSpotPrice(snapshot);
  const lamports = snapshot ? snapshot.reserveB - snapshot.virtualReserveB : 0n;
  const liquidity = snapshot && formatUsd(heaven.toUsdValue(snapshot, lamports, 'SOL'));
  const { hours } = change ?? {};
  const percent = Math.round((change?.percent ?? 0) * 100) / 100;
  const [tone, arrow] = percent < 0 ? ['down', '▼ '] : percent > 0 ? ['up', '▲ '] : ['quiet', ''];
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
            {`${arrow}${changes(percent / 100)} `}
            <span className="quiet">in {hours} h</span>
          </span>
        ) : (
          !(isRead && snapshot) && <Awaited>▲ +0.00% in 24 h</Awaited>
        )
      }
      stats={{
        'Market cap': [snapshot && formatUsd(heaven.computeMarketCap(snapshot))],
        Liquidity: [liquidity, liquidity && `${formatSol(lamports)} in the pool`],
      }}
    />
  );
}
