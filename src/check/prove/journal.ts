import { isHeavenError } from '../../errors.js';
import { sentence } from '../scene.js';
import type { ProofObservation, Skipped } from './infer.js';
import type { ProofQuestionId } from './questions.js';

/** How a documented failure was provoked, and what the program returned. */
export interface ObservedFailure {
  /** What was done, briefly. */
  readonly what: string;
  /** The error code that is documented or presumed. */
  readonly expected: number;
  /** The custom error code that the program returned, or why there is none. */
  readonly found: number | string;
}

/** Where scenarios record what they observe. */
export interface Journal {
  readonly observations: readonly ProofObservation[];
  readonly skipped: readonly Skipped[];
  readonly failures: readonly ObservedFailure[];
  observe(observation: ProofObservation): void;
  /** Records that something could not be observed, and why. `doubt`: see {@link Skipped.doubt}. */
  skip(questions: readonly ProofQuestionId[], reason: string, doubt?: ProofObservation): void;
  fail(failure: ObservedFailure): void;
  /**
   * Runs a part of a scenario. If it throws {@link CannotObserve} (an account is missing, or a transaction that prepares it
   * fails), records that for these questions and continues. Any other error is a bug and is rethrown.
   */
  attempt(questions: readonly ProofQuestionId[], part: () => Promise<void>): Promise<void>;
}

/** Thrown inside {@link Journal.attempt} with the reason why something can't be observed. */
export class CannotObserve extends Error {
  override readonly name = 'CannotObserve';
}

export function createJournal(): Journal {
  const observations: ProofObservation[] = [];
  const skipped: Skipped[] = [];
  const failures: ObservedFailure[] = [];
  const skip: Journal['skip'] = (questions, reason, doubt) => {
    skipped.push(doubt === undefined ? { questions, reason } : { questions, reason, doubt });
  };
  return {
    observations,
    skipped,
    failures,
    observe: (observation) => {
      observations.push(observation);
    },
    skip,
    fail: (failure) => {
      failures.push(failure);
    },
    attempt: async (questions, part) => {
      try {
        await part();
      } catch (error) {
        if (!(error instanceof CannotObserve) && !isHeavenError(error)) throw error;
        if (isHeavenError(error, 'aborted')) throw error;
        skip(questions, sentence(error));
      }
    },
  };
}
