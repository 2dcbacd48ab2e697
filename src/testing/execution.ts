import type { Address, Base64EncodedWireTransaction } from '@solana/kit';

import type { LedgerState } from './ledger-state.js';
import type { ExchangeBehaviour } from './programs/exchange/behaviour.js';
import { slotTrades } from './programs/exchange/slot-trades.js';
import type { SimulatedTransaction } from './runtime.js';
import { simulateOn } from './simulate.js';

export interface Execution {
  readonly simulate: (tx: Base64EncodedWireTransaction) => Promise<SimulatedTransaction>;
  /** Simulates and keeps what the transaction did. */
  readonly execute: (tx: Base64EncodedWireTransaction) => Promise<SimulatedTransaction>;
  /** Runs work on the accounts after all that was to run before it. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly setBehaviour: (behaviour?: ExchangeBehaviour) => void;
}

export function executionOn(
  { slot, getAccount, write, computeRentExemption }: LedgerState,
  programAddress: Address,
): Execution {
  const trades = slotTrades(slot);
  let behaviour: ExchangeBehaviour = {};
  let last: Promise<unknown> = Promise.resolve();
  const simulate = (tx: Base64EncodedWireTransaction) =>
    simulateOn({ programAddress, behaviour, slot: slot(), trades, getAccount, computeRentExemption }, tx);
  return {
    simulate,
    execute: async (tx) => {
      const { trades: made, ...outcome } = await simulate(tx);
      trades.add(made);
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
    // Two at once would each start from accounts without what the other does.
    inTurn: (work) => {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
    setBehaviour: (next = {}) => {
      behaviour = next;
    },
  };
}
