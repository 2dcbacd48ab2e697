import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig } from 'tsup';

const root = import.meta.dirname;

/** The entry points of the package. */
const entry = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  http: 'src/http/index.ts',
  node: 'src/node/index.ts',
  program: 'src/program/index.ts',
  testing: 'src/testing/index.ts',
};

/** esbuild leaves a file without code where an entry point holds nothing but re-exports: it and what loads it can go. */
async function dropEmptyFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const files = new Map<string, string>();
  for (const name of names) files.set(name, await readFile(`${folder}/${name}`, 'utf8'));
  for (const [empty, content] of files) {
    if (!empty.startsWith('chunk-') || content.replace(/^\/\/#.*$/gm, '').trim() !== '') continue;
    for (const [name, code] of files) {
      // An empty line in its place keeps the lines of the source map.
      const without = code.replace(`import "./${empty}";\n`, '\n');
      if (without !== code) await writeFile(`${folder}/${name}`, without);
      files.set(name, without);
    }
    await rm(`${folder}/${empty}`);
    await rm(`${folder}/${empty}.map`, { force: true });
  }
}

/** Packages that kit exports all of. The compiler names them in types that it infers, but they are no dependency of ours. */
const PARTS_OF_KIT = /import\("@solana\/(?:addresses|instructions|transactions)"\)/g;

/** Declarations file by file, with maps to the sources in the package: "go to definition" leads to the code itself. */
async function writeDeclarations(folder: string): Promise<void> {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root, {
    noEmit: false,
    declaration: true,
    declarationMap: true,
    emitDeclarationOnly: true,
    paths: {},
    rootDir: join(root, 'src'),
    outDir: folder,
  });
  const program = ts.createProgram(
    Object.values(entry).map((path) => join(root, path)),
    options,
  );
  const { diagnostics } = program.emit(undefined, (path, text) =>
    ts.sys.writeFile(
      path,
      path.endsWith('.map') ? text : text.replace(PARTS_OF_KIT, 'import("@solana/kit")'),
    ),
  );
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(problems, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    }),
  );
}

export default defineConfig(({ dts, outDir = 'dist' }) => ({
  entry: {
    ...entry,
    cli: 'src/node/cli.ts',
    'grind-worker': 'src/node/grind-worker.ts',
    'mint-worker': 'src/node/mint-worker.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  clean: true,
  external: [/^node:/],
  // Kept, as not every engine finds Node's own modules without it.
  removeNodeProtocol: false,
  // The sources are in the package, so that a debugger steps through them: the maps need not hold them too.
  sourcemap: true,
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  dts: false,
  async onSuccess() {
    await dropEmptyFiles(outDir);
    if (dts !== false) await writeDeclarations(join(root, outDir));
  },
}));
