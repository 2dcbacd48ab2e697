// A trade as the user types it, and its quote.
import {
  computeBuyExactOut,
  computeSellExactOut,
  type FetchedPoolSnapshot,
  isHeavenError,
  type LiveBestQuote,
  type LiveQuote,
  parseAmount,
  parseBps,
  toSwapState,
} from 'heaven-pools';

import { SOL_DECIMALS } from './format.js';
import { explain, Problem } from './messages.js';

export type Side = 'buy' | 'sell';

/** Which of a trade's two amounts the user typed. The other one is computed. */
export type Given = 'pay' | 'receive';

/** What the user asks for. */
export interface Ask {
  readonly side: Side;
  readonly given: Given;
  readonly amount: bigint;
  readonly slippageBps: number;
}

/** A library quote, with its pool. */
export interface Quote extends Pick<LiveQuote, 'side' | 'quote' | 'snapshot'> {
  readonly ask: Ask;
  /** What is enough at the price now, without slippage. Only for a typed amount to receive. */
  readonly enough?: bigint | undefined;
  /** The comparison with the token's other pools, if it has any. */
  readonly best?: LiveBestQuote | undefined;
}

const MOST_SLIPPAGE_BPS = 5_000;

/** What one of a trade's amounts is in. */
export const assetOf = (side: Side, of: Given): 'SOL' | 'token' =>
  (side === 'buy') === (of === 'pay') ? 'SOL' : 'token';

/** What an amount is counted in. */
export interface Unit {
  readonly decimals: number;
  readonly symbol: string;
}

export const SOL: Unit = { decimals: SOL_DECIMALS, symbol: 'SOL' };

/** The typed amount, in native units. */
export function readAmount(text: string, { decimals, symbol }: Unit): bigint {
  let amount: bigint;
  try {
    amount = parseAmount(text, decimals);
  } catch (error) {
    if (isHeavenError(error, 'invalid-amount') && text.includes(','))
      throw new Problem('amount', 'Use a point for the decimals and no commas, such as 1000.5.');
    if (!isHeavenError(error, 'too-many-decimals')) throw explain(error);
    throw new Problem(
      'amount',
      `An amount of ${symbol} has at most ${decimals} digits behind the point. Take some away.`,
    );
  }
  if (amount === 0n) throw new Problem('amount', 'Type an amount over 0.');
  return amount;
}

/** What an exact amount out takes at the price now, without slippage. */
export const enoughFor = (side: Side, snapshot: FetchedPoolSnapshot, amountOut: bigint): bigint =>
  (side === 'buy' ? computeBuyExactOut : computeSellExactOut)(toSwapState(snapshot), amountOut).amountIn;

/** A percentage in basis points. */
export function readSlippage(text: string): number {
  try {
    const bps = parseBps(text);
    if (bps <= MOST_SLIPPAGE_BPS) return bps;
  } catch (error) {
    if (isHeavenError(error, 'too-many-decimals'))
      throw new Problem('slippage', 'Slippage can have two digits behind the point, such as 0.25.');
  }
  throw new Problem('slippage', 'Slippage is a percentage from 0 to 50, such as 0.5.');
}
