import { HeavenError, isHeavenError } from '../base/errors.js';
import { assertPositiveU64, inputError } from '../base/input.js';
import { BPS, ceilDiv, U64_MAX } from '../base/integers.js';
import { leastTransferFor, transferFeeOf } from './transfer-fee.js';
import type { FeeAmounts, FeeRates, SwapResult, SwapState } from './types.js';

const feeOf = (amount: bigint, bps: bigint) => (bps === 0n ? 0n : (amount * bps) / BPS);

/** The program takes each fee by itself, rounded down, and then adds them up ([level M](/protocol)). */
export function feesOf(rates: FeeRates, amount: bigint): FeeAmounts {
  return {
    protocol: feeOf(amount, rates.protocol),
    liquidityProvider: feeOf(amount, rates.liquidityProvider),
    creator: feeOf(amount, rates.creator),
    creatorProtocol: feeOf(amount, rates.creatorProtocol),
    reflection: feeOf(amount, rates.reflection),
  };
}

/**
 * Adds up the fees of a trade: their rates in basis points, or their amounts in native units.
 *
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * console.log(formatBps(sumFees(toSwapState(snapshot).buyFees)));
 * ```
 */
export function sumFees({
  protocol,
  liquidityProvider,
  creator,
  creatorProtocol,
  reflection,
}: FeeAmounts): bigint {
  // Most fees of most pools are 0, and adding a 0 costs as much as adding anything else.
  let sum = protocol;
  if (liquidityProvider !== 0n) sum += liquidityProvider;
  if (creator !== 0n) sum += creator;
  if (creatorProtocol !== 0n) sum += creatorProtocol;
  if (reflection !== 0n) sum += reflection;
  return sum;
}

/**
 * The smallest amount, not under `from`, that leaves at least `net` after fees.
 *
 * With several fees each rounded down by itself, one lamport more can leave up to four lamports less, so the answer is
 * searched from a bound below which none can lie. A step of one lamport adds at most one to the net: whatever is still
 * missing can be skipped.
 */
function leastAmountFor(net: bigint, rates: FeeRates, from = 0n): bigint {
  const feeBps = affordable(rates);
  const bound = ((net - 5n) * BPS) / (BPS - feeBps);
  let amount = bound > net ? bound : net;
  if (amount < from) amount = from;
  for (;;) {
    const missing = net + sumFees(feesOf(rates, amount)) - amount;
    if (missing <= 0n) return amount;
    amount += missing;
  }
}

/**
 * The sum of rates that leave something. Each fee is rounded down by itself, so rates of 100 % and more may still leave up to 4 units,
 * which nobody means to trade for: a trade that leaves as little asks here.
 */
function affordable(rates: FeeRates): bigint {
  const feeBps = sumFees(rates);
  if (feeBps < BPS) return feeBps;
  throw new HeavenError(
    'fees-exceed-amount',
    `The fees are ${feeBps} basis points: they leave nothing. Wait until they fall.`,
    { feeBps },
  );
}

/** `available` is an amount that the same function accepts, or 0. */
const tooMuch = (requested: bigint, available: bigint) =>
  new HeavenError(
    'insufficient-liquidity',
    `The pool can trade at most ${available} native units, not ${requested}. Ask for less.`,
    { requested, available },
  );

/** One direction of a trade: what is in the pool on the side that is paid into and on the other, now and when the window began. */
interface Curve {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly windowIn: bigint | undefined;
  readonly windowOut: bigint | undefined;
}

const buyCurve = ({ reserveA, reserveB, windowReserves }: SwapState): Curve => ({
  reserveIn: reserveB,
  reserveOut: reserveA,
  windowIn: windowReserves?.reserveB,
  windowOut: windowReserves?.reserveA,
});

const sellCurve = ({ reserveA, reserveB, windowReserves }: SwapState): Curve => ({
  reserveIn: reserveA,
  reserveOut: reserveB,
  windowIn: windowReserves?.reserveA,
  windowOut: windowReserves?.reserveB,
});

/** What an amount gives at the curve. A7: within a window, at the worse of the reserves now and at its start. */
function curveOut(amount: bigint, curve: Curve): bigint {
  const { reserveIn, reserveOut, windowIn, windowOut } = curve;
  const out = (reserveOut * amount) / (reserveIn + amount);
  if (windowIn === undefined || windowOut === undefined) return out;
  const windowed = (windowOut * amount) / (windowIn + amount);
  return windowed < out ? windowed : out;
}

/** The least input for which {@link curveOut} gives at least `out`, which must be under {@link outLimit}. */
function curveInput(out: bigint, { reserveIn, reserveOut, windowIn, windowOut }: Curve): bigint {
  const amount = ceilDiv(out * reserveIn, reserveOut - out);
  if (windowIn === undefined || windowOut === undefined) return amount;
  const windowed = ceilDiv(out * windowIn, windowOut - out);
  return windowed > amount ? windowed : amount;
}

/** An upper bound of {@link curveOut}, however much is paid in. */
const outLimit = ({ reserveOut, windowOut }: Curve): bigint => least(reserveOut, windowOut);

/** Far more than the rounding of a few `number` operations on a value up to 1,000,000 (each is off by 2^-53 of it at most). */
const DOUBT = 1e-8;

/**
 * `1 - amountOut * reserveIn / (amountIn * reserveOut)` in hundredths of a basis point, rounded up. Division of 128 bits would
 * take longer than all else in a quote: it is done only where `number` arithmetic could round to the wrong side.
 */
function priceImpactBps(amountIn: bigint, amountOut: bigint, reserveIn: bigint, reserveOut: bigint): number {
  const ratio = (Number(amountOut) * Number(reserveIn)) / (Number(amountIn) * Number(reserveOut));
  const impact = (1 - ratio) * 1_000_000;
  const roundedUp = Math.ceil(impact);
  if (roundedUp - impact > DOUBT && roundedUp - impact < 1 - DOUBT) return roundedUp / 100;
  const atSpot = amountIn * reserveOut;
  return Number(ceilDiv((atSpot - amountOut * reserveIn) * 1_000_000n, atSpot)) / 100;
}

export const poolIsEmpty = () =>
  new HeavenError('insufficient-liquidity', 'The pool is empty.', { requested: 1n, available: 0n });

function assertLiquid(state: SwapState): void {
  if (state?.buyFees === undefined) throw inputError('state', 'state must be from toSwapState.', state);
  if (state.reserveA > 0n && state.reserveB > 0n) return;
  throw poolIsEmpty();
}

/**
 * What a buy of `amountIn` lamports returns.
 *
 * Each fee is taken from the SOL side first, rounded down one by one; the rest goes through the constant-product curve:
 * `out = reserveA * net / (reserveB + net)` ([level T](/protocol): matches daily tests on the deployed program to the unit).
 * `amountOut` is 0 when the spend buys less than one unit.
 * @param amountIn Lamports, fees included.
 * @throws {HeavenError} `zero-amount`, `invalid-amount`, `amount-out-of-range`, `fees-exceed-amount`,
 * `insufficient-liquidity`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { amountOut, totalFee } = computeBuy(toSwapState(snapshot), 1_500_000_000n);
 * ```
 */
export function computeBuy(state: SwapState, amountIn: bigint): SwapResult {
  assertPositiveU64(amountIn, 'amountIn');
  assertLiquid(state);
  const { reserveA, reserveB } = state;
  const fees = feesOf(state.buyFees, amountIn);
  const totalFee = sumFees(fees);
  const netIn = amountIn - totalFee;
  if (netIn < 5n) affordable(state.buyFees);
  const reserveBAfter = reserveB + netIn;
  if (reserveBAfter > U64_MAX) throw tooMuch(amountIn, U64_MAX - reserveB);
  const out = curveOut(netIn, buyCurve(state));
  const transferFee = transferFeeOf(out, state.transferFee);
  return {
    amountIn,
    amountOut: out - transferFee,
    fees,
    totalFee,
    transferFee,
    reserveAAfter: reserveA - out,
    reserveBAfter,
    priceImpactBps: priceImpactBps(netIn, out, reserveB, reserveA),
  };
}

/**
 * What a sell of `amountIn` token units returns.
 *
 * `gross = reserveB * in / (reserveA + in)`; each fee is taken from it, rounded down one by one, and leaves the pool with
 * it ([level M](/protocol): matches real trades to the lamport). For a token with a transfer fee, only what reaches the
 * vault is sold.
 * `amountOut` is 0 when the sale returns less than one lamport.
 * @param amountIn Native units of token A.
 * @throws {HeavenError} `zero-amount`, `invalid-amount`, `amount-out-of-range`, `fees-exceed-amount`,
 * `insufficient-liquidity` (virtual SOL can't be sold into)
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { amountOut, totalFee } = computeSell(toSwapState(snapshot), 250_000_000_000_000n);
 * ```
 */
export function computeSell(state: SwapState, amountIn: bigint): SwapResult {
  assertPositiveU64(amountIn, 'amountIn');
  assertLiquid(state);
  const { reserveA, reserveB } = state;
  const transferFee = transferFeeOf(amountIn, state.transferFee);
  const received = amountIn - transferFee;
  const reserveAAfter = reserveA + received;
  if (reserveAAfter > U64_MAX) throw tooMuch(amountIn, largestSale(state));
  const gross = curveOut(received, sellCurve(state));
  if (gross > realReserveB(state)) throw tooMuch(amountIn, largestSale(state));
  const fees = feesOf(state.sellFees, gross);
  const totalFee = sumFees(fees);
  const amountOut = gross - totalFee;
  if (amountOut < 5n) affordable(state.sellFees);
  return {
    amountIn,
    amountOut,
    fees,
    totalFee,
    transferFee,
    reserveAAfter,
    reserveBAfter: reserveB - gross,
    priceImpactBps: received === 0n ? 0 : priceImpactBps(received, gross, reserveA, reserveB),
  };
}

/**
 * The cheapest buy that gives at least `amountOut` token units: {@link computeBuy} of the least `amountIn`.
 * @param amountOut Native units of token A that must arrive.
 * @throws {HeavenError} as {@link computeBuy}; `insufficient-liquidity` when the pool holds no more than that
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { amountIn } = computeBuyExactOut(toSwapState(snapshot), 250_000_000_000n); // the lamports it takes
 * ```
 */
export function computeBuyExactOut(state: SwapState, amountOut: bigint): SwapResult {
  assertPositiveU64(amountOut, 'amountOut');
  assertLiquid(state);
  const curve = buyCurve(state);
  const out = leastTransferFor(amountOut, state.transferFee);
  const refuse = () => tooMuch(amountOut, computeBuy(state, U64_MAX - state.reserveB).amountOut);
  if (out >= outLimit(curve)) throw refuse();
  const netIn = curveInput(out, curve);
  const amountIn = leastAmountFor(netIn, state.buyFees);
  if (amountIn > U64_MAX) throw refuse();
  return inTermsOf(refuse, computeBuy, state, amountIn);
}

export const NO_FEES: FeeAmounts = {
  protocol: 0n,
  liquidityProvider: 0n,
  creator: 0n,
  creatorProtocol: 0n,
  reflection: 0n,
};

/**
 * The purchase of exactly `amountOut` token units in the transaction that creates the pool. It pays no fee:
 * `ceil(reserveB * amountOut / (reserveA - amountOut))` lamports at the reserves that the pool starts with
 * ([level M](/protocol): matches two recorded launches to the unit).
 */
export function computeInitialPurchase(
  { reserveA, reserveB }: Pick<SwapState, 'reserveA' | 'reserveB'>,
  amountOut: bigint,
): SwapResult {
  const cheapest = computeBuyExactOut({ reserveA, reserveB, buyFees: NO_FEES, sellFees: NO_FEES }, amountOut);
  // The same lamports could buy a few units more.
  return { ...cheapest, amountOut, reserveAAfter: reserveA - amountOut };
}

/**
 * The smallest sell that gives at least `amountOut` lamports: {@link computeSell} of the least `amountIn`.
 * @param amountOut Lamports that must arrive, after fees.
 * @throws {HeavenError} as {@link computeSell}; `insufficient-liquidity` when the pool can't pay that
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { amountIn } = computeSellExactOut(toSwapState(snapshot), 1_000_000_000n); // the token units it takes
 * ```
 */
export function computeSellExactOut(state: SwapState, amountOut: bigint): SwapResult {
  assertPositiveU64(amountOut, 'amountOut');
  assertLiquid(state);
  const curve = sellCurve(state);
  const most = least(outLimit(curve) - 1n, realReserveB(state));
  const refuse = () => {
    const amountIn = largestSale(state);
    return tooMuch(amountOut, amountIn > 0n ? computeSell(state, amountIn).amountOut : 0n);
  };
  let gross = 0n;
  for (;;) {
    gross = leastAmountFor(amountOut, state.sellFees, gross);
    if (gross > most) throw refuse();
    const received = curveInput(gross, curve);
    const amountIn = leastTransferFor(received, state.transferFee);
    if (amountIn > U64_MAX) throw refuse();
    const sale = inTermsOf(refuse, computeSell, state, amountIn);
    if (sale.amountOut >= amountOut) return sale;
    // The curve skipped this gross amount, and what it gave instead nets less: go on from there.
    gross = sale.amountOut + sale.totalFee + 1n;
  }
}

/** Runs a trade, and states its error for too large an amount in terms of the amount out, which is what the caller gave. */
function inTermsOf(
  refuse: () => HeavenError,
  trade: typeof computeBuy,
  state: SwapState,
  amountIn: bigint,
): SwapResult {
  try {
    return trade(state, amountIn);
  } catch (error) {
    throw isHeavenError(error, 'insufficient-liquidity') ? refuse() : error;
  }
}

/** The lamports that a sell can take out: all but the virtual ones. */
function realReserveB({ reserveB, virtualReserveB = 0n }: SwapState): bigint {
  const real = reserveB - virtualReserveB;
  return real > 0n ? real : 0n;
}

/** A sell that the pool can take: the largest that leaves the virtual lamports, or the one that fills it. */
function largestSale(state: SwapState): bigint {
  const curve = sellCurve(state);
  const fills = U64_MAX - state.reserveA;
  const real = realReserveB(state);
  if (real === 0n) return 0n;
  const tooMany = real + 1n;
  if (tooMany >= outLimit(curve)) return fills;
  return least(fills, leastTransferFor(curveInput(tooMany, curve), state.transferFee) - 1n);
}

const least = (a: bigint, b: bigint | undefined) => (b === undefined || a < b ? a : b);
