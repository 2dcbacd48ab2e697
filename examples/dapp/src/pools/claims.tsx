import { useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';

import { formatCost } from '../format';
import { type Network, useNetwork } from '../network/network';
import { locatorOf, type Pool, useFoundPools, usePools } from '../queries';
import { Button, TokenIcon } from '../ui';
import { useWallet } from '../wallet/wallet';
import { claim, useOpenPlan } from './liquidity';

interface Claim {
  pool: Pool;
  of: 'liquidity' | 'token';
  lamports: bigint;
  /** Why it can't be claimed now. */
  obstacle?: string | undefined;
}

/** Each pro pool takes a call, so only those with the most SOL are asked. */
const MOST_PRO_POOLS = 20;

async function findClaims(
  { client }: Network,
  pools: Pool[],
  user: Pool['address'],
  abortSignal: AbortSignal,
) {
  const own = pools.filter(({ feeReceiver, creatorFees }) => feeReceiver === user && creatorFees > 0n);
  const pro = pools.filter(({ kind }) => kind === 'pro').slice(0, MOST_PRO_POOLS);
  const claims = await Promise.all<Claim>([
    ...own.map(async (pool): Promise<Claim> => {
      const { details } = await heaven.getPoolInfo(client, { ...locatorOf(pool), abortSignal });
      return { pool, of: 'token', lamports: pool.creatorFees, obstacle: details?.creatorFees?.message };
    }),
    ...pro.map(async (pool): Promise<Claim> => {
      const { pendingFees } = await heaven.getLpBalance(client, { pool: pool.address, user, abortSignal });
      return { pool, of: 'liquidity', lamports: pendingFees };
    }),
  ]);
  return claims.filter(({ lamports }) => lamports > 0n);
}

/** What the wallet can claim from all pools. Nothing is shown if there is nothing. */
export function Claims() {
  const network = useNetwork();
  const user = useWallet()?.address;
  const { data: chosen } = useFoundPools();
  // A node that lists no pools still tells about the chosen ones.
  const pools = usePools().data ?? chosen;
  const { data: claims = [] } = useQuery({
    queryKey: [network.rpcUrl, 'claims', user, pools?.length],
    queryFn: async ({ signal }) => await findClaims(network, pools ?? [], user ?? ('' as never), signal),
    enabled: user !== undefined && pools !== undefined,
    refetchInterval: 10_000,
    structuralSharing: false,
  });
  if (claims.length === 0) return null;
  return (
    <section className="card" aria-labelledby="claims-title">
      <h2 id="claims-title">You can claim</h2>
      <ul className="claims">
        {claims.map((one) => (
          <ClaimRow key={one.of + one.pool.address} {...one} />
        ))}
      </ul>
    </section>
  );
}

function ClaimRow({ pool, of, lamports, obstacle }: Claim) {
  const { client } = useNetwork();
  const open = useOpenPlan(pool, { decimals: 9, symbol: pool.symbol });
  return (
    <li>
      <TokenIcon mint={pool.mint} symbol={pool.symbol} />
      <span>
        <strong>{formatCost(lamports)}</strong>
        <small>
          {`${of === 'token' ? 'Creator fees' : 'Fees of your liquidity'}, ${pool.symbol}. ${obstacle ?? ''}`}
        </small>
      </span>
      {!obstacle && (
        <Button
          className="chip primary"
          aria-label={`Claim from ${pool.symbol}`}
          onClick={() => open('claim', claim(of, client, pool, lamports))}
        >
          Claim
        </Button>
      )}
    </li>
  );
}
