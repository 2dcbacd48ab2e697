import { CAPTURED } from './accounts.js';
import json from './facts.json' with { type: 'json' };

// What facts.json and accounts.json state, as the library takes it.

export const { vectors: FACTS } = json;

const { reserve } = CAPTURED.light_sol_pool.input.fields;
const { buy, launches, sell } = FACTS;
const n = BigInt;

/** LIGHT's pool as captured, and before its last buy. */
export const LIGHT = { reserveA: n(reserve.token_a), reserveB: n(reserve.token_b) };
export const BEFORE_LAST_BUY = { reserveA: n(reserve.snapshot_a), reserveB: n(reserve.snapshot_b) };

/** What left these reserves. */
export const LAST_BUY = {
  lamports: n(buy.input.max_sol_spend),
  net: n(buy.expected.net),
  fee: n(buy.expected.protocol_fee) + n(buy.expected.creator_fee),
  tokens: n(buy.expected.amount_out),
};

/** A sell from another pool. */
export const SELL = {
  data: sell.input.data,
  before: { tokenA: n(sell.input.reserve_a), tokenB: n(sell.input.reserve_b) },
  price: `${sell.input.price_sol_usd}`,
  tokens: n(sell.expected.amount_in),
  minimum: n(sell.expected.minimum_amount_out),
  fees: { protocol: n(sell.expected.protocol_fee), creator: n(sell.expected.creator_fee) },
  event: sell.expected.event,
};

/** What the first purchases of two launches bought, and what they paid. */
export const LAUNCHES = launches.cases.map(
  ({ input, expected }) => [n(input.tokens), n(expected.lamports)] as const,
);
