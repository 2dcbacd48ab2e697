import { useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { formatCost } from '../format';
import { useNetwork } from '../network/network';
import { locatorOf, type Pool, useFoundPools, usePools } from '../queries';
import { Button, TokenIcon } from '../ui';
import { useWallet } from '../wallet/wallet';
import { claim } from './liquidity';
import { useOpenPlan } from './plan';

type Claim = { pool: Pool; of: 'liquidity' | 'token'; lamports: bigint; obstacle?: string | undefined };

/** Each pro pool takes a call, so only those with the most SOL are asked. */
const MOST_PRO_POOLS = 20;

/** What the wallet can claim from all pools, and why not if it can't. */
function useClaims() {
  const { client, rpcUrl } = useNetwork();
  const user = useWallet()?.address;
  const { data: chosen } = useFoundPools();
  // A node that lists no pools still tells about the chosen ones.
  const pools = usePools().data ?? chosen ?? [];
  const { data = [] } = useQuery({
    queryKey: [rpcUrl, 'claims', user, pools.length],
    queryFn: async ({ signal: abortSignal }) => {
      const ofToken = async (pool: Pool): Promise<Claim> => {
        const info = await heaven.getPoolInfo(client, { ...locatorOf(pool), abortSignal });
        const sol = info.currentCreatorFeeCollectedSol - info.currentCreatorFeeClaimByCreator;
        const lamports = BigInt(Math.round(sol * 1e9));
        return { pool, of: 'token', lamports, obstacle: info.details?.creatorFees?.message };
      };
      const ofLiquidity = async (pool: Pool): Promise<Claim> => {
        const input = { pool: pool.address, user: user as Pool['address'], abortSignal };
        return { pool, of: 'liquidity', lamports: (await heaven.getLpBalance(client, input)).pendingFees };
      };
      const own = pools.filter(({ feeReceiver }) => feeReceiver === user).map(ofToken);
      const pro = pools.filter(({ kind }) => kind === 'pro').slice(0, MOST_PRO_POOLS);
      return await Promise.all([...own, ...pro.map(ofLiquidity)]);
    },
    enabled: user !== undefined,
    refetchInterval: 10_000,
    structuralSharing: false,
  });
  return data;
}

/** Nothing is shown to who has neither created a pool nor deposited in one. */
export function Claims() {
  const claims = useClaims();
  const some = claims.filter(({ lamports }) => lamports > 0n);
  if (some.length === 0 && !claims.some(({ of }) => of === 'token')) return null;
  return (
    <section className="card" aria-labelledby="claims-title">
      <h2 id="claims-title">{some.length > 0 ? 'You can claim' : 'Nothing to claim yet'}</h2>
      {some.length === 0 && <p className="quiet">Trades of your token bring you creator fees.</p>}
      <ul className="claims">
        {some.map((one) => (
          <ClaimRow key={one.of + one.pool.address} {...one} />
        ))}
      </ul>
    </section>
  );
}

function ClaimRow({ pool, of, lamports, obstacle = '' }: Claim) {
  const { client } = useNetwork();
  const open = useOpenPlan(pool, { decimals: 9, symbol: pool.symbol });
  const review = () => open('claim', claim(of, client, pool, lamports));
  return (
    <li>
      <TokenIcon mint={pool.mint} symbol={pool.symbol} />
      <span>
        <strong>{formatCost(lamports)}</strong>
        <small>{`${of === 'token' ? 'Creator fees' : 'Fees of your liquidity'}, ${pool.symbol}. ${obstacle}`}</small>
      </span>
      {!obstacle && (
        <Button className="chip primary" aria-label={`Claim from ${pool.symbol}`} onClick={review}>
          Claim
        </Button>
      )}
    </li>
  );
}
