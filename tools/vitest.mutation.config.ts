import { defineConfig } from 'vitest/config';

import base from '../vitest.config.js';

// The fast tests of some folders for Stryker, as a single project: it doesn't choose between several.

const { projects, ...test } = base.test ?? {};
const folders = (process.env.MUTATION_TESTS ?? '**').split(',');

export default defineConfig({
  ...base,
  test: {
    ...test,
    isolate: false,
    include: folders.map((folder) => `tests/${folder}/**/!(*.slow).test.ts`),
    provide: { engine: 'handler' },
  },
});
