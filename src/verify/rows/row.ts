import type { Address } from '@solana/kit';
import type { BuilderName } from '../../operations/index.js';
import type { Assumption } from '../../program/assumptions.js';
import type { Plan } from '../plan.js';
import type { Token, VerifySource } from '../source.js';
import type { Stage } from '../stage.js';

export type MakePlan = (stage: Stage) => Promise<Plan>;

/** One row of the table. */
export interface Case {
  /** The pool or config. */
  readonly on: string;
  readonly input: string;
  readonly plan: MakePlan;
}

export interface Operation {
  readonly name: BuilderName;
  readonly assumes: readonly Assumption[];
  /**
   * The one among them that its rows tell from its other readings. Only such rows confirm an assumption: each input must have come out as we
   * said in some pool, and by no alternative.
   */
  readonly tells?: Assumption;
  readonly cases: (scene: Scene) => readonly Case[];
}

export interface Pool extends Token {
  readonly address: Address;
  readonly kind: 'standard' | 'pro';
  readonly configVersion: number;
}

export type Scene = VerifySource & { readonly known: readonly Pool[] };

/** An operation on each pool of a kind. */
export const operation = (
  name: BuilderName,
  kind: Pool['kind'],
  assumes: readonly Assumption[],
  casesOf: (pool: Pool) => Readonly<Record<string, MakePlan>>,
): Operation => ({
  name,
  assumes,
  cases: ({ known }) =>
    known
      .filter((pool) => pool.kind === kind)
      .flatMap((pool) =>
        Object.entries(casesOf(pool)).map(([input, plan]) => ({ on: pool.address, input, plan })),
      ),
});

/** An operation whose rows tell an assumption from its other readings. */
export const telling = (
  assumption: Assumption,
  name: BuilderName,
  kind: Pool['kind'],
  casesOf: (pool: Pool) => Readonly<Record<string, MakePlan>>,
): Operation => ({ ...operation(name, kind, [assumption], casesOf), tells: assumption });

/** The alternative of an assumption without which a transaction fails. */
export const FAILURE = { name: 'it fails', said: 'failed' } as const;

/** The same plan for several inputs, named by `name`. */
export const each = <T>(inputs: readonly T[], name: (input: T) => string, plan: (input: T) => MakePlan) =>
  Object.fromEntries(inputs.map((input) => [name(input), plan(input)]));
