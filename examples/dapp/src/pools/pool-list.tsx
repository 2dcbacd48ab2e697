import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressIn, formatExact, formatSol, formatUsd, SOL, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { findNamedPools, useChosenPool, usePools } from '../queries';
import { Button, Field, Problem, TokenIcon } from '../ui';

interface PoolListProps {
  onChoose?: () => void;
  /** Default: those with the most SOL. */
  first?: 'newest';
}

/** All pools. An address, or an explorer's link to one, finds pools on nodes that don't list them, too. */
export function PoolList({ onChoose, first }: PoolListProps) {
  const network = useNetwork();
  const { data: all = [], isPending, error } = usePools();
  const [chosen, choose] = useChosenPool();
  const [text, setText] = useState('');
  const linked = addressIn(text);
  const wanted = (linked ?? text.trim()).toLowerCase();
  const ordered = first ? [...all].sort((a, b) => (a.createdAtSlot < b.createdAtSlot ? 1 : -1)) : all;
  const matching = ordered.filter(({ name, symbol, mint, address }) =>
    [name, symbol, mint, address].some((each) => each.toLowerCase().includes(wanted)),
  );
  const isElsewhere = matching.length === 0 && linked !== undefined;
  const found = useQuery({
    queryKey: [network.rpcUrl, 'pools at', linked ?? ''],
    queryFn: ({ signal }) => findNamedPools(network, text, signal),
    enabled: isElsewhere && !isPending,
    retry: false,
  });
  const listed = isElsewhere ? (found.data ?? []) : matching;
  const problem = isElsewhere ? found.error : error;
  return (
    <>
      <Field label="Search" placeholder="Name, symbol, address or link" value={text} onChange={setText} />
      <Problem error={isElsewhere && problem} />
      {!isElsewhere && problem && (
        <p className="quiet">
          This node doesn’t list pools. Paste the address of a token or a pool, or a link to it.
        </p>
      )}
      {isPending && <p className="skeleton fill">Loading pools…</p>}
      {!isPending && !problem && listed.length === 0 && <p className="quiet fill">No pool matches.</p>}
      <ul className="picks pool-list">
        {listed.map((pool) => (
          <li key={pool.address}>
            <Button
              className="pick"
              aria-pressed={pool.address === chosen?.address}
              onClick={() => {
                choose(pool);
                onChoose?.();
              }}
            >
              <TokenIcon mint={pool.mint} symbol={pool.symbol} />
              <span>
                <strong>{pool.symbol}</strong> {pool.name}
                <small>{`${shortenAddress(pool.mint)}, ${pool.kind === 'pro' ? 'pro, takes deposits' : 'standard'}`}</small>
              </span>
              <span title={formatExact(pool.lamports, SOL)}>
                {formatSol(pool.lamports)} <small>in the pool</small>
                <small>{formatUsd(pool.volumeUsd)} traded</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
