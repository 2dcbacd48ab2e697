import type { Address } from '@solana/kit';
import type { BuilderName } from '../../operations.js';
import type { Assumption, Plan } from '../plan.js';
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

/** The same plan for several inputs, named by `name`. */
export const each = <T>(inputs: readonly T[], name: (input: T) => string, plan: (input: T) => MakePlan) =>
  Object.fromEntries(inputs.map((input) => [name(input), plan(input)]));
