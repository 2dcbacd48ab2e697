import { assertNumber, invalidInput } from '../input.js';
import { slippageOf } from '../math/slippage.js';
import type { PoolSnapshot } from './decode.js';
import { SOL_DECIMALS } from './quote-amounts.js';

/** How {@link suggestSlippage} chooses. */
export interface SuggestSlippageOptions {
  /** For how many SOL of other trades to leave room. Default 0.25. */
  readonly roomSol?: number | undefined;
}

/** Basis points, least first. The last one is the most that is ever suggested. */
const CANDIDATES = [50, 100, 200, 300] as const;

/**
 * Estimates how much SOL others can trade first, on the same side, before a trade with this slippage fails. It ignores
 * fees and the size of the trade itself, which both leave a little more room.
 *
 * @returns SOL, for display: `Infinity` for a buy that accepts any price.
 * @throws {HeavenError} `invalid-slippage`, `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(`Fails if others buy more than ${formatPrice(estimateSlippageRoom(snapshot, 'buy', 50))} SOL first.`);
 * ```
 */
export function estimateSlippageRoom(
  { reserveB }: PoolSnapshot,
  side: 'buy' | 'sell',
  slippageBps: number,
): number {
  if (side !== 'buy' && side !== 'sell') throw invalidInput('side', side, "'buy' or 'sell'");
  slippageOf(slippageBps);
  // The price changes with the square of the SOL reserve.
  const kept = Math.sqrt(1 - slippageBps / 10_000);
  return (Number(reserveB) / 10 ** SOL_DECIMALS) * (side === 'buy' ? 1 / kept - 1 : 1 - kept);
}

/**
 * Suggests a slippage for a pool: the least of 0.5 %, 1 %, 2 % and 3 % that still lets a small trade of somebody else go first,
 * or 3 % in a pool too small for that. {@link estimateSlippageRoom} says how much room it leaves.
 *
 * @returns Basis points, for the `slippageBps` of a quote.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const slippageBps = suggestSlippage(snapshot, 'buy');
 * ```
 */
export function suggestSlippage(
  snapshot: PoolSnapshot,
  side: 'buy' | 'sell',
  { roomSol = 0.25 }: SuggestSlippageOptions = {},
): number {
  assertNumber('roomSol', roomSol, [0, Number.MAX_VALUE]);
  return CANDIDATES.find((bps) => estimateSlippageRoom(snapshot, side, bps) >= roomSol) ?? 300;
}
