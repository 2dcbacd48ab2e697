// `npm run openapi` writes the OpenAPI document of the HTTP interface: from the operations' fields and the schemas of the answers, with the
// docstrings as descriptions and the golden answers as examples. And what a service's errors may hold, from the contexts of the errors.
import { writeFileSync } from 'node:fs';

import { createErrorContexts } from './error-contexts.js';
import { createOpenApiLines } from './openapi.js';

const write = (name: string, value: unknown) =>
  writeFileSync(`src/http/${name}.json`, `${JSON.stringify(value, null, 2)}\n`);

write('error-contexts', createErrorContexts());
write('openapi', createOpenApiLines());
