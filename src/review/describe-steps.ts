import type { Address } from '@solana/kit';

import { formatAmount } from '../format/amount.js';
import { shortenAddress } from '../format/text.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import type { TransactionInspection } from './inspection.js';

/** What the reader knows by name. */
export interface DescribeStepsOptions {
  /**
   * Names for addresses: the user's wallet, the pool. Anybody can give a token the name of another, so name a mint for what it is to
   * the user, such as "this token". Other addresses are shortened, which is not enough to check where money goes.
   */
  readonly names?: Readonly<Record<Address, string>> | undefined;
  /** The decimals of tokens, by mint. Their amounts are written with all digits, others in native units. */
  readonly decimals?: Readonly<Record<Address, number>> | undefined;
}

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g;
const UNITS = /\b(\d+) units of ([1-9A-HJ-NP-Za-km-z]{32,44})\b/g;

/**
 * Describes each instruction of an inspected transaction in a sentence that a person can read: with names for known addresses, and
 * amounts of known tokens with their decimals. What matters, such as a payment to a stranger, is in the inspection's warnings.
 *
 * @throws {HeavenError} `invalid-input` for decimals that no token has
 * @example
 * ```ts
 * const inspection = await inspectTransaction(tx, { client, owner: payer });
 * const names = { [payer]: 'your wallet', [mint]: 'this token' };
 * for (const step of describeSteps(inspection, { names, decimals: { [mint]: 9 } })) console.log(step);
 * ```
 */
export function describeSteps(
  { instructions }: TransactionInspection,
  { names = {}, decimals = {} }: DescribeStepsOptions = {},
): readonly string[] {
  const known = new Map<string, string>([
    [WRAPPED_SOL_MINT_ADDRESS, 'wrapped SOL'],
    ...Object.entries(names),
  ]);
  const digits = new Map<string, number>(Object.entries(decimals));
  return instructions.map(({ description }) =>
    `${description}.`
      .replace(UNITS, (text, units: string, mint: string) => {
        const places = digits.get(mint);
        return places === undefined
          ? text
          : `${formatAmount(BigInt(units), places, { digits: 'all' })} of ${mint}`;
      })
      .replace(ADDRESS, (address) => known.get(address) ?? shortenAddress(address)),
  );
}
