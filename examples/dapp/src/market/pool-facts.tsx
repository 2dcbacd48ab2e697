import * as heaven from 'heaven-pools';
import { decodeLiquidityPoolState } from 'heaven-pools/program';

import { formatBps, formatPrice, formatUsd, SOL, sumRates } from '../format';
import type { Pool } from '../queries';
import { amountFact, CopyAddress, Facts } from '../ui';

const KINDS = { standard: 'Standard', pro: 'Pro' } as const;
const VERSIONS: Readonly<Record<number, string>> = { 1: ', community fees', 2: ', creator fees' };

type PoolFactsProps = { pool: Pool; snapshot: heaven.FetchedPoolSnapshot };

export function PoolFacts({ pool, snapshot }: PoolFactsProps) {
  const { buyFees, sellFees } = heaven.toSwapState(snapshot);
  const { tradingVolumeUsd } = decodeLiquidityPoolState(snapshot.data.pool);
  const { solPerToken, usdPerToken } = heaven.toSpotPrice(snapshot);
  const { reserveB, virtualReserveB: virtual } = snapshot;
  const facts = [
    { term: 'Token', value: `${pool.name} (${pool.symbol})` },
    { term: 'Mint', value: <CopyAddress text={pool.mint} label="Copy mint" /> },
    { term: 'Pool', value: <CopyAddress text={pool.address} label="Copy pool" /> },
    { term: 'Kind', value: `${KINDS[pool.kind]}${VERSIONS[pool.configVersion] ?? ''}` },
    { term: 'Price', value: `${formatPrice(solPerToken)} SOL (${formatUsd(usdPerToken)})` },
    { term: 'Market cap', value: formatUsd(heaven.computeMarketCap(snapshot)) },
    amountFact('SOL in the pool', reserveB - virtual, SOL),
    virtual > 0n && amountFact('Virtual: can’t be withdrawn', virtual, SOL),
    { term: 'Volume so far', value: formatUsd(tradingVolumeUsd) },
    { term: 'Fees now', value: `Buy ${formatBps(sumRates(buyFees))}, sell ${formatBps(sumRates(sellFees))}` },
  ];
  return <Facts facts={facts} />;
}
