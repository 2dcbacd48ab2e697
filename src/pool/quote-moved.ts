import { assertNumber, inputError } from '../input.js';
import { maximumAfterSlippage } from '../math/slippage.js';
import type { DetailedBuyQuote, DetailedSellQuote } from './quote.js';

/** Options of {@link hasQuoteMoved}. */
export interface HasQuoteMovedOptions {
  /** The largest change to ignore, in basis points. Default 10: 0.1 %. */
  readonly toleranceBps?: number | undefined;
}

/**
 * Whether a new quote of the same trade differs so much from the one that the user saw that the user should see the new one before signing: by
 * more than `toleranceBps` of the result, or so that the trade would fail. The quotes may be for different pools of the token.
 *
 * @param seen The quote on the screen.
 * @param now The same trade, quoted again: of the same amount in, or of the same exact amount out.
 * @throws {HeavenError} `invalid-input` (two different trades)
 * @example
 * ```ts
 * const trade = { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 };
 * const seen = await quoteBuy(client, trade);
 * const now = await quoteBuy(client, trade);
 * if (hasQuoteMoved(seen, now)) console.log('The price has moved. Look again.', now.minimumOutUi);
 * ```
 */
export function hasQuoteMoved(
  seen: DetailedBuyQuote | DetailedSellQuote,
  now: DetailedBuyQuote | DetailedSellQuote,
  { toleranceBps = 10 }: HasQuoteMovedOptions = {},
): boolean {
  assertNumber('toleranceBps', toleranceBps, [0, 10_000]);
  const [before, after] = [seen.details, now.details];
  const isSameIn = before.amountIn === after.amountIn;
  const isSameTrade =
    seen.mint === now.mint &&
    'maxLamportSpend' in seen === 'maxLamportSpend' in now &&
    (isSameIn || seen.minimumOut === now.minimumOut);
  if (!isSameTrade)
    throw inputError(
      'now',
      'The two quotes are for different trades: quote the same amount of the same token again.',
    );
  const isOver = (a: bigint, b: bigint) => Number(a > b ? a - b : b - a) * 10_000 > Number(a) * toleranceBps;
  if (isSameIn) return after.amountOut < seen.minimumOut || isOver(before.amountOut, after.amountOut);
  // An exact amount out takes at most `amountIn`, which includes the slippage: it fails when the smallest sufficient input is over that.
  return (
    after.amountIn > maximumAfterSlippage(before.amountIn, now.slippageBps) ||
    isOver(before.amountIn, after.amountIn)
  );
}
