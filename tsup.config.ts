import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { defineConfig, type Options } from 'tsup';
import ts from 'typescript';
import { ENTRIES } from './scripts/entry-points.js';

const shared: Options = {
  format: 'esm',
  target: 'es2022',
  splitting: true,
  sourcemap: true,
};

/** What is imported when it is first needed, or left out of pages and apps by `browser` in `package.json`: by file, its source. */
const LATER = {
  'node-check': 'src/http/node-check.ts',
  'what-it-is': 'src/pool/what-it-is.ts',
  'import-package': 'src/testing/import-package.ts',
};

/** The entry point that isn't for any runtime. */
const NODE = 'node';

/** The library, for any runtime. What the package depends on stays outside. */
const library: Options = {
  ...shared,
  name: 'library',
  // Behind `imports` in package.json is what Node's files take from the library and the entry points don't export.
  entry: Object.fromEntries(
    ENTRIES.filter(({ file }) => file !== NODE).map(({ file, source }) => [file, source]),
  ),
  platform: 'neutral',
  external: [/^node:/, ...Object.keys(LATER).map((file) => `./${file}.js`)],
  removeNodeProtocol: false,
  esbuildOptions: (options) => {
    // The sources are in the package, so that a debugger steps through them: the maps need not hold them too.
    options.sourcesContent = false;
  },
};

/** Takes the class of the library's errors from the library, so that it exists once. */
const sharedErrors: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-errors',
  setup: ({ onResolve }) =>
    onResolve({ filter: /errors\.js$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path) === resolve('src/base/errors.js')
        ? { path: './core.js', external: true, sideEffects: false }
        : undefined,
    ),
};

/**
 * The files at these names. The quotes with which a remote client checks a service, and what explains why a read failed, are functions of
 * their own: a bundler puts what two chunks share into the one that a page loads first.
 */
const later: Options = {
  ...library,
  name: 'later',
  entry: LATER,
  splitting: false,
  esbuildPlugins: [sharedErrors],
};

/** The entry points that have types. One run of the compiler is for all, those of `heaven-pools/node` too. */
const TYPED = ENTRIES.filter(({ isTyped }) => isTyped);

/**
 * Writes the declarations of the entry points into a folder, with maps, so that "go to definition" leads to the source. They are made
 * file by file, without checking types, as `npm run types` does that, and then bundled: to bundle them out of the sources takes three
 * times as long.
 */
async function writeDeclarations(outDir: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, '.');
  const { diagnostics } = ts
    .createProgram(
      TYPED.map(({ source }) => source),
      {
        ...options,
        noEmit: false,
        declaration: true,
        declarationMap: true,
        emitDeclarationOnly: true,
        noCheck: true,
        outDir: folder,
        rootDir: 'src',
      },
    )
    .emit();
  if (diagnostics.length > 0)
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
  const declared = (source: string) =>
    join(folder, source.replace(/^(?:\.\/)?src\//, '').replace(/\.ts$/, '.d.ts'));
  const bundle = await rollup({
    // What the package depends on stays outside, which it would call unresolved.
    logLevel: 'silent',
    input: Object.fromEntries(TYPED.map(({ file, source }) => [file, declared(source)])),
    plugins: [
      dts({
        sourcemap: true,
        compilerOptions: {
          paths: Object.fromEntries(
            Object.entries(options.paths ?? {}).map(([name, sources]) => [name, sources.map(declared)]),
          ),
        },
      }),
    ],
  });
  await bundle.write({ dir: outDir, sourcemap: true, chunkFileNames: 'types-[hash].d.ts' });
  await bundle.close();
}

const SHORT_MAP = btoa('{"version":3,"sources":[""],"mappings":"AAAA"}');

/** Leaves the bundled packages out of the maps by giving each one that maps its start: their sources aren't in the package. */
const shortMaps: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'short-maps',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${SHORT_MAP}`,
    })),
};

/** The server and the command line, for Node. They import the library by its name, so that each of its classes exists once. */
const node = (outDir: string): Options => ({
  ...shared,
  name: 'node',
  entry: {
    [NODE]: 'src/node/index.ts',
    cli: 'src/node/cli.ts',
    'mint-worker': 'src/node/mint-worker.ts',
  },
  platform: 'node',
  external: [/^heaven-pools(\/|$)/, /^#/],
  // Bundled, so that installing the SDK does not install them.
  noExternal: [
    '@hono/node-server',
    'commander',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    'sonic-boom',
  ],
  removeNodeProtocol: false,
  esbuildPlugins: [shortMaps],
  // The bundled packages are CommonJS, and require modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  esbuildOptions: (options) => {
    options.chunkNames = 'node-[hash]';
    // Nearly all of it is the bundled packages. Names stay, for stack traces.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    options.sourcesContent = false;
    // Their licenses are in the notices.
    options.legalComments = 'none';
  },
  metafile: true,
  onSuccess: `node scripts/notices.mjs ${outDir}/metafile-esm.json`,
});

export default defineConfig(async ({ outDir = 'dist', dts: isTyped }) => {
  // Both write to this folder, so neither can clean it for itself.
  await rm(outDir, { recursive: true, force: true });
  if (isTyped !== false) await writeDeclarations(outDir);
  return [library, later, node(outDir)];
});
