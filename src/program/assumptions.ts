// What the library assumes about the program where nothing public says it: one constant for each assumption in docs/protocol.md. `heaven-pools
// verify` compares them with the deployed program. A6 is `toSwapState` (pool/swap-state.ts), A3 `PRICE_ACCOUNTS` and A11
// (instructions/declarations.ts), A9 and A10 the launch's own composition (standard/create-standard-liquidity-pool.ts), A14
// `signerDoubt` (transaction/assemble.ts), A15 the `transferFee` of `swapStateAt` (pool/swap-state.ts), A16
// `hasUnpassedHook` (pool/token-limits.ts).

/** A1: the order of a pro pool's seeds after its prefix. */
export const PRO_POOL_SEEDS = ['tokenAMint', 'tokenBMint', 'creator'] as const;

/** A2: the first seed of an LP position. */
export const LP_POSITION_SEED = 'user_lp_position';

/** A5: how many units of a pro pool's market cap bounds make one US dollar. */
export const PRO_MARKET_CAP_UNITS_PER_USD = 1_000_000n;

/** A7: the slots in a window of a sandwich-resistant pool, for each of its `leader_slot_window`. */
export const SLOTS_PER_LEADER = 4;
