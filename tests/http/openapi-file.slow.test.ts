import { expect, test } from 'vitest';
import { createOpenApiLines } from '../../scripts/openapi.js';
import lines from '../../src/http/openapi.json' with { type: 'json' };

test('the document is that of the fields, the docstrings and the golden answers: if not, run npm run openapi', () => {
  expect(lines).toEqual(createOpenApiLines());
});
