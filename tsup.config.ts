import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    core: 'src/core.ts',
    http: 'src/http/index.ts',
    node: 'src/node/index.ts',
    program: 'src/program/index.ts',
    testing: 'src/testing/index.ts',
    cli: 'src/node/cli.ts',
    'mint-worker': 'src/node/mint-worker.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  clean: true,
  dts: {
    entry: {
      index: 'src/index.ts',
      core: 'src/core.ts',
      http: 'src/http/index.ts',
      node: 'src/node/index.ts',
      program: 'src/program/index.ts',
      testing: 'src/testing/index.ts',
    },
  },
  external: [/^node:/],
});
