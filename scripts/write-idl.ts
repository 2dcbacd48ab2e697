// `npm run idl` writes src/program/idl.json from the declarations of the program layer.
import { writeFileSync } from 'node:fs';

import { createHeavenIdl } from './idl.js';

writeFileSync('src/program/idl.json', `${JSON.stringify(createHeavenIdl(), null, 2)}\n`);
