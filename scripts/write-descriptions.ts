// `npm run descriptions` writes the descriptions of the HTTP interface from the docstrings, and its examples from the golden answers.
import { writeFileSync } from 'node:fs';

import { createDescriptions } from './descriptions.js';
import { createExamples } from './examples.js';

writeFileSync('src/http/descriptions.json', `${JSON.stringify(createDescriptions(), null, 2)}\n`);
writeFileSync('src/http/examples.json', `${JSON.stringify(createExamples(), null, 2)}\n`);
