import type { Address } from '@solana/kit';

import { assertNames, inputError, invalidInput } from '../base/input.js';
import { oldestFirst } from './order.js';
import type { ParsedTradePrice, Trade } from './trades.js';

/** Options of {@link toPosition}. */
export interface PositionOptions {
  /** Only trades of this token. Required if the wallet traded several. */
  readonly mint?: Address | undefined;
  /**
   * The price to value the holding at: a number of lamports for a number of token units. Pass a candle's `close`, or use a sell quote:
   * `{ lamports: amountOut, tokenUnits: amountIn }`.
   */
  readonly price?: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'> | undefined;
}

/** The totals of what was bought, or of what was sold. */
export interface PositionSide {
  readonly trades: number;
  /** What the buys received, or the sells sold. Native units. */
  readonly tokenUnits: bigint;
  /** What was paid or received in lamports, including the exchange's fees. */
  readonly lamports: bigint;
}

/** A wallet's position in a token, computed from its trades by {@link toPosition}. Lamports, and native units of the token. */
export interface Position {
  readonly wallet: Address;
  /** The token. `undefined` if there are no trades. */
  readonly mint: Address | undefined;
  readonly bought: PositionSide;
  readonly sold: PositionSide;
  /** What is left of what was bought, in token units. The wallet may hold more or less, because transfers are not trades. */
  readonly held: bigint;
  /** What `held` cost in lamports: `bought.lamports` less `costOfSold`. */
  readonly cost: bigint;
  /** What the sold tokens had cost, in lamports. Each sell takes its share of the cost so far, rounded down; selling all takes all. */
  readonly costOfSold: bigint;
  /** Average cost of `held` as an exact ratio. `undefined` if nothing is held. */
  readonly averageCost: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'> | undefined;
  /** Realized profit in lamports, negative for a loss: `sold.lamports` less `unknownCost.lamports` and `costOfSold`. */
  readonly realizedPnl: bigint;
  /**
   * The sold tokens that were not bought in these trades, and what they brought, rounded down. They came by transfer or in
   * a trade that is not in the list: their cost is unknown, and no profit counts them.
   */
  readonly unknownCost: { readonly tokenUnits: bigint; readonly lamports: bigint };
  /** What `held` is worth at `price`, in lamports, rounded down. `undefined` without a price. */
  readonly value: bigint | undefined;
  /** `value` less `cost`, in lamports. */
  readonly unrealizedPnl: bigint | undefined;
  /** Trades whose amounts the transactions don't prove. The figures leave them out, so the figures are incomplete unless this is empty. */
  readonly unproven: readonly Trade[];
}

/**
 * Computes a wallet's position in a token, at average cost, in whole lamports and token units without floats. The trades may be in
 * any order and repeat, as in {@link toCandles}; other wallets' trades are ignored.
 *
 * It does not count tokens transferred in or out, or network fees (each trade's `networkFee`): compare `held` with the wallet's balance.
 *
 * @param trades All of the wallet's trades: `listTrades(client, { mint, wallet })`, every page.
 * @throws {HeavenError} `invalid-input` (trades, mint, price)
 * @example
 * ```ts
 * const trades = [];
 * for await (const trade of listTrades(client, { mint, wallet })) trades.push(trade);
 * const { held, cost, realizedPnl, unproven } = toPosition(trades, wallet);
 * console.log(held, cost, realizedPnl, unproven.length);
 * ```
 */
export function toPosition(
  trades: readonly Trade[],
  wallet: Address,
  options: PositionOptions = {},
): Position {
  assertNames(options, 'options', { mint: 1, price: 1 });
  const { mint, price } = options;
  const isPrice = ({ lamports, tokenUnits }: NonNullable<typeof price>) =>
    typeof lamports === 'bigint' && lamports >= 0n && typeof tokenUnits === 'bigint' && tokenUnits > 0n;
  if (price !== undefined && !isPrice(Object(price)))
    throw invalidInput('price', price, '{ lamports, tokenUnits }, with at least one token unit');
  const own = oldestFirst(trades).filter(
    (trade) => trade.user === wallet && (mint === undefined || trade.mint === mint),
  );
  const token = mint ?? own[0]?.mint;
  const other = own.find((trade) => trade.mint !== token);
  if (other !== undefined) {
    throw inputError(
      'mint',
      `The wallet traded ${token} and ${other.mint}. Choose a position: toPosition(trades, wallet, { mint }).`,
    );
  }

  const { bought, sold, unknownCost, held, cost, unproven } = sumsOf(own);
  const costOfSold = bought.lamports - cost;
  const value = price === undefined ? undefined : (held * price.lamports) / price.tokenUnits;
  return {
    wallet,
    mint: token,
    bought,
    sold,
    held,
    cost,
    costOfSold,
    averageCost: held === 0n ? undefined : { lamports: cost, tokenUnits: held },
    realizedPnl: sold.lamports - unknownCost.lamports - costOfSold,
    unknownCost,
    value,
    unrealizedPnl: value === undefined ? undefined : value - cost,
    unproven,
  };
}

/** Sums up what trades, oldest first, bought and sold, and what is left. */
function sumsOf(trades: readonly Trade[]) {
  const unproven: Trade[] = [];
  const bought = { trades: 0, tokenUnits: 0n, lamports: 0n };
  const sold = { trades: 0, tokenUnits: 0n, lamports: 0n };
  const unknownCost = { tokenUnits: 0n, lamports: 0n };
  let held = 0n;
  let cost = 0n;
  for (const trade of trades) {
    const { side, amountIn, amountOut } = trade;
    if (amountIn === undefined || amountOut === undefined) {
      unproven.push(trade);
      continue;
    }
    const [total, tokenUnits, lamports] =
      side === 'buy' ? [bought, amountOut, amountIn] : [sold, amountIn, amountOut];
    total.trades++;
    total.tokenUnits += tokenUnits;
    total.lamports += lamports;
    if (side === 'buy') {
      held += tokenUnits;
      cost += lamports;
      continue;
    }
    const covered = tokenUnits < held ? tokenUnits : held;
    unknownCost.tokenUnits += tokenUnits - covered;
    if (tokenUnits > 0n) unknownCost.lamports += (lamports * (tokenUnits - covered)) / tokenUnits;
    if (held > 0n) cost -= (cost * covered) / held;
    held -= covered;
  }
  return { bought, sold, unknownCost, held, cost, unproven };
}
