// Writes idl/heaven.json from the declarations of the program layer.
import { writeFileSync } from 'node:fs';

import { createHeavenIdl } from '../dist/program.js';

writeFileSync('idl/heaven.json', `${JSON.stringify(createHeavenIdl(), null, 2)}\n`);
