import { expect, test } from 'vitest';
import lines from '../../idl/openapi.json' with { type: 'json' };
import { createOpenApiLines } from '../../scripts/openapi.js';

test('the document is that of the doors, the docstrings and the golden answers: if not, run npm run openapi', () => {
  expect(lines).toEqual(createOpenApiLines());
});
