import { HeavenError } from '../base/errors.js';

/** The error when a pool has a different config version. */
export const configVersionMismatch = (asked: number | string, found: number) =>
  new HeavenError(
    'pool-mismatch',
    `The config version is ${asked}, but the pool belongs to version ${found}. Use ${found}.`,
    { field: 'configVersion', asked, found },
  );

/** The error when a pool trades a different token. */
export const poolMintMismatch = (pool: string, asked: string, found: string) =>
  new HeavenError('pool-mismatch', `The pool ${pool} trades the token ${found}, not ${asked}.`, {
    field: 'mint',
    asked,
    found,
  });

/** The error when a pool's other token is not SOL. */
export const unsupportedPair = (pool: string, found: string) =>
  new HeavenError(
    'unsupported-mint',
    `The pool ${pool} pairs the token with ${found}, not with SOL. Trade in another pool.`,
    { mint: found, reason: 'the pool pairs the token with it, not with SOL', pool },
  );

type PoolKind = 'standard' | 'pro';

/** Throws if a pool is not of the kind that the function is for. */
export function assertPoolKind(asked: PoolKind, found: PoolKind): void {
  if (asked === found) return;
  throw new HeavenError(
    'pool-mismatch',
    `This is a ${found} pool, and the function is for ${asked} pools. Use its ${found} twin.`,
    { field: 'kind', asked, found },
  );
}
