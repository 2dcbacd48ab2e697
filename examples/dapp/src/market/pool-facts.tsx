import {
  computeMarketCap,
  decodeLiquidityPoolState,
  type FetchedPoolSnapshot,
  sumFees,
  toSpotPrice,
  toSwapState,
} from 'heaven-pools';

import { formatBps, formatExact, formatPrice, formatSol, formatUsd, SOL } from '../format';
import type { Pool } from '../queries';
import { CopyButton, Facts } from '../ui';

const KINDS = { standard: 'Standard', pro: 'Pro' } as const;
const VERSIONS: Readonly<Record<number, string>> = { 1: ', community fees', 2: ', creator fees' };

interface Props {
  readonly pool: Pool;
  readonly snapshot: FetchedPoolSnapshot;
}

export function PoolFacts({ pool, snapshot }: Props) {
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
