// What Solana, its nodes and JavaScript allow.

/** Bytes of a transaction on the wire, signatures included. */
export const MAX_TRANSACTION_BYTES = 1_232;
/** Compute units of a transaction. */
export const MAX_COMPUTE_UNITS = 1_400_000;
/** Accounts of one `getMultipleAccounts`. */
export const MAX_ACCOUNTS_PER_CALL = 100;
export const LAMPORTS_PER_SIGNATURE = 5_000n;
export const U32_MAX = 0xffff_ffff;
