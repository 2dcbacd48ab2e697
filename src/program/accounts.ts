import type { Address } from '@solana/kit';

import { assertShape } from '../solana/account-data.js';
import { assertMatches, readValue, type StructSchema, type TypeOf, writeValue } from '../solana/codec.js';
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

interface AccountDeclaration extends StructSchema {
  readonly name: string;
  /** The account's first eight bytes in hex. */
  readonly discriminator: string;
  readonly size: number;
}

function decode<TDeclaration extends AccountDeclaration>(
  declaration: TDeclaration,
  data: Uint8Array,
  address: Address | undefined,
): TypeOf<TDeclaration> {
  const { name, size, discriminator } = declaration;
  assertShape({ name, size, discriminator: hexBytes(discriminator) }, data, address);
  return readValue(declaration, data, 8)[0] as TypeOf<TDeclaration>;
}

function encode<TDeclaration extends AccountDeclaration>(
  declaration: TDeclaration,
  value: TypeOf<TDeclaration>,
): Uint8Array {
  assertMatches(declaration, value, '');
  return writeValue(declaration, value, hexBytes(declaration.discriminator));
}

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

/** A pool as it stands on chain. Amounts are native (token units and lamports); one-byte fields keep their number. */
export interface LiquidityPoolState extends TypeOf<typeof liquidityPoolStateDeclaration> {}

/**
 * Decodes a pool. Bytes after the known layout are ignored.
 * @throws {HeavenError} `invalid-account-data`
 * @example
 * ```ts
 * const { reserve } = decodeLiquidityPoolState(poolData);
 * console.log(reserve.tokenA, reserve.tokenB);
 * ```
 */
export const decodeLiquidityPoolState = (data: Uint8Array, address?: Address): LiquidityPoolState =>
  decode(liquidityPoolStateDeclaration, data, address);

/**
 * Encodes a pool, discriminator included, padding zero: for fixtures and simulations.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const state = decodeLiquidityPoolState(poolData);
 * const closed = encodeLiquidityPoolState({ ...state, allowlist: { ...state.allowlist, swap: 0 } });
 * console.log(closed.length === poolData.length); // true
 * ```
 */
export const encodeLiquidityPoolState = (state: LiquidityPoolState): Uint8Array =>
  encode(liquidityPoolStateDeclaration, state);

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

/** The settings of a config version, as they stand on chain. `initialTokenBAmount` is in SOL, the rest native. */
export interface ProtocolConfig extends TypeOf<typeof protocolConfigDeclaration> {}

/**
 * Decodes a protocol config. Bytes after the known layout are ignored.
 * @throws {HeavenError} `invalid-account-data`
 * @example
 * ```ts
 * const { maxCreatorTradingFee } = decodeProtocolConfig(configData);
 * console.log(maxCreatorTradingFee);
 * ```
 */
export const decodeProtocolConfig = (data: Uint8Array, address?: Address): ProtocolConfig =>
  decode(protocolConfigDeclaration, data, address);

/**
 * Encodes a protocol config, discriminator included, padding zero: for fixtures and simulations.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const config = decodeProtocolConfig(configData);
 * const closed = encodeProtocolConfig({ ...config, allowCreatePool: 0 });
 * console.log(closed.length === configData.length); // true
 * ```
 */
export const encodeProtocolConfig = (config: ProtocolConfig): Uint8Array =>
  encode(protocolConfigDeclaration, config);

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

/** A user's liquidity in a pro pool, as it stands on chain. */
export interface UserLpPosition extends TypeOf<typeof userLpPositionDeclaration> {}

/**
 * Decodes an LP position. Bytes after the known layout are ignored.
 * @throws {HeavenError} `invalid-account-data`
 * @example
 * ```ts
 * const { lpTokenBalance } = decodeUserLpPosition(positionData);
 * console.log(lpTokenBalance);
 * ```
 */
export const decodeUserLpPosition = (data: Uint8Array, address?: Address): UserLpPosition =>
  decode(userLpPositionDeclaration, data, address);

/**
 * Encodes an LP position, discriminator included: for fixtures and simulations.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const position = decodeUserLpPosition(positionData);
 * const emptied = encodeUserLpPosition({ ...position, lpTokenBalance: 0n });
 * console.log(emptied.length === positionData.length); // true
 * ```
 */
export const encodeUserLpPosition = (position: UserLpPosition): Uint8Array =>
  encode(userLpPositionDeclaration, position);
