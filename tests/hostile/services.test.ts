import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { STATUS } from '../../src/http/errors.js';
import {
  createRemoteClient,
  parseJson,
  type RemoteClient,
  type RemoteClientConfig,
} from '../../src/http/index.js';
import {
  assertTransactionMatches,
  type BuyQuote,
  createHeavenClient,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  explainError,
  type QuoteInitialBuyInput,
  type SellQuote,
  type TransactionIntent,
  toUiAmount,
} from '../../src/index.js';
import { paths } from '../../src/operations/index.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEngines, inputOf } from '../http/engines.js';
import { post } from '../http/support.js';
import { buildLocally, type Draft, putTogether, tableOf, takeApart } from '../review/support.js';
import { addressNamed } from '../support/addresses.js';
import { expectRefusal, refusalOf } from '../support/errors.js';
import { launchOf } from '../support/ledger.js';

// A service whose answers are consistent in themselves, and answer another question than was asked.

const { ledger, client, localClient, handler, mintSigner, working } = await createEngines();
const { creator, community, pro } = ledger.pools;
const payer = creator.creator;

/** A second pro pool of the same token and config, whose tokens are worth a tenth. */
const otherPool = addressNamed('a second pro pool');
ledger.setAccount(otherPool, ledger.getAccount(pro.pool));
ledger.updatePool(otherPool, ({ reserve }) => ({
  key: otherPool,
  reserve: { ...reserve, tokenB: reserve.tokenB / 10n },
}));

type Fields = Readonly<Record<string, unknown>>;
/** Changes the honest answer's JSON text, in which amounts have all their digits. */
type Change = (text: string) => string;

type Respond = (honest: string, status: number, init?: RequestInit) => Response | Promise<Response>;

/** A client of a service that answers whatever is made of the honest answer's text. */
const answered = (respond: Respond, config: Partial<RemoteClientConfig> = {}): RemoteClient =>
  createRemoteClient({
    baseUrl: 'https://heaven.example/0123456789abcdef',
    retries: 0,
    ...config,
    fetch: async (url, init) => {
      expect(init?.redirect).toBe('manual');
      const honest = await handler(new Request(String(url).replace('/0123456789abcdef', ''), init));
      return await respond(await honest.text(), honest.status, init);
    },
  });

/** A client of a service that changes what it answers. */
const hostile = (change: Change, config: Partial<RemoteClientConfig> = {}): RemoteClient =>
  answered((honest, status) => new Response(change(honest), { status }), config);
/** A quote's documented fields alone. */
const bare: Change = (answer) => answer.replace(/,"details":\{.*\}(?=\}$)/s, '');

/** A client of a service that answers another question, honestly. */
const asking = (path: string, change: Fields): RemoteClient =>
  answered(async (_honest, _status, init) => {
    const request = JSON.parse(String(init?.body)) as Fields;
    const { status, text } = await post(handler, path, { ...request, ...change });
    return new Response(text, { status });
  });

/** Writes other values for top-level fields of a JSON text. */
const writing =
  (fields: Readonly<Record<string, string>>): Change =>
  (text) =>
    Object.entries(fields).reduce((result, [name, value]) => {
      const pattern = new RegExp(`"${name}":("[^"]*"|[-+.\\deE]+)`);
      expect(result).toMatch(pattern);
      return result.replace(pattern, `"${name}":${value}`);
    }, text);

const text = (value: string) => JSON.stringify(value);

const inStandard = { configVersion: 2, mint: creator.mint, slippageBps: 50 };
const inPro = { configVersion: 3, mint: pro.mint, pool: pro.pool, slippageBps: 50 };
const asked = {
  quoteBuy: { ...inStandard, maxSolSpend: '1.5' },
  quoteSell: { ...inStandard, amountInUi: '1000.5' },
  quoteProBuy: { ...inPro, maxSolSpend: '1.5' },
  quoteProSell: { ...inPro, amountInUi: '1000.5' },
} as const;
type QuoteName = keyof typeof asked;
const QUOTES = Object.keys(asked) as QuoteName[];
const BUYS: readonly QuoteName[] = ['quoteBuy', 'quoteProBuy'];
const SELLS: readonly QuoteName[] = ['quoteSell', 'quoteProSell'];
const STANDARD: readonly QuoteName[] = ['quoteBuy', 'quoteSell'];
const PRO: readonly QuoteName[] = ['quoteProBuy', 'quoteProSell'];
const ask = (heaven: RemoteClient, name: QuoteName) =>
  (heaven[name] as (input: unknown) => Promise<BuyQuote | SellQuote>)(asked[name]);
/** The SDK's own quote, or that of another question. */
const quoted = (name: QuoteName, change: Fields = {}) =>
  (localClient[name] as (input: unknown) => Promise<DetailedBuyQuote | DetailedSellQuote>)({
    ...asked[name],
    ...change,
  });
/** A buy's quote that is consistent in itself, with this percentage of the honest minimum. */
async function quoteWithMinimum(percent: bigint, change: Partial<BuyQuote> = {}) {
  const quote = await localClient.quoteBuy(asked.quoteBuy);
  const minimumOut = (quote.minimumOut * percent) / 100n;
  return { ...quote, minimumOut, minimumOutUi: Number(minimumOut) / 1e9, ...change };
}

const honest = hostile((answer) => answer);
/** The error of the call for a quote whose answer is this. */
const errorOver = (respond: Respond) => refusalOf(ask(answered(respond), 'quoteBuy'));
const BOTH_VALUES = { asked: expect.anything(), found: expect.anything() };

/** A service's warnings, as the remote client marks them. */
const fromService = (warnings: readonly object[]) =>
  warnings.map((warning) => ({ ...warning, source: 'service' }));

describe('a quote is checked against its request', () => {
  test.each(QUOTES)('%s: an honest answer passes and names its pool, details or not', async (name) => {
    const { details, ...documented } = await quoted(name);
    const { pool } = details;
    expect(pool).toBe(PRO.includes(name) ? pro.pool : creator.pool);
    const passedOn = { ...details, warnings: fromService(details.warnings) };
    expect(await ask(honest, name)).toStrictEqual({ ...documented, details: passedOn });
    // Nothing else says which pro pool it is for; a standard pool follows from the token.
    const known = PRO.includes(name) ? { pool } : {};
    const unchecked = { code: 'unchecked-minimum', message: expect.any(String) };
    const withPool = { ...documented, details: { ...known, warnings: [unchecked] } };
    expect(await ask(hostile(bare), name)).toStrictEqual(withPool);
  });

  /** The honest answer to another request. */
  const another = (asked: Fields) => (name: QuoteName) => asking(paths[name], asked);
  /** The honest answer with other fields. */
  const written = (fields: Readonly<Record<string, string>>) => () => hostile(writing(fields));
  type Make = (name: QuoteName) => RemoteClient;
  const LIES: readonly (readonly [what: string, names: readonly QuoteName[], Make, field: string])[] = [
    ['more SOL', BUYS, another({ max_sol_spend: 500 }), 'maxLamportSpend'],
    ['a lamport more', BUYS, another({ max_sol_spend: 1.500000001 }), 'maxLamportSpend'],
    ['more tokens', SELLS, another({ amount_in_ui: 5_000 }), 'amountInUi'],
    ['all slippage', QUOTES, another({ slippage_bps: 10_000 }), 'slippageBps'],
    ['no slippage', QUOTES, another({ slippage_bps: 0 }), 'slippageBps'],
    ['another token', STANDARD, another({ mint: community.mint, config_version: 1 }), 'configVersion'],
    ['another pool', PRO, another({ pool: otherPool }), 'details.pool'],
    ['another program', QUOTES, written({ program_id: text(SYSTEM_PROGRAM_ADDRESS) }), 'programId'],
    ['another config version', QUOTES, written({ config_version: '1' }), 'configVersion'],
    ['another mint', QUOTES, written({ mint: text(community.mint) }), 'mint'],
    ["a pro pool's mint", STANDARD, written({ mint: text(pro.mint) }), 'mint'],
    ['a basis point more', QUOTES, written({ slippage_bps: '51' }), 'slippageBps'],
    ['details of another pool', QUOTES, written({ pool: text(community.pool) }), 'details.pool'],
    ['another minimum shown', QUOTES, written({ minimum_out_ui: '1' }), 'minimumOutUi'],
    ['another minimum behind it', QUOTES, written({ minimum_out: '0' }), 'minimumOutUi'],
    ['another amount in its details', QUOTES, written({ amount_out: '5' }), 'minimumOut'],
    ['another spend in its details', BUYS, written({ amount_in: '1499999999' }), 'details.amountIn'],
    ['a lamport behind it', BUYS, written({ max_lamport_spend: '1500000001' }), 'maxLamportSpend'],
    ['another spend shown', BUYS, written({ max_sol_spend: '1.6' }), 'maxSolSpend'],
    ['other tokens shown', SELLS, written({ amount_in_ui: '1000.6' }), 'amountInUi'],
    ['a unit behind them', ['quoteSell'], written({ amount_in: '1000500000001' }), 'amountIn'],
    ['a unit behind them', ['quoteProSell'], written({ amount_in: '1000500001' }), 'amountIn'],
  ];
  test.each(
    LIES.flatMap(([what, names, make, field]) => names.map((name) => [what, name, make, field] as const)),
  )('%s: %s', async (_, name, make, field) => {
    await expectRefusal(ask(make(name), name), 'quote-mismatch', { field, ...BOTH_VALUES });
  });

  /** A minimum of so many percent of the honest one, and details that agree or none. */
  const lowered = (name: QuoteName, percent: bigint, hasDetails: boolean): Change => {
    const decimals = name === 'quoteProBuy' ? 6 : 9;
    return (answer) => {
      const { minimum_out } = parseJson(answer) as { readonly minimum_out: bigint };
      const minimum = (minimum_out * percent) / 100n;
      const told = (minimum * 10_000n + 9_949n) / 9_950n;
      const fields = { minimum_out: `${minimum}`, minimum_out_ui: toUiAmount(minimum, decimals) };
      const details = { amount_out: `${told}` };
      return writing({ ...fields, ...(hasDetails ? details : {}) })(hasDetails ? answer : bare(answer));
    };
  };
  const node = { node: client };
  test.each(QUOTES)('%s: a minimum must be over 0, and with a node protect enough', async (name) => {
    const field = { field: 'minimumOut', ...BOTH_VALUES };
    for (const hasDetails of [true, false])
      for (const config of [{}, node])
        await expectRefusal(
          ask(hostile(lowered(name, 0n, hasDetails), config), name),
          'quote-mismatch',
          field,
        );
    for (const hasDetails of [true, false]) {
      // Only the chain says that the price is another.
      await ask(hostile(lowered(name, 1n, hasDetails)), name);
      for (const percent of [1n, 89n])
        await expectRefusal(
          ask(hostile(lowered(name, percent, hasDetails), node), name),
          'quote-mismatch',
          field,
        );
      const close = await ask(hostile(lowered(name, 91n, hasDetails), node), name);
      const { warnings = [] } = (close.details ?? {}) as {
        readonly warnings?: readonly { readonly code: string }[];
      };
      expect(warnings.map(({ code }) => code)).not.toContain('unchecked-minimum');
    }
    // Whoever asks for a slippage of all gets no minimum.
    const all = { ...asked[name], slippageBps: 10_000 } as never;
    await expectRefusal((honest[name] as (input: never) => Promise<unknown>)(all), 'quote-mismatch', field);
  });

  test('a node must be a client of the same program', async () => {
    const fetch = () => expect.fail('the service was asked');
    const make = (config: object) => () =>
      createRemoteClient({ baseUrl: 'https://x.example', fetch, ...config });
    await expectRefusal(make({ node: {} }), 'invalid-input', { field: 'node' });
    const programAddress = SYSTEM_PROGRAM_ADDRESS;
    await expectRefusal(make({ ...node, programAddress }), 'invalid-input', { field: 'programAddress' });
    const elsewhere = createHeavenClient({ rpc: ledger.rpc, deployment: { programAddress } });
    const { quoteBuy } = make({ node: elsewhere, fetch: async () => new Response('{}', { status: 418 }) })();
    await expectRefusal(
      quoteBuy({ ...asked.quoteBuy, programId: programAddress } as never),
      'service-failed',
    );
  });

  test('an amount is compared through its digits', async () => {
    // 0.3 of a float sum is another number of lamports than 0.3.
    const input = { ...asked.quoteBuy, maxSolSpend: '0.300000001' };
    expect((await honest.quoteBuy(input)).maxLamportSpend).toBe(300_000_001n);
    const less = hostile(writing({ max_lamport_spend: '300000000', max_sol_spend: '0.3' }));
    const context = { field: 'maxLamportSpend', asked: 300_000_001n, found: 300_000_000n };
    expect((await refusalOf(less.quoteBuy(input))).context).toEqual(context);
  });
});

describe('an answer has a size, a status and a form:', () => {
  type Answer = (honest: string) => Response;

  const MOST_BYTES = 1_048_576;
  const same: Answer = (honest) => new Response(honest);
  const of =
    (change: Change): Answer =>
    (honest) =>
      new Response(change(honest));
  const status =
    (code: number): Answer =>
    (honest) => {
      const headers = { location: 'https://elsewhere.example/' };
      return new Response(code === 204 || code === 304 ? null : honest, { status: code, headers });
    };
  /** In chunks, without a declared length. */
  const inChunks =
    (end: boolean): Answer =>
    (honest) => {
      const pull = (stream: ReadableStreamDefaultController) => {
        stream.enqueue(new TextEncoder().encode(honest));
        if (end) stream.close();
      };
      return new Response(new ReadableStream({ pull }));
    };
  const amount =
    (write: (digits: string) => string): Change =>
    (honest) =>
      honest.replace(/"minimum_out":(\d+)/, (_, digits: string) => `"minimum_out":${write(digits)}`);
  const member =
    (name: string, value: string): Change =>
    (honest) =>
      `{"${name}":${value},${honest.slice(1)}`;
  const noMinimum: Change = (honest) => honest.replace(/"minimum_out":\d+,/, '');

  const shown = (spend: string) => writing({ max_sol_spend: spend });
  const noLength: Answer = (honest) => new Response(honest, { headers: { 'content-length': '99999999999' } });
  const camelCase: Change = (honest) =>
    honest.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const prototype = member('__proto__', '{"minimum_out":5}');

  /** By what the error says of it: hostile answers, and the honest twins of those that need another than the answer. */
  const ANSWERS: Readonly<Record<string, readonly (readonly [string, Answer, honest?: Answer])[]>> = {
    longer: [
      ['a byte too many', of((text) => text.padEnd(MOST_BYTES + 1)), of((text) => text.padEnd(MOST_BYTES))],
      ['no end', inChunks(false), inChunks(true)],
      ['a length beyond all', noLength],
    ],
    redirects: [
      ...[301, 304, 307].map((code) => [`status ${code}`, status(code)] as const),
      ['a redirect that the browser hides', () => Response.error()],
    ],
    'answered HTTP': [201, 204, 401].map((code) => [`status ${code}`, status(code)] as const),
    'not valid JSON': [
      ['a page', of(() => '<!doctype html><title>It works</title>')],
      ['nothing', of(() => '')],
      ['JSON with something behind it', of((text) => `${text}x`)],
      ['a key twice', of(member('mint', '"a"'))],
      ['JSON nested too deeply', of(() => '['.repeat(100_000))],
    ],
    'not the documented one': [
      ['null', of(() => 'null')],
      ['an error with status 200', of(() => '{"error":{"code":"zero-amount","message":"x"}}')],
      ['an amount of words', of(amount(() => '"five"')), of(amount((digits) => `"${digits}"`))],
      ['a fraction', of(amount((digits) => `${digits}.5`)), of(amount((digits) => `${digits}.0`))],
      ['a negative amount', of(amount(() => '-1'))],
      ['words for display', of(shown('"1.5 SOL"')), of(shown('"1.5"'))],
      ['a mint that is not an address', of(writing({ mint: '"x"' }))],
      ['a config version that is not safe', of(writing({ config_version: '9007199254740993' }))],
      ['fees over 64 bits', of(writing({ total_fee: '18446744073709551616' }))],
      ['a negative fee', of(writing({ creator_protocol: '-1' }))],
      ['a price without end', of(writing({ price_before: '1e999' })), of(writing({ price_before: '1e9' }))],
      ['a slot of words', of(writing({ slot: '"now"' }))],
      ['camelCase names', of(camelCase)],
      ['amounts from its prototype', of((text) => prototype(noMinimum(text))), of(prototype)],
    ],
  };
  test.each(
    Object.entries(ANSWERS).flatMap(([said, answers]) =>
      answers.map(([what, hostile, honest = same]) => [what, said, hostile, honest] as const),
    ),
  )('%s: %s', async (_, said, hostile, honest) => {
    const error = await errorOver(hostile);
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/quote/buy' } });
    expect(error.message).toContain(said);
    const { details: _details, ...documented } = await quoted('quoteBuy');
    expect(await ask(answered(honest), 'quoteBuy')).toMatchObject(documented);
  });

  test.each([
    ['a page', '<html>Bad gateway</html>'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an error of text', '{"error":"Not found"}'],
    ['an error without a code', '{"error":{"message":"m"}}'],
    ['an error whose code is a number', '{"error":{"code":5,"message":"m"}}'],
    ['an error from its prototype', '{"__proto__":{"error":{"code":"zero-amount","message":"m"}}}'],
  ])('%s as an error', async (_, hostile) => {
    for (const status of [400, 404, 422, 500]) {
      const failing = (text: string, headers: Record<string, string> = {}) =>
        errorOver(() => new Response(text, { status, headers }));
      const error = await failing(hostile, { 'x-request-id': 'r-2' });
      expect(error.code).toBe('service-failed');
      expect(error.context).toStrictEqual({ path: '/quote/buy', status, requestId: 'r-2' });
      const honest = await failing('{"error":{"code":"zero-amount","message":"Too little."}}');
      expect(honest).toMatchObject({ code: 'zero-amount', message: 'Too little.' });
    }
  });
});

describe('texts of a service are cleaned and bounded:', () => {
  const HONEST = 'The pool opens later.';
  const SECRET = /evil|0123456789|\p{C}|:\/\/|hunter2/u;
  const failing = (code: string, message: string, details: Fields = {}) => {
    const headers = { 'x-request-id': 'Bearer 0123456789abcdef' };
    const body = JSON.stringify({ error: { code, message, details } });
    return errorOver(() => new Response(body, { status: 422, headers }));
  };

  test.each([
    ['terminal controls', 'No\u001b[31m\u0007\u009b2J.'],
    ['marks that reverse it', 'No \u202eback\u202c \u2066x\u2069\u200b.'],
    ['a URL', 'See https://evil.example/?api-key=0123456789abcdef now.'],
    ['an encoded URL', 'See https%3A%2f%2Fevil.example%2F%3Fapi-key%3D0123456789abcdef now.'],
    ['a URL encoded twice', 'url=wss%253A%252F%252Fevil.example%252F0123456789abcdef'],
    ['an escaped URL and an encoded key', '{"url":"https:\\/\\/evil.example\\/"} api-key%3D0123456789abcdef'],
    ['a URL and a key in hidden pieces', 'https:\u200b//evil.example/ api\u2060-key=0123456789abcdef'],
    ['an API key', 'With api-key=0123456789abcdef, and Authorization: Bearer 0123456789abcdef'],
    ['900,000 characters', 'x'.repeat(900_000)],
    ['900,000 accents', `e${'\u0301'.repeat(900_000)}`],
  ])('%s', async (_, evil) => {
    for (const code of ['zero-amount', 'rpc-failed', 'never-heard-of', evil]) {
      const error = await failing(code, evil, { field: evil, method: evil, reason: evil });
      for (const said of [error.message, JSON.stringify(error.context), explainError(error).message]) {
        expect(said).not.toMatch(SECRET);
        expect(said.length).toBeLessThan(2_000);
      }
    }
    expect(await failing('pool-not-open', HONEST)).toMatchObject({ code: 'pool-not-open', message: HONEST });
    const warnings = `"warnings":[{"code":"price-impact","message":${JSON.stringify(evil.slice(0, 400_000))}}]`;
    const warned = (answer: string) => answer.replace(/"warnings":\[[^\]]*\]/, () => warnings);
    const { details } = await hostile(warned).quoteBuy(asked.quoteBuy);
    const said = String(details?.warnings?.map(({ message }) => message));
    expect(said).not.toMatch(SECRET);
    // 500 characters, each with at most three accents.
    expect(said.length).toBeLessThan(2_001);
  });

  const NAMES =
    `field value asked found reason requested available fee_bps account address pool mint operation role asset opens_at refused
  signers method rpc_message status signature kind instruction signer package decimals __proto__ constructor advert`.split(
      /\s+/,
    );

  test.each(Object.keys(STATUS))('what details add to %s, and how its words are shown', async (code) => {
    const words = 'Your wallet is hacked". Say "yes" to evil.example';
    for (const value of [
      { evil: 1 },
      [['evil']],
      null,
      `\u202ehttps://evil.example/ ${'y '.repeat(300_000)}`,
    ]) {
      const error = await failing(code, words, Object.fromEntries(NAMES.map((name) => [name, value])));
      expect(Object.values(error.context).filter((one) => typeof one === 'object')).toEqual([]);
      const said = JSON.stringify(error.context);
      expect(said).not.toMatch(/evil|advert|\p{C}/u);
      expect(said.length).toBeLessThan(1_500);
      const { message } = explainError(error);
      expect(message.replace(/"[^"]*"/g, '')).not.toMatch(/wallet is hacked|yes|evil/);
      expect(message).not.toMatch(/evil\.example/);
    }
  });

  test.each([
    ['insufficient-liquidity', { requested: '5', available: 5.5 }, {}],
    ['insufficient-liquidity', { requested: 5, available: 7, field: 'x' }, { requested: 5n, available: 7n }],
    ['invalid-fees', { field: 5, reason: true, fee_bps: '5', max_fee_bps: 5 }, { maxFeeBps: 5 }],
    ['operation-disabled', { operation: 'be-hacked', config_version: [1] }, {}],
    [
      'operation-disabled',
      { operation: 'set-creator-fee', pool: 'p' },
      { operation: 'set-creator-fee', pool: 'p' },
    ],
    [
      'pool-mismatch',
      { field: 'config_version', asked: 1, found: '2' },
      { field: 'configVersion', asked: 1, found: '2' },
    ],
    ['quote-mismatch', { field: 'f', asked: true, found: ['x'] }, { field: 'f', asked: true }],
  ])('a value of %s that is of another type is left out: %o', async (code, details, context) => {
    const error = await failing(code, HONEST, details);
    expect([error.code, error.context, error.source]).toEqual([code, context, 'service']);
  });

  test.each([
    ['the URL', 'error sending request for url (https://heaven.example/0123456789abcdef)'],
    ['900,000 characters', 'x'.repeat(900_000)],
  ])('a connection that fails for a reason with %s', async (_, reason) => {
    const error = await errorOver(() => Promise.reject(new TypeError(reason)));
    expect(error.code).toBe('service-failed');
    expect(error.message).not.toMatch(SECRET);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each(['pool', 'mint', 'minimum_out'])(
    'a %s of hidden characters, a URL and 900,000 more',
    async (field) => {
      const value = text(`\u202ehttps://evil.example/0123456789abcdef${'x'.repeat(900_000)}`);
      const error = await expectRefusal(
        ask(hostile(writing({ [field]: value })), 'quoteBuy'),
        'service-failed',
      );
      expect(error.message).not.toMatch(SECRET);
      expect(error.message.length).toBeLessThan(600);
    },
  );
});

describe('what a service says of a transaction', () => {
  const HONEST = { code: 'price-impact', message: 'Trade less at once.' };
  /** Worth a fifth less than what it gives, and with a priority fee of 300 * 200,000 / 10^9 = 0.06 SOL. */
  const input = async () => ({
    payer,
    quoteResponse: await quoteWithMinimum(80n),
    computeUnitPrice: 300_000_000n,
  });
  const build = async (heaven: RemoteClient) => await heaven.buildBuy(await input());
  const saying = (details: Fields) =>
    answered((honest) => {
      const answer = JSON.parse(honest) as { readonly details: Fields };
      return new Response(JSON.stringify({ ...answer, details: { ...answer.details, ...details } }));
    });

  test('is passed on, and marked as its own', async () => {
    const { tx, warnings, size, requiredSigners, lifetime } = await localClient.buildBuy(await input());
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['minimum-too-low', 'high-priority-fee']),
    );
    const { lastValidBlockHeight } = lifetime;
    const details = { size, requiredSigners, lastValidBlockHeight };
    expect(await build(honest)).toStrictEqual({ tx, warnings: fromService(warnings), details });
    const warned = await build(saying({ warnings: [HONEST, { ...HONEST, x: 1 }] }));
    expect(warned.warnings).toStrictEqual(fromService([HONEST, HONEST]));
  });

  test.each<[string, Fields]>([
    ['ten thousand warnings', { warnings: Array.from({ length: 10_000 }, () => HONEST) }],
    ['a warning too many', { warnings: Array.from({ length: 33 }, () => HONEST) }],
    ...['<b>', '', 'x'.repeat(41), 'evil.example', 5, null].map((code): [string, Fields] => [
      `the code ${code}`,
      { warnings: [{ ...HONEST, code }] },
    ]),
    ['words of another kind', { warnings: [{ ...HONEST, message: { html: 'x' } }] }],
    ['no words', { warnings: [{ code: HONEST.code }] }],
    ['warnings that are no list', { warnings: HONEST }],
    ['another size', { size: 5 }],
    ['other signers', { required_signers: [creator.mint] }],
    ['a block height below 0', { last_valid_block_height: -1 }],
    ['a block height over 64 bits', { last_valid_block_height: '18446744073709551616' }],
  ])('is rejected with %s', async (_, details) => {
    const error = await expectRefusal(build(saying(details)), 'service-failed', { path: '/tx/buy' });
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('an initial buy is checked against its request', () => {
  const input: QuoteInitialBuyInput = { configVersion: 1, initialPurchasePercent: '1.5', slippage: '0.005' };

  const tokens = (amount: string, ui: string) => ({ token_amount: amount, token_amount_ui: ui });
  const nothing = { initialPurchasePercent: 0 };

  test.each<[string, Record<string, string>, string, change?: object]>([
    ['a cost shown as another', { cost_sol: '0.1' }, 'costSol'],
    ['tokens shown as others', { token_amount_ui: '123' }, 'tokenAmountUi'],
    // 1.5 % of 2^64 - 1 is 276,701,161,105,643,274.
    ['more tokens than there can be', tokens('276701161105643275', '276701161.105643275'), 'tokenAmount'],
    ['no tokens', tokens('0', '0'), 'tokenAmount'],
    ['a cost for nothing', { cost_lamports: '1', cost_sol: '1e-9' }, 'costLamports', nothing],
  ])('%s', async (_, fields, field, change) => {
    const lied = hostile(writing(fields)).quoteInitialBuy({ ...input, ...change });
    await expectRefusal(lied, 'quote-mismatch', { field });
    const { details, ...local } = await localClient.quoteInitialBuy(input);
    const warnings = details.warnings.map((warning) => ({ ...warning, source: 'service' }));
    expect(await honest.quoteInitialBuy(input)).toStrictEqual({
      ...local,
      details: { ...details, warnings },
    });
  });
});

const launch = launchOf(payer, ledger);
const create = inputOf('buildProCreate', working[paths.buildProCreate]!.required) as never;
const { pool: createdPool } = await localClient.buildProCreate(create);
const { tx: aBuy } = await localClient.buildBuy({
  payer,
  quoteResponse: await localClient.quoteBuy(asked.quoteBuy),
});

describe('other answers are checked against their requests', () => {
  type Ask = (heaven: RemoteClient) => Promise<unknown>;
  const poolOfToken: Ask = (heaven) => heaven.getPoolState({ mint: creator.mint });
  const proPool: Ask = (heaven) => heaven.getPoolState({ pool: pro.pool });
  const config: Ask = (heaven) => heaven.getProtocolConfigState({ version: 2 });
  const liquidity: Ask = (heaven) => heaven.getLpBalance({ pool: pro.pool, user: pro.creator });
  const position = { user: community.creator };
  const toggling =
    (transactionVersion: 0 | 1): Ask =>
    (heaven) =>
      heaven.buildProToggleSwap({ pool: pro.pool, payer: pro.creator, enabled: false, transactionVersion });
  const sponsored: Ask = (heaven) =>
    heaven.buildProToggleSwap({ pool: pro.pool, payer: pro.creator, enabled: false, feePayer: payer });
  const launching: Ask = (heaven) => heaven.buildCreateStandardLiquidityPool(launch);
  const { lutAddress: _, ...withoutTable } = launch;
  const launchingInVersion1: Ask = (heaven) =>
    heaven.buildCreateStandardLiquidityPool({ ...withoutTable, transactionVersion: 1 });
  const creating: Ask = (heaven) => heaven.buildProCreate(create);

  /** Answers with what is made of the honest transaction. */
  const rewriting = (change: (draft: Draft) => void): RemoteClient =>
    answered(async (honest) => {
      const answer = JSON.parse(honest) as { readonly tx: string };
      const draft = takeApart(answer.tx, tableOf(ledger, ledger.lookupTables.community));
      change(draft);
      const tx = await putTogether(draft, 'mint' in answer ? [mintSigner] : []);
      return new Response(JSON.stringify({ ...answer, details: null, tx }));
    });
  const same = rewriting(() => {});
  const inLegacyVersion = rewriting((draft) => void Object.assign(draft, { version: 'legacy' }));
  const twice = rewriting(
    ({ instructions }) => void instructions.push(structuredClone(instructions.at(-1)!)),
  );
  const fewer = rewriting(({ instructions }) => void instructions.at(-1)!.accounts.splice(5));
  const states = paths.getPoolState;
  const toggles = paths.buildProToggleSwap;
  const anotherMint = hostile(writing({ mint: text(creator.mint) }));
  const inVersion = (version: number) => asking(toggles, { transaction_version: version });
  const transaction = (tx: string) => hostile(writing({ tx: text(tx) }));
  const noTransaction = 'its tx is not a transaction';

  test.each<[string, Ask, hostile: RemoteClient, said: string, honest?: RemoteClient]>([
    ['the pool of another token', poolOfToken, asking(states, { mint: community.mint }), 'token_a.mint'],
    ['another pool', proPool, asking(states, { pool: otherPool }), 'key'],
    ['another config', config, asking(paths.getProtocolConfigState, { version: 1 }), 'version'],
    ['another wallet’s liquidity', liquidity, asking(paths.getLpBalance, position), 'lp_position_address'],
    ['a legacy transaction', toggling(0), inLegacyVersion, 'not a transaction of version 0', same],
    ['version 1 instead of 0', toggling(0), inVersion(1), 'not a transaction of version 0'],
    ['version 0 instead of 1', toggling(1), inVersion(0), 'not a transaction of version 1'],
    ['another mint than that of a launch', launching, anotherMint, mintSigner.address],
    ['the same in version 1, which needs no table', launchingInVersion1, anotherMint, mintSigner.address],
    ['a sponsor that is ignored', sponsored, asking(toggles, { fee_payer: null }), pro.creator],
    ['a sponsor that nobody asked for', toggling(0), asking(toggles, { fee_payer: payer }), payer],
    ['a launch that is no transaction', launching, transaction('AAAA'), noTransaction],
    ['one with a length that never ends', launching, transaction('gICA'.repeat(50_000)), noTransaction],
    ['a buy for a launch', launching, transaction(aBuy), 'creates no pool'],
    ['a launch that creates two pools', launching, twice, 'more than one pool', same],
    [
      'a launch whose instruction names no mint',
      launching,
      fewer,
      `its mint is "${mintSigner.address}"`,
      same,
    ],
    ['another pool than a creation makes', creating, hostile(writing({ pool: text(pro.pool) })), createdPool],
  ])('%s', async (_, call, hostile, said, honestTwin = honest) => {
    await call(honestTwin);
    const error = await expectRefusal(call(hostile), 'service-failed', { status: 200 });
    expect(error.message).toContain(said);
  });
});

describe('a quote is for one pool', () => {
  test('the builders reject it in another pool', async () => {
    const inOther = { encodedUserDefinedEventData: '', payer, pool: otherPool };
    const buy = { ...inOther, quoteResponse: await localClient.quoteProBuy(asked.quoteProBuy) };
    const sell = { ...inOther, quoteResponse: await localClient.quoteProSell(asked.quoteProSell) };
    const mismatch = { field: 'quoteResponse.details.pool', asked: otherPool, found: pro.pool };
    for (const heaven of [localClient, honest]) {
      await expectRefusal(heaven.buildProBuy(buy), 'quote-mismatch', mismatch);
      await expectRefusal(heaven.buildProSell(sell), 'quote-mismatch', mismatch);
    }
    // Honest twins, which name the right pool or none.
    const { details: _, ...documented } = buy.quoteResponse;
    const ofOther = await localClient.quoteProBuy({ ...asked.quoteProBuy, pool: otherPool });
    for (const quoteResponse of [ofOther, documented])
      await localClient.buildProBuy({ ...inOther, quoteResponse });
  });

  test('standard ones, too', async () => {
    const buy = { ...(await localClient.quoteBuy(asked.quoteBuy)), details: { pool: community.pool } };
    const mismatch = { asked: creator.pool, found: community.pool };
    await expectRefusal(localClient.buildBuy({ payer, quoteResponse: buy }), 'quote-mismatch', mismatch);
    const sell = { ...(await localClient.quoteSell(asked.quoteSell)), details: { pool: 'x' as Address } };
    const field = 'quoteResponse.details.pool';
    await expectRefusal(localClient.buildSell({ payer, quoteResponse: sell }), 'invalid-address', { field });
  });
});

describe('assertTransactionMatches', () => {
  const intentOf = (name: QuoteName, quoteResponse: unknown) => {
    const pool = PRO.includes(name) ? { pool: pro.pool } : {};
    // Landing these small trades would cost more than they move.
    const input = { payer, ...pool, quoteResponse, computeUnitPrice: 0n };
    return { function: name.replace('quote', 'build'), input } as unknown as TransactionIntent;
  };

  /** A quote that the service chose, and the transaction that matches it. */
  async function traded(name: QuoteName, quote: BuyQuote | SellQuote) {
    const intent = intentOf(name, quote);
    const { tx, warnings } = await buildLocally(client, intent);
    return { tx, intent, warnings: warnings.map(({ code }) => code) };
  }
  const check = async (tx: string, intent: TransactionIntent, request?: unknown, driftBps?: number) => {
    const given = { ...intent, ...(request === undefined ? {} : { request }) } as TransactionIntent;
    const { warnings, ...matched } = await assertTransactionMatches(tx, given, { client, driftBps });
    return { codes: warnings.map(({ code }) => code), matched };
  };

  test.each(QUOTES)('%s: an honest quote passes, and the result says what it does', async (name) => {
    const quote = await quoted(name);
    const { tx, intent } = await traded(name, quote);
    const { mint, pool } = PRO.includes(name) ? pro : creator;
    const tokens = PRO.includes(name) ? 1_000_500_000n : 1_000_500_000_000n;
    const { minimumOut } = quote;
    const matched = BUYS.includes(name)
      ? { side: 'buy', mint, pool, amountIn: 1_500_000_000n, minimumOut }
      : { side: 'sell', mint, pool, amountIn: tokens, minimumOut };
    for (const request of [undefined, asked[name]])
      expect(await check(tx, intent, request)).toEqual({ codes: [], matched });
  });

  test.each(QUOTES)('%s: rejects another amount, slippage or token than requested', async (name) => {
    const [amount, field] = BUYS.includes(name)
      ? [{ maxSolSpend: '3' }, 'maxLamportSpend']
      : [{ amountInUi: '2000' }, 'amountInUi'];
    for (const [change, differs] of [
      [amount, field],
      [{ slippageBps: 60 }, 'slippageBps'],
    ] as const) {
      const { tx, intent } = await traded(name, await quoted(name, change));
      await check(tx, intent);
      const context = { field: `quoteResponse.${differs}`, ...BOTH_VALUES };
      await expectRefusal(check(tx, intent, asked[name]), 'quote-mismatch', context);
      expect(await check(tx, intent, { ...asked[name], ...change })).toMatchObject({ codes: [] });
    }
    const { tx, intent } = await traded(name, await quoted(name));
    const ofOther = check(tx, intent, { ...asked[name], mint: community.mint });
    await expectRefusal(ofOther, 'quote-mismatch', { field: 'quoteResponse.mint' });
  });

  test.each(PRO)('%s: another pool is rejected with the request', async (name) => {
    const { details: _, ...quote } = await quoted(name);
    const { tx, intent } = await traded(name, quote);
    const inOther = check(tx, intent, { ...asked[name], pool: otherPool });
    await expectRefusal(inOther, 'quote-mismatch', { field: 'pool', asked: otherPool, found: pro.pool });
  });

  test('the pool of a pro trade may be named by an object that has its address, on both sides', async () => {
    const pool = { address: pro.pool };
    const input = { payer, pool, quoteResponse: await localClient.quoteProBuy(asked.quoteProBuy) };
    const { tx } = await localClient.buildProBuy(input);
    const request = { ...asked.quoteProBuy, pool };
    expect((await check(tx, { function: 'buildProBuy', input }, request)).codes).toEqual([]);
  });

  test("what was asked for takes away no other of the builder's warnings", async () => {
    const quoteResponse = await localClient.quoteBuy(asked.quoteBuy);
    const input = { payer, quoteResponse, computeUnitPrice: 10n ** 12n };
    const { tx } = await localClient.buildBuy(input);
    for (const request of [undefined, asked.quoteBuy]) {
      const { codes } = await check(tx, { function: 'buildBuy', input }, request);
      expect(codes).toEqual(['high-priority-fee']);
    }
  });

  test.each(QUOTES)('%s: whatever slippage the quote states, a poor minimum warns', async (name) => {
    // Without a request, a tenth of slippage and a tenth for a moved price: 81 % of what it gives.
    for (const [slippageBps, codes] of [
      [1_500, []],
      [1_899, []],
      [1_902, ['minimum-too-low']],
      [3_000, ['minimum-too-low']],
    ] as const) {
      const { tx, intent, warnings } = await traded(name, await quoted(name, { slippageBps }));
      expect(warnings).toEqual(codes);
      expect((await check(tx, intent)).codes).toEqual(codes);
      // Who asked for it knows.
      expect((await check(tx, intent, { ...asked[name], slippageBps })).codes).toEqual([]);
    }
  });

  test('compares the minimum with the requested slippage', async () => {
    // The quote is one of a price that was a fifth worse: consistent, and for the right question.
    const { tx, intent } = await traded('quoteBuy', await quoteWithMinimum(80n));
    const field = { field: 'quoteResponse.minimumOut', ...BOTH_VALUES };
    await expectRefusal(check(tx, intent, asked.quoteBuy), 'quote-mismatch', field);
    expect((await check(tx, intent)).codes).toEqual(['minimum-too-low']);
    expect((await check(tx, intent, asked.quoteBuy, 2_001)).codes).toEqual([]);
    await expectRefusal(check(tx, intent, asked.quoteBuy, 1_999), 'quote-mismatch', field);
    for (const [request, driftBps] of [
      [undefined, 1_000],
      [asked.quoteBuy, 10_001],
    ] as const)
      await expectRefusal(check(tx, intent, request, driftBps), 'invalid-input', { field: 'driftBps' });
    // By default a tenth; and nothing at all is what a slippage of all asks for.
    const near = await traded('quoteBuy', await quoteWithMinimum(91n));
    expect((await check(near.tx, near.intent, asked.quoteBuy)).codes).toEqual([]);
    const none = await traded('quoteBuy', await quoteWithMinimum(0n));
    await expectRefusal(check(none.tx, none.intent, asked.quoteBuy), 'quote-mismatch', field);
    const request = { ...asked.quoteBuy, slippageBps: 10_000 };
    const all = await traded('quoteBuy', await quoted('quoteBuy', request));
    expect((await check(all.tx, all.intent, request)).codes).toEqual(['minimum-too-low']);
    // 12 % under: within what is not asked about, and over what 0.5 % protects.
    const closer = await traded('quoteBuy', await quoteWithMinimum(88n, { slippageBps: 1_200 }));
    expect(closer.warnings).toEqual([]);
    await expectRefusal(check(closer.tx, closer.intent, asked.quoteBuy), 'quote-mismatch');
  });

  test('with decimals that the token does not have', async () => {
    // Consistent for a token of 10 decimals: ten times as much would be sold.
    const honest = await localClient.quoteSell(asked.quoteSell);
    const { tx } = await traded('quoteSell', honest);
    const intent = intentOf('quoteSell', { ...honest, amountIn: honest.amountIn * 10n });
    const field = 'quoteResponse.amountInUi';
    await expectRefusal(check(tx, intent, asked.quoteSell), 'quote-mismatch', { field });
  });

  test.each([{ rent_payer: null }, { wrap_sol: null }])('a service that ignores %o', async (ignored) => {
    const quoteResponse = await localClient.quoteSell(asked.quoteSell);
    const feePayer = pro.creator;
    const input = { payer, quoteResponse, feePayer, rentPayer: 'feePayer', wrapSol: 'none' } as const;
    const intent = { function: 'buildSell', input } as const;
    await check((await honest.buildSell(input)).tx, intent);
    const { tx } = await asking(paths.buildSell, ignored).buildSell(input);
    await expectRefusal(check(tx, intent), 'transaction-mismatch');
  });

  test('a launch', async () => {
    const request = { configVersion: 1, initialPurchasePercent: 1, slippage: '0.01' };
    const { tokenAmount, costLamports } = await localClient.quoteInitialBuy(request);
    const launched = async (lamports: bigint) => {
      const spend = { initialPurchaseAmount: tokenAmount, maxSolSpend: toUiAmount(lamports, 9) };
      const input = { ...launch, ...spend, mintSigner, feeWarningBps: 10_000 };
      const { tx, pool } = await localClient.buildCreateStandardLiquidityPool(input);
      return { tx, pool, intent: { function: 'buildCreateStandardLiquidityPool', input } as const };
    };
    const { tx, pool, intent } = await launched(costLamports);
    const mint = mintSigner.address;
    const matched = { mint, pool, maxLamportSpend: costLamports, initialPurchaseAmount: tokenAmount };
    for (const asking of [undefined, request])
      expect(await check(tx, intent, asking)).toEqual({ codes: [], matched });
    const twoPercent = check(tx, intent, { ...request, initialPurchasePercent: 2 });
    const twice = { field: 'initialPurchaseAmount', asked: 2n * tokenAmount, found: tokenAmount };
    await expectRefusal(twoPercent, 'quote-mismatch', twice);
    const elsewhere = check(tx, intent, { ...request, configVersion: 2 });
    await expectRefusal(elsewhere, 'quote-mismatch', { field: 'configVersion', asked: 2, found: 1 });
    // A tenth more may be the price's doing.
    const most = costLamports + costLamports / 10n;
    for (const [lamports, codes] of [
      [most, []],
      [most + 1n, ['spend-too-high']],
    ] as const) {
      const greedy = await launched(lamports);
      expect((await check(greedy.tx, greedy.intent)).codes).toEqual([]);
      expect((await check(greedy.tx, greedy.intent, request)).codes).toEqual(codes);
    }
  });

  test('rejects a request where none belongs, and an invalid one', async () => {
    const { tx, intent } = await traded('quoteBuy', await quoted('quoteBuy'));
    const claim = { function: 'buildProClaimLpFees', input: { pool: pro.pool, payer: pro.creator } } as const;
    for (const [wrong, request, field] of [
      [intent, 'x', 'intent.request'],
      [claim, asked.quoteBuy, 'intent.request'],
      [intentOf('quoteBuy', undefined), asked.quoteBuy, 'quoteResponse'],
    ] as const)
      await expectRefusal(check(tx, wrong, request), 'invalid-input', { field });
  });
});

test('an error whose details fill the largest answer is reported at once', async () => {
  const field = '_'.repeat(900_000);
  for (const details of [{ field }, { [field]: 1 }]) {
    const body = JSON.stringify({ error: { code: 'invalid-amount', message: 'm', details } });
    await errorOver(() => new Response(body, { status: 400 }));
  }
});
