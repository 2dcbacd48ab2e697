import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builders, paths } from '../../src/operations/index.js';

// What neither the compiler nor another test asks for when an operation is added.

const textOf = (folder: string) =>
  readdirSync(`tests/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`tests/${folder}/${path}`, 'utf8'))
    .join('');

const behavior = ['operations', 'transaction', 'testing'].map(textOf).join('');
test.each(Object.keys(paths))('what %s does is tested in tests/operations', (name) =>
  expect(behavior).toMatch(new RegExp(`\\b${name}\\b`)),
);

const reviewed = textOf('review');
test.each(Object.keys(builders))('what %s builds is reviewed in tests/review', (name) =>
  expect(reviewed).toMatch(new RegExp(`\\b${name}\\b`)),
);
