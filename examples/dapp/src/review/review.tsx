import type { Address } from '@solana/kit';
import type { BuiltTransaction, LandedSubmission, LastSigner, ReviewTransactionOptions } from 'heaven-pools';
import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';

import type { Unit } from '../format';
import type { Fact } from '../ui';

/** An amount with its icon. */
export interface Leg {
  readonly icon: ReactNode;
  readonly label: string;
  readonly amount: string;
  /** All digits, shown on hover. */
  readonly exact: string;
  readonly usd?: string | undefined;
}

/** The outcome of a transaction that happened. */
export type Landed = LandedSubmission;

export interface ReceiptView {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** What to do next, besides closing it. */
  readonly next?: { readonly label: string; readonly act: () => void } | undefined;
}

/** One transaction from its review to its receipt. Every transaction of the page is one. */
export interface Operation extends Pick<ReviewTransactionOptions, 'quote' | 'recipients' | 'names'> {
  readonly title: string;
  /** The text of the button that signs it. */
  readonly confirm: string;
  /** In texts: "the trade was sent", "nothing was traded". */
  readonly noun: string;
  readonly done: string;
  readonly legs: readonly Leg[];
  readonly facts: readonly Fact[];
  readonly warnings: readonly string[];
  /** What the user must agree to before signing. */
  readonly consent?: string | undefined;
  /** The token whose balance change is shown. */
  readonly token?: (Unit & { readonly mint: Address }) | undefined;
  /** Builds the transaction. Its block hash is replaced when the user signs. */
  build(signal: AbortSignal): Promise<BuiltTransaction>;
  /** The same operation as of now, if so much has changed that the user must see it before signing. */
  renew?(signal: AbortSignal): Promise<Operation | undefined>;
  receipt(landed: Landed): ReceiptView | Promise<ReceiptView>;
  /** Signs after the wallet, and only what the wallet was given. A transaction that the wallet changed is then never sent. */
  readonly lastSigner?: LastSigner | undefined;
}

const ReviewContext = createContext<((operation: Operation) => void) | undefined>(undefined);
const ReviewSheet = lazy(() => import('./review-sheet'));

export function ReviewProvider({ children }: { readonly children: ReactNode }) {
  const [operation, setOperation] = useState<Operation>();
  const [left, setLeft] = useState<string>();
  const close = (mayHappen?: string) => {
    setOperation(undefined);
    setLeft(mayHappen);
  };
  return (
    <ReviewContext value={setOperation}>
      {children}
      <Suspense>{operation && <ReviewSheet first={operation} onClose={close} />}</Suspense>
      {left && (
        <p className="toast" role="alert">
          {left}
          <button type="button" className="chip icon" aria-label="Close" onClick={() => setLeft(undefined)}>
            ✕
          </button>
        </p>
      )}
    </ReviewContext>
  );
}

/** Opens the sheet in which the user reviews and signs an operation. */
export function useReview(): (operation: Operation) => void {
  const review = use(ReviewContext);
  if (review === undefined) throw new Error('useReview needs a ReviewProvider.');
  return review;
}
