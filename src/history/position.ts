import type { Address } from '@solana/kit';

import { inputError } from '../input.js';
import type { ParsedTradePrice, Trade } from './trades.js';

/** What {@link toPosition} takes beside the trades. */
export interface PositionOptions {
  /** Only this token. Needed if the wallet traded several. */
  readonly mint?: Address | undefined;
  /** What the holding is valued at: a price, such as a candle's `close`, or a sell quote's `amountOut` for its `amountIn`. */
  readonly price?: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'> | undefined;
}

/** What was bought, or sold, in all. */
export interface PositionSide {
  readonly trades: number;
  readonly tokenUnits: bigint;
  /** Paid for it or received, all fees of the exchange included. */
  readonly lamports: bigint;
}

/** A wallet's position in a token, as its trades tell it. Lamports, and native units of the token. */
export interface Position {
  readonly wallet: Address;
  /** The token, or `undefined` without any trade. */
  readonly mint: Address | undefined;
  readonly bought: PositionSide;
  readonly sold: PositionSide;
  /** What is left of what was bought. Transfers are not trades: the wallet may hold more or less. */
  readonly held: bigint;
  /** What `held` cost. */
  readonly cost: bigint;
  /** What was paid for what was sold since. */
  readonly costOfSold: bigint;
  /** The average cost as an exact ratio, or `undefined` if nothing is held. */
  readonly averageCost: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'> | undefined;
  /** The profit, or the loss if negative, of what was bought and sold. */
  readonly realised: bigint;
  /** Sold without having been bought in these trades: it came by transfer or in an older trade, and its cost is unknown. */
  readonly uncosted: { readonly tokenUnits: bigint; readonly lamports: bigint };
  /** What `held` is worth at the given price, rounded down. */
  readonly value: bigint | undefined;
  /** `value` less `cost`. */
  readonly unrealised: bigint | undefined;
  /** The wallet's trades whose amounts the transactions don't prove. They count nowhere: unless empty, the figures are incomplete. */
  readonly unproven: readonly Trade[];
}

/** A wallet's position in a token out of its trades. */
export function toPosition(
  trades: readonly Trade[],
  wallet: Address,
  options: PositionOptions = {},
): Position {
  throw inputError('trades', `Not implemented yet: ${trades.length} ${wallet} ${options.mint}.`);
}
