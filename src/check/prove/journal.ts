import { isHeavenError } from '../../errors.js';
import type { Observation, Skipped } from './infer.js';
import type { QuestionId } from './questions.js';

/** How a documented failure was provoked, and what the machine said. */
export interface ObservedFailure {
  /** What was done, briefly. */
  readonly what: string;
  /** The error code that is documented or presumed. */
  readonly expected: number;
  /** The custom error code that the program returned, or why there is none. */
  readonly found: number | string;
}

/** What the scenarios write down. */
export interface Journal {
  readonly observations: readonly Observation[];
  readonly skipped: readonly Skipped[];
  readonly failures: readonly ObservedFailure[];
  observe(observation: Observation): void;
  /** Notes that something could not be observed, and why. `doubt`: see {@link Skipped.doubt}. */
  skip(questions: readonly QuestionId[], reason: string, doubt?: Observation): void;
  fail(failure: ObservedFailure): void;
  /**
   * Does a part of a scenario. Where it can't be done (an account is missing, a transaction that should prepare it fails), that
   * is noted for these questions and the scenario goes on. Anything else is a bug and is thrown.
   */
  attempt(questions: readonly QuestionId[], part: () => Promise<void>): Promise<void>;
}

/** Thrown inside {@link Journal.attempt}: the reason why something can't be observed. */
export class CannotObserve extends Error {
  override readonly name = 'CannotObserve';
}

export function createJournal(): Journal {
  const observations: Observation[] = [];
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
        skip(questions, error.message.replace(/\.$/, ''));
      }
    },
  };
}
