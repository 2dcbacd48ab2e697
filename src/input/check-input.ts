import type { Address } from '@solana/kit';
import type { HeavenError } from '../base/errors.js';
import {
  assertClient,
  assertNames,
  assertObject,
  describe,
  hasNoField,
  ignoredFields,
  inputError,
  type KeyOf,
  misspelt,
  type UnknownNames,
  unknownNames,
} from '../base/input.js';
import type { HeavenWarning } from '../base/warnings.js';
import type { HeavenClient } from '../program/client.js';
import { addressOf } from '../solana/addresses.js';
import type { Checked, CheckedShape, InputOf, OutputsOf, Shape } from './field.js';
import { checkFields } from './fields.js';

/** The fields that an operation takes, and how they are checked. */
export interface InputFields<TDocumented extends Shape = Shape, TLocal extends CheckedShape = CheckedShape> {
  /** The fields that a request over HTTP may have too. */
  readonly documented: TDocumented;
  /** The fields that only a local call may have. `LocalField` in `http/schemas/inputs.ts` names them too. */
  readonly local: TLocal;
  /** Checks fields against each other, once each is right by itself. */
  together?(input: OutputsOf<TDocumented & TLocal>): void;
}

/** Makes the fields of an operation when somebody first needs them. */
export type LazyFields<
  TDocumented extends Shape = Shape,
  TLocal extends CheckedShape = CheckedShape,
> = () => InputFields<TDocumented, TLocal> & {
  /** Those that a local call may have. */
  readonly all: TDocumented & TLocal;
};

/** An operation's input once it is checked. */
export type CheckedInput<TFields> =
  TFields extends LazyFields<infer TDocumented, infer TLocal> ? OutputsOf<TDocumented & TLocal> : never;

/** The same, and a warning of the names that were ignored. */
type CheckedCall<TFields> = readonly [CheckedInput<TFields>, readonly HeavenWarning[]];

/** What any member of a union may have in a field. */
type ValueOf<TInput, TField> = TInput extends unknown
  ? TField extends keyof TInput
    ? TInput[TField]
    : never
  : never;

// The texts are what the compiler says of a mistake.

/** Doesn't compile if a field is not the interface's, or its check rejects what the interface allows. */
type Accepting<TInput, TShape extends CheckedShape> = {
  readonly [TField in keyof TShape]: TField extends KeyOf<TInput>
    ? ValueOf<TInput, TField> extends InputOf<TShape[TField]>
      ? TShape[TField]
      : 'the check rejects what the interface allows, such as leaving the field out'
    : string extends TField
      ? 'one of these has no check or, if documented, no kind'
      : 'the interface has no such field';
};

/** Doesn't compile if a field of the interface is missing. */
type Complete<TInput, TShape> = [Exclude<KeyOf<TInput>, keyof TShape>] extends [never]
  ? unknown
  : { readonly 'not declared': Exclude<KeyOf<TInput>, keyof TShape> };

/**
 * Declares the fields of an operation's input. The compiler compares them with the input's interface, which has their descriptions.
 * They are made when the operation is first called, so a bundle leaves out those of operations that it doesn't use.
 *
 * @example
 * ```ts
 * const getPoolFields = fieldsOf<{ mint: Address }>()(() => ({ documented: { mint: address() }, local: {} }));
 * ```
 */
export const fieldsOf =
  <TInput extends object>() =>
  <const TDocumented extends Shape, const TLocal extends CheckedShape>(
    make: () => InputFields<
      TDocumented & Accepting<TInput, TDocumented>,
      TLocal & Accepting<TInput, TLocal>
    > &
      Complete<TInput, TDocumented & TLocal>,
  ): LazyFields<TDocumented, TLocal> => {
    let made: ReturnType<LazyFields<TDocumented, TLocal>> | undefined;
    return () => {
      if (made !== undefined) return made;
      const fields = make() as InputFields<TDocumented, TLocal>;
      made = { ...fields, all: { ...fields.documented, ...fields.local } };
      return made;
    };
  };

/**
 * Checks the input of a call to an operation, once. What it returns needs no check of its form again.
 *
 * @returns The input, without what is left out, and a warning of unknown names that resemble no known one.
 * @throws {HeavenError} the code of the first field that is wrong, `invalid-input` for most
 */
export function checkInput<TFields extends LazyFields>(
  client: HeavenClient,
  input: object,
  fields: TFields,
): CheckedCall<TFields> {
  assertClient(client);
  return checkInputFor(client.deployment.programAddress, input, fields);
}

/** {@link checkInput} for an operation whose result has no warnings, so that it rejects every unknown name. */
export function checkKnownInput<TFields extends LazyFields>(
  client: HeavenClient,
  input: object,
  fields: TFields,
): CheckedInput<TFields> {
  const [checked, ignored] = checkInput(client, input, fields);
  if (ignored.length > 0) assertNames(input, 'input', { ...fields().all, ...PROGRAM });
  return checked;
}

/** {@link checkInput} for the caller's program. An input may name that, as a request over HTTP does. */
export function checkInputFor<TFields extends LazyFields>(
  programAddress: Address,
  input: object,
  fields: TFields,
): CheckedCall<TFields> {
  const { all, together } = fields();
  const unknown = unknownNamesOf(input, all);
  assertProgram(input, programAddress);
  try {
    const checked = checkFields(all, input);
    together?.(checked);
    return [checked as CheckedInput<TFields>, ignoredFields(unknown)];
  } catch (error) {
    const field = (error as Partial<HeavenError<'invalid-input'>>).context?.field as keyof typeof input;
    // What is missing may be there by another name.
    if (unknown.count && field in all && input[field] === undefined)
      (error as Error).message += ` The input has no field ${unknown.names}; did you mean ${field}?`;
    throw error;
  }
}

function assertProgram({ programId }: { readonly programId?: unknown }, programAddress: Address): void {
  if (programId === undefined || programId === null || addressOf(programId) === programAddress) return;
  const message = `programId is ${describe(programId)}, but the client's program is ${programAddress}. Leave programId out, or make the client for that program.`;
  throw inputError('programId', message, programId);
}

const PROGRAM = { programId: undefined };

/** A quote that is passed on says which of its own names are unknown. */
interface QuoteFields {
  readonly quoteResponse?: { readonly unknownIn?: (quote: unknown, top: UnknownNames) => UnknownNames };
}

function unknownNamesOf(
  input: { readonly quoteResponse?: unknown },
  fields: Readonly<Record<string, Checked>> & QuoteFields,
): UnknownNames {
  assertObject(input, 'input');
  const unknown = unknownNames(input, fields, PROGRAM);
  if (unknown.count > 0) {
    const known = { ...fields, ...PROGRAM };
    const [name] = misspelt(unknown, known);
    if (name !== undefined) throw inputError(name, `The input ${hasNoField(name, known)}`);
  }
  return fields.quoteResponse?.unknownIn?.(input.quoteResponse, unknown) ?? unknown;
}
