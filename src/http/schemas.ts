import * as z from 'zod/mini';
import type { ComputeBudgetDefaults } from '../build/assemble.js';
import { CLAIM_COMPUTE_BUDGET } from '../build/creator-fee-claim.js';
import { SWAP_COMPUTE_BUDGET } from '../build/trade.js';
import { toSnakeCase } from '../case.js';
import { scaleDecimal } from '../math/units.js';
import { nearestName } from '../nearest-name.js';
import { CREATE_COMPUTE_BUDGET } from '../pro/create.js';
import { SETTING_COMPUTE_BUDGET } from '../pro/creator-operation.js';
import { LIQUIDITY_COMPUTE_BUDGET } from '../pro/liquidity.js';
import { isValidAddress } from '../solana/addresses.js';
import type { Schema, StructSchema } from '../solana/codec.js';
import { LAUNCH_COMPUTE_BUDGET } from '../standard/create-standard-liquidity-pool.js';
import { JsonDecimal } from './json.js';

// The interface's contract: what a request may hold and what an answer holds. Unknown fields at the top of a request are
// dropped, and listed in the answer; further in they are rejected. The OpenAPI document, the API page and the remote client
// are made from these.

/** JSON Schema keywords, but `fallback` for `default`, which zod leaves out of what is transformed. */
type Keywords = Readonly<Record<string, unknown>>;

/** A schema with JSON Schema keywords that only tell a reader more: what they say is held further in. */
const saying = <TSchema extends z.ZodMiniType>(schema: TSchema, keywords: Keywords): TSchema =>
  schema.check(z.meta({ ...keywords }));

const noted = <TSchema extends z.ZodMiniType>(
  schema: TSchema,
  description: string,
  keywords: Keywords = {},
): TSchema => saying(schema, { description, ...keywords });

/** What is wrong with a value: it is not there, or not what it must be. */
const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? 'is missing' : `must be ${what}`,
});

const text = z.string(must('a string'));

const address = text.check(
  z.refine((value) => isValidAddress(value), { error: 'must be a base58 address of 32 bytes' }),
  z.meta({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }),
);

/** A whole number however it is written, `50.0`, `5e1` or a string of digits; anything else stays what it is. */
function asInteger(value: unknown): unknown {
  const written = value instanceof JsonDecimal ? value.toString() : value;
  if (typeof written !== 'string' || (typeof value === 'string' && !/^\d+$/.test(value))) return value;
  try {
    return scaleDecimal(written, 0, 'integer', MOST_INTEGER);
  } catch {
    return value;
  }
}

/** Far over 64 bits: what is too large is told by its field. */
const MOST_INTEGER = 2n ** 128n;

/** Any integer from 0 on, with all its digits. */
const integer = saying(
  z.pipe(
    z.transform(asInteger),
    z.bigint(must('a whole number')).check(z.nonnegative({ error: 'must not be negative' })),
  ),
  { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 0 },
);

/** An integer that a function takes as a `number`. */
const smallInteger = saying(
  z.pipe(
    z.transform(asInteger),
    z.pipe(
      z
        .bigint(must('a whole number'))
        .check(
          z.nonnegative({ error: 'must not be negative' }),
          z.lte(BigInt(Number.MAX_SAFE_INTEGER), { error: 'is too large' }),
        ),
      z.transform((value) => Number(value)),
    ),
  ),
  { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: 0 },
);

const DECIMAL = /^\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** A decimal number with all its digits, also as a string; anything else stays what it is. */
const asDecimal = z.transform((value: unknown) =>
  typeof value === 'string' && DECIMAL.test(value) ? new JsonDecimal(value) : value,
);

const decimal = z.union([z.bigint(), z.instanceof(JsonDecimal)], must('a number'));

/** A UI amount that is read through its digits. */
const uiAmount = saying(
  z.pipe(
    asDecimal,
    z.pipe(
      decimal,
      z.transform((value) => value.toString()),
    ),
  ),
  { type: ['number', 'string'], pattern: DECIMAL.source, minimum: 0 },
);

/** The fields that are such amounts. */
export const uiAmountFields: ReadonlySet<string> = new Set([
  'max_sol_spend',
  'amount_in_ui',
  'initial_purchase_percent',
  'slippage',
]);

/** A number that is only shown. */
const shownNumber = saying(
  z.pipe(
    asDecimal,
    z.pipe(
      decimal,
      z.transform((value) => Number(value.toString())),
    ),
  ),
  { type: 'number', minimum: 0 },
);

const flag = z.boolean(must('true or false'));

/** A field that may be missing or `null`; the function then does not see it. */
const optional = <TSchema extends z.ZodMiniType>(schema: TSchema, description: string, keywords?: Keywords) =>
  z.pipe(
    noted(z.nullish(schema), description, keywords),
    z.transform((value) => value ?? undefined),
  );

/** A decimal number is an object to zod, and must not pass as one. */
const asObject = z.transform((value: unknown) => (value instanceof JsonDecimal ? value.toString() : value));

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** An object whose other fields are dropped. */
const objectOf = <TShape extends Shape>(shape: TShape) =>
  z.pipe(asObject, z.object(shape, must('an object')));

/** An object that has no other fields: a misspelt one would be taken for one that is left out. */
const strictOf = <TShape extends Shape>(shape: TShape) =>
  z.pipe(
    asObject,
    z.strictObject(shape, {
      error: ({ code, input, keys }) =>
        code === 'unrecognized_keys'
          ? (keys ?? []).map((key) => unknownField(key, Object.keys(shape))).join(', ')
          : must('an object').error({ input }),
    }),
  );

function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return `has no field ${name.slice(0, 60)}${nearest === undefined ? `: it takes ${known.join(', ')}` : `; did you mean ${nearest}?`}`;
}

const listOf = <TItem extends z.ZodMiniType>(item: TItem) => z.array(item, must('a list of brackets'));

/** A field whose `null` the function understands. */
const nullable = <TSchema extends z.ZodMiniType>(schema: TSchema) => z.nullish(schema);

const U64 = { format: 'uint64' };
const POSITIVE_U64 = { ...U64, minimum: 1 };
const POSITIVE = { exclusiveMinimum: 0 };
const BASIS_POINTS = { maximum: 10_000 };
const SLOTS = { maximum: 65_535 };

// ---------------------------------------------------------------- fields of several requests

const programId = {
  program_id: noted(address, 'The address of the exchange program. Only the ones that are served here.'),
};
const mint = { mint: noted(address, 'The mint of the token, token A.') };
const pool = { pool: noted(address, 'The address of the pro pool.') };
const configVersion = noted(smallInteger, 'The protocol config version: 1 community, 2 creator, 3 pro.', {
  maximum: 65_535,
});
const standardPool = { ...programId, config_version: configVersion, ...mint };
const slippageBps = {
  slippage_bps: noted(
    smallInteger,
    'How much less than expected is accepted, in basis points.',
    BASIS_POINTS,
  ),
};
const eventData = {
  encoded_user_defined_event_data: noted(
    text,
    'A text of yours that the trade emits on chain. May be empty.',
  ),
};
const lutAddress = {
  lut_address: noted(address, 'The lookup table that holds the fixed addresses of the creation.'),
};

const transaction = ({ limit, price }: ComputeBudgetDefaults) => ({
  payer: noted(address, 'The wallet that signs and pays.'),
  compute_unit_limit: noted(
    nullable(smallInteger),
    'The most compute units that the transaction may use. 0 leaves the instruction out.',
    { fallback: limit, maximum: 4_294_967_295 },
  ),
  compute_unit_price: noted(
    nullable(integer),
    'The priority fee in micro-lamports per compute unit. 0 leaves the instruction out.',
    { fallback: Number(price), ...U64 },
  ),
});
const swapTransaction = transaction(SWAP_COMPUTE_BUDGET);
const claimTransaction = transaction(CLAIM_COMPUTE_BUDGET);
const creationTransaction = transaction(CREATE_COMPUTE_BUDGET);
const launchTransaction = transaction(LAUNCH_COMPUTE_BUDGET);
const liquidityTransaction = transaction(LIQUIDITY_COMPUTE_BUDGET);
const settingTransaction = transaction(SETTING_COMPUTE_BUDGET);

// ---------------------------------------------------------------- data

export const poolStateRequest = z
  .object({
    ...programId,
    mint: optional(address, 'The mint of a standard pool.'),
    pool: optional(address, 'The address of any pool, in place of the mint.'),
  })
  .check(
    z.refine(({ mint, pool }) => mint !== undefined || pool !== undefined, {
      path: ['mint'],
      error: 'or a pool must be given',
    }),
  );

export const poolInfoRequest = z.object({
  ...programId,
  ...mint,
  pool: optional(address, 'The address of a pro pool. Without it, the standard pool of the mint.'),
});

/** The field's name is ours; the name it has elsewhere in the interface is taken too. */
export const protocolConfigStateRequest = z.pipe(
  z
    .object({
      ...programId,
      version: optional(smallInteger, 'The protocol config version.', { maximum: 65_535 }),
      config_version: optional(smallInteger, 'The same by its other name.', { maximum: 65_535 }),
    })
    .check(
      z.refine(({ version, config_version }) => (version ?? config_version) !== undefined, {
        path: ['version'],
        error: 'must be given',
      }),
      z.refine(
        ({ version, config_version }) =>
          version === undefined || config_version === undefined || version === config_version,
        { path: ['config_version'], error: 'must be the same as version' },
      ),
    ),
  z.transform(({ program_id, version, config_version }) => ({
    program_id,
    version: version ?? config_version,
  })),
);

export const lpBalanceRequest = z.object({
  ...programId,
  ...pool,
  user: noted(address, 'The wallet whose liquidity it is.'),
});

// ---------------------------------------------------------------- standard pools

export const quoteInitialBuyRequest = strictOf({
  ...programId,
  config_version: configVersion,
  initial_purchase_percent: noted(uiAmount, 'Percent of the tokens that a launch starts with: 1 is 1 %.', {
    maximum: 100,
  }),
  slippage_bps: optional(smallInteger, 'How much to add to the cost, in basis points.', {
    fallback: 0,
    ...BASIS_POINTS,
  }),
  slippage: optional(uiAmount, 'The same as a fraction: 0.005 is 0.5 %. Not both.', { maximum: 1 }),
});

export const quoteBuyRequest = z.object({
  ...standardPool,
  max_sol_spend: noted(uiAmount, 'The SOL to spend, fees included. At most 9 decimals.', POSITIVE),
  ...slippageBps,
});

export const quoteSellRequest = z.object({
  ...standardPool,
  amount_in_ui: noted(uiAmount, 'The tokens to sell. At most as many decimals as the token has.', POSITIVE),
  ...slippageBps,
});

const quoteFields = {
  ...standardPool,
  minimum_out: noted(integer, 'The least that is received, in native units.', U64),
  minimum_out_ui: noted(shownNumber, 'The same, with decimals applied.'),
  ...slippageBps,
};
const buyQuoteFields = {
  ...quoteFields,
  max_lamport_spend: noted(integer, 'What is spent at most, in lamports, fees included.', U64),
  max_sol_spend: noted(shownNumber, 'The same in SOL.'),
};
const sellQuoteFields = {
  ...quoteFields,
  amount_in: noted(integer, 'What is sold, in native units.', U64),
  amount_in_ui: noted(shownNumber, 'The same, with decimals applied.'),
};

/** What was found odd in a request that is answered all the same. */
const ignored = {
  ignored_fields: optional(z.array(text), 'Fields of the request that are not known, and were ignored.'),
};
const notes = { details: optional(z.object(ignored), 'Ours.') };

const exactDigits = optional(
  text.check(z.regex(/^\d{1,20}$/, { error: 'must be a string of digits' })),
  'All digits.',
);

/** Of what an answer says behind the documented fields, a transaction needs no more than this. */
const returnedDetailFields = {
  pool: optional(address, 'The pool that the quote is for. A transaction in another is rejected.'),
  exact: optional(
    objectOf({ max_lamport_spend: exactDigits, amount_in: exactDigits, minimum_out: exactDigits }),
    'The integers over 2^53 as text, for callers whose JSON rounds them.',
  ),
};
const returnedDetails = {
  details: optional(objectOf(returnedDetailFields), 'From the quote. Everything else in it is ignored.'),
};

const warnings = noted(
  z.array(
    z.object({
      code: noted(text, 'A stable word.'),
      message: noted(text, 'What to know, for people.'),
    }),
  ),
  'What to know before signing.',
);

const feeAmounts = (description: string, each: z.ZodMiniType) =>
  noted(
    z.object(
      Object.fromEntries(
        ['protocol', 'liquidity_provider', 'creator', 'creator_protocol', 'reflection'].map((name) => [
          name,
          each,
        ]),
      ),
    ),
    description,
  );
const lamports = saying(integer, U64);
const slot = noted(integer, 'The slot of the state that this is computed from.', U64);
const marketCap = noted(shownNumber, 'In USD.');

const quoteDetails = {
  details: optional(
    z.object({
      ...returnedDetailFields,
      amount_in: noted(integer, 'What is traded, in native units.', U64),
      amount_out: noted(integer, 'What is expected, before slippage, in native units.', U64),
      fees: feeAmounts('Each fee, in lamports.', lamports),
      fee_rates: feeAmounts('Each rate, in basis points.', saying(integer, {})),
      total_fee: noted(integer, 'All fees, in lamports.', U64),
      transfer_fee: noted(integer, 'What the token itself withholds, in native units.', U64),
      price_before: noted(shownNumber, 'SOL per token.'),
      price_after: noted(shownNumber, 'SOL per token.'),
      price_impact_bps: noted(shownNumber, 'In basis points.'),
      market_cap_usd: marketCap,
      sol_price_usd: noted(shownNumber, 'USD per SOL.'),
      slot,
      warnings,
      ...ignored,
    }),
    'What stands behind the quote (ours).',
  ),
};

/** A buy quote, as it is answered. */
export const buyQuote = noted(z.object({ ...buyQuoteFields, ...quoteDetails }), 'A buy quote.', {
  id: 'BuyQuote',
});

/** A sell quote, as it is answered. */
export const sellQuote = noted(z.object({ ...sellQuoteFields, ...quoteDetails }), 'A sell quote.', {
  id: 'SellQuote',
});

/** A buy quote, as it comes back. */
const returnedBuyQuote = noted(
  strictOf({ ...buyQuoteFields, ...returnedDetails }),
  'The quote, as it was returned.',
  {
    id: 'ReturnedBuyQuote',
  },
);

/** A sell quote, as it comes back. */
const returnedSellQuote = noted(
  strictOf({ ...sellQuoteFields, ...returnedDetails }),
  'The quote, as it was returned.',
  {
    id: 'ReturnedSellQuote',
  },
);

const source = {
  source: noted(
    nullable(address),
    'The token account to debit. Without it, the payer’s associated token account.',
  ),
};
const sourceWallet = {
  source: noted(nullable(address), 'The wallet to debit. Without it, the payer. It signs too.'),
};

export const buyRequest = z.object({
  ...swapTransaction,
  quote_response: returnedBuyQuote,
  ...eventData,
  ...source,
});

export const sellRequest = z.object({
  ...swapTransaction,
  quote_response: returnedSellQuote,
  ...eventData,
  ...source,
});

const claimAmount = {
  amount: z.pipe(
    noted(z.nullish(integer), 'Lamports to claim; 0 claims all.', { fallback: 0, ...U64 }),
    z.transform((amount) => amount ?? 0n),
  ),
};

export const claimCreatorTradingFeesRequest = z.object({
  ...claimTransaction,
  ...programId,
  ...claimAmount,
  ...mint,
  version: noted(smallInteger, 'The protocol config version of the pool.', { maximum: 65_535 }),
});

export const createStandardLiquidityPoolRequest = z.object({
  ...launchTransaction,
  ...programId,
  creator: noted(address, 'The wallet that becomes the creator of the pool. It signs too.'),
  ...eventData,
  name: noted(text, 'The token’s name: at most 32 bytes of UTF-8.'),
  symbol: noted(text, 'The token’s symbol: at most 10 bytes of UTF-8.'),
  uri: noted(text, 'Where the token’s metadata is: at most 200 bytes of UTF-8.'),
  config_version: optional(smallInteger, 'The protocol config version: 1 community, 2 creator.', {
    fallback: 1,
    maximum: 65_535,
  }),
  initial_purchase_amount: noted(integer, 'Tokens to buy in the launch, in native units; 0 for none.', U64),
  ...lutAddress,
  max_sol_spend: optional(
    uiAmount,
    'The most SOL that the initial purchase may cost. Without it, its cost now and 1 % more.',
  ),
});

// ---------------------------------------------------------------- pro pools

const feeBps = {
  buy_fee_bps: noted(smallInteger, 'The fee on buys, in basis points.', BASIS_POINTS),
  sell_fee_bps: noted(smallInteger, 'The fee on sells, in basis points.', BASIS_POINTS),
};
const marketCapBrackets = saying(
  listOf(
    noted(
      strictOf({
        market_cap_upper_bound: noted(
          integer,
          'Up to which market cap, in millionths of a USD. The last should be 9223372036854775807.',
          { format: 'int64' },
        ),
        ...feeBps,
      }),
      'Fees up to a market cap.',
      { id: 'FeeBracket' },
    ),
  ),
  { maxItems: 4 },
);
const slotSchedule = {
  brackets: noted(
    listOf(
      noted(
        strictOf({
          slot_offset_upperbound: noted(smallInteger, 'Up to how many slots after the launch.', SLOTS),
          ...feeBps,
        }),
        'Fees up to a slot after the launch.',
        { id: 'SlotFeeBracket' },
      ),
    ),
    'The creator fees by slot.',
    { maxItems: 42 },
  ),
  max_slot_offset: noted(smallInteger, 'The last slot after the launch that the schedule covers.', SLOTS),
  max_fee_bps: noted(smallInteger, 'The highest fee, in basis points.', BASIS_POINTS),
  enabled: noted(flag, 'Whether the schedule is in force.'),
};

export const quoteProBuyRequest = z.object({ ...quoteBuyRequest.shape, ...pool });

export const quoteProSellRequest = z.object({ ...quoteSellRequest.shape, ...pool });

export const proBuyRequest = z.object({ ...buyRequest.shape, ...pool, ...sourceWallet });

export const proSellRequest = z.object({ ...sellRequest.shape, ...pool, ...sourceWallet });

const feature = (description: string, fallback: boolean) => optional(flag, description, { fallback });

export const proCreateRequest = z.object({
  ...creationTransaction,
  ...standardPool,
  creator: noted(address, 'The wallet that becomes the creator of the pool. It signs too.'),
  ...eventData,
  initial_token_a_amount: noted(integer, 'Tokens that the pool starts with, in native units.', POSITIVE_U64),
  initial_token_b_amount: noted(integer, 'Lamports that the pool starts with.', POSITIVE_U64),
  ...lutAddress,
  features: optional(
    strictOf({
      enable_swap: feature('Allow buying and selling.', true),
      enable_deposit_liquidity: feature('Allow depositing liquidity.', true),
      enable_withdraw_liquidity: feature('Allow withdrawing liquidity.', true),
      enable_update_creator_trading_fee: feature('Allow changes of the creator fee.', true),
      enable_same_slot_trading: feature('Allow a buy and a sell in the same slot.', false),
      enable_sandwich_resistant_mode: feature('Protect against sandwiching.', false),
    }),
    'What the pool allows.',
  ),
  creator_trading_fee: optional(
    marketCapBrackets,
    'The creator’s fee. Without it, none. From the lowest bound up.',
  ),
  creator_slot_trading_fee: optional(
    strictOf(slotSchedule),
    'The creator’s fee in the slots after the launch. Without it, none.',
  ),
  reflection_trading_fee: optional(
    marketCapBrackets,
    'The fee for token holders. Without it, none. From the lowest bound up.',
  ),
  liquidity_provider_trading_fee: optional(
    marketCapBrackets,
    'The fee for liquidity providers. Without it, none. From the lowest bound up.',
  ),
});

export const proAddLiquidityRequest = z.object({
  ...liquidityTransaction,
  ...standardPool,
  ...pool,
  max_token_a: noted(integer, 'The most tokens to deposit, in native units.', POSITIVE_U64),
  max_token_b: noted(integer, 'The most lamports to deposit.', POSITIVE_U64),
  min_lp_tokens: noted(integer, 'The least LP tokens to receive; 0 accepts any.', U64),
});

export const proRemoveLiquidityRequest = z.object({
  ...liquidityTransaction,
  ...standardPool,
  ...pool,
  lp_tokens_to_burn: noted(integer, 'The LP tokens to burn.', POSITIVE_U64),
  min_token_a: noted(integer, 'The least tokens to receive, in native units.', U64),
  min_token_b: noted(integer, 'The least lamports to receive.', U64),
});

const proClaim = { ...claimTransaction, ...programId, ...pool };
const proSetting = { ...settingTransaction, ...programId, ...pool };

export const proClaimCreatorFeesRequest = z.object({ ...proClaim, ...claimAmount });

export const proClaimLpFeesRequest = z.object(proClaim);

export const proToggleRequest = z.object({ ...proSetting, enabled: noted(flag, 'On or off.') });

export const proSetFeeRequest = z.object({
  ...proSetting,
  brackets: noted(marketCapBrackets, 'The fees. From the lowest bound up.'),
});

export const proSetSlotFeeRequest = z.object({ ...proSetting, ...slotSchedule });

export const proUpdateCreatorFeeReceiverRequest = z.object({
  ...proClaim,
  ...mint,
  version: noted(smallInteger, 'The protocol config version of the pool.', { maximum: 65_535 }),
  new_receiver: noted(address, 'The wallet that gets the creator fees from now on. It signs too.'),
});

export const proTransferLpRequest = z.object({
  ...proSetting,
  sender: noted(address, 'The wallet whose LP tokens they are. It signs too.'),
  receiver: noted(address, 'The wallet that gets them.'),
  amount: noted(integer, 'The LP tokens to transfer.', POSITIVE_U64),
});

// ---------------------------------------------------------------- answers

const transactionDetails = {
  details: optional(
    z.object({
      warnings,
      size: noted(smallInteger, 'Bytes on the wire, of 1232 at most.'),
      required_signers: noted(z.array(address), 'The wallets that have yet to sign, the payer first.'),
      last_valid_block_height: noted(integer, 'The last block height at which it can land.', U64),
      instructions: noted(z.array(text), 'A line in words for each instruction.'),
      rounded: optional(
        z.array(
          z.object({
            field: noted(text, 'The amount of the quote.'),
            received: noted(integer, 'As it arrived.', U64),
            used: noted(integer, 'As the transaction has it: never above what was quoted.', U64),
          }),
        ),
        'Amounts of the quote that arrived rounded.',
      ),
      ...ignored,
    }),
    'What stands behind the transaction (ours).',
  ),
};

const tx = {
  tx: noted(text, 'The unsigned transaction, version 0, in base64. Decode, sign, send.', {
    contentEncoding: 'base64',
  }),
};

export const transactionAnswer = z.object({ ...tx, ...transactionDetails });

export const launchAnswer = z.object({
  tx: noted(text, 'The transaction in base64, which already carries the new mint’s signature.', {
    contentEncoding: 'base64',
  }),
  mint: noted(address, 'The address of the new token.'),
  ...transactionDetails,
});

export const proCreateAnswer = z.object({
  ...tx,
  pool: noted(address, 'The address of the new pool.'),
  ...transactionDetails,
});

export const initialBuyAnswer = z.object({
  cost_lamports: noted(integer, 'What it costs at most, slippage included, in lamports.', U64),
  cost_sol: noted(shownNumber, 'The same in SOL.'),
  cost_usd: noted(shownNumber, 'The same in USD.'),
  token_amount: noted(integer, 'The tokens, in native units: the launch’s initial_purchase_amount.', U64),
  token_amount_ui: noted(shownNumber, 'The same, with decimals applied.'),
  details: optional(
    z.object({
      least_lamports: noted(integer, 'The least that buys the tokens, in lamports.', U64),
      fees: feeAmounts('Each fee, in lamports.', lamports),
      total_fee: noted(integer, 'All fees, in lamports.', U64),
      market_cap_usd: marketCap,
      slot,
    }),
    'What stands behind the quote (ours).',
  ),
});

export const lpBalanceAnswer = z.object({
  lp_token_balance: noted(integer, 'The LP tokens of the wallet.', U64),
  reward_debt: noted(integer, 'What of the pool’s LP fees is accounted for already.'),
  pending_fees: noted(integer, 'Lamports that a claim pays now.', U64),
  lp_position_address: noted(address, 'The address of the position.'),
  exists: noted(flag, 'Whether there is a position; without one the numbers are 0.'),
  details: optional(
    z.object({
      stored_pending_fees: noted(integer, 'Lamports, as the position’s account states them.', U64),
      accumulated_fee_per_lp_token: noted(integer, 'The pool’s fees per LP token so far.', U64),
      fee_per_lp_token_unit: noted(integer, 'How many units of that make a lamport.', U64),
      lp_supply: noted(integer, 'LP tokens in existence.', U64),
      ...ignored,
    }),
    'What stands behind the figures (ours).',
  ),
});

const oneOf = <const TValues extends readonly [string, ...string[]]>(values: TValues, description: string) =>
  noted(z.enum(values), description);

export const poolInfoAnswer = z.object({
  data: noted(
    z.object({
      classification: oneOf(['Community', 'Creator', 'Pro', 'Unknown'], 'By the protocol config version.'),
      creator: noted(address, 'The creator of the pool.'),
      current_base_reserve: noted(shownNumber, 'Tokens in the pool.'),
      current_quote_reserve: noted(shownNumber, 'SOL in the pool, virtual SOL included.'),
      current_buy_fee_pct: noted(shownNumber, 'All fees on a buy now, in percent.'),
      current_sell_fee_pct: noted(shownNumber, 'All fees on a sell now, in percent.'),
      current_creator_fee_claim_by_creator: noted(shownNumber, 'SOL that the creator has claimed so far.'),
      current_creator_fee_claim_status: oneOf(
        ['Unclaimed', 'Submitted', 'Processed', 'Unknown'],
        'The creator’s verification.',
      ),
      current_creator_fee_collected_sol: noted(shownNumber, 'SOL ever accrued, unclaimed and claimed.'),
      current_creator_fee_collected_usd: noted(shownNumber, 'The same in USD.'),
      current_creator_fee_distribution: oneOf(
        ['Community', 'Creator', 'Blocked', 'Shared', 'Unknown'],
        'Whose the creator fees are.',
      ),
      current_creator_fee_recipient: noted(address, 'Who may claim them.'),
      current_market_cap_usd: noted(shownNumber, 'In USD.'),
      current_sol_price_usd: noted(shownNumber, 'In USD.'),
      current_trading_volume_usd: noted(shownNumber, 'In USD.'),
      is_creator_fee_claimable: noted(
        flag,
        'Not Blocked, the volume reached, and Processed or a threshold of 0.',
      ),
      is_migrated: noted(flag, 'Whether the pool has moved on.'),
      migration_market_cap_threshold: noted(smallInteger, 'In whole USD.'),
      protocol_config_version: noted(smallInteger, '1 community, 2 creator, 3 pro.'),
      trading_volume_threshold_usd: noted(shownNumber, 'In USD.'),
    }),
    'The record of the pool. Amounts are UI amounts.',
  ),
  ...notes,
});

/** What the interface shows of one of the program's accounts. */
export const accountAnswer = (declaration: StructSchema) =>
  z.object({ ...(answerOf(declaration) as z.ZodMiniObject).shape, ...notes });

const BITS: Readonly<Record<string, number>> = { u8: 8, u16: 16, u32: 32 };

/** What the interface shows of one of the program's types: everything but padding, under the program's names. */
function answerOf(schema: Schema): z.ZodMiniType {
  if (typeof schema === 'string') {
    switch (schema) {
      case 'bool':
        return flag;
      case 'u8':
      case 'u16':
      case 'u32':
        return saying(smallInteger, { maximum: 2 ** (BITS[schema] as number) - 1 });
      case 'u64':
        return saying(integer, U64);
      case 'i128':
        return z.bigint();
      case 'f64':
        return shownNumber;
      case 'pubkey':
        return address;
      case 'string':
        return text;
    }
  }
  if ('vec' in schema) return z.array(answerOf(schema.vec));
  if ('option' in schema) return z.nullable(answerOf(schema.option));
  if ('array' in schema) return z.array(answerOf(schema.array)).check(z.length(schema.length));
  if ('values' in schema) return smallInteger;
  if ('fields' in schema) {
    return z.object(
      Object.fromEntries(
        Object.entries(schema.fields)
          .filter(([, field]) => !(typeof field === 'object' && 'padding' in field))
          .map(([name, field]) => [toSnakeCase(name), answerOf(field)]),
      ),
    );
  }
  throw new Error('The interface shows no accounts with such a field.');
}
