import type { Address, Base64EncodedWireTransaction } from '@solana/kit';

import type { WireTransaction } from '../solana/message.js';
import type { TransactionEngine } from './engine.js';
import type { LedgerState } from './ledger-state.js';
import { balancesOf, recordOf, type TransactionHistory } from './rpc-methods/history.js';
import { type Account, accountsNamedIn, type SimulatedTransaction } from './runtime.js';

/** Runs the transactions of a ledger, and keeps what they do. */
export class Execution {
  readonly history: TransactionHistory;
  readonly #state: LedgerState;
  readonly #engine: TransactionEngine;
  #last: Promise<unknown> = Promise.resolve();

  constructor(state: LedgerState, engine: TransactionEngine, history: TransactionHistory) {
    this.history = history;
    this.#state = state;
    this.#engine = engine;
  }

  async simulate(tx: Base64EncodedWireTransaction): Promise<SimulatedTransaction> {
    const { keep, ...outcome } = await this.#engine.run(this.#state, tx);
    return outcome;
  }

  /** Simulates a transaction, and keeps what it did if it succeeds. */
  execute(tx: Base64EncodedWireTransaction): Promise<SimulatedTransaction> {
    return this.#inTurn(() => this.#execute(tx, false));
  }

  /** Executes a transaction and records it. As on a cluster, a transaction that can't pay its fee is not recorded. */
  executeOnRecord(tx: Base64EncodedWireTransaction, wire: WireTransaction): Promise<SimulatedTransaction> {
    return this.#inTurn(async () => {
      const state = this.#state;
      const named = accountsNamedIn(state, wire);
      const before = balancesOf(named, state);
      const outcome = await this.#execute(tx, true);
      if (outcome.accounts.size > 0) {
        const balances = { before, after: balancesOf(named, state) };
        this.history.add(recordOf(tx, wire, named, state, outcome, balances));
      }
      return outcome;
    });
  }

  async #execute(tx: Base64EncodedWireTransaction, keepsFee: boolean): Promise<SimulatedTransaction> {
    const { keep, ...outcome } = await this.#engine.run(this.#state, tx);
    if (outcome.err !== null && !keepsFee) return outcome;
    keep?.();
    for (const [address, account] of outcome.accounts) this.#write(address, account);
    return outcome;
  }

  #write(address: Address, account: Readonly<Account>): void {
    const before = this.#state.getAccount(address);
    const isChanged =
      before === undefined
        ? account.lamports > 0n
        : before.owner !== account.owner ||
          before.data !== account.data ||
          before.lamports !== account.lamports;
    if (isChanged) this.#state.setAccount(address, account.lamports === 0n ? undefined : account);
  }

  /** Runs work on the accounts after everything queued before it: two at once would each miss the other's changes. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
