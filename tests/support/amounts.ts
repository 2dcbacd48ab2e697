export const SOL = 1_000_000_000n;
export const U64_MAX = 2n ** 64n - 1n;
/** The bound of a bracket that covers every market cap: the highest signed 64-bit number. */
export const CATCH_ALL = 9_223_372_036_854_775_807n;

/** Amounts that no JavaScript number holds. */
export const LARGE = 1_000_000_000_000_000_001n;
export const ODD = 9_007_199_254_740_993n;
