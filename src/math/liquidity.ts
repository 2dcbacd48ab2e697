import { HeavenError } from '../base/errors.js';
import { assertNames, assertPositiveU64, assertU64, computeFrom } from '../base/input.js';
import { ceilDiv } from '../base/integers.js';
import { poolIsEmpty } from './swap.js';
import type { PoolReserves } from './types.js';

// How LP tokens stand for a share of a pool (A8). If it is wrong, deposits and withdrawals are quoted off, and fail on their
// minimums; pending fees are then off as well.

/** The reserves of a pool and the LP tokens that stand for all of them. */
export interface LiquidityState extends PoolReserves {
  /** LP tokens in existence, native units. */
  readonly lpSupply: bigint;
}

/** The most to take of either side. A side that is left out is not limited. */
export interface DepositLimits {
  /** Native units of token A. */
  readonly maxTokenA?: bigint | undefined;
  /** Lamports. */
  readonly maxTokenB?: bigint | undefined;
}

/** A deposit: what it takes of each side, and the LP tokens it gives. */
export interface LiquidityDeposit {
  /** Native units of token A. */
  readonly tokenA: bigint;
  /** Lamports. */
  readonly tokenB: bigint;
  readonly lpTokens: bigint;
}

/**
 * The largest deposit within the limits, at the pool's ratio: `lp = min(a * L / reserveA, b * L / reserveB)`, and `lp *
 * reserve / L` of each side, rounded up.
 * @throws {HeavenError} `invalid-input` (neither side), `invalid-amount`, `zero-amount`, `amount-out-of-range`,
 * `insufficient-liquidity` (an empty pool), `output-is-zero`
 * @example
 * ```ts
 * const state = { reserveA: 4_000_000n, reserveB: 1_000_000n, lpSupply: 2_000_000n };
 * const { tokenA, tokenB, lpTokens } = computeDeposit(state, { maxTokenB: 1_000n });
 * console.log(tokenA, tokenB, lpTokens); // 4000 1000 2000
 * ```
 */
export function computeDeposit(state: LiquidityState, limits: DepositLimits): LiquidityDeposit {
  assertDepositLimits(limits);
  const { maxTokenA, maxTokenB } = limits;
  assertLiquid(state);
  const { reserveA, reserveB, lpSupply } = state;
  const byA = maxTokenA === undefined ? undefined : (maxTokenA * lpSupply) / reserveA;
  const byB = maxTokenB === undefined ? undefined : (maxTokenB * lpSupply) / reserveB;
  const lpTokens = byA === undefined || (byB !== undefined && byB < byA) ? (byB as bigint) : byA;
  if (lpTokens === 0n) {
    throw new HeavenError(
      'output-is-zero',
      'The deposit is too small: it would give no LP tokens. Deposit more.',
      {
        field: maxTokenA === undefined ? 'maxTokenB' : 'maxTokenA',
        amountIn: maxTokenA ?? maxTokenB ?? 0n,
      },
    );
  }
  const share = (reserve: bigint) => ceilDiv(lpTokens * reserve, lpSupply);
  const deposit = { tokenA: share(reserveA), tokenB: share(reserveB), lpTokens };
  assertU64(deposit.tokenA, 'tokenA');
  assertU64(deposit.tokenB, 'tokenB');
  assertU64(lpTokens + lpSupply, 'lpTokens');
  return deposit;
}

/** Rejects invalid limits of a deposit before the pool is known. */
export function assertDepositLimits(limits: DepositLimits): void {
  assertNames(limits, 'limits', { maxTokenA: 1, maxTokenB: 1 });
  const { maxTokenA, maxTokenB } = limits;
  if (maxTokenA === undefined && maxTokenB === undefined) {
    throw new HeavenError('invalid-input', 'A deposit needs maxTokenA, maxTokenB or both.', {
      field: 'maxTokenA',
    });
  }
  if (maxTokenA !== undefined) assertPositiveU64(maxTokenA, 'maxTokenA');
  if (maxTokenB !== undefined) assertPositiveU64(maxTokenB, 'maxTokenB');
}

/** What a withdrawal pays. */
export interface LiquidityWithdrawal {
  /** Native units of token A. */
  readonly tokenA: bigint;
  /** Lamports. */
  readonly tokenB: bigint;
}

/**
 * What burning LP tokens pays: `lp * reserve / L` of each side, rounded down ([A8](/protocol#assumptions)).
 * @throws {HeavenError} `invalid-amount`, `zero-amount`, `amount-out-of-range`, `insufficient-balance` (more than
 * there are), `insufficient-liquidity` (an empty pool)
 * @example
 * ```ts
 * const state = { reserveA: 4_000_000n, reserveB: 1_000_000n, lpSupply: 2_000_000n };
 * const { tokenA, tokenB } = computeWithdrawal(state, 2_000n);
 * console.log(tokenA, tokenB); // 4000 1000
 * ```
 */
export function computeWithdrawal(state: LiquidityState, lpTokens: bigint): LiquidityWithdrawal {
  assertPositiveU64(lpTokens, 'lpTokens');
  assertLiquid(state);
  const { reserveA, reserveB, lpSupply } = state;
  if (lpTokens > lpSupply) {
    throw new HeavenError(
      'insufficient-balance',
      `${lpTokens} LP tokens requested, but only ${lpSupply} exist.`,
      { asset: 'lp-tokens', requested: lpTokens, available: lpSupply },
    );
  }
  return { tokenA: (lpTokens * reserveA) / lpSupply, tokenB: (lpTokens * reserveB) / lpSupply };
}

/**
 * The LP tokens of a pool's first deposit: `isqrt(a * b)` ([A8](/protocol#assumptions)).
 * @param tokenA Native units of token A.
 * @param tokenB Lamports.
 */
export function computeInitialLpTokens(tokenA: bigint, tokenB: bigint): bigint {
  assertPositiveU64(tokenA, 'tokenA');
  assertPositiveU64(tokenB, 'tokenB');
  const product = tokenA * tokenB;
  // Newton's method from above: the first guess is no smaller than the root.
  let root = 1n << BigInt(Math.ceil(product.toString(2).length / 2));
  for (;;) {
    const next = (root + product / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** A8: the number of LP tokens that `accumulated_fee_per_lp_token` is stated for. */
export const FEE_PER_LP_TOKEN_UNIT = 1_000_000_000n;

/** The fees that a position can claim, in lamports: those stored, plus what has accrued since ([A8](/protocol#assumptions)). */
export function computePendingFees(
  position: { readonly lpTokenBalance: bigint; readonly rewardDebt: bigint; readonly pendingFees: bigint },
  accumulatedFeePerLpToken: bigint,
): bigint {
  return computeFrom('position', "what getLpBalance returns, with the pool's fees per LP token", () => {
    const accrued = (position.lpTokenBalance * accumulatedFeePerLpToken) / FEE_PER_LP_TOKEN_UNIT;
    const pending = position.pendingFees + accrued - position.rewardDebt;
    return pending > 0n ? pending : 0n;
  });
}

function assertLiquid({ reserveA, reserveB, lpSupply }: LiquidityState): void {
  if (reserveA > 0n && reserveB > 0n && lpSupply > 0n) return;
  throw poolIsEmpty();
}
