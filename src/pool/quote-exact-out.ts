import { assertPositiveU64 } from '../input.js';
import { maximumAfterSlippage } from '../math/slippage.js';
import { computeBuy, computeBuyExactOut, computeSell, computeSellExactOut } from '../math/swap.js';
import type { SwapResult, SwapState } from '../math/types.js';
import { assertUiAmount, toNativeAmount, type UiAmount } from '../math/units.js';
import {
  assertTradable,
  buyQuoteFrom,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  sellQuoteOf,
} from './quote.js';
import {
  assertTerms,
  type EitherExactOutAmount,
  nativeOf,
  type QuoteTerms,
  SOL_DECIMALS,
} from './quote-amounts.js';
import type { FetchedPoolSnapshot } from './snapshot.js';
import { toSwapState } from './swap-state.js';

const FIELDS = ['amountOut', 'amountOutUi'] as const;

/** Rejects input early when that needs no snapshot. */
export function assertExactOutInput(amount: EitherExactOutAmount & QuoteTerms): void {
  if (nativeOf(amount.amountOut, amount.amountOutUi, FIELDS) === undefined)
    assertUiAmount(amount.amountOutUi as UiAmount, 'amountOutUi');
  assertTerms(amount);
}

/** Returns the native amount that must come out. */
export function exactAmountOut({ amountOut, amountOutUi }: EitherExactOutAmount, decimals: number): bigint {
  const native =
    nativeOf(amountOut, amountOutUi, FIELDS) ??
    toNativeAmount(amountOutUi as UiAmount, decimals, 'amountOutUi');
  assertPositiveU64(native, 'amountOutUi');
  return native;
}

export function buyExactOutQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherExactOutAmount & QuoteTerms,
): DetailedBuyQuote {
  assertTradable(snapshot, snapshot.addresses.pool);
  const amountOut = exactAmountOut(amount, snapshot.token.decimals);
  const most = mostIn(toSwapState(snapshot), amountOut, amount, computeBuyExactOut, computeBuy);
  return buyQuoteFrom(snapshot, most, amount, amountOut);
}

export function sellExactOutQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherExactOutAmount & QuoteTerms,
): DetailedSellQuote {
  assertTradable(snapshot, snapshot.addresses.pool);
  const amountOut = exactAmountOut(amount, SOL_DECIMALS);
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
