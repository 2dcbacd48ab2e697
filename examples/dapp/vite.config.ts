import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The page runs on the sources, so that nothing has to be built before. In a project of your own, where `heaven-pools` is
// installed, no configuration is needed.
const src = fileURLToPath(new URL('../../src', import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: {
    alias: [
      { find: /^heaven-pools$/, replacement: `${src}/index.ts` },
      { find: /^heaven-pools\/(\w+)$/, replacement: `${src}/$1/index.ts` },
    ],
  },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true },
});
