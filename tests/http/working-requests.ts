import type { Address } from '@solana/kit';
import { isLosslessNumber, parse } from 'lossless-json';

import type { Handler } from '../../src/http/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { CREATOR, furnish, PAYER, WALLET } from '../golden/scene.js';
import { CATCH_ALL, LARGE, ODD } from '../support/amounts.js';
import { EMPTY_TABLE } from '../support/large-pro-pool.js';
import { objectText, ok } from './support.js';

export { PAYER };

/** JSON text by field: no number passes through JavaScript. */
export type Fields = Readonly<Record<string, string>>;

/** A request of a path: the fields it must have, and all the others that it may have. */
export interface WorkingRequest {
  readonly required: Fields;
  readonly optional: Fields;
  /** Fields that stand for some of the optional ones, and can't be given beside them. */
  readonly alternative?: Fields;
}

const text = (value: unknown) => JSON.stringify(value);
const list = (...items: readonly string[]) => `[${items.join(',')}]`;

/**
 * A request of each of the interface's paths that is answered with 200, over an embedded ledger that it prepares for them.
 * A launch needs a handler with a `mintSigner`, or it takes some seconds.
 */
export async function workingRequests(
  handler: Handler,
  ledger: EmbeddedLedger,
  programAddress: Address = HEAVEN_PROGRAM_ADDRESS,
): Promise<Readonly<Record<string, WorkingRequest>>> {
  const { creator, pro } = ledger.pools;
  const { tokens, wrappedSol } = await furnish(ledger);

  const program_id = text(programAddress);
  const standard = { program_id, config_version: '2', mint: text(creator.mint) };
  const inPro = { program_id, config_version: '3', mint: text(pro.mint), pool: text(pro.pool) };
  const own = { program_id, pool: text(pro.pool), payer: text(pro.creator) };
  const event = { encoded_user_defined_event_data: '"ref:42 é"' };
  const budget = {
    compute_unit_limit: '99000',
    compute_unit_price: '18446744073709551615',
    loaded_accounts_data_size_limit: '1048576',
    transaction_version: '0',
  };
  const bracket = (bound: bigint, fee: number) =>
    objectText({
      market_cap_upper_bound: String(bound),
      buy_fee_bps: String(fee),
      sell_fee_bps: String(fee + 1),
    });
  const brackets = list(bracket(ODD, 300), bracket(CATCH_ALL, 100));
  const slotBracket = (bound: number, fee: number) =>
    objectText({
      slot_offset_upperbound: String(bound),
      buy_fee_bps: String(fee),
      sell_fee_bps: String(fee - 1),
    });
  const schedule = {
    brackets: list(slotBracket(5, 5_000), slotBracket(15, 1_000)),
    max_slot_offset: '15',
    max_fee_bps: '5000',
    enabled: 'true',
  };
  const quotes = {
    '/quote/buy': { ...standard, max_sol_spend: '1.5', slippage_bps: '50' },
    '/quote/sell': { ...standard, amount_in_ui: '1000.5', slippage_bps: '50' },
    '/quote/pro/buy': { ...inPro, max_sol_spend: '1.5', slippage_bps: '50' },
    '/quote/pro/sell': { ...inPro, amount_in_ui: '1000.5', slippage_bps: '50' },
  };
  const trade = async (path: keyof typeof quotes) => ({
    quote_response: await ok(handler, path, objectText(quotes[path])),
    ...event,
  });
  const proTrade = async (path: keyof typeof quotes) => ({
    required: { ...(await trade(path)), payer: text(pro.creator), pool: text(pro.pool) },
    optional: { ...budget, source: text(WALLET) },
  });
  const only = (required: Fields, optional: Fields = {}): WorkingRequest => ({ required, optional });
  const setting = (required: Fields) => only(required, budget);

  return {
    '/data/pool-info': only({ program_id, mint: text(creator.mint) }, { pool: text(creator.pool) }),
    '/data/pool-state': only({ program_id, mint: text(creator.mint) }, { pool: text(creator.pool) }),
    '/data/protocol-config-state': {
      required: { program_id, version: '2' },
      optional: {},
      alternative: { config_version: '2' },
    },
    '/data/lp-balance': only({ program_id, pool: text(pro.pool), user: text(pro.creator) }),
    '/quote/buy': only(quotes['/quote/buy']),
    '/quote/sell': only(quotes['/quote/sell']),
    '/quote/pro/buy': only(quotes['/quote/pro/buy']),
    '/quote/pro/sell': only(quotes['/quote/pro/sell']),
    '/quote/initial-buy': {
      required: { program_id, config_version: '1', initial_purchase_percent: '1.5' },
      optional: { slippage_bps: '50' },
      alternative: { slippage: '0.005' },
    },
    '/tx/buy': only(
      { ...(await trade('/quote/buy')), payer: text(PAYER) },
      { ...budget, source: text(wrappedSol) },
    ),
    '/tx/sell': only(
      { ...(await trade('/quote/sell')), payer: text(PAYER) },
      { ...budget, source: text(tokens) },
    ),
    '/tx/claim-creator-trading-fees': only(
      { program_id, payer: text(creator.creator), mint: text(creator.mint), version: '2' },
      { ...budget, amount: '420891248646' },
    ),
    '/tx/create-standard-liquidity-pool': only(
      {
        program_id,
        payer: text(PAYER),
        creator: text(CREATOR),
        ...event,
        name: '"A tøken"',
        symbol: '"TOKEN"',
        uri: '"https://example.com/token.json"',
        initial_purchase_amount: '12345678901234567',
        lut_address: text(ledger.lookupTables.community),
      },
      {
        ...budget,
        config_version: '1',
        max_sol_spend: '9007199.254740993',
      },
    ),
    '/tx/pro/buy': await proTrade('/quote/pro/buy'),
    '/tx/pro/sell': await proTrade('/quote/pro/sell'),
    '/tx/pro/create': only(
      {
        program_id,
        payer: text(CREATOR),
        creator: text(WALLET),
        ...event,
        config_version: '3',
        mint: text(pro.mint),
        initial_token_a_amount: String(LARGE),
        initial_token_b_amount: String(ODD),
        lut_address: text(EMPTY_TABLE),
      },
      {
        ...budget,
        features: objectText({
          enable_swap: 'false',
          enable_deposit_liquidity: 'false',
          enable_withdraw_liquidity: 'false',
          enable_update_creator_trading_fee: 'false',
          enable_same_slot_trading: 'true',
          enable_sandwich_resistant_mode: 'true',
        }),
        creator_trading_fee: brackets,
        creator_slot_trading_fee: objectText(schedule),
        reflection_trading_fee: brackets,
        liquidity_provider_trading_fee: brackets,
      },
    ),
    '/tx/pro/add-liquidity': setting({
      ...inPro,
      payer: text(pro.creator),
      max_token_a: String(LARGE),
      max_token_b: '1000000',
      min_lp_tokens: String(ODD),
    }),
    '/tx/pro/remove-liquidity': setting({
      ...inPro,
      payer: text(pro.creator),
      lp_tokens_to_burn: String(LARGE),
      min_token_a: String(ODD),
      min_token_b: String(ODD),
    }),
    '/tx/pro/claim-creator-fees': only(own, { ...budget, amount: String(LARGE) }),
    '/tx/pro/claim-lp-fees': setting(own),
    '/tx/pro/toggle-swap': setting({ ...own, enabled: 'false' }),
    '/tx/pro/toggle-deposit': setting({ ...own, enabled: 'false' }),
    '/tx/pro/toggle-withdraw': setting({ ...own, enabled: 'false' }),
    '/tx/pro/set-reflection-fee': setting({ ...own, brackets }),
    '/tx/pro/set-lp-fee': setting({ ...own, brackets }),
    '/tx/pro/set-market-cap-creator-fee': setting({ ...own, brackets }),
    '/tx/pro/set-slot-creator-fee': setting({ ...own, ...schedule }),
    '/tx/pro/update-creator-fee-receiver': setting({
      ...own,
      mint: text(pro.mint),
      version: '3',
      new_receiver: text(WALLET),
    }),
    '/tx/pro/transfer-lp': setting({
      program_id,
      pool: text(pro.pool),
      payer: text(CREATOR),
      sender: text(pro.creator),
      receiver: text(WALLET),
      amount: String(LARGE),
    }),
  };
}

/** An operation's requests that are answered with 200: with all optional fields, with none, and with `null` for each. */
export function variantsOf({ required, optional, alternative = {} }: WorkingRequest) {
  const nothing = Object.keys({ ...optional, ...alternative }).map((name) => [name, 'null']);
  return [
    ['the required fields', required],
    ['all fields', { ...required, ...optional }],
    ['alternative fields', { ...required, ...alternative }],
    ['null for the optional fields', { ...required, ...Object.fromEntries(nothing) }],
  ] as const satisfies readonly (readonly [string, Fields])[];
}

/** The fields that the SDK takes as `number`, and those that it takes as exact text; all other integers are `bigint`. */
const SMALL = /(version|bps|limit|upperbound|slot_offset)$|^version$/;
const UI = /_ui$|_sol_spend$|percent$|^slippage$/;

function inputOf(value: unknown, name = ''): unknown {
  if (isLosslessNumber(value)) {
    const text = value.toString();
    if (UI.test(name)) return text;
    return SMALL.test(name) ? Number(text) : BigInt(text);
  }
  if (Array.isArray(value)) return value.map((item) => inputOf(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => (field !== 'program_id' || name === 'quote_response') && field !== 'details')
      .map(([field, item]) => [camel(field), inputOf(item, field)]),
  );
}

/** JSON text of a request as the SDK takes it. What is shown is a `number` in its quotes. */
export function asInput(body: string): Record<string, unknown> {
  const input = inputOf(parse(body)) as Record<string, unknown>;
  const quote = input.quoteResponse as Record<string, unknown> | undefined;
  for (const field of ['maxSolSpend', 'amountInUi', 'minimumOutUi'])
    if (quote?.[field] !== undefined) quote[field] = Number(quote[field]);
  return input;
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
