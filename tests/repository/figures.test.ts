import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { fill, PLACES, readSections } from '../../scripts/figures.js';

// What the documents say of sizes and times is what the benchmark measured last.

const sections = readSections();
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe.each(Object.entries(PLACES))('%s', (file, places) => {
  const { outdated, lost } = fill(read(file), places, sections);
  test('states the figures of tests/bench/figures.json', () => {
    expect(outdated, 'Run: npm run figures').toEqual([]);
  });
  test('has each place of scripts/figures.ts, in that order', () => {
    expect(lost, `Change ${file} or scripts/figures.ts`).toEqual([]);
  });
});

/** A cell with nothing but figures, such as `415`, `1.5 KB`, `10.7, 33.5` or `49 (p99 218)`. */
const FIGURES = /^\d[\d.,; ]*( ?(KB|MB|ns|µs|ms|s))?( \(p99 [\d.,]+\))?$/;
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && line.split('|').some((cell) => FIGURES.test(cell.trim())));

test.each(['README.md', '.github/CONTRIBUTING.md', 'docs/performance.md'])(
  'each figure in the tables of %s has a place',
  (file) => {
    const { filled, stated } = fill(read(file), PLACES[file] ?? [], sections);
    const stray = rowsOf(filled).filter((row) => !stated.some((text) => row.includes(text)));
    expect(stray, 'Add them to scripts/figures.ts').toEqual([]);
  },
);
