import { describe, expect, test } from 'vitest';
import { parseDeployment, stringifyDeployment } from '../src/check/index.js';
import { createClient } from '../src/index.js';
import { DEFAULT_RULES, HEAVEN_PROGRAM_ADDRESS } from '../src/program/index.js';
import { createEmbeddedLedger } from '../src/testing/index.js';
import { expectRefusal } from './support/errors.js';
import { fc } from './support/properties.js';

const OTHER = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as typeof HEAVEN_PROGRAM_ADDRESS;
const refused = (text: string) =>
  expectRefusal(
    (async () => parseDeployment(text))(),
    text.includes('"programAddress"') ? 'invalid-address' : 'invalid-input',
  );

describe('stringifyDeployment', () => {
  test('writes only what differs from the defaults, integers as strings', () => {
    const text = stringifyDeployment(
      {
        programAddress: HEAVEN_PROGRAM_ADDRESS,
        solUsdFeed: OTHER,
        rules: {
          ...DEFAULT_RULES,
          feePerLpTokenUnit: 2n ** 64n,
          priceAccounts: { pro_buy: false, pro_sell: true },
        },
      },
      'a comment',
    );
    expect(JSON.parse(text)).toEqual({
      comment: 'a comment',
      solUsdFeed: OTHER,
      rules: { feePerLpTokenUnit: '18446744073709551616', priceAccounts: { pro_buy: false } },
    });
    expect(stringifyDeployment({})).toBe('{}\n');
    expect(stringifyDeployment({ rules: DEFAULT_RULES })).toBe('{}\n');
  });

  test("takes a client's deployment", async () => {
    const { rpc } = await createEmbeddedLedger();
    const client = createClient({ rpc, deployment: { rules: { proPoolSeeds: 'creator-first' } } });
    expect(JSON.parse(stringifyDeployment(client.deployment))).toEqual({
      rules: { proPoolSeeds: 'creator-first' },
    });
  });

  test('rejects what could not be parsed again', () => {
    expect(() => stringifyDeployment({ rules: { slotsPerLeader: 2 as 1 } })).toThrow('slotsPerLeader');
    expect(() => stringifyDeployment({ programAddress: 'x' as typeof OTHER })).toThrow('programAddress');
    expect(() => stringifyDeployment({}, 'x'.repeat(1_001))).toThrow('comment');
  });
});

test('parseDeployment reads what stringifyDeployment writes', () => {
  const rules = fc.record(
    {
      proPoolSeeds: fc.constantFrom('creator-last' as const, 'creator-first' as const),
      lpPositionSeed: fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme-ascii' }),
      priceAccounts: fc.record({ pro_buy: fc.boolean(), add_liquidity_pro_pool: fc.boolean() }),
      proMarketCapUnitsPerUsd: fc.constantFrom(1n as const, 1_000_000n as const),
      slotsPerLeader: fc.constantFrom(1 as const, 4 as const),
      firstLpSupply: fc.oneof(fc.constant('square-root' as const), fc.bigInt(1n, 2n ** 64n - 1n)),
      feePerLpTokenUnit: fc.bigInt(1n, 2n ** 64n),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(rules, fc.string({ maxLength: 200 }), (given, comment) => {
      const read = parseDeployment(stringifyDeployment({ rules: given, programAddress: OTHER }, comment));
      expect(createClient({ rpcUrl: 'http://127.0.0.1', deployment: read }).deployment).toEqual(
        createClient({ rpcUrl: 'http://127.0.0.1', deployment: { rules: given, programAddress: OTHER } })
          .deployment,
      );
    }),
  );
});

describe('parseDeployment rejects', () => {
  test.each([
    ['no JSON', '{ "rules": '],
    ['no object', '[]'],
    ['null', 'null'],
    ['an unknown field', '{ "rule": {} }'],
    ['an unknown rule', '{ "rules": { "slotPerLeader": 1 } }'],
    ['a prototype', '{ "__proto__": { "rules": {} } }'],
    ['rules that are no object', '{ "rules": [] }'],
    ['a value that can not be', '{ "rules": { "slotsPerLeader": 3 } }'],
    ['text for a number', '{ "rules": { "slotsPerLeader": "4" } }'],
    ['a number for a bigint', '{ "rules": { "feePerLpTokenUnit": 1000000000000 } }'],
    ['hex', '{ "rules": { "feePerLpTokenUnit": "0xff" } }'],
    ['zero', '{ "rules": { "feePerLpTokenUnit": "0" } }'],
    ['more than 64 bits', '{ "rules": { "firstLpSupply": "18446744073709551616" } }'],
    ['a long integer', `{ "rules": { "feePerLpTokenUnit": "${'9'.repeat(10_000)}" } }`],
    ['an unknown instruction', '{ "rules": { "priceAccounts": { "buy": false } } }'],
    ['a text for yes', '{ "rules": { "priceAccounts": { "pro_buy": "no" } } }'],
    ['a rule given twice', '{ "rules": { "slotsPerLeader": 1, "slotsPerLeader": 4 } }'],
    ['a rule given twice in disguise', '{ "rules": { "slotsPerLeader": 1, "slotsPerL\\u0065ader": 4 } }'],
    ['an address that is none', '{ "programAddress": "x" }'],
    ['a comment that is no text', '{ "comment": 7 }'],
    ['a long text', `{ "comment": "${'x'.repeat(20_000)}" }`],
    ['a deep text', '['.repeat(8_000)],
  ])('%s', async (_, text) => {
    await refused(text);
  });

  test('a value that is not a string', () => {
    expect(() => parseDeployment({} as string)).toThrow('JSON text');
  });
});
