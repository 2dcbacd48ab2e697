// `npm run descriptions` writes the descriptions of the HTTP interface from the docstrings.
import { writeFileSync } from 'node:fs';

import { createDescriptions } from './descriptions.js';

writeFileSync('src/http/descriptions.json', `${JSON.stringify(createDescriptions(), null, 2)}\n`);
