import type { Address } from '@solana/kit';

import { inputError, invalidInput } from '../input.js';
import { oldestFirst, tradeKey } from './order.js';
import type { ParsedTradePrice, Trade } from './trades.js';

/** What {@link toPosition} takes beside the trades. */
export interface PositionOptions {
  /** Only trades of this token. Needed if the wallet traded several. */
  readonly mint?: Address | undefined;
  /**
   * What the holding is valued at: lamports for so many token units. A candle's `close` will do, or what a sell quote gives:
   * `{ lamports: amountOut, tokenUnits: amountIn }`.
   */
  readonly price?: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'> | undefined;
}

/** What was bought, or sold, in all. */
export interface PositionSide {
  readonly trades: number;
  /** What arrived, or left. Native units. */
  readonly tokenUnits: bigint;
  /** What was paid or received, the exchange's fees included. */
  readonly lamports: bigint;
}

/** A wallet's position in a token, as its trades tell it: {@link toPosition}. Lamports, and native units of the token. */
export interface Position {
  readonly wallet: Address;
  /** The token. `undefined` without any trade. */
  readonly mint: Address | undefined;
  readonly bought: PositionSide;
  readonly sold: PositionSide;
  /** What is left of what was bought, in token units. The wallet may hold more or less: transfers are not trades. */
  readonly held: bigint;
  /** What `held` cost: `bought.lamports` less `costOfSold`. */
  readonly cost: bigint;
  /** What was paid for what was sold, in lamports. Each sell takes its part of the cost so far, rounded down; one of everything takes all of it. */
  readonly costOfSold: bigint;
  /** Average cost of `held` as an exact ratio. `undefined` if nothing is held. */
  readonly averageCost: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'> | undefined;
  /** Profit of what was bought and sold, negative for a loss: `sold.lamports` less `uncosted.lamports` and `costOfSold`. */
  readonly realised: bigint;
  /**
   * The part of what was sold that was not bought in these trades, and what it brought, rounded down. It came by transfer or in
   * a trade that is not in the list, so its cost is not known and no profit counts it.
   */
  readonly uncosted: { readonly tokenUnits: bigint; readonly lamports: bigint };
  /** What `held` is worth at the price, in lamports, rounded down. `undefined` without a price. */
  readonly value: bigint | undefined;
  /** `value` less `cost`, in lamports. */
  readonly unrealised: bigint | undefined;
  /** Trades whose amounts the transactions don't prove. No figure counts them: unless empty, the figures are incomplete. */
  readonly unproven: readonly Trade[];
}

/**
 * A wallet's position in a token, at average cost, in whole lamports and token units without a float. The trades may come in
 * any order and more than once, as in {@link toCandles}; trades of other wallets are left out.
 *
 * It knows trades only. Tokens that came or went by transfer, an initial purchase at a launch and network fees are not in it:
 * compare `held` with the wallet's balance.
 *
 * @param trades All of the wallet's trades: `listTrades(client, { mint, wallet })`, every page.
 * @throws {HeavenError} `invalid-input` (trades, mint, price)
 * @example
 * ```ts
 * const { trades } = await listTrades(client, { mint, wallet });
 * const { held, cost, realised, unproven } = toPosition(trades, wallet);
 * console.log(held, cost, realised, unproven.length);
 * ```
 */
export function toPosition(
  trades: readonly Trade[],
  wallet: Address,
  { mint, price }: PositionOptions = {},
): Position {
  if (!Array.isArray(trades)) throw invalidInput('trades', trades, 'an array of trades');
  const isPrice = ({ lamports, tokenUnits }: NonNullable<typeof price>) =>
    typeof lamports === 'bigint' && lamports >= 0n && typeof tokenUnits === 'bigint' && tokenUnits > 0n;
  if (price !== undefined && !isPrice(Object(price)))
    throw invalidInput('price', price, '{ lamports, tokenUnits }, with at least one token unit');
  const known = new Set<string>();
  const own = oldestFirst(trades).filter((trade) => {
    const key = tradeKey(trade);
    if (trade.user !== wallet || (mint !== undefined && trade.mint !== mint) || known.has(key)) return false;
    known.add(key);
    return true;
  });
  const token = mint ?? own[0]?.mint;
  const other = own.find((trade) => trade.mint !== token);
  if (other !== undefined) {
    throw inputError(
      'mint',
      `The wallet traded ${token} and ${other.mint}. Choose a position: toPosition(trades, wallet, { mint }).`,
    );
  }

  const isOneSlot = trades.every(({ slot }) => slot === own[0]?.slot);
  const { bought, sold, uncosted, held, cost, unproven } = isOneSlot ? likelier(own) : sumsOf(own);
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
    realised: sold.lamports - uncosted.lamports - costOfSold,
    uncosted,
    value,
    unrealised: value === undefined ? undefined : value - cost,
    unproven,
  };
}

/**
 * The sums of trades of a single slot, whose list does not tell whether it is oldest or newest first unless a transaction has several of them. It is
 * taken in the order in which more of what was sold had been bought before.
 */
function likelier(trades: readonly Trade[]) {
  const asGiven = sumsOf(trades);
  const isTold = new Set(trades.map(({ signature }) => signature)).size < trades.length;
  if (isTold || asGiven.uncosted.tokenUnits === 0n) return asGiven;
  const reversed = sumsOf([...trades].reverse());
  return reversed.uncosted.tokenUnits < asGiven.uncosted.tokenUnits ? reversed : asGiven;
}

/** What trades, oldest first, bought and sold, and what is left. */
function sumsOf(trades: readonly Trade[]) {
  const unproven: Trade[] = [];
  const bought = { trades: 0, tokenUnits: 0n, lamports: 0n };
  const sold = { trades: 0, tokenUnits: 0n, lamports: 0n };
  const uncosted = { tokenUnits: 0n, lamports: 0n };
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
    uncosted.tokenUnits += tokenUnits - covered;
    if (tokenUnits > 0n) uncosted.lamports += (lamports * (tokenUnits - covered)) / tokenUnits;
    if (held > 0n) cost -= (cost * covered) / held;
    held -= covered;
  }
  return { bought, sold, uncosted, held, cost, unproven };
}
