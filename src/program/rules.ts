import type { Address } from '@solana/kit';

import { describe, inputError, invalidInput } from '../input.js';
import { U64_MAX } from '../math/integers.js';

/** The instructions that may read the price feed through two accounts after their own list. */
export type PricedInstruction =
  | 'pro_buy'
  | 'pro_sell'
  | 'add_liquidity_pro_pool'
  | 'remove_liquidity_pro_pool'
  | 'create_standard_liquidity_pool'
  | 'create_pro_liquidity_pool'
  | 'claim_standard_creator_trading_fees'
  | 'claim_pro_creator_trading_fees'
  | 'claim_pro_liquidity_provider_trading_fees';

/**
 * The assumed rules of the program: one for each assumption in docs/protocol.md that a quote or a transaction depends on.
 * You can change each. `proveProgram` determines the right values on the program itself.
 */
export interface ProtocolRules {
  /** [Assumption A1](/protocol#assumptions): the creator's place among a pro pool's seeds, after or before the two mints. */
  readonly proPoolSeeds: 'creator-last' | 'creator-first';
  /** [Assumption A2](/protocol#assumptions): the first seed of an LP position, as text of at most 32 bytes. */
  readonly lpPositionSeed: string;
  /**
   * [Assumption A3](/protocol#assumptions): whether an instruction takes the price accounts. `buy` and `sell` always are
   * ([level M](/protocol)).
   */
  readonly priceAccounts: { readonly [instruction in PricedInstruction]: boolean };
  /** [Assumption A5](/protocol#assumptions): how many units of a pro pool's market cap bounds make one US dollar. */
  readonly proMarketCapUnitsPerUsd: 1n | 1_000_000n;
  /** [Assumption A6](/protocol#assumptions): whose protocol fee applies to a pool with its own fees. */
  readonly localProtocolFee: 'config' | 'pool';
  /**
   * [Assumption A7](/protocol#assumptions): a window of a sandwich-resistant pool has this many slots for each of its
   * `leader_slot_window`.
   */
  readonly slotsPerLeader: 1 | 4;
  /**
   * [Assumption A7](/protocol#assumptions): what a trade within a window receives. `worse-price`: the worse of the results
   * at the reserves now and at the start of the window. `reversal-at-start`: the part that reverses the window's move is
   * filled at the start price, the rest along the curve.
   */
  readonly windowFill: 'worse-price' | 'reversal-at-start';
  /**
   * [Assumption A8](/protocol#assumptions): the LP tokens of a pool's first deposit, `isqrt(a * b)` or a fixed number of
   * native units.
   */
  readonly firstLpSupply: 'square-root' | bigint;
  /** [Assumption A8](/protocol#assumptions): the number of LP tokens that `accumulated_fee_per_lp_token` is stated for. */
  readonly feePerLpTokenUnit: bigint;
  /** [Assumption A8](/protocol#assumptions): how the amounts of a deposit are rounded. */
  readonly depositRounding: 'up' | 'down';
}

/** The rules that this library assumes. This is the only place that states them. */
export const DEFAULT_RULES: ProtocolRules = {
  proPoolSeeds: 'creator-last',
  lpPositionSeed: 'user_lp_position',
  priceAccounts: {
    pro_buy: true,
    pro_sell: true,
    add_liquidity_pro_pool: true,
    remove_liquidity_pro_pool: true,
    create_standard_liquidity_pool: true,
    create_pro_liquidity_pool: true,
    claim_standard_creator_trading_fees: true,
    claim_pro_creator_trading_fees: true,
    claim_pro_liquidity_provider_trading_fees: true,
  },
  proMarketCapUnitsPerUsd: 1_000_000n,
  localProtocolFee: 'config',
  slotsPerLeader: 4,
  windowFill: 'worse-price',
  firstLpSupply: 'square-root',
  feePerLpTokenUnit: 1_000_000_000n,
  depositRounding: 'up',
};

/** A change of some rules. Those left out stay as they are. */
export type RulesPatch = {
  readonly [rule in Exclude<keyof ProtocolRules, 'priceAccounts'>]?: ProtocolRules[rule] | undefined;
} & { readonly priceAccounts?: Partial<ProtocolRules['priceAccounts']> | undefined };

/** The program's address and rules, for functions that take no client. A client's `deployment` fits. */
export interface InstructionConfig {
  /** The exchange program, if not mainnet's. */
  readonly programAddress?: Address;
  /** Its rules, where they differ from {@link DEFAULT_RULES}. */
  readonly rules?: RulesPatch | undefined;
}

/** The rules with a patch applied. */
export function patchRules(rules: ProtocolRules, patch: RulesPatch | undefined): ProtocolRules {
  const given = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return rules;
  const priceAccounts = { ...rules.priceAccounts, ...patch?.priceAccounts };
  return { ...rules, ...Object.fromEntries(given), priceAccounts };
}

/** The rules that differ from the default ones, as a patch; `undefined` if none does. */
export function changedRules(rules: ProtocolRules): RulesPatch | undefined {
  if (rules === DEFAULT_RULES) return undefined;
  const { priceAccounts, ...others } = rules;
  const changed = changedIn(others, DEFAULT_RULES);
  const changedAccounts = changedIn(priceAccounts, DEFAULT_RULES.priceAccounts);
  const patch: RulesPatch =
    Object.keys(changedAccounts).length === 0 ? changed : { ...changed, priceAccounts: changedAccounts };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The rules that differ, as they appear in an answer's details. */
export function namedRules(rules: ProtocolRules): { readonly rules?: RulesPatch } {
  const changed = changedRules(rules);
  return changed === undefined ? {} : { rules: changed };
}

const changedIn = <TRules extends object>(rules: TRules, from: TRules): Partial<TRules> =>
  Object.fromEntries(
    Object.entries(rules).filter(([name, value]) => value !== from[name as keyof TRules]),
  ) as Partial<TRules>;

/** The values that a rule can have: one of these, or any that the check accepts. */
const ALLOWED: {
  readonly [rule in Exclude<keyof ProtocolRules, 'priceAccounts'>]:
    | readonly ProtocolRules[rule][]
    | { readonly expected: string; readonly isAllowed: (value: unknown) => boolean };
} = {
  proPoolSeeds: ['creator-last', 'creator-first'],
  lpPositionSeed: {
    expected: 'text of 1 to 32 bytes',
    isAllowed: (value) => {
      const { length } = new TextEncoder().encode(typeof value === 'string' ? value : '');
      return length >= 1 && length <= 32;
    },
  },
  proMarketCapUnitsPerUsd: [1n, 1_000_000n],
  localProtocolFee: ['config', 'pool'],
  slotsPerLeader: [1, 4],
  windowFill: ['worse-price', 'reversal-at-start'],
  firstLpSupply: {
    expected: '"square-root", or a number of native units as a bigint from 1 to 2^64 - 1',
    isAllowed: (value) => value === 'square-root' || isBetween(value, U64_MAX),
  },
  feePerLpTokenUnit: {
    expected: 'a bigint from 1 to 2^64',
    isAllowed: (value) => isBetween(value, U64_MAX + 1n),
  },
  depositRounding: ['up', 'down'],
};

const isBetween = (value: unknown, most: bigint) => typeof value === 'bigint' && value >= 1n && value <= most;

/**
 * Rejects unknown rules, and values that a rule can't have.
 * @param field The name of the rules in an error.
 */
export function assertRules(rules: unknown, field: string): asserts rules is RulesPatch | undefined {
  if (rules === undefined) return;
  for (const [name, value] of entriesOf(rules, field)) {
    const path = `${field}.${name}`;
    if (name === 'priceAccounts') {
      if (value !== undefined) assertPriceAccounts(value, path);
      continue;
    }
    assertKnown(name, field, [...Object.keys(ALLOWED), 'priceAccounts']);
    if (value === undefined) continue;
    const allowed = ALLOWED[name as keyof typeof ALLOWED];
    if ('isAllowed' in allowed) {
      if (!allowed.isAllowed(value)) throw invalidInput(path, value, allowed.expected);
    } else if (!(allowed as readonly unknown[]).includes(value)) {
      const words = allowed.map((one) => (typeof one === 'bigint' ? `${one}n` : describe(one)));
      throw invalidInput(path, value, words.join(' or '));
    }
  }
}

function assertPriceAccounts(priceAccounts: unknown, field: string): void {
  for (const [name, value] of entriesOf(priceAccounts, field)) {
    assertKnown(name, field, Object.keys(DEFAULT_RULES.priceAccounts));
    if (value !== undefined && typeof value !== 'boolean')
      throw invalidInput(`${field}.${name}`, value, 'true or false');
  }
}

function entriesOf(rules: unknown, field: string): [string, unknown][] {
  if (typeof rules === 'object' && rules !== null && !Array.isArray(rules)) return Object.entries(rules);
  throw invalidInput(field, rules, 'an object of rules');
}

function assertKnown(name: string, field: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const path = `${field}.${name}`;
  throw inputError(path, `${path} is not a rule. There are ${known.join(', ')}.`);
}
