import { inputError } from '../base/input.js';
import type { FetchedPoolSnapshot } from '../pool/check.js';
import {
  buyExactOutQuoteFrom,
  buyQuoteFrom,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  sellExactOutQuoteFrom,
  sellQuoteFrom,
} from '../pool/quote.js';
import {
  assertExactOutAmount,
  assertSellAmount,
  type BuyAmount,
  type ExactOutAmount,
  exactAmountOut,
  lamportsToSpend,
  NATIVE_SOL,
  type SellAmount,
  tokensToSell,
} from '../pool/quote-amounts.js';

/** The two sides of a trade. */
export type Side = 'buy' | 'sell';

/** None of these fields. */
type Without<TFields extends string> = { readonly [TField in TFields]?: null | undefined };

/** A trade by what goes in or by what must come out. `side` says whether it is a buy or a sell. */
export type TradeAmount<TSide extends Side = Side> = TSide extends 'buy'
  ? { readonly side: 'buy' } & (
      | (BuyAmount & Without<'amountOut' | 'amountOutUi' | 'slippageOn'>)
      | (ExactOutAmount & Without<'lamports' | 'maxSolSpend'>)
    )
  : { readonly side: 'sell' } & (
      | (SellAmount & Without<'amountOut' | 'amountOutUi' | 'slippageOn'>)
      | (ExactOutAmount & Without<'amountIn' | 'amountInUi'>)
    );

export type QuoteOf<TSide extends Side> = TSide extends 'buy' ? DetailedBuyQuote : DetailedSellQuote;

/** How to quote a trade in any pool of its token. */
export interface TradeQuoter {
  readonly side: Side;
  /** Whether the amount is what must come out. */
  readonly isExactOut: boolean;
  /** Throws if the amount is wrong in every pool of the token. */
  readonly assertAmount: (token: FetchedPoolSnapshot['token']) => void;
  readonly quote: (snapshot: FetchedPoolSnapshot) => Promise<DetailedBuyQuote | DetailedSellQuote>;
}

const AMOUNTS = {
  buy: ['lamports', 'maxSolSpend', 'amountOut', 'amountOutUi'],
  sell: ['amountIn', 'amountInUi', 'amountOut', 'amountOutUi'],
} as const;

/** Returns the name of the only amount of a trade, or `undefined` if there is none. */
function amountFieldOf(trade: TradeAmount): string | undefined {
  const fields = trade as unknown as Readonly<Record<string, unknown>>;
  const [field, second] = AMOUNTS[trade.side].filter((name) => (fields[name] ?? undefined) !== undefined);
  if (field !== undefined && second !== undefined)
    throw inputError(field, `Both ${field} and ${second} are given. Give one amount.`, fields[field]);
  return field;
}

/** Returns how to quote a trade. Throws unless it has one amount. */
export function quoterOf(trade: TradeAmount): TradeQuoter {
  const { side } = trade;
  if (amountFieldOf(trade)?.startsWith('amountOut')) {
    const amount = trade as ExactOutAmount;
    assertExactOutAmount(amount);
    return {
      side,
      isExactOut: true,
      assertAmount: (token) => void exactAmountOut(amount, side === 'buy' ? token : NATIVE_SOL),
      quote: (snapshot) =>
        side === 'buy' ? buyExactOutQuoteFrom(snapshot, amount) : sellExactOutQuoteFrom(snapshot, amount),
    };
  }
  const { slippageOn } = trade as Partial<ExactOutAmount>;
  if (slippageOn !== undefined && slippageOn !== null)
    throw inputError('slippageOn', 'slippageOn is for amountOut or amountOutUi. Leave it out.', slippageOn);
  if (side === 'buy') {
    const lamports = lamportsToSpend(trade as BuyAmount);
    return {
      side,
      isExactOut: false,
      assertAmount: () => {},
      quote: (snapshot) => buyQuoteFrom(snapshot, lamports, trade),
    };
  }
  const amount = trade as SellAmount;
  assertSellAmount(amount);
  return {
    side,
    isExactOut: false,
    assertAmount: (token) => void tokensToSell(amount, token),
    quote: (snapshot) => sellQuoteFrom(snapshot, amount),
  };
}
