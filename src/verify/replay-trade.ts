import { isHeavenError } from '../base/errors.js';
import { BPS, ceilDiv } from '../base/integers.js';
import { type ParsedTrade, type TradeInstruction, UNREAD_FEE } from '../history/trades.js';
import { computeBuy, computeSell, NO_FEES, sumFees } from '../math/swap.js';
import type { PoolReserves, SwapState } from '../math/types.js';
import type { TradeEvent } from '../program/events.js';
import { differences, type Figures } from './plan.js';

/** Whole basis points, both ends included. */
export type RateRange = readonly [least: bigint, most: bigint];

export type Judgement =
  | { readonly verdict: 'not judged'; readonly reason: string }
  | {
      readonly verdict: 'equal' | 'different';
      readonly said: Figures;
      readonly did: Figures;
      /** The sum of the rates: today's, and what explains the fee that was paid. The smaller the trade, the wider. */
      readonly rate: { readonly now: bigint; readonly paid: RateRange };
      /** Of a buy with a fee: whether the event's `quoteIn` includes it. */
      readonly quoteIn?: 'gross' | 'net' | 'neither';
    };

/** What an instruction asks for. */
export interface Limits {
  /** What the trade spends, all of it. */
  readonly given: bigint;
  readonly minimum: bigint;
}

export const limitsOf = ({ data: { params } }: TradeInstruction): Limits => ({
  given: 'maxSolSpend' in params ? params.maxSolSpend : params.amountIn,
  minimum: params.minimumAmountOut,
});

/** What an event leaves. */
export interface Left extends PoolReserves {
  readonly creatorFees: bigint;
}

export const notJudged = (reason: string): Judgement => ({ verdict: 'not judged', reason });

type Happened = ParsedTrade & Limits & { readonly amountIn: bigint; readonly event: TradeEvent };

/** The curve is given the fee that was paid, so that a fee of other settings changes no reserve. */
export function compare(state: SwapState, trade: Happened, { creatorFees }: Left): Judgement {
  const { side, amountIn, amountOut, transferFee, event, given, minimum } = trade;
  const isBuy = side === 'buy';
  const fee = event.totalFeePaid;
  const net = amountIn - fee;
  const gross = isBuy ? amountIn : state.reserveB - event.quoteReserve;
  const rate = { now: sumFees(isBuy ? state.buyFees : state.sellFees), paid: ratesFor(fee, gross) };
  try {
    const now = (isBuy ? computeBuy : computeSell)(state, amountIn);
    const curve = isBuy
      ? computeBuy({ ...state, buyFees: NO_FEES }, net)
      : computeSell({ ...state, sellFees: NO_FEES }, amountIn);
    const { reserveAAfter: baseReserve, reserveBAfter: quoteReserve } = curve;
    const quoteIn = event.quoteIn === amountIn ? 'gross' : event.quoteIn === net ? 'net' : 'neither';
    const received = isBuy ? curve.amountOut : curve.amountOut - fee;
    const { priceSolUsd: _, ...facts } = event;
    const said: Figures = {
      baseReserve,
      quoteReserve,
      baseIn: isBuy ? 0n : amountIn,
      baseOut: isBuy ? state.reserveA - baseReserve : 0n,
      quoteIn: isBuy ? (quoteIn === 'net' ? net : amountIn) : 0n,
      quoteOut: isBuy ? 0n : state.reserveB - quoteReserve,
      amountIn: given,
      ...(amountOut === undefined ? {} : { amountOut: received }),
      ...(isBuy && transferFee !== undefined ? { transferFee: curve.transferFee } : {}),
      totalFeePaid: now.totalFee,
      totalCreatorTradingFees: creatorFees + now.fees.creator,
    };
    const happened: Readonly<Record<string, bigint | undefined>> = {
      ...facts,
      amountIn,
      amountOut,
      transferFee,
    };
    const did = Object.fromEntries(Object.keys(said).map((name) => [name, happened[name] ?? 0n]));
    const isEqual = differences(said, did).length === 0;
    if (isEqual && received < minimum)
      return { verdict: 'different', said: { rejected: `under ${minimum}` }, did: {}, rate };
    // The replay knows the settings, and so the fee that the event and the transfers alone don't show.
    const open = trade.unproven.filter((reason) => reason !== UNREAD_FEE);
    if (isEqual && open.length > 0) return notJudged(open.join(' '));
    return {
      verdict: isEqual ? 'equal' : 'different',
      said,
      did,
      rate,
      ...(isBuy && fee > 0n ? { quoteIn } : {}),
    };
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    return { verdict: 'different', said: { rejected: error.message }, did: {}, rate };
  }
}

/** The rates whose fee this can be: up to five fees, each rounded down by itself. */
const ratesFor = (fee: bigint, gross: bigint): RateRange =>
  gross > 0n ? [ceilDiv(fee * BPS, gross), ceilDiv((fee + 5n) * BPS, gross) - 1n] : [0n, BPS];
