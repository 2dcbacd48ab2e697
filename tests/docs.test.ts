import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test, vi } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pages = ['README.md', ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
);

const blocks = pages.flatMap((page) =>
  [...read(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ''], index) => ({
    name: `${page}, block ${index + 1}`,
    code,
  })),
);
const examples = readdirSync(new URL('examples', root)).filter((name) => name.endsWith('.ts'));

/** Runs code as a user would have it: bundled, with the package under its own name. */
async function run(code: string): Promise<readonly string[]> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root.pathname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: new URL('tsconfig.json', root).pathname,
  });
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => void lines.push(values.join(' ')));
  try {
    await import(
      `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`
    );
  } finally {
    log.mockRestore();
  }
  return lines;
}

test.each(blocks)('$name runs as it stands', async ({ code }) => {
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value]) => value);
  const printed = await run(code);
  expect(printed.length).toBeGreaterThan(0);
  for (const value of promised) expect(printed).toContain(value);
});

test.each(examples)('examples/%s runs', async (name) => {
  expect((await run(read(`examples/${name}`))).length).toBeGreaterThan(1);
});

test('links between the pages lead somewhere', () => {
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g)) {
      expect(() => readFileSync(new URL(target || page, new URL(page, root)))).not.toThrow(/ENOENT/);
    }
  }
});
