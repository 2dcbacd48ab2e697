import type { Address } from '@solana/kit';

/** The exchange program on mainnet. Level M. */
export const HEAVEN_PROGRAM_ADDRESS = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o' as Address;
/** The Chainlink store program, which owns the price feeds. Level M. */
export const CHAINLINK_STORE_PROGRAM_ADDRESS = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
/** The Chainlink SOL/USD feed. Level M. */
export const SOL_USD_FEED_ADDRESS = 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt' as Address;
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
/** The Metaplex Token Metadata program. Level M. */
export const TOKEN_METADATA_PROGRAM_ADDRESS = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address;
export const INSTRUCTIONS_SYSVAR_ADDRESS = 'Sysvar1nstructions1111111111111111111111111' as Address;
export const CLOCK_SYSVAR_ADDRESS = 'SysvarC1ock11111111111111111111111111111111' as Address;
export const SYSVAR_PROGRAM_ADDRESS = 'Sysvar1111111111111111111111111111111111111' as Address;
/**
 * A lookup table that launches on mainnet use. Assumption A10: that it serves config version 1, community tokens. The
 * builders take the table from their caller.
 */
export const COMMUNITY_LOOKUP_TABLE_ADDRESS = '3DENDMbqpVuarsEvk3MYJMpcZqsrQanK8Z8cVeDf53oR' as Address;
export const LOOKUP_TABLE_PROGRAM_ADDRESS = 'AddressLookupTab1e1111111111111111111111111' as Address;
