import type { StructSchema, TypeOf } from '../solana/codec.js';

// Names, order and widths are the published interface's (level I, the layouts of the two accounts level M).

/** What kind of pool: `info.type` of a pool. */
export const LiquidityPoolType = { None: 0, Pro: 1, Standard: 2 } as const;
export type LiquidityPoolType = (typeof LiquidityPoolType)[keyof typeof LiquidityPoolType];

/** The five kinds of fee; fee groups stand in this order. */
export const FeeType = {
  ProtocolFee: 0,
  LiquidityProviderFee: 1,
  CreatorFee: 2,
  CreatorFeeProtocolFee: 3,
  ReflectionFee: 4,
} as const;
export type FeeType = (typeof FeeType)[keyof typeof FeeType];

/** Whose fee schedules apply. `Global`: the protocol config's. `Local`: the pool's own. */
export const FeeConfigurationMode = { Global: 0, Local: 1 } as const;
export type FeeConfigurationMode = (typeof FeeConfigurationMode)[keyof typeof FeeConfigurationMode];

/** The state of a pool's creator fee claim. With a volume threshold, the fees can be claimed once it is `Processed`. */
export const CreatorTradingFeeClaimStatus = { Unclaimed: 0, Submitted: 1, Processed: 2 } as const;
export type CreatorTradingFeeClaimStatus =
  (typeof CreatorTradingFeeClaimStatus)[keyof typeof CreatorTradingFeeClaimStatus];

/** Who gets the creator fees. `Blocked`: nobody for now. */
export const CreatorTradingFeeDistribution = { Community: 0, Creator: 1, Blocked: 2, Shared: 3 } as const;
export type CreatorTradingFeeDistribution =
  (typeof CreatorTradingFeeDistribution)[keyof typeof CreatorTradingFeeDistribution];

/** `maxSolSpend` is the program's name for lamports: a `bigint`, where the quotes' own is SOL, a number or text. */
export const buyParamsSchema = {
  fields: { maxSolSpend: 'u64', minimumAmountOut: 'u64', encodedUserDefinedEventData: 'string' },
} as const satisfies StructSchema;
/** `maxSolSpend` in lamports, `minimumAmountOut` in token units. */
export interface BuyParams extends TypeOf<typeof buyParamsSchema> {}

export const sellParamsSchema = {
  fields: { amountIn: 'u64', minimumAmountOut: 'u64', encodedUserDefinedEventData: 'string' },
} as const satisfies StructSchema;
/** `amountIn` in token units, `minimumAmountOut` in lamports. */
export interface SellParams extends TypeOf<typeof sellParamsSchema> {}

export const addLiquidityParamsSchema = {
  fields: { maxTokenA: 'u64', maxTokenB: 'u64', minLpTokens: 'u64' },
} as const satisfies StructSchema;
/** The arguments of a deposit: at most `maxTokenA` token units and `maxTokenB` lamports, for at least `minLpTokens`. */
export interface AddLiquidityParams extends TypeOf<typeof addLiquidityParamsSchema> {}

export const removeLiquidityParamsSchema = {
  fields: { lpTokensToBurn: 'u64', minTokenA: 'u64', minTokenB: 'u64' },
} as const satisfies StructSchema;
/** The arguments of a withdrawal: `minTokenA` in token units, `minTokenB` in lamports. */
export interface RemoveLiquidityParams extends TypeOf<typeof removeLiquidityParamsSchema> {}

export const createStandardLiquidityPoolParamsSchema = {
  fields: { encodedUserDefinedEventData: 'string', initialPurchaseAmount: 'u64', maxSolSpend: 'u64' },
} as const satisfies StructSchema;
/** The arguments of a launch's pool: `initialPurchaseAmount` in token units, `maxSolSpend` in lamports. */
export interface CreateStandardLiquidityPoolParams
  extends TypeOf<typeof createStandardLiquidityPoolParamsSchema> {}

/** The most brackets that a fee by market cap has ([level I](/protocol)), for forms that set it. */
export const MAX_FEE_BRACKETS = 4;

/** The most brackets that a fee by slots since the launch has ([level I](/protocol)), for forms that set it. */
export const MAX_SLOT_FEE_BRACKETS = 42;

/**
 * The bound of a fee's last bracket, which covers every market cap: the maximum int64, in the units of `marketCapUpperBound`
 * ([level D](/protocol)).
 *
 * @example
 * ```ts
 * const everyMarketCap = [{ marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: 50, sellFeeBps: 50 }];
 * ```
 */
export const MAX_MARKET_CAP_BOUND = 0x7fff_ffff_ffff_ffffn;

export const feeBracketSchema = {
  fields: { marketCapUpperBound: 'u64', buyFeeBps: 'u32', sellFeeBps: 'u32' },
} as const satisfies StructSchema;
/**
 * The fees, in basis points, up to and including a market cap ([assumption A5](/protocol#assumptions): in USD, in pro pools
 * in millionths).
 */
export interface FeeBracket extends TypeOf<typeof feeBracketSchema> {
  /** The fees apply up to this market cap, in millionths of a USD ([assumption A5](/protocol#assumptions)). */
  readonly marketCapUpperBound: bigint;
  /** The fee on buys, in basis points. */
  readonly buyFeeBps: number;
  /** The fee on sells, in basis points. */
  readonly sellFeeBps: number;
}

export const feeBracketsSchema = {
  fields: {
    brackets: { array: feeBracketSchema, length: MAX_FEE_BRACKETS },
    count: 'u8',
    _padding: { padding: 7 },
  },
} as const satisfies StructSchema;
/** The market cap brackets of one fee type, as they stand on chain; `count` of them are in use. */
export interface FeeBrackets extends TypeOf<typeof feeBracketsSchema> {}

export const slotFeeBracketSchema = {
  fields: { buyFeeBps: 'u16', sellFeeBps: 'u16', slotOffsetUpperbound: 'u16' },
} as const satisfies StructSchema;
/** The fees, in basis points, up to and including a number of slots after the launch. */
export interface SlotFeeBracket extends TypeOf<typeof slotFeeBracketSchema> {
  /** The last slot after the launch to which the fees apply. */
  readonly slotOffsetUpperbound: number;
  /** The fee on buys, in basis points. */
  readonly buyFeeBps: number;
  /** The fee on sells, in basis points. */
  readonly sellFeeBps: number;
}

export const slotFeeBracketsSchema = {
  fields: {
    brackets: { array: slotFeeBracketSchema, length: MAX_SLOT_FEE_BRACKETS },
    maxSlotOffset: 'u16',
    maxFeeBps: 'u16',
    count: 'u8',
    enabled: 'u8',
    _padding: { padding: 4 },
  },
} as const satisfies StructSchema;
/** The slot schedule of one fee type, as it stands on chain; `count` brackets are in use. */
export interface SlotFeeBrackets extends TypeOf<typeof slotFeeBracketsSchema> {}

export const feeBracketsParamsSchema = {
  fields: { brackets: { vec: feeBracketSchema }, count: 'u8' },
} as const satisfies StructSchema;
/** Market cap brackets as an instruction takes them: 1 to 4, with ascending bounds. */
export interface FeeBracketsParams extends TypeOf<typeof feeBracketsParamsSchema> {}

export const slotFeeBracketsParamsSchema = {
  fields: {
    brackets: { vec: slotFeeBracketSchema },
    maxSlotOffset: 'u16',
    maxFeeBps: 'u16',
    count: 'u8',
    enabled: 'u8',
  },
} as const satisfies StructSchema;
/** A slot schedule as an instruction takes it. `maxSlotOffset` in slots, `maxFeeBps` in basis points, `enabled` is 0 or 1. */
export interface SlotFeeBracketsParams extends TypeOf<typeof slotFeeBracketsParamsSchema> {}

export const createProLiquidityPoolParamsSchema = {
  fields: {
    encodedUserDefinedEventData: 'string',
    initialTokenAAmount: 'u64',
    initialTokenBAmount: 'u64',
    creatorTradingFee: feeBracketsParamsSchema,
    reflectionTradingFee: { option: feeBracketsParamsSchema },
    liquidityProviderTradingFee: { option: feeBracketsParamsSchema },
    creatorSlotTradingFee: { option: slotFeeBracketsParamsSchema },
    enableSameSlotTrading: 'bool',
    enableSandwichResistantMode: 'bool',
    enableDepositLiquidity: 'bool',
    enableWithdrawLiquidity: 'bool',
    enableSwap: 'bool',
    enableUpdateCreatorTradingFee: 'bool',
  },
} as const satisfies StructSchema;
/** `initialTokenAAmount` in token units, `initialTokenBAmount` in lamports. For fees that are `null`, the config's apply. */
export interface CreateProLiquidityPoolParams extends TypeOf<typeof createProLiquidityPoolParamsSchema> {}

export const liquidityPoolMarketCapBasedFeesSchema = {
  fields: {
    protocolTradingFee: feeBracketsSchema,
    liquidityProviderTradingFee: feeBracketsSchema,
    creatorTradingFee: feeBracketsSchema,
    creatorTradingFeeProtocolFee: feeBracketsSchema,
    reflectionTradingFee: feeBracketsSchema,
  },
} as const satisfies StructSchema;
/** The fees by market cap, one group of brackets for each {@link FeeType}. */
export interface LiquidityPoolMarketCapBasedFees
  extends TypeOf<typeof liquidityPoolMarketCapBasedFeesSchema> {}

export const liquidityPoolSlotOffsetBasedFeesSchema = {
  fields: {
    protocolTradingFee: slotFeeBracketsSchema,
    liquidityProviderTradingFee: slotFeeBracketsSchema,
    creatorTradingFee: slotFeeBracketsSchema,
    creatorTradingFeeProtocolFee: slotFeeBracketsSchema,
    reflectionTradingFee: slotFeeBracketsSchema,
    _pad: { padding: 6 },
  },
} as const satisfies StructSchema;
/** The fees by slots since the launch, one schedule for each {@link FeeType}. */
export interface LiquidityPoolSlotOffsetBasedFees
  extends TypeOf<typeof liquidityPoolSlotOffsetBasedFeesSchema> {}

export const liquidityPoolInfoSchema = {
  fields: {
    creator: 'pubkey',
    updateAuthority: 'pubkey',
    openAt: 'u64',
    createdAt: 'u64',
    protocolConfigVersion: 'u16',
    type: 'u8',
    poolAuthorityBump: 'u8',
    tempSolHolderBump: 'u8',
    _pad: { padding: 3 },
  },
} as const satisfies StructSchema;
/**
 * Who created a pool, when it opens and was created (Unix seconds), and its config version. `type` is a
 * {@link LiquidityPoolType}.
 */
export interface LiquidityPoolInfo extends TypeOf<typeof liquidityPoolInfoSchema> {}

export const liquidityPoolReserveSchema = {
  fields: {
    tokenA: 'u64',
    tokenB: 'u64',
    snapshotSlot: 'u64',
    snapshotA: 'u64',
    snapshotB: 'u64',
    accumulatedFeePerLpToken: 'u64',
    initialA: 'u64',
    initialB: 'u64',
    leaderSlotWindow: 'u8',
    _pad: { padding: 7 },
  },
} as const satisfies StructSchema;
/** A in token units, B in lamports, virtual SOL included. `snapshotA` and `snapshotB`: when the slot window began. */
export interface LiquidityPoolReserve extends TypeOf<typeof liquidityPoolReserveSchema> {}

export const liquidityPoolLpTokenSupplySchema = {
  fields: { initial: 'u64', total: 'u64', unlocked: 'u64', locked: 'u64', burnt: 'u64' },
} as const satisfies StructSchema;
/** LP tokens in native units. */
export interface LiquidityPoolLpTokenSupply extends TypeOf<typeof liquidityPoolLpTokenSupplySchema> {}

export const liquidityPoolLpTokenInfoSchema = {
  fields: { supply: liquidityPoolLpTokenSupplySchema, decimals: 'u8', _pad: { padding: 7 } },
} as const satisfies StructSchema;
/** The LP tokens of a pool. They are entries in positions, not SPL tokens. */
export interface LiquidityPoolLpTokenInfo extends TypeOf<typeof liquidityPoolLpTokenInfoSchema> {}

export const liquidityPoolTokenInfoSchema = {
  fields: { mint: 'pubkey', decimals: 'u8', owner: 'pubkey' },
} as const satisfies StructSchema;
/** `owner` is the mint's token program. */
export interface LiquidityPoolTokenInfo extends TypeOf<typeof liquidityPoolTokenInfoSchema> {}

export const liquidityPoolAllowlistSchema = {
  fields: {
    swap: 'u8',
    removeLiquidity: 'u8',
    depositLiquidity: 'u8',
    sameSlotTrading: 'u8',
    updateCreatorTradingFee: 'u8',
    padding1: { padding: 2 },
  },
} as const satisfies StructSchema;
/** 1 if the pool allows it, otherwise 0. */
export interface LiquidityPoolAllowlist extends TypeOf<typeof liquidityPoolAllowlistSchema> {}

export const liquidityPoolFeatureFlagsSchema = {
  fields: { sandwichResistantMode: 'u8', padding1: { padding: 7 } },
} as const satisfies StructSchema;
/** 1 if the feature is on, otherwise 0. */
export interface LiquidityPoolFeatureFlags extends TypeOf<typeof liquidityPoolFeatureFlagsSchema> {}
