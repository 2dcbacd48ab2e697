import { describe, expect, test } from 'vitest';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient, quoteBuy, quoteSell } from '../../src/index.js';
import { parseBuyInstruction, parseSellInstruction } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { fc } from '../support/properties.js';
import { exchangeInstructionOf, PROGRAM, send } from './support.js';

// A JavaScript caller, whose ordinary JSON rounds integers over 2^53, on a pool of a billion tokens of nine decimals.

const ledger = await createEmbeddedLedger();
const { community, pro } = ledger.pools;
const client = createHeavenClient({ rpc: ledger.rpc });
const handler = createHandler({ client });
const input = { configVersion: community.configVersion, mint: community.mint, slippageBps: 50 };
const terms = {
  program_id: PROGRAM,
  config_version: community.configVersion,
  mint: community.mint,
  slippage_bps: 50,
};

type Fields = Readonly<Record<string, unknown>>;

/** `JSON.stringify` and `JSON.parse`, nothing else. */
async function post(path: string, body: object): Promise<Fields> {
  const headers = { 'content-type': 'application/json' };
  const { text } = await send(handler, path, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(text) as Fields;
}
const quote = (spend: string, query = '') =>
  post(`/quote/buy${query}`, { ...terms, max_sol_spend: Number(spend) });
const documentedOf = ({ details: _, ...documented }: Fields) => documented;
const exactMinimum = async (spend: string) =>
  (await quoteBuy(client, { ...input, maxSolSpend: spend })).minimumOut;

interface Built {
  readonly tx: string;
  readonly details: {
    readonly warnings: readonly { readonly code: string }[];
    readonly rounded?: readonly { readonly field: string; readonly used: string }[];
  };
}
const trade = { payer: pro.creator, encoded_user_defined_event_data: '' };
const build = async (side: 'buy' | 'sell', quote_response: object, query = '') =>
  (await post(`/tx/${side}${query}`, { ...trade, quote_response })) as unknown as Built;
const minimumIn = ({ tx }: Built) =>
  parseBuyInstruction(exchangeInstructionOf(tx) as never).data.params.minimumAmountOut;
const soldIn = ({ tx }: Built) =>
  parseSellInstruction(exchangeInstructionOf(tx) as never).data.params.amountIn;

// From some 10 million tokens, where 2^53 is passed, to most of the pool.
describe.each(['0.5', '3.7', '12.345678901', '120', '20000'])('a buy for %s SOL', (spend) => {
  test.each(['', '?integers=string'])('is exact if its quote is passed on unchanged: %j', async (query) => {
    const quoted = await quote(spend);
    const built = await build('buy', quoted, query);
    const minimum = await exactMinimum(spend);
    expect(minimumIn(built)).toBe(minimum);
    const isRounded = BigInt(quoted.minimum_out as number) !== minimum;
    const { rounded, warnings } = built.details;
    expect(rounded?.map(({ field, used }) => [field, used])).toEqual(
      isRounded ? [['minimum_out', String(minimum)]] : undefined,
    );
    expect(warnings.map(({ code }) => code).includes('rounded-quote')).toBe(isRounded);
  });

  test('loses no digit if its quote comes with strings', async () => {
    const quoted = documentedOf(await quote(spend, '?integers=string'));
    const minimum = await exactMinimum(spend);
    expect(quoted.minimum_out).toBe(minimum < 2n ** 53n ? Number(minimum) : String(minimum));
    const built = await build('buy', quoted);
    expect(minimumIn(built)).toBe(minimum);
    expect(built.details.rounded).toBeUndefined();
  });
});

test.each(['9007199.254740993', '345678901.234567891'])(
  'a sell of %s tokens sells no more',
  async (amount) => {
    const { amountIn } = await quoteSell(client, { ...input, amountInUi: amount });
    // As a string, since a number would be rounded before it is sent.
    const quoted = await post('/quote/sell', { ...terms, amount_in_ui: amount });
    expect(soldIn(await build('sell', quoted))).toBe(amountIn);
    const used = soldIn(await build('sell', documentedOf(quoted)));
    expect(used).toBeLessThanOrEqual(amountIn);
    expect(amountIn - used).toBeLessThanOrEqual(64n);
  },
);

test('without the exact amounts, a minimum is within the rounding of a double, and never above', async () => {
  const quoted = documentedOf(await quote('120'));
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 2n ** 53n, max: 10n ** 18n }), async (minimumOut) => {
      const whole = `${minimumOut / 10n ** 9n}.${String(minimumOut % 10n ** 9n).padStart(9, '0')}`;
      // As digits say it, and as a service shows it that divides a double.
      for (const minimum_out_ui of [Number(whole), Number(minimumOut) / 1e9]) {
        const rounded = { minimum_out: Number(minimumOut), minimum_out_ui };
        const used = minimumIn(await build('buy', { ...quoted, ...rounded }));
        expect(used).toBeLessThanOrEqual(minimumOut);
        expect(minimumOut - used).toBeLessThanOrEqual(minimumOut < 2n ** 57n ? 16n : 128n);
      }
    }),
    { numRuns: 100 },
  );
});

test('a quote whose amounts are not roundings of each other is rejected', async () => {
  const quoted = await quote('120');
  const { details, minimum_out } = quoted as { readonly details: object; readonly minimum_out: number };
  const minimum = await exactMinimum('120');
  const forged = (change: bigint) => ({
    ...quoted,
    details: { ...details, exact: { minimum_out: String(minimum + change) } },
  });
  for (const wrong of [
    forged(1_000_000n),
    forged(-1_000_000n),
    { ...quoted, minimum_out: minimum_out * 2, details: {} },
    { ...quoted, minimum_out: minimum_out + 4096, details: {} },
  ])
    expect(await build('buy', wrong)).toMatchObject({ error: { code: 'quote-mismatch' } });
});

test.each([
  ['?integers=exact', 0n],
  ['', 8n],
])('a round amount is sold: %j', async (query, less) => {
  // 10^17 is written alike with and without rounding. Doubles are 16 apart there, and what rounds to it begins 8 below.
  const amounts = { amount_in: 10 ** 17, amount_in_ui: 10 ** 8, minimum_out: 1, minimum_out_ui: 1e-9 };
  expect(soldIn(await build('sell', { ...terms, ...amounts }, query))).toBe(10n ** 17n - less);
});

test('an exact amount that is not what was rounded is rejected, even if both are shown alike', async () => {
  const amounts = { amount_in: 273_800_000_000_000_000, amount_in_ui: 273_800_000 };
  const quoted = { ...terms, ...amounts, minimum_out: 1, minimum_out_ui: 1e-9 };
  const selling = (amount_in: string) => build('sell', { ...quoted, details: { exact: { amount_in } } });
  expect(soldIn(await selling('273800000000000015'))).toBe(273_800_000_000_000_015n);
  expect(await selling('273800000000000017')).toMatchObject({ error: { code: 'quote-mismatch' } });
});

// 50304815358366207: a double holds …208 and Python prints that, but JavaScript prints …210.
test.each([50_304_815_358_366_207n, 50_304_815_358_366_208n, 50_304_815_358_366_210n])(
  'an amount that arrives as %s is the one in details.exact, if that is there',
  async (received) => {
    const amounts = { amount_in_ui: 50_304_815.35836621, minimum_out: 1, minimum_out_ui: 1e-9 };
    const quoted = { ...terms, ...amounts, amount_in: String(received) };
    const exact = { amount_in: '50304815358366207' };
    const built = await build('sell', { ...quoted, details: { exact } });
    expect(soldIn(built)).toBe(50_304_815_358_366_207n);
    expect(built.details.rounded !== undefined).toBe(received !== 50_304_815_358_366_207n);
    // Without it, only what JavaScript prints is known to be rounded.
    const least = received === 50_304_815_358_366_210n ? 50_304_815_358_366_204n : received;
    expect(soldIn(await build('sell', quoted))).toBe(least);
  },
);

test('an error has its integers as a quote has them', async () => {
  const body = JSON.stringify({ ...terms, amount_in: '18446744073709551615' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const requestedOf = async (query: string) => {
    const { status, text } = await send(handler, `/quote/sell${query}`, init);
    expect(status).toBe(422);
    return /"requested":([^,]+)/.exec(text)?.[1];
  };
  expect(await requestedOf('?integers=string')).toBe('"18446744073709551615"');
  for (const query of ['', '?integers=exact']) expect(await requestedOf(query)).toBe('18446744073709551615');
});

test('an unknown query is rejected', async () => {
  expect(await quote('1', '?integers=float')).toMatchObject({
    error: { code: 'invalid-request', details: { fields: [{ field: 'integers' }] } },
  });
});
