import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { toSnakeCase } from '../../src/base/case.js';
import * as http from '../../src/http/index.js';
import * as main from '../../src/index.js';
import {
  assertSignedTransactionMatches,
  buildBuy,
  buildSell,
  computeBuy,
  computeBuyExactOut,
  computeSell,
  computeSellExactOut,
  createHeavenClient,
  fetchPoolSnapshot,
  type HeavenErrorCode,
  patchTrade,
  prepareTrade,
  quoteBuy,
  quoteSell,
  refreshLifetime,
  reviewTransaction,
  signAndSubmitTransaction,
  simulate,
  toSwapState,
  watchPool,
} from '../../src/index.js';
import * as node from '../../src/node/index.js';
import * as program from '../../src/program/index.js';
import * as testing from '../../src/testing/index.js';
import { OTHER, STRANGER } from '../support/addresses.js';
import { turn } from '../support/clock.js';
import { errorOf, expectRefusal } from '../support/errors.js';
import { buyFor, client, ledger, locatorOf, quoteOneSol, termsOf, useLedger } from '../support/ledger.js';
import { ROWS } from './object-calls.js';

useLedger();

/** What the price of a pool depends on. */
const SNAPSHOT = {
  ...{ reserveA: 1n, reserveB: 1n, token: { decimals: 9 } },
  solPrice: { answer: 1n, decimals: 8 },
} as never;

const quoteSale = () => quoteSell(client, { ...termsOf(), amountInUi: '100' });
const findSnapshot = () => fetchPoolSnapshot(client, locatorOf(termsOf()));

describe('a client made of', () => {
  test.each([
    ['a URL for an rpc', { rpc: 'https://node.example/KEY' }, 'rpc'],
    ['no rpc', { rpc: null }, 'rpc'],
    ['an rpc and a URL', { rpc: {}, rpcUrl: 'https://node.example/KEY' }, 'rpcUrl'],
    ['a URL for subscriptions', { rpc: {}, rpcSubscriptions: 'wss://node.example/KEY' }, 'rpcSubscriptions'],
    ['a commitment that is none', { rpc: {}, commitment: 'recent' }, 'commitment'],
    ['no configuration', undefined, 'rpcUrl'],
    ['no URL', { rpcUrl: '' }, 'rpcUrl'],
    ['another protocol', { rpcUrl: 'ftp://example.com/KEY' }, 'rpcUrl'],
    ['a URL that is none', { rpcUrl: 'https://' }, 'rpcUrl'],
    ['a timeout of 0', { rpcUrl: 'http://localhost', timeoutMs: 0 }, 'timeoutMs'],
    ['a timeout of NaN', { rpcUrl: 'http://localhost', timeoutMs: Number.NaN }, 'timeoutMs'],
  ])('rejects %s', async (_, config, field) => {
    const error = await expectRefusal(() => createHeavenClient(config as never), 'invalid-input', { field });
    expect(String(error)).not.toContain('KEY');
  });
});

describe('in place of a snapshot', () => {
  test.each([
    ['a promise', findSnapshot],
    ['an empty object', () => ({})],
    ['text', () => 'snapshot'],
  ])('rejects %s', async (_, make) => {
    const snapshot = make() as never;
    const field = { field: 'snapshot' };
    const terms = { ...termsOf(), snapshot };
    await expectRefusal(quoteBuy(client, { ...terms, maxSolSpend: '1' }), 'invalid-input', field);
    await expectRefusal(quoteSell(client, { ...terms, amountInUi: '1' }), 'invalid-input', field);
    await expectRefusal(() => toSwapState(snapshot), 'invalid-input', field);
  });

  test('rejects one that went through JSON', async () => {
    const { reserveB, ...others } = await findSnapshot();
    const snapshot = { ...others, reserveB: Number(reserveB) } as never;
    await expectRefusal(() => toSwapState(snapshot), 'invalid-input', { field: 'snapshot' });
  });

  test.each([
    ['window', 'invalid-input'],
    ['token', 'invalid-input'],
    ['solPrice', 'invalid-input'],
    ['data', 'invalid-account-data'],
  ])('rejects one without its %s', async (lacking, code) => {
    const snapshot = { ...(await findSnapshot()), [lacking]: undefined } as never;
    await expectRefusal(quoteBuy(client, { ...termsOf(), maxSolSpend: '1', snapshot }), code);
  });

  test.each([5, -1n, '5'])('the slot %s is rejected', async (slot) => {
    const snapshot = await findSnapshot();
    const state = () => toSwapState(snapshot, { slot: slot as never });
    await expectRefusal(state, 'invalid-amount', { field: 'slot' });
  });

  test('rejects a snapshot in place of a swap state', async () => {
    const snapshot = (await findSnapshot()) as never;
    for (const compute of [computeBuy, computeSell, computeBuyExactOut, computeSellExactOut])
      for (const state of [snapshot, undefined as never, {} as never])
        await expectRefusal(() => compute(state, 1_000n), 'invalid-input', { field: 'state' });
  });
});

describe('in place of a quote', () => {
  const json = (quote: object, write: (value: bigint) => unknown): unknown =>
    JSON.parse(JSON.stringify(quote, (_, value) => (typeof value === 'bigint' ? write(value) : value)));
  const snakeCase = (quote: object) =>
    Object.fromEntries(Object.entries(quote).map(([name, value]) => [toSnakeCase(name), value]));
  const exactJson = (quote: object) => http.parseJson(http.stringifyJson(quote));
  const BIGINT = /must be .* as a bigint; got "?\d+"?\.$/;
  test.each<[string, (quote: object) => unknown, HeavenErrorCode, string, RegExp]>([
    ['a promise', (quote) => Promise.resolve(quote), 'invalid-input', '', /a promise: await it/],
    ['text of JSON', (quote) => json(quote, String), 'invalid-amount', '.minimumOut', BIGINT],
    ['JSON', (quote) => json(quote, Number), 'invalid-amount', '.minimumOut', BIGINT],
    ['names of HTTP', snakeCase, 'invalid-input', '', /is JSON: read it with decodeQuote/],
    ['exact JSON', exactJson, 'invalid-input', '.configVersion', /got 2n\.$/],
  ])('names the mistake and its cure: %s', async (_, make, code, at, words) => {
    const inputFor = (quote: object) => ({ payer: STRANGER, quoteResponse: make(quote) as never });
    const [buy, sell] = [inputFor(await quoteOneSol()), inputFor(await quoteSale())];
    for (const build of [() => buildBuy(client, buy), () => buildSell(client, sell)]) {
      const { message } = await expectRefusal(build, code, { field: `quoteResponse${at}` });
      expect(message).toMatch(words);
    }
  });
});

test('in place of what was built, rejects what went through JSON, and says what may', async () => {
  const built = await buyFor(STRANGER);
  const { data } = prepareTrade(client, built);
  const lost = http.parseJson(http.stringifyJson({ built, data })) as { built: never; data: never };
  const text = JSON.parse(
    JSON.stringify({ built, data }, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ) as typeof lost;
  const sign = () => expect.fail('the wallet was asked');
  for (const { built, data } of [lost, text])
    for (const [field, call] of [
      ['built', () => simulate(client, built)],
      ['built', () => reviewTransaction(client, built)],
      ['built', () => refreshLifetime(client, built)],
      ['built', () => prepareTrade(client, built)],
      ['built', () => signAndSubmitTransaction(client as never, built, { sign })],
      ['prepared', () => patchTrade(data, { amount: 1n, minimumOut: 1n })],
    ] as const) {
      const { message } = await expectRefusal(call, 'invalid-input', { field });
      expect(message).toMatch(/through JSON.* pass its tx/);
    }
  const asText = assertSignedTransactionMatches(built.tx, text.built);
  await expectRefusal(asText, 'invalid-input', { field: 'built' });
});

test.each(['x12', '12x', '', '1'.repeat(21)])(
  'as the exact amount of a quote that came back, %j is rejected',
  async (minimumOut) => {
    const quoteResponse = { ...(await quoteOneSol()), details: { exact: { minimumOut } } } as never;
    const field = 'quoteResponse.details.exact.minimumOut';
    await expectRefusal(buildBuy(client, { payer: STRANGER, quoteResponse }), 'invalid-input', { field });
  },
);

const KEY_PAIR = 'a key pair: pass its address, or a signer that kit makes of it';
test.each<[string, () => unknown, string]>([
  ['a PublicKey', () => ({ toBase58: () => STRANGER }), 'a web3.js PublicKey: pass its toBase58()'],
  ['a Keypair', () => ({ publicKey: {}, secretKey: new Uint8Array(64) }), KEY_PAIR],
  ['a CryptoKeyPair', () => crypto.subtle.generateKey('Ed25519', false, ['sign']), KEY_PAIR],
  ['64 bytes', () => new Uint8Array(64), KEY_PAIR],
  ['64 numbers', () => new Array(64).fill(7), KEY_PAIR],
])('in place of an address, names %s and its cure', async (_, make, words) => {
  const made = (await make()) as never;
  const quote = quoteBuy(client, { ...termsOf(), mint: made, maxSolSpend: '1' });
  const build = buildBuy(client, { payer: made, quoteResponse: await quoteOneSol() });
  const position = program.findLpPositionAddress({ pool: STRANGER, user: made });
  for (const [field, attempt] of Object.entries({ mint: quote, payer: build, user: position })) {
    const { message } = await expectRefusal(attempt, 'invalid-address', { field });
    expect(message).toBe(`${field} must be a base58 address of 32 bytes; got ${words}.`);
  }
});

test('bytes, errors and promises of another realm are what they are', async () => {
  const inRealm = (code: string, value?: unknown) => runInNewContext(code, { value });
  const bytes = (own: Uint8Array) => inRealm('Uint8Array.from(value)', [...own]);
  expect(bytes(Uint8Array.of(1))).not.toBeInstanceOf(Uint8Array);
  const { data } = await findSnapshot();
  expect(program.decodeLiquidityPoolState(bytes(data.pool))).toEqual(
    program.decodeLiquidityPoolState(data.pool),
  );
  const built = await buyFor(STRANGER);
  const prepared = prepareTrade(client, built);
  const keys = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
  // The trade is another's: this is after the bytes were taken for a transaction.
  await expectRefusal(main.signPrepared(bytes(prepared.data.bytes), keys), 'invalid-input', {
    field: 'signers',
  });
  const instruction = { programAddress: OTHER, accounts: [], data: bytes(Uint8Array.of(1)) };
  const trade = { payer: STRANGER, quoteResponse: await quoteOneSol(), before: [instruction] };
  await expect(buildBuy(client, trade)).resolves.toHaveProperty('tx');
  const down = inRealm('Object.assign(new TypeError("fetch failed"))');
  expect(main.explainError(down)).toEqual(main.explainError(new TypeError('fetch failed')));
  const quoteResponse = inRealm('Promise.resolve()');
  const { message } = await expectRefusal(
    buildBuy(client, { payer: STRANGER, quoteResponse }),
    'invalid-input',
  );
  expect(message).toContain('a promise: await it');
});

describe('in place of a built transaction', () => {
  test.each([
    ['its text', (tx: string) => tx],
    ['a promise', () => Promise.resolve()],
    ['nothing', () => undefined],
  ])('rejects %s', async (_, make) => {
    const { tx } = await buyFor(STRANGER);
    const built = make(tx) as never;
    await expectRefusal(simulate(client, built), 'invalid-input', { field: 'built' });
    await expectRefusal(refreshLifetime(client, built), 'invalid-input', { field: 'built' });
  });

  test('simulate rejects the quote of another trade', async () => {
    const { mint } = ledger.pools.community;
    const built = await buyFor(STRANGER);
    const other = await quoteBuy(client, { ...termsOf('community'), maxSolSpend: '1' });
    const sell = await quoteSale();
    const ofMint = { field: 'quote.mint', found: mint };
    await expectRefusal(simulate(client, built, { quote: other }), 'quote-mismatch', ofMint);
    const ofSide = { field: 'quote.side', asked: 'buy', found: 'sell' };
    await expectRefusal(simulate(client, built, { quote: sell }), 'quote-mismatch', ofSide);
    await expectRefusal(simulate(client, built, { quote: {} as never }), 'invalid-input', { field: 'quote' });
    const sale = await buildSell(client, { payer: ledger.pools.creator.creator, quoteResponse: sell });
    await expect(simulate(client, sale, { quote: sell })).resolves.toHaveProperty('ok');
  });
});

describe('a call without what it needs', () => {
  // `parseJson` throws a SyntaxError, as JSON.parse does.
  const entries = { main, http, node, program, testing };
  const functions = Object.entries(entries).flatMap(([entry, exported]) =>
    Object.entries(exported as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
      typeof value === 'function' && /^[a-z]/.test(name) && name !== 'parseJson'
        ? [[entry, name, value as (...input: readonly unknown[]) => unknown] as const]
        : [],
    ),
  );
  /** Throws what a call throws, unless that is an error of this library. */
  const tryOut = async (call: () => unknown, text: string) => {
    try {
      const made = Object(await call());
      // A watch that is not rejected waits.
      if (typeof made.next === 'function') await Promise.race([made.next(), turn()]);
      for (const end of ['stop', 'close', 'return']) if (typeof made[end] === 'function') void made[end]();
    } catch (error) {
      if (error !== undefined) expect(error, text).toBeInstanceOf(main.HeavenError);
    }
  };
  const inWords = (input: readonly unknown[]) =>
    input.map((one) => (one === client ? 'client' : inspect(one))).join();

  test.each(functions)('%s: %s throws only errors of this library', async (_, name, call) => {
    const missing = [null, undefined].flatMap((none) => [
      ...[[client, none], [client, {}, none], [client, [], none], [[none]], [client, [none]]],
      ...[
        [[], none],
        [{}, none],
        ['', none],
        [1n, none],
        [1n, 9, none],
      ],
    ]);
    // What has defaults for everything may be called without anything.
    const more = call.length === 0 ? [] : [[], [undefined], [{}], [client], [client, {}], ...missing];
    for (const input of [[null], [5], [client, 5], ...more])
      await tryOut(() => call(...input), `${name}(${inWords(input)})`);
  });

  /** They start to work as soon as nothing is wrong. */
  const WORKING = ['startServer', 'grindMintAddress', 'runSampleTrades', 'createMintSupply'];
  const rows = Object.entries(ROWS).filter(([name]) => !WORKING.includes(name));
  test.each(rows)('%s throws only errors of this library for an option', async (name, objects) => {
    for (const [, meant, call] of objects) {
      const said = await errorOf(async () => await call({ nonsense: 1 }));
      const [, takes = meant] = / takes ([\w, ]+)/.exec(String(said)) ?? [];
      for (const option of takes.split(/,\s*/))
        for (const value of [null, 5, {}, () => 5])
          await tryOut(() => call({ [option]: value }), `${name}: ${option} ${inspect(value)}`);
    }
  });
});

describe('an option of the wrong kind is rejected at the call', () => {
  const supply = node.createMintSupply({ size: 0 });
  const node1 = 'http://localhost';
  test.each<[option: string, call: (value: never) => unknown, expected?: RegExp, value?: unknown]>([
    ['observe', (observe) => http.createHandler({ client, observe })],
    ['rateLimiter', (rateLimiter) => http.createHandler({ client, rateLimiter })],
    ['ledger', (ledger) => http.createHandler({ client, ledger }), /embedded ledger/],
    ['documents', (documents) => http.createHandler({ client, documents }), /object/],
    ['documents./x', (one) => http.createHandler({ client, documents: { '/x': one } })],
    ['mintSigner', (mintSigner) => http.createHandler({ client, mintSigner }), /mintSigner of create/],
    [
      'mintSigner',
      (mintSigner) => http.createHandler({ client, mintSigner }),
      /mintSigner of create/,
      supply,
    ],
    ['fetch', (fetch) => http.createRemoteClient({ baseUrl: node1, fetch })],
    ['node', (node) => http.createRemoteClient({ baseUrl: node1, node }), /createHeavenClient/],
    ['observe', (observe) => node.createMintSupply({ observe })],
    ['suffix', (suffix) => node.createMintSupply({ suffix }), /no 0, O, I or l/, '0OIl'],
    ['observe', (observe) => main.createFailoverTransport([node1], { observe })],
    ['observe', (observe) => main.shareReads(client, { observe })],
    ['observe', (observe) => main.keepLifetime(client, { observe })],
    ['observe', (observe) => main.watchPool(client, locatorOf(termsOf()), { observe })],
    ['observe', (observe) => main.watchPools(client, [], { observe })],
    ['observe', (observe) => main.watchTrades(client as never, { ...locatorOf(termsOf()), observe })],
    ['observe', (observe) => main.watchNewPools(client as never, { observe })],
    ['commitment', (commitment) => main.heaven({ commitment }), /one of/],
    ['timeoutMs', (timeoutMs) => main.heaven({ timeoutMs }), /milliseconds/, 0],
    ['deployment', (deployment) => main.heaven({ deployment }), /object/],
    ['deployment', (deployment) => createHeavenClient({ rpcUrl: node1, deployment }), /object/],
    ['engine', (engine) => testing.createEmbeddedLedger({ engine }), /engine/],
    ['clock', (clock) => testing.createEmptyLedger({ clock }), /slot/],
    ['signer', (signer) => testing.createPracticeWallet({ signer }), /key pair/],
    ['guards', (guards) => testing.createPracticeWallet({ guards }), /phantom/],
    ['rpc', (rpc) => testing.createPracticeWallet({ rpc }), /made with kit/],
    ['pool', (pool) => testing.runSampleTrades(ledger, { pool }), /pools/],
    ['programs', (programs) => testing.createSvmEngine({ programs }), /object/],
    ['client', (client) => main.inspectTransaction('', { client }), /createHeavenClient/],
    ['amount', (amount) => main.toUsdValue(SNAPSHOT, amount, 'SOL'), /bigint/],
    ['asset', (asset) => main.toUsdValue(SNAPSHOT, 1n, asset), /'SOL' or 'token'/],
  ])('%s of %s', async (option, call, expected = /must be a function/, value = 5) => {
    const { message } = await expectRefusal(async () => await call(value as never), 'invalid-input', {
      field: option,
    });
    expect(message).toMatch(expected);
  });
});

test('an endpoint takes null as left out', async () => {
  const none = { rateLimiter: null, mintSigner: null, observe: null, documents: null, ledger: null };
  const handler = http.createHandler({ client, ...none } as never);
  expect((await handler(new Request('http://x/healthz'))).status).toBe(200);
  expect((await handler(new Request('http://x/rpc', { method: 'POST' }))).status).toBe(404);
});

test('who asks for a signature with an abort signal of null waits without one', async () => {
  const sign = async () => '' as never;
  const attempt = signAndSubmitTransaction(client as never, await buyFor(STRANGER), {
    sign,
    abortSignal: null as never,
  });
  await expectRefusal(attempt, 'transaction-not-signed');
});

test('rejects an invalid abort signal', async () => {
  const abortSignal = 5 as never;
  const watch = watchPool(client, locatorOf(termsOf()), { abortSignal });
  const snapshot = () => fetchPoolSnapshot(client, { ...locatorOf(termsOf()), abortSignal });
  for (const call of [() => watch.next(), snapshot])
    await expectRefusal(call, 'invalid-input', { field: 'abortSignal' });
});
