// The trade that all quote alike, and the floor: its arithmetic in plain bigint, without a check.

export const RESERVE_A = 200_000_000_000_000n; // 200 M tokens of 6 decimals
export const RESERVE_B = 85_000_000_000n; // 85 SOL
export const SLIPPAGE_BPS = 100;
export const ONE_SOL = 1_000_000_000n;
/** What fee-on-input exchanges must give for 1 SOL at 1 % of fees. */
export const OUT_FOR_ONE_SOL = 2_302_593_324_805n;

export const none = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };
const fees = { ...none, protocol: 20n, creator: 80n };
export const state = { reserveA: RESERVE_A, reserveB: RESERVE_B, buyFees: fees, sellFees: fees };

/** The floors' own, flat form of a pool. */
export const floorPool = { reserveA: RESERVE_A, reserveB: RESERVE_B, protocol: 20n, creator: 80n };

/**
 * Amounts around 1 SOL. All are multiples of 10,000 lamports: of those 1 % is whole, so whether a peer rounds its fees up
 * or down makes no difference.
 */
export const amounts = Array.from({ length: 1024 }, (_, i) => ONE_SOL + BigInt((i * 389) % 1024) * 100_000n);
/** Outputs around what 1 SOL buys, to ask for exactly. */
export const outputs = amounts.map((amount) => (OUT_FOR_ONE_SOL * amount) / ONE_SOL);

export const ceilDiv = (dividend, divisor) => (dividend + divisor - 1n) / divisor;

function trade(pool, amountIn) {
  const { reserveA, reserveB } = pool;
  const protocol = (amountIn * pool.protocol) / 10_000n;
  const creator = (amountIn * pool.creator) / 10_000n;
  const totalFee = protocol + creator;
  const net = amountIn - totalFee;
  const reserveBAfter = reserveB + net;
  const amountOut = (reserveA * net) / reserveBAfter;
  const atSpot = net * reserveA;
  return {
    amountIn,
    amountOut,
    bound: 0n,
    protocol,
    creator,
    totalFee,
    reserveAAfter: reserveA - amountOut,
    reserveBAfter,
    priceImpactBps: Number(ceilDiv((atSpot - amountOut * reserveB) * 1_000_000n, atSpot)) / 100,
  };
}

/** The same, with the price impact in floating point where that can't round to the wrong side. */
function tightTrade(pool, amountIn) {
  const { reserveA, reserveB } = pool;
  const protocol = (amountIn * pool.protocol) / 10_000n;
  const creator = (amountIn * pool.creator) / 10_000n;
  const totalFee = protocol + creator;
  const net = amountIn - totalFee;
  const reserveBAfter = reserveB + net;
  const amountOut = (reserveA * net) / reserveBAfter;
  const impact = (1 - (Number(amountOut) * Number(reserveB)) / (Number(net) * Number(reserveA))) * 1_000_000;
  let rounded = Math.ceil(impact);
  if (rounded - impact < 1e-8 || rounded - impact > 1 - 1e-8) {
    const atSpot = net * reserveA;
    rounded = Number(ceilDiv((atSpot - amountOut * reserveB) * 1_000_000n, atSpot));
  }
  return {
    amountIn,
    amountOut,
    bound: 0n,
    protocol,
    creator,
    totalFee,
    reserveAAfter: reserveA - amountOut,
    reserveBAfter,
    priceImpactBps: rounded / 100,
  };
}

/** An exact-in buy: all that `computeBuy` and `minimumAfterSlippage` give. */
export function floorBuy(pool, amountIn, slippageBps) {
  const quote = trade(pool, amountIn);
  quote.bound = (quote.amountOut * (10_000n - slippageBps)) / 10_000n;
  return quote;
}

export function tightFloorBuy(pool, amountIn, slippageBps) {
  const quote = tightTrade(pool, amountIn);
  quote.bound = (quote.amountOut * (10_000n - slippageBps)) / 10_000n;
  return quote;
}

/** The least input of an exact-out buy: two fees, each rounded down by itself, lose under two lamports of their sum. */
function leastInput(pool, amountOut) {
  const { reserveA, reserveB } = pool;
  const net = ceilDiv(amountOut * reserveB, reserveA - amountOut);
  let amountIn = ((net - 2n) * 10_000n) / (10_000n - pool.protocol - pool.creator);
  for (;;) {
    const feesOfIt = (amountIn * pool.protocol) / 10_000n + (amountIn * pool.creator) / 10_000n;
    const missing = net + feesOfIt - amountIn;
    if (missing <= 0n) return amountIn;
    amountIn += missing;
  }
}

/** An exact-out buy: all that `computeBuyExactOut` and `maximumAfterSlippage` give. */
export function floorBuyExactOut(pool, amountOut, slippageBps) {
  const quote = trade(pool, leastInput(pool, amountOut));
  quote.bound = ceilDiv(quote.amountIn * (10_000n + slippageBps), 10_000n);
  return quote;
}

export function tightFloorBuyExactOut(pool, amountOut, slippageBps) {
  const quote = tightTrade(pool, leastInput(pool, amountOut));
  quote.bound = ceilDiv(quote.amountIn * (10_000n + slippageBps), 10_000n);
  return quote;
}
