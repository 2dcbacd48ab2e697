import { expect, test } from 'vitest';
import { createErrorContexts } from '../../scripts/error-contexts.js';
import { createOpenApiLines } from '../../scripts/openapi.js';
import contexts from '../../src/http/error-contexts.json' with { type: 'json' };
import lines from '../../src/http/openapi.json' with { type: 'json' };

test('the document is that of the fields, the docstrings and the golden answers: if not, run npm run openapi', () => {
  expect(lines).toEqual(createOpenApiLines());
});

test("the contexts of a service's errors are those of HeavenErrorContexts: if not, run npm run openapi", () => {
  expect(contexts).toEqual(createErrorContexts());
});
