import { HeavenError } from '../errors.js';
import type { PoolSnapshot } from './decode.js';

/** The pool names another config version than the one at hand. */
export const configVersionMismatch = (asked: number | string, found: number) =>
  new HeavenError(
    'config-version-mismatch',
    `The config version is ${asked}, but the pool belongs to version ${found}. Use ${found}.`,
    { asked, found },
  );

/** The pool trades another token than the one at hand. */
export const poolMintMismatch = (pool: string, asked: string, found: string) =>
  new HeavenError('pool-mint-mismatch', `The pool ${pool} trades the token ${found}, not ${asked}.`, {
    asked,
    found,
  });

/** The pool's other token is not SOL. */
export const unsupportedPair = (pool: string, found: string) =>
  new HeavenError(
    'unsupported-pair',
    `The pool ${pool} pairs the token with ${found}, not with SOL. Trade in another pool.`,
    { pool, found },
  );

/** Refuses a pool of another kind than the function is for. */
export function assertPoolKind(asked: PoolSnapshot['kind'], found: PoolSnapshot['kind']): void {
  if (asked === found) return;
  throw new HeavenError(
    'pool-kind-mismatch',
    `This is a ${found} pool, and the function is for ${asked} pools. Use its ${found} twin.`,
    { asked, found },
  );
}
