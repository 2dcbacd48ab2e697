import { readdirSync, readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';

import { createVectorFiles } from '../../scripts/vectors/index.js';

// `npm run vectors` writes the files. check.py, which shares no code with the library, says whether they are right.

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const names = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('s.json'));
const validate = new Ajv({ strict: false }).compile(JSON.parse(textOf('schema.json')));

let written: ReadonlyMap<string, string>;
beforeAll(async () => {
  written = await createVectorFiles();
});

test('the script writes these files and no others, under 700 KB', () => {
  expect([...written.keys()].sort()).toEqual([...names].sort());
  expect([...written.values()].join('').length).toBeLessThan(700_000);
});

describe.each(names)('%s', (name) => {
  test('is what the library gives', () => {
    expect(textOf(name) === written.get(name), 'write it again: npm run vectors').toBe(true);
  });

  test('fits the schema', () => {
    validate(JSON.parse(textOf(name)));
    expect(validate.errors).toBeNull();
  });
});
