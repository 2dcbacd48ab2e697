import { type Address, generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHandler, createRemoteClient, type RemoteClient } from '../../src/http/index.js';
import {
  assertTransactionMatches,
  type BuyQuote,
  buildBuy,
  buildCreateStandardLiquidityPool,
  buildProBuy,
  buildProSell,
  buildSell,
  createHeavenClient,
  explainError,
  type QuoteInitialBuyInput,
  quoteBuy,
  quoteInitialBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  type SellQuote,
  type TransactionIntent,
  toUiAmount,
} from '../../src/index.js';
import { paths } from '../../src/operations.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { inputOf } from '../http/engines.js';
import { workingRequests } from '../http/working-requests.js';
import { type Draft, putTogether, tableOf, takeApart } from '../review/support.js';
import { expectRefusal, refusalOf } from '../support/errors.js';
import { launchOf } from '../support/ledger.js';

// A service whose answers are consistent in themselves, and answer another question than was asked.

const ledger = await createEmbeddedLedger();
const client = createHeavenClient({ rpc: ledger.rpc });
const mintSigner = await generateKeyPairSigner();
const handler = createHandler({ client, mintSigner: async () => mintSigner, observe: () => {} });
const working = await workingRequests(ledger);
const { creator, community, pro } = ledger.pools;
const payer = creator.creator;

/** A second pro pool of the same token and config, whose tokens are worth a tenth. */
const otherPool = (await generateKeyPairSigner()).address;
{
  const account = ledger.getAccount(pro.pool);
  if (account === undefined) throw new Error('The ledger has no pro pool.');
  ledger.setAccount(otherPool, account);
  ledger.updatePool(otherPool, ({ reserve }) => ({
    key: otherPool,
    reserve: { ...reserve, tokenB: reserve.tokenB / 10n },
  }));
}

type Fields = Readonly<Record<string, unknown>>;
/** Changes the honest answer's JSON text, in which amounts have all their digits. */
type Change = (text: string) => string;

type Respond = (honest: string, status: number, init?: RequestInit) => Response | Promise<Response>;

/** A client of a service that answers whatever is made of the honest answer's text. */
const answered = (respond: Respond): RemoteClient =>
  createRemoteClient({
    baseUrl: 'https://heaven.example/0123456789abcdef',
    retries: 0,
    fetch: async (url, init) => {
      expect(init?.redirect).toBe('manual');
      const honest = await handler(new Request(String(url).replace('/0123456789abcdef', ''), init));
      return await respond(await honest.text(), honest.status, init);
    },
  });

const post = (path: string, body: string) =>
  handler(
    new Request(`https://heaven.example${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  );

/** A client of a service that changes what it answers. */
const hostile = (change: Change): RemoteClient =>
  answered((honest, status) => new Response(change(honest), { status }));

/** A client of a service that answers another question, honestly. */
const asking = (path: string, change: Fields): RemoteClient =>
  answered((_honest, _status, init) =>
    post(path, JSON.stringify({ ...(JSON.parse(String(init?.body)) as Fields), ...change })),
  );

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
const local = {
  quoteBuy: (input: Fields) => quoteBuy(client, { ...asked.quoteBuy, ...input }),
  quoteSell: (input: Fields) => quoteSell(client, { ...asked.quoteSell, ...input }),
  quoteProBuy: (input: Fields) => quoteProBuy(client, { ...asked.quoteProBuy, ...input }),
  quoteProSell: (input: Fields) => quoteProSell(client, { ...asked.quoteProSell, ...input }),
} as const;
type QuoteName = keyof typeof asked;
const QUOTES = Object.keys(asked) as QuoteName[];
const BUYS: readonly QuoteName[] = ['quoteBuy', 'quoteProBuy'];
const SELLS: readonly QuoteName[] = ['quoteSell', 'quoteProSell'];
const STANDARD: readonly QuoteName[] = ['quoteBuy', 'quoteSell'];
const PRO: readonly QuoteName[] = ['quoteProBuy', 'quoteProSell'];
const ask = (heaven: RemoteClient, name: QuoteName) =>
  (heaven[name] as (input: unknown) => Promise<BuyQuote | SellQuote>)(asked[name]);

const honest = hostile((answer) => answer);
/** The error of the call for a quote whose answer is this. */
const errorOver = (respond: Respond) => refusalOf(ask(answered(respond), 'quoteBuy'));

/** A service's warnings, as the remote client marks them. */
const fromService = (warnings: readonly object[]) =>
  warnings.map((warning) => ({ ...warning, source: 'service' }));

describe('a quote is checked against its request', () => {
  test.each(QUOTES)(
    '%s: an honest answer passes and names its pool, with or without its details',
    async (name) => {
      const { details, ...documented } = await local[name]({});
      const { pool } = details;
      expect(pool).toBe(name.includes('Pro') ? pro.pool : creator.pool);
      const passedOn = { ...details, warnings: fromService(details.warnings) };
      expect(await ask(honest, name)).toStrictEqual({ ...documented, details: passedOn });
      const bare = hostile((answer) => answer.replace(/,"details":\{.*\}(?=\}$)/s, ''));
      // Nothing else says which pro pool it is for; a standard pool follows from the token.
      expect(await ask(bare, name)).toStrictEqual(
        name.includes('Pro') ? { ...documented, details: { pool } } : documented,
      );
    },
  );

  /** The honest answer to another request. */
  const another = (asked: Fields) => (name: QuoteName) => asking(paths[name], asked);
  /** The honest answer with other fields. */
  const written = (fields: Readonly<Record<string, string>>) => () => hostile(writing(fields));
  type Lie = readonly [
    what: string,
    names: readonly QuoteName[],
    make: (name: QuoteName) => RemoteClient,
    field: string,
  ];
  const LIES: readonly Lie[] = [
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
    ['another amount in its details', QUOTES, written({ amount_out: '5' }), 'details.amountOut'],
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
    const error = await refusalOf(ask(make(name), name));
    expect(error).toMatchObject({
      code: 'quote-mismatch',
      context: { field, asked: expect.anything(), found: expect.anything() },
    });
  });

  test('an amount is compared through its digits', async () => {
    // 0.3 of a float sum is another number of lamports than 0.3.
    const input = { ...asked.quoteBuy, maxSolSpend: '0.300000001' };
    expect((await honest.quoteBuy(input)).maxLamportSpend).toBe(300_000_001n);
    const error = await refusalOf(
      hostile(writing({ max_lamport_spend: '300000000', max_sol_spend: '0.3' })).quoteBuy(input),
    );
    expect(error.context).toEqual({ field: 'maxLamportSpend', asked: 300_000_001n, found: 300_000_000n });
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
      const bytes = new TextEncoder().encode(honest);
      return new Response(
        new ReadableStream({
          pull: (controller) => {
            controller.enqueue(bytes);
            if (end) controller.close();
          },
        }),
      );
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
      [
        'words for display',
        of(writing({ max_sol_spend: '"1.5 SOL"' })),
        of(writing({ max_sol_spend: '"1.5"' })),
      ],
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
    const { details: _details, ...documented } = await local.quoteBuy({});
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

  test.each([
    [
      'a reason that names the URL',
      'error sending request for url (https://heaven.example/0123456789abcdef)',
    ],
    ['a reason of 900,000 characters', 'x'.repeat(900_000)],
  ])('%s, of a connection that fails', async (_, reason) => {
    const error = await errorOver(() => Promise.reject(new TypeError(reason)));
    expect(error.code).toBe('service-failed');
    expect(error.message).not.toMatch(SECRET);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each(['pool', 'mint', 'minimum_out'])(
    'a %s of hidden characters, a URL and 900,000 more',
    async (field) => {
      const value = text(`\u202ehttps://evil.example/0123456789abcdef${'x'.repeat(900_000)}`);
      const error = await refusalOf(ask(hostile(writing({ [field]: value })), 'quoteBuy'));
      expect(error.code).toBe('service-failed');
      expect(error.message).not.toMatch(SECRET);
      expect(error.message.length).toBeLessThan(600);
    },
  );
});

describe('what a service says of a transaction', () => {
  const HONEST = { code: 'price-impact', message: 'Trade less at once.' };
  /** Worth a fifth less than what it gives, and with a priority fee of 300 * 200,000 / 10^9 = 0.06 SOL. */
  const input = async () => {
    const quote = await local.quoteBuy({});
    const minimumOut = (quote.minimumOut * 8n) / 10n;
    const quoteResponse = { ...quote, minimumOut, minimumOutUi: Number(minimumOut) / 1e9 };
    return { payer, quoteResponse, computeUnitPrice: 300_000_000n };
  };
  const build = async (heaven: RemoteClient) => await heaven.buildBuy(await input());
  const saying = (details: Fields) =>
    answered((honest) => {
      const answer = JSON.parse(honest) as { readonly details: Fields };
      return new Response(JSON.stringify({ ...answer, details: { ...answer.details, ...details } }));
    });

  test('is passed on, and marked as its own', async () => {
    const { tx, warnings, size, requiredSigners, lifetime } = await buildBuy(client, await input());
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['minimum-too-low', 'high-priority-fee']),
    );
    const { lastValidBlockHeight } = lifetime;
    expect(await build(honest)).toStrictEqual({
      ...{ tx, warnings: fromService(warnings) },
      details: { size, requiredSigners, lastValidBlockHeight },
    });
    expect((await build(saying({ warnings: [HONEST, { ...HONEST, x: 1 }] }))).warnings).toStrictEqual(
      fromService([HONEST, HONEST]),
    );
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
    const error = await refusalOf(build(saying(details)));
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/tx/buy' } });
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('an initial buy is checked against its request', () => {
  const input: QuoteInitialBuyInput = { configVersion: 1, initialPurchasePercent: '1.5', slippage: '0.005' };

  test.each<[string, Record<string, string>, string, { initialPurchasePercent: number }?]>([
    ['a cost shown as another', { cost_sol: '0.1' }, 'costSol'],
    ['tokens shown as others', { token_amount_ui: '123' }, 'tokenAmountUi'],
    // 1.5 % of 2^64 - 1 is 276,701,161,105,643,274.
    [
      'more tokens than there can be',
      { token_amount: '276701161105643275', token_amount_ui: '276701161.105643275' },
      'tokenAmount',
    ],
    ['no tokens', { token_amount: '0', token_amount_ui: '0' }, 'tokenAmount'],
    [
      'a cost for nothing',
      { cost_lamports: '1', cost_sol: '1e-9' },
      'costLamports',
      { initialPurchasePercent: 0 },
    ],
  ])('%s', async (_, fields, field, change) => {
    const error = await refusalOf(hostile(writing(fields)).quoteInitialBuy({ ...input, ...change }));
    expect(error).toMatchObject({ code: 'quote-mismatch', context: { field } });
    expect(await honest.quoteInitialBuy(input)).toStrictEqual(await quoteInitialBuy(client, input));
  });
});

describe('other answers are checked against their requests', () => {
  type Ask = (heaven: RemoteClient) => Promise<unknown>;
  const poolOfToken: Ask = (heaven) => heaven.getPoolState({ mint: creator.mint });
  const proPool: Ask = (heaven) => heaven.getPoolState({ pool: pro.pool });
  const config: Ask = (heaven) => heaven.getProtocolConfigState({ version: 2 });
  const liquidity: Ask = (heaven) => heaven.getLpBalance({ pool: pro.pool, user: pro.creator });
  const position = { user: community.creator };
  test.each<[string, Ask, path: string, asked: Fields, field: string]>([
    ['the pool of another token', poolOfToken, paths.getPoolState, { mint: community.mint }, 'token_a.mint'],
    ['another pool', proPool, paths.getPoolState, { pool: otherPool }, 'key'],
    ['another config', config, paths.getProtocolConfigState, { version: 1 }, 'version'],
    ['another wallet’s liquidity', liquidity, paths.getLpBalance, position, 'lp_position_address'],
  ])('%s', async (_, call, path, change, field) => {
    await call(honest);
    const error = await refusalOf(call(asking(path, change)));
    expect(error).toMatchObject({ code: 'service-failed', context: { status: 200 } });
    expect(error.message).toContain(field);
  });

  test('a launch names the mint that its transaction makes', async () => {
    const { mint } = await honest.buildCreateStandardLiquidityPool(launch);
    expect(mint).toBe(mintSigner.address);
    for (const change of [
      writing({ mint: text(creator.mint) }),
      writing({ tx: text('AAAA') }),
      // A length that never ends.
      writing({ tx: text('gICA'.repeat(50_000)) }),
    ]) {
      const error = await refusalOf(hostile(change).buildCreateStandardLiquidityPool(launch));
      expect(error).toMatchObject({ code: 'service-failed', context: { status: 200 } });
    }
    const { tx } = await buildBuy(client, { payer, quoteResponse: await local.quoteBuy({}) });
    const error = await refusalOf(
      hostile(writing({ tx: text(tx) })).buildCreateStandardLiquidityPool(launch),
    );
    expect(error.message).toContain('creates no pool');
  });

  test('a creation names the pool that its transaction makes', async () => {
    const create = inputOf('buildProCreate', working[paths.buildProCreate]!.required) as never;
    const { pool } = await honest.buildProCreate(create);
    const error = await refusalOf(hostile(writing({ pool: text(pro.pool) })).buildProCreate(create));
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/tx/pro/create' } });
    expect(error.message).toContain(pool);
  });
});

const launch = launchOf(payer, ledger);

describe('a transaction is of the version that was asked for, and creates one pool', () => {
  /** Answers with what is made of the honest transaction. */
  const rewriting = (change: (draft: Draft) => void): RemoteClient =>
    answered(async (honest) => {
      const answer = JSON.parse(honest) as { readonly tx: string };
      const tables = tableOf(ledger, ledger.lookupTables.community);
      const draft = takeApart(answer.tx, tables);
      change(draft);
      const signers = 'mint' in answer ? [mintSigner] : [];
      return new Response(
        JSON.stringify({ ...answer, details: null, tx: await putTogether(draft, signers) }),
      );
    });
  const twice = ({ instructions }: Draft) => void instructions.push(structuredClone(instructions.at(-1)!));

  test('a buy as a legacy transaction', async () => {
    const quoteResponse = await local.quoteBuy({});
    const buy = (heaven: RemoteClient) => heaven.buildBuy({ payer, quoteResponse });
    expect(await buy(rewriting(() => {}))).toEqual({ tx: expect.any(String) });
    const legacy = rewriting((draft) => {
      draft.version = 'legacy';
    });
    const error = await refusalOf(buy(legacy));
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/tx/buy' } });
    expect(error.message).toContain('not a transaction of version 0');
  });

  test('a launch that creates two pools', async () => {
    const launching = (heaven: RemoteClient) => heaven.buildCreateStandardLiquidityPool(launch);
    expect((await launching(rewriting(() => {}))).mint).toBe(mintSigner.address);
    const error = await refusalOf(launching(rewriting(twice)));
    expect(error.code).toBe('service-failed');
    expect(error.message).toContain('more than one pool');
  });
});

describe('a quote is for one pool', () => {
  const inOther = { encodedUserDefinedEventData: '', payer, pool: otherPool };

  test('the builders reject it in another pool', async () => {
    const mismatch = {
      code: 'quote-mismatch',
      context: { field: 'quoteResponse.details.pool', asked: otherPool, found: pro.pool },
    };
    const buy = { ...inOther, quoteResponse: await local.quoteProBuy({}) };
    const sell = { ...inOther, quoteResponse: await local.quoteProSell({}) };
    for (const building of [
      () => buildProBuy(client, buy),
      () => buildProSell(client, sell),
      () => honest.buildProBuy(buy),
      () => honest.buildProSell(sell),
    ])
      expect(await refusalOf(building())).toMatchObject(mismatch);
    // Honest twins, which name the right pool or none.
    const { details: _, ...documented } = buy.quoteResponse;
    for (const quoteResponse of [await local.quoteProBuy({ pool: otherPool }), documented])
      await buildProBuy(client, { ...inOther, quoteResponse });
  });

  test('standard ones, too', async () => {
    const quoteResponse = { ...(await local.quoteBuy({})), details: { pool: community.pool } };
    expect(await refusalOf(buildBuy(client, { payer, quoteResponse }))).toMatchObject({
      code: 'quote-mismatch',
      context: { asked: creator.pool, found: community.pool },
    });
    const sell = { ...(await local.quoteSell({})), details: { pool: 'x' as Address } };
    expect(await refusalOf(buildSell(client, { payer, quoteResponse: sell }))).toMatchObject({
      code: 'invalid-address',
      context: { field: 'quoteResponse.details.pool' },
    });
  });
});

describe('assertTransactionMatches', () => {
  const builds = {
    quoteBuy: ['buildBuy', {}],
    quoteSell: ['buildSell', {}],
    quoteProBuy: ['buildProBuy', { pool: pro.pool }],
    quoteProSell: ['buildProSell', { pool: pro.pool }],
  } as const;
  const builders = { buildBuy, buildSell, buildProBuy, buildProSell };
  type TradeIntent = Extract<TransactionIntent, { readonly function: keyof typeof builders }>;
  const intentOf = (name: QuoteName, quoteResponse: unknown) => {
    const [builder, more] = builds[name];
    return { function: builder, input: { payer, ...more, quoteResponse } } as TradeIntent;
  };

  /** A quote that the service chose, and the transaction that matches it. */
  async function traded(name: QuoteName, quote: BuyQuote | SellQuote) {
    const intent = intentOf(name, quote);
    const { tx, warnings } = await builders[intent.function](client, intent.input as never);
    return { tx, intent, warnings: warnings.map(({ code }) => code) };
  }
  const check = async (tx: string, intent: TransactionIntent, request?: unknown) => {
    const { warnings, ...matched } = await assertTransactionMatches(
      tx,
      { ...intent, ...(request === undefined ? {} : { request }) } as TransactionIntent,
      { client },
    );
    return { codes: warnings.map(({ code }) => code), matched };
  };

  test.each(QUOTES)('%s: an honest quote passes, and the result says what it does', async (name) => {
    const quote = await local[name]({});
    const { tx, intent } = await traded(name, quote);
    const isPro = name.includes('Pro');
    const isBuy = BUYS.includes(name);
    const matched = {
      side: isBuy ? 'buy' : 'sell',
      mint: isPro ? pro.mint : creator.mint,
      pool: isPro ? pro.pool : creator.pool,
      amountIn: isBuy ? 1_500_000_000n : isPro ? 1_000_500_000n : 1_000_500_000_000n,
      minimumOut: quote.minimumOut,
    };
    for (const request of [undefined, asked[name]])
      expect(await check(tx, intent, request)).toEqual({ codes: [], matched });
  });

  test.each(QUOTES)('%s: rejects another amount, slippage or token than requested', async (name) => {
    const amount = BUYS.includes(name) ? { maxSolSpend: '3' } : { amountInUi: '2000' };
    const field = BUYS.includes(name) ? 'maxLamportSpend' : 'amountInUi';
    for (const [change, differs] of [
      [amount, field],
      [{ slippageBps: 60 }, 'slippageBps'],
    ] as const) {
      const { tx, intent } = await traded(name, await local[name](change));
      await check(tx, intent);
      const error = await refusalOf(check(tx, intent, asked[name]));
      expect(error).toMatchObject({
        code: 'quote-mismatch',
        context: { field: `quoteResponse.${differs}`, asked: expect.anything(), found: expect.anything() },
      });
      expect(await check(tx, intent, { ...asked[name], ...change })).toMatchObject({ codes: [] });
    }
    const { tx, intent } = await traded(name, await local[name]({}));
    const error = await refusalOf(check(tx, intent, { ...asked[name], mint: community.mint }));
    expect(error).toMatchObject({ code: 'quote-mismatch', context: { field: 'quoteResponse.mint' } });
  });

  test.each(['quoteProBuy', 'quoteProSell'] as const)(
    '%s: another pool is rejected with the request',
    async (name) => {
      const { details: _, ...quote } = await local[name]({});
      const { tx, intent } = await traded(name, quote as BuyQuote & SellQuote);
      const error = await refusalOf(check(tx, intent, { ...asked[name], pool: otherPool }));
      expect(error).toMatchObject({
        code: 'quote-mismatch',
        context: { field: 'pool', asked: otherPool, found: pro.pool },
      });
    },
  );

  test('the pool of a pro trade may be named by an object that has its address, on both sides', async () => {
    const quote = (await local.quoteProBuy({})) as BuyQuote;
    const pool = { address: pro.pool };
    const input = { payer, pool, quoteResponse: quote };
    const { tx } = await buildProBuy(client, input);
    const request = { ...asked.quoteProBuy, pool };
    expect((await check(tx, { function: 'buildProBuy', input }, request)).codes).toEqual([]);
  });

  test("what was asked for takes away no other of the builder's warnings", async () => {
    const quoteResponse = (await local.quoteBuy({})) as BuyQuote;
    const input = { payer, quoteResponse, computeUnitPrice: 10n ** 12n };
    const { tx } = await buildBuy(client, input);
    for (const request of [undefined, asked.quoteBuy])
      expect((await check(tx, { function: 'buildBuy', input }, request)).codes).toEqual([
        'high-priority-fee',
      ]);
  });

  test.each(QUOTES)('%s: whatever slippage the quote states, a poor minimum warns', async (name) => {
    // Without a request, a tenth of slippage and a tenth for a moved price: 81 % of what it gives.
    for (const [slippageBps, codes] of [
      [1_500, []],
      [1_899, []],
      [1_902, ['minimum-too-low']],
      [3_000, ['minimum-too-low']],
    ] as const) {
      const { tx, intent, warnings } = await traded(name, await local[name]({ slippageBps }));
      expect(warnings).toEqual(codes);
      expect((await check(tx, intent)).codes).toEqual(codes);
      // Who asked for it knows.
      expect((await check(tx, intent, { ...asked[name], slippageBps })).codes).toEqual([]);
    }
  });

  test('compares the minimum with the requested slippage', async () => {
    // The quote is one of a price that was a fifth worse: consistent, and for the right question.
    const honest = await local.quoteBuy({});
    const minimumOut = (honest.minimumOut * 8n) / 10n;
    const quote = { ...honest, minimumOut, minimumOutUi: Number(minimumOut) / 1e9 };
    const { tx, intent } = await traded('quoteBuy', quote);
    expect((await check(tx, intent, asked.quoteBuy)).codes).toEqual(['minimum-too-low']);
    expect((await check(tx, intent)).codes).toEqual(['minimum-too-low']);
    // 12 % under: within what is not asked about, and over what 0.5 % protects.
    const closer = (honest.minimumOut * 88n) / 100n;
    const other = await traded('quoteBuy', {
      ...honest,
      slippageBps: 1_200,
      minimumOut: closer,
      minimumOutUi: Number(closer) / 1e9,
    });
    expect(other.warnings).toEqual([]);
    expect((await refusalOf(check(other.tx, other.intent, asked.quoteBuy))).code).toBe('quote-mismatch');
  });

  test('with decimals that the token does not have', async () => {
    // Consistent for a token of 10 decimals: ten times as much would be sold.
    const honest = await local.quoteSell({});
    const quote = { ...honest, amountIn: honest.amountIn * 10n };
    const { tx } = await traded('quoteSell', honest);
    expect(await refusalOf(check(tx, intentOf('quoteSell', quote), asked.quoteSell))).toMatchObject({
      code: 'quote-mismatch',
      context: { field: 'quoteResponse.amountInUi' },
    });
  });

  test('a launch', async () => {
    const request = { configVersion: 1, initialPurchasePercent: 1, slippage: '0.01' };
    const { tokenAmount, costLamports } = await quoteInitialBuy(client, request);
    const launched = async (initialPurchaseAmount: bigint, maxSolSpend: string) => {
      const input = { ...launch, initialPurchaseAmount, maxSolSpend, mintSigner };
      const built = await buildCreateStandardLiquidityPool(client, input);
      return { built, intent: { function: 'buildCreateStandardLiquidityPool', input } as const };
    };
    const { built, intent } = await launched(tokenAmount, toUiAmount(costLamports, 9));
    const matched = {
      mint: mintSigner.address,
      pool: built.pool,
      maxLamportSpend: costLamports,
      initialPurchaseAmount: tokenAmount,
    };
    for (const asking of [undefined, request])
      expect(await check(built.tx, intent, asking)).toEqual({ codes: [], matched });
    const error = await refusalOf(check(built.tx, intent, { ...request, initialPurchasePercent: 2 }));
    expect(error).toMatchObject({
      code: 'quote-mismatch',
      context: { field: 'initialPurchaseAmount', asked: 2n * tokenAmount, found: tokenAmount },
    });
    const elsewhere = await refusalOf(check(built.tx, intent, { ...request, configVersion: 2 }));
    expect(elsewhere).toMatchObject({
      code: 'quote-mismatch',
      context: { field: 'configVersion', asked: 2, found: 1 },
    });
    // A tenth more may be the price's doing.
    const most = costLamports + costLamports / 10n;
    for (const [lamports, codes] of [
      [most, []],
      [most + 1n, ['spend-too-high']],
    ] as const) {
      const greedy = await launched(tokenAmount, toUiAmount(lamports, 9));
      expect((await check(greedy.built.tx, greedy.intent)).codes).toEqual([]);
      expect((await check(greedy.built.tx, greedy.intent, request)).codes).toEqual(codes);
    }
  });

  test('rejects a request where none belongs, and an invalid one', async () => {
    const { tx, intent } = await traded('quoteBuy', await local.quoteBuy({}));
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
