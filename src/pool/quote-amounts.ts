import { assertPositiveU64, describe, inputError } from '../input.js';
import { slippageOf } from '../math/slippage.js';
import { assertUiAmount, toNativeAmount, type UiAmount } from '../math/units.js';

export const SOL_DECIMALS = 9;

/** The feed is meant to be written every few minutes. */
export const STALE_PRICE_SECONDS = 3600;

/** 5 %. */
export const PRICE_IMPACT_BPS = 500;

/** How any quote is made. */
export interface QuoteTerms {
  /** Whole basis points, 0 to 10000: 50 is 0.5 %. */
  readonly slippageBps: number;
  /** The age of the SOL/USD price, in seconds, from which the quote warns (`stale-price`). Default 3600. */
  readonly stalePriceSeconds?: number | null | undefined;
  /** The price impact, in basis points, from which the quote warns (`price-impact`). Default 500: 5 %. */
  readonly maxPriceImpactBps?: number | null | undefined;
}

/** What a buy quote is asked for: SOL or lamports, never both. */
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

/** What a sell quote is asked for: tokens or token units, never both. */
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

/** What an exact-out quote is asked for, in native or in UI units, never both: tokens of a buy, SOL of a sell. */
export type ExactOutAmount = QuoteTerms &
  (
    | {
        /** What must arrive: token units of a buy, lamports of a sell. */
        readonly amountOut: bigint;
        readonly amountOutUi?: null | undefined;
      }
    | {
        /** What must arrive: tokens of a buy, SOL of a sell. */
        readonly amountOutUi: UiAmount;
        readonly amountOut?: null | undefined;
      }
  );

/** The native amount of one that is given in either form, which must not be 0. `undefined` if it is given in UI units. */
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
  assertPositiveU64(native, nativeField);
  return native;
}

const IN_SOL = ['lamports', 'maxSolSpend'] as const;
const IN_TOKENS = ['amountIn', 'amountInUi'] as const;

/** The lamports of a buy. */
export const lamportsOf = ({ lamports, maxSolSpend }: BuyAmount): bigint =>
  nativeOf(lamports, maxSolSpend, IN_SOL) ??
  toNativeAmount(maxSolSpend as UiAmount, SOL_DECIMALS, 'maxSolSpend');

/** The lamports of a buy, and an early refusal of terms that are none. */
export function lamportsToSpend(amount: BuyAmount): bigint {
  const lamports = lamportsOf(amount);
  assertPositiveU64(lamports, 'maxSolSpend');
  assertTerms(amount);
  return lamports;
}

/** The token units of a sell, if they are given. */
export const unitsOf = ({ amountIn, amountInUi }: SellAmount): bigint | undefined =>
  nativeOf(amountIn, amountInUi, IN_TOKENS);

/** Refuses early what needs no snapshot to be refused. */
export function assertSellInput(amount: SellAmount): void {
  if (unitsOf(amount) === undefined) assertUiAmount(amount.amountInUi as UiAmount, 'amountInUi');
  assertTerms(amount);
}

/** The token units of a sell. */
export function tokensToSell(amount: SellAmount, decimals: number): bigint {
  const amountIn = unitsOf(amount) ?? toNativeAmount(amount.amountInUi as UiAmount, decimals, 'amountInUi');
  assertPositiveU64(amountIn, 'amountInUi');
  return amountIn;
}

export function assertTerms(terms: QuoteTerms): void {
  slippageOf(terms.slippageBps);
  assertThreshold('stalePriceSeconds', terms.stalePriceSeconds, 'seconds', STALE_PRICE_SECONDS);
  assertThreshold('maxPriceImpactBps', terms.maxPriceImpactBps, 'basis points', PRICE_IMPACT_BPS);
}

function assertThreshold(field: string, value: unknown, unit: string, byDefault: number): void {
  if (value === undefined || value === null || (typeof value === 'number' && value >= 0)) return;
  const message = `${field} must be a number of ${unit} from 0 on; got ${describe(value)}. Leave it out for ${byDefault}.`;
  throw inputError(field, message, value);
}
