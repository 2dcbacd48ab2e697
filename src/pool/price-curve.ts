import { assertWhole, invalidInput } from '../input.js';
import { computeBuy, computeSell } from '../math/swap.js';
import type { PoolSnapshot } from './decode.js';
import { SOL_DECIMALS } from './quote-amounts.js';
import { toSwapState } from './swap-state.js';

/** What a trade of one size pays or receives per token. */
export interface PricePoint {
  /** Lamports of a buy, native token units of a sell. */
  readonly amountIn: bigint;
  /** The average price in SOL per whole token, with all fees of the exchange. A float, for display. */
  readonly solPerToken: number;
}

/** The options of {@link toPriceCurve}. */
export interface PriceCurveOptions {
  /** How many sizes to try, from 2 to 1000. Default 41. */
  readonly points?: number | undefined;
  /** Computes the price of these amounts instead: lamports of a buy, token units of a sell. */
  readonly amountsIn?: readonly bigint[] | undefined;
}

/** The smallest trade of the curve is this fraction of the reserve: ten to this power. */
const SMALLEST = -5;

/**
 * Computes the average price of a buy or a sell by its size, with all fees of the exchange and the price impact, for a chart. The sizes
 * are spaced evenly on a logarithmic scale, from a hundred-thousandth of the pool's reserve to all of it. Sizes that the pool
 * can't trade, or that give nothing, are left out.
 *
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * for (const { amountIn, solPerToken } of toPriceCurve(snapshot, 'buy')) console.log(amountIn, solPerToken);
 * const [own] = toPriceCurve(snapshot, 'buy', { amountsIn: [1_500_000_000n] });
 * console.log(own?.solPerToken);
 * ```
 */
export function toPriceCurve(
  snapshot: PoolSnapshot,
  side: 'buy' | 'sell',
  { points = 41, amountsIn }: PriceCurveOptions = {},
): readonly PricePoint[] {
  if (side !== 'buy' && side !== 'sell') throw invalidInput('side', side, "'buy' or 'sell'");
  assertWhole('points', points, [2, 1_000]);
  const state = toSwapState(snapshot);
  const unit = 10 ** (snapshot.token.decimals - SOL_DECIMALS);
  const reserve = Number(side === 'buy' ? state.reserveB : state.reserveA);
  const sizes =
    amountsIn ??
    Array.from({ length: points }, (_, index) =>
      BigInt(Math.round(reserve * 10 ** (SMALLEST * (1 - index / (points - 1))))),
    );
  return sizes.flatMap((amountIn) => {
    try {
      const { amountOut } = side === 'buy' ? computeBuy(state, amountIn) : computeSell(state, amountIn);
      if (amountOut === 0n) return [];
      const ratio =
        side === 'buy' ? Number(amountIn) / Number(amountOut) : Number(amountOut) / Number(amountIn);
      return [{ amountIn, solPerToken: ratio * unit }];
    } catch {
      // More than the pool can trade, or the fees take all of it.
      return [];
    }
  });
}
