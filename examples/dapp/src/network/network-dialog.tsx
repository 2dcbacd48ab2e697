import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { explainError, UserError } from '../format';
import { Dialog, Field, Problem } from '../ui';
import { mayHoldKey, useNetworkState } from './network';

const NOT_A_URL = 'Type the whole address of a node, beginning with https:// (or http:// on your machine).';
const HINTS = {
  key: 'It may hold a key, so it stays out of the address of the page. Type it again after a reload.',
  none: 'Leave it empty for practice mode, which runs inside this page.',
};

export function NetworkDialog({ onClose }: { onClose: () => void }) {
  const { network, switchTo } = useNetworkState();
  const [typed, setTyped] = useState(network?.rpcUrl ?? '');
  const rpcUrl = typed.trim();
  const isUrl = /^https?:/.test(rpcUrl) && URL.canParse(rpcUrl);
  const connecting = useMutation({
    mutationFn: async () => {
      if (rpcUrl !== '' && !isUrl) throw new UserError(NOT_A_URL);
      await switchTo(rpcUrl);
    },
    onSuccess: onClose,
  });
  return (
    <Dialog title="Network" onClose={onClose}>
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
          {connecting.isPending ? 'Connecting…' : 'Connect'}
        </button>
      </form>
    </Dialog>
  );
}
