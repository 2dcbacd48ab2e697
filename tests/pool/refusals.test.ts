import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  assertTradable,
  type BuyQuote,
  buildBuy,
  buildSell,
  buildTrade,
  decodePoolSnapshot,
  fetchPoolSnapshot,
  findPoolsAt,
  getPoolInfo,
  getPoolState,
  isHeavenError,
  type QuoteManyRequest,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteMany,
  quoteSell,
  quoteSellExactOut,
  type SellQuote,
  toFeeSchedule,
  toSwapState,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeClock } from '../../src/testing/encode.js';
import { encodeTokenAccount } from '../../src/testing/index.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { client, ledger, locatorOf, termsOf, useLedger } from '../support/ledger.js';
import { clientOver, httpError, rejecting, silent } from '../support/rpc.js';

let payer: Address;
let buy: BuyQuote;
let sell: SellQuote;

useLedger();
beforeEach(async () => {
  payer = ledger.pools.creator.creator;
  buy = await toBuy();
  sell = await toSell({ amountInUi: 1000 });
});

const toBuy = (change: object = {}, of = client) => quoteBuy(of, { ...termsOf(), maxSolSpend: 1, ...change });
const toSell = (change: object = {}) => quoteSell(client, { ...termsOf(), amountInUi: 1, ...change });
const building = (change: object = {}) =>
  buildBuy(client, { payer, quoteResponse: buy, encodedUserDefinedEventData: '', ...change });
const buildingSell = (change: object = {}) =>
  buildSell(client, { payer, quoteResponse: sell, encodedUserDefinedEventData: '', ...change });

// What a service reports too is in tests/golden/chain-refusals.ts, and wrong values of fields are in tests/input/fields.test.ts.

test('a sell larger than the pool can take names what it can', async () => {
  // The largest n of 103927583151068173 tokens and 1558777720473 lamports, 162 SOL of them virtual, for which
  // 1558777720473 * n / (103927583151068173 + n) is no more than the 1396777720473 that are there.
  const context = { requested: 10n ** 18n, available: 896_072_424_006_278_796n };
  for (const [amount, words] of [
    [
      { amountInUi: '1000000000' },
      'amountInUi is 1000000000, but the pool can trade at most 896072424.006278796.',
    ],
    [{ amountInUi: undefined, amountIn: 10n ** 18n }, 'at most 896072424006278796 native units, not'],
  ] as const)
    expect((await expectRefusal(toSell(amount), 'insufficient-liquidity', context)).message).toContain(words);
});

test('an exact-out buy of more than the pool holds names it in the unit of the caller', async () => {
  const buying = quoteBuyExactOut(client, { ...termsOf(), amountOutUi: '1000000000' });
  const error = await expectRefusal(buying, 'insufficient-liquidity');
  expect(error.message).toMatch(
    /^amountOutUi is 1000000000, but the pool can trade at most 10392\d+\.\d+\. /,
  );
});

test('a buy for more than all SOL is rejected, and a billion is not', async () => {
  for (const [field, most, more] of [
    ['maxSolSpend', '1000000000', '1000000000.000000001'],
    ['lamports', 10n ** 18n, 10n ** 18n + 1n],
  ] as const) {
    const spend = (value: unknown) => toBuy({ maxSolSpend: undefined, [field]: value });
    await spend(most);
    const { message } = await expectRefusal(spend(more), 'amount-out-of-range', { field });
    expect(message).toMatch(/more than all SOL in existence\. Check its unit/);
  }
});

test('a sell that gives nothing, and a slippage with an exponent, are told in plain words', async () => {
  const small = toSell({ amountInUi: undefined, amountIn: 1n });
  const { message } = await expectRefusal(small, 'output-is-zero', { field: 'amountIn', amountIn: 1n });
  expect(message).toContain('(1 native unit)');
  const fine = await expectRefusal(toBuy({ slippageBps: 1e-18 }), 'invalid-slippage');
  expect(fine.message).toMatch(/got 0\.0{17}1\.$/);
});

test('a buy that gives nothing names the field of the caller', async () => {
  ledger.setReserves(ledger.pools.creator.pool, { tokenA: 1_000n });
  for (const [field, value] of [
    ['maxSolSpend', '0.000001'],
    ['lamports', 1_000n],
  ] as const) {
    const context = { field, amountIn: 1_000n };
    await expectRefusal(toBuy({ maxSolSpend: undefined, [field]: value }), 'output-is-zero', context);
  }
});

test('a pool of a kind that there is not is rejected', async () => {
  const { pool } = ledger.pools.creator;
  ledger.updatePool(pool, ({ info }) => ({ info: { ...info, type: 9 } }));
  await expectRefusal(toBuy(), 'invalid-account-data');
});

describe('a standard pool whose fees are taken in another way', () => {
  const change = (fields: object) => ledger.updatePool(ledger.pools.creator.pool, () => fields);

  test.each([
    ['taxableSide', 0],
    ['taxableSide', 1],
    ['taxableSideType', 1],
  ])('is not quoted, and nothing is built: its %s is %i', async (field, value) => {
    const { pool } = ledger.pools.creator;
    const { tx } = await building();
    change({ [field]: value });
    expect(await ledger.execute(tx)).toMatchObject({
      err: { InstructionError: [expect.any(Number), 'UnsupportedProgramId'] },
    });
    const { mint, slippageBps } = termsOf();
    const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf()));
    const exactOut = { ...termsOf(), amountOut: 1_000_000n };
    const [outcome] = await quoteMany(client, [{ side: 'buy', maxSolSpend: 1, ...termsOf() }]);
    const reason = expect.stringContaining(`${field} is ${value}`);
    for (const attempt of [
      toBuy,
      toSell,
      () => quoteBuyExactOut(client, exactOut),
      () => quoteSellExactOut(client, exactOut),
      () => quoteBest(client, { side: 'buy', mint, slippageBps, maxSolSpend: 1 }),
      () => outcome.ok || Promise.reject(outcome.error),
      building,
      buildingSell,
      () => building({ snapshot }),
      () => assertTradable(snapshot, pool),
    ])
      await expectRefusal(attempt, 'invalid-account-data', { address: pool, reason });
    await expectRefusal(() => toSwapState(snapshot), 'invalid-account-data', { reason });
  });

  test('is still read and shown', async () => {
    const { pool, mint } = ledger.pools.creator;
    const reading = async () => {
      const { info, reserve } = await getPoolState(client, { pool });
      const [found] = await findPoolsAt(client, pool);
      const fees = toFeeSchedule(await fetchPoolSnapshot(client, locatorOf(ledger.pools.creator)));
      return [info, reserve, found?.kind, fees, await getPoolInfo(client, { mint })];
    };
    const before = await reading();
    change({ taxableSide: 1, taxableSideType: 2 });
    expect(await reading()).toEqual(before);
  });
});

describe('an account', () => {
  test.each(['pool', 'protocolConfig', 'mint', 'feed'] as const)(
    'that is missing is rejected: the %s',
    async (name) => {
      const { pool, protocolConfig, mint } = ledger.pools.creator;
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
    for (const pool of [accounts.pool, 'AAAA' as never])
      expect(() => decodePoolSnapshot({ ...accounts, pool })).toThrow(heavenError('invalid-account-data'));
  });
});

describe('a builder rejects', () => {
  test('a quote of the other side', async () => {
    const [asBuy, asSell] = [building({ quoteResponse: sell }), buildingSell({ quoteResponse: buy })];
    await expectRefusal(asBuy, 'quote-mismatch', { asked: 'buy', found: 'sell' });
    await expectRefusal(asSell, 'quote-mismatch', { asked: 'sell', found: 'buy' });
  });

  test('a snapshot of another pool, or a quote of another config', async () => {
    const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf('community')));
    await expectRefusal(building({ snapshot }), 'quote-mismatch', { field: 'mint' });
    const quoteResponse = { ...buy, configVersion: 1 };
    await expectRefusal(building({ quoteResponse }), 'pool-mismatch:configVersion', { found: 2, asked: 1 });
  });

  test("a source that can't be debited", async () => {
    const source = ledger.pools.pro.creator;
    const { mint, tokenProgram } = ledger.pools.creator;
    const own = { mint, owner: payer, amount: 0n };
    const give = (account: typeof own & { isFrozen?: boolean }, program = tokenProgram) =>
      ledger.setTokenAccount(source, program, account);
    const empty = { owner: tokenProgram, data: new Uint8Array(165) };
    const unusable: readonly (readonly [reason: string, make: () => void])[] = [
      ['does not exist', () => ledger.setAccount(source, undefined)],
      ['belongs to the program', () => give(own, SYSTEM_PROGRAM_ADDRESS)],
      ['holds the token', () => give({ ...own, mint: ledger.pools.pro.mint })],
      ['belongs to', () => give({ ...own, owner: source })],
      ['is frozen', () => give({ ...own, isFrozen: true })],
      ['not an initialized token account', () => ledger.setAccount(source, empty)],
    ];
    for (const [reason, make] of unusable) {
      make();
      await expectRefusal(buildingSell({ source }), 'unusable-account:token account', {
        field: 'source',
        reason: expect.stringContaining(reason),
      });
    }
    give({ ...own, amount: 5n });
    const { warnings } = await buildingSell({ source, computeUnitPrice: 0n });
    expect(warnings.map(({ code }) => code)).toEqual(['insufficient-balance']);
  });

  test("a buy that would spend the payer's own account of the token as SOL", async () => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const source = await findAssociatedTokenAddress({ mint, tokenProgram, owner: payer });
    const context = { field: 'source', address: source };
    await expectRefusal(building({ source }), 'unusable-account:token account', context);
  });

  test('a source together with wrapSol', async () => {
    const both = building({ source: payer, wrapSol: 'temporary' });
    await expectRefusal(both, 'invalid-input', { field: 'wrapSol' });
  });
});

test.each([
  ['wrapped SOL account', building, () => ({ mint: WRAPPED_SOL_MINT_ADDRESS }), ['associated', 'none']],
  [
    'token account',
    buildingSell,
    ({ mint, tokenProgram } = ledger.pools.creator) => ({ mint, tokenProgram }),
    ['associated', 'none'],
  ],
] as const)("the payer's own associated %s as source is the default", async (_, build, token, strategies) => {
  const source = await findAssociatedTokenAddress({ ...token(), owner: payer });
  // It need not exist: a buy creates it, and nobody reads it for a sell.
  ledger.setAccount(source, undefined);
  for (const wrapSol of [undefined, ...strategies]) {
    const [named, omitted] = [await build({ source, wrapSol }), await build({ wrapSol })];
    expect([named.tx, named.warnings]).toEqual([omitted.tx, omitted.warnings]);
  }
});

describe('a sell that closes its token account', () => {
  const AMOUNT = 1_000_000_000_000n;
  /** An account of Token-2022 with an extension: its number and its bytes. */
  const extended = (data: Uint8Array, type: number, content: Uint8Array) =>
    Uint8Array.of(...data, 2, type, 0, content.length, 0, ...content);
  const withCloser = (data: Uint8Array) => {
    const changed = Uint8Array.from(data);
    changed.set([1, 0, 0, 0], 129);
    return changed.fill(7, 133, 165);
  };

  test.each<
    [what: string, why: string | undefined, amount?: bigint, data?: (data: Uint8Array) => Uint8Array]
  >([
    ['all of it', undefined],
    ['all of it, without withheld fees', undefined, AMOUNT, (data) => extended(data, 2, new Uint8Array(8))],
    ['a part', `it holds ${AMOUNT + 1n} native units, and the sale takes ${AMOUNT}`, AMOUNT + 1n],
    ['more than there is', `it holds ${AMOUNT - 1n} native units`, AMOUNT - 1n],
    [
      "what is not the owner's to close",
      'only US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx may',
      AMOUNT,
      withCloser,
    ],
    [
      'withheld fees',
      '5 native units of withheld',
      AMOUNT,
      (data) => extended(data, 2, Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0)),
    ],
    ['a confidential balance', 'confidential', AMOUNT, (data) => extended(data, 5, new Uint8Array(286))],
    ['nothing, of no account', "isn't a token account of", AMOUNT, () => new Uint8Array(165)],
  ])('%s: %s', async (_, why, amount = AMOUNT, change = (data) => data) => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const associated = await findAssociatedTokenAddress({ mint, tokenProgram, owner: payer });
    const snapshot = await fetchPoolSnapshot(client, locatorOf(ledger.pools.creator));
    const cases = [{}, { snapshot }, { source: associated }, { source: payer, snapshot }];
    for (const given of why?.startsWith("isn't") ? cases.slice(0, 2) : cases) {
      const account = given.source ?? associated;
      const data = change(encodeTokenAccount({ mint, owner: payer, amount }));
      ledger.setAccount(account, { owner: tokenProgram, data });
      const open = await buildingSell({ ...given, transactionVersion: 1 });
      const { instructions, warnings, settings } = await buildingSell({
        ...{ ...given, transactionVersion: 1, closeTokenAccount: true },
      });
      expect(settings.closesTokenAccount).toBe(true);
      const more = warnings.filter(({ code }) => code === 'account-stays-open');
      expect(more.map(({ message }) => message)).toEqual(
        why === undefined ? [] : [expect.stringContaining(why)],
      );
      const closing = { programAddress: tokenProgram, accounts: [account, payer, payer], data: [9] };
      const added = instructions.slice(open.instructions.length);
      expect(
        added.map(({ programAddress, accounts, data }) => ({
          programAddress,
          accounts: accounts?.map(({ address }) => address),
          data: [...data!],
        })),
      ).toEqual(why === undefined ? [closing] : []);
      ledger.setAccount(account, undefined);
    }
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

// The config's own limits: nobody knows how the program applies them, so the trade is not rejected.
test.each(['creator', 'pro'] as const)(
  'warns of what the config of the %s pool may not allow',
  async (name) => {
    const { pool, protocolConfig, kind, creator, tokenProgram } = ledger.pools[name];
    const { configVersion, mint } = ledger.pools[name];
    const request = { configVersion, mint, slippageBps: 50, ...(kind === 'pro' ? { pool } : {}) };
    const { reserve } = await getPoolState(client, { pool });
    const codesOf = async (side: 'buy' | 'sell', limit: object) => {
      const none = { unstakedWsolReserve: 0n, maxSupplyPerWallet: 0n };
      ledger.updateConfig(protocolConfig, () => ({ ...none, ...limit }));
      const amount = side === 'buy' ? { lamports: 10n ** 9n } : { amountIn: 10n ** 12n };
      const [outcome] = await quoteMany(client, [{ side, ...amount, ...request } as QuoteManyRequest]);
      if (!outcome.ok) throw outcome.error;
      const free = { payer: creator, computeUnitPrice: 0n };
      const { warnings } = await buildTrade(client, { ...free, quote: outcome.quote });
      // Builders don't repeat what only a quote is about.
      const quoted = outcome.quote.details.warnings.filter(
        ({ code }) => !['same-slot-trading', 'transfer-fee'].includes(code),
      );
      expect(warnings).toEqual(quoted);
      return quoted.map(({ code }) => code);
    };
    const gross = (reserve.tokenB * 10n ** 12n) / (reserve.tokenA + 10n ** 12n);
    expect(await codesOf('sell', { unstakedWsolReserve: gross })).toEqual([]);
    expect(await codesOf('sell', { unstakedWsolReserve: gross - 1n })).toEqual(['low-liquid-sol']);
    // 1.5 % in fees of the one, 1.6 % of the other.
    const net = 10n ** 9n - 10n ** 5n * (kind === 'pro' ? 160n : 150n);
    const bought = (reserve.tokenA * net) / (reserve.tokenB + net);
    expect(await codesOf('buy', { maxSupplyPerWallet: bought })).toEqual([]);
    expect(await codesOf('buy', { maxSupplyPerWallet: bought - 1n })).toEqual(['wallet-limit']);
    expect(await codesOf('buy', { maxSupplyPerWallet: 2n ** 64n - 1n })).toEqual([]);
    // What the token's own fee withholds was bought too.
    const { decimals, supply } = (await fetchPoolSnapshot(client, locatorOf(request))).token;
    const fee = { epoch: 0n, basisPoints: 150, maximum: 2n ** 64n - 1n };
    const transferFee = { older: fee, newer: fee };
    ledger.setMint(mint, tokenProgram, { decimals, supply, transferFee });
    expect(await codesOf('buy', { maxSupplyPerWallet: bought })).toEqual([]);
    expect(await codesOf('buy', { maxSupplyPerWallet: bought - 1n })).toEqual(['wallet-limit']);
  },
);

describe('a node that fails', () => {
  const coded = (code: unknown) => Object.assign(new Error('connect https://node.example/KEY'), { code });
  test.each([
    [new TypeError('fetch failed'), 'rpc-failed', {}, undefined],
    [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'rpc-failed', {}, 'ENOTFOUND'],
    [coded('ECONNREFUSED'), 'rpc-failed', {}, 'ECONNREFUSED'],
    // A code that is none may be a URL or a key.
    [coded('https://node.example/KEY'), 'rpc-failed', {}, undefined],
    [coded('key'), 'rpc-failed', {}, undefined],
    [httpError(401), 'rpc-failed', { status: 401 }, 'the key'],
    [httpError(429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), 'rpc-rate-limited', {}, undefined],
  ])('with %s', async (cause, code, context, words) => {
    const error = await expectRefusal(toBuy({}, clientOver(rejecting(cause))), code);
    expect(error.context).toEqual({ method: 'getMultipleAccounts', ...context });
    expect(error.message).toContain(words ?? 'use another node');
    expect(error.message).not.toMatch(/node\.example|KEY/);
  });

  test('is abandoned when the caller aborts', async () => {
    const waiting = clientOver(silent);
    const controller = new AbortController();
    const { signal } = controller;
    const running = toBuy({ abortSignal: signal }, waiting);
    controller.abort();
    await expectRefusal(running, 'aborted');
    await expectRefusal(toBuy({ abortSignal: signal }, waiting), 'aborted');
  });
});

test('isHeavenError recognizes errors by code, also from another copy of the library', () => {
  const about = { name: 'HeavenError', code: 'zero-amount', context: { field: 'x' } };
  const foreign = Object.assign(new Error('x'), about);
  expect(isHeavenError(foreign)).toBe(true);
  expect(isHeavenError(foreign, 'zero-amount')).toBe(true);
  expect(isHeavenError(foreign, 'aborted')).toBe(false);
  expect(isHeavenError({ name: 'HeavenError' })).toBe(false);
});
