import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = fileURLToPath(new URL('src', import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^heaven-pools$/, replacement: `${src}/index.ts` },
      { find: /^heaven-pools\/(\w+)$/, replacement: `${src}/$1/index.ts` },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    benchmark: { include: ['bench/**/*.bench.ts'] },
  },
});
