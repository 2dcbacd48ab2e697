import type { DeploymentConfig } from '../../client.js';
import { assertWhole } from '../../input.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../program/constants.js';
import { infer, type Skipped } from './infer.js';
import { countFailures, type Proof, type ProvenProgram, provenRules } from './proof.js';
import { QUESTIONS } from './questions.js';
import { type RunOptions, runScenarios } from './run-scenarios.js';
import type { ProvingGround, Scenario } from './scenario.js';

/** What to prove, and on which ground. */
export interface ProofSubject {
  readonly runs: 'program' | 'model';
  readonly program?: ProvenProgram | undefined;
  /** The exchange's addresses, for the proof's deployment. */
  readonly deployment: DeploymentConfig;
  readonly ground: ProvingGround;
  readonly scenarios: readonly Scenario[];
  /** What is missing on the ground, and why. */
  readonly reasons?: readonly string[];
}

const NOTHING_MOVED: Skipped = {
  questions: QUESTIONS.map(({ id }) => id),
  reason: 'no transaction changed an account of the program',
};

/** Runs scenarios on a ground and infers what they prove. */
export async function proveOn(
  { runs, program, deployment, ground, scenarios, reasons = [] }: ProofSubject,
  options: Partial<RunOptions> = {},
): Promise<Proof> {
  const { seed = Math.floor(Math.random() * 2 ** 32) } = options;
  assertWhole('seed', seed, [0, 2 ** 32 - 1]);
  const startedAt = Date.now();
  const { programAddress = HEAVEN_PROGRAM_ADDRESS } = deployment;
  const run = await runScenarios(ground, scenarios, programAddress, { ...options, seed });
  const { journal, transactions } = run;
  const nothingMoved = transactions > 0 && !run.hasMoved;
  // A program that does nothing says nothing about the exchange.
  const answers = nothingMoved ? infer([], [NOTHING_MOVED]) : infer(journal.observations, journal.skipped);
  const rules = provenRules(answers);
  return {
    runs,
    ...(program === undefined ? {} : { program }),
    nothingMoved,
    missing: reasons,
    assumptions: answers.filter(({ question }) => question.assumption !== undefined),
    facts: answers.filter(({ question }) => question.assumption === undefined),
    failures: nothingMoved ? [] : countFailures(journal.failures),
    deployment: rules === undefined ? deployment : { ...deployment, rules },
    transactions,
    seed,
    durationMs: Date.now() - startedAt,
  };
}
