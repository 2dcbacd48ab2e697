import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  FeeConfigurationMode,
  FeeType,
  feeBracketsSchema,
  LiquidityPoolType,
  liquidityPoolMarketCapBasedFeesSchema,
  slotFeeBracketsSchema,
} from '../src/program/types.js';
import type { Schema } from '../src/solana/codec.js';

// Types of the published interface that only an administrator's instructions take. The library has none of those: only the
// IDL lists the types, and only here does a type contain an enum.

/** One byte whose values have names. */
export interface IdlEnum {
  readonly name: string;
  readonly values: { readonly [variant: string]: number };
}

export interface IdlFields {
  readonly [field: string]: Schema | IdlEnum;
}

export interface IdlStruct {
  readonly name: string;
  readonly fields: IdlFields;
}

/** One byte that says which of the variants follows. */
export interface IdlUnion {
  readonly name: string;
  readonly variants: { readonly [variant: string]: IdlFields };
}

/** What an administrator sets in a protocol config. */
export const protocolConfigParams = {
  name: 'ProtocolConfigParams',
  fields: {
    createPoolFee: 'u64',
    allowCreatePool: 'bool',
    supportedPoolType: { name: 'LiquidityPoolType', values: LiquidityPoolType },
    marketCapBasedFees: liquidityPoolMarketCapBasedFeesSchema,
    initialTokenBAmount: 'f64',
    initialTokenAAmount: 'u64',
    defaultLeaderSlotWindow: 'u8',
    autoStakingEnabled: 'bool',
    sandwichResistenceEnabled: 'bool',
    bufferBps: 'u16',
    autoStakingThresholdBps: 'u16',
    tokenADecimals: 'u8',
    maxCreatorTradingFee: 'u32',
    maxSupplyPerWallet: 'u64',
    creatorTradingFeeTradingVolumeThreshold: 'f64',
    migrationMarketCapThreshold: 'u16',
  },
} satisfies IdlStruct;

/** What an administrator changes in a pool. */
export const adminUpdateLiquidityPoolState = {
  name: 'AdminUpdateLiquidityPoolState',
  variants: {
    creatorTradingFeeClaimStatus: {
      status: { name: 'CreatorTradingFeeClaimStatus', values: CreatorTradingFeeClaimStatus },
    },
    creatorTradingFeeDistribution: {
      distribution: { name: 'CreatorTradingFeeDistribution', values: CreatorTradingFeeDistribution },
    },
    creatorTradingFeeReceiver: { receiver: 'pubkey' },
    feeConfigurationMode: { mode: { name: 'FeeConfigurationMode', values: FeeConfigurationMode } },
    slotOffsetBasedFees: { feeType: { name: 'FeeType', values: FeeType }, fees: slotFeeBracketsSchema },
    marketCapBasedFees: { feeType: { name: 'FeeType', values: FeeType }, fees: feeBracketsSchema },
    toggleSwapPermission: { enabled: 'bool' },
    setCreatorTradingFeeTradingVolumeThreshold: { threshold: 'f64' },
  },
} satisfies IdlUnion;
