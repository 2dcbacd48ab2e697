import type { StructSchema } from '../solana/codec.js';
import { hexBytes } from '../solana/discriminator.js';
import {
  liquidityPoolAllowlistSchema,
  liquidityPoolFeatureFlagsSchema,
  liquidityPoolInfoSchema,
  liquidityPoolLpTokenInfoSchema,
  liquidityPoolMarketCapBasedFeesSchema,
  liquidityPoolReserveSchema,
  liquidityPoolSlotOffsetBasedFeesSchema,
  liquidityPoolTokenInfoSchema,
} from './types.js';

// The accounts as they stand on chain. Plain data: heaven-pools/core reads these without kit.

export interface AccountDeclaration extends StructSchema {
  readonly name: string;
  /** The account's first eight bytes in hex. */
  readonly discriminator: string;
  readonly size: number;
}

/** What identifies the account's data. */
export const shapeOf = ({ name, size, discriminator }: AccountDeclaration) => ({
  name,
  size,
  discriminator: hexBytes(discriminator),
});

// In bytes. Separate, so that computing a rent doesn't bundle the whole layout.
export const POOL_SIZE = 2304;
export const USER_LP_POSITION_SIZE = 97;

/** A pool, standard or pro. [Level M](/protocol). */
export const liquidityPoolStateDeclaration = {
  name: 'LiquidityPoolState',
  discriminator: 'be9edc820fa284fc',
  size: POOL_SIZE,
  fields: {
    info: liquidityPoolInfoSchema,
    marketCapBasedFees: liquidityPoolMarketCapBasedFeesSchema,
    reserve: liquidityPoolReserveSchema,
    lpToken: liquidityPoolLpTokenInfoSchema,
    protocolTradingFees: 'u64',
    creatorTradingFees: 'u64',
    creatorTradingFeesClaimedByCreator: 'u64',
    creatorTradingFeesClaimedByOthers: 'u64',
    liquidityProviderTradingFees: 'u64',
    creatorTradingFeeProtocolFees: 'u64',
    reflectionTradingFees: 'u64',
    createdAtSlot: 'u64',
    tradingVolumeUsd: 'f64',
    creatorTradingFeeTradingVolumeThreshold: 'f64',
    creatorTradingFeeTradingVolumeThresholdReachedUnixTimestamp: 'u64',
    tokenAVault: 'pubkey',
    tokenBVault: 'pubkey',
    protocolConfig: 'pubkey',
    key: 'pubkey',
    tokenA: liquidityPoolTokenInfoSchema,
    tokenB: liquidityPoolTokenInfoSchema,
    allowlist: liquidityPoolAllowlistSchema,
    featureFlags: liquidityPoolFeatureFlagsSchema,
    taxableSide: 'u8',
    taxableSideType: 'u8',
    creatorTradingFeeDistribution: 'u8',
    creatorTradingFeeClaimStatus: 'u8',
    feeConfigurationMode: 'u8',
    isMigrated: 'u8',
    _pad: { padding: 13 },
    slotOffsetBasedFees: liquidityPoolSlotOffsetBasedFeesSchema,
    creatorTradingFeeReceiver: 'pubkey',
  },
} as const satisfies AccountDeclaration;

/** The settings that all pools of a config version share: 1792 bytes. [Level M](/protocol). */
export const protocolConfigDeclaration = {
  name: 'ProtocolConfig',
  discriminator: 'cf5bfa1c98b3d7d1',
  size: 1792,
  fields: {
    createPoolFee: 'u64',
    initialTokenBAmount: 'f64',
    initialTokenAAmount: 'u64',
    unstakedWsolReserve: 'u64',
    totalSolSpent: 'u64',
    totalMsolReceived: 'u64',
    totalRealizedProfit: 'u64',
    poolCount: 'u64',
    maxSupplyPerWallet: 'u64',
    creatorTradingFeeTradingVolumeThreshold: 'f64',
    marketCapBasedFees: liquidityPoolMarketCapBasedFeesSchema,
    bufferBps: 'u16',
    autoStakingThresholdBps: 'u16',
    version: 'u16',
    protocolConfigStateBump: 'u8',
    allowCreatePool: 'u8',
    supportedPoolType: 'u8',
    defaultLeaderSlotWindow: 'u8',
    autoStakingEnabled: 'u8',
    leaderSlotWindow: 'u8',
    sandwichResistenceEnabled: 'u8',
    tokenADecimals: 'u8',
    migrationMarketCapThreshold: 'u16',
    _pad: { padding: 8 },
    maxCreatorTradingFee: 'u32',
    slotOffsetBasedFees: liquidityPoolSlotOffsetBasedFeesSchema,
  },
} as const satisfies AccountDeclaration;

/** A user's liquidity in a pro pool: 97 bytes or more. [Level I](/protocol). */
export const userLpPositionDeclaration = {
  name: 'UserLpPosition',
  discriminator: '73cce5cc36b41dc3',
  size: USER_LP_POSITION_SIZE,
  fields: {
    pool: 'pubkey',
    user: 'pubkey',
    lpTokenBalance: 'u64',
    rewardDebt: 'u64',
    pendingFees: 'u64',
    bump: 'u8',
  },
} as const satisfies AccountDeclaration;
