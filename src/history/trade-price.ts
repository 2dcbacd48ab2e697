import type { ParsedTradePrice } from './trades.js';

/** Returns a price, unless an amount is missing or the divisor is 0. */
export function tradePriceOf(
  lamports: bigint | undefined,
  tokenUnits: bigint | undefined,
  decimals: number | undefined,
): ParsedTradePrice | undefined {
  if (lamports === undefined || tokenUnits === undefined || tokenUnits <= 0n) return undefined;
  const ratio = Number(lamports) / Number(tokenUnits);
  const solPerToken = decimals === undefined ? undefined : ratio * 10 ** (decimals - 9);
  return { lamports, tokenUnits, solPerToken };
}
