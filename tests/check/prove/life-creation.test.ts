import { expect, test } from 'vitest';
import { creation } from '../../../src/check/prove/scenarios/creation.js';
import { groundOf, prove } from './support.js';

test('x', async () => {
  const p = await prove([creation], groundOf());
  console.log(
    p.verdicts,
    p.journal.skipped,
    p.journal.observations.map((o) => [o.what, o.found, o.predictions[0]!.expected]),
  );
});
