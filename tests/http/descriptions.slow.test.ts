import { expect, test } from 'vitest';

import { createDescriptions } from '../../scripts/descriptions.js';
import { createExamples } from '../../scripts/examples.js';
import descriptions from '../../src/http/descriptions.json' with { type: 'json' };
import examples from '../../src/http/examples.json' with { type: 'json' };

test('the descriptions are those of the docstrings: if not, run npm run descriptions', () => {
  expect(descriptions).toEqual(createDescriptions());
});

test('the examples are the golden answers: if not, run npm run descriptions', () => {
  expect(examples).toEqual(createExamples());
});
