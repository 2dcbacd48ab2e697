import type { PoolSnapshot } from './decode.js';

const LAMPORTS_PER_SOL = 1_000_000_000n;

/**
 * Assumption A5: how many units of a market cap bound make a USD. The bounds of the standard configs hold whole USD
 * (level M); those of pro pools are taken to hold millionths, as the interface's examples speak of them.
 */
const BOUND_UNITS_PER_USD = { standard: 1n, pro: 1_000_000n } as const;

type Priced = Pick<PoolSnapshot, 'reserveA' | 'reserveB' | 'solPrice'> & {
  readonly token: Pick<PoolSnapshot['token'], 'supply'>;
};

function marketCapIn(unitsPerUsd: bigint, { reserveA, reserveB, token, solPrice }: Priced): bigint {
  if (reserveA === 0n) return 0n;
  return (
    (reserveB * token.supply * solPrice.answer * unitsPerUsd) /
    (reserveA * LAMPORTS_PER_SOL * 10n ** BigInt(solPrice.decimals))
  );
}

/**
 * The market cap in millionths of a USD, rounded down: `reserveB * supply / reserveA` lamports at the feed's price
 * (level D, with two published examples).
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(Number(computeMarketCap(snapshot)) / 1e6);
 * ```
 */
export const computeMarketCap = (snapshot: Priced): bigint => marketCapIn(1_000_000n, snapshot);

/** The market cap in the unit of the pool's fee brackets, rounded down before it is compared (A5). */
export const marketCapInBoundUnits = (snapshot: Priced & Pick<PoolSnapshot, 'kind'>): bigint =>
  marketCapIn(BOUND_UNITS_PER_USD[snapshot.kind], snapshot);
