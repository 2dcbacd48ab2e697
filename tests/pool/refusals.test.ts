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
  HeavenError,
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
  test.each([
    ['a mint that is no address', { mint: 'LiGHt' }, 'invalid-address', { field: 'mint' }],
    ['a mint of another type', { mint: 7 }, 'invalid-address', { field: 'mint' }],
    ['a missing mint', { mint: undefined }, 'invalid-address', { field: 'mint' }],
    ['a fractional config version', { configVersion: 1.5 }, 'invalid-input', { field: 'configVersion' }],
    ['a config version of text', { configVersion: '2' }, 'invalid-input', { field: 'configVersion' }],
    ['a config version over a u16', { configVersion: 65_536 }, 'invalid-input', { field: 'configVersion' }],
    [
      'another config version than the pool’s',
      { configVersion: 1 },
      'pool-mismatch:configVersion',
      { found: 2, asked: 1 },
    ],
    [
      'a config version that does not exist',
      { configVersion: 9 },
      'pool-mismatch:configVersion',
      { found: 2, asked: 9 },
    ],
    [
      'a mint without a pool',
      { mint: SYSTEM_PROGRAM_ADDRESS },
      'pool-not-found',
      { mint: SYSTEM_PROGRAM_ADDRESS },
    ],
    ['slippage over 10000', { slippageBps: 10_001 }, 'invalid-slippage', { field: 'slippageBps' }],
    ['negative slippage', { slippageBps: -1 }, 'invalid-slippage', {}],
    ['fractional slippage', { slippageBps: 0.5 }, 'invalid-slippage', {}],
  ])('%s', async (_, change, code, context) => {
    await expectRefusal(toBuy(change), code, context);
    await expectRefusal(toSell(change), code, context);
  });

  test.each([
    ['nothing', 0, 'zero-amount'],
    ['nothing, with decimals', '0.000', 'zero-amount'],
    ['a negative amount', -1, 'invalid-amount'],
    ['NaN', Number.NaN, 'invalid-amount'],
    ['infinity', Number.POSITIVE_INFINITY, 'invalid-amount'],
    ['text', 'one', 'invalid-amount'],
    ['undefined', undefined, 'invalid-amount'],
    ['more decimals than there are', '1.0000000001', 'invalid-amount:decimals'],
    ['more than 64 bits', '18446744073.709551616', 'amount-out-of-range'],
  ])('an amount of %s', async (_, amount, code) => {
    await expectRefusal(toBuy({ maxSolSpend: amount }), code, { field: 'maxSolSpend' });
    await expectRefusal(toSell({ amountInUi: amount }), code, { field: 'amountInUi' });
  });

  test('bad input before any call to the node', async () => {
    const before = ledger.requests.length;
    await expect(toBuy({ slippageBps: 20_000 })).rejects.toThrow();
    await expect(toSell({ amountInUi: 'x' })).rejects.toThrow();
    await expect(toBuy({ mint: 'x' })).rejects.toThrow();
    expect(ledger.requests.length).toBe(before);
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
  test.each([
    ['a payer that is no address', { payer: 'me' }, 'invalid-address', { field: 'payer' }],
    ['a missing payer', { payer: undefined }, 'invalid-address', { field: 'payer' }],
    ['a source that is no address', { source: 'there' }, 'invalid-address', { field: 'source' }],
    [
      'event data that is no text',
      { encodedUserDefinedEventData: 7 },
      'invalid-input',
      { field: 'encodedUserDefinedEventData' },
    ],
    ['half a character', { encodedUserDefinedEventData: '\ud800' }, 'invalid-input', {}],
    ['an unknown way to wrap', { wrapSol: 'keypair' }, 'invalid-input', { field: 'wrapSol' }],
    ['a negative compute limit', { computeUnitLimit: -1 }, 'invalid-input', { field: 'computeUnitLimit' }],
    ['a fractional compute limit', { computeUnitLimit: 0.5 }, 'invalid-input', {}],
    ['a compute limit over a u32', { computeUnitLimit: 2 ** 32 }, 'invalid-input', {}],
    ['a compute price of text', { computeUnitPrice: '1' }, 'invalid-input', { field: 'computeUnitPrice' }],
    ['a compute price over a u64', { computeUnitPrice: 2n ** 64n }, 'invalid-input', {}],
    ['no quote', { quoteResponse: undefined }, 'invalid-input', { field: 'quoteResponse' }],
    ['a quote of text', { quoteResponse: '{}' }, 'invalid-input', { field: 'quoteResponse' }],
    ['an empty quote', { quoteResponse: {} }, 'invalid-address', { field: 'quoteResponse.programId' }],
  ])('%s', async (_, change, code, context) => {
    await expectRefusal(building(change), code, context);
    await expectRefusal(buildingSell(change), code, context);
  });

  test.each([
    [
      'another program',
      { programId: SYSTEM_PROGRAM_ADDRESS },
      'quote-mismatch',
      { field: 'quoteResponse.programId' },
    ],
    ['a mint that is no address', { mint: 'x' }, 'invalid-address', { field: 'quoteResponse.mint' }],
    ['a mint without a pool', { mint: SYSTEM_PROGRAM_ADDRESS }, 'pool-not-found', {}],
    ['another config version', { configVersion: 1 }, 'pool-mismatch:configVersion', { found: 2, asked: 1 }],
    ['a negative minimum', { minimumOut: -1n }, 'invalid-amount', { field: 'quoteResponse.minimumOut' }],
    ['a minimum in numbers', { minimumOut: 5 }, 'invalid-amount', {}],
    [
      'slippage over 10000',
      { slippageBps: 10_001 },
      'invalid-slippage',
      { field: 'quoteResponse.slippageBps' },
    ],
    [
      'a minimum shown that is not the minimum',
      { minimumOutUi: 1 },
      'quote-mismatch',
      { field: 'quoteResponse.minimumOutUi' },
    ],
    [
      'a minimum lowered behind what is shown',
      { minimumOut: 1n },
      'quote-mismatch',
      { field: 'quoteResponse.minimumOutUi' },
    ],
  ])('a quote with %s', async (_, change, code, context) => {
    await expectRefusal(building({ quoteResponse: { ...buy, ...change } }), code, context);
    await expectRefusal(buildingSell({ quoteResponse: { ...sell, ...change } }), code, context);
  });

  test('a native spend above the UI amount', async () => {
    const raised = { ...buy, maxLamportSpend: 2_000_000_000n };
    await expectRefusal(building({ quoteResponse: raised }), 'quote-mismatch', {
      field: 'quoteResponse.maxSolSpend',
    });
    const more = { ...sell, amountIn: 2n * sell.amountIn };
    await expectRefusal(buildingSell({ quoteResponse: more }), 'quote-mismatch', {
      field: 'quoteResponse.amountInUi',
    });
  });

  test('a spend or a sale of nothing', async () => {
    await expectRefusal(building({ quoteResponse: { ...buy, maxLamportSpend: 0n } }), 'zero-amount');
    await expectRefusal(buildingSell({ quoteResponse: { ...sell, amountIn: 0n } }), 'zero-amount');
  });

  test('a quote of the other side', async () => {
    await expectRefusal(building({ quoteResponse: sell }), 'quote-mismatch', {
      asked: 'buy',
      found: 'sell',
    });
    await expectRefusal(buildingSell({ quoteResponse: buy }), 'quote-mismatch', {
      asked: 'sell',
      found: 'buy',
    });
  });

  test('a snapshot of another pool', async () => {
    const { mint: other, configVersion } = ledger.pools.community;
    const snapshot = await fetchPoolSnapshot(client, { configVersion, mint: other });
    await expectRefusal(building({ snapshot }), 'quote-mismatch', { field: 'mint' });
  });

  test("a source that can't be debited", async () => {
    const source = ledger.pools.pro.creator;
    const { tokenProgram } = ledger.pools.creator;
    const reason = async (text: string) =>
      await expectRefusal(buildingSell({ source }), 'unusable-account:token account', {
        field: 'source',
        reason: expect.stringContaining(text),
      });
    ledger.setAccount(source, undefined);
    await reason('does not exist');
    ledger.setTokenAccount(source, SYSTEM_PROGRAM_ADDRESS, { mint, owner: payer, amount: 0n });
    await reason('belongs to the program');
    ledger.setTokenAccount(source, tokenProgram, { mint: ledger.pools.pro.mint, owner: payer, amount: 0n });
    await reason('holds the token');
    ledger.setTokenAccount(source, tokenProgram, { mint, owner: source, amount: 0n });
    await reason('belongs to');
    ledger.setTokenAccount(source, tokenProgram, { mint, owner: payer, amount: 0n, isFrozen: true });
    await reason('is frozen');
    ledger.setAccount(source, { owner: tokenProgram, data: new Uint8Array(165) });
    await reason('not an initialized token account');
    ledger.setTokenAccount(source, tokenProgram, { mint, owner: payer, amount: 5n });
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
  const codes = async () => (await building({ wrapSol: 'none' })).warnings.map(({ code }) => code);
  expect(await codes()).toEqual(['insufficient-balance']);
  const account = await findAssociatedTokenAddress({ owner: payer, mint: WRAPPED_SOL_MINT_ADDRESS });
  ledger.setTokenAccount(account, TOKEN_PROGRAM_ADDRESS, {
    mint: WRAPPED_SOL_MINT_ADDRESS,
    owner: payer,
    amount: 999_999_999n,
  });
  expect(await codes()).toEqual(['insufficient-balance']);
  ledger.setTokenAccount(account, TOKEN_PROGRAM_ADDRESS, {
    mint: WRAPPED_SOL_MINT_ADDRESS,
    owner: payer,
    amount: 1_000_000_000n,
  });
  expect(await codes()).toEqual([]);
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

describe('createHeavenClient rejects', () => {
  test.each([
    ['no configuration', undefined],
    ['neither an RPC nor a URL', {}],
    ['no URL', { rpcUrl: '' }],
    ['another protocol', { rpcUrl: 'ftp://example.com' }],
    ['a URL that is none', { rpcUrl: 'https://' }],
    ['a timeout of 0', { rpcUrl: 'http://localhost', timeoutMs: 0 }],
    ['a timeout of NaN', { rpcUrl: 'http://localhost', timeoutMs: Number.NaN }],
  ])('%s', (_, config) => {
    expect(() => createHeavenClient(config as never)).toThrow(heavenError('invalid-input'));
  });

  test('a deployment that is no address', () => {
    const deployment = { programAddress: 'x' as Address };
    expect(() => createHeavenClient({ rpc: ledger.rpc, deployment })).toThrow(
      heavenError('invalid-address', { field: 'deployment.programAddress' }),
    );
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

  test("can't be reached", async () => {
    const unreachable = clientOf(() => Promise.reject(new TypeError('fetch failed')));
    await expectRefusal(asking(unreachable), 'rpc-failed', { method: 'getMultipleAccounts' });
  });

  test.each([
    ['in the cause', new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'ENOTFOUND'],
    ['in the error', coded('ECONNREFUSED'), 'ECONNREFUSED'],
  ])("can't be reached, with a code %s", async (_, error, code) => {
    await expect(asking(clientOf(() => Promise.reject(error)))).rejects.toThrow(
      new HeavenError(
        'rpc-failed',
        `getMultipleAccounts did not get through to the RPC node (${code}). Check its URL, try again, or use another node.`,
        { method: 'getMultipleAccounts' },
      ),
    );
  });

  test.each(['https://node.example/KEY', 'key', 7, null])('does not report a code of %s', async (code) => {
    const error = new TypeError('fetch failed', { cause: coded(code) });
    await expect(asking(clientOf(() => Promise.reject(error)))).rejects.toThrow(
      'getMultipleAccounts failed at the RPC node, or the node could not be reached. Retry, or use another node.',
    );
  });

  test.each([
    [
      401,
      {},
      'refuses the key, or the caller (HTTP 401 to getMultipleAccounts). Check the key, or use another node.',
    ],
    [
      403,
      {},
      'refuses the key, or the caller (HTTP 403 to getMultipleAccounts). Check the key, or use another node.',
    ],
    [404, {}, 'answered getMultipleAccounts with HTTP 404. Retry, or use another node.'],
    [429, {}, 'Slow down, or use another node.'],
    [429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 'Slow down, or use another node.'],
    [429, { 'retry-after': '7' }, 'Wait 7 s, or use another node.'],
  ])('answers with HTTP %i %o', async (statusCode, headers, words) => {
    const error = new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      statusCode,
      message: 'x',
      headers: new Headers(headers as Record<string, string>),
    });
    await expect(asking(clientOf(() => Promise.reject(error)))).rejects.toThrow(words);
  });

  test('never answers', async () => {
    const silent = clientOf(() => new Promise(() => {}), 20);
    await expectRefusal(asking(silent), 'rpc-timeout', { timeoutMs: 20 });
  });

  test('is abandoned when the caller aborts', async () => {
    const silent = clientOf(() => new Promise(() => {}));
    const controller = new AbortController();
    const attempt = quoteBuy(silent, {
      configVersion: 2,
      mint,
      maxSolSpend: 1,
      slippageBps: 50,
      abortSignal: controller.signal,
    });
    controller.abort();
    await expectRefusal(attempt, 'aborted');
    const already = {
      configVersion: 2,
      mint,
      maxSolSpend: 1,
      slippageBps: 50,
      abortSignal: AbortSignal.abort(),
    };
    await expectRefusal(quoteBuy(silent, already), 'aborted');
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
