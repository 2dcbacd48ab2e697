import { configDefaults, defineConfig } from 'vitest/config';
import { ALIASES } from './scripts/entry-points.js';

/** It counts the calls of all functions that are loaded. */
const COUNTING = 'tests/hostile/bodies.slow.test.ts';

export default defineConfig({
  resolve: { alias: ALIASES },
  test: {
    // These only end what hangs: on a busy machine anything may take long. See also tests/support/hang.ts.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // By default one core is left to the watcher, which on two cores is half of them.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{tests,docs,examples}/**/!(*.slow).test.ts'],
          // The files share their modules: each worker loads the SDK and kit once.
          isolate: false,
          provide: { engine: 'handler' },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['{tests,docs,examples}/**/*.slow.test.ts'],
          exclude: [...configDefaults.exclude, COUNTING],
          isolate: false,
          provide: { engine: 'handler' },
        },
      },
      {
        extends: true,
        test: {
          name: 'counting',
          include: [COUNTING],
          provide: { engine: 'handler' },
        },
      },
      {
        extends: true,
        test: {
          name: 'node server',
          include: [
            'tests/http/{every-operation,requests,errors,remote-client}.test.ts',
            'tests/golden/refusals.test.ts',
          ],
          provide: { engine: 'node' },
        },
      },
      {
        extends: true,
        test: {
          name: 'workerd',
          include: ['tests/http/{every-operation,requests}.test.ts', 'tests/golden/refusals.test.ts'],
          provide: { engine: 'workerd' },
        },
      },
    ],
  },
});
