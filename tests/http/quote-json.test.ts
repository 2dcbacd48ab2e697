import { describe, expect, test } from 'vitest';

import { decodeQuote, encodeQuote, parseJson, stringifyJson } from '../../src/http/index.js';
import {
  type BuyQuote,
  buildProBuy,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  quoteSellExactOut,
  toUiAmount,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';
import { createEngines } from './engines.js';
import { ok } from './support.js';

const { ledger, client, handler, remoteClient } = await createEngines();
const { community, pro } = ledger.pools;
const inStandard = { mint: community.mint, configVersion: community.configVersion, slippageBps: 50 };
const inPro = { pool: pro.pool, mint: pro.mint, configVersion: pro.configVersion, slippageBps: 50 };
// Over 2^53 units, so that a double would not do.
const large = { ...inStandard, maxSolSpend: '120.000000011' };

describe('a quote survives JSON', () => {
  test.each<[string, () => Promise<Parameters<typeof encodeQuote>[0]>]>([
    ['a buy', () => quoteBuy(client, large)],
    ['a sale', () => quoteSell(client, { ...inStandard, amountInUi: '123456789.123456789' })],
    ['a pro buy', () => quoteProBuy(client, { ...inPro, maxSolSpend: '1.5' })],
    ['a pro sale', () => quoteProSell(client, { ...inPro, amountInUi: '7' })],
    ['a sale for an exact amount', () => quoteSellExactOut(client, { ...inStandard, amountOutUi: '1.5' })],
    [
      "a service's buy, whose warnings stay marked",
      () => remoteClient.quoteProBuy({ ...inPro, maxSolSpend: 1 }),
    ],
    ['one without details', async () => ({ ...(await quoteBuy(client, large)), details: undefined })],
  ])('%s', async (_, ask) => {
    const quote = await ask();
    const json = encodeQuote(quote);
    expect(decodeQuote(json)).toEqual(quote);
    expect(decodeQuote(parseJson(json) as object)).toEqual(quote);
    // A JavaScript caller's own JSON rounds what is only shown.
    for (const rounded of [JSON.stringify(JSON.parse(json)), JSON.parse(json) as object])
      expect({ ...decodeQuote(rounded), details: undefined }).toEqual({ ...quote, details: undefined });
  });

  test('as the endpoint writes it', async () => {
    const { programAddress } = client.deployment;
    const request = { program_id: programAddress, config_version: 1, mint: community.mint, slippage_bps: 50 };
    const text = await ok(handler, '/quote/buy', { ...request, max_sol_spend: '120.000000011' });
    const quote = await quoteBuy(client, large);
    expect(parseJson(encodeQuote(quote))).toEqual(parseJson(text));
    expect(decodeQuote(text)).toEqual(quote);
  });

  test('and a transaction can be built from it', async () => {
    const quote = await quoteProBuy(client, { ...inPro, maxSolSpend: '1.5' });
    const input = { payer: pro.creator, pool: pro.pool };
    const decoded = decodeQuote(encodeQuote(quote)) as BuyQuote;
    const { tx } = await buildProBuy(client, { ...input, quoteResponse: decoded });
    expect(tx).toBe((await buildProBuy(client, { ...input, quoteResponse: quote })).tx);
  });

  test('whatever its amounts', async () => {
    const { details: _, ...quote } = await quoteBuy(client, large);
    const u64 = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(u64, u64, (maxLamportSpend, minimumOut) => {
        const maxSolSpend = Number(toUiAmount(maxLamportSpend, 9));
        const any = { ...quote, maxLamportSpend, maxSolSpend, minimumOut };
        expect(decodeQuote(encodeQuote(any))).toEqual(any);
      }),
    );
  });
});

const honest = await quoteBuy(client, large);
const withField = (name: string, value: unknown) =>
  stringifyJson({ ...(parseJson(encodeQuote(honest)) as object), [name]: value });
const { details: _, ...documented } = JSON.parse(encodeQuote(honest)) as { readonly details: object };

test.each<[string, unknown, code: string, field: string]>([
  ['nothing', undefined, 'invalid-input', 'quote'],
  ['a number', 5, 'invalid-input', 'quote'],
  ['no JSON', '{', 'invalid-input', 'quote'],
  ['an empty object', {}, 'invalid-input', 'quote'],
  [
    'JSON that loops',
    Object.assign(
      {},
      {
        get self() {
          return this;
        },
      },
    ),
    'invalid-input',
    'quote',
  ],
  ['names of the SDK', stringifyJson(honest), 'invalid-input', 'quote'],
  ['a missing field', withField('mint', null), 'invalid-input', 'quote.mint'],
  ['a fraction of a unit', withField('minimum_out', 1.5), 'invalid-input', 'quote.minimumOut'],
  ['an amount over 64 bits', withField('minimum_out', 2n ** 64n), 'amount-out-of-range', 'quote.minimumOut'],
  ['slippage of more than all', withField('slippage_bps', 10_001), 'invalid-slippage', 'quote.slippageBps'],
  ['SOL that is not its lamports', withField('max_sol_spend', 1), 'quote-mismatch', 'quote.maxSolSpend'],
  ['what JSON.parse rounded', documented, 'invalid-input', 'quote.minimumOut'],
  [
    'an exact amount of another',
    withField('details', { exact: { minimum_out: '5' } }),
    'quote-mismatch',
    'quote.minimumOut',
  ],
])('rejects %s', async (_, json, code, field) => {
  await expectRefusal(() => decodeQuote(json as string), code, { field });
});

test.each<[string, unknown, code: string, field: string]>([
  ['nothing', undefined, 'invalid-input', 'quote'],
  ['a promise', Promise.resolve(honest), 'invalid-input', 'quote'],
  ['no amount', { ...honest, minimumOut: undefined }, 'invalid-amount', 'quote.minimumOut'],
  ['a number for one', { ...honest, minimumOut: 5 }, 'invalid-amount', 'quote.minimumOut'],
  [
    'a shown amount that is none',
    { ...honest, maxSolSpend: Number.NaN },
    'invalid-input',
    'quote.maxSolSpend',
  ],
])('does not write %s', async (_, quote, code, field) => {
  await expectRefusal(() => encodeQuote(quote as BuyQuote), code, { field });
});
