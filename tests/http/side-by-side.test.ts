import { generateKeyPairSigner, getBase64Encoder, type Instruction, isAddress } from '@solana/kit';
import { isLosslessNumber, parse } from 'lossless-json';
import { describe, expect, test } from 'vitest';

import { createHandler, createRemoteClient } from '../../src/http/index.js';
import {
  type BuiltTransaction,
  createHeavenClient,
  createLocalClient,
  type LocalClient,
} from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { decodedOf, lookupTablesIn, messageOf } from '../support/transactions.js';
import { objectText, ok, post } from './support.js';
import { asInput, type Fields, workingRequests } from './working-requests.js';

// Each path's request beside its HTTP answer, what the SDK's function answers, and the transaction's own bytes.

const ledger = await createEmbeddedLedger();
const client = createHeavenClient({ rpc: ledger.rpc });
const mintSigner = await generateKeyPairSigner();
const handler = createHandler({ client, mintSigner: async () => mintSigner });
const requests = await workingRequests(handler, ledger);
const heaven = createLocalClient(client);

const FUNCTIONS: Readonly<Record<string, keyof LocalClient>> = {
  '/data/pool-info': 'getPoolInfo',
  '/data/pool-state': 'getPoolState',
  '/data/protocol-config-state': 'getProtocolConfigState',
  '/data/lp-balance': 'getLpBalance',
  '/quote/buy': 'quoteBuy',
  '/quote/sell': 'quoteSell',
  '/quote/initial-buy': 'quoteInitialBuy',
  '/quote/pro/buy': 'quoteProBuy',
  '/quote/pro/sell': 'quoteProSell',
  '/tx/buy': 'buildBuy',
  '/tx/sell': 'buildSell',
  '/tx/claim-creator-trading-fees': 'buildClaimCreatorTradingFees',
  '/tx/create-standard-liquidity-pool': 'buildCreateStandardLiquidityPool',
  '/tx/pro/buy': 'buildProBuy',
  '/tx/pro/sell': 'buildProSell',
  '/tx/pro/create': 'buildProCreate',
  '/tx/pro/add-liquidity': 'buildProAddLiquidity',
  '/tx/pro/remove-liquidity': 'buildProRemoveLiquidity',
  '/tx/pro/claim-creator-fees': 'buildProClaimCreatorFees',
  '/tx/pro/claim-lp-fees': 'buildProClaimLpFees',
  '/tx/pro/toggle-swap': 'buildProToggleSwap',
  '/tx/pro/toggle-deposit': 'buildProToggleDeposit',
  '/tx/pro/toggle-withdraw': 'buildProToggleWithdraw',
  '/tx/pro/set-reflection-fee': 'buildProSetReflectionFee',
  '/tx/pro/set-lp-fee': 'buildProSetLpFee',
  '/tx/pro/set-market-cap-creator-fee': 'buildProSetMarketCapCreatorFee',
  '/tx/pro/set-slot-creator-fee': 'buildProSetSlotCreatorFee',
  '/tx/pro/update-creator-fee-receiver': 'buildProUpdateCreatorFeeReceiver',
  '/tx/pro/transfer-lp': 'buildProTransferLp',
};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A result as JSON has it: names in snake_case, each number as text, nothing that is undefined. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return String(value);
  if (isLosslessNumber(value)) return String(Number(value.toString()) === 0 ? 0 : value.toString());
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [snake(name), shown(item)]),
  );
}

function decoded(tx: string) {
  const bytes = getBase64Encoder().encode(tx);
  const { signatures } = decodedOf(tx);
  const message = messageOf(tx, lookupTablesIn(ledger));
  return {
    size: bytes.length,
    unsigned: Object.entries(signatures).flatMap(([signer, signature]) =>
      signature === null ? [signer] : [],
    ),
    instructions: (message.instructions as readonly Instruction[]).map(
      ({ programAddress, accounts = [], data = new Uint8Array() }) => ({
        programAddress,
        accounts: accounts.map(({ address }) => address),
        data: [...data],
      }),
    ),
  };
}

// Beyond what `workingRequests` has: the ends of what a field may be.
const U64 = '18446744073709551615';
const BOUNDARIES: Readonly<Record<string, readonly Fields[]>> = {
  '/quote/buy': [
    { max_sol_spend: '0.000000001', slippage_bps: '0' },
    { max_sol_spend: '18446744073.709551615', slippage_bps: '10000' },
    { max_sol_spend: '1.5e0', slippage_bps: '50.0' },
  ],
  '/quote/sell': [{ amount_in_ui: '1', slippage_bps: '10000' }, { slippage_bps: '0' }],
  '/quote/pro/buy': [{ slippage_bps: '10000' }, { max_sol_spend: '"0.1"', slippage_bps: '"0"' }],
  '/quote/pro/sell': [{ slippage_bps: '5e1' }],
  '/quote/initial-buy': [
    { initial_purchase_percent: '0' },
    { initial_purchase_percent: '99.9', slippage_bps: '10000' },
    { initial_purchase_percent: '1e-7', slippage: '1' },
  ],
  '/tx/buy': [
    { compute_unit_limit: '0', compute_unit_price: '0' },
    { compute_unit_limit: '4294967295', compute_unit_price: U64 },
    { compute_unit_limit: 'null', compute_unit_price: 'null', source: 'null' },
  ],
  '/tx/sell': [{ compute_unit_limit: '1e5', compute_unit_price: `"${U64}"` }],
  '/tx/claim-creator-trading-fees': [{ amount: '1' }, { amount: '"1"' }],
  '/tx/create-standard-liquidity-pool': [
    { initial_purchase_amount: '0' },
    { initial_purchase_amount: '1', max_sol_spend: '18446744073.709551615' },
  ],
  '/tx/pro/add-liquidity': [
    { min_lp_tokens: '0' },
    { max_token_a: '1', max_token_b: U64, min_lp_tokens: '0' },
  ],
  '/tx/pro/remove-liquidity': [{ lp_tokens_to_burn: '1', min_token_a: '0', min_token_b: U64 }],
  '/tx/pro/claim-creator-fees': [{ amount: '0' }],
  '/tx/pro/toggle-swap': [{ enabled: 'true' }],
  '/tx/pro/transfer-lp': [{ amount: '1' }],
};

/** Of two names of the same, the one that is changed. */
const without = (fields: Fields, change: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !(name.startsWith('slippage') && ('slippage' in change || 'slippage_bps' in change)),
    ),
  );

const rows = Object.entries(requests).flatMap(([path, { required, optional }]) => [
  [path, 'required', required] as const,
  [path, 'all', { ...required, ...optional }] as const,
  ...(BOUNDARIES[path] ?? []).map(
    (change) =>
      [path, objectText(change), { ...without({ ...required, ...optional }, change), ...change }] as const,
  ),
]);

test('covers every path', () => {
  expect(Object.keys(requests).sort()).toEqual(Object.keys(FUNCTIONS).sort());
});

describe.each(rows)('%s with %s', (path, _, fields) => {
  const name = FUNCTIONS[path]!;
  const body = objectText(fields);
  const launch = name === 'buildCreateStandardLiquidityPool' ? { mintSigner } : {};
  const sdk = () => heaven[name]({ ...asInput(numeric(body)), ...launch } as never) as Promise<object>;

  if (!path.startsWith('/tx/')) {
    test('is what the SDK answers', async () => {
      const { details, ...answer } = parse(await ok(handler, path, body)) as Record<string, unknown>;
      const { details: expected, ...documented } = (await sdk()) as Record<string, unknown>;
      const data = path === '/data/pool-info' ? { data: documented } : documented;
      expect(shown(answer)).toEqual(shown(data));
      const { exact, ...rest } = (details ?? {}) as Record<string, unknown>;
      expect(shown(rest)).toEqual(shown(expected ?? {}));
      const large = Object.entries(documented).filter(
        ([, value]) => typeof value === 'bigint' && value > 2n ** 53n,
      );
      if (path.startsWith('/quote/') && path !== '/quote/initial-buy')
        expect(shown(exact ?? {})).toEqual(shown(Object.fromEntries(large)));
    });
    return;
  }

  test('is the transaction that the SDK builds, and its details are true', async () => {
    const answer = parse(await ok(handler, path, body)) as { tx: string; details: Record<string, unknown> };
    const built = (await sdk()) as BuiltTransaction & { readonly mint?: string; readonly pool?: string };
    const actual = decoded(answer.tx);
    expect(actual).toEqual(decoded(built.tx));
    expect(actual.instructions).toHaveLength((answer.details.instructions as readonly string[]).length);
    expect(shown(answer.details)).toEqual({
      warnings: built.warnings.map(({ code, message }) => ({
        code,
        message: message.replace(/lutAddress|computeUnit(?:Limit|Price)/g, (name) =>
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        ),
      })),
      size: String(actual.size),
      required_signers: actual.unsigned,
      last_valid_block_height: String(built.lifetime.lastValidBlockHeight),
      instructions: expect.arrayContaining([expect.stringMatching(/^Exchange: /)]),
    });
    const { tx: __, details: ___, ...more } = answer as Record<string, unknown>;
    const { mint, pool } = built;
    expect(more).toEqual(
      path === '/tx/create-standard-liquidity-pool' ? { mint } : path === '/tx/pro/create' ? { pool } : {},
    );
  });
});

test.each(Object.entries(requests))('%s takes an object wherever an address goes', async (path, request) => {
  const name = FUNCTIONS[path]!;
  const launch = name === 'buildCreateStandardLiquidityPool' ? { mintSigner } : {};
  // The SDK has one name for the version.
  const optional = name === 'getProtocolConfigState' ? {} : request.optional;
  const plain = asInput(objectText({ ...request.required, ...optional }));
  const wrapped = Object.fromEntries(
    Object.entries(plain).map(([field, value]) => [
      field,
      isAddress(String(value)) ? { address: value } : value,
    ]),
  );
  const remote = createRemoteClient({
    baseUrl: 'http://service',
    fetch: async (url, init) => handler(new Request(url, init)),
  });
  const shownBy = async (heaven: object, input: object) =>
    shown(await (heaven as Record<string, (input: object) => Promise<unknown>>)[name]!(input));
  expect(await shownBy(heaven, { ...wrapped, ...launch })).toEqual(
    await shownBy(heaven, { ...plain, ...launch }),
  );
  expect(await shownBy(remote, { ...wrapped, programId: undefined })).toEqual(
    await shownBy(remote, { ...plain, programId: undefined }),
  );
});

/** A body whose numbers are written the plain way, as the SDK takes them. */
function numeric(body: string): string {
  return body
    .replace(/:"(\d+(?:\.\d+)?)"/g, ':$1')
    .replace(/:(\d+)\.0([,}])/g, ':$1$2')
    .replace(
      /:(\d)e(\d)([,}])/g,
      (_, digit: string, zeros: string, end: string) => `:${digit}${'0'.repeat(Number(zeros))}${end}`,
    );
}

describe('a misspelled field', () => {
  const create = requests['/tx/pro/create']!;
  const slot = requests['/tx/pro/set-slot-creator-fee']!;
  const buy = requests['/tx/buy']!;
  const rejected = async (path: string, fields: Fields) => {
    const { status, text } = await post(handler, path, objectText(fields));
    expect(status).toBe(400);
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  };

  test.each<[string, string, Fields, string]>([
    [
      'a feature',
      '/tx/pro/create',
      { ...create.required, features: '{"enable_swpa":false}' },
      'features has no field enable_swpa; did you mean enable_swap?',
    ],
    [
      'a field of a bracket',
      '/tx/pro/set-lp-fee',
      {
        ...requests['/tx/pro/set-lp-fee']!.required,
        brackets: '[{"market_cap_upper_bound":1,"buy_fee_bps":1,"sell_fee_bsp":1}]',
      },
      'brackets.0 has no field sell_fee_bsp; did you mean sell_fee_bps?',
    ],
    [
      'a field of a schedule',
      '/tx/pro/create',
      {
        ...create.required,
        creator_slot_trading_fee: slotText(slot.required, '"max_fee_bp":1'),
      },
      'creator_slot_trading_fee has no field max_fee_bp; did you mean max_fee_bps?',
    ],
    [
      'a field of a quote',
      '/tx/buy',
      { ...buy.required, quote_response: buy.required.quote_response!.replace('{', '{"minimumOut":5,') },
      'quote_response has no field minimumOut; did you mean minimum_out?',
    ],
    [
      'a field of the quote of an initial buy',
      '/quote/initial-buy',
      { ...requests['/quote/initial-buy']!.required, slipage_bps: '5' },
      'body has no field slipage_bps; did you mean slippage_bps?',
    ],
    [
      'something far from any name',
      '/tx/pro/create',
      { ...create.required, features: '{"colour":true}' },
      'features has no field colour: it takes enable_swap, enable_deposit_liquidity, enable_withdraw_liquidity, enable_update_creator_trading_fee, enable_same_slot_trading, enable_sandwich_resistant_mode',
    ],
    [
      'two fields',
      '/tx/pro/create',
      { ...create.required, features: '{"enable_swpa":false,"enable_depositliquidity":true}' },
      'did you mean enable_deposit_liquidity?',
    ],
  ])('%s is rejected with the nearest known name', async (_, path, fields, message) => {
    expect(await rejected(path, fields)).toContain(message);
  });

  test('both names of an initial buy’s slippage', async () => {
    const { required } = requests['/quote/initial-buy']!;
    expect(await rejected('/quote/initial-buy', { ...required, slippage: '0.01', slippage_bps: '100' })).toBe(
      'slippage_bps and slippage say the same: give one of the two.',
    );
  });

  test('null counts as left out, at every depth', async () => {
    const nothing = Object.fromEntries(Object.keys(create.optional).map((field) => [field, 'null']));
    const plain = decoded(
      (parse(await ok(handler, '/tx/pro/create', objectText(create.required))) as { tx: string }).tx,
    );
    for (const more of [nothing, { features: '{"enable_swap":null}' }, { features: '{}' }]) {
      const body = objectText({ ...create.required, ...more });
      expect(decoded((parse(await ok(handler, '/tx/pro/create', body)) as { tx: string }).tx)).toEqual(plain);
    }
    expect(await rejected('/quote/buy', { ...requests['/quote/buy']!.required, max_sol_spend: 'null' })).toBe(
      'max_sol_spend is missing',
    );
  });
});

/** The schedule of a request, with one field more. */
function slotText({ brackets, max_slot_offset, max_fee_bps, enabled }: Fields, more: string): string {
  return `{"brackets":${brackets},"max_slot_offset":${max_slot_offset},"max_fee_bps":${max_fee_bps},"enabled":${enabled},${more}}`;
}
