import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, SheetFoot } from '../dialog';
import { explainError, UserError } from '../format';
import { Button, Field, Problem, Warnings } from '../ui';
import { isNodeUrl, mayHoldKey, useIsSlow, useNetworkState } from './network';

const NOT_A_URL = 'Type the full address of a node: https://… (or http://… on your machine).';
const HINTS = {
  key: 'It may hold a key, so it isn’t saved or put into the link to this page. Type it again after a reload.',
  none: 'Leave it empty for practice mode.',
};

export function NetworkDialog({ onClose }: { onClose: () => void }) {
  const { network, switchTo } = useNetworkState();
  const [typed, setTyped] = useState(network?.rpcUrl ?? '');
  const rpcUrl = typed.trim();
  const isUrl = isNodeUrl(rpcUrl);
  const connecting = useMutation({
    mutationFn: async () => {
      if (rpcUrl !== '' && !isUrl) throw new UserError(NOT_A_URL);
      await switchTo(rpcUrl);
    },
    onSuccess: onClose,
  });
  return (
    <Dialog title="Network" onClose={onClose}>
      {network?.practice && (
        <p>Practice mode: 100 SOL of play money, inside this page. A reload starts over.</p>
      )}
      <form action={() => connecting.mutate()}>
        <Field
          label="RPC URL of a node"
          inputMode="url"
          placeholder="https://…"
          value={typed}
          onChange={setTyped}
          hint={isUrl && mayHoldKey(rpcUrl) ? HINTS.key : HINTS.none}
        />
        <Problem>{connecting.error && explainError(connecting.error).message}</Problem>
        <button type="submit" className="primary" disabled={connecting.isPending}>
          {connecting.isPending ? 'Connecting…' : 'Use this node'}
        </button>
        {network?.rpcUrl !== '' && (
          <Button onClick={() => void switchTo('').then(onClose)}>Back to practice</Button>
        )}
      </form>
    </Dialog>
  );
}

/** Asks before the page trusts a node that only the link to the page names. */
export function LinkedNodeDialog({ rpcUrl }: { rpcUrl: string }) {
  const { answer } = useNetworkState();
  const { host, hostname, protocol } = new URL(rpcUrl);
  const warnings = [
    /(^|\.)xn--/.test(hostname) && 'Its name has letters other than a to z. It may imitate another name.',
    protocol === 'http:' && 'The connection is not encrypted. Others can change what the node says.',
  ].filter((warning) => warning !== false);
  return (
    <Dialog title="Connect to this node?" onClose={() => answer(false)}>
      <p>The link to this page names a node:</p>
      {/* A URL's host is in ASCII, whatever the link shows. */}
      <p className="host">{host}</p>
      <p>
        The page will believe its prices and balances, and the node will see your address. Connect only if you
        know and trust it.
      </p>
      <Warnings warnings={warnings} />
      <SheetFoot cancel={['Don’t connect', () => answer(false)]} go={['Connect to it', () => answer(true)]} />
    </Dialog>
  );
}

/** A node that doesn't answer, or is slow, and what can be done about it. */
export function NodeTrouble() {
  const { error, rpcUrl = '' } = useNetworkState();
  const isSlow = useIsSlow(!error);
  if (rpcUrl === '' || (!error && !isSlow)) return null;
  const { host } = new URL(rpcUrl);
  return (
    <section className="card" aria-labelledby="trouble-title">
      <h2 id="trouble-title">{error ? 'Not connected' : 'Still connecting'}</h2>
      <p role="alert">
        {error ? explainError(error).message : `${host} is slow to answer.`} Press “Retry”, “Another node” or
        “Back to practice”.
      </p>
      <NodeActions />
    </section>
  );
}

/** What to do about a node that fails. */
export function NodeActions() {
  const { setIsChoosing, switchTo } = useNetworkState();
  const queries = useQueryClient();
  const retry = async () => {
    // Otherwise it would wait for the answer that does not come.
    await queries.cancelQueries();
    await queries.refetchQueries({ type: 'active' });
  };
  return (
    <div className="row">
      <Button onClick={() => void retry()}>Retry</Button>
      <Button onClick={() => setIsChoosing(true)}>Another node</Button>
      <Button onClick={() => void switchTo('')}>Back to practice</Button>
    </div>
  );
}
