import { isAddress } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { explainError, formatExact, formatSol, formatUsd, SOL, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { findNamedPools, type Pool, useChosenPool, usePools } from '../queries';
import { Button, Field, Problem, TokenIcon } from '../ui';

/** All pools, the one with the most SOL first. An address finds pools on nodes that don't list them, too. */
export function PoolList({ onChoose }: { onChoose: (pool: Pool) => void }) {
  const network = useNetwork();
  const { data: all = [], isPending, error } = usePools();
  const [chosen, choose] = useChosenPool();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const matching = all.filter(({ name, symbol, mint, address }) =>
    [name, symbol, mint, address].some((each) => each.toLowerCase().includes(wanted)),
  );
  const isElsewhere = matching.length === 0 && isAddress(text.trim());
  const found = useQuery({
    queryKey: [network.rpcUrl, 'pools at', text.trim()],
    queryFn: ({ signal }) => findNamedPools(network, text, signal),
    enabled: isElsewhere && !isPending,
    retry: false,
  });
  const listed = isElsewhere ? (found.data ?? []) : matching;
  const problem = isElsewhere ? found.error : error;
  return (
    <>
      <Field label="Search" placeholder="Name, symbol or address" value={text} onChange={setText} />
      <Problem>
        {problem && `${explainError(problem).message} The address of a token or a pool works too.`}
      </Problem>
      {isPending && <p className="skeleton fill">Loading pools…</p>}
      {!isPending && !problem && listed.length === 0 && <p className="quiet fill">No pool matches.</p>}
      <ul className="pool-list">
        {listed.map((pool) => (
          <li key={pool.address}>
            <Button
              aria-pressed={pool.address === chosen?.address}
              onClick={() => {
                choose(pool);
                onChoose(pool);
              }}
            >
              <TokenIcon mint={pool.mint} symbol={pool.symbol} />
              <span>
                <strong>{pool.symbol}</strong> {pool.name}
                <small>{`${pool.kind}, ${shortenAddress(pool.mint)}`}</small>
              </span>
              <span title={formatExact(pool.lamports, SOL)}>
                {formatSol(pool.lamports)}
                <small>{formatUsd(pool.volumeUsd)} traded</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
