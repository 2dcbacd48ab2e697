import { HeavenError } from '../base/errors.js';
import { assertU64, describe } from '../base/input.js';
import { BPS, ceilDiv, U64_MAX } from '../base/integers.js';

/** A value for an error, a small number without the exponent that JavaScript writes. */
export const inDigits = (value: unknown): string =>
  describe(value).replace(
    /^(\d)(?:\.(\d+))?e-(\d\d?)$/,
    (_, whole: string, fraction = '', zeros: string) =>
      `0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`,
  );

/** Slippage as a `bigint`. */
export function slippageOf(slippageBps: number, field = 'slippageBps'): bigint {
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > 10_000) {
    throw new HeavenError(
      'invalid-slippage',
      `${field} must be a whole number of basis points from 0 to 10000 (50 is 0.5 %); got ${inDigits(slippageBps)}.`,
      { field, value: slippageBps },
    );
  }
  return BigInt(slippageBps);
}

/** Rejects an invalid slippage of a launch. */
export const invalidFraction = (field: string, value: unknown) =>
  new HeavenError(
    'invalid-slippage',
    `${field} must be a fraction from 0 to 1, such as 0.005 (0.5 %); got ${inDigits(value)}.`,
    { field, value },
  );

/**
 * The least that a trade may give: `amount * (10000 - slippageBps) / 10000`, rounded down.
 * @param amount Expected amount in native units.
 * @throws {HeavenError} `invalid-slippage`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * minimumAfterSlippage(1_000_000n, 50); // 995000n
 * ```
 */
export function minimumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  assertU64(amount, 'amount');
  return (amount * (BPS - slippageOf(slippageBps))) / BPS;
}

/**
 * The most that a trade may cost: `amount * (10000 + slippageBps) / 10000`, rounded up.
 * @param amount Expected amount in native units.
 * @throws {HeavenError} `invalid-slippage`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * maximumAfterSlippage(1_000_001n, 50); // 1005002n
 * ```
 */
export function maximumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  assertU64(amount, 'amount');
  const maximum = plusSlippage(amount, slippageBps);
  assertU64(maximum, 'amount with slippage');
  return maximum;
}

const plusSlippage = (amount: bigint, slippageBps: number): bigint =>
  ceilDiv(amount * (BPS + slippageOf(slippageBps)), BPS);

/** {@link maximumAfterSlippage}, or what 64 bits hold if that is less. */
export function boundedAfterSlippage(amount: bigint, slippageBps: number): bigint {
  const maximum = plusSlippage(amount, slippageBps);
  return maximum < U64_MAX ? maximum : U64_MAX;
}

/** A quote lies a little behind the price. A tenth is more than that, and may be somebody's doing. */
export const DRIFT_BPS = 1_000;

/** The least minimum that protects what slippage does now, give or take a drift in basis points. */
export function leastMinimum(amountOut: bigint, slippageBps: number, driftBps: number = DRIFT_BPS): bigint {
  const protectedOut = minimumAfterSlippage(amountOut, slippageBps);
  return protectedOut - (protectedOut * BigInt(driftBps)) / BPS;
}
