// What Solana, its nodes and JavaScript allow.

import type { TransactionVersion } from '@solana/kit';

/** Bytes of a legacy or version 0 transaction on the wire, signatures included; and of any in base58 that a node takes. */
export const MAX_TRANSACTION_BYTES = 1_232;
/** Bytes of a version 1 transaction on the wire, signatures included (SIMD-0296). */
export const MAX_TRANSACTION_BYTES_V1 = 4_096;

/** The most bytes that a transaction of a version has on the wire. */
export const maxTransactionBytes = (version: TransactionVersion): number =>
  version === 1 ? MAX_TRANSACTION_BYTES_V1 : MAX_TRANSACTION_BYTES;

/** Accounts that a transaction names: version 1 can't be written with more, the others fail when they lock them. */
export const MAX_TRANSACTION_ACCOUNTS = 64;
/** Top-level instructions of a transaction (SIMD-0160). */
export const MAX_TRANSACTION_INSTRUCTIONS = 64;
/** Signers of a version 1 transaction. The size bounds the others to as many. */
export const MAX_TRANSACTION_SIGNERS = 12;
/** Compute units of a transaction. The cluster lowers a higher limit to this. */
export const MAX_COMPUTE_UNITS = 1_400_000;
/**
 * Compute units that a wallet may add for guards of its own. Nine assertions were measured at 6,000 units at most; a wallet
 * that adds five
 * times as much is still within.
 */
export const MAX_GUARD_COMPUTE_UNITS = 30_000;
/** Bytes of accounts that a transaction loads: the most, and the default of legacy and version 0. */
export const MAX_LOADED_ACCOUNTS_BYTES = 64 * 1_024 * 1_024;
/** The cluster counts loaded bytes by the page, so a limit rounded up to a whole page costs nothing more. */
export const LOADED_ACCOUNTS_PAGE_BYTES = 32 * 1_024;
/** Heap bytes of a program: the default and least, the most, and what a size must be a multiple of. */
export const MIN_HEAP_BYTES = 32 * 1_024;
export const MAX_HEAP_BYTES = 256 * 1_024;
export const HEAP_STEP_BYTES = 1_024;
/** Blocks after a block hash in which a transaction with it can still land. */
export const BLOCKHASH_LIFETIME_BLOCKS = 150n;
/** Accounts of one `getMultipleAccounts`. */
export const MAX_ACCOUNTS_PER_CALL = 100;
/** An update this far ahead of everything known, a minute of slots, means that updates are missing. */
export const MAX_SLOTS_AHEAD = 300n;
export const LAMPORTS_PER_SIGNATURE = 5_000n;
/** What mainnet charged in rent in November 2026, for the embedded ledger. Everything else reads it from the cluster. */
export const DEFAULT_LAMPORTS_PER_BYTE = 5_080n;
export const U32_MAX = 0xffff_ffff;
