/** The instructions that may read the price feed through two accounts behind their own list. */
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
 * What is assumed of the program and can be set otherwise: one entry for each assumption in docs/protocol.md that a quote or a
 * transaction depends on. `proveProgram` finds out on the program itself which values are right.
 */
export interface ProtocolRules {
  /** Assumption A1: where a pro pool's creator stands among its seeds, behind or before the two mints. */
  readonly proPoolSeeds: 'creator-last' | 'creator-first';
  /** Assumption A2: the first seed of an LP position, as text of at most 32 bytes. */
  readonly lpPositionSeed: string;
  /** Assumption A3: whether an instruction is given the price accounts. `buy` and `sell` always are (level M). */
  readonly priceAccounts: { readonly [instruction in PricedInstruction]: boolean };
  /** Assumption A5: how many units of a pro pool's market cap bounds make a USD. */
  readonly proMarketCapUnitsPerUsd: 1n | 1_000_000n;
  /** Assumption A6: whose protocol fee a pool with fees of its own takes. */
  readonly localProtocolFee: 'config' | 'pool';
  /** Assumption A7: a window of a sandwich-resistant pool has this many slots for each of its `leader_slot_window`. */
  readonly slotsPerLeader: 1 | 4;
  /**
   * Assumption A7: what a trade within a window gets. `worse-price`: the worse of what the reserves give now and gave when the
   * window began. `reversal-at-start`: what reverses the window's move is filled at the price at its beginning, the rest along
   * the curve.
   */
  readonly windowFill: 'worse-price' | 'reversal-at-start';
  /** Assumption A8: the LP tokens of a pool's first deposit, `isqrt(a * b)` or a fixed number of native units. */
  readonly firstLpSupply: 'square-root' | bigint;
  /** Assumption A8: of what number of LP tokens `accumulated_fee_per_lp_token` states the fees. */
  readonly feePerLpTokenUnit: bigint;
  /** Assumption A8: how what a deposit takes of each side is rounded. */
  readonly depositRounding: 'up' | 'down';
}

/** The rules that this library assumes. Change an assumption here, and nowhere else. */
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

/** Rules that differ from others: those that are left out stay as they are. */
export type RulesPatch = {
  readonly [rule in Exclude<keyof ProtocolRules, 'priceAccounts'>]?: ProtocolRules[rule] | undefined;
} & { readonly priceAccounts?: Partial<ProtocolRules['priceAccounts']> | undefined };

/** The rules with those of a patch in their place. */
export function patchRules(rules: ProtocolRules, patch: RulesPatch): ProtocolRules {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const priceAccounts = { ...rules.priceAccounts, ...patch.priceAccounts };
  return { ...rules, ...Object.fromEntries(given), priceAccounts };
}
