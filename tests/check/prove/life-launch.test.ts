import { test } from 'vitest';
import { launches } from '../../../src/check/prove/scenarios/launch.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../../../src/program/constants.js';
import { groundOf, prove } from './support.js';

test('x', async () => {
  const p = await prove([launches], groundOf({}, undefined, COMMUNITY_LOOKUP_TABLE_ADDRESS));
  console.log(
    p.verdicts,
    p.journal.skipped,
    p.journal.failures,
    p.journal.observations.map((o) => [o.kind, o.what, o.found, o.predictions.map((p) => p.expected)]),
  );
});
