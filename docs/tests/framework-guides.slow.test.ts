import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { VueQueryPlugin } from '@tanstack/vue-query';
import { build, type Plugin } from 'esbuild';
import { compile, compileModule } from 'svelte/compiler';
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import { type Component, createSSRApp, h, Suspense } from 'vue';
import { compileScript, parse } from 'vue/compiler-sfc';
import { renderToString } from 'vue/server-renderer';

import { guideBundle } from '../../tests/support/bundle.js';

// The components of the guide, compiled by their frameworks and rendered on a server.

const root = new URL('../../', import.meta.url);
const guide = readFileSync(new URL('docs/pages.md', root), 'utf8');
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );

/** The component that a module exports. */
async function componentOf(code: string, plugins: Plugin[] = []): Promise<unknown> {
  const { outputFiles } = await build({
    ...guideBundle(code),
    outfile: 'component.mjs',
    // One copy of the framework: the one that renders.
    external: ['svelte', 'svelte/*', 'vue', '@tanstack/vue-query'],
    plugins,
  });
  const path = new URL(`docs/node_modules/.component-${process.pid}-${Math.random()}.mjs`, root);
  await writeFile(path, outputFiles[0]?.contents ?? '');
  try {
    return (await import(path.href)).default;
  } finally {
    await rm(path);
  }
}

const compiled = (source: string, filename: string) =>
  compile(source, { generate: 'server', filename }).js.code;

/** Compiles Svelte's own files, and gives the component the guide's module and the provider that it needs. */
const svelte: Plugin = {
  name: 'svelte',
  setup: ({ onResolve, onLoad }) => {
    const virtual: Readonly<Record<string, string>> = {
      './App.svelte': compiled(blocksOf('svelte')[0] ?? '', 'App.svelte'),
      './heaven': blocksOf('ts compile-only').find((code) => code.includes('export const client')) ?? '',
    };
    onResolve({ filter: /^\.\/(?:App\.svelte|heaven)$/ }, ({ path }) => ({ path, namespace: 'guide' }));
    onLoad({ filter: /.*/, namespace: 'guide' }, ({ path }) => ({
      contents: virtual[path] ?? '',
      loader: 'ts',
      resolveDir: new URL('docs', root).pathname,
    }));
    onLoad({ filter: /\.svelte(?:\.js)?$/, namespace: 'file' }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = path.endsWith('.js')
        ? compileModule(source, { generate: 'server', filename: path }).js.code
        : compiled(source, path);
      return { contents, loader: 'ts' };
    });
  },
};

test('the Svelte component of the guide compiles without a warning, and renders', async () => {
  const [source = ''] = blocksOf('svelte');
  expect(compile(source, { generate: 'client', filename: 'App.svelte' }).warnings).toEqual([]);
  const page = `<script>
    import { QueryClient, QueryClientProvider } from '@tanstack/svelte-query';
    import App from './App.svelte';
  </script>
  <QueryClientProvider client={new QueryClient()}><App /></QueryClientProvider>`;
  const Page = (await componentOf(compiled(page, 'Page.svelte'), [svelte])) as Parameters<typeof render>[0];
  const { body } = await render(Page, { props: {} as never });
  expect(body).toContain('inputmode="decimal"');
});

test('the Vue component of the guide renders', async () => {
  const { descriptor, errors } = parse(blocksOf('vue')[0] ?? '', { filename: 'App.vue' });
  expect(errors).toEqual([]);
  const { content } = compileScript(descriptor, {
    id: 'app',
    inlineTemplate: true,
    templateOptions: { ssr: true, ssrCssVars: [] },
  });
  const App = (await componentOf(content)) as Component;
  const app = createSSRApp({ render: () => h(Suspense, null, [h(App)]) });
  expect(await renderToString(app.use(VueQueryPlugin))).toContain('<input');
});
