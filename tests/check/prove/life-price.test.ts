import { test } from 'vitest';
import { priceAccounts } from '../../../src/check/prove/scenarios/price-accounts.js';
import { standardClaims } from '../../../src/check/prove/scenarios/standard-claims.js';
import { groundOf, prove } from './support.js';

test('x', async () => {
  const p = await prove([priceAccounts, standardClaims], groundOf({}, undefined));
  console.log(
    p.verdicts,
    p.journal.skipped,
    p.journal.failures,
    p.journal.observations
      .filter((o) => /price|claim/.test(o.kind))
      .map((o) => [o.kind, o.what, o.found, o.predictions.map((p) => p.expected)]),
  );
});
