import type { Address } from '@solana/kit';

import type { Ledger } from '../../testing/ledger.js';
import type { Journal } from './journal.js';
import type { ProofQuestionId } from './questions.js';

/** A pool that a ground's ledgers hold. */
export interface ProvingPool {
  readonly kind: 'standard' | 'pro';
  readonly configVersion: number;
  readonly pool: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** Where scenarios run: fresh ledgers with the same accounts, whose transactions run on the program or its model. */
export interface ProvingGround {
  readonly pools: readonly ProvingPool[];
  /** A lookup table for launches, if there is one. */
  readonly lookupTable?: Address | undefined;
  /** Creates a ledger with the accounts as they were read. */
  open(): Promise<Ledger>;
}

/** The input of a scenario. */
export interface ScenarioInput {
  readonly ground: ProvingGround;
  readonly journal: Journal;
  /** Random numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number;
  /** To call after each transaction or group of them. @throws {HeavenError} `aborted` */
  readonly progress: () => void;
}

/** A part of the proof. Each starts from fresh ledgers, so their order doesn't matter. */
export interface Scenario {
  /** A short name for the progress line. */
  readonly name: string;
  /** The questions that it answers if the accounts that it needs exist. */
  readonly questions: readonly ProofQuestionId[];
  run(input: ScenarioInput): Promise<void>;
}
