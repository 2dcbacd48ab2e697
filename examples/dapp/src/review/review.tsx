import type { Address } from '@solana/kit';
import type { BuiltTransaction, LandedSubmission, LastSigner, ReviewTransactionOptions } from 'heaven-pools';
import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';

import type { Unit } from '../format';
import { Button, type Fact, type Listed } from '../ui';

export interface ReceiptView {
  title: string;
  headline: string;
  facts: Listed<Fact>;
  next?: { label: string; act: () => void };
}

/** One transaction from its review to its receipt. Every transaction of the page is one. */
export interface Operation extends Pick<ReviewTransactionOptions, 'quote' | 'names'> {
  /** What is reviewed and confirmed. Default: `noun`. */
  action?: string;
  /** In texts: "the trade was sent", "nothing was traded". */
  noun: string;
  done: string;
  legs?: readonly { icon: ReactNode; label: string; amount: string; exact: string; usd: string }[];
  facts: Listed<Fact>;
  /** What a newer quote may make worse, in a few words. */
  terms?: string;
  warnings?: readonly string[];
  /** What the user loses, and agrees to with a second press before signing. */
  consent?: string | false;
  token: Unit & { mint: Address };
  /** Builds the transaction. Its block hash is replaced when the user signs. */
  build(signal: AbortSignal): Promise<BuiltTransaction>;
  /** Lamports of rent that the built transaction returns, from an account that was there before. */
  returnedRent?(): bigint;
  /** The same operation with a new quote. */
  renew?(signal: AbortSignal): Promise<Operation>;
  receipt(landed: LandedSubmission): ReceiptView | Promise<ReceiptView>;
  /** Signs after the wallet, and only what the wallet was given. A transaction that the wallet changed is then never sent. */
  lastSigner?: LastSigner | undefined;
}

const ReviewContext = createContext<((operation: Operation) => void) | null>(null);
const ReviewSheet = lazy(() => import('./review-sheet'));

export function ReviewProvider({ children }: { children: ReactNode }) {
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
        <aside className="toast" aria-label="After the review">
          <p role="alert">{left}</p>
          <Button className="chip icon" aria-label="Close" onClick={() => setLeft(undefined)}>
            ✕
          </Button>
        </aside>
      )}
    </ReviewContext>
  );
}

export const useReview = () => use(ReviewContext) as (operation: Operation) => void;
