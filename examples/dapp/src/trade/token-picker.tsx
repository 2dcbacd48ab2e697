import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { navigate } from '../address';
import { explainError, formatUnits, SOL, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { findNamedPools, type Pool, usePools } from '../queries';
import { CopyButton, Dialog, Field, Problem, TokenIcon } from '../ui';

const MOST_SHOWN = 20;

export const poolsMatching = (pools: Pool[], text: string): Pool[] => {
  const wanted = text.trim().toLowerCase();
  return pools.filter(({ name, symbol, mint, address }) =>
    [name, symbol, mint, address].some((value) => value.toLowerCase().includes(wanted)),
  );
};

/** Chooses a token from the list, by its name or by an address. */
export function TokenPicker({ onClose }: { onClose: () => void }) {
  const network = useNetwork();
  const pools = usePools();
  const [text, setText] = useState('');
  const shown = poolsMatching(pools.data ?? [], text).slice(0, MOST_SHOWN);
  const choose = (address: string) => {
    navigate({ pool: address });
    onClose();
  };
  const find = useMutation({
    mutationFn: () => findNamedPools(network, text),
    onSuccess: () => choose(text.trim()),
  });
  return (
    <Dialog title="Choose a token" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (shown[0] !== undefined && text.trim().length < 32) choose(shown[0].address);
          else find.mutate();
        }}
      >
        <div className="together">
          <Field label="Name, or address of a token or pool" value={text} onChange={setText} />
          <button type="submit" aria-disabled={find.isPending}>
            {find.isPending ? 'Finding…' : 'Find'}
          </button>
        </div>
        <Problem>{find.error && explainError(find.error).message}</Problem>
      </form>
      {pools.isLoading && <p className="quiet">Reading the pools…</p>}
      {pools.error && (
        <p className="quiet">This node doesn't list pools. Paste the address of a token or of a pool.</p>
      )}
      <ul className="picks" aria-label="Pools">
        {shown.map((pool) => (
          <li key={pool.address}>
            <button type="button" className="pick" onClick={() => choose(pool.address)}>
              <TokenIcon mint={pool.mint} symbol={pool.symbol} size="large" />
              <span>
                <strong>
                  {pool.name} ({pool.symbol})
                </strong>
                <small>
                  {pool.kind === 'pro' && 'Pro pool · '}
                  {shortenAddress(pool.mint)} · {formatUnits(pool.lamports, SOL)}
                </small>
              </span>
            </button>
            <CopyButton text={pool.mint} label="Copy" />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
