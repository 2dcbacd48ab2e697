import type { ParsedTradePrice } from './trades.js';

/** A price, unless an amount is missing or there is nothing to divide by. */
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
