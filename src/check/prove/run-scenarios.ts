import type { Address } from '@solana/kit';

import { HeavenError } from '../../errors.js';
import { createJournal, type Journal } from './journal.js';
import type { ProvingGround, Scenario } from './scenario.js';

/** The progress of a proof. */
export interface ProofProgress {
  /** The scenario that is running. */
  readonly scenario: string;
  /** The number of finished scenarios, and of all. */
  readonly done: number;
  readonly total: number;
  /** Transactions so far. */
  readonly transactions: number;
  /** A rough estimate. `undefined` until the first scenario is done. */
  readonly secondsLeft?: number;
}

export interface RunOptions {
  /** The seed of the random numbers: the same seed gives the same amounts and settings. */
  readonly seed: number;
  readonly abortSignal?: AbortSignal | undefined;
  readonly observe?: ((progress: ProofProgress) => void) | undefined;
}

/** The outcome of the scenarios. */
interface ScenarioRun {
  readonly journal: Journal;
  readonly transactions: number;
  /** Whether any transaction changed an account of the program. If none did, the program isn't the exchange. */
  readonly hasMoved: boolean;
}

/** Runs all scenarios one after the other, and records their observations in one journal. */
export async function runScenarios(
  ground: ProvingGround,
  scenarios: readonly Scenario[],
  programAddress: Address,
  { seed, abortSignal, observe }: RunOptions,
): Promise<ScenarioRun> {
  const journal = createJournal();
  const { watched, seen } = watch(ground, programAddress);
  const startedAt = Date.now();
  for (const [done, { name, run }] of scenarios.entries()) {
    const elapsed = (Date.now() - startedAt) / 1_000;
    const left = done === 0 ? {} : { secondsLeft: Math.ceil((elapsed / done) * (scenarios.length - done)) };
    const progress = () => {
      if (abortSignal?.aborted)
        throw new HeavenError('aborted', 'The proof was aborted by the caller.', { method: 'proveProgram' });
      observe?.({
        scenario: name,
        done,
        total: scenarios.length,
        transactions: seen.transactions,
        ...left,
      });
    };
    progress();
    // Each scenario has its own generator, so that one does not affect the numbers of the next.
    await run({ ground: watched, journal, random: randomFrom(seed + done * 0x9e3779b9), progress });
  }
  return { journal, ...seen };
}

/** A ground whose ledgers count their transactions and notice changes to the program's accounts. */
function watch(ground: ProvingGround, programAddress: Address) {
  const seen = { transactions: 0, hasMoved: false };
  const open: ProvingGround['open'] = async () => {
    const ledger = await ground.open();
    const { execute } = ledger;
    ledger.execute = async (tx) => {
      seen.transactions += 1;
      const stop = ledger.onWrite((_, account) => {
        seen.hasMoved ||= account?.owner === programAddress;
      });
      try {
        return await execute(tx);
      } finally {
        stop();
      }
    };
    return ledger;
  };
  return { watched: { ...ground, open }, seen };
}

/** Numbers from 0 to 1 by Mulberry32: good enough for amounts, but not for secrets. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
