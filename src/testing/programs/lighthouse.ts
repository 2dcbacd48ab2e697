import { unwrapOption } from '@solana/kit';
import { getTokenDecoder } from '@solana-program/token';

import { findAssociatedTokenAddress } from '../../solana/derived-addresses.js';
import {
  type Comparison,
  type Demand,
  type DemandField,
  lighthouseInstructionName,
  readDemands,
} from '../../solana/lighthouse.js';
import { isTokenProgram, SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/token-account.js';
import { custom, Failure, notEmulated } from '../failure.js';
import type { Call, Context, Program } from '../runtime.js';

/** `AssertionFailed` of Lighthouse's published clients. */
const ASSERTION_FAILED = 6001;

/** The assertions that wallets use. All other Lighthouse instructions fail, so that nothing passes unchecked. */
export const lighthouseProgram: Program = {
  units: 1_000,
  run: async (context, call) => {
    const name = lighthouseInstructionName(call);
    if (name === undefined) throw new Failure('InvalidInstructionData');
    const demands = readDemands(call.data);
    if (demands === undefined) throw notEmulated(`this ${name} of Lighthouse`);
    for (const demand of demands) {
      const found = await valueFor(context, call, demand);
      if (isMet(found, demand.comparison, demand.value)) continue;
      const { field, comparison, value } = demand;
      throw custom(
        ASSERTION_FAILED,
        `Program log: Assertion failed: ${field} is ${found ?? 'none'}, and must be ${comparison} ${value ?? 'none'}`,
      );
    }
  },
};

function isMet(found: Demand['value'], comparison: Comparison, value: Demand['value']): boolean {
  if (comparison === '=') return found === value;
  if (comparison === '≠') return found !== value;
  if (typeof found !== 'bigint' || typeof value !== 'bigint') return false;
  switch (comparison) {
    case '>':
      return found > value;
    case '<':
      return found < value;
    case '≥':
      return found >= value;
    case '≤':
      return found <= value;
  }
}

const TOKEN_FIELDS: readonly DemandField[] = [
  'token-owner',
  'amount',
  'delegate',
  'delegated-amount',
  'is-associated',
];

async function valueFor(context: Context, { accounts }: Call, { field }: Demand): Promise<Demand['value']> {
  const [target] = accounts;
  if (target === undefined) throw notEmulated('an assertion without an account');
  const account = context.get(target.address);
  switch (field) {
    case 'lamports':
      return account?.lamports ?? 0n;
    case 'data-length':
      return BigInt(account?.data.length ?? 0);
    case 'program':
      return account?.owner ?? SYSTEM_PROGRAM_ADDRESS;
  }
  if (!TOKEN_FIELDS.includes(field)) throw notEmulated(`an assertion about ${field}`);
  if (account === undefined || !isTokenProgram(account.owner) || account.data.length < TOKEN_ACCOUNT_SIZE)
    throw new Failure('InvalidAccountData', [`Program log: ${target.address} is not a token account`]);
  const token = getTokenDecoder().decode(account.data);
  const { mint, owner } = token;
  switch (field) {
    case 'token-owner':
      return owner;
    case 'amount':
      return token.amount;
    case 'delegate':
      return unwrapOption(token.delegate);
    case 'delegated-amount':
      return token.delegatedAmount;
  }
  return target.address === (await findAssociatedTokenAddress({ owner, mint, tokenProgram: account.owner }));
}
