import {
  computeMarketCap,
  decodeLiquidityPoolState,
  type FetchedPoolSnapshot,
  toSpotPrice,
  toSwapState,
} from 'heaven-pools';

import { formatBps, formatPrice, formatUsd, SOL, shortenAddress, sumRates } from '../format';
import type { Pool } from '../queries';
import { amountFact, CopyButton, Facts } from '../ui';

const KINDS = { standard: 'Standard', pro: 'Pro' } as const;
const VERSIONS: Readonly<Record<number, string>> = { 1: ', community fees', 2: ', creator fees' };

const address = (text: string, label: string) => (
  <span className="row">
    {shortenAddress(text)} <CopyButton text={text} label={label} />
  </span>
);

export function PoolFacts({ pool, snapshot }: { pool: Pool; snapshot: FetchedPoolSnapshot }) {
  const { buyFees, sellFees } = toSwapState(snapshot);
  const { reserve, tradingVolumeUsd } = decodeLiquidityPoolState(snapshot.data.pool);
  const { solPerToken, usdPerToken } = toSpotPrice(snapshot);
  const facts = [
    { term: 'Token', value: `${pool.name} (${pool.symbol})` },
    { term: 'Mint', value: address(pool.mint, 'Copy mint') },
    { term: 'Pool', value: address(pool.address, 'Copy pool') },
    { term: 'Kind', value: `${KINDS[pool.kind]}${VERSIONS[pool.configVersion] ?? ''}` },
    { term: 'Price', value: `${formatPrice(solPerToken)} SOL (${formatUsd(usdPerToken)})` },
    { term: 'Market cap', value: formatUsd(computeMarketCap(snapshot)) },
    amountFact('SOL in the pool', reserve.tokenB, SOL),
    { term: 'Volume so far', value: formatUsd(tradingVolumeUsd) },
    { term: 'Fees now', value: `Buy ${formatBps(sumRates(buyFees))}, sell ${formatBps(sumRates(sellFees))}` },
  ];
  return <Facts facts={facts} />;
}
