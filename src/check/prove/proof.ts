import type { Address } from '@solana/kit';

import type { DeploymentConfig } from '../../client.js';
import type { RulesPatch } from '../../program/rules.js';
import { joinRules } from '../deployment.js';
import type { ProofAnswer } from './infer.js';
import type { ObservedFailure } from './journal.js';

/** The program that was run. */
export interface ProvenProgram {
  readonly address: Address;
  /** The hash of its ELF file, in hex. Proofs with the same hash ran the same program. */
  readonly sha256: string;
  /** The slot in which it was last deployed, if the download includes it. */
  readonly deploySlot?: bigint | undefined;
  /** Who may replace it: `null` if nobody, `undefined` if unknown. */
  readonly upgradeAuthority?: Address | null | undefined;
}

/** A provoked failure, and how often it had this result. */
export interface ProvenFailure extends ObservedFailure {
  readonly times: number;
}

/** The result of {@link proveProgram}. */
export interface Proof {
  /** `model`: a rehearsal on the library's own model, which says nothing about the program. */
  readonly runs: 'program' | 'model';
  /** `undefined` if there was no binary, as in a rehearsal. */
  readonly program?: ProvenProgram;
  /** Whether the program ran but no transaction changed any of its accounts: it isn't the exchange. */
  readonly nothingMoved: boolean;
  /** The pools, programs and configs that are missing from the download, and why. */
  readonly missing: readonly string[];
  /** What the library assumes, in the order of docs/protocol.md. */
  readonly assumptions: readonly ProofAnswer[];
  /** What it treats as certain. */
  readonly facts: readonly ProofAnswer[];
  readonly failures: readonly ProvenFailure[];
  /** For `createClient`: the exchange's addresses, and the rules that differ from the library's. */
  readonly deployment: DeploymentConfig;
  readonly transactions: number;
  /** Pass it to {@link proveProgram} to repeat the run. */
  readonly seed: number;
  readonly durationMs: number;
}

/** The rules of the candidates that replace the assumed ones. */
export function provenRules(answers: readonly ProofAnswer[]): RulesPatch | undefined {
  return joinRules(
    answers.flatMap(({ verdict, candidate }) => (verdict === 'refuted' && candidate?.rules) || []),
  );
}

/** Groups equal failures and counts them. */
export function countFailures(failures: readonly ObservedFailure[]): readonly ProvenFailure[] {
  const counted = new Map<string, ProvenFailure>();
  for (const failure of failures) {
    const { what, expected, found } = failure;
    const key = JSON.stringify([what, expected, found]);
    counted.set(key, { ...failure, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  return [...counted.values()];
}

/** Whether something that the library assumes is wrong or fits no candidate. */
export const isContradicted = ({ nothingMoved, assumptions, facts }: Proof): boolean =>
  nothingMoved ||
  [...assumptions, ...facts].some(({ verdict }) => verdict === 'refuted' || verdict === 'none-fits');
