import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

// The page runs on the sources, so that nothing has to be built before. In a project of your own, where `heaven-pools` is
// installed, no configuration is needed.
const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Names the files of src/page.tsx in the HTML, so that they load while src/main.ts does. */
const preloadPage: Plugin = {
  name: 'preload-page',
  apply: 'build',
  transformIndexHtml: (_, { bundle = {} }) =>
    Object.values(bundle).flatMap((chunk) => {
      if (chunk.type !== 'chunk' || chunk.name !== 'page') return [];
      return [chunk.fileName, ...chunk.imports].map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
        injectTo: 'head' as const,
      }));
    }),
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [preloadPage],
  resolve: {
    alias: [
      { find: /^heaven-pools$/, replacement: `${src}/index.ts` },
      { find: /^heaven-pools\/(\w+)$/, replacement: `${src}/$1/index.ts` },
    ],
  },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true },
});
