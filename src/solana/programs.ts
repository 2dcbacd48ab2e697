import type { Address } from '@solana/kit';

// Programs and sysvars that are the same on every cluster.

/** The mint of wrapped SOL, token B of every pool. */
export const WRAPPED_SOL_MINT_ADDRESS = 'So11111111111111111111111111111111111111112' as Address;
/** The classic Token program, which owns wrapped SOL. */
export const TOKEN_PROGRAM_ADDRESS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
/** The Token-2022 program, which owns the mints of launched tokens. */
export const TOKEN_2022_PROGRAM_ADDRESS = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
/** The Associated Token Account program. */
export const ASSOCIATED_TOKEN_PROGRAM_ADDRESS = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;
/** The System program. */
export const SYSTEM_PROGRAM_ADDRESS = '11111111111111111111111111111111' as Address;
/** The Metaplex Token Metadata program. [Level M](/protocol). */
export const TOKEN_METADATA_PROGRAM_ADDRESS = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address;
export const COMPUTE_BUDGET_PROGRAM_ADDRESS = 'ComputeBudget111111111111111111111111111111' as Address;
export const LOOKUP_TABLE_PROGRAM_ADDRESS = 'AddressLookupTab1e1111111111111111111111111' as Address;
export const INSTRUCTIONS_SYSVAR_ADDRESS = 'Sysvar1nstructions1111111111111111111111111' as Address;
export const CLOCK_SYSVAR_ADDRESS = 'SysvarC1ock11111111111111111111111111111111' as Address;
/** The account in which a cluster says what rent it charges. */
export const RENT_SYSVAR_ADDRESS = 'SysvarRent111111111111111111111111111111111' as Address;
export const MEMO_PROGRAM_ADDRESS = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
/** The first memo program, which still runs. */
export const MEMO_1_PROGRAM_ADDRESS = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address;
/** The loader that owns programs which can be upgraded. */
export const UPGRADEABLE_LOADER_ADDRESS = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
export const SYSVAR_PROGRAM_ADDRESS = 'Sysvar1111111111111111111111111111111111111' as Address;

/** Burns the SOL that it is sent. Nobody has its key. */
export const INCINERATOR_ADDRESS = '1nc1nerator11111111111111111111111111111111' as Address;

export const isTokenProgram = (program: unknown): boolean =>
  program === TOKEN_PROGRAM_ADDRESS || program === TOKEN_2022_PROGRAM_ADDRESS;
