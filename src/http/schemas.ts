import { isAddress } from '@solana/kit';
import * as z from 'zod/mini';

import { JsonDecimal } from './json.js';

// What a request may hold. Fields that are not named are dropped.

const text = z.string({ error: 'must be a string' });

const address = text.check(
  z.refine((value) => isAddress(value), { error: 'must be a base58 address of 32 bytes' }),
);

/** Any integer from 0 on, with all its digits. */
const integer = z
  .bigint({ error: 'must be a whole number' })
  .check(z.nonnegative({ error: 'must not be negative' }));

/** An integer that a function takes as a `number`. */
const smallInteger = z.pipe(
  integer.check(z.lte(BigInt(Number.MAX_SAFE_INTEGER), { error: 'is too large' })),
  z.transform((value) => Number(value)),
);

const decimal = z.union([z.bigint(), z.instanceof(JsonDecimal)], { error: 'must be a number' });

/** A UI amount that is read through its digits. */
const uiAmount = z.pipe(
  decimal,
  z.transform((value) => value.toString()),
);

/** A UI amount that is only shown, and compared with the native one. */
const shownAmount = z.pipe(
  decimal,
  z.transform((value) => Number(value.toString())),
);

/** A field that may be missing or `null`; the function then does not see it. */
const optional = <TSchema extends z.ZodMiniType>(schema: TSchema) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );

const programId = { program_id: address };
const standardPool = { ...programId, config_version: smallInteger, mint: address };

export const poolStateRequest = z
  .object({ ...programId, mint: optional(address), pool: optional(address) })
  .check(
    z.refine(({ mint, pool }) => mint !== undefined || pool !== undefined, {
      path: ['mint'],
      error: 'or a pool must be given',
    }),
  );

export const poolInfoRequest = z.object({ ...programId, mint: address, pool: optional(address) });

/** The field's name is ours; the name it has elsewhere in the interface is taken too. */
export const protocolConfigStateRequest = z.pipe(
  z.object({ ...programId, version: optional(smallInteger), config_version: optional(smallInteger) }).check(
    z.refine(({ version, config_version }) => (version ?? config_version) !== undefined, {
      path: ['version'],
      error: 'must be given',
    }),
  ),
  z.transform(({ program_id, version, config_version }) => ({
    program_id,
    version: version ?? config_version,
  })),
);

export const quoteInitialBuyRequest = z.object({
  ...programId,
  config_version: smallInteger,
  initial_purchase_percent: uiAmount,
  slippage: optional(uiAmount),
});

export const quoteBuyRequest = z.object({
  ...standardPool,
  max_sol_spend: uiAmount,
  slippage_bps: smallInteger,
});

export const quoteSellRequest = z.object({
  ...standardPool,
  amount_in_ui: uiAmount,
  slippage_bps: smallInteger,
});

const quote = {
  ...standardPool,
  minimum_out: integer,
  minimum_out_ui: shownAmount,
  slippage_bps: smallInteger,
};
const buyQuote = z.object({ ...quote, max_lamport_spend: integer, max_sol_spend: shownAmount });
const sellQuote = z.object({ ...quote, amount_in: integer, amount_in_ui: shownAmount });

const transaction = {
  payer: address,
  compute_unit_limit: z.nullish(smallInteger),
  compute_unit_price: z.nullish(integer),
};
const trade = { ...transaction, encoded_user_defined_event_data: text, source: z.nullish(address) };

export const buyRequest = z.object({ ...trade, quote_response: buyQuote });

export const sellRequest = z.object({ ...trade, quote_response: sellQuote });

export const claimCreatorTradingFeesRequest = z.object({
  ...transaction,
  ...programId,
  amount: integer,
  mint: address,
  version: smallInteger,
});

export const createStandardLiquidityPoolRequest = z.object({
  ...transaction,
  ...programId,
  creator: address,
  encoded_user_defined_event_data: text,
  name: text,
  symbol: text,
  uri: text,
  config_version: optional(smallInteger),
  initial_purchase_amount: integer,
  lut_address: address,
  max_sol_spend: optional(uiAmount),
});

// ---------------------------------------------------------------- pro pools

const flag = z.boolean({ error: 'must be true or false' });
const pool = { pool: address };
const bracket = z.object({
  market_cap_upper_bound: integer,
  buy_fee_bps: smallInteger,
  sell_fee_bps: smallInteger,
});
const brackets = z.array(bracket, { error: 'must be a list of brackets' });
const slotSchedule = {
  brackets: z.array(
    z.object({ slot_offset_upperbound: smallInteger, buy_fee_bps: smallInteger, sell_fee_bps: smallInteger }),
    { error: 'must be a list of brackets' },
  ),
  max_slot_offset: smallInteger,
  max_fee_bps: smallInteger,
  enabled: flag,
};
const proTransaction = { ...transaction, ...programId, ...pool };

export const lpBalanceRequest = z.object({ ...programId, ...pool, user: address });

export const quoteProBuyRequest = z.object({
  ...standardPool,
  ...pool,
  max_sol_spend: uiAmount,
  slippage_bps: smallInteger,
});

export const quoteProSellRequest = z.object({
  ...standardPool,
  ...pool,
  amount_in_ui: uiAmount,
  slippage_bps: smallInteger,
});

export const proBuyRequest = z.object({ ...trade, ...pool, quote_response: buyQuote });

export const proSellRequest = z.object({ ...trade, ...pool, quote_response: sellQuote });

export const proCreateRequest = z.object({
  ...transaction,
  ...standardPool,
  creator: address,
  encoded_user_defined_event_data: text,
  initial_token_a_amount: integer,
  initial_token_b_amount: integer,
  lut_address: address,
  features: optional(
    z.object({
      enable_swap: optional(flag),
      enable_deposit_liquidity: optional(flag),
      enable_withdraw_liquidity: optional(flag),
      enable_update_creator_trading_fee: optional(flag),
      enable_same_slot_trading: optional(flag),
      enable_sandwich_resistant_mode: optional(flag),
    }),
  ),
  creator_trading_fee: optional(brackets),
  creator_slot_trading_fee: optional(z.object(slotSchedule)),
  reflection_trading_fee: optional(brackets),
  liquidity_provider_trading_fee: optional(brackets),
});

export const proAddLiquidityRequest = z.object({
  ...transaction,
  ...standardPool,
  ...pool,
  max_token_a: integer,
  max_token_b: integer,
  min_lp_tokens: integer,
});

export const proRemoveLiquidityRequest = z.object({
  ...transaction,
  ...standardPool,
  ...pool,
  lp_tokens_to_burn: integer,
  min_token_a: integer,
  min_token_b: integer,
});

export const proClaimCreatorFeesRequest = z.object({ ...proTransaction, amount: integer });

export const proClaimLpFeesRequest = z.object(proTransaction);

export const proToggleRequest = z.object({ ...proTransaction, enabled: flag });

export const proSetFeeRequest = z.object({ ...proTransaction, brackets });

export const proSetSlotFeeRequest = z.object({ ...proTransaction, ...slotSchedule });

export const proUpdateCreatorFeeReceiverRequest = z.object({
  ...proTransaction,
  mint: address,
  version: smallInteger,
  new_receiver: address,
});

export const proTransferLpRequest = z.object({
  ...proTransaction,
  sender: address,
  receiver: address,
  amount: integer,
});
