// `npm run vectors` writes tests/vectors/*.json from the library.
import { writeFileSync } from 'node:fs';

import { createVectorFiles } from './vectors/index.js';

for (const [name, text] of await createVectorFiles()) writeFileSync(`tests/vectors/${name}`, text);
