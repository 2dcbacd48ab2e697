import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { explainError } from '../format';
import { Button } from '../ui';
import { useNetworkState } from './network';

const SLOW_MS = 4_000;

/** A node that does not answer, or takes long, and what can be done about it. */
export function NodeTrouble() {
  const { error, rpcUrl = '' } = useNetworkState();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (rpcUrl === '' || (!error && !isSlow)) return null;
  const { host } = new URL(rpcUrl);
  return (
    <section className="card trouble" aria-labelledby="trouble-title">
      <h2 id="trouble-title">{error ? 'Not connected' : 'Still connecting'}</h2>
      <p role="alert">
        {error ? explainError(error).message : `${host} takes long to answer.`} Press “Retry”, “Another node”
        or “Back to practice”.
      </p>
      <NodeActions />
    </section>
  );
}

/** What to do about a node that fails. */
export function NodeActions() {
  const { setIsChoosing, switchTo } = useNetworkState();
  const queries = useQueryClient();
  return (
    <div className="row">
      <Button onClick={() => void queries.refetchQueries({ type: 'active' })}>Retry</Button>
      <Button onClick={() => setIsChoosing(true)}>Another node</Button>
      <Button onClick={() => void switchTo('')}>Back to practice</Button>
    </div>
  );
}
