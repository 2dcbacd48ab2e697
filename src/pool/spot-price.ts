import { computeFrom, invalidInput } from '../base/input.js';
import type { PoolSnapshot } from './decode.js';
import { tokenPriceInSol } from './quote.js';
import { SOL_DECIMALS } from './quote-amounts.js';

/** What {@link toSpotPrice} needs of a snapshot. */
type Priced = Pick<PoolSnapshot, 'reserveA' | 'reserveB' | 'solPrice'> & {
  readonly token: Pick<PoolSnapshot['token'], 'decimals'>;
};

/** A pool's price now, before fees and price impact. Floats, for display. */
export interface SpotPrice {
  /** SOL per whole token. */
  readonly solPerToken: number;
  readonly usdPerToken: number;
  /** The price that the exchange itself uses. */
  readonly usdPerSol: number;
}

/**
 * Computes a pool's price now for display, in SOL and in dollars. A trade gets less: fees and price impact come on top.
 *
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { solPerToken, usdPerToken } = toSpotPrice(snapshot);
 * console.log(formatPrice(solPerToken), formatUsd(usdPerToken));
 * ```
 */
export const toSpotPrice = (snapshot: Priced): SpotPrice =>
  computeFrom('snapshot', 'a pool snapshot', () => {
    const { reserveA, reserveB, token, solPrice } = snapshot;
    const solPerToken = tokenPriceInSol(reserveA, reserveB, token.decimals);
    const usdPerSol = Number(solPrice.answer) / 10 ** solPrice.decimals;
    return { solPerToken, usdPerToken: solPerToken * usdPerSol, usdPerSol };
  });

/**
 * Computes what an amount is worth in dollars at a pool's price now, for display. Selling it brings less: see {@link toSpotPrice}.
 *
 * @param amount Lamports or token units, as `asset` says.
 * @param asset What `amount` counts: lamports (`SOL`) or native token units (`token`).
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(formatUsd(toUsdValue(snapshot, 1_500_000_000n, 'SOL')));
 * ```
 */
export function toUsdValue(snapshot: Priced, amount: bigint, asset: 'SOL' | 'token'): number {
  const { usdPerSol, usdPerToken } = toSpotPrice(snapshot);
  if (typeof amount !== 'bigint') throw invalidInput('amount', amount, 'a bigint of native units');
  if (asset !== 'SOL' && asset !== 'token') throw invalidInput('asset', asset, "'SOL' or 'token'");
  return asset === 'SOL'
    ? (Number(amount) / 10 ** SOL_DECIMALS) * usdPerSol
    : (Number(amount) / 10 ** snapshot.token.decimals) * usdPerToken;
}
