import type { Address } from '@solana/kit';
import { HeavenError, isHeavenError } from '../base/errors.js';
import { assertObject } from '../base/input.js';
import { BPS } from '../base/integers.js';
import { type HeavenWarning, withWarnings } from '../base/warnings.js';
import { boundedAfterSlippage, minimumAfterSlippage } from '../math/slippage.js';
import { computeBuy, computeBuyExactOut, computeSell, computeSellExactOut } from '../math/swap.js';
import type { FeeAmounts, FeeRates, SwapResult, SwapState } from '../math/types.js';
import { inUnits, toUiAmount } from '../math/units.js';
import { view } from '../solana/account-data.js';
import type { FetchedPoolSnapshot } from './check.js';
import type { PoolSnapshot } from './decode.js';
import { type Doubt, highSlippage, inWords } from './doubts.js';
import { highFee } from './high-fee.js';
import { CONFIG } from './layout.js';
import { microMarketCap } from './market-cap.js';
import {
  type EitherExactOutAmount,
  type EitherSellAmount,
  exactAmountOut,
  type FeeWarningOptions,
  inUnitOf,
  NATIVE_SOL,
  PRICE_IMPACT_BPS,
  type QuoteTerms,
  SOL_DECIMALS,
  STALE_PRICE_SECONDS,
  tokensToSell,
} from './quote-amounts.js';
import { assertComputable, swapStateAt, unknownTaxation } from './swap-state.js';
import { assertTransferable, mintDoubts, transferFeeUntilLanded } from './token-limits.js';

/** The details of a quote: lamports, token units, and for display SOL and USD as numbers. */
export interface QuoteDetails {
  /** The pool that the quote is for. Builders reject the quote for any other pool. */
  readonly pool: Address;
  /** What leaves the wallet, all of it and never less: lamports of a buy, token units of a sell. */
  readonly amountIn: bigint;
  /** What `amountIn` gives at the present price, before slippage: token units of a buy, lamports of a sell. */
  readonly amountOut: bigint;
  /** Each fee in lamports. */
  readonly fees: FeeAmounts;
  /** Each fee's rate in basis points. */
  readonly feeRates: FeeRates;
  /** The sum of the fees in lamports. */
  readonly totalFee: bigint;
  /**
   * Token units withheld by the token's own Token-2022 transfer fee: the pool (sell) or the wallet (buy) receives that much less. If a
   * higher fee may apply by the time the trade lands, all amounts count with that.
   */
  readonly transferFee: bigint;
  /** SOL per token, before and after the trade. For display. */
  readonly priceBefore: number;
  /** The same after the trade. For display. */
  readonly priceAfter: number;
  /** How much worse the average price is than `priceBefore`, excluding fees, in basis points. */
  readonly priceImpactBps: number;
  /** For display. */
  readonly marketCapUsd: number;
  /** For display. */
  readonly solPriceUsd: number;
  /** The slot that the quote is for. */
  readonly slot: bigint;
  /** What to know before trading. */
  readonly warnings: readonly HeavenWarning[];
}

/** The details of an exact-out quote. */
export interface ExactOutDetails extends QuoteDetails {
  /** The least that gives the requested output at the present price: lamports of a buy, token units of a sell. */
  readonly leastAmountIn: bigint;
}

/** The fields that buy and sell quotes have in common. */
interface Quote {
  /** 1 community, 2 creator, 3 pro. */
  readonly configVersion: number;
  /** The mint of the token. */
  readonly mint: Address;
  /** The exchange program. */
  readonly programId: Address;
  /** The slippage of the quote, in basis points. */
  readonly slippageBps: number;
  /** The pool that the quote is for, if the quote names it. The builder rejects the quote for any other pool. */
  readonly details?:
    | {
        /** The pool that the quote is for. Builders reject the quote for any other pool. */
        readonly pool?: Address | undefined;
      }
    | undefined;
}

/** A buy quote with the documented fields. Pass it to the matching builder unchanged. */
export interface BuyQuote extends Quote {
  /** What the buy spends, fees included, in lamports. */
  readonly maxLamportSpend: bigint;
  /** The same in SOL. For display. */
  readonly maxSolSpend: number;
  /** The least that must arrive, in token units. */
  readonly minimumOut: bigint;
  /** The same in tokens. For display. */
  readonly minimumOutUi: number;
}

/** A {@link BuyQuote} and its details. */
export interface DetailedBuyQuote extends BuyQuote {
  /** What comes of the amount: fees, prices, warnings, the pool and the slot. */
  readonly details: QuoteDetails;
}

/** A sell quote with the documented fields. Pass it to the matching builder unchanged. */
export interface SellQuote extends Quote {
  /** The amount to sell, in token units. */
  readonly amountIn: bigint;
  /** The same in tokens. For display. */
  readonly amountInUi: number;
  /** The least that must arrive, in lamports. */
  readonly minimumOut: bigint;
  /** The same in SOL. For display. */
  readonly minimumOutUi: number;
}

/** A {@link SellQuote} and its details. */
export interface DetailedSellQuote extends SellQuote {
  /** What comes of the amount: fees, prices, warnings, the pool and the slot. */
  readonly details: QuoteDetails;
}

/** A {@link DetailedBuyQuote} of the tokens that are to arrive. */
export interface ExactOutBuyQuote extends DetailedBuyQuote {
  readonly details: ExactOutDetails;
}

/** A {@link DetailedSellQuote} of the lamports that are to arrive. */
export interface ExactOutSellQuote extends DetailedSellQuote {
  readonly details: ExactOutDetails;
}

/** Computes SOL per token. For display. */
export const tokenPriceInSol = (reserveA: bigint, reserveB: bigint, decimals: number): number =>
  (Number(reserveB) / Number(reserveA)) * 10 ** (decimals - SOL_DECIMALS);

/** Converts to a UI amount for display: the nearest number. */
export const toUiNumber = (amount: bigint, decimals: number): number => Number(toUiAmount(amount, decimals));

/**
 * Throws if a pool can't be traded in now. Every quote checks this: call it to tell the user before there is an amount to quote.
 *
 * @param pool The pool's address, for the error.
 * @throws {HeavenError} `token-not-transferable`, `operation-disabled`, `pool-not-open`, `invalid-account-data` (a standard pool takes its fees
 * [in an unknown way](/protocol#how-a-pool-takes-its-fees))
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * assertTradable(snapshot);
 * ```
 */
export function assertTradable(snapshot: PoolSnapshot, pool?: string): void {
  assertObject(snapshot, 'snapshot');
  assertComputable(snapshot, pool);
  const { addresses } = snapshot as Partial<FetchedPoolSnapshot>;
  assertTransferable(snapshot.token, addresses?.mint);
  if (!snapshot.isSwapEnabled) {
    throw new HeavenError(
      'operation-disabled',
      'Swapping is switched off in this pool: a trade would fail. Wait until its creator or the protocol switches it on, or trade in another pool of the token.',
      { operation: 'swap', ...(pool === undefined ? {} : { pool }) },
    );
  }
  const { opensAt, unixTimestamp: now } = snapshot;
  if (now < opensAt) {
    throw new HeavenError(
      'pool-not-open',
      `The pool opens at Unix time ${opensAt}, in ${opensAt - now} seconds. Trade then.`,
      { opensAt, now },
    );
  }
}

/** Returns what a trade now is computed from. Throws if the pool can't be traded in now. */
export function tradableStateOf(snapshot: FetchedPoolSnapshot): SwapState {
  assertTradable(snapshot, snapshot.addresses.pool);
  return { ...swapStateAt(snapshot, snapshot.slot), transferFee: transferFeeUntilLanded(snapshot) };
}

export const buyQuoteFrom = async (
  snapshot: FetchedPoolSnapshot,
  maxLamportSpend: bigint,
  terms: QuoteTerms,
): Promise<DetailedBuyQuote> => await buyQuoteOf(snapshot, tradableStateOf(snapshot), maxLamportSpend, terms);

export async function sellQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherSellAmount & QuoteTerms,
): Promise<DetailedSellQuote> {
  const amountIn = tokensToSell(amount, snapshot.token);
  return await sellQuoteOf(snapshot, tradableStateOf(snapshot), amountIn, amount);
}

export async function buyExactOutQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherExactOutAmount & QuoteTerms,
): Promise<ExactOutBuyQuote> {
  const state = tradableStateOf(snapshot);
  const amountOut = exactAmountOut(amount, snapshot.token);
  const { decimals } = snapshot.token;
  const trade = exactOutTrade(state, amountOut, amount, computeBuyExactOut, computeBuy, decimals);
  return withLeast(await buyQuoteOf(snapshot, state, trade.amountIn, amount, trade.minimumOut), trade);
}

export async function sellExactOutQuoteFrom(
  snapshot: FetchedPoolSnapshot,
  amount: EitherExactOutAmount & QuoteTerms,
): Promise<ExactOutSellQuote> {
  const state = tradableStateOf(snapshot);
  const amountOut = exactAmountOut(amount, NATIVE_SOL);
  const trade = exactOutTrade(state, amountOut, amount, computeSellExactOut, computeSell, SOL_DECIMALS);
  return withLeast(await sellQuoteOf(snapshot, state, trade.amountIn, amount, trade.minimumOut), trade);
}

type Compute = (state: SwapState, amount: bigint) => SwapResult;

/** An exact-out trade as the exchange knows it: by its input. */
interface ExactOutTrade {
  /** The least input that gives the output. */
  readonly leastAmountIn: bigint;
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
}

/** Returns an exact-out trade, with the slippage on its input or its output. */
function exactOutTrade(
  state: SwapState,
  amountOut: bigint,
  terms: EitherExactOutAmount & QuoteTerms,
  exactOut: Compute,
  exactIn: Compute,
  decimals: number,
): ExactOutTrade {
  const { slippageBps, slippageOn } = terms;
  const leastAmountIn = leastInput(exactOut, state, amountOut, terms, decimals);
  if (slippageOn === 'output')
    return {
      leastAmountIn,
      amountIn: leastAmountIn,
      minimumOut: minimumAfterSlippage(amountOut, slippageBps),
    };
  // Fees are rounded down one by one, so a few units more can yield less. The least input is known to be enough.
  const enough = (amount: bigint): bigint => {
    try {
      return exactIn(state, amount).amountOut >= amountOut ? amount : leastAmountIn;
    } catch (error) {
      // The slippage goes beyond what the pool takes.
      if (!isHeavenError(error, 'insufficient-liquidity')) throw error;
      const { available } = error.context;
      return available > leastAmountIn ? enough(available) : leastAmountIn;
    }
  };
  return {
    leastAmountIn,
    amountIn: enough(boundedAfterSlippage(leastAmountIn, slippageBps)),
    minimumOut: amountOut,
  };
}

/** Returns the least input that gives an output. An error that the token's transfer fee explains names that. */
function leastInput(
  exactOut: Compute,
  state: SwapState,
  amountOut: bigint,
  terms: object,
  decimals: number,
): bigint {
  try {
    return computed(exactOut, state, amountOut, ['amountOut', 'amountOutUi', decimals], terms).amountIn;
  } catch (error) {
    const message = allWithheld(state);
    if (
      message === undefined ||
      !isHeavenError(error, 'insufficient-liquidity') ||
      error.context.available > 0n
    )
      throw error;
    const context = { ...error.context, transferFeeBps: state.transferFee?.basisPoints };
    throw new HeavenError('insufficient-liquidity', message, context);
  }
}

const withLeast = <TQuote extends { readonly details: QuoteDetails }>(
  quote: TQuote,
  { leastAmountIn }: ExactOutTrade,
): TQuote & { readonly details: ExactOutDetails } => ({
  ...quote,
  details: { ...quote.details, leastAmountIn },
});

async function buyQuoteOf(
  snapshot: FetchedPoolSnapshot,
  state: SwapState,
  maxLamportSpend: bigint,
  terms: QuoteTerms,
  least?: bigint,
): Promise<DetailedBuyQuote> {
  const { addresses, configVersion, token } = snapshot;
  const { minimumOut, details } = await quoteTrade(snapshot, state, 'buy', maxLamportSpend, terms, least);
  return {
    configVersion,
    maxLamportSpend,
    maxSolSpend: toUiNumber(maxLamportSpend, SOL_DECIMALS),
    minimumOut,
    minimumOutUi: toUiNumber(minimumOut, token.decimals),
    mint: addresses.mint,
    programId: addresses.programAddress,
    slippageBps: terms.slippageBps,
    details,
  };
}

async function sellQuoteOf(
  snapshot: FetchedPoolSnapshot,
  state: SwapState,
  amountIn: bigint,
  terms: QuoteTerms,
  least?: bigint,
): Promise<DetailedSellQuote> {
  const { addresses, configVersion, token } = snapshot;
  const { minimumOut, details } = await quoteTrade(snapshot, state, 'sell', amountIn, terms, least);
  return {
    amountIn,
    amountInUi: toUiNumber(amountIn, token.decimals),
    configVersion,
    minimumOut,
    minimumOutUi: toUiNumber(minimumOut, SOL_DECIMALS),
    mint: addresses.mint,
    programId: addresses.programAddress,
    slippageBps: terms.slippageBps,
    details,
  };
}

/** The fields of an amount, native and UI, and the decimals between them. */
type AmountFields = readonly [native: string, ui: string, decimals: number];

const given = (terms: object, field: string): unknown =>
  (terms as Readonly<Record<string, unknown>>)[field] ?? undefined;

/** Why nothing arrives of a token that may keep all that is transferred. */
const allWithheld = ({ transferFee }: SwapState): string | undefined =>
  transferFee && transferFee.basisPoints >= BPS
    ? "The token's transfer fee is 100 %: nothing would arrive. Trade another token."
    : undefined;

/** Computes a trade. An error about an amount in UI units names it in those. */
function computed(
  compute: Compute,
  state: SwapState,
  amount: bigint,
  [, ui, decimals]: AmountFields,
  terms: object,
): SwapResult {
  try {
    return compute(state, amount);
  } catch (error) {
    const asked = given(terms, ui);
    throw asked === undefined ? error : inUnitOf(error, ui, asked, (native) => toUiAmount(native, decimals));
  }
}

/** Computes a trade's expected result and its minimum from a snapshot. The minimum follows from the slippage unless it is given. */
async function quoteTrade(
  snapshot: FetchedPoolSnapshot,
  state: SwapState,
  side: 'buy' | 'sell',
  amountIn: bigint,
  terms: QuoteTerms,
  least?: bigint,
): Promise<{ readonly minimumOut: bigint; readonly details: QuoteDetails }> {
  const { token, solPrice } = snapshot;
  const fields: AmountFields =
    side === 'buy' ? ['lamports', 'maxSolSpend', SOL_DECIMALS] : ['amountIn', 'amountInUi', token.decimals];
  const trade = computed(side === 'buy' ? computeBuy : computeSell, state, amountIn, fields, terms);
  if (trade.amountOut === 0n) {
    const [native, ui, decimals] = fields;
    const isNative = given(terms, native) !== undefined;
    const asked = isNative ? inUnits(amountIn) : `${ui} ${toUiAmount(amountIn, decimals)}`;
    throw new HeavenError(
      'output-is-zero',
      allWithheld(state) ?? `This ${side} (${asked}) is too small: nothing would come out. Trade more.`,
      { field: isNative ? native : ui, amountIn, transferFeeBps: state.transferFee?.basisPoints },
    );
  }
  const { amountOut, fees, totalFee, transferFee, priceImpactBps } = trade;
  const { slippageBps } = terms;
  const minimumOut = least ?? minimumAfterSlippage(amountOut, slippageBps);
  return {
    minimumOut,
    details: {
      pool: snapshot.addresses.pool,
      amountIn,
      amountOut,
      fees,
      feeRates: side === 'buy' ? state.buyFees : state.sellFees,
      totalFee,
      transferFee,
      priceBefore: tokenPriceInSol(snapshot.reserveA, snapshot.reserveB, token.decimals),
      priceAfter: tokenPriceInSol(trade.reserveAAfter, trade.reserveBAfter, token.decimals),
      priceImpactBps,
      marketCapUsd: toUiNumber(microMarketCap(snapshot), 6),
      solPriceUsd: toUiNumber(solPrice.answer, solPrice.decimals),
      slot: snapshot.slot,
      warnings: [
        ...(await inWords([
          ...quoteDoubts(snapshot, state, trade, terms),
          highSlippage(slippageBps, minimumOut, amountOut),
        ])),
        ...(await doubtsOf(snapshot, side, state, trade, terms)),
      ],
    },
  };
}

const quoteDoubts = (
  { token, kind, isSameSlotTradingAllowed, unixTimestamp, solPrice }: PoolSnapshot,
  { windowReserves }: SwapState,
  { priceImpactBps }: SwapResult,
  { maxPriceImpactBps, stalePriceSeconds }: QuoteTerms,
): readonly (Doubt | false | undefined)[] => {
  const age = unixTimestamp - solPrice.updatedAt;
  return [
    token.transferFee && ['transfer-fee', token.transferFee.basisPoints],
    windowReserves && ['sandwich-window'],
    kind === 'pro' && !isSameSlotTradingAllowed && ['same-slot-trading'],
    priceImpactBps > (maxPriceImpactBps ?? PRICE_IMPACT_BPS) && ['price-impact', priceImpactBps],
    age > (stalePriceSeconds ?? STALE_PRICE_SECONDS) && ['stale-price', age],
  ];
};

/** Warnings of what may go wrong with a trade that the pool itself can give. Builders give them too. */
export async function doubtsOf(
  snapshot: PoolSnapshot,
  side: 'buy' | 'sell',
  state: SwapState,
  { amountOut, transferFee, reserveBAfter }: SwapResult,
  options: FeeWarningOptions,
): Promise<readonly HeavenWarning[]> {
  // Of a standard pool such a trade is rejected before.
  const taxation = unknownTaxation(snapshot);
  const config = view(snapshot.data.protocolConfig);
  const isBuy = side === 'buy';
  const doubts = await inWords([
    ...mintDoubts(snapshot, isBuy),
    taxation !== undefined && ['unverified-assumption', taxation],
    isBuy
      ? walletLimit(amountOut + transferFee, config.getBigUint64(CONFIG.maxSupplyPerWallet, true))
      : liquidSol(snapshot.reserveB - reserveBAfter, config.getBigUint64(CONFIG.unstakedWsolReserve, true)),
  ]);
  return [...highFee(snapshot, side, state, options), ...doubts];
}

/** A sale that takes more lamports from the pool than the config's pools have unstaked ([A13](/protocol#assumptions)). */
const liquidSol = (gross: bigint, unstaked: bigint): Doubt | false =>
  gross > unstaked && ['low-liquid-sol', gross, unstaked];

/** A buy of more token units than the config allows for one wallet. */
export const walletLimit = (amount: bigint, most: bigint): Doubt | false =>
  amount > most && ['wallet-limit', amount, most];

/** A quote with more warnings in its details. */
export const withQuoteWarnings = <
  TQuote extends { readonly details: { readonly warnings: readonly HeavenWarning[] } },
>(
  quote: TQuote,
  more: readonly HeavenWarning[],
): TQuote => ({ ...quote, details: withWarnings(quote.details, more) });
