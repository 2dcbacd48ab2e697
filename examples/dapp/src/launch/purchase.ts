// The first purchase of a launch, as it is typed and as it is built.
import type { InitialBuyQuote } from 'heaven-pools';

import { explainError, parseAmount, toField } from '../format';

export const SLIPPAGE_BPS = 100;
/** What the first purchase is typed in. */
export const PURCHASE_UNITS = { percent: '% of supply', tokens: 'Tokens', SOL: 'SOL' } as const;
export type PurchaseUnit = keyof typeof PURCHASE_UNITS;

/** The first purchase in native tokens. SOL is what it costs at most, at the curve that a small purchase shows. */
export function readPurchase(text: string, unit: PurchaseUnit, supply: bigint, small?: InitialBuyQuote) {
  if (text.trim() === '') return { amount: 0n };
  try {
    const typed = parseAmount(text, unit === 'percent' ? 4 : 9);
    const amount =
      unit === 'tokens'
        ? typed
        : unit === 'percent'
          ? (supply * typed) / 1_000_000n
          : tokensFor(typed, supply, small);
    return amount < supply
      ? { amount }
      : { amount: 0n, problem: 'The pool keeps some tokens, so 100% can’t be bought. Type less.' };
  } catch (error) {
    return { amount: 0n, problem: explainError(error).message };
  }
}

/** A purchase as it is typed in a unit. */
export function typedAs(
  unit: PurchaseUnit,
  amount: bigint,
  supply: bigint,
  quote: InitialBuyQuote | undefined,
): string | undefined {
  if (unit === 'SOL') return quote && toField(quote.costLamports, 9);
  return unit === 'tokens' ? toField(amount, 9) : toField((amount * 1_000_000n) / supply, 4);
}

function tokensFor(lamports: bigint, supply: bigint, small: InitialBuyQuote | undefined): bigint {
  if (small === undefined) return 0n;
  const { tokenAmount, details } = small;
  // The cost of x tokens is x * reserve / (supply - x), before the slippage.
  const reserve = (details.leastLamports * (supply - tokenAmount)) / tokenAmount;
  const spent = (lamports * 10_000n) / BigInt(10_000 + SLIPPAGE_BPS);
  return (supply * spent) / (reserve + spent);
}
