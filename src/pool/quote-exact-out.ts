import { maximumAfterSlippage } from '../math/slippage.js';
import { computeBuy, computeBuyExactOut, computeSell, computeSellExactOut } from '../math/swap.js';
import type { SwapResult, SwapState } from '../math/types.js';
import { assertUiAmount, type UiAmount } from '../math/units.js';
import type { FetchedPoolSnapshot } from './check.js';
import {
  assertTradable,
  buyQuoteFrom,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  sellQuoteOf,
} from './quote.js';
import {
  type EitherExactOutAmount,
  nativeOf,
  type QuoteTerms,
  SOL_DECIMALS,
  tokenUnits,
} from './quote-amounts.js';
import { toSwapState } from './swap-state.js';

const FIELDS = ['amountOut', 'amountOutUi'] as const;

/** Throws unless there is one amount. */
export function assertExactOutAmount(amount: EitherExactOutAmount): void {
  if (nativeOf(amount.amountOut, amount.amountOutUi, FIELDS) === undefined)
    assertUiAmount(amount.amountOutUi as UiAmount, 'amountOutUi');
}

/** Returns the native amount that must come out. */
export const exactAmountOut = (
  { amountOut, amountOutUi }: EitherExactOutAmount,
  token: Parameters<typeof tokenUnits>[1],
): bigint =>
  nativeOf(amountOut, amountOutUi, FIELDS) ?? tokenUnits(amountOutUi as UiAmount, token, 'amountOutUi');

/** For {@link exactAmountOut} of a sell. */
export const SOL = { decimals: SOL_DECIMALS, isDisplayScaled: false } as const;

export function buyExactOutQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherExactOutAmount & QuoteTerms,
): DetailedBuyQuote {
  assertTradable(snapshot, snapshot.addresses.pool);
  const amountOut = exactAmountOut(amount, snapshot.token);
  const most = mostIn(toSwapState(snapshot), amountOut, amount, computeBuyExactOut, computeBuy);
  return buyQuoteFrom(snapshot, most, amount, amountOut);
}

export function sellExactOutQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherExactOutAmount & QuoteTerms,
): DetailedSellQuote {
  assertTradable(snapshot, snapshot.addresses.pool);
  const amountOut = exactAmountOut(amount, SOL);
  const most = mostIn(toSwapState(snapshot), amountOut, amount, computeSellExactOut, computeSell);
  return sellQuoteOf(snapshot, most, amount, amountOut);
}

type Compute = (state: SwapState, amount: bigint) => SwapResult;

/** Returns the most that the trade takes: the smallest sufficient input plus slippage. */
function mostIn(
  state: SwapState,
  amountOut: bigint,
  { slippageBps }: QuoteTerms,
  exactOut: Compute,
  exactIn: Compute,
): bigint {
  const { amountIn } = exactOut(state, amountOut);
  const most = maximumAfterSlippage(amountIn, slippageBps);
  // Fees are rounded down one by one, so a few units more can yield less. The smallest input is known to be enough.
  return exactIn(state, most).amountOut >= amountOut ? most : amountIn;
}
