import type { Instruction } from '@solana/kit';
import { U64_MAX } from '../base/integers.js';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import { inSol } from '../math/units.js';
import { type BudgetedTransaction, budgetOf, HIGH_PRIORITY_FEE } from '../solana/compute-budget.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  isTokenProgram,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import type { LandingOptions } from './tip.js';

/**
 * What the exchange's instruction takes at least: a line in the log. No run of the program is recorded, so its real need, which
 * is far higher, does not count.
 */
const EXCHANGE_UNITS = 100;

/** What an instruction takes at least. Measured with the real programs in LiteSVM, except where it says otherwise. */
function leastUnitsOf({ programAddress }: Pick<Instruction, 'programAddress'>): number {
  if (isTokenProgram(programAddress)) return 80;
  switch (programAddress) {
    case SYSTEM_PROGRAM_ADDRESS:
    case COMPUTE_BUDGET_PROGRAM_ADDRESS:
      return 150;
    // For an account that exists, at the first address that is tried. A new account takes 13,000 and more.
    case ASSOCIATED_TOKEN_PROGRAM_ADDRESS:
      return 4_300;
    // With the new token account that follows it in a launch: a recorded run of a launch's steps before the pool took 77,000.
    case TOKEN_METADATA_PROGRAM_ADDRESS:
      return 70_000;
  }
  return 0;
}

/** 1 SOL. */
const HIGH_TIP = 1_000_000_000n;

/** Fee and tip may take one part in so many of the SOL that a transaction moves: 5 %. */
const LANDING_PARTS = 20n;

/**
 * Warns of a budget or a tip that costs a lot, or of a budget that can't be enough, or is more than the cluster takes.
 * @param lamports The SOL that the transaction moves. Default: so much that landing it costs little.
 */
export function budgetWarnings(
  transaction: BudgetedTransaction,
  { tip }: LandingOptions,
  lamports = U64_MAX,
): readonly HeavenWarning[] {
  const { unitLimit, priority, warnings } = budgetOf(transaction);
  const least = transaction.instructions.reduce((units, one) => units + leastUnitsOf(one), EXCHANGE_UNITS);
  const tipped = tip?.lamports ?? 0n;
  const landing = priority + tipped;
  const [isHigh, isTipHigh] = [priority >= HIGH_PRIORITY_FEE, tipped >= HIGH_TIP];
  const high = (
    applies: boolean,
    what: string,
    lower: string,
    code: HeavenWarning['code'] = 'high-priority-fee',
  ) => warnIf(applies, code, `${what}. Lower ${lower}, unless you mean to pay that much.`);
  return [
    ...warnings,
    ...high(isHigh, `The priority fee is ${inSol(priority)}`, 'computeUnitPrice or computeUnitLimit'),
    ...high(isTipHigh, `The tip is ${inSol(tipped)}`, 'tip.lamports', 'high-tip'),
    ...high(
      !isHigh && !isTipHigh && landing * LANDING_PARTS > lamports,
      `The priority fee, with any tip, is ${inSol(landing)}: over 5 % of the ${inSol(lamports)} that the transaction moves`,
      'computeUnitPrice or the tip',
    ),
    ...warnIf(
      unitLimit < least,
      'compute-limit-too-low',
      `computeUnitLimit is ${unitLimit}, but the transaction takes at least ${least} compute units, without the exchange's own work: it would fail, and cost its fees. Leave it out, or set what a simulation takes.`,
    ),
  ];
}
