/** One value for each of the five fee types: rates in basis points of a trade's SOL side, amounts in lamports. */
export interface PerFeeType {
  /** Goes to the protocol. */
  readonly protocol: bigint;
  /** Goes to the liquidity providers of a pro pool. */
  readonly liquidityProvider: bigint;
  /** Accrues for the pool's creator. */
  readonly creator: bigint;
  /** The protocol's share on top of the creator fee. */
  readonly creatorProtocol: bigint;
  /** Goes to the token's holders. */
  readonly reflection: bigint;
}

/** Fee rates in basis points (1 bps = 0.01 %). */
export type FeeRates = PerFeeType;

/** Fee amounts in lamports. */
export type FeeAmounts = PerFeeType;

/** A Token-2022 transfer fee, as it is in force now. */
export interface TransferFee {
  /** Basis points withheld from each transfer. */
  readonly basisPoints: bigint;
  /** The most that one transfer is charged, in the token's native units. */
  readonly maximum: bigint;
}

/** Token A (the token) and token B (SOL, in lamports) of a pool. */
export interface PoolReserves {
  readonly reserveA: bigint;
  readonly reserveB: bigint;
}

/** Everything that the price of a trade depends on, at one slot. */
export interface SwapState extends PoolReserves {
  /** Rates for a buy, in basis points. */
  readonly buyFees: FeeRates;
  /** Rates for a sell, in basis points. */
  readonly sellFees: FeeRates;
  /** Lamports that were never paid in (virtual SOL) and so can't be paid out. Default 0. */
  readonly virtualReserveB?: bigint;
  /**
   * The reserves when the slot window began, if a trade was made in it: no trade gets a better price than these give
   * ([assumption A7](/protocol#assumptions)).
   */
  readonly windowReserves?: PoolReserves | undefined;
  /** The transfer fee of token A that a trade pays ([assumption A15](/protocol#assumptions)), if it is not 0. */
  readonly transferFee?: TransferFee | undefined;
}

/** The exact result of a trade. */
export interface SwapResult {
  /** Leaves the trader's account: lamports of a buy, token units of a sell. */
  readonly amountIn: bigint;
  /** Arrives in the trader's account: token units of a buy, lamports of a sell. */
  readonly amountOut: bigint;
  /** Each fee, in lamports. */
  readonly fees: FeeAmounts;
  /** The sum of `fees`, in lamports. */
  readonly totalFee: bigint;
  /** Token units that Token-2022 withholds on the way. 0 for a token without a transfer fee. */
  readonly transferFee: bigint;
  /** The pool's reserves after the trade. */
  readonly reserveAAfter: bigint;
  readonly reserveBAfter: bigint;
  /** How much worse than the price before the trade its average price is, without fees: basis points, rounded up to 0.01. */
  readonly priceImpactBps: number;
}
