import { inspect } from 'node:util';

import { expect, vi } from 'vitest';

import {
  type AnyHeavenError,
  type HeavenError,
  type HeavenErrorCode,
  isHeavenError,
} from '../../src/errors.js';

/** A call under test, or what one returned. */
type Attempt = (() => unknown) | PromiseLike<unknown>;

/** Matches a `HeavenError` of a code, with at least this context. */
export const heavenError = (code: string, context: object = {}) =>
  expect.objectContaining({ name: 'HeavenError', code, context: expect.objectContaining(context) });

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

/** Expects a `HeavenError` of a code, with at least this context, and returns it. */
export const expectRefusal = vi.defineHelper(
  async <TCode extends string>(attempt: Attempt, code: TCode, context: object = {}) => {
    const error = await errorOf(attempt);
    expect(error).toEqual(heavenError(code, context));
    return error as HeavenError<TCode extends HeavenErrorCode ? TCode : HeavenErrorCode>;
  },
);

/** How a call ended: `served`, or the code of its error. */
export const endOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'served',
    (error: unknown) => (isHeavenError(error) ? error.code : `not ours: ${String(error)}`),
  );
