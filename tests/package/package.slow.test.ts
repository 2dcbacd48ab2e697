import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ENTRIES } from '../../scripts/entry-points.js';
import * as core from '../../src/core.js';
import * as http from '../../src/http/index.js';
import * as index from '../../src/index.js';
import * as node from '../../src/node/index.js';
import * as program from '../../src/program/index.js';
import * as testing from '../../src/testing/index.js';
import { npm } from '../support/installed.js';
import pinned from './exports.json' with { type: 'json' };

const root = new URL('../..', import.meta.url).pathname;

describe('the public names', () => {
  const entries: Readonly<Record<string, object>> = { index, core, http, node, program, testing };
  const names = (entry: string) => Object.keys(entries[entry] ?? {}).sort();

  test('are those of every entry point', () => {
    const typed = ENTRIES.filter(({ isTyped }) => isTyped).map(({ file }) => file);
    expect(Object.keys(entries).sort()).toEqual(typed.sort());
    expect(Object.keys(pinned)).toEqual(expect.arrayContaining(typed));
  });

  test.each(Object.keys(entries) as (keyof typeof pinned)[])('of %s', (entry) =>
    expect(names(entry)).toEqual(pinned[entry]),
  );

  test('of the core are in the main entry point too', () => {
    expect(names('index')).toEqual(expect.arrayContaining(names('core')));
  });

  test('are in one entry point each, but for those of the core', () => {
    const { core: _, ...others } = entries;
    const all = Object.keys(others).flatMap(names);
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });
});

describe('in a browser bundle', () => {
  const bundle = async (contents: string, options: BuildOptions = {}) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      ...options,
    });
    const inputs = Object.values(metafile!.outputs).flatMap((output) => Object.entries(output.inputs));
    const held = inputs.flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []));
    const foreign = held.filter((input) => input.includes('node_modules'));
    return { code: outputFiles![0]!.text, foreign };
  };

  test.each([
    ['computeBuy', '{ computeBuy }', 'index'],
    ['a quote from raw accounts', '{ computeSell, decodePoolSnapshot, toSwapState }', 'index'],
    ['errors', '{ HeavenError, isHeavenError }', 'index'],
    ['heaven-pools/core', '*', 'core'],
  ])('%s bundles no code of kit', async (_, names, entry) => {
    expect((await bundle(`export ${names} from './src/${entry}.ts'`)).foreign).toEqual([]);
  });

  test.each(['index', 'core', 'program/index', 'testing/index'])(
    '%s bundles nothing of the server',
    async (path) => {
      const { foreign } = await bundle(`export * from './src/${path}.ts'`);
      const known = /node_modules\/(?:@noble|@scure|@solana|@solana-program|zod)\//;
      expect(foreign.filter((input) => !known.test(input))).toEqual([]);
    },
  );

  const believeNothing: Plugin = {
    name: 'believe-nothing',
    setup: ({ onResolve, resolve }) => {
      onResolve({ filter: /^\./ }, async ({ path: file, pluginData, ...rest }) => {
        if (pluginData === 'asked') return undefined;
        // What is loaded later runs then.
        if (rest.kind === 'dynamic-import') return { path: file, external: true };
        return { ...(await resolve(file, { ...rest, pluginData: 'asked' })), sideEffects: true };
      });
    },
  };
  test.each(['index', 'core', 'program/index'])(
    'importing %s has no side effects that a bundler must keep',
    async (path) => {
      const options: BuildOptions = { minify: true, packages: 'external', plugins: [believeNothing] };
      const { code } = await bundle(`import './src/${path}.ts'`, options);
      const kept = code.replaceAll(/import(?:(?:\{[^}]*\}|\*as [\w$]+ ?)from)?"[^"]*";/g, '').trim();
      expect(kept).toBe('');
    },
  );

  test('a single instruction bundles no other', async () => {
    const { code } = await bundle(`export { getBuyInstruction } from './src/program/index.ts'`);
    expect(code).toContain('66063d1201daebea');
    expect(code).not.toContain('33e685a4017f83ad');
    expect(code).not.toContain('SlotFeeBrackets');
  });

  test('Metro finds no import of a name that is not a literal, which it rejects', () => {
    const source = new URL('../../src/', import.meta.url);
    const importing = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        /^(?!node\/).*\.ts$/.test(path) &&
        /\bimport\((?:\s|\/\*.*?\*\/)*[^'"\s/]/.test(readFileSync(new URL(path, source), 'utf8')),
    );
    const { browser } = manifest;
    expect(importing.map((path) => [`./dist/${path.replace(/.*\/(.*)\.ts/, '$1.js')}`, false])).toEqual(
      Object.entries(browser),
    );
  });

  test('the core needs no Node built-in and no polyfill', async () => {
    // esbuild refuses an import of a Node built-in for the browser; what is left are globals that only Node has.
    const { code } = await bundle(`
      import { ENTRIES } from '../../scripts/entry-points.js';
import * as core from './src/index.ts';
      import { createEmbeddedLedger } from './src/testing/index.ts';
      const ledger = await createEmbeddedLedger();
      const client = core.createHeavenClient({ rpc: ledger.rpc });
      const { mint, configVersion, creator } = ledger.pools.creator;
      const quoteResponse = await core.quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
      const built = await core.buildBuy(client, { payer: creator, quoteResponse, encodedUserDefinedEventData: '' });
      globalThis.answer = built.size;
    `);
    const encoding = { atob, btoa, TextDecoder, TextEncoder, URL };
    const running = { AbortController, clearTimeout, console, crypto, fetch, setTimeout, structuredClone };
    const browser: Record<string, unknown> = { ...encoding, ...running, isSecureContext: true };
    browser.globalThis = browser;
    const absent = ['Buffer', 'global', 'process', 'require', 'setImmediate'];
    const run = new Function(...Object.keys(browser), ...absent, `return (async () => {${code}})()`);
    await run(...Object.values(browser), ...absent.map(() => undefined));
    expect(browser.answer).toBe(829);
  });
});

test('the files of Node bundle no class of the library: they import it by its name, so that each exists once', async () => {
  const { metafile } = await build({
    entryPoints: ['index', 'cli', 'mint-worker'].map((name) => `src/node/${name}.ts`),
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    outdir: 'out',
    external: [manifest.name, `${manifest.name}/*`, '#*'],
  });
  const held = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => /^src\/(?!node\/)/.test(path) && inputs[path]!.bytesInOutput > 0),
  );
  expect(held).toContain('src/base/shown.ts');
  const classes = new Set(
    held.filter((path) => /^(?:export )?class /m.test(readFileSync(root + path, 'utf8'))),
  );
  expect([...classes]).toEqual([]);
});

describe('the layers', () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  /** From the bottom up, as the page has them: a file imports from its own layer and those below. */
  const layers = [...page.matchAll(/^\| (`\w+\/`(?:, `\w+\/`)*) \|/gm)].map(([, folders = '']) =>
    Array.from(folders.matchAll(/\w+/g), ([folder]) => folder),
  );
  layers.find((names) => names.includes('transaction'))?.push('core.ts');
  layers.find((names) => names.includes('http'))?.push('index.ts');
  const source = new URL('../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'));
  const layerOf = (path: string) => layers.findIndex((names) => names.includes(path.split('/')[0]!));

  test.each(files)('%s imports nothing from above', (path) => {
    expect(layerOf(path)).toBeGreaterThanOrEqual(0);
    const { importedFiles } = ts.preProcessFile(readFileSync(new URL(path, source), 'utf8'));
    for (const { fileName } of importedFiles.filter(({ fileName }) => fileName.startsWith('.'))) {
      const target = new URL(fileName, new URL(path, source));
      if (!target.href.startsWith(source.href)) continue;
      const imported = target.href.slice(source.href.length).replace(/\.js$/, '.ts');
      expect(layerOf(imported), `${path} imports ${imported}`).toBeLessThanOrEqual(layerOf(path));
    }
  });
});

test("the links of the package's pages lead to files of the package", async () => {
  const { stdout } = await npm(root, 'pack', '--dry-run', '--json', '--ignore-scripts');
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const shipped = files.map(({ path }) => path);
  const pages = shipped.filter((path) => path.endsWith('.md'));
  expect(pages).toContain('examples/recipes/README.md');
  const isShipped = (target: string) =>
    shipped.some((path) => path === target || path.startsWith(`${target}/`));
  const broken = pages.flatMap((page) =>
    [...readFileSync(root + page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g)]
      .map(([, target = '']) => posix.join(posix.dirname(page), target))
      .filter((target) => !isShipped(target) && !/^(?:examples\/dapp|docs\/images|\.github)\b/.test(target))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});
