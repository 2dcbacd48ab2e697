import { describe, expect, test } from 'vitest';

import { parseBuyInstruction, parseSellInstruction } from '../../src/program/index.js';
import { lookupTablesIn } from '../support/transactions.js';
import { createEngines } from './engines.js';
import { errorOf, exchangeInstructionOf, fieldsOf, objectText, ok, post, readJson } from './support.js';
import type { Fields } from './working-requests.js';

// What is particular to some paths, or holds for all of them alike: how numbers are read, and what may stand beside the documented fields.

const engines = await createEngines();

const answer = async (path: string, change: Fields = {}, without: readonly string[] = []) => {
  const fields = Object.entries({ ...engines.working[path]!.required, ...change });
  const kept = fields.filter(([name]) => !without.includes(name));
  return readJson(await ok(engines.handler, path, objectText(Object.fromEntries(kept))));
};

const tradeIn = (tx: unknown) => exchangeInstructionOf(tx, lookupTablesIn(engines.ledger)) as never;

describe('UI amounts are read digit by digit', () => {
  test.each([
    ['1.5e0', '1500000000'],
    ['15E-1', '1500000000'],
    ['0.3', '300000000'],
    ['"1.005"', '1005000000'],
    ['1.10000000000000000000000000000', '1100000000'],
    ['1e-9', '1'],
    ['123456.123456789', '123456123456789'],
    ['9007199.254740993', '9007199254740993'],
  ])('max_sol_spend %s is %s lamports', async (max_sol_spend, lamports) => {
    const { max_lamport_spend } = await answer('/quote/buy', { max_sol_spend });
    expect(String(max_lamport_spend)).toBe(lamports);
  });

  test.each([
    ['buy', '10.000000011', 'minimum_out', parseBuyInstruction],
    ['sell', '123456789.123456789', 'amount_in', parseSellInstruction],
  ] as const)('a %s moves exactly what its quote says, beyond 2^53', async (side, spent, large, parse) => {
    const { mint, configVersion } = engines.ledger.pools.community;
    const field = side === 'buy' ? 'max_sol_spend' : 'amount_in_ui';
    const terms = { mint: JSON.stringify(mint), config_version: String(configVersion), [field]: spent };
    const asked = objectText({ ...engines.working[`/quote/${side}`]!.required, ...terms });
    const quote_response = await ok(engines.handler, `/quote/${side}`, asked);
    const quote = readJson(quote_response) as Record<string, unknown> & { readonly details: object };
    const { tx } = await answer(`/tx/${side}`, { quote_response });
    const amount = (name: string) => BigInt(String(quote[name]));
    const moved =
      side === 'buy' ? { maxSolSpend: amount('max_lamport_spend') } : { amountIn: amount('amount_in') };
    const minimumAmountOut = amount('minimum_out');
    expect(parse(tradeIn(tx)).data.params).toMatchObject({ ...moved, minimumAmountOut });
    const exact = amount(large);
    expect(BigInt(Number(exact)), 'a float would not do').not.toBe(exact);
    expect(quote.details).toMatchObject({ exact: { [large]: String(exact) } });
  });
});

describe.each([
  ['buy', 'max_sol_spend', 'max_lamport_spend'],
  ['sell', 'amount_in_ui', 'amount_in'],
])('a quote of a %s has one amount', (side, ui, native) => {
  test.each([`/quote/${side}`, `/quote/pro/${side}`])('in native units too: %s', async (path) => {
    expect(String((await answer(path, { [native]: '9007199254740993' }, [ui]))[native])).toBe(
      '9007199254740993',
    );
    const refused = async (change: Fields, without: readonly string[] = []) => {
      const fields = Object.entries({ ...engines.working[path]!.required, ...change });
      const body = Object.fromEntries(fields.filter(([name]) => !without.includes(name)));
      return errorOf(await post(engines.handler, path, objectText(body)));
    };
    expect(await refused({}, [ui])).toMatchObject({
      code: 'invalid-request',
      message: `${ui} or ${native} must be given`,
    });
    expect(await refused({ [native]: '5' })).toMatchObject({
      message: `${native} is given beside ${ui}: give one of them`,
    });
    expect(await refused({ [native]: '0' }, [ui])).toMatchObject({
      code: 'zero-amount',
      message: expect.stringContaining(native),
      details: { field: native },
    });
  });
});

describe('/data/protocol-config-state', () => {
  const path = '/data/protocol-config-state';

  test.each<[string, Fields, without: readonly string[]]>([
    ['version', { version: '3' }, []],
    ['config_version', { config_version: '3' }, ['version']],
    ['version null, and config_version', { version: 'null', config_version: '3' }, []],
    ['both', { version: '3', config_version: '3' }, []],
  ])('takes %s', async (_, change, without) => {
    expect(String((await answer(path, change, without)).version)).toBe('3');
  });
});

test('a creation of version 1 needs no lookup table', async () => {
  for (const path of ['/tx/create-standard-liquidity-pool', '/tx/pro/create'])
    await answer(path, { transaction_version: '1' }, ['lut_address']);
});

describe('beside the documented fields', () => {
  const SAMPLE = ['/data/pool-state', '/quote/buy', '/quote/pro/sell', '/tx/buy', '/tx/pro/transfer-lp'];
  const bodies = SAMPLE.map((path) => [path, engines.working[path]!.required] as const);

  test.each([
    ['unknown fields', { comment: '"hello"', more: '[{"deep":[1.5,null]}]' }],
    ['the SDK’s own options', { dont_front: 'true', before: '[{}]', snapshot: '{}', lifetime: '{}' }],
    [
      'names of Object.prototype',
      { ['__proto__']: '{"slippage_bps":9999,"source":"x"}', constructor: '{"prototype":{"polluted":1}}' },
    ],
    ['more such names', { toString: '1', toJSON: '"x"' }],
  ])('%s change nothing, and are listed', async (_, extra) => {
    for (const [path, body] of bodies) {
      const plain = readJson(await ok(engines.handler, path, objectText(body)));
      const details = (plain.details ?? {}) as { readonly warnings?: readonly object[] };
      const message = expect.stringContaining(`: ${Object.keys(extra).join(', ')}.`);
      expect(readJson(await ok(engines.handler, path, objectText({ ...body, ...extra })))).toEqual({
        ...plain,
        details: {
          ...details,
          warnings: [...(details.warnings ?? []), { code: 'ignored-fields', message }],
          ignored_fields: Object.keys(extra),
        },
      });
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).slippage_bps).toBeUndefined();
  });

  test('a returned quote may say more, which changes nothing', async () => {
    const path = '/tx/buy';
    const { quote_response = '', ...trade } = engines.working[path]!.required;
    const noted = quote_response.replace(/"slot":\d+/, '"slot":"x","more":[{"deep":1.5}]');
    expect(noted).not.toBe(quote_response);
    expect((await answer(path, { quote_response: noted })).tx).toBe((await answer(path)).tx);
    // `fee_pct` is in the quotes of the original service; the other looks misspelt.
    const more = `{"fee_pct":1.3,"minimum_ot":{"toString":[1]},${quote_response.slice(1)}`;
    const { tx, details } = await answer(path, { quote_response: more });
    expect(tx).toBe((await answer(path)).tx);
    const names = ['quote_response.fee_pct', 'quote_response.minimum_ot'];
    expect(details).toMatchObject({ ignored_fields: names });
    const { warnings } = details as { readonly warnings: readonly { readonly message: string }[] };
    expect(warnings.at(-1)?.message).toContain(names.join(', '));
    const less = quote_response.replace(/"minimum_out":\d+,/, '');
    const error = errorOf(await post(engines.handler, path, objectText({ ...trade, quote_response: less })));
    expect([error.code, fieldsOf(error)]).toEqual(['invalid-request', ['quote_response.minimum_out']]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('fields within %s do not count', async (name) => {
    for (const [path, body] of bodies) {
      const nested = `{${JSON.stringify(name)}:${objectText(body)}}`;
      expect(errorOf(await post(engines.handler, path, nested)).code).toBe('invalid-request');
    }
  });

  test.each([
    ['white space', (text: string) => ` \r\n\t${text.replaceAll('":', '" :\n ')}\n`],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['escaped names', (text: string) => text.replaceAll('"mint"', '"\\u006d\\u0069nt"')],
    ['the same key twice, alike', (text: string) => text.replace(/("(?:payer|program_id)":"\w+")/, '$1,$1')],
  ])('%s: the same answer', async (_, rewrite) => {
    for (const [path, body] of bodies) {
      const plain = await ok(engines.handler, path, objectText(body));
      expect(await ok(engines.handler, path, rewrite(objectText(body)))).toBe(plain);
    }
  });

  test.each(['', 'é 中 😀 \u0000 "\\\''])('event data %j arrives unchanged', async (text) => {
    const { tx } = await answer('/tx/buy', { encoded_user_defined_event_data: JSON.stringify(text) });
    const { params } = parseBuyInstruction(tradeIn(tx)).data;
    expect(params).toMatchObject({ encodedUserDefinedEventData: text });
  });
});
