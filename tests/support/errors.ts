import { inspect } from 'node:util';

import { expect, vi } from 'vitest';

import {
  type AnyHeavenError,
  type HeavenError,
  type HeavenErrorCode,
  isHeavenError,
} from '../../src/base/errors.js';

/** A call under test, or what one returned. */
type Attempt = (() => unknown) | PromiseLike<unknown>;

/** The field of a context that says which of its code's cases an error is: by its value, or by being there. */
const CASES: Readonly<Partial<Record<HeavenErrorCode, readonly [by: 'value' | 'presence', field: string]>>> =
  {
    'history-incomplete': ['value', 'reason'],
    'insufficient-balance': ['value', 'asset'],
    'invalid-account-data': ['presence', 'found'],
    'invalid-amount': ['presence', 'decimals'],
    'invalid-fees': ['presence', 'feeBps'],
    'invalid-transaction': ['presence', 'signers'],
    'malformed-data': ['presence', 'asked'],
    'not-authorized': ['value', 'role'],
    'not-patchable': ['presence', 'maxAge'],
    'operation-disabled': ['value', 'operation'],
    'pool-mismatch': ['value', 'field'],
    'rpc-invalid-response': ['presence', 'maxResponseBytes'],
    'rpc-wrong-account': ['presence', 'field'],
    'unsupported-mint': ['presence', 'pool'],
    'unusable-account': ['value', 'account'],
  };

/** Which case of its code an error is: `pool-mismatch:mint`, `invalid-amount:decimals`, or the code. */
export function caseOf(code: string, context: object = {}): string {
  const [by, field] = CASES[code as HeavenErrorCode] ?? [];
  // Over HTTP the names are in snake_case.
  const inCamelCase = (text: string) =>
    text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const [, value] = Object.entries(context).find(([name]) => inCamelCase(name) === field) ?? [];
  if (field === undefined || value === undefined) return code;
  return `${code}:${by === 'presence' ? field : inCamelCase(String(value))}`;
}

/** The code in the name of a case. */
const codeOf = (name: string): string => name.split(':')[0] as string;

/** Matches a `HeavenError` of a code, or of a case of it as {@link caseOf} names them, with at least this context. */
export function heavenError(name: string, context: object = {}) {
  const code = codeOf(name);
  const [by, field] = CASES[code as HeavenErrorCode] ?? [];
  const inCase = name.slice(code.length + 1);
  const more =
    inCase === '' || field === undefined ? {} : { [field]: by === 'value' ? inCase : expect.anything() };
  const said = expect.objectContaining({ ...more, ...context });
  return expect.objectContaining({ name: 'HeavenError', code, context: said });
}

/** The code of a case: `pool-mismatch` of `pool-mismatch:mint`. */
type CodeOf<TName extends string> = TName extends `${infer TCode}:${string}` ? TCode : TName;

/** The error that a call throws or rejects with. Fails if there is none. */
export const errorOf = vi.defineHelper(async (attempt: Attempt): Promise<unknown> => {
  let value: unknown;
  try {
    value = await (typeof attempt === 'function' ? attempt() : attempt);
  } catch (error) {
    return error;
  }
  return expect.fail(`no error, but ${inspect(value).slice(0, 200)}`);
});

/** The `HeavenError` that a call throws or rejects with. Fails if there is none. */
export const refusalOf = vi.defineHelper(async (attempt: Attempt): Promise<AnyHeavenError> => {
  const error = await errorOf(attempt);
  if (!isHeavenError(error)) throw error;
  return error;
});

/** Expects a `HeavenError` of a code, or of a case of it, with at least this context, and returns it. */
export const expectRefusal = vi.defineHelper(
  async <TName extends string>(attempt: Attempt, name: TName, context: object = {}) => {
    const error = await errorOf(attempt);
    expect(error).toEqual(heavenError(name, context));
    const { code, context: said } = error as HeavenError;
    expect(caseOf(code, said)).toBe(name);
    return error as HeavenError<CodeOf<TName> extends HeavenErrorCode ? CodeOf<TName> : HeavenErrorCode>;
  },
);

/** How a call ended: `served`, or the case of its error. */
export const endOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'served',
    (error: unknown) =>
      isHeavenError(error) ? caseOf(error.code, error.context) : `not ours: ${String(error)}`,
  );
