// `node scripts/build.mjs [--no-dts] [--out-dir dist]`: bundles the package, and writes its declarations unless told not to.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const {
  values: { dts, 'out-dir': outDir },
} = parseArgs({
  allowNegative: true,
  options: { dts: { type: 'boolean', default: true }, 'out-dir': { type: 'string', default: 'dist' } },
});
const folder = resolve(root, outDir);

/** The entry points of the package. */
const entry = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  http: 'src/http/index.ts',
  node: 'src/node/index.ts',
  program: 'src/program/index.ts',
  testing: 'src/testing/index.ts',
};

/** Programs of ours that start by themselves. */
const programs = {
  cli: 'src/node/cli.ts',
  'grind-worker': 'src/node/grind-worker.ts',
  'mint-worker': 'src/node/mint-worker.ts',
};

/**
 * What each entry point needs beyond those before it goes into one file: a file costs Node more than its text. A program that takes the
 * core loads nothing else, and one that takes the SDK loads four files.
 */
const LAYERS = ['core', 'program', 'index', 'testing', 'http', 'node'];

/** Packages that come bundled, so that installing the SDK does not install them: by their name, what of them is used. All are for Node. */
const BUNDLED = {
  commander: ['Command', 'CommanderError', 'InvalidArgumentError', 'Option'],
  pino: ['pino'],
  'prom-client': ['Counter', 'Gauge', 'Histogram', 'Registry', 'collectDefaultMetrics'],
};

/** Packages that are bundled into our own files, because they import kit as a whole. */
const INLINED = ['@solana-program/compute-budget', '@solana-program/system', '@solana-program/token'];

const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const installed = Object.keys({ ...dependencies, ...peerDependencies });

const KIT = '@solana/kit';

/** Those that something imports. */
const imported = new Set();

/** By each function of kit, the package that it comes from, among our dependencies. */
const partOf = new Map();
for (const part of installed.filter((name) => name.startsWith('@solana/') && name !== KIT))
  for (const name of Object.keys(await import(part))) if (!partOf.has(name)) partOf.set(name, part);

/**
 * Replaces imports from kit by imports from its packages, where we depend on them. Importing kit takes Node twice as long as importing
 * these packages.
 */
const importPartsOfKit = {
  name: 'import-parts-of-kit',
  transform: (code, id) => ({
    code: code.replace(/^import \{([^}]*)\} from '@solana\/kit';/gm, importParts),
    // As no line moves, the source map of before stays right. The sources of other packages don't come with ours.
    map: id.includes('node_modules') ? { mappings: '' } : null,
  }),
};

function importParts(statement, names) {
  const parts = new Map();
  for (const name of names.split(',').map((each) => each.trim())) {
    if (name === '' || name.startsWith('type ')) continue;
    const part = partOf.get(name.split(' as ')[0]) ?? KIT;
    parts.set(part, [...(parts.get(part) ?? []), name]);
  }
  const imports = [...parts].map(([part, each]) => `import { ${each.join(', ')} } from '${part}';`);
  return imports.join(' ') + statement.replace(/[^\n]/g, '');
}

/** Leaves packages out: each that is bundled has a file of its own, and any other must be inlined or one that is depended on. */
const leavePackagesOut = {
  name: 'leave-packages-out',
  resolveId(path, importer) {
    if (importer === undefined || /^[./]/.test(path) || INLINED.includes(path)) return undefined;
    // What their packages import by kit's name.
    if (path === `${KIT}/program-client-core`) return { id: '@solana/program-client-core', external: true };
    if (path.startsWith('node:') || installed.some((name) => path === name || path.startsWith(`${name}/`)))
      return { id: path, external: true };
    if (!Object.hasOwn(BUNDLED, path))
      throw new Error(`${path} is neither a dependency nor bundled: see BUNDLED`);
    imported.add(path);
    return { id: `./vendor/${path}.js`, external: true };
  },
};

/** What imports what, by the files of `src`. */
async function readImports(input) {
  const imports = new Map();
  const note = {
    name: 'note-imports',
    moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
  };
  const bundle = await rolldown({
    input,
    platform: 'neutral',
    plugins: [importPartsOfKit, leavePackagesOut, note],
  });
  await bundle.generate({ format: 'esm' });
  await bundle.close();
  return imports;
}

/** The layer of each file that an entry point loads at once. What only programs of ours or a dynamic import load has none. */
async function layersOf(input) {
  const imports = await readImports(input);
  const layers = new Map();
  const visit = (file, layer) => {
    if (layers.has(file) || !imports.has(file)) return;
    layers.set(file, layer);
    for (const each of imports.get(file)) visit(each, layer);
  };
  for (const layer of LAYERS) visit(join(root, entry[layer]), layer);
  return layers;
}

async function bundle() {
  const input = Object.fromEntries(
    Object.entries({ ...entry, ...programs }).map(([name, path]) => [name, join(root, path)]),
  );
  const layers = await layersOf(input);
  const bundled = await rolldown({
    input,
    platform: 'neutral',
    plugins: [importPartsOfKit, leavePackagesOut],
    preserveEntrySignatures: 'allow-extension',
    treeshake: { moduleSideEffects: false },
    transform: { target: 'es2022' },
    // No comments that name the source file of each part: the maps do.
    experimental: { attachDebugInfo: 'none' },
  });
  const { output } = await bundled.write({
    dir: folder,
    format: 'esm',
    chunkFileNames: 'shared-[name].js',
    // The sources are in the package, so that a debugger steps through them: the maps need not hold them too.
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'layers', name: (file) => layers.get(file) ?? null }],
    },
  });
  await bundled.close();
  const main = output.find(({ fileName }) => fileName === 'shared-index.js');
  if (main === undefined || main.code.includes(`"${KIT}"`))
    throw new Error(`The main entry point must not load all of ${KIT}: import what our dependencies have.`);
}

/** Writes the files that {@link leavePackagesOut} names. Gives the folders of the packages in them. */
async function bundlePackages() {
  const folders = new Set();
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
  for (const name of INLINED) folders.add(`node_modules/${name}`);
  return [...folders];
}

/** Writes down whose code the package holds, and on what terms. */
async function writeNotices(folders) {
  const packages = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(
        await readFile(join(root, folder, 'package.json'), 'utf8'),
      );
      const files = (await readdir(join(root, folder))).filter((file) =>
        /^(?:licen[cs]e|notice)\b/i.test(file),
      );
      const texts = await Promise.all(files.map((file) => readFile(join(root, folder, file), 'utf8')));
      const text = texts.map((each) => each.replaceAll('\r', '').trim()).join('\n\n');
      return { name, version, license, text };
    }),
  );
  packages.sort((one, other) => (one.name < other.name ? -1 : 1));
  const sections = packages.map(({ name, version, license, text }) => {
    // Some packages ship without the text of their licence. Another package's copy is the same.
    const owner =
      text === '' ? packages.find((other) => other.license === license && other.text !== '') : undefined;
    if (text === '' && owner === undefined) throw new Error(`${name} has no licence to go with its code`);
    const terms = owner === undefined ? `\`\`\`\n${text}\n\`\`\`` : `Its text is that of ${owner.name}.`;
    return `## ${name} ${version}\n\n${license}\n\n${terms}\n`;
  });
  const title = '# Third-party notices\n\n`dist` holds code of these packages.\n';
  await writeFile(join(root, 'THIRD-PARTY-NOTICES.md'), [title, ...sections].join('\n'));
}

/** Declarations file by file, with maps to the sources in the package: "go to definition" leads to the code itself. */
async function writeDeclarations() {
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
  const written = new Map();
  const { diagnostics } = program.emit(undefined, (path, text) => {
    written.set(path, text);
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

await rm(folder, { recursive: true, force: true });
await bundle();
await writeNotices(await bundlePackages());
if (dts) await writeDeclarations();
