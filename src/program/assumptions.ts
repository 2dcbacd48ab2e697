import { type HeavenWarning, warnIf } from '../base/warnings.js';

// What the library assumes about the program where nothing public says it. `heaven-pools verify` compares it with the deployed program.

/**
 * Where the code makes each assumption of docs/protocol.md: a file of src, and the name of a constant or function in it. A4 is settled.
 * `tests/verify/verify.test.ts` compares the two.
 */
export const ASSUMPTIONS = {
  A1: 'program/assumptions PRO_POOL_SEEDS',
  A2: 'program/assumptions LP_POSITION_SEED',
  A3: 'program/instructions/declarations PRICE_ACCOUNTS',
  A5: 'program/assumptions PRO_MARKET_CAP_UNITS_PER_USD',
  A6: 'pool/swap-state toSwapState',
  A7: 'program/assumptions SLOTS_PER_LEADER',
  A8: 'math/liquidity computeInitialLpTokens',
  A9: 'operations/standard/create-standard-liquidity-pool buildCreateStandardLiquidityPool',
  A10: 'program/constants COMMUNITY_LOOKUP_TABLE_ADDRESS',
  A11: 'program/instructions/declarations RECEIVER_ACCOUNTS',
  A12: 'operations/pro/brackets NO_FEE',
  A13: 'pool/quote doubtsOf',
  A14: 'transaction/assemble signerDoubt',
  A15: 'pool/swap-state swapStateAt',
  A16: 'pool/token-limits hasUnpassedHook',
} as const;

/** The number of an assumption. */
export type Assumption = keyof typeof ASSUMPTIONS;

/** A1: the order of a pro pool's seeds after its prefix. */
export const PRO_POOL_SEEDS = ['tokenAMint', 'tokenBMint', 'creator'] as const;

/** A2: the first seed of an LP position. */
export const LP_POSITION_SEED = 'user_lp_position';

/** A5: how many units of a pro pool's market cap bounds make one US dollar. */
export const PRO_MARKET_CAP_UNITS_PER_USD = 1_000_000n;

/** A7: the slots in a window of a sandwich-resistant pool, for each of its `leader_slot_window`. */
export const SLOTS_PER_LEADER = 4;

/** Says which assumptions a transaction rests on that are about even until `heaven-pools verify` has confirmed them. */
export function unverified(
  { confirmed = [] }: { readonly confirmed?: readonly string[] | undefined },
  ...assumptions: readonly Extract<Assumption, 'A1' | 'A2' | 'A8'>[]
): readonly HeavenWarning[] {
  const open = assumptions.filter((assumption) => !confirmed.includes(assumption));
  return warnIf(
    open.length > 0,
    'unverified-assumption',
    `Nobody has confirmed what this transaction assumes about the program (${open.join(', ')} in the docs' protocol page). Simulate it before you sign it, or run \`heaven-pools verify\`.`,
  );
}
