import type { Address } from '@solana/kit';

/** The exchange program on mainnet. [Level M](/protocol). */
export const HEAVEN_PROGRAM_ADDRESS = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o' as Address;
/** The Chainlink store program, which owns the price feeds. [Level M](/protocol). */
export const CHAINLINK_STORE_PROGRAM_ADDRESS = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
/** The Chainlink SOL/USD feed. [Level M](/protocol). */
export const SOL_USD_FEED_ADDRESS = 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt' as Address;
/** A lookup table that launches on mainnet use. [Assumption A10](/protocol#assumptions): it serves config version 1, community tokens. */
export const COMMUNITY_LOOKUP_TABLE_ADDRESS = '3DENDMbqpVuarsEvk3MYJMpcZqsrQanK8Z8cVeDf53oR' as Address;

/** The versions of the protocol config that there are: 1 community, 2 creator, 3 pro. */
export const CONFIG_VERSIONS = [1, 2, 3] as const;
