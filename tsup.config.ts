import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import ts from 'typescript';

const shared: Options = {
  format: 'esm',
  target: 'es2022',
  splitting: true,
};

/** The library, for any runtime. What the package depends on stays outside. */
const library: Options = {
  ...shared,
  name: 'library',
  entry: {
    index: 'src/index.ts',
    core: 'src/core.ts',
    http: 'src/http/index.ts',
    program: 'src/program/index.ts',
    testing: 'src/testing/index.ts',
    // Behind `imports` in package.json: what Node's files take from the library and the entry points don't export.
    verify: 'src/verify/index.ts',
    input: 'src/base/input.ts',
    'signed-bytes': 'src/transaction/prepared/signed-bytes.ts',
  },
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  sourcemap: true,
  esbuildOptions: (options) => {
    // The sources are in the package, so that a debugger steps through them: the maps need not hold them too.
    options.sourcesContent = false;
  },
};

/** The entry points that have types. One run of the compiler is for all, those of `heaven-pools/node` too. */
const TYPED = ['index', 'core', 'http/index', 'node/index', 'program/index', 'testing/index'];

/**
 * Writes the declarations of each file into a folder, without checking types, as `npm run types` does that. To bundle these takes a
 * third of the time that it takes to bundle declarations out of the sources.
 */
function writeDeclarations(): NonNullable<Options['dts']> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, '.');
  const { diagnostics } = ts
    .createProgram(
      TYPED.map((name) => `src/${name}.ts`),
      {
        ...options,
        noEmit: false,
        declaration: true,
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
  return {
    entry: Object.fromEntries(TYPED.map((name) => [name.replace('/index', ''), declared(`${name}.ts`)])),
    compilerOptions: {
      paths: Object.fromEntries(
        Object.entries(options.paths ?? {}).map(([name, sources]) => [name, sources.map(declared)]),
      ),
    },
  };
}

/** The server and the command line, for Node. They import the library by its name, so that each of its classes exists once. */
const node = (outDir: string): Options => ({
  ...shared,
  name: 'node',
  entry: {
    node: 'src/node/index.ts',
    cli: 'src/node/cli.ts',
    'mint-worker': 'src/node/mint-worker.ts',
  },
  platform: 'node',
  external: [/^heaven-pools(\/|$)/, /^#/],
  // Bundled, so that installing the SDK does not install them.
  noExternal: [
    '@hono/node-server',
    'commander',
    'ioredis',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    'sonic-boom',
  ],
  removeNodeProtocol: false,
  // The bundled packages are CommonJS, and require modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  esbuildOptions: (options) => {
    options.chunkNames = 'node-[hash]';
    // Their licenses are in the notices.
    options.legalComments = 'none';
  },
  metafile: true,
  onSuccess: `node scripts/notices.mjs ${outDir}/metafile-esm.json`,
});

export default defineConfig(async ({ outDir = 'dist', dts }) => {
  // Both write to this folder, so neither can clean it for itself.
  await rm(outDir, { recursive: true, force: true });
  return [dts === false ? library : { ...library, dts: writeDeclarations() }, node(outDir)];
});
