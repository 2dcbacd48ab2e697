import type { Base64EncodedWireTransaction } from '@solana/kit';

import type { EngineOutcome, TransactionEngine } from './engine.js';
import type { LedgerState } from './ledger-state.js';
import type { SimulatedTransaction } from './runtime.js';

export interface Execution {
  readonly simulate: (tx: Base64EncodedWireTransaction) => Promise<SimulatedTransaction>;
  /** Simulates and keeps what the transaction did. */
  readonly execute: (tx: Base64EncodedWireTransaction) => Promise<SimulatedTransaction>;
  /** Queues work on the accounts: it runs after everything queued before it. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export function executionOn(
  { slot, getAccount, write, computeRentExemption }: LedgerState,
  engine: TransactionEngine,
): Execution {
  let last: Promise<unknown> = Promise.resolve();
  const run = async (tx: Base64EncodedWireTransaction): Promise<EngineOutcome> =>
    engine.run({ slot: slot(), getAccount, computeRentExemption }, tx);
  return {
    simulate: async (tx) => {
      const { keep, ...outcome } = await run(tx);
      return outcome;
    },
    execute: async (tx) => {
      const { keep, ...outcome } = await run(tx);
      keep?.();
      for (const [address, account] of outcome.accounts) {
        const before = getAccount(address);
        const isChanged =
          before === undefined
            ? account.lamports > 0n
            : before.owner !== account.owner ||
              before.data !== account.data ||
              before.lamports !== account.lamports;
        if (isChanged) write(address, account.lamports === 0n ? undefined : account);
      }
      return outcome;
    },
    // Two at once would each miss the other's changes.
    inTurn: (work) => {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
  };
}
