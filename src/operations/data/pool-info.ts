import type { Address } from '@solana/kit';
import type { HeavenWarning } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { abortSignal, address, optional, version } from '../../input/fields.js';
import { sumFees } from '../../math/swap.js';
import type { FeeRates } from '../../math/types.js';
import type { FetchedPoolSnapshot } from '../../pool/check.js';
import { type CreatorFeeObstacle, creatorFeeObstacle, obstacleInWords } from '../../pool/creator-fees.js';
import { computeMarketCap } from '../../pool/market-cap.js';
import { toUiNumber } from '../../pool/quote.js';
import { SOL_DECIMALS } from '../../pool/quote-amounts.js';
import { fetchPool } from '../../pool/read.js';
import { swapStateAt } from '../../pool/swap-state.js';
import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../../program/account-layouts.js';
import { readAccount } from '../../program/accounts.js';
import type { HeavenClient } from '../../program/client.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../../program/types.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** The published config versions. A pool's own version is unknown until it is read, so all of these are read with it. */
const CONFIG_VERSIONS = { 1: 'Community', 2: 'Creator', 3: 'Pro' } as const;

/** The unit of a config's migration threshold: 100 stands for the published $100k ([level M](/protocol) with D). */
const MIGRATION_THRESHOLD_USD = 1_000;

/** Which pool to describe. */
export interface GetPoolInfoInput extends RequestOptions {
  /** The mint of the token. */
  readonly mint: AddressInput;
  /** A pro pool's address. Default: the standard pool of `mint`. */
  readonly pool?: AddressInput | null | undefined;
  /** Only needed for a config version other than 1, 2 and 3. */
  readonly configVersion?: number | null | undefined;
}

/** A pool for display. UI amounts: tokens, SOL, USD; fees in percent. */
export interface PoolInfo {
  /** By the protocol config version. */
  readonly classification: 'Community' | 'Creator' | 'Pro' | 'Unknown';
  /** The creator of the pool. */
  readonly creator: Address;
  /** Tokens in the pool. */
  readonly currentBaseReserve: number;
  /** SOL in the pool, virtual SOL included. */
  readonly currentQuoteReserve: number;
  /** The sum of all five fees, in percent, at the current market cap and slot. */
  readonly currentBuyFeePct: number;
  /** The same for a sell. */
  readonly currentSellFeePct: number;
  /** SOL that the creator has claimed so far. */
  readonly currentCreatorFeeClaimByCreator: number;
  /** The state of the creator's verification. */
  readonly currentCreatorFeeClaimStatus: keyof typeof CreatorTradingFeeClaimStatus | 'Unknown';
  /** SOL accrued in total: unclaimed and claimed. */
  readonly currentCreatorFeeCollectedSol: number;
  /** The same in USD. */
  readonly currentCreatorFeeCollectedUsd: number;
  /** Who the creator fees belong to. */
  readonly currentCreatorFeeDistribution: keyof typeof CreatorTradingFeeDistribution | 'Unknown';
  /** Who may claim them. */
  readonly currentCreatorFeeRecipient: Address;
  /** In USD. */
  readonly currentMarketCapUsd: number;
  /** In USD. */
  readonly currentSolPriceUsd: number;
  /** In USD, so far. */
  readonly currentTradingVolumeUsd: number;
  /** Whether the pool lets its creator fees be claimed now, if there are any. */
  readonly isCreatorFeeClaimable: boolean;
  /** Whether the pool has migrated. */
  readonly isMigrated: boolean;
  /** Whole USD. */
  readonly migrationMarketCapThreshold: number;
  /** 1 community, 2 creator, 3 pro. */
  readonly protocolConfigVersion: number;
  /** The trading volume from which the creator fees can be claimed, in USD. */
  readonly tradingVolumeThresholdUsd: number;
  /** Only if there is something to say. */
  readonly details?: PoolInfoDetails | undefined;
}

/** What else there is to say about a pool. */
export interface PoolInfoDetails {
  /** Why the creator fees can't be claimed, as the builder of a claim would say. */
  readonly creatorFees?: CreatorFeeReason | undefined;
  /** Names of the input that it doesn't know. */
  readonly warnings?: readonly HeavenWarning[] | undefined;
}

/** Why a pool's creator fees can't be claimed. */
export interface CreatorFeeReason {
  /** A stable word: that of `fees-not-claimable`. */
  readonly reason: CreatorFeeObstacle;
  /** For people: the trading volume against its threshold, or what the protocol has to do first. */
  readonly message: string;
}

export const getPoolInfoFields = /* @__PURE__ */ fieldsOf<GetPoolInfoInput>()(() => ({
  documented: { mint: address(), pool: optional(address()) },
  local: { abortSignal: abortSignal(), configVersion: optional(version()) },
}));

/**
 * Reads a pool's state for display. One call to the node.
 *
 * @throws {HeavenError} the same as {@link fetchPoolSnapshot}
 * @example
 * ```ts
 * const { currentMarketCapUsd, currentBuyFeePct } = await getPoolInfo(client, { mint });
 * ```
 */
export async function getPoolInfo(client: HeavenClient, input: GetPoolInfoInput): Promise<PoolInfo> {
  const [checked, ignored] = checkInput(client, input, getPoolInfoFields);
  const { mint, pool, configVersion, abortSignal } = checked;
  const configVersions =
    configVersion === undefined ? Object.keys(CONFIG_VERSIONS).map(Number) : [configVersion];
  const { snapshot } = await fetchPool(client, { configVersions, mint, pool }, { abortSignal });
  const info = poolInfoOf(snapshot);
  return ignored.length === 0 ? info : { ...info, details: { ...info.details, warnings: ignored } };
}

/** Converts a snapshot to a pool's state for display. */
function poolInfoOf(snapshot: FetchedPoolSnapshot): PoolInfo {
  const state = readAccount(liquidityPoolStateDeclaration, snapshot.data.pool);
  const config = readAccount(protocolConfigDeclaration, snapshot.data.protocolConfig);
  const { buyFees, sellFees } = swapStateAt(snapshot, snapshot.slot);
  const { solPrice, token } = snapshot;
  const obstacle = creatorFeeObstacle(state);
  const toSol = (lamports: bigint) => toUiNumber(lamports, SOL_DECIMALS);
  const collected =
    state.creatorTradingFees +
    state.creatorTradingFeesClaimedByCreator +
    state.creatorTradingFeesClaimedByOthers;
  return {
    classification: CONFIG_VERSIONS[snapshot.configVersion as keyof typeof CONFIG_VERSIONS] ?? 'Unknown',
    creator: state.info.creator,
    currentBaseReserve: toUiNumber(snapshot.reserveA, token.decimals),
    currentQuoteReserve: toSol(snapshot.reserveB),
    currentBuyFeePct: percentOf(buyFees),
    currentSellFeePct: percentOf(sellFees),
    currentCreatorFeeClaimByCreator: toSol(state.creatorTradingFeesClaimedByCreator),
    currentCreatorFeeClaimStatus: nameOf(CreatorTradingFeeClaimStatus, state.creatorTradingFeeClaimStatus),
    currentCreatorFeeCollectedSol: toSol(collected),
    currentCreatorFeeCollectedUsd: toUiNumber(collected * solPrice.answer, SOL_DECIMALS + solPrice.decimals),
    currentCreatorFeeDistribution: nameOf(CreatorTradingFeeDistribution, state.creatorTradingFeeDistribution),
    currentCreatorFeeRecipient: state.creatorTradingFeeReceiver,
    currentMarketCapUsd: toUiNumber(computeMarketCap(snapshot), 6),
    currentSolPriceUsd: toUiNumber(solPrice.answer, solPrice.decimals),
    currentTradingVolumeUsd: state.tradingVolumeUsd,
    isCreatorFeeClaimable: obstacle === undefined,
    isMigrated: state.isMigrated !== 0,
    migrationMarketCapThreshold: config.migrationMarketCapThreshold * MIGRATION_THRESHOLD_USD,
    protocolConfigVersion: snapshot.configVersion,
    tradingVolumeThresholdUsd: state.creatorTradingFeeTradingVolumeThreshold,
    ...(obstacle && {
      details: { creatorFees: { reason: obstacle, message: obstacleInWords(obstacle, state) } },
    }),
  };
}

const percentOf = (fees: FeeRates): number => toUiNumber(sumFees(fees), 2);

const nameOf = <TValues extends { readonly [name: string]: number }>(values: TValues, value: number) =>
  (Object.keys(values).find((name) => values[name] === value) as (keyof TValues & string) | undefined) ??
  'Unknown';
