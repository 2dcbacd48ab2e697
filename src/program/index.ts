/**
 * The program itself: instructions as builders and parsers, accounts, events, errors, derived addresses, an Anchor IDL.
 *
 * @module heaven-pools/program
 */

export type {
  BuiltInstruction,
  InstructionInput,
  ParsedInstruction,
} from '../solana/define-instruction.js';
export { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
export {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
export { computeRentExemption, decodeLamportsPerByte } from '../solana/rent.js';
export {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  type LiquidityPoolState,
  type ProtocolConfig,
  type UserLpPosition,
} from './accounts.js';
export {
  findLpPositionAddress,
  findPoolAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
} from './addresses.js';
export {
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from './constants.js';
export type { AnyInstruction } from './declare.js';
export type { InstructionConfig } from './deployment.js';
export {
  type CreateLiquidityPoolEvent,
  type CreateStandardLiquidityPoolEvent,
  type CreatingLiquidityPoolEvent,
  decodeEvent,
  type HeavenEvent,
  type HighReflectionFeeEvent,
  type MigrationEvent,
  type TradeEvent,
  type UserDefinedEvent,
} from './events.js';
export * from './instructions/index.js';
export {
  type AddLiquidityParams,
  type BuyParams,
  type CreateProLiquidityPoolParams,
  type CreateStandardLiquidityPoolParams,
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  type FeeBracket,
  type FeeBrackets,
  type FeeBracketsParams,
  FeeConfigurationMode,
  FeeType,
  type LiquidityPoolAllowlist,
  type LiquidityPoolFeatureFlags,
  type LiquidityPoolInfo,
  type LiquidityPoolLpTokenInfo,
  type LiquidityPoolLpTokenSupply,
  type LiquidityPoolMarketCapBasedFees,
  type LiquidityPoolReserve,
  type LiquidityPoolSlotOffsetBasedFees,
  type LiquidityPoolTokenInfo,
  LiquidityPoolType,
  type RemoveLiquidityParams,
  type SellParams,
  type SlotFeeBracket,
  type SlotFeeBrackets,
  type SlotFeeBracketsParams,
} from './types.js';
