import type { Address } from '@solana/kit';

import type { DeploymentConfig } from '../../client.js';
import type { RulesPatch } from '../../program/rules.js';
import { joinRules } from '../deployment.js';
import type { Answer } from './infer.js';
import type { ObservedFailure } from './journal.js';

/** The program that was run. */
export interface ProvenProgram {
  readonly address: Address;
  /** Of its ELF file, in hex: two proofs with the same hash are of the same program. */
  readonly sha256: string;
  /** The slot in which it was last deployed, if that was downloaded with it. */
  readonly deploySlot?: bigint | undefined;
  /** Who may replace it, if anybody. `undefined` if that isn't known. */
  readonly upgradeAuthority?: Address | null | undefined;
}

/** A failure that was provoked, and how often it ended so. */
export interface ProvenFailure extends ObservedFailure {
  readonly times: number;
}

/** What {@link proveProgram} found out. */
export interface Proof {
  /** `model`: a rehearsal on the library's own model, which says nothing of the program. */
  readonly runs: 'program' | 'model';
  /** `undefined` if there was no binary, which only a rehearsal does without. */
  readonly program?: ProvenProgram;
  /** The program ran, and no transaction changed any of its accounts: it isn't the exchange. */
  readonly nothingMoved: boolean;
  /** What the download lacks, and why: pools, programs, configs. */
  readonly missing: readonly string[];
  /** What the library assumes, in the order of docs/protocol.md. */
  readonly assumptions: readonly Answer[];
  /** What it takes for certain. */
  readonly facts: readonly Answer[];
  readonly failures: readonly ProvenFailure[];
  /** For `createClient`: where the exchange is, and the rules that were found to differ from the library's. */
  readonly deployment: DeploymentConfig;
  readonly transactions: number;
  /** To run the same again. */
  readonly seed: number;
  readonly durationMs: number;
}

/** The rules of the candidates that were found in the place of the assumed ones. */
export function provenRules(answers: readonly Answer[]): RulesPatch | undefined {
  return joinRules(
    answers.flatMap(({ verdict, candidate }) => (verdict === 'refuted' && candidate?.rules) || []),
  );
}

/** The same failure once, with how often it came. */
export function countFailures(failures: readonly ObservedFailure[]): readonly ProvenFailure[] {
  const counted = new Map<string, ProvenFailure>();
  for (const failure of failures) {
    const { what, expected, found } = failure;
    const key = JSON.stringify([what, expected, found]);
    counted.set(key, { ...failure, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  return [...counted.values()];
}

/** Something that the library takes for right is not, or fits nothing. */
export const isContradicted = ({ nothingMoved, assumptions, facts }: Proof): boolean =>
  nothingMoved ||
  [...assumptions, ...facts].some(({ verdict }) => verdict === 'refuted' || verdict === 'none-fits');
