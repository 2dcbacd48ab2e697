import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import {
  assertClient,
  assertObject,
  describe,
  hasNoField,
  ignoredFields,
  inputError,
  type KeyOf,
  misspelt,
  unknownNames,
} from '../base/input.js';
import type { HeavenWarning } from '../base/warnings.js';
import type { HeavenClient } from '../client.js';
import { addressOf } from '../solana/addresses.js';
import type { Checked, Shape } from './field.js';
import { schemasOf } from './fields.js';
import { errorOf } from './issues.js';

/** The fields that only a local call may have, by name. */
type LocalShape = Readonly<Record<string, Checked>>;

/** What an operation takes, and what is checked of it. */
interface Entry<TDocumented extends Shape, TLocal extends LocalShape> {
  /** The fields that a request over HTTP may have too. */
  readonly documented: TDocumented;
  /** The fields that only a local call may have. */
  readonly local: TLocal;
  /** Checks fields against each other, once each is right by itself. */
  readonly check?: (input: Entered<TDocumented & TLocal>) => void;
}

/** The input of an operation as its door lets it in: checked, and `undefined` for what is left out. */
export type Entered<TShape extends LocalShape> = {
  readonly [TField in keyof TShape]: z.output<TShape[TField]['schema']>;
};

/** The input that a door lets in. */
export type EnteredBy<TDoor> =
  TDoor extends Door<infer TDocumented, infer TLocal> ? Entered<TDocumented & TLocal> : never;

/** Where the form of an operation's input is checked. Nothing checks it again: later checks compare it with a quote or a pool. */
export interface Door<TDocumented extends Shape = Shape, TLocal extends LocalShape = LocalShape> {
  /** The fields that a request over HTTP may have too. */
  readonly documented: TDocumented;
  /**
   * Checks a caller's input. It may name the program, as a request over HTTP does, if that is the caller's own.
   *
   * @returns The input, and a warning of unknown names that resemble no known one.
   * @throws {HeavenError} the code of the first field that is wrong, `invalid-input` for most
   */
  readonly check: (
    input: object,
    programAddress?: Address,
  ) => readonly [Entered<TDocumented & TLocal>, readonly HeavenWarning[]];
  /** Lets a caller's checked input in, after a look at the client. */
  readonly enter: (
    client: HeavenClient,
    input: object,
  ) => readonly [Entered<TDocumented & TLocal>, readonly HeavenWarning[]];
}

/** What any member of a union may have in a field. */
type ValueOf<TInput, TField> = TInput extends unknown
  ? TField extends keyof TInput
    ? TInput[TField]
    : never
  : never;

/** Doesn't compile if a schema is for no field, or rejects what the interface allows. */
type AcceptedBy<TInput, TShape extends LocalShape> = {
  readonly [TField in keyof TShape]: TField extends KeyOf<TInput>
    ? ValueOf<TInput, TField> extends z.input<TShape[TField]['schema']>
      ? TShape[TField]
      : never
    : never;
};

/** Doesn't compile if a field has no schema. */
type HasEveryField<TInput, TShapes> = [Exclude<KeyOf<TInput>, keyof TShapes>] extends [never]
  ? unknown
  : never;

/**
 * The door of an operation. The compiler compares it with the operation's interface, which has the fields' descriptions. Its schemas are
 * made when somebody first enters, so a bundle leaves out the doors of operations that it doesn't use.
 *
 * @example
 * ```ts
 * const door = doorOf<{ mint: Address }>()(() => ({ documented: { mint: address() }, local: {} }));
 * ```
 */
export const doorOf =
  <TInput extends object>() =>
  <const TDocumented extends Shape, const TLocal extends LocalShape>(
    make: () => Entry<TDocumented & AcceptedBy<TInput, TDocumented>, TLocal & AcceptedBy<TInput, TLocal>> &
      HasEveryField<TInput, TDocumented & TLocal>,
  ): Door<TDocumented, TLocal> => {
    let made: (Entry<TDocumented, TLocal> & { readonly schema: z.ZodMiniType }) | undefined;
    const parts = () => {
      if (made !== undefined) return made;
      const entry = make() as Entry<TDocumented, TLocal>;
      made = { ...entry, schema: z.object(schemasOf({ ...entry.documented, ...entry.local })) };
      return made;
    };
    const check: Door<TDocumented, TLocal>['check'] = (input, programAddress) => {
      const { documented, local, schema, check: checkTogether } = parts();
      const ignored = ignoredNames(input, { ...documented, ...local, programId: undefined });
      if (programAddress !== undefined) assertProgram(input, programAddress);
      const parsed = z.safeParse(schema, input, { reportInput: true });
      if (!parsed.success) throw errorOf(parsed.error.issues);
      const entered = parsed.data as Entered<TDocumented & TLocal>;
      checkTogether?.(entered);
      return [entered, ignored];
    };
    return {
      get documented() {
        return parts().documented;
      },
      check,
      enter: (client, input) => {
        assertClient(client);
        return check(input, client.deployment.programAddress);
      },
    };
  };

function assertProgram({ programId }: { readonly programId?: unknown }, programAddress: Address): void {
  if (programId === undefined || programId === null || addressOf(programId) === programAddress) return;
  const message = `programId is ${describe(programId)}, but the client's program is ${programAddress}. Leave programId out, or make the client for that program.`;
  throw inputError('programId', message, programId);
}

function ignoredNames(input: object, known: Readonly<Record<string, unknown>>): readonly HeavenWarning[] {
  assertObject(input, 'input');
  const unknown = unknownNames(input, known);
  if (unknown.count === 0) return [];
  const [name] = misspelt(unknown, known);
  if (name !== undefined) throw inputError(name, `The input ${hasNoField(name, known)}`);
  return ignoredFields(unknown);
}
