import type { Address } from '@solana/kit';

import { toNativeAmount } from '../math/units.js';
import type { LiquidityPoolState, ProtocolConfig } from '../program/accounts.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../program/constants.js';
import {
  type CreateProLiquidityPoolParams,
  CreatorTradingFeeClaimStatus,
  type FeeBrackets,
  type FeeBracketsParams,
  FeeConfigurationMode,
  LiquidityPoolType,
  type SlotFeeBrackets,
  type SlotFeeBracketsParams,
} from '../program/types.js';
import { feeBrackets, slotFeeBrackets } from './encode.js';
import { samplePool } from './samples.js';

// Pools as the model of the exchange creates them. What the program writes into the fields that no transaction names
// (the claim status above all) is assumed: as the sample pools have it.

interface NewPool {
  readonly address: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly creator: Address;
  readonly programAddress: Address;
  readonly clock: { readonly slot: bigint; readonly unixTimestamp: bigint };
  readonly config: ProtocolConfig;
}

async function newPool(
  { address, mint, tokenProgram, decimals, creator, programAddress, clock, config }: NewPool,
  kind: 'standard' | 'pro',
  reserve: { readonly tokenA: bigint; readonly tokenB: bigint },
  state: Partial<LiquidityPoolState>,
): Promise<LiquidityPoolState> {
  const made = await samplePool(
    {
      kind,
      configVersion: config.version as 1 | 2 | 3,
      mint,
      tokenProgram,
      creator,
      token: { decimals, supply: 0n },
      reserve: { ...reserve, leaderSlotWindow: config.defaultLeaderSlotWindow },
      state: {
        info: {
          creator,
          updateAuthority: SYSTEM_PROGRAM_ADDRESS,
          openAt: clock.unixTimestamp,
          createdAt: clock.unixTimestamp,
          protocolConfigVersion: config.version,
          type: kind === 'standard' ? LiquidityPoolType.Standard : LiquidityPoolType.Pro,
          poolAuthorityBump: 255,
          tempSolHolderBump: 255,
        },
        createdAtSlot: clock.slot,
        creatorTradingFeeTradingVolumeThreshold: config.creatorTradingFeeTradingVolumeThreshold,
        ...state,
      },
    },
    programAddress,
  );
  return { ...made.state, key: address };
}

/** A standard pool with all the tokens and the config's virtual SOL in it. */
export const newStandardPool = async (pool: NewPool): Promise<LiquidityPoolState> =>
  await newPool(
    pool,
    'standard',
    {
      tokenA: pool.config.initialTokenAAmount,
      tokenB: toNativeAmount(pool.config.initialTokenBAmount, 9, 'initialTokenBAmount'),
    },
    { featureFlags: { sandwichResistantMode: pool.config.sandwichResistenceEnabled } },
  );

/** A pro pool as its creator wants it. */
export async function newProPool({
  tokenA,
  tokenB,
  lpTokens,
  fees,
  slotFees,
  features,
  ...pool
}: NewPool & {
  readonly tokenA: bigint;
  readonly tokenB: bigint;
  readonly lpTokens: bigint;
  readonly fees: Pick<
    LiquidityPoolState['marketCapBasedFees'],
    'creatorTradingFee' | 'reflectionTradingFee' | 'liquidityProviderTradingFee'
  >;
  readonly slotFees: SlotFeeBrackets;
  readonly features: CreateProLiquidityPoolParams;
}): Promise<LiquidityPoolState> {
  const none = feeBrackets();
  const noSchedule = slotFeeBrackets();
  const flag = (isOn: boolean) => (isOn ? 1 : 0);
  return await newPool(
    pool,
    'pro',
    { tokenA, tokenB },
    {
      feeConfigurationMode: FeeConfigurationMode.Local,
      creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
      marketCapBasedFees: { protocolTradingFee: none, creatorTradingFeeProtocolFee: none, ...fees },
      slotOffsetBasedFees: {
        protocolTradingFee: noSchedule,
        liquidityProviderTradingFee: noSchedule,
        creatorTradingFee: slotFees,
        creatorTradingFeeProtocolFee: noSchedule,
        reflectionTradingFee: noSchedule,
      },
      lpToken: {
        supply: { initial: lpTokens, total: lpTokens, unlocked: lpTokens, locked: 0n, burnt: 0n },
        decimals: 9,
      },
      allowlist: {
        swap: flag(features.enableSwap),
        removeLiquidity: flag(features.enableWithdrawLiquidity),
        depositLiquidity: flag(features.enableDepositLiquidity),
        sameSlotTrading: flag(features.enableSameSlotTrading),
        updateCreatorTradingFee: flag(features.enableUpdateCreatorTradingFee),
      },
      featureFlags: { sandwichResistantMode: flag(features.enableSandwichResistantMode) },
    },
  );
}

/** Brackets of a creation as they stand on chain. */
export const storedBrackets = ({ brackets }: FeeBracketsParams): FeeBrackets =>
  feeBrackets(
    ...brackets.map(
      ({ marketCapUpperBound, buyFeeBps, sellFeeBps }) =>
        [marketCapUpperBound, buyFeeBps, sellFeeBps] as const,
    ),
  );

/** A slot schedule of a creation as it stands on chain. */
export const storedSlotBrackets = ({
  brackets,
  maxSlotOffset,
  maxFeeBps,
  enabled,
}: SlotFeeBracketsParams): SlotFeeBrackets => ({
  ...slotFeeBrackets(
    ...brackets.map(
      ({ slotOffsetUpperbound, buyFeeBps, sellFeeBps }) =>
        [slotOffsetUpperbound, buyFeeBps, sellFeeBps] as const,
    ),
  ),
  maxSlotOffset,
  maxFeeBps,
  enabled,
});

const MOST_BPS = 10_000;

/** Up to 4 brackets, from the lowest bound up, with fees of at most so many basis points. */
export function areFeesValid(fees: FeeBracketsParams | null, mostBps: number = MOST_BPS): boolean {
  if (fees === null) return true;
  const used = fees.brackets.slice(0, fees.count);
  return (
    used.length === fees.count &&
    used.length <= 4 &&
    used.every(
      ({ marketCapUpperBound, buyFeeBps, sellFeeBps }, index) =>
        Math.max(buyFeeBps, sellFeeBps) <= mostBps &&
        marketCapUpperBound > (used[index - 1]?.marketCapUpperBound ?? -1n),
    )
  );
}

/** Up to 42 brackets, from the first slots on, and maxima that are theirs. */
export function areSlotFeesValid(fees: SlotFeeBracketsParams | null, mostBps: number = MOST_BPS): boolean {
  if (fees === null) return true;
  const used = fees.brackets.slice(0, fees.count);
  const highest = Math.max(0, ...used.flatMap(({ buyFeeBps, sellFeeBps }) => [buyFeeBps, sellFeeBps]));
  return (
    used.length === fees.count &&
    used.length <= 42 &&
    highest <= mostBps &&
    fees.maxFeeBps >= highest &&
    fees.maxSlotOffset >= (used.at(-1)?.slotOffsetUpperbound ?? 0) &&
    used.every(
      ({ slotOffsetUpperbound }, index) =>
        slotOffsetUpperbound > (used[index - 1]?.slotOffsetUpperbound ?? -1),
    )
  );
}
