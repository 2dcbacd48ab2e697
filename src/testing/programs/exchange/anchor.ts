import type { Address } from '@solana/kit';

import { isHeavenError } from '../../../base/errors.js';
import { toHeavenProgramError } from '../../../program/error-codes.js';
import { custom, Failure, notEmulated } from '../../failure.js';
import type { ScriptedOutcome } from './behavior.js';

/** A failure of the exchange as Anchor logs it. */
export function anchor(code: number, account?: string, ...more: string[]): Failure {
  const { name, meaning } = toHeavenProgramError(code) ?? { name: 'Unknown', meaning: 'Unknown' };
  const what = account === undefined ? 'occurred' : `caused by account: ${account}`;
  return custom(
    code,
    `Program log: AnchorError ${what}. Error Code: ${name}. Error Number: ${code}. Error Message: ${meaning}`,
    ...more,
  );
}

/** Anchor's ConstraintSeeds. */
export function assertSeeds(account: string, given: Address, expected: Address): void {
  if (given === expected) return;
  const lines = ['Left:', given, 'Right:', expected].map((line) => `Program log: ${line}`);
  throw anchor(2006, account, ...lines);
}

/** Rethrows arithmetic errors as the program's errors. */
export function arithmetic<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (isHeavenError(error, 'zero-amount') || isHeavenError(error, 'output-is-zero')) throw anchor(6032);
    if (isHeavenError(error, 'fees-exceed-amount')) throw anchor(6023);
    if (isHeavenError(error, 'insufficient-liquidity')) throw anchor(6012);
    if (isHeavenError(error, 'invalid-account-data'))
      throw notEmulated(`this trade: ${error.context.reason}`);
    throw error;
  }
}

export function follow(outcome: ScriptedOutcome): void {
  if (outcome === 'success') return;
  throw 'custom' in outcome ? anchor(outcome.custom) : new Failure(outcome.runtime);
}
