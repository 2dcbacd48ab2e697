import { test } from 'vitest';
import { settings } from '../../../src/check/prove/scenarios/settings.js';
import { groundOf, prove } from './support.js';

test('x', async () => {
  const p = await prove([settings], groundOf());
  console.log(
    p.verdicts,
    p.journal.skipped,
    p.journal.failures,
    p.journal.observations.map((o) => [o.what, o.found, o.predictions.map((p) => p.expected)]),
  );
});
