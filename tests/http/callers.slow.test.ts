import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '../../src/http/index.js';
import { createHeavenClient, createLocalClient } from '../../src/index.js';
import { type RunningServer, startServer } from '../../src/node/index.js';
import {
  HEAVEN_PROGRAM_ADDRESS,
  parseBuyInstruction,
  parseSellInstruction,
} from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { fc } from '../support/properties.js';
import { messageOf } from '../support/transactions.js';

// Callers with their language's ordinary JSON, on a pool of a billion tokens of nine decimals. JavaScript rounds integers over 2^53.

const ledger = await createEmbeddedLedger();
const { community } = ledger.pools;
const client = createHeavenClient({ rpc: ledger.rpc });
const heaven = createLocalClient(client);
const handler = createHandler({ client });
const payer = ledger.pools.pro.creator;
const terms = {
  program_id: HEAVEN_PROGRAM_ADDRESS,
  config_version: community.configVersion,
  mint: community.mint,
  slippage_bps: 50,
};
const input = { configVersion: community.configVersion, mint: community.mint, slippageBps: 50 };

/** A JavaScript caller: `JSON.stringify` and `response.json()`, nothing else. */
async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await handler(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return (await response.json()) as Record<string, unknown>;
}

interface BuiltAnswer {
  readonly tx: string;
  readonly details: {
    readonly warnings: readonly { readonly code: string }[];
    readonly rounded?: readonly {
      readonly field: string;
      readonly received: unknown;
      readonly used: unknown;
    }[];
  };
  readonly error?: unknown;
}

const build = async (side: 'buy' | 'sell', quote_response: object, query = '') =>
  (await post(`/tx/${side}${query}`, {
    payer,
    quote_response,
    encoded_user_defined_event_data: '',
  })) as unknown as BuiltAnswer;

function exchangeInstruction(tx: string) {
  const found = messageOf(tx).instructions.find(
    ({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS,
  );
  return found as never;
}
const amountsOfBuy = (tx: string) => parseBuyInstruction(exchangeInstruction(tx)).data.params;
const amountsOfSell = (tx: string) => parseSellInstruction(exchangeInstruction(tx)).data.params;

// From some 10 million tokens, where 2^53 is passed, to most of the pool.
const SPENDS = ['0.5', '1', '3.7', '12.345678901', '35', '120', '999.999999999', '20000'];

describe('a JavaScript caller', () => {
  test.each(SPENDS)(
    'who passes on the quote of a buy for %s SOL unchanged gets it to the unit',
    async (spend) => {
      const { minimumOut } = await heaven.quoteBuy({ ...input, maxSolSpend: spend });
      const quote = await post('/quote/buy', { ...terms, max_sol_spend: Number(spend) });
      const { tx, details } = await build('buy', quote);
      expect(amountsOfBuy(tx).minimumAmountOut).toBe(minimumOut);
      const isRounded = BigInt(quote.minimum_out as number) !== minimumOut;
      expect(details.rounded?.map(({ field }) => field)).toEqual(isRounded ? ['minimum_out'] : undefined);
      expect(details.warnings.map(({ code }) => code).includes('rounded-quote')).toBe(isRounded);
    },
  );

  test.each(SPENDS)(
    'who drops undocumented fields, with %s SOL, never asks for more than was quoted',
    async (spend) => {
      const { minimumOut } = await heaven.quoteBuy({ ...input, maxSolSpend: spend });
      const { details: _, ...quote } = await post('/quote/buy', { ...terms, max_sol_spend: Number(spend) });
      const { tx } = await build('buy', quote);
      const { minimumAmountOut } = amountsOfBuy(tx);
      expect(minimumAmountOut).toBeLessThanOrEqual(minimumOut);
      const step = minimumOut < 2n ** 57n ? 16n : 2n ** BigInt(minimumOut.toString(2).length - 53);
      expect(minimumOut - minimumAmountOut).toBeLessThanOrEqual(step);
    },
  );

  test.each(['9007199.254740993', '12345678.987654321', '345678901.234567891'])(
    'who sells %s tokens never sells more than was quoted',
    async (amount) => {
      const { amountIn } = await heaven.quoteSell({ ...input, amountInUi: amount });
      // As a string, since a number would be rounded before it is sent.
      const quote = await post('/quote/sell', { ...terms, amount_in_ui: amount });
      expect(amountsOfSell((await build('sell', quote)).tx).amountIn).toBe(amountIn);
      const { details: _, ...documented } = quote;
      const used = amountsOfSell((await build('sell', documented)).tx).amountIn;
      expect(used).toBeLessThanOrEqual(amountIn);
      expect(amountIn - used).toBeLessThanOrEqual(64n);
    },
  );

  test('who asks for strings loses no digit', async () => {
    const { minimumOut } = await heaven.quoteBuy({ ...input, maxSolSpend: '120' });
    const { details: _, ...quote } = await post('/quote/buy?integers=string', {
      ...terms,
      max_sol_spend: 120,
    });
    expect(quote.minimum_out).toBe(String(minimumOut));
    expect(quote.max_lamport_spend).toBe(120_000_000_000);
    const { tx, details } = await build('buy', quote);
    expect(amountsOfBuy(tx).minimumAmountOut).toBe(minimumOut);
    expect(details.rounded).toBeUndefined();
  });

  test('whose quote was tampered with is rejected', async () => {
    const quote = (await post('/quote/buy', { ...terms, max_sol_spend: 120 })) as {
      minimum_out: number;
      details: { exact: { minimum_out: string } };
    };
    const exact = { minimum_out: String(BigInt(quote.details.exact.minimum_out) - 1_000_000n) };
    const forged = { ...quote, details: { ...quote.details, exact } };
    for (const wrong of [
      forged,
      { ...quote, minimum_out: quote.minimum_out * 2, details: {} },
      { ...quote, minimum_out: quote.minimum_out + 4096, details: {} },
    ]) {
      expect(await build('buy', wrong)).toMatchObject({ error: { code: 'quote-mismatch' } });
    }
  });

  test('any amount over 2^53 comes back within the rounding of a double, and never above', async () => {
    const pool = await post('/quote/buy', { ...terms, max_sol_spend: 120 });
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 2n ** 53n, max: 10n ** 18n }), async (minimumOut) => {
        const whole = `${minimumOut / 10n ** 9n}.${String(minimumOut % 10n ** 9n).padStart(9, '0')}`;
        const { details: _, ...quote } = {
          ...pool,
          minimum_out: Number(minimumOut),
          minimum_out_ui: Number(whole),
        } as Record<string, unknown>;
        const { tx } = await build('buy', quote);
        const used = amountsOfBuy(tx).minimumAmountOut;
        expect(used).toBeLessThanOrEqual(minimumOut);
        expect(minimumOut - used).toBeLessThanOrEqual(minimumOut < 2n ** 57n ? 16n : 128n);
      }),
      { numRuns: 150, seed: 57 },
    );
  });
});

test.each([
  ['exact', 0n],
  ['unknown', 7n],
])('a caller whose digits are %s sells a round amount', async (kind, less) => {
  // 10^17 is written alike with and without rounding. What a double rounds to it as native and as UI amount begins 7 below.
  const quote = {
    amount_in: 10 ** 17,
    amount_in_ui: 10 ** 8,
    minimum_out: 1,
    minimum_out_ui: 1e-9,
    config_version: terms.config_version,
    mint: terms.mint,
    program_id: terms.program_id,
    slippage_bps: 50,
  };
  const { tx } = await build('sell', quote, kind === 'exact' ? '?integers=exact' : '');
  expect(amountsOfSell(tx).amountIn).toBe(10n ** 17n - less);
});

test('an unknown query is rejected', async () => {
  expect(await post('/quote/buy?integers=float', { ...terms, max_sol_spend: 1 })).toMatchObject({
    error: { code: 'invalid-request', details: { fields: [{ field: 'integers' }] } },
  });
});

describe('callers in other languages', () => {
  const run = promisify(execFile);
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ handler, port: 0 });
  });
  afterAll(() => server.close());

  const PYTHON = `
import json, sys, urllib.request
def post(path, body):
    request = urllib.request.Request(sys.argv[1] + path, json.dumps(body).encode(), {'content-type': 'application/json'})
    return json.load(urllib.request.urlopen(request))
quote = post('/quote/buy', json.loads(sys.argv[2]))
print(post('/tx/buy', {'payer': sys.argv[3], 'quote_response': quote, 'encoded_user_defined_event_data': ''})['tx'])
`;
  const CURL = `
quote=$(curl -sS -H 'content-type: application/json' -d "$2" "$1/quote/buy")
curl -sS -H 'content-type: application/json' "$1/tx/buy" -d "{\\"payer\\":\\"$3\\",\\"quote_response\\":$quote,\\"encoded_user_defined_event_data\\":\\"\\"}"
`;

  test.each([
    ['Python', 'python3', ['-c', PYTHON]],
    ['curl', 'bash', ['-c', CURL, '-']],
  ])('%s builds to the unit', async (_, command, args) => {
    for (const spend of SPENDS) {
      const { minimumOut } = await heaven.quoteBuy({ ...input, maxSolSpend: spend });
      const request = JSON.stringify({ ...terms, max_sol_spend: Number(spend) });
      const { stdout } = await run(command, [...args, server.url, request, payer]);
      const tx = stdout.startsWith('{') ? (JSON.parse(stdout) as BuiltAnswer).tx : stdout.trim();
      expect(amountsOfBuy(tx).minimumAmountOut).toBe(minimumOut);
    }
  });
});
