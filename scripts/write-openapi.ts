// `npm run openapi` writes the OpenAPI document of the HTTP interface: from the operations' fields and the schemas of the answers, with the
// docstrings as descriptions and the golden answers as examples.
import { writeFileSync } from 'node:fs';

import { createOpenApiLines } from './openapi.js';

writeFileSync('src/http/openapi.json', `${JSON.stringify(createOpenApiLines(), null, 2)}\n`);
