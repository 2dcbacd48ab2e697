// Writes idl/heaven.json from the declarations of the program layer.
import { writeFileSync } from 'node:fs';

import { getHeavenIdl } from '../dist/program.js';

writeFileSync('idl/heaven.json', `${JSON.stringify(getHeavenIdl(), null, 2)}\n`);
