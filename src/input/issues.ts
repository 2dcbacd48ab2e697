import type * as z from 'zod/mini';

import type { HeavenError } from '../base/errors.js';
import { invalidInput } from '../base/input.js';

/** Throws this library's error for a value that is wrong, and names its field. */
export type Assert<TValue> = (value: TValue, field: string) => unknown;

/** An issue's own part: throws the error again, with the field's whole path. */
interface RejectedBy {
  readonly reject?: (field: string) => unknown;
}

/**
 * A check of a schema by a function that throws. The issue can call it again, because only {@link errorOf} knows the field's whole path.
 */
export const by =
  <TValue>(assert: Assert<TValue>) =>
  ({ value, issues }: z.core.ParsePayload<TValue>): void => {
    const reject = (field: string) => assert(value, field);
    try {
      reject('');
    } catch {
      issues.push({ code: 'custom', input: value, params: { reject } satisfies RejectedBy });
    }
  };

/** This library's error for the first issue. */
export function errorOf([issue]: readonly z.core.$ZodIssue[]): HeavenError {
  const { path = [], input, params } = issue as z.core.$ZodIssue & { readonly params?: RejectedBy };
  const field = fieldAt(path);
  try {
    params?.reject?.(field);
  } catch (error) {
    return error as HeavenError;
  }
  const expected = issue?.code === 'invalid_type' && issue.expected === 'array' ? 'a list' : 'an object';
  return invalidInput(field, input, expected);
}

/** `['brackets', 0, 'buyFeeBps']` -> `brackets[0].buyFeeBps`. */
const fieldAt = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((field, part) => {
    if (typeof part === 'number') return `${field}[${part}]`;
    return field === '' ? String(part) : `${field}.${String(part)}`;
  }, '');
