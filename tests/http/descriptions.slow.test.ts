import { expect, test } from 'vitest';

import { createDescriptions } from '../../scripts/descriptions.js';
import descriptions from '../../src/http/descriptions.json' with { type: 'json' };

test('the descriptions are those of the docstrings: if not, run npm run descriptions', () => {
  expect(descriptions).toEqual(createDescriptions());
});
