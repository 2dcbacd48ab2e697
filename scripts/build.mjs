import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';

const root = import.meta.dirname;

/** The entry points of the package. */
const entry = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  check: 'src/check/index.ts',
  http: 'src/http/index.ts',
  node: 'src/node/index.ts',
  program: 'src/program/index.ts',
  testing: 'src/testing/index.ts',
};

/**
 * Packages that come bundled, so that installing the SDK does not install them: by their name, what of them is used. All are for Node.
 */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  commander: ['Command', 'CommanderError', 'InvalidArgumentError', 'Option'],
  pino: ['pino'],
  'prom-client': ['Counter', 'Gauge', 'Histogram', 'Registry', 'collectDefaultMetrics'],
};

/** Those that something imports. */
const imported = new Set<string>();

/** Each in a file of its own, which no chunk of the SDK can draw in. Any other package must be one that is depended on. */
const importBundled: Plugin = {
  name: 'import-bundled',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (Object.hasOwn(BUNDLED, path)) {
        imported.add(path);
        return { path: `./vendor/${path}.js`, external: true };
      }
      return { errors: [{ text: `${path} is neither a dependency nor bundled: see BUNDLED` }] };
    });
  },
};

/** Writes the files that {@link importBundled} names. Gives the folders of the packages in them. */
async function bundlePackages(folder: string): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const name of imported) {
    const { metafile } = await build({
      stdin: { contents: `export { ${BUNDLED[name]?.join(', ')} } from '${name}';`, resolveDir: root },
      outfile: join(folder, 'vendor', `${name}.js`),
      absWorkingDir: root,
      bundle: true,
      minify: true,
      metafile: true,
      format: 'esm',
      target: 'es2022',
      platform: 'node',
      // The packages are CommonJS, and ask for modules of Node.
      banner: {
        js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
      },
      // They are in the notices.
      legalComments: 'none',
      logLevel: 'warning',
    });
    for (const { inputs } of Object.values(metafile.outputs)) {
      for (const input of Object.keys(inputs)) {
        const [found] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
        if (found !== undefined) folders.add(found);
      }
    }
  }
  return [...folders].sort();
}

/** Writes down whose code the package holds, and on what terms. */
async function writeNotices(folders: readonly string[]): Promise<void> {
  const notices = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(
        await readFile(join(root, folder, 'package.json'), 'utf8'),
      );
      const files = (await readdir(join(root, folder))).filter((file) =>
        /^(?:licen[cs]e|notice)\b/i.test(file),
      );
      if (files.length === 0) throw new Error(`${name} has no licence to go with its code`);
      const texts = await Promise.all(files.map((file) => readFile(join(root, folder, file), 'utf8')));
      const text = texts.map((each) => each.replaceAll('\r', '').trim()).join('\n\n');
      return `## ${name} ${version}\n\n${license}\n\n\`\`\`\n${text}\n\`\`\`\n`;
    }),
  );
  const title = '# Third-party notices\n\n`dist/vendor` holds code of these packages.\n';
  await writeFile(join(root, 'THIRD-PARTY-NOTICES.md'), [title, ...notices].join('\n'));
}

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
  const written = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => {
    written.set(path, path.endsWith('.map') ? text : text.replace(PARTS_OF_KIT, 'import("@solana/kit")'));
  });
  // Of the files behind the entry points, those that their types need.
  const needed = new Set(
    Object.values(entry).map((path) => join(folder, path.replace(/^src(.*)\.ts$/, '$1.d.ts'))),
  );
  for (const path of needed) {
    const text = written.get(path);
    if (text === undefined) continue;
    ts.sys.writeFile(path, text);
    ts.sys.writeFile(`${path}.map`, written.get(`${path}.map`) ?? '');
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
      needed.add(join(path, '..', fileName.replace(/\.js$/, '.d.ts')));
  }
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
  esbuildPlugins: [importBundled],
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
    await writeNotices(await bundlePackages(join(root, outDir)));
    if (dts !== false) await writeDeclarations(join(root, outDir));
  },
}));
