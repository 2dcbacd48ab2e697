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
} from '../../src/index.js';
import { findAssociatedTokenAddress, SYSTEM_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { partsOf } from '../review/signed-support.js';
import { putTogether, tableOf, takeApart } from '../review/support.js';
import { refusalOf } from '../support/errors.js';

// A service whose answers are consistent in themselves, and answer another question than was asked.

const ledger = await createEmbeddedLedger();
const client = createHeavenClient({ rpc: ledger.rpc });
const mintSigner = await generateKeyPairSigner();
const handler = createHandler({ client, mintSigner: async () => mintSigner, observe: () => {} });
const { creator, community, pro } = ledger.pools;
const payer = creator.creator;
const event = { encodedUserDefinedEventData: '' };

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

const answering =
  (path: string, request: Fields): Change =>
  () =>
    JSON.stringify({ path, request });

/** A client of a service that answers whatever is made of the honest answer's text. */
const answered = (respond: (honest: string) => Response | Promise<Response>): RemoteClient =>
  createRemoteClient({
    baseUrl: 'https://heaven.example/0123456789abcdef',
    retries: 0,
    fetch: async (url, init) => {
      expect(init?.redirect).toBe('manual');
      const { pathname, search } = new URL(String(url));
      const request = new Request(
        `https://heaven.example${pathname.replace(/^\/\w{16}/, '')}${search}`,
        init,
      );
      return await respond(await (await handler(request)).text());
    },
  });

/** A client of a service that asks itself something else, or changes what it answers. */
function hostile(change: Change): RemoteClient {
  return createRemoteClient({
    baseUrl: 'https://heaven.example',
    retries: 0,
    fetch: async (url, init) => {
      const honest = await handler(new Request(url, init));
      const changed = change(await honest.text());
      const other = changed.startsWith('{"path"') ? (JSON.parse(changed) as Fields) : undefined;
      if (other === undefined) return new Response(changed, { status: honest.status });
      const { path, request } = other as { readonly path: string; readonly request: Fields };
      const asked = { ...(JSON.parse(String(init?.body)) as Fields), ...request };
      return await handler(
        new Request(`https://heaven.example${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(asked),
        }),
      );
    },
  });
}

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
const PATHS = {
  quoteBuy: '/quote/buy',
  quoteSell: '/quote/sell',
  quoteProBuy: '/quote/pro/buy',
  quoteProSell: '/quote/pro/sell',
} as const;

const ask = (heaven: RemoteClient, name: QuoteName) =>
  (heaven[name] as (input: unknown) => Promise<BuyQuote | SellQuote>)(asked[name]);

describe('a quote is checked against its request', () => {
  const honest: Change = (answer) => answer;

  test.each(QUOTES)('%s: an honest answer passes, and names its pool', async (name) => {
    const { details, ...documented } = await local[name]({});
    expect(await ask(hostile(honest), name)).toStrictEqual({
      ...documented,
      details: { pool: details.pool },
    });
    expect(details.pool).toBe(name.includes('Pro') ? pro.pool : creator.pool);
  });

  test.each(QUOTES)('%s: an answer with only the documented fields passes', async (name) => {
    const bare = hostile((answer) => answer.replace(/,"details":\{.*\}(?=\}$)/s, ''));
    const { details, ...documented } = await ask(hostile(honest), name);
    // Nothing else says which pro pool it is for; a standard pool follows from the token.
    expect(await ask(bare, name)).toStrictEqual(
      name.includes('Pro') ? { ...documented, details } : documented,
    );
  });

  /** What is asked in place of the request, field by field: the answer is the honest one to that. */
  const elsewhere: readonly (readonly [
    what: string,
    names: readonly QuoteName[],
    change: Change,
    field: string,
  ])[] = [
    ['more SOL', ['quoteBuy'], answering(PATHS.quoteBuy, { max_sol_spend: 500 }), 'maxLamportSpend'],
    ['more SOL', ['quoteProBuy'], answering(PATHS.quoteProBuy, { max_sol_spend: 500 }), 'maxLamportSpend'],
    [
      'a lamport more',
      ['quoteBuy'],
      answering(PATHS.quoteBuy, { max_sol_spend: 1.500000001 }),
      'maxLamportSpend',
    ],
    ['more tokens', ['quoteSell'], answering(PATHS.quoteSell, { amount_in_ui: 500_000 }), 'amountInUi'],
    ['more tokens', ['quoteProSell'], answering(PATHS.quoteProSell, { amount_in_ui: 5_000 }), 'amountInUi'],
    ...QUOTES.map(
      (name) =>
        ['all slippage', [name], answering(PATHS[name], { slippage_bps: 10_000 }), 'slippageBps'] as const,
    ),
    ...QUOTES.map(
      (name) => ['no slippage', [name], answering(PATHS[name], { slippage_bps: 0 }), 'slippageBps'] as const,
    ),
    ...(['quoteBuy', 'quoteSell'] as const).map(
      (name) =>
        ['another token of the same config', [name], writing({ mint: text(pro.mint) }), 'mint'] as const,
    ),
    ...(['quoteBuy', 'quoteSell'] as const).map(
      (name) =>
        [
          'another token',
          [name],
          answering(PATHS[name], { mint: community.mint, config_version: 1 }),
          'configVersion',
        ] as const,
    ),
    ...(['quoteProBuy', 'quoteProSell'] as const).map(
      (name) =>
        ['another pool', [name], answering(PATHS[name], { pool: otherPool }), 'details.pool'] as const,
    ),
  ];
  test.each(elsewhere.map(([what, names, change, field]) => [what, names.join(), change, field] as const))(
    'another question: %s, %s',
    async (_, name, change, field) => {
      const error = await refusalOf(ask(hostile(change), name as QuoteName));
      expect(error).toMatchObject({
        code: 'quote-mismatch',
        context: { field, asked: expect.anything(), found: expect.anything() },
      });
    },
  );

  const written: readonly (readonly [
    names: readonly QuoteName[],
    fields: Record<string, string>,
    field: string,
  ])[] = [
    [QUOTES, { program_id: text(SYSTEM_PROGRAM_ADDRESS) }, 'programId'],
    [QUOTES, { config_version: '1' }, 'configVersion'],
    [QUOTES, { mint: text(community.mint) }, 'mint'],
    [QUOTES, { slippage_bps: '51' }, 'slippageBps'],
    [QUOTES, { pool: text(community.pool) }, 'details.pool'],
    [QUOTES, { minimum_out_ui: '1' }, 'minimumOutUi'],
    [QUOTES, { minimum_out: '0' }, 'minimumOutUi'],
    [BUYS, { max_lamport_spend: '1500000001' }, 'maxLamportSpend'],
    [BUYS, { max_sol_spend: '1.6' }, 'maxSolSpend'],
    [['quoteSell', 'quoteProSell'], { amount_in_ui: '1000.6' }, 'amountInUi'],
    [['quoteSell'], { amount_in: '1000500000001' }, 'amountIn'],
    [['quoteProSell'], { amount_in: '1000500001' }, 'amountIn'],
  ];
  test.each(
    written.flatMap(([names, fields, field]) =>
      names.map((name) => [name, JSON.stringify(fields), fields, field] as const),
    ),
  )('%s with %s', async (name, _, fields, field) => {
    const error = await refusalOf(ask(hostile(writing(fields)), name));
    expect(error).toMatchObject({ code: 'quote-mismatch', context: { field } });
    expect(error.message).toContain(field);
  });

  test('an amount is compared through its digits', async () => {
    // 0.3 of a float sum is another number of lamports than 0.3.
    const input = { ...asked.quoteBuy, maxSolSpend: '0.300000001' };
    expect((await hostile(honest).quoteBuy(input)).maxLamportSpend).toBe(300_000_001n);
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

  test.each<readonly [string, honest: Answer, hostile: Answer, said: string, status: number | undefined]>([
    [
      'a byte too many',
      of((text) => text.padEnd(MOST_BYTES)),
      of((text) => text.padEnd(MOST_BYTES + 1)),
      'longer',
      200,
    ],
    ['no end', inChunks(true), inChunks(false), 'longer', 200],
    [
      'a length beyond all',
      same,
      (honest) => new Response(honest, { headers: { 'content-length': '99999999999' } }),
      'longer',
      200,
    ],
    ...[301, 302, 303, 307, 308].map(
      (code) => [`a redirect with ${code}`, status(200), status(code), 'redirects', code] as const,
    ),
    ['a redirect that the browser hides', status(200), () => Response.error(), 'redirects', 0],
    ...[201, 204, 206, 304, 401, 403].map(
      (code) =>
        [`status ${code}`, status(200), status(code), code === 304 ? 'redirects' : `${code}`, code] as const,
    ),
    ...Object.entries<Change>({
      'a page': () => '<!doctype html><title>It works</title>',
      nothing: () => '',
      'white space': () => ' \n',
      'truncated JSON': (text) => text.slice(0, -1),
      'JSON with something behind it': (text) => `${text}x`,
      'a key twice': member('mint', '"a"'),
      'JSON nested too deeply': () => '['.repeat(100_000),
      NaN: () => '{"config_version":NaN}',
    }).map(([what, change]) => [what, same, of(change), 'not valid JSON', 200] as const),
    ...Object.entries<readonly [Change] | readonly [Change, Change]>({
      null: [() => 'null'],
      'a list': [(text) => `[${text}]`],
      'a text': [() => '"x"'],
      'a number': [() => '5'],
      'an empty object': [() => '{}'],
      'an error with status 200': [() => '{"error":{"code":"zero-amount","message":"x"}}'],
      'an amount of words': [amount(() => '"five"'), amount((digits) => `"${digits}"`)],
      'an amount with a fraction': [amount((digits) => `${digits}.5`), amount((digits) => `${digits}.0`)],
      'an amount that is a fraction by its exponent': [
        amount(() => '5e-3'),
        amount((digits) => `${digits}0e-1`),
      ],
      'a negative amount': [amount(() => '-1')],
      'an amount of null': [amount(() => 'null')],
      'an amount for display that is words': [
        writing({ max_sol_spend: '"1.5 SOL"' }),
        writing({ max_sol_spend: '"1.5"' }),
      ],
      'a mint that is not an address': [writing({ mint: '"x"' })],
      'a config version that is not safe': [writing({ config_version: '9007199254740993' })],
      'camelCase names': [
        (text) => text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      ],
      'everything in data': [(text) => `{"data":${text}}`],
      'amounts from its prototype': [
        (text) => member('__proto__', '{"minimum_out":5}')(noMinimum(text)),
        member('__proto__', '{"minimum_out":5}'),
      ],
    }).map(
      ([what, [hostile, honest]]) =>
        [
          what,
          honest === undefined ? same : of(honest),
          of(hostile),
          'not the documented one',
          undefined,
        ] as const,
    ),
  ])('%s', async (_, honest, hostile, said, status) => {
    const error = await refusalOf(ask(answered(hostile), 'quoteBuy'));
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/quote/buy' } });
    if (status !== undefined) expect(error.context).toMatchObject({ status });
    expect(error.message).toContain(said);
    const { details: _details, ...documented } = await local.quoteBuy({});
    expect(await ask(answered(honest), 'quoteBuy')).toMatchObject(documented);
  });

  const body = (fields: unknown) => JSON.stringify(fields);
  test.each<[string, hostile: string]>([
    ['a page', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['truncated JSON', '{"error":{"code":"zero-am'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"Not found"'],
    ['a number', '5'],
    ['an error of null', body({ error: null })],
    ['an error of text', body({ error: 'Not found' })],
    ['an error without a code', body({ error: { message: 'm' } })],
    ['an error whose code is a number', body({ error: { code: 5, message: 'm' } })],
    ['another shape', body({ message: 'Not found' })],
    ['JSON nested too deeply', '['.repeat(100_000)],
    ['an error from its prototype', '{"__proto__":{"error":{"code":"zero-amount","message":"m"}}}'],
  ])('%s as an error', async (_, hostile) => {
    for (const status of [400, 404, 422, 500]) {
      const failing = (text: string, headers: Record<string, string> = {}) =>
        refusalOf(
          ask(
            answered(() => new Response(text, { status, headers })),
            'quoteBuy',
          ),
        );
      const context = { path: '/quote/buy', status };
      const error = await failing(hostile, { 'x-request-id': 'r-2' });
      expect(error.code).toBe('service-failed');
      expect(error.context).toStrictEqual({ ...context, requestId: 'r-2' });
      expect(error.message).toContain(String(status));
      expect((await failing(hostile)).context).toStrictEqual(context);
      const honest = await failing(body({ error: { code: 'zero-amount', message: 'Too little.' } }));
      expect(honest).toMatchObject({ code: 'zero-amount', message: 'Too little.' });
    }
  });
});

describe('texts of a service are cleaned and bounded:', () => {
  const HONEST = 'The pool opens later.';
  const SECRET = /evil|0123456789|\p{C}|:\/\/|hunter2/u;
  const failing = (code: string, message: string, details: Fields = {}) =>
    refusalOf(
      ask(
        answered(
          () =>
            new Response(JSON.stringify({ error: { code, message, details } }), {
              status: 422,
              headers: { 'x-request-id': 'Bearer 0123456789abcdef' },
            }),
        ),
        'quoteBuy',
      ),
    );

  test.each([
    ['terminal controls', 'No\u001b[31m\u0007\u009b2J.'],
    ['marks that reverse it', 'No \u202eback\u202c \u2066x\u2069\u200b.'],
    ['a URL', 'See https://evil.example/?api-key=0123456789abcdef now.'],
    ['a URL behind a terminal sequence', 'No\u001b[31mhttps://evil.example/?api-key=0123456789abcdef'],
    ['a URL and a key in hidden pieces', 'https:\u200b//evil.example/ api\u2060-key=0123456789abcdef'],
    ['an API key', 'With api-key=0123456789abcdef, and Authorization: Bearer 0123456789abcdef'],
    ['lone surrogates', 'No \ud800.'],
    ['900,000 characters', 'x'.repeat(900_000)],
    ['900,000 accents', `e${'\u0301'.repeat(900_000)}`],
  ])('%s', async (_, hostile) => {
    for (const code of ['zero-amount', 'rpc-failed', 'never-heard-of', hostile]) {
      const error = await failing(code, hostile, { field: hostile, method: hostile, reason: hostile });
      for (const said of [error.message, JSON.stringify(error.context), explainError(error).message]) {
        expect(said).not.toMatch(SECRET);
        expect(said.length).toBeLessThan(2_000);
      }
    }
    expect(await failing('pool-not-open', HONEST)).toMatchObject({ code: 'pool-not-open', message: HONEST });
  });

  test.each([
    [
      'a reason that names the URL',
      'error sending request for url (https://heaven.example/0123456789abcdef)',
    ],
    ['a reason of 900,000 characters', 'x'.repeat(900_000)],
  ])('%s, of a connection that fails', async (_, reason) => {
    const error = await refusalOf(
      ask(
        answered(() => {
          throw new TypeError(reason);
        }),
        'quoteBuy',
      ),
    );
    expect(error.code).toBe('service-failed');
    expect(error.message).not.toMatch(SECRET);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    ['a pool', (value: string) => writing({ pool: value }), 'service-failed'],
    ['a mint', (value: string) => writing({ mint: value }), 'service-failed'],
    ['an amount', (value: string) => writing({ minimum_out: value }), 'service-failed'],
  ] as const)('%s of hidden characters, a URL and 900,000 more', async (_, write, code) => {
    const value = text(`\u202ehttps://evil.example/0123456789abcdef${'x'.repeat(900_000)}`);
    const error = await refusalOf(ask(hostile(write(value)), 'quoteBuy'));
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(SECRET);
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('an initial buy is checked against its request', () => {
  const input: QuoteInitialBuyInput = { configVersion: 1, initialPurchasePercent: '1.5', slippage: '0.005' };

  test('an honest answer passes', async () => {
    const { details: _, ...documented } = await quoteInitialBuy(client, input);
    expect(await hostile((answer) => answer).quoteInitialBuy(input)).toStrictEqual(documented);
  });

  test.each([
    ['a cost shown as another', { cost_sol: '0.1' }, 'costSol'],
    ['tokens shown as others', { token_amount_ui: '123' }, 'tokenAmountUi'],
    // 1.5 % of 2^64 - 1 is 276,701,161,105,643,274.
    [
      'more tokens than there can be',
      { token_amount: '276701161105643275', token_amount_ui: '276701161.105643275' },
      'tokenAmount',
    ],
    ['a cost for nothing', { token_amount: '0', token_amount_ui: '0' }, 'costLamports'],
  ])('%s', async (_, fields, field) => {
    const error = await refusalOf(hostile(writing(fields)).quoteInitialBuy(input));
    expect(error).toMatchObject({ code: 'quote-mismatch', context: { field } });
  });
});

describe('other answers are checked against their requests', () => {
  test.each<[string, (heaven: RemoteClient) => Promise<unknown>, Change, string]>([
    [
      'the pool of another token',
      (heaven) => heaven.getPoolState({ mint: creator.mint }),
      answering('/data/pool-state', { mint: community.mint }),
      'token_a.mint',
    ],
    [
      'another pool',
      (heaven) => heaven.getPoolState({ pool: pro.pool }),
      answering('/data/pool-state', { pool: otherPool }),
      'key',
    ],
    [
      'another config',
      (heaven) => heaven.getProtocolConfigState({ version: 2 }),
      answering('/data/protocol-config-state', { version: 1 }),
      'version',
    ],
    [
      'another wallet’s liquidity',
      (heaven) => heaven.getLpBalance({ pool: pro.pool, user: pro.creator }),
      answering('/data/lp-balance', { user: community.creator }),
      'lp_position_address',
    ],
  ])('%s', async (_, call, change, field) => {
    await call(hostile((answer) => answer));
    const error = await refusalOf(call(hostile(change)));
    expect(error).toMatchObject({ code: 'service-failed', context: { status: 200 } });
    expect(error.message).toContain(field);
  });

  test('a launch names the mint that its transaction makes', async () => {
    const { mint } = await hostile((answer) => answer).buildCreateStandardLiquidityPool(launch);
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
    const { tx } = await buildBuy(client, { ...event, payer, quoteResponse: await local.quoteBuy({}) });
    const error = await refusalOf(
      hostile(writing({ tx: text(tx) })).buildCreateStandardLiquidityPool(launch),
    );
    expect(error.message).toContain('creates no pool');
  });

  test('a creation names the pool that its transaction makes', async () => {
    const wallet = (await generateKeyPairSigner()).address;
    const account = (await generateKeyPairSigner()).address;
    const owner = wallet;
    const tokens = await findAssociatedTokenAddress({
      owner,
      mint: pro.mint,
      tokenProgram: pro.tokenProgram,
    });
    ledger.setTokenAccount(tokens, pro.tokenProgram, { mint: pro.mint, owner, amount: 10n ** 15n });
    const table = ledger.getAccount(ledger.lookupTables.community);
    ledger.setAccount(account, table);
    const create = {
      ...event,
      payer,
      creator: wallet,
      configVersion: 3,
      mint: pro.mint,
      initialTokenAAmount: 400_000_000_000n,
      initialTokenBAmount: 100_000_000_000n,
      lutAddress: account,
    };
    const { pool } = await hostile((answer) => answer).buildProCreate(create);
    const error = await refusalOf(hostile(writing({ pool: text(pro.pool) })).buildProCreate(create));
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/tx/pro/create' } });
    expect(error.message).toContain(pool);
  });
});

const launch = {
  ...event,
  payer,
  creator: payer,
  name: 'A token',
  symbol: 'TOKEN',
  uri: '',
  initialPurchaseAmount: 0n,
  lutAddress: ledger.lookupTables.community,
};

describe('a transaction is of the version that was asked for, and creates one pool', () => {
  /** Answers with what is made of the honest transaction. */
  const rewriting = (change: (draft: ReturnType<typeof takeApart>) => void): RemoteClient =>
    answered(async (honest) => {
      const answer = JSON.parse(honest) as { readonly tx: string };
      const tables = tableOf(ledger, ledger.lookupTables.community);
      const draft = takeApart(answer.tx, tables);
      change(draft);
      const signers = 'mint' in answer ? [mintSigner] : [];
      const { blockhash } = partsOf(answer.tx, tables);
      return new Response(JSON.stringify({ ...answer, tx: await putTogether(draft, signers, blockhash) }));
    });
  const twice = ({ instructions }: ReturnType<typeof takeApart>) =>
    void instructions.push(structuredClone(instructions.at(-1)!));

  test('a buy as a legacy transaction', async () => {
    const quoteResponse = await local.quoteBuy({});
    const buy = (heaven: RemoteClient) => heaven.buildBuy({ ...event, payer, quoteResponse });
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
  const inOther = { ...event, payer, pool: otherPool };

  test('the builders reject it in another pool', async () => {
    const mismatch = {
      code: 'quote-mismatch',
      context: { field: 'quoteResponse.details.pool', asked: otherPool, found: pro.pool },
    };
    const buy = await local.quoteProBuy({});
    const sell = await local.quoteProSell({});
    expect(await refusalOf(buildProBuy(client, { ...inOther, quoteResponse: buy }))).toMatchObject(mismatch);
    expect(await refusalOf(buildProSell(client, { ...inOther, quoteResponse: sell }))).toMatchObject(
      mismatch,
    );
    const remote = hostile((answer) => answer);
    expect(await refusalOf(remote.buildProBuy({ ...inOther, quoteResponse: buy }))).toMatchObject(mismatch);
    expect(await refusalOf(remote.buildProSell({ ...inOther, quoteResponse: sell }))).toMatchObject(mismatch);
    // Honest twins, which name the right pool or none.
    const { details: _, ...documented } = buy;
    for (const quoteResponse of [await local.quoteProBuy({ pool: otherPool }), documented])
      await buildProBuy(client, { ...inOther, quoteResponse });
  });

  test('standard ones, too', async () => {
    const quoteResponse = { ...(await local.quoteBuy({})), details: { pool: community.pool } };
    expect(await refusalOf(buildBuy(client, { ...event, payer, quoteResponse }))).toMatchObject({
      code: 'quote-mismatch',
      context: { asked: creator.pool, found: community.pool },
    });
    const sell = { ...(await local.quoteSell({})), details: { pool: 'x' as Address } };
    expect(await refusalOf(buildSell(client, { ...event, payer, quoteResponse: sell }))).toMatchObject({
      code: 'invalid-address',
      context: { field: 'quoteResponse.details.pool' },
    });
  });

  test('over HTTP, as it was returned', async () => {
    const post = async (path: string, body: string) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await handler(
        new Request(`https://heaven.example${path}`, { method: 'POST', headers, body }),
      );
      return { status: answer.status, text: await answer.text() };
    };
    for (const [side, amount] of [
      ['buy', { max_sol_spend: 1.5 }],
      ['sell', { amount_in_ui: 1000.5 }],
    ] as const) {
      const program = (await local.quoteBuy({})).programId;
      const question = {
        program_id: program,
        config_version: 3,
        mint: pro.mint,
        slippage_bps: 50,
        ...amount,
      };
      const quote = await post(`/quote/pro/${side}`, JSON.stringify({ ...question, pool: pro.pool }));
      expect(JSON.parse(quote.text)).toMatchObject({ details: { pool: pro.pool } });
      const body = (pool: Address) =>
        `{"payer":"${payer}","encoded_user_defined_event_data":"","pool":"${pool}","quote_response":${quote.text}}`;
      expect((await post(`/tx/pro/${side}`, body(pro.pool))).status).toBe(200);
      const refused = await post(`/tx/pro/${side}`, body(otherPool));
      expect(refused.status).toBe(422);
      expect(JSON.parse(refused.text)).toMatchObject({
        error: { code: 'quote-mismatch', details: { field: 'quote_response.details.pool' } },
      });
    }
  });
});

describe('assertTransactionMatches', () => {
  const builds = {
    quoteBuy: (quoteResponse: BuyQuote) => ({
      function: 'buildBuy',
      input: { ...event, payer, quoteResponse },
    }),
    quoteSell: (quoteResponse: SellQuote) => ({
      function: 'buildSell',
      input: { ...event, payer, quoteResponse },
    }),
    quoteProBuy: (quoteResponse: BuyQuote) => ({
      function: 'buildProBuy',
      input: { ...event, payer, pool: pro.pool, quoteResponse },
    }),
    quoteProSell: (quoteResponse: SellQuote) => ({
      function: 'buildProSell',
      input: { ...event, payer, pool: pro.pool, quoteResponse },
    }),
  } as const;
  const builders = { buildBuy, buildSell, buildProBuy, buildProSell };

  /** A quote that the service chose, and the transaction that matches it. */
  async function traded(name: QuoteName, quote: BuyQuote | SellQuote) {
    const intent = builds[name](quote as BuyQuote & SellQuote) as Extract<
      TransactionIntent,
      { readonly function: keyof typeof builders }
    >;
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

  test.each(QUOTES)('%s: all slippage and a minimum of 0 always warn', async (name) => {
    const { tx, intent, warnings } = await traded(name, await local[name]({ slippageBps: 10_000 }));
    expect(intent.input.quoteResponse.minimumOut).toBe(0n);
    expect(warnings).toEqual(['minimum-too-low']);
    expect((await check(tx, intent)).codes).toEqual(['minimum-too-low']);
    expect((await check(tx, intent, { ...asked[name], slippageBps: 10_000 })).codes).toEqual([
      'minimum-too-low',
    ]);
    expect((await refusalOf(check(tx, intent, asked[name]))).code).toBe('quote-mismatch');
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
    const intent = builds.quoteSell(quote) as TransactionIntent;
    const { tx } = await traded('quoteSell', honest);
    expect(await refusalOf(check(tx, intent, asked.quoteSell))).toMatchObject({
      code: 'quote-mismatch',
      context: { field: 'quoteResponse.amountInUi' },
    });
  });

  test('a launch', async () => {
    const request = { configVersion: 1, initialPurchasePercent: 1, slippage: '0.01' };
    const { tokenAmount, costLamports } = await quoteInitialBuy(client, request);
    const launched = async (initialPurchaseAmount: bigint, maxSolSpend: string) => {
      const input = {
        ...event,
        payer,
        creator: payer,
        name: 'A token',
        symbol: 'TOKEN',
        uri: '',
        initialPurchaseAmount,
        maxSolSpend,
        lutAddress: ledger.lookupTables.community,
        mintSigner,
      };
      const built = await buildCreateStandardLiquidityPool(client, input);
      return { built, intent: { function: 'buildCreateStandardLiquidityPool', input } as const };
    };
    const spend = `${costLamports / 1_000_000_000n}.${String(costLamports % 1_000_000_000n).padStart(9, '0')}`;
    const { built, intent } = await launched(tokenAmount, spend);
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
    const greedy = await launched(tokenAmount, '5000');
    expect((await check(greedy.built.tx, greedy.intent)).codes).toEqual([]);
    expect((await check(greedy.built.tx, greedy.intent, request)).codes).toEqual(['spend-too-high']);
  });

  test('rejects a request where none belongs, and an invalid one', async () => {
    const { tx, intent } = await traded('quoteBuy', await local.quoteBuy({}));
    expect(await refusalOf(check(tx, intent, 'x'))).toMatchObject({
      code: 'invalid-input',
      context: { field: 'intent.request' },
    });
    const claim = { function: 'buildProClaimLpFees', input: { pool: pro.pool, payer: pro.creator } } as const;
    expect(await refusalOf(check(tx, claim, asked.quoteBuy))).toMatchObject({
      code: 'invalid-input',
      context: { field: 'intent.request' },
    });
    expect(
      await refusalOf(check(tx, builds.quoteBuy(undefined as never) as TransactionIntent, asked.quoteBuy)),
    ).toMatchObject({
      code: 'invalid-input',
      context: { field: 'quoteResponse' },
    });
  });
});

test('an error whose details fill the largest answer is reported at once', async () => {
  const field = '_'.repeat(900_000);
  for (const details of [{ field }, { [field]: 1 }]) {
    const heaven = createRemoteClient({
      baseUrl: 'https://service.example',
      fetch: async () =>
        new Response(JSON.stringify({ error: { code: 'invalid-amount', message: 'm', details } }), {
          status: 400,
        }),
    });
    await refusalOf(ask(heaven, 'quoteBuy'));
  }
});
