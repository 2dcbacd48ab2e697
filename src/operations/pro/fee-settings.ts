import { computeFrom } from '../../base/input.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import type { FeeBracket, FeeBrackets } from '../../program/types.js';
import type { SlotFeeConfiguration } from './brackets.js';

/** The fees that a pro pool's creator sets, as the setters take them. An empty list: no such fee. */
export interface ProFeeSettings {
  /** The `brackets` of {@link buildProSetLpFee}. */
  readonly lpFee: readonly FeeBracket[];
  /** The `brackets` of {@link buildProSetReflectionFee}. */
  readonly reflectionFee: readonly FeeBracket[];
  /** The `brackets` of {@link buildProSetMarketCapCreatorFee}. */
  readonly marketCapCreatorFee: readonly FeeBracket[];
  /** The schedule of {@link buildProSetSlotCreatorFee}. */
  readonly slotCreatorFee: SlotFeeConfiguration;
}

/**
 * Returns a pro pool's own fees in the form that the setters take, to show and change them.
 *
 * @param pool The pool's account, such as `decodeLiquidityPoolState(snapshot.data.pool)`.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const { lpFee } = toProFeeSettings(await getPoolState(client, { pool }));
 * const brackets = lpFee.map((bracket) => ({ ...bracket, sellFeeBps: 50 }));
 * const { tx } = await buildProSetLpFee(client, { pool, payer: creator, brackets });
 * ```
 */
export const toProFeeSettings = (pool: LiquidityPoolState): ProFeeSettings =>
  computeFrom('pool', 'what getPoolState or decodeLiquidityPoolState returns', () => {
    const { marketCapBasedFees, slotOffsetBasedFees } = pool;
    const used = ({ brackets, count }: FeeBrackets) => brackets.slice(0, count);
    const { brackets, count, maxSlotOffset, maxFeeBps, enabled } = slotOffsetBasedFees.creatorTradingFee;
    return {
      lpFee: used(marketCapBasedFees.liquidityProviderTradingFee),
      reflectionFee: used(marketCapBasedFees.reflectionTradingFee),
      marketCapCreatorFee: used(marketCapBasedFees.creatorTradingFee),
      slotCreatorFee: {
        brackets: brackets.slice(0, count),
        maxSlotOffset,
        maxFeeBps,
        enabled: enabled !== 0,
      },
    };
  });

/**
 * Returns the configuration of slot brackets alone, for {@link buildProSetSlotCreatorFee}: the window ends with the last bracket, and the highest
 * fee is that of the brackets. Without a bracket, the schedule is off.
 *
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const schedule = toSlotFeeConfiguration([{ slotOffsetUpperbound: 15, buyFeeBps: 1000, sellFeeBps: 500 }]);
 * const { tx } = await buildProSetSlotCreatorFee(client, { pool, payer: creator, ...schedule });
 * ```
 */
export const toSlotFeeConfiguration = (brackets: SlotFeeConfiguration['brackets']): SlotFeeConfiguration =>
  computeFrom('brackets', 'a list of slot brackets', () => ({
    brackets,
    maxSlotOffset: brackets.at(-1)?.slotOffsetUpperbound ?? 0,
    maxFeeBps: Math.max(0, ...brackets.flatMap(({ buyFeeBps, sellFeeBps }) => [buyFeeBps, sellFeeBps])),
    enabled: brackets.length > 0,
  }));
