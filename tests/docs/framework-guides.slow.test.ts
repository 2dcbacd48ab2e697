import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { compile } from 'svelte/compiler';
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import { type Component, createSSRApp, h, Suspense } from 'vue';
import { compileScript, parse } from 'vue/compiler-sfc';
import { renderToString } from 'vue/server-renderer';

import { guideBundle } from '../support/bundle.js';

// The components of the guides, compiled by their frameworks and rendered on a server. In a browser, React's are in tests/consumer.

const root = new URL('../../', import.meta.url);
const blockOf = (page: string, language: string) => {
  const text = readFileSync(new URL(`docs/${page}.md`, root), 'utf8');
  const [, code] = new RegExp(`^\`\`\`${language}[^\n]*\n([\\s\\S]*?)^\`\`\``, 'm').exec(text) ?? [];
  if (code === undefined) throw new Error(`docs/${page}.md has no block in ${language}.`);
  return code;
};

/** The component that a module exports. */
async function componentOf(code: string, plugins: Plugin[] = []): Promise<unknown> {
  const { outputFiles } = await build({
    ...guideBundle(code),
    outfile: 'component.mjs',
    // One copy of the framework: the one that renders.
    external: ['svelte', 'svelte/*', 'vue'],
    plugins,
  });
  const path = new URL(`node_modules/.component-${process.pid}-${Math.random()}.mjs`, root);
  await writeFile(path, outputFiles[0]?.contents ?? '');
  try {
    return (await import(path.href)).default;
  } finally {
    await rm(path);
  }
}

/** The module of a guide that its component imports. */
const moduleOf = (page: string, name: string): Plugin => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`/${name}$`) }, () => ({ path: name, namespace: 'guide' }));
    onLoad({ filter: /.*/, namespace: 'guide' }, () => ({
      contents: blockOf(page, 'ts'),
      loader: 'ts',
      resolveDir: root.pathname,
    }));
  },
});

test('the Svelte component of the guide renders', async () => {
  const source = blockOf('svelte', 'svelte');
  expect(compile(source, { generate: 'client', filename: 'App.svelte' }).warnings).toEqual([]);
  const { js } = compile(source, { generate: 'server', filename: 'App.svelte' });
  const App = (await componentOf(js.code, [moduleOf('svelte', 'heaven')])) as Parameters<typeof render>[0];
  const { body } = await render(App, { props: {} as never });
  expect(body).toContain('<input inputmode="decimal"');
  expect(body).toContain('opacity: 1');
});

test('the Vue component of the guide renders', async () => {
  const { descriptor, errors } = parse(blockOf('vue', 'vue'), { filename: 'App.vue' });
  expect(errors).toEqual([]);
  const { content } = compileScript(descriptor, {
    id: 'app',
    inlineTemplate: true,
    templateOptions: { ssr: true, ssrCssVars: [] },
  });
  const App = (await componentOf(content, [moduleOf('vue', 'useStore')])) as Component;
  const html = await renderToString(createSSRApp({ render: () => h(Suspense, null, [h(App)]) }));
  expect(html).toContain('<input');
  expect(html).toContain('opacity:1');
});
