import { useMutation } from '@tanstack/react-query';
import { isHeavenError } from 'heaven-pools';
import { useState } from 'react';

import { explainError } from '../format';
import { Dialog, Field, Problem } from '../ui';
import { mayHoldKey, useNetworkState } from './network';

/** Practice mode, or the RPC URL of a node. */
export function NetworkDialog({ onClose }: { readonly onClose: () => void }) {
  const { network, switchTo } = useNetworkState();
  const [rpcUrl, setRpcUrl] = useState(network?.rpcUrl ?? '');
  const connecting = useMutation({ mutationFn: () => switchTo(rpcUrl.trim()), onSuccess: onClose });
  const isPrivate = URL.canParse(rpcUrl) && mayHoldKey(rpcUrl);
  return (
    <Dialog title="Network" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!connecting.isPending) connecting.mutate();
        }}
      >
        <Field
          label="RPC URL of a node"
          inputMode="url"
          placeholder="https://…"
          value={rpcUrl}
          onChange={setRpcUrl}
          hint={
            isPrivate
              ? 'This RPC URL may hold a key, so it stays out of the address of the page. Type it again after a reload.'
              : 'Leave it empty for practice mode, which runs inside this page.'
          }
        />
        <Problem>
          {connecting.error &&
            (isHeavenError(connecting.error, 'invalid-input')
              ? 'Type the whole address of a node, beginning with https:// (or http:// on your own machine).'
              : explainError(connecting.error).message)}
        </Problem>
        <button type="submit" className="primary" aria-disabled={connecting.isPending}>
          {connecting.isPending ? 'Connecting…' : 'Connect'}
        </button>
      </form>
    </Dialog>
  );
}
