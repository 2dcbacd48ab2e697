import { HeavenError, isHeavenError } from '../base/errors.js';
import { describe, inputError } from '../base/input.js';
import { assertUiAmount, inSol, toNativeAmount, type UiAmount } from '../math/units.js';
import type { PoolSnapshot } from './decode.js';

export const SOL_DECIMALS = 9;

/** The feed should update every few minutes. */
export const STALE_PRICE_SECONDS = 3600;

/** 5 %. */
export const PRICE_IMPACT_BPS = 500;

/** 5 %. */
export const FEE_WARNING_BPS = 500;

/** When the fees of a trade are worth a warning. */
export interface FeeWarningOptions {
  /** Warns (`high-fee`) when the fees take this many basis points of the SOL side or more. Default 500: 5 %. */
  readonly feeWarningBps?: number | null | undefined;
}

/** The terms of any quote. */
export interface QuoteTerms extends FeeWarningOptions {
  /** Whole basis points, 0 to 10000: 50 is 0.5 %. */
  readonly slippageBps: number;
  /** The quote warns (`stale-price`) when the SOL/USD price is older than this many seconds. Default 3600. */
  readonly stalePriceSeconds?: number | null | undefined;
  /** The quote warns (`price-impact`) when the price impact is above this many basis points. Default 500: 5 %. */
  readonly maxPriceImpactBps?: number | null | undefined;
}

/** Which side of an exact-out trade the slippage widens. */
export type SlippageOn = 'input' | 'output';

/** The amount and terms of a buy quote: SOL or lamports, never both. */
export type BuyAmount = QuoteTerms &
  (
    | {
        /** SOL to spend, fees included. */
        readonly maxSolSpend: UiAmount;
        readonly lamports?: null | undefined;
      }
    | {
        /** Lamports to spend, fees included. */
        readonly lamports: bigint;
        readonly maxSolSpend?: null | undefined;
      }
  );

/** The amount and terms of a sell quote: tokens or token units, never both. */
export type SellAmount = QuoteTerms &
  (
    | {
        /** Tokens to sell. */
        readonly amountInUi: UiAmount;
        readonly amountIn?: null | undefined;
      }
    | {
        /** Token units to sell. */
        readonly amountIn: bigint;
        readonly amountInUi?: null | undefined;
      }
  );

/** The amount and terms of an exact-out quote, in native or UI units, never both: tokens for a buy, SOL for a sell. */
export type ExactOutAmount = QuoteTerms & {
  /**
   * Where the slippage goes. `input` (default): the trade pays that much more than the least input, all of it, and at least the
   * output arrives. `output`: it pays the least input, and up to that much less than the output may arrive.
   */
  readonly slippageOn?: SlippageOn | null | undefined;
} & (
    | {
        /** What is to arrive: token units for a buy, lamports for a sell. */
        readonly amountOut: bigint;
        readonly amountOutUi?: null | undefined;
      }
    | {
        /** What is to arrive: tokens for a buy, SOL for a sell. */
        readonly amountOutUi: UiAmount;
        readonly amountOut?: null | undefined;
      }
  );

/** A {@link BuyAmount} with both of its fields, one of them `undefined`. */
type EitherBuyAmount = Partial<Record<'lamports', bigint | null | undefined>> &
  Partial<Record<'maxSolSpend', UiAmount | null | undefined>>;

/** A {@link SellAmount} with both of its fields, one of them `undefined`. */
export type EitherSellAmount = Partial<Record<'amountIn', bigint | null | undefined>> &
  Partial<Record<'amountInUi', UiAmount | null | undefined>>;

/** An {@link ExactOutAmount} with both of its fields, one of them `undefined`. */
export type EitherExactOutAmount = Pick<ExactOutAmount, 'slippageOn'> &
  Partial<Record<'amountOut', bigint | null | undefined>> &
  Partial<Record<'amountOutUi', UiAmount | null | undefined>>;

/** Returns the native amount, or `undefined` if the amount is in UI units. */
export function nativeOf(
  native: bigint | null | undefined,
  ui: UiAmount | null | undefined,
  [nativeField, uiField]: readonly [native: string, ui: string],
): bigint | undefined {
  if (native === undefined || native === null) return undefined;
  if (ui !== undefined && ui !== null) {
    const message = `Both ${nativeField} and ${uiField} are given. Give ${nativeField} (a bigint) or ${uiField}, not both.`;
    throw inputError(nativeField, message, native);
  }
  return native;
}

const IN_SOL = ['lamports', 'maxSolSpend'] as const;
const IN_TOKENS = ['amountIn', 'amountInUi'] as const;

/** A billion SOL. There are some 600 million, and inflation adds less than 5 % a year. */
const MAX_LAMPORTS = 1_000_000_000_000_000_000n;

/** Returns the lamports of a buy. */
export function lamportsToSpend({ lamports, maxSolSpend }: EitherBuyAmount): bigint {
  const spend =
    nativeOf(lamports, maxSolSpend, IN_SOL) ??
    toNativeAmount((maxSolSpend ?? undefined) as UiAmount, SOL_DECIMALS, 'maxSolSpend');
  if (spend <= MAX_LAMPORTS) return spend;
  const [field, value] = typeof lamports === 'bigint' ? ['lamports', lamports] : ['maxSolSpend', maxSolSpend];
  const message = `${field} is ${describe(value)}, which is more than all SOL in existence. Check its unit: ${inSol(spend)} would be spent.`;
  throw new HeavenError('amount-out-of-range', message, { field, value });
}

/** The error of a pool that can't trade so much, in the field and the unit of the caller. Other errors stay as they are. */
export function inUnitOf(error: unknown, field: string, asked: unknown, toUi: (native: bigint) => string) {
  // An empty pool has nothing of any unit.
  if (!isHeavenError(error, 'insufficient-liquidity') || error.context.requested === 1n) return error;
  const most = toUi(error.context.available);
  const message = `${field} is ${asked}, but the pool can trade at most ${most}. Ask for less.`;
  return new HeavenError('insufficient-liquidity', message, error.context);
}

/** Returns the token units of a sell, if the caller gave them. */
export const nativeAmountIn = ({ amountIn, amountInUi }: EitherSellAmount): bigint | undefined =>
  nativeOf(amountIn, amountInUi, IN_TOKENS);

/** Throws unless there is one amount. */
export function assertSellAmount(amount: EitherSellAmount): void {
  if (nativeAmountIn(amount) === undefined)
    assertUiAmount((amount.amountInUi ?? undefined) as UiAmount, 'amountInUi');
}

type Token = Pick<PoolSnapshot['token'], 'decimals' | 'isDisplayScaled'>;

/** Returns the token units of a sell. */
export const tokensToSell = (amount: EitherSellAmount, token: Token): bigint =>
  nativeAmountIn(amount) ?? tokenUnits(amount.amountInUi as UiAmount, token, 'amountInUi');

/** Converts a UI amount of a token. Throws if wallets show another figure. */
function tokenUnits(amount: UiAmount, { decimals, isDisplayScaled }: Token, field: string): bigint {
  if (!isDisplayScaled) return toNativeAmount(amount, decimals, field);
  const native = field.replace(/Ui$/, '');
  throw inputError(
    field,
    `The token's mint scales the amounts that wallets show, so ${field} could mean another amount. Pass ${native}, in native units.`,
    amount,
  );
}

const OUT_FIELDS = ['amountOut', 'amountOutUi'] as const;

/** Throws unless there is one amount. */
export function assertExactOutAmount(amount: EitherExactOutAmount): void {
  if (nativeOf(amount.amountOut, amount.amountOutUi, OUT_FIELDS) === undefined)
    assertUiAmount(amount.amountOutUi as UiAmount, 'amountOutUi');
}

/** Returns the native amount that must come out. */
export const exactAmountOut = ({ amountOut, amountOutUi }: EitherExactOutAmount, token: Token): bigint =>
  nativeOf(amountOut, amountOutUi, OUT_FIELDS) ?? tokenUnits(amountOutUi as UiAmount, token, 'amountOutUi');

/** For {@link exactAmountOut} of a sell. */
export const NATIVE_SOL = { decimals: SOL_DECIMALS, isDisplayScaled: false } as const;
