import {
  type Address,
  createSolanaRpcFromTransport,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuyQuote,
  buildBuy,
  buildSell,
  createHeavenClient,
  decodePoolSnapshot,
  fetchPoolSnapshot,
  getPoolState,
  type HeavenClient,
  type HeavenRpc,
  isHeavenError,
  quoteBuy,
  quoteSell,
  type SellQuote,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeClock } from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

let mint: Address;
let payer: Address;
let buy: BuyQuote;
let sell: SellQuote;

useLedger();
beforeEach(async () => {
  mint = ledger.pools.creator.mint;
  payer = ledger.pools.creator.creator;
  buy = await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50 });
  sell = await quoteSell(client, { configVersion: 2, mint, amountInUi: 1000, slippageBps: 50 });
});

const toBuy = (change: object = {}) =>
  quoteBuy(client, { configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50, ...change });
const toSell = (change: object = {}) =>
  quoteSell(client, { configVersion: 2, mint, amountInUi: 1, slippageBps: 50, ...change });
const building = (change: object = {}) =>
  buildBuy(client, { payer, quoteResponse: buy, encodedUserDefinedEventData: '', ...change });
const buildingSell = (change: object = {}) =>
  buildSell(client, { payer, quoteResponse: sell, encodedUserDefinedEventData: '', ...change });

describe('a quote rejects', () => {
  // The fields that are wrong by themselves are rejected before any call to the node.
  test.each<[string, object, string, object, number]>([
    ['a mint that is no address', { mint: 'LiGHt' }, 'invalid-address', { field: 'mint' }, 0],
    ['a missing mint', { mint: undefined }, 'invalid-address', { field: 'mint' }, 0],
    ['a config version of text', { configVersion: '2' }, 'invalid-input', { field: 'configVersion' }, 0],
    ['slippage over 100 %', { slippageBps: 10_001 }, 'invalid-slippage', { field: 'slippageBps' }, 0],
    [
      'another config version',
      { configVersion: 1 },
      'pool-mismatch:configVersion',
      { found: 2, asked: 1 },
      2,
    ],
    ['a mint without a pool', { mint: STRANGER }, 'pool-not-found', { mint: STRANGER }, 2],
  ])('%s', async (_, change, code, context, calls) => {
    const before = ledger.requests.length;
    await expectRefusal(toBuy(change), code, context);
    await expectRefusal(toSell(change), code, context);
    expect(ledger.requests.length).toBe(before + calls);
  });

  // How amounts are written is in tests/math/units.test.ts.
  test.each([
    ['nothing', 0, 'zero-amount'],
    ['nothing, with decimals', '0.000', 'zero-amount'],
    ['undefined', undefined, 'invalid-amount'],
    ['more decimals than there are', '1.0000000001', 'invalid-amount:decimals'],
    ['more than 64 bits', '18446744073.709551616', 'amount-out-of-range'],
  ])('an amount of %s', async (_, amount, code) => {
    await expectRefusal(toBuy({ maxSolSpend: amount }), code, { field: 'maxSolSpend' });
    await expectRefusal(toSell({ amountInUi: amount }), code, { field: 'amountInUi' });
  });

  test('a sell so small that it gives nothing', async () => {
    await expectRefusal(toSell({ amountInUi: '0.000000001' }), 'output-is-zero', {
      field: 'amountInUi',
      amountIn: 1n,
    });
  });

  test('a sell larger than the pool can take', async () => {
    // The largest n of 103927583151068173 tokens and 1558777720473 lamports, 162 SOL of them virtual, for which
    // 1558777720473 * n / (103927583151068173 + n) is no more than the 1396777720473 that are there.
    await expectRefusal(toSell({ amountInUi: '1000000000' }), 'insufficient-liquidity', {
      requested: 10n ** 18n,
      available: 896_072_424_006_278_796n,
    });
    await expectRefusal(toSell({ amountInUi: '18446744073' }), 'insufficient-liquidity');
  });

  test('a pro pool in a function for standard pools', async () => {
    const { pool } = ledger.pools.creator;
    ledger.updatePool(pool, ({ info }) => ({ info: { ...info, type: 1 } }));
    await expectRefusal(toBuy(), 'pool-mismatch:kind', { asked: 'standard', found: 'pro' });
    ledger.updatePool(pool, ({ info }) => ({ info: { ...info, type: 9 } }));
    await expectRefusal(toBuy(), 'invalid-account-data');
  });

  test('a pool that is switched off, or opens later', async () => {
    const { pool } = ledger.pools.creator;
    ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
    for (const attempt of [toBuy(), toSell(), building(), buildingSell()]) {
      await expectRefusal(attempt, 'operation-disabled:swap', { pool });
    }
    ledger.updatePool(pool, ({ allowlist, info }) => ({
      allowlist: { ...allowlist, swap: 1 },
      info: { ...info, openAt: ledger.unixTimestamp + 60n },
    }));
    for (const attempt of [toBuy(), toSell(), building(), buildingSell()]) {
      await expectRefusal(attempt, 'pool-not-open', { opensAt: ledger.unixTimestamp + 60n });
    }
    ledger.setSlot(ledger.slot + 300n);
    await expect(toBuy()).resolves.toBeDefined();
  });
});

describe('an account', () => {
  test.each(['pool', 'protocolConfig', 'mint', 'feed'] as const)(
    'that is missing is rejected: the %s',
    async (name) => {
      const { pool, protocolConfig } = ledger.pools.creator;
      const address = { pool, protocolConfig, mint, feed: SOL_USD_FEED_ADDRESS }[name];
      const missing =
        name === 'pool' ? heavenError('pool-not-found') : heavenError('account-not-found', { address });
      ledger.setAccount(address, undefined);
      await expect(toBuy()).rejects.toEqual(missing);
      if (name === 'mint') return;
      // Anybody can send lamports to an address where nothing is yet.
      ledger.setAccount(address, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() });
      await expect(toBuy()).rejects.toEqual(missing);
    },
  );

  test('rejects raw data that is not bytes', () => {
    const clock = encodeClock({ slot: 1n, epoch: 0n, unixTimestamp: 0n });
    const accounts = { pool: new Uint8Array(3), protocolConfig: clock, mint: clock, priceFeed: clock, clock };
    expect(() => decodePoolSnapshot(accounts)).toThrow(heavenError('invalid-account-data'));
    expect(() => decodePoolSnapshot({ ...accounts, pool: 'AAAA' as never })).toThrow(
      heavenError('invalid-account-data'),
    );
  });
});

describe('a builder rejects', () => {
  const EVENT = 'encodedUserDefinedEventData';
  test.each([
    ['a payer that is no address', { payer: 'me' }, 'invalid-address', 'payer'],
    ['a source that is no address', { source: 'there' }, 'invalid-address', 'source'],
    ['event data that is no text', { [EVENT]: 7 }, 'invalid-input', EVENT],
    ['half a character', { [EVENT]: '\ud800' }, 'invalid-input', EVENT],
    ['an unknown way to wrap', { wrapSol: 'keypair' }, 'invalid-input', 'wrapSol'],
    ['a compute limit over a u32', { computeUnitLimit: 2 ** 32 }, 'invalid-input', 'computeUnitLimit'],
    ['a compute price over a u64', { computeUnitPrice: 2n ** 64n }, 'invalid-input', 'computeUnitPrice'],
    ['no quote', { quoteResponse: undefined }, 'invalid-input', 'quoteResponse'],
    ['an empty quote', { quoteResponse: {} }, 'invalid-address', 'quoteResponse.programId'],
  ])('%s', async (_, change, code, field) => {
    await expectRefusal(building(change), code, { field });
    await expectRefusal(buildingSell(change), code, { field });
  });

  test.each<[string, object, string, object]>([
    ['another program', { programId: STRANGER }, 'quote-mismatch', { field: 'quoteResponse.programId' }],
    ['a mint that is no address', { mint: 'x' }, 'invalid-address', { field: 'quoteResponse.mint' }],
    ['a mint without a pool', { mint: STRANGER }, 'pool-not-found', {}],
    ['another config version', { configVersion: 1 }, 'pool-mismatch:configVersion', { found: 2, asked: 1 }],
    ['a negative minimum', { minimumOut: -1n }, 'invalid-amount', { field: 'quoteResponse.minimumOut' }],
    ['slippage over 100 %', { slippageBps: 10_001 }, 'invalid-slippage', {}],
    ['another minimum shown', { minimumOutUi: 1 }, 'quote-mismatch', { field: 'quoteResponse.minimumOutUi' }],
    ['another minimum meant', { minimumOut: 1n }, 'quote-mismatch', { field: 'quoteResponse.minimumOutUi' }],
  ])('a quote with %s', async (_, change, code, context) => {
    await expectRefusal(building({ quoteResponse: { ...buy, ...change } }), code, context);
    await expectRefusal(buildingSell({ quoteResponse: { ...sell, ...change } }), code, context);
  });

  test('a quote that takes more than it shows, or nothing', async () => {
    const buying = (maxLamportSpend: bigint) => building({ quoteResponse: { ...buy, maxLamportSpend } });
    const selling = (amountIn: bigint) => buildingSell({ quoteResponse: { ...sell, amountIn } });
    await expectRefusal(buying(2_000_000_000n), 'quote-mismatch', { field: 'quoteResponse.maxSolSpend' });
    await expectRefusal(selling(2n * sell.amountIn), 'quote-mismatch', { field: 'quoteResponse.amountInUi' });
    await expectRefusal(buying(0n), 'zero-amount');
    await expectRefusal(selling(0n), 'zero-amount');
  });

  test('a quote of the other side', async () => {
    const [asBuy, asSell] = [building({ quoteResponse: sell }), buildingSell({ quoteResponse: buy })];
    await expectRefusal(asBuy, 'quote-mismatch', { asked: 'buy', found: 'sell' });
    await expectRefusal(asSell, 'quote-mismatch', { asked: 'sell', found: 'buy' });
  });

  test('a snapshot of another pool', async () => {
    const { mint: other, configVersion } = ledger.pools.community;
    const snapshot = await fetchPoolSnapshot(client, { configVersion, mint: other });
    await expectRefusal(building({ snapshot }), 'quote-mismatch', { field: 'mint' });
  });

  test("a source that can't be debited", async () => {
    const source = ledger.pools.pro.creator;
    const { tokenProgram } = ledger.pools.creator;
    const own = { mint, owner: payer, amount: 0n };
    const give = (account: typeof own & { isFrozen?: boolean }, program = tokenProgram) =>
      ledger.setTokenAccount(source, program, account);
    const unusable: readonly (readonly [reason: string, make: () => void])[] = [
      ['does not exist', () => ledger.setAccount(source, undefined)],
      ['belongs to the program', () => give(own, SYSTEM_PROGRAM_ADDRESS)],
      ['holds the token', () => give({ ...own, mint: ledger.pools.pro.mint })],
      ['belongs to', () => give({ ...own, owner: source })],
      ['is frozen', () => give({ ...own, isFrozen: true })],
      [
        'not an initialized token account',
        () => ledger.setAccount(source, { owner: tokenProgram, data: new Uint8Array(165) }),
      ],
    ];
    for (const [reason, make] of unusable) {
      make();
      await expectRefusal(buildingSell({ source }), 'unusable-account:token account', {
        field: 'source',
        reason: expect.stringContaining(reason),
      });
    }
    give({ ...own, amount: 5n });
    const { warnings } = await buildingSell({ source });
    expect(warnings.map(({ code }) => code)).toEqual(['insufficient-balance']);
  });

  test('a source together with wrapSol', async () => {
    await expectRefusal(building({ source: payer, wrapSol: 'temporary' }), 'invalid-input', {
      field: 'wrapSol',
    });
  });
});

test('a buy that wraps nothing warns if the wrapped SOL is missing', async () => {
  const account = await findAssociatedTokenAddress({ owner: payer, mint: WRAPPED_SOL_MINT_ADDRESS });
  for (const [amount, warned] of [
    [undefined, ['insufficient-balance']],
    [999_999_999n, ['insufficient-balance']],
    [1_000_000_000n, []],
  ] as const) {
    const held = { mint: WRAPPED_SOL_MINT_ADDRESS, owner: payer };
    if (amount !== undefined) ledger.setTokenAccount(account, TOKEN_PROGRAM_ADDRESS, { ...held, amount });
    const { warnings } = await building({ wrapSol: 'none' });
    expect(warnings.map(({ code }) => code)).toEqual(warned);
  }
});

test('warns if the price has moved below the minimum, and does not throw', async () => {
  const { pool } = ledger.pools.creator;
  ledger.setReserves(pool, { tokenB: 1_700_000_000_000n });
  expect((await building()).warnings.map(({ code }) => code)).toEqual(['minimum-not-reached']);
  expect((await buildingSell()).warnings).toEqual([]);
});

test.each([0n, 1n])('warns of a minimum of %s, far below what the slippage protects', async (minimumOut) => {
  const tampered = { ...buy, minimumOut, minimumOutUi: Number(minimumOut) / 1e9 };
  expect((await building({ quoteResponse: tampered })).warnings.map(({ code }) => code)).toEqual([
    'minimum-too-low',
  ]);
  const sold = { ...sell, minimumOut, minimumOutUi: Number(minimumOut) / 1e9 };
  expect((await buildingSell({ quoteResponse: sold })).warnings.map(({ code }) => code)).toEqual([
    'minimum-too-low',
  ]);
});

describe('getPoolState rejects', () => {
  test.each([
    ['no pool at all', {}, 'invalid-address'],
    ['a pool that is no address', { pool: 'x' }, 'invalid-address'],
    ['a pool that does not exist', { pool: SYSTEM_PROGRAM_ADDRESS }, 'pool-not-found'],
    ['an account that is no pool', { pool: SOL_USD_FEED_ADDRESS }, 'invalid-account-data:found'],
  ])('%s', async (_, input, code) => {
    await expectRefusal(getPoolState(client, input as never), code);
  });
});

describe('a node that fails', () => {
  const coded = (code: unknown) => Object.assign(new Error('connect https://node.example/KEY'), { code });
  const clientOf = (answer: (method: string) => unknown, timeoutMs = 1_000) => {
    const transport = (async ({ payload }: { payload: { id: unknown; method: string } }) =>
      await answer(payload.method)) as unknown as RpcTransport;
    return createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as HeavenRpc, timeoutMs });
  };
  const asking = (broken: HeavenClient) =>
    quoteBuy(broken, { configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50 });

  const http = (statusCode: number, headers: Record<string, string> = {}) =>
    new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      statusCode,
      message: 'x',
      headers: new Headers(headers),
    });

  test.each([
    [new TypeError('fetch failed'), 'rpc-failed', {}, undefined],
    [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'rpc-failed', {}, 'ENOTFOUND'],
    [coded('ECONNREFUSED'), 'rpc-failed', {}, 'ECONNREFUSED'],
    // A code that is none may be a URL or a key.
    [coded('https://node.example/KEY'), 'rpc-failed', {}, undefined],
    [coded('key'), 'rpc-failed', {}, undefined],
    [http(401), 'rpc-failed', { status: 401 }, 'the key'],
    [http(403), 'rpc-failed', { status: 403 }, 'the key'],
    [http(404), 'rpc-failed', { status: 404 }, undefined],
    [http(429), 'rpc-rate-limited', {}, undefined],
    [http(429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), 'rpc-rate-limited', {}, undefined],
    [http(429, { 'retry-after': '7' }), 'rpc-rate-limited', { retryAfterSeconds: 7 }, 'Wait 7 s'],
  ])('with %s', async (cause, code, context, words) => {
    const error = await expectRefusal(asking(clientOf(() => Promise.reject(cause))), code);
    expect(error.context).toEqual({ method: 'getMultipleAccounts', ...context });
    expect(error.message).toContain(words ?? 'use another node');
    expect(error.message).not.toMatch(/node\.example|KEY/);
  });

  test('never answers', async () => {
    const silent = clientOf(() => new Promise(() => {}), 20);
    await expectRefusal(asking(silent), 'rpc-timeout', { timeoutMs: 20 });
  });

  test('is abandoned when the caller aborts', async () => {
    const silent = clientOf(() => new Promise(() => {}));
    const controller = new AbortController();
    const { signal } = controller;
    const attempt = (abortSignal: AbortSignal) =>
      quoteBuy(silent, { configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50, abortSignal });
    const running = attempt(signal);
    controller.abort();
    await expectRefusal(running, 'aborted');
    await expectRefusal(attempt(signal), 'aborted');
  });
});

test('isHeavenError recognizes errors by code, also from another copy of the library', async () => {
  const error: unknown = await toBuy({ slippageBps: -1 }).catch((caught: unknown) => caught);
  expect(isHeavenError(error)).toBe(true);
  expect(isHeavenError(error, 'invalid-slippage')).toBe(true);
  expect(isHeavenError(error, 'zero-amount')).toBe(false);
  const foreign = Object.assign(new Error('x'), {
    name: 'HeavenError',
    code: 'zero-amount',
    context: { field: 'x' },
  });
  expect(isHeavenError(foreign, 'zero-amount')).toBe(true);
  expect(isHeavenError({ name: 'HeavenError' })).toBe(false);
});
