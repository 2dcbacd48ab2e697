// What the page computes around the library's quotes: typed amounts, prices, dollars and slippage.
import {
  computeBuy,
  computeBuyExactOut,
  computeSell,
  computeSellExactOut,
  type FetchedPoolSnapshot,
  HeavenError,
  type LiveBestQuote,
  type LiveQuote,
  toNativeAmount,
  toSwapState,
} from 'heaven-pools';

import { SOL_DECIMALS } from './format.js';
import { Problem } from './messages.js';

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

const MOST_SLIPPAGE_BPS = 5_000n;

/** Whether one of a trade's amounts is in SOL. The other is in tokens. */
export const isInSol = (side: Side, of: Given): boolean => (side === 'buy') === (of === 'pay');

/** What an amount is counted in. */
export interface Unit {
  readonly decimals: number;
  readonly symbol: string;
}

export const SOL: Unit = { decimals: SOL_DECIMALS, symbol: 'SOL' };

/** The typed amount, in native units. */
export function readAmount(text: string, { decimals, symbol }: Unit): bigint {
  const typed = text.trim();
  if (!/^(\d+\.?\d*|\.\d+)$/.test(typed)) {
    throw new Problem(
      'amount',
      typed.includes(',')
        ? 'Use a point for the decimals and no commas, such as 1000.5.'
        : 'Type the amount in digits, with a point for the decimals, such as 1.5.',
    );
  }
  const [whole = '', fraction = ''] = typed.split('.');
  if (fraction.replace(/0+$/, '').length > decimals)
    throw new Problem(
      'amount',
      `An amount of ${symbol} has at most ${decimals} digits behind the point. Take some away.`,
    );
  const amount = toNativeAmount(`${whole || '0'}${fraction && `.${fraction}`}`, decimals, 'amount');
  if (amount === 0n) throw new Problem('amount', 'Type an amount over 0.');
  return amount;
}

/** What an exact amount out takes at the price now, without slippage. */
export const enoughFor = (side: Side, snapshot: FetchedPoolSnapshot, amountOut: bigint): bigint =>
  (side === 'buy' ? computeBuyExactOut : computeSellExactOut)(toSwapState(snapshot), amountOut).amountIn;

/** A percentage in basis points. */
export function readSlippage(text: string): number {
  const typed = text.trim();
  const wrong = new Problem('slippage', 'Slippage is a percentage from 0 to 50, such as 0.5.');
  if (!/^\d{1,4}(\.\d*)?$/.test(typed)) throw wrong;
  const [whole = '0', fraction = ''] = typed.split('.');
  if (/[1-9]/.test(fraction.slice(2)))
    throw new Problem('slippage', 'Slippage can have two digits behind the point, such as 0.25.');
  const bps = BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
  if (bps > MOST_SLIPPAGE_BPS) throw wrong;
  return Number(bps);
}

/** The price of a token in SOL, for display. */
export const spotPrice = ({ reserveA, reserveB, token }: FetchedPoolSnapshot): number =>
  (Number(reserveB) / Number(reserveA)) * 10 ** (token.decimals - SOL_DECIMALS);

/** Rejects a pool that is closed for trading. */
export function assertOpen({ isSwapEnabled, opensAt, unixTimestamp: now }: FetchedPoolSnapshot): void {
  if (!isSwapEnabled) throw new HeavenError('swap-disabled', 'Swapping is switched off in this pool.', {});
  if (now < opensAt)
    throw new HeavenError('pool-not-open', `The pool opens at ${opensAt}.`, { opensAt, now });
}

/** Roughly how much SOL others can trade first, on the same side, before a trade with this slippage fails. */
export function roomFor({ reserveB }: FetchedPoolSnapshot, slippageBps: number): number {
  const kept = 1 - slippageBps / 10_000;
  return kept <= 0 ? Number.POSITIVE_INFINITY : (Number(reserveB) / 1e9) * (1 / Math.sqrt(kept) - 1);
}

const AUTO_BPS = [50, 100, 200, 300] as const;
/** Somebody else's trade of this size, in SOL, should not make the user's trade fail. */
const ENOUGH_ROOM = 0.25;

/** The slippage that "auto" means: the least that leaves room for another small trade, and never more than 3 %. */
export const autoSlippage = (snapshot: FetchedPoolSnapshot): number =>
  AUTO_BPS.find((bps) => roomFor(snapshot, bps) >= ENOUGH_ROOM) ?? 300;

/** The price of a SOL in dollars. */
export const usdPerSol = ({ solPrice: { answer, decimals } }: FetchedPoolSnapshot): number =>
  Number(answer) / 10 ** decimals;

/** An amount's worth in dollars at the pool's price. */
export function usdOf(snapshot: FetchedPoolSnapshot, asset: 'SOL' | 'token', amount: bigint): number {
  const whole = Number(amount) / 10 ** (asset === 'SOL' ? SOL_DECIMALS : snapshot.token.decimals);
  return whole * (asset === 'SOL' ? 1 : spotPrice(snapshot)) * usdPerSol(snapshot);
}

const MOVED_BPS = 10n;

/**
 * Whether a quote differs from the one that the user saw: by more than 0.1 %, or so that the trade would fail. Smaller moves are
 * normal in an active pool, and the minimum protects the user.
 */
export function hasMoved(seen: Quote, now: Quote): boolean {
  const amount = seen.ask.given === 'pay' ? 'amountOut' : 'amountIn';
  const [before, after] = [seen.quote.details[amount], now.quote.details[amount]];
  const fails =
    now.enough === undefined ? after < seen.quote.minimumOut : now.enough > seen.quote.details.amountIn;
  const difference = before > after ? before - after : after - before;
  return fails || difference * 10_000n > before * MOVED_BPS;
}

/** Points of the chart: the amount of a trade, and its average price per token, including all fees. */
export function pricesBySize(
  snapshot: FetchedPoolSnapshot,
  side: Side,
): readonly (readonly [number, number])[] {
  const state = toSwapState(snapshot);
  const { decimals } = snapshot.token;
  const [reserve, inDecimals] = side === 'buy' ? [state.reserveB, SOL_DECIMALS] : [state.reserveA, decimals];
  const points: [number, number][] = [];
  const COUNT = 40;
  for (let index = 0; index <= COUNT; index++) {
    // From a hundred-thousandth of the pool to all of it, in equal steps of its logarithm.
    const amountIn = BigInt(Math.round(Number(reserve) * 10 ** ((index / COUNT) * 5 - 5)));
    const price = averagePrice(snapshot, side, amountIn);
    if (price !== undefined) points.push([Number(amountIn) / 10 ** inDecimals, price]);
  }
  return points;
}

/** SOL per token of a trade, all fees of the exchange included. */
export function averagePrice(
  snapshot: FetchedPoolSnapshot,
  side: Side,
  amountIn: bigint,
): number | undefined {
  const state = toSwapState(snapshot);
  const unit = 10 ** (snapshot.token.decimals - SOL_DECIMALS);
  try {
    const { amountOut } = side === 'buy' ? computeBuy(state, amountIn) : computeSell(state, amountIn);
    if (amountOut === 0n) return undefined;
    return (
      (side === 'buy' ? Number(amountIn) / Number(amountOut) : Number(amountOut) / Number(amountIn)) * unit
    );
  } catch {
    // More than the pool can trade: the line ends here.
    return undefined;
  }
}
