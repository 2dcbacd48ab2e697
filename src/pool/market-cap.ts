import { computeFrom } from '../base/input.js';
import { PRO_MARKET_CAP_UNITS_PER_USD } from '../program/assumptions.js';
import type { PoolSnapshot } from './decode.js';
import { SOL_DECIMALS } from './quote-amounts.js';

/** Cached powers of ten by exponent: computing one takes as long as the division. */
const powers: bigint[] = [];
const powerOfTen = (exponent: number): bigint => {
  powers[exponent] ??= 10n ** BigInt(exponent);
  return powers[exponent];
};

type Priced = Pick<PoolSnapshot, 'reserveA' | 'reserveB' | 'solPrice'> & {
  readonly token: Pick<PoolSnapshot['token'], 'supply'>;
};

function marketCapAt(unitsPerUsd: bigint, { reserveA, reserveB, token, solPrice }: Priced): bigint {
  if (reserveA === 0n) return 0n;
  return (
    (reserveB * token.supply * solPrice.answer * unitsPerUsd) /
    (reserveA * powerOfTen(SOL_DECIMALS + solPrice.decimals))
  );
}

/**
 * Computes the market cap in millionths of a USD, rounded down: `reserveB * supply / reserveA` lamports at the feed's price
 * ([level D](/protocol), with two published examples).
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(Number(computeMarketCap(snapshot)) / 1e6);
 * ```
 */
export const computeMarketCap = (snapshot: Priced): bigint =>
  computeFrom('snapshot', 'a pool snapshot', () => microMarketCap(snapshot));

/** {@link computeMarketCap} of a snapshot that was checked. */
export const microMarketCap = (snapshot: Priced): bigint => marketCapAt(1_000_000n, snapshot);

type Bounded = Priced & Pick<PoolSnapshot, 'kind'>;

/**
 * The unit of the pool's fee brackets. Bounds of standard configs are in whole USD ([level M](/protocol));
 * those of pro pools are in millionths ([A5](/protocol#assumptions)).
 */
export const boundUnitsPerUsd = ({ kind }: Pick<PoolSnapshot, 'kind'>): bigint =>
  kind === 'pro' ? PRO_MARKET_CAP_UNITS_PER_USD : 1n;

/** Computes the market cap in the unit of the pool's fee brackets, rounded down before the comparison. */
export const marketCapInBoundUnits = (snapshot: Bounded): bigint =>
  marketCapAt(boundUnitsPerUsd(snapshot), snapshot);

/** {@link marketCapInBoundUnits} before it is rounded down, as a number: off by at most {@link ESTIMATE_ERROR} of it. */
export function estimateMarketCap(snapshot: Bounded): number {
  const { reserveA, reserveB, token, solPrice } = snapshot;
  if (reserveA === 0n) return 0;
  const lamports = (Number(reserveB) * Number(token.supply)) / Number(reserveA);
  const usd = (lamports * Number(solPrice.answer)) / 10 ** (SOL_DECIMALS + solPrice.decimals);
  return usd * Number(boundUnitsPerUsd(snapshot));
}

/** Far more than the rounding of these few operations, each off by 2^-53 of its result. */
export const ESTIMATE_ERROR = 1e-12;
