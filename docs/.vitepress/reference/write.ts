import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { referenceFiles } from './site.js';

const out = new URL('../../api/', import.meta.url);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, text] of referenceFiles()) writeFileSync(new URL(name, out), text);
