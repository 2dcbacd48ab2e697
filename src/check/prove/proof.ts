import type { Address } from '@solana/kit';

import type { DeploymentConfig } from '../../client.js';
import type { RulesPatch } from '../../program/rules.js';
import { joinRules } from '../deployment.js';
import type { Answer } from './infer.js';
import type { ObservedFailure } from './journal.js';

/** The program that was run. */
export interface ProvenProgram {
  readonly address: Address;
  /** The hash of its ELF file, in hex. Two proofs with the same hash are of the same program. */
  readonly sha256: string;
  /** The slot in which it was last deployed, if the download includes it. */
  readonly deploySlot?: bigint | undefined;
  /** Who may replace it, if anybody. `undefined` if unknown. */
  readonly upgradeAuthority?: Address | null | undefined;
}

/** A provoked failure, and how often it ended like this. */
export interface ProvenFailure extends ObservedFailure {
  readonly times: number;
}

/** The result of {@link proveProgram}. */
export interface Proof {
  /** `model`: a rehearsal on the library's own model, which says nothing about the program. */
  readonly runs: 'program' | 'model';
  /** `undefined` if there was no binary, as in a rehearsal. */
  readonly program?: ProvenProgram;
  /** The program ran, and no transaction changed any of its accounts: it isn't the exchange. */
  readonly nothingMoved: boolean;
  /** What is missing from the download, and why: pools, programs, configs. */
  readonly missing: readonly string[];
  /** What the library assumes, in the order of docs/protocol.md. */
  readonly assumptions: readonly Answer[];
  /** What it treats as certain. */
  readonly facts: readonly Answer[];
  readonly failures: readonly ProvenFailure[];
  /** For `createClient`: the exchange's addresses, and the rules that the proof found to differ from the library's. */
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

/** Something that the library assumes is wrong, or fits no candidate. */
export const isContradicted = ({ nothingMoved, assumptions, facts }: Proof): boolean =>
  nothingMoved ||
  [...assumptions, ...facts].some(({ verdict }) => verdict === 'refuted' || verdict === 'none-fits');
