import { isAddress } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { explainError, formatExact, formatSol, formatUsd, SOL, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { findNamedPools, type Pool, useChosenPool, usePools } from '../queries';
import { Field, Problem, TokenIcon } from '../ui';
import { PoolActions } from './pool-actions';

const isMatch = ({ name, symbol, mint, address }: Pool, text: string) =>
  [name, symbol, mint, address].some((each) => each.toLowerCase().includes(text.toLowerCase()));

/** All pools, the one with the most SOL first, and what can be done with the chosen one. */
export default function PoolsView() {
  const network = useNetwork();
  const all = usePools();
  const [chosen, choose] = useChosenPool();
  const [text, setText] = useState('');
  const actions = useRef<HTMLDivElement>(null);
  const wanted = text.trim();
  const matching = (all.data ?? []).filter((pool) => isMatch(pool, wanted));
  const isUnlisted = matching.length === 0 && isAddress(wanted);
  const found = useQuery({
    queryKey: [network.rpcUrl, 'pools at', wanted],
    queryFn: ({ signal }) => findNamedPools(network, wanted, signal),
    enabled: isUnlisted && !all.isPending,
    retry: false,
  });
  const listed = isUnlisted ? (found.data ?? []) : matching;
  const error = isUnlisted ? found.error : all.error;
  const select = (pool: Pool) => {
    choose(pool);
    actions.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className="columns">
      <section className="card" aria-labelledby="pools-title">
        <h2 id="pools-title">Pools</h2>
        <Field label="Search" placeholder="Name, symbol or address" value={text} onChange={setText} />
        <Problem>{error && explainError(error).message}</Problem>
        {all.isPending && <p className="skeleton fill">Loading pools…</p>}
        {!all.isPending && listed.length === 0 && !error && (
          <p className="quiet">No pool matches. Paste the address of a token or of a pool.</p>
        )}
        <ul className="pool-list">
          {listed.map((pool) => (
            <li key={pool.address}>
              <button
                type="button"
                aria-pressed={pool.address === chosen?.address}
                onClick={() => select(pool)}
              >
                <TokenIcon mint={pool.mint} symbol={pool.symbol} />
                <span>
                  <strong>{pool.symbol}</strong> {pool.name}
                  <small>
                    {pool.kind} pool, mint {shortenAddress(pool.mint)}
                  </small>
                </span>
                <span title={formatExact(pool.lamports, SOL)}>
                  {formatSol(pool.lamports)}
                  <small>{formatUsd(pool.volumeUsd)} traded</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div ref={actions}>
        {chosen ? (
          <PoolActions key={chosen.address} pool={chosen} />
        ) : (
          <p className="card quiet">Choose a pool to trade, deposit, withdraw or claim.</p>
        )}
      </div>
    </div>
  );
}
