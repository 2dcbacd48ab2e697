import { computeFrom } from '../base/input.js';

/** What a SOL/USD feed says. */
interface SolUsdPrice {
  readonly answer: bigint;
  readonly decimals: number;
}

const LAMPORTS_PER_SOL = 1_000_000_000n;
const MICRO_USD_PER_USD = 1_000_000n;

/**
 * What lamports are worth at the price of a SOL/USD feed, in millionths of a USD, rounded toward zero. For lamports beside a trade, such as
 * rent, fees and balances; {@link toUsdValue} values the amounts of a pool.
 *
 * @param lamports May be negative, for a change.
 * @param solPrice Such as `snapshot.solPrice`: the price that the exchange itself goes by.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const { solPrice } = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(formatUsd(toMicroUsd(1_500_000_000n, solPrice))); // $123.02
 * ```
 */
export const toMicroUsd = (lamports: bigint, solPrice: SolUsdPrice): bigint =>
  computeFrom('lamports', "a bigint, with a snapshot's solPrice", () => {
    const { answer, decimals } = solPrice;
    return (lamports * answer * MICRO_USD_PER_USD) / (LAMPORTS_PER_SOL * 10n ** BigInt(decimals));
  });
