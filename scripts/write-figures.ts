// `npm run figures` writes the figures that were measured last into the documents.
import { readFileSync, writeFileSync } from 'node:fs';

import { fill, PLACES, readSections } from './figures.js';

const sections = readSections();
for (const [file, places] of Object.entries(PLACES)) {
  const { filled, outdated, lost } = fill(readFileSync(file, 'utf8'), places, sections);
  writeFileSync(file, filled);
  for (const each of outdated) console.log(`${file}: ${each}`);
  for (const each of lost) console.error(`${file} has no place for ${each}. Correct scripts/figures.ts.`);
  if (lost.length > 0) process.exitCode = 1;
}
