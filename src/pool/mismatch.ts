import { HeavenError } from '../errors.js';
import type { PoolSnapshot } from './decode.js';

/** The error when a pool has a different config version. */
export const configVersionMismatch = (asked: number | string, found: number) =>
  new HeavenError(
    'config-version-mismatch',
    `The config version is ${asked}, but the pool belongs to version ${found}. Use ${found}.`,
    { asked, found },
  );

/** The error when a pool trades a different token. */
export const poolMintMismatch = (pool: string, asked: string, found: string) =>
  new HeavenError('pool-mint-mismatch', `The pool ${pool} trades the token ${found}, not ${asked}.`, {
    asked,
    found,
  });

/** The error when a pool's other token is not SOL. */
export const unsupportedPair = (pool: string, found: string) =>
  new HeavenError(
    'unsupported-pair',
    `The pool ${pool} pairs the token with ${found}, not with SOL. Trade in another pool.`,
    { pool, found },
  );

/** Throws if a pool is not of the kind that the function is for. */
export function assertPoolKind(asked: PoolSnapshot['kind'], found: PoolSnapshot['kind']): void {
  if (asked === found) return;
  throw new HeavenError(
    'pool-kind-mismatch',
    `This is a ${found} pool, and the function is for ${asked} pools. Use its ${found} twin.`,
    { asked, found },
  );
}
