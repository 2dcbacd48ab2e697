import type { PoolSnapshot } from './decode.js';

const SOL_DECIMALS = 9;
/** Cached powers of ten by exponent: computing one takes as long as the division. */
const powers: bigint[] = [];
const powerOfTen = (exponent: number): bigint => {
  powers[exponent] ??= 10n ** BigInt(exponent);
  return powers[exponent];
};

type Priced = Pick<PoolSnapshot, 'reserveA' | 'reserveB' | 'solPrice'> & {
  readonly token: Pick<PoolSnapshot['token'], 'supply'>;
};

function marketCapIn(unitsPerUsd: bigint, { reserveA, reserveB, token, solPrice }: Priced): bigint {
  if (reserveA === 0n) return 0n;
  return (
    (reserveB * token.supply * solPrice.answer * unitsPerUsd) /
    (reserveA * powerOfTen(SOL_DECIMALS + solPrice.decimals))
  );
}

/**
 * Computes the market cap in millionths of a USD, rounded down: `reserveB * supply / reserveA` lamports at the feed's price
 * ([level D](/protocol), with two published examples).
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(Number(computeMarketCap(snapshot)) / 1e6);
 * ```
 */
export const computeMarketCap = (snapshot: Priced): bigint => marketCapIn(1_000_000n, snapshot);

/**
 * Computes the market cap in the unit of the pool's fee brackets, rounded down before the comparison. Bounds of standard configs are in
 * whole USD ([level M](/protocol)); `rules.proMarketCapUnitsPerUsd` defines those of pro pools ([A5](/protocol#assumptions)).
 */
export const marketCapInBoundUnits = (snapshot: Priced & Pick<PoolSnapshot, 'kind' | 'rules'>): bigint =>
  marketCapIn(snapshot.kind === 'pro' ? snapshot.rules.proMarketCapUnitsPerUsd : 1n, snapshot);
