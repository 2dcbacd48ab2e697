// Byte offsets of what a quote reads, which needs no decoder and no kit. A test compares them with the declared
// layouts in program/, which are checked against mainnet accounts (level M).

import { MAX_FEE_BRACKETS, MAX_SLOT_FEE_BRACKETS } from '../program/types.js';

export const POOL = {
  name: 'LiquidityPoolState',
  discriminator: [0xbe, 0x9e, 0xdc, 0x82, 0x0f, 0xa2, 0x84, 0xfc],
  size: 2304,
  openAt: 72,
  protocolConfigVersion: 88,
  type: 90,
  marketCapBasedFees: 96,
  reserveA: 456,
  reserveB: 464,
  snapshotSlot: 472,
  snapshotA: 480,
  snapshotB: 488,
  initialB: 512,
  leaderSlotWindow: 520,
  createdAtSlot: 632,
  tokenAVault: 664,
  tokenBVault: 696,
  protocolConfig: 728,
  tokenAMint: 792,
  tokenBMint: 857,
  allowSwap: 922,
  allowSameSlotTrading: 925,
  sandwichResistantMode: 929,
  feeConfigurationMode: 941,
  slotOffsetBasedFees: 956,
} as const;

export const CONFIG = {
  name: 'ProtocolConfig',
  discriminator: [0xcf, 0x5b, 0xfa, 0x1c, 0x98, 0xb3, 0xd7, 0xd1],
  size: 1792,
  marketCapBasedFees: 88,
  version: 452,
  slotOffsetBasedFees: 476,
} as const;

/** The fee types in the program's order, which is also the order of their groups in the accounts. */
export const FEE_TYPES = [
  'protocol',
  'liquidityProvider',
  'creator',
  'creatorProtocol',
  'reflection',
] as const;

/** The layout of one fee type's group of market cap brackets. */
export const FEE_BRACKETS = {
  size: 72,
  bracket: 16,
  most: MAX_FEE_BRACKETS,
  upperBound: 0,
  buy: 8,
  sell: 12,
  count: 64,
} as const;

/** The layout of one fee type's slot schedule. */
export const SLOT_BRACKETS = {
  size: 262,
  bracket: 6,
  most: MAX_SLOT_FEE_BRACKETS,
  buy: 0,
  sell: 2,
  upperBound: 4,
  maxOffset: 252,
  count: 256,
  enabled: 257,
} as const;

export const FEED = {
  name: 'Chainlink feed',
  discriminator: [0x60, 0xb3, 0x45, 0x42, 0x80, 0x81, 0x49, 0x75],
  size: 200,
  decimals: 138,
  liveLength: 148,
  liveCursor: 152,
  ring: 200,
  transmission: 48,
  timestamp: 8,
  answer: 16,
} as const;

export const CLOCK = { name: 'Clock', size: 40, slot: 0, epoch: 16, unixTimestamp: 32 } as const;

export const MINT = {
  name: 'Mint',
  size: 82,
  supply: 36,
  decimals: 44,
  isInitialized: 45,
  accountType: 165,
  extensions: 166,
} as const;

export const TRANSFER_FEE_EXTENSION = {
  type: 1,
  size: 108,
  older: 72,
  newer: 90,
  epoch: 0,
  maximum: 8,
  basisPoints: 16,
} as const;
