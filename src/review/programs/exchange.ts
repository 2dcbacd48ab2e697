import type { Address } from '@solana/kit';

import { POOL_SIZE, USER_LP_POSITION_SIZE } from '../../program/account-layouts.js';
import type { InstructionConfig } from '../../program/deployment.js';
import { parseHeavenInstruction } from '../../program/instructions.js';
import {
  type Deed,
  deedsOf,
  meaningInWords,
  type PlainInstruction as Plain,
  type Rented,
} from '../../program/meaning.js';
import { type AmountAtMost, type Credit, creation, debit, type InstructionEffect } from '../effects.js';
import { addressesOf, type PlainInstruction, type Step } from '../step.js';
import { TOKEN_2022_ACCOUNT_SIZE } from './associated-token.js';

export function exchangeStep(instruction: PlainInstruction, config: InstructionConfig): Step {
  const parsed = parseHeavenInstruction(instruction, config);
  const { name, data } = parsed;
  const accounts = addressesOf(parsed.accounts) as Readonly<Record<string, Address>>;
  const { params, ...others } = { params: {}, ...data };
  const args = { ...others, ...params };
  // The parser has just read it so, which the types lose when accounts and arguments are looked at apart.
  const plain = { name, accounts, args } as unknown as Plain;
  return {
    program: 'exchange',
    name,
    accounts,
    data: args,
    inWords: `Exchange: ${name}: ${meaningInWords(plain)}`,
    effects: deedsOf(name).flatMap((deed) => effectsOf(deed, accounts, args)),
  };
}

function effectsOf(
  deed: Deed,
  accounts: Readonly<Record<string, Address>>,
  args: Readonly<Record<string, unknown>>,
): readonly InstructionEffect[] {
  const at = (name: string) => given(accounts[name], name);
  const units = (name: string): bigint => {
    const value = args[name];
    if (typeof value !== 'bigint') throw new TypeError(`The argument ${name} is not an amount.`);
    return value;
  };
  if ('creates' in deed) {
    const { creates: what, isIdempotent = false } = deed;
    return [creation(at(deed.at), what, at(deed.owner), isIdempotent)];
  }
  if ('gives' in deed)
    return [{ kind: 'authority', account: at(deed.of), authority: deed.gives, newAuthority: at(deed.to) }];
  if ('sets' in deed) {
    const disablesWithdrawals = deed.withdrawals !== undefined && args[deed.withdrawals] !== true;
    return deed.isNew && !disablesWithdrawals
      ? []
      : [{ kind: 'setting', account: at(deed.sets), disablesWithdrawals }];
  }
  const { of } = deed;
  const asset = of === 'SOL' || of === 'LP' ? of : 'token';
  const mint = of === 'SOL' || of === 'LP' ? {} : { mint: at(of) };
  const authority = at(deed.by ?? 'user');
  if ('takes' in deed) {
    const { takes, from, reason } = deed;
    if (typeof takes !== 'string') {
      const accountSizes = takes.map((account) => SIZES[account]);
      return [debit(asset, at(from), 'unknown', authority, reason, { ...mint, accountSizes })];
    }
    const amount = takes === 'all' || takes === 'unknown' ? takes : units(takes);
    return [debit(asset, at(from), amount, authority, reason, mint)];
  }
  const credit = (amount: AmountAtMost, minimum: bigint): InstructionEffect & Credit => ({
    kind: 'credit',
    account: at(deed.to),
    asset,
    ...mint,
    amount,
    minimum,
    authority,
  });
  if ('paysAtLeast' in deed) return [credit('unknown', units(deed.paysAtLeast))];
  if (deed.pays === 'unknown') return [credit('unknown', 0n)];
  const amount = units(deed.pays);
  return [credit(deed.isAllIfZero && amount === 0n ? 'unknown' : amount, amount)];
}

function given(account: Address | undefined, name: string): Address {
  if (account === undefined) throw new TypeError(`The account ${name} is missing.`);
  return account;
}

const SIZES: Readonly<Record<Rented, number>> = {
  pool: POOL_SIZE,
  'lp-position': USER_LP_POSITION_SIZE,
  'token-account': TOKEN_2022_ACCOUNT_SIZE,
};
