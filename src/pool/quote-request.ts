import type { Address } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import { describe } from '../base/input.js';
import { U64_MAX } from '../base/integers.js';
import { scaleDecimal, toUiAmount, type UiAmount } from '../math/units.js';
import { type AddressInput, plainAddress } from '../solana/addresses.js';
import type { PoolLocator } from './addresses.js';
import type { BuyQuote, SellQuote } from './quote.js';
import { type BuyAmount, lamportsOf, type SellAmount, SOL_DECIMALS, unitsOf } from './quote-amounts.js';

// A quote from elsewhere may be consistent in itself but answer another question. These checks compare it with its request.

/** Which pool and program a quote was requested for. */
interface Asked extends Omit<PoolLocator, 'mint' | 'pool'> {
  readonly mint: AddressInput;
  readonly pool?: AddressInput | null | undefined;
  readonly slippageBps: number;
}

/**
 * Throws if a buy quote does not answer its request.
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
  const lamports = lamportsOf(asked);
  check('maxLamportSpend', lamports, quote.maxLamportSpend);
  assertShown(`${path}maxSolSpend`, lamports, quote.maxSolSpend);
  const { minimumOut, minimumOutUi } = quote;
  if (decimalsOf(minimumOut, minimumOutUi) === undefined)
    throw quoteMismatch(`${path}minimumOutUi`, minimumOut, minimumOutUi);
}

/** {@link assertAnswersBuy} for a sell quote. Code that reads the token checks `amountIn` against its decimals. */
export function assertAnswersSell(
  quote: SellQuote,
  asked: Asked & SellAmount,
  programAddress: Address,
  path = '',
): void {
  const check = checkOf(path);
  assertAnswers(quote, asked, programAddress, check);
  const { amountIn, minimumOut } = quote;
  const units = unitsOf(asked);
  if (units === undefined) {
    const asUi = asked.amountInUi as UiAmount;
    const amountInUi = Number(asUi);
    check('amountInUi', amountInUi, quote.amountInUi);
    const decimals = decimalsOf(amountIn, amountInUi);
    if (decimals === undefined || scaled(asUi) !== amountIn * 10n ** BigInt(MOST_DECIMALS - decimals))
      throw quoteMismatch(`${path}amountIn`, asUi, amountIn);
  } else {
    check('amountIn', units, amountIn);
    if (decimalsOf(amountIn, quote.amountInUi) === undefined)
      throw quoteMismatch(`${path}amountInUi`, amountIn, quote.amountInUi);
  }
  assertShown(`${path}minimumOutUi`, minimumOut, quote.minimumOutUi);
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

/** A mint stores its decimals in one byte. */
const MOST_DECIMALS = 255;

const scaled = (amount: UiAmount): bigint =>
  scaleDecimal(amount, MOST_DECIMALS, 'amountInUi', U64_MAX * 10n ** BigInt(MOST_DECIMALS));

/** Returns the decimals with which `native` is shown as `ui`, or `undefined` if none fit. */
export function decimalsOf(native: bigint, ui: number): number | undefined {
  if (native === 0n || ui === 0) return native === 0n && ui === 0 ? 0 : undefined;
  const decimals = Math.round(Math.log10(Number(native) / ui));
  const isPossible = decimals >= 0 && decimals <= MOST_DECIMALS;
  return isPossible && isShown(native, decimals, ui) ? decimals : undefined;
}

/** Throws if an amount of SOL does not match its lamports. */
export function assertShown(field: string, lamports: bigint, sol: number): void {
  if (!isShown(lamports, SOL_DECIMALS, sol))
    throw quoteMismatch(field, toUiAmount(lamports, SOL_DECIMALS), sol);
}

/** Whether a UI amount equals the native amount, up to the rounding of a double. */
function isShown(native: bigint, decimals: number, ui: number): boolean {
  const exact = Number(toUiAmount(native, decimals));
  return exact === ui || Math.abs(exact - ui) < 2 * Number.EPSILON * ui;
}
