import { build } from 'esbuild';
import { expect, test } from 'vitest';

const bundle = async (contents: string) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL('../../..', import.meta.url).pathname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
};

/** A text of each part that is in no other. */
const PARTS = {
  watchPool: 'accountSubscribe',
  quoteMany: 'requests[',
  heaven: 'use the plugin that gives it before this one',
} as const;

test.each(['quoteBuy', 'buildBuy', 'createHeavenClient', 'shareReads', 'createLocalClient'])(
  'a bundle of %s has no code of watches, quoteMany or the plugin',
  async (name) => {
    const code = await bundle(`export { ${name} } from './src/index.ts'`);
    expect(code.length).toBeGreaterThan(1_000);
    for (const [part, text] of Object.entries(PARTS)) {
      expect(code.includes(text), part).toBe(false);
    }
  },
);

test('a bundle of watchPool or quoteMany has no code of transactions', async () => {
  for (const name of ['watchPool', 'quoteMany'] as const) {
    const code = await bundle(`export { ${name} } from './src/index.ts'`);
    expect(code).toContain(PARTS[name]);
    expect(code).not.toContain('getLatestBlockhash');
  }
});
