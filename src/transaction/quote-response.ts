import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { describe, inputError, invalidInput } from '../base/input.js';
import { U64_MAX } from '../base/integers.js';
import { leastMinimum, minimumAfterSlippage } from '../math/slippage.js';
import { scaleDecimal, toUiAmount, type UiAmount } from '../math/units.js';
import type { PoolLocator } from '../pool/addresses.js';
import type { PoolSnapshot } from '../pool/decode.js';
import type { BuyQuote, SellQuote } from '../pool/quote.js';
import {
  type BuyAmount,
  lamportsToSpend,
  nativeAmountIn,
  type SellAmount,
  SOL_DECIMALS,
} from '../pool/quote-amounts.js';
import { assertUsedFor } from '../pool/read.js';
import { type AddressInput, plainAddress } from '../solana/addresses.js';

const FIELD = 'quoteResponse';

/** Rejects what is not a quote, or a quote of the other side. */
export function assertSide(quote: unknown, side: 'buy' | 'sell', field: string): void {
  if (typeof quote !== 'object' || quote === null) throw invalidInput(field, quote, `a ${side} quote`);
  const found = 'maxLamportSpend' in quote ? 'buy' : 'amountIn' in quote ? 'sell' : undefined;
  if (found === side) return;
  if (found === undefined) {
    if ('then' in quote) throw invalidInput(field, quote, `a ${side} quote`);
    if ('max_lamport_spend' in quote || 'amount_in' in quote)
      throw inputError(field, `${field} is JSON: read it with decodeQuote of heaven-pools/http.`);
    // What lacks more is left to the next check.
    return;
  }
  throw new HeavenError(
    'quote-mismatch',
    `${field} is a ${found} quote, but this builds a ${side}. Quote the ${side}.`,
    { field, asked: side, found },
  );
}

/** Rejects a buy quote for another program, and one whose SOL, which a person saw, is not its lamports. */
export function assertBuyQuote(quote: BuyQuote, programAddress: Address): BuyQuote {
  assertUsedFor(`${FIELD}.programId`, programAddress, quote.programId);
  assertShownAmount('maxSolSpend', quote.maxLamportSpend, SOL_DECIMALS, quote.maxSolSpend);
  return quote;
}

/** {@link assertBuyQuote} for a sell quote. */
export function assertSellQuote(quote: SellQuote, programAddress: Address): SellQuote {
  assertUsedFor(`${FIELD}.programId`, programAddress, quote.programId);
  assertShownAmount('minimumOutUi', quote.minimumOut, SOL_DECIMALS, quote.minimumOutUi);
  return quote;
}

/** Rejects a quote that names another pool than it is used for. */
export function assertQuotedPool({ details }: BuyQuote | SellQuote, pool: Address): void {
  const quoted = details?.pool ?? undefined;
  if (quoted !== undefined) assertUsedFor(`${FIELD}.details.pool`, pool, quoted);
}

/** Rejects a quote whose UI amount of tokens is not its native amount. A mint that scales what wallets show has no such amount. */
export function assertShownTokens(
  quote: BuyQuote | SellQuote,
  { decimals, isDisplayScaled }: PoolSnapshot['token'],
): void {
  if (isDisplayScaled) return;
  if ('amountIn' in quote) assertShownAmount('amountInUi', quote.amountIn, decimals, quote.amountInUi);
  else assertShownAmount('minimumOutUi', quote.minimumOut, decimals, quote.minimumOutUi);
}

function assertShownAmount(field: string, native: bigint, decimals: number, shown: number): void {
  if (isShown(native, decimals, shown)) return;
  const exact = toUiAmount(native, decimals);
  throw new HeavenError(
    'quote-mismatch',
    `${FIELD}.${field} is ${describe(shown)}, but its native amount ${native} is ${exact}. Pass the quote on as it was returned.`,
    { field: `${FIELD}.${field}`, asked: Number(exact), found: shown },
  );
}

// A quote from elsewhere may be consistent in itself but answer another question. These checks compare it with its request.

/** Which pool and program a quote was requested for. */
interface Asked extends Omit<PoolLocator, 'mint' | 'pool'> {
  readonly mint: AddressInput;
  readonly pool?: AddressInput | null | undefined;
  readonly slippageBps: number;
}

/**
 * Throws if a buy quote does not answer its request. Its UI amount of tokens is left to {@link assertShownBuy}, or to code that reads the
 * token.
 * @param path The prefix of the field's name in errors, such as `quoteResponse.`.
 */
export function assertAnswersBuy(
  quote: BuyQuote,
  asked: Asked & BuyAmount,
  programAddress: Address,
  path = '',
): void {
  const check = checkOf(path);
  assertAnswers(quote, asked, programAddress, check);
  const lamports = lamportsToSpend(asked);
  check('maxLamportSpend', lamports, quote.maxLamportSpend);
  assertShownSol(`${path}maxSolSpend`, lamports, quote.maxSolSpend);
}

/** Throws if the token amounts of a buy quote can't be the same, whatever the token's decimals. */
export function assertShownBuy({ minimumOut, minimumOutUi }: BuyQuote): void {
  if (decimalsOf(minimumOut, minimumOutUi) === undefined)
    throw quoteMismatch('minimumOutUi', minimumOut, minimumOutUi);
}

/** {@link assertShownBuy} for a sell quote. */
export function assertShownSell({ amountIn, amountInUi }: SellQuote): void {
  if (decimalsOf(amountIn, amountInUi) === undefined) throw quoteMismatch('amountInUi', amountIn, amountInUi);
}

/** {@link assertAnswersBuy} for a sell quote. */
export function assertAnswersSell(
  quote: SellQuote,
  asked: Asked & SellAmount,
  programAddress: Address,
  path = '',
): void {
  const check = checkOf(path);
  assertAnswers(quote, asked, programAddress, check);
  const { amountIn, amountInUi, minimumOut } = quote;
  const units = nativeAmountIn(asked);
  if (units === undefined) {
    const asUi = asked.amountInUi as UiAmount;
    if (!isNear(Number(asUi), amountInUi)) throw quoteMismatch(`${path}amountInUi`, asUi, amountInUi);
    const decimals = decimalsOf(amountIn, Number(asUi));
    if (decimals === undefined || scaled(asUi) !== amountIn * 10n ** BigInt(MAX_DECIMALS - decimals))
      throw quoteMismatch(`${path}amountIn`, asUi, amountIn);
  } else check('amountIn', units, amountIn);
  assertShownSol(`${path}minimumOutUi`, minimumOut, quote.minimumOutUi);
}

function assertAnswers(quote: BuyQuote | SellQuote, asked: Asked, programAddress: Address, check: Check) {
  check('programId', programAddress, quote.programId);
  check('configVersion', asked.configVersion, quote.configVersion);
  check('mint', plainAddress(asked.mint), quote.mint);
  check('slippageBps', asked.slippageBps, quote.slippageBps);
  const pool = quote.details?.pool ?? undefined;
  if (asked.pool && pool !== undefined) check('details.pool', plainAddress(asked.pool), pool);
}

type Check = (field: string, asked: unknown, found: unknown) => void;

const checkOf =
  (path: string): Check =>
  (field, asked, found) => {
    if (asked !== found) throw quoteMismatch(`${path}${field}`, asked, found);
  };

/** The error for a quote that does not answer its request. */
export const quoteMismatch = (field: string, asked: unknown, found: unknown) =>
  new HeavenError(
    'quote-mismatch',
    `${field} of the quote is ${describe(found)}; the request asked for ${describe(asked)}. Don't use this quote: ask a source that you trust.`,
    { field, asked, found },
  );

/** Throws if a minimum protects less than the slippage that was asked for does at the state of the chain now. */
export function assertProtects(
  field: string,
  { minimumOut, amountOut }: { readonly minimumOut: bigint; readonly amountOut: bigint },
  slippageBps: number,
  driftBps?: number,
): void {
  if (minimumOut >= leastMinimum(amountOut, slippageBps, driftBps)) return;
  const asked = minimumAfterSlippage(amountOut, slippageBps);
  throw new HeavenError(
    'quote-mismatch',
    `${field} is ${minimumOut}, but the trade gives ${amountOut} now, of which a slippage of ${slippageBps} basis points protects ${asked}. Take a fresh quote, from a source that you trust.`,
    { field, asked, found: minimumOut },
  );
}

/** A mint stores its decimals in one byte. */
const MAX_DECIMALS = 255;

const scaled = (amount: UiAmount): bigint =>
  scaleDecimal(amount, MAX_DECIMALS, 'amountInUi', U64_MAX * 10n ** BigInt(MAX_DECIMALS));

/** Returns the decimals with which `native` is shown as `ui`, or `undefined` if none fit. */
export function decimalsOf(native: bigint, ui: number): number | undefined {
  if (native === 0n || ui === 0) return native === 0n && ui === 0 ? 0 : undefined;
  const decimals = Math.round(Math.log10(Number(native) / ui));
  const isPossible = decimals >= 0 && decimals <= MAX_DECIMALS;
  return isPossible && isShown(native, decimals, ui) ? decimals : undefined;
}

/** Throws if an amount of SOL does not match its lamports. */
export function assertShownSol(field: string, lamports: bigint, sol: number): void {
  if (!isShown(lamports, SOL_DECIMALS, sol))
    throw quoteMismatch(field, toUiAmount(lamports, SOL_DECIMALS), sol);
}

/** Whether a UI amount is the native amount as some other service or JSON library computes it: the one rule for that. */
const isShown = (native: bigint, decimals: number, ui: number): boolean =>
  isNear(Number(toUiAmount(native, decimals)), ui);

/**
 * On the way to JSON and out of it, each conversion, division and multiplication rounds by up to half an epsilon: some six of them, and a
 * native amount that a double holds is itself up to an epsilon off.
 */
const isNear = (exact: number, ui: number): boolean =>
  typeof ui === 'number' && Math.abs(exact - ui) <= 8 * Number.EPSILON * exact;
