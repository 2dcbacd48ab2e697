// `npm run idl` writes idl/heaven.json from the declarations of the program layer.
import { writeFileSync } from 'node:fs';

import { createHeavenIdl } from './idl.js';

writeFileSync('idl/heaven.json', `${JSON.stringify(createHeavenIdl(), null, 2)}\n`);
