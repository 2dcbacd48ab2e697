import { test } from 'vitest';
import { failures } from '../../../src/check/prove/scenarios/failures.js';
import { groundOf, prove } from './support.js';

test('x', async () => {
  const p = await prove([failures], groundOf({}, undefined));
  console.log(
    p.verdicts,
    p.journal.skipped,
    p.journal.failures.map((f) => [f.what, f.expected, f.found]),
  );
});
