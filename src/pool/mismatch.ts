import { HeavenError } from '../errors.js';
import type { PoolSnapshot } from './decode.js';

/** The pool names another config version than the one at hand. */
export const configVersionMismatch = (expected: number, actual: number | string) =>
  new HeavenError(
    'config-version-mismatch',
    `The config version is ${actual}, but the pool belongs to version ${expected}. Use ${expected}.`,
    { expected, actual },
  );

/** The pool trades another token than the one at hand. */
export const poolMintMismatch = (pool: string, expected: string, actual: string) =>
  new HeavenError('pool-mint-mismatch', `The pool ${pool} trades the token ${expected}, not ${actual}.`, {
    expected,
    actual,
  });

/** Refuses a pool of another kind than the function is for. */
export function assertPoolKind(expected: PoolSnapshot['kind'], actual: PoolSnapshot['kind']): void {
  if (expected === actual) return;
  throw new HeavenError(
    'pool-kind-mismatch',
    `This is a ${actual} pool, and the function is for ${expected} pools. Use its ${actual} twin.`,
    { expected, actual },
  );
}
