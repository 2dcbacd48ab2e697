import type { ReactNode } from 'react';

import { Problem } from '../ui';
import { useWalletState } from './wallet';

interface NextFormProps {
  /** What the button says: what is missing, or what it does. */
  next: string;
  /** Nothing while something is missing. */
  go: (() => void) | false | undefined;
  /** Where to go then. */
  missing?: string;
  error?: unknown;
  children: ReactNode;
}

/** A form with one button, which says what comes next. Without a wallet, that is to connect one. */
export function NextForm({ next, go, missing = '[inputmode]', error, children }: NextFormProps) {
  const { wallet, openDialog } = useWalletState();
  return (
    <form
      className="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (wallet === undefined) openDialog();
        else if (go) go();
        else event.currentTarget.querySelector<HTMLElement>(missing)?.focus();
      }}
    >
      {children}
      <Problem error={error} />
      <button type="submit" className={`primary big ${wallet && !go ? 'waits' : ''}`}>
        {wallet ? next : 'Connect wallet'}
      </button>
    </form>
  );
}
