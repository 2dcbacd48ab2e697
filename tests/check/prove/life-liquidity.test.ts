import { expect, test } from 'vitest';
import { liquidity } from '../../../src/check/prove/scenarios/liquidity.js';
import { groundOf, prove } from './support.js';

test('x', async () => {
  const p = await prove([liquidity], groundOf());
  console.log(
    p.verdicts,
    p.journal.skipped,
    p.journal.observations.map((o) => [o.what, o.found, o.predictions.map((p) => p.expected)]),
  );
});
