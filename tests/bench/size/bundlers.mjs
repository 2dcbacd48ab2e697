// Bundles an import as a page would, without code splitting of its own making, and weighs what the page loads at first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

const ENTRY = '<entry>';
const define = { 'process.env.NODE_ENV': '"production"' };
const gzip = (content) => gzipSync(content, { level: 9 }).length;

/** Imports that a plain browser bundle rejects. A second attempt replaces them with empty modules, to get a size. */
const BUILTIN =
  /^(node:)?(assert|buffer|child_process|crypto|dns|events|fs|http|https|module|net|os|path|process|punycode|querystring|stream|string_decoder|timers|tls|tty|url|util|vm|worker_threads|zlib)(\/.*)?$/;
const EMPTY = 'module.exports = {};';

/** The chunks that are there when the page starts: the entry and its static imports, not what it may import later. */
function initial(entry, importsOf, seen = new Set()) {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const imported of importsOf(entry)) initial(imported, importsOf, seen);
  return seen;
}

async function withEsbuild(code, folder, isHelped, alias) {
  const wasm = [];
  const helper = {
    name: 'helper',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: BUILTIN }, ({ path }) => ({ path, namespace: 'empty' }));
      onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: EMPTY }));
      onLoad({ filter: /\.wasm$/ }, ({ path }) => {
        wasm.push(path);
        return { contents: 'module.exports = globalThis.wasm;' };
      });
    },
  };
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    splitting: true,
    outdir: join(folder, 'out'),
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define,
    logLevel: 'silent',
    absWorkingDir: folder,
    alias,
    plugins: isHelped ? [helper] : [],
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint !== undefined);
  const loaded = initial(entry, (path) =>
    outputs[path].imports.filter(({ kind }) => kind === 'import-statement').map((imported) => imported.path),
  );
  const chunks = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(name)));
  return { chunks: chunks.map(({ contents }) => contents), wasm };
}

async function withRolldown(code, folder, isHelped, alias) {
  const wasm = [];
  const plugins = [
    {
      name: 'entry',
      resolveId: (id) => (id === ENTRY ? join(folder, 'entry.js') : undefined),
      load: (id) => (id === join(folder, 'entry.js') ? code : undefined),
    },
    isHelped && {
      name: 'helper',
      resolveId: (id) => (BUILTIN.test(id) ? `\0empty:${id}` : undefined),
      load: (id) => {
        if (id.startsWith('\0empty:')) return EMPTY;
        if (!id.endsWith('.wasm')) return undefined;
        wasm.push(id);
        return { code: 'module.exports = globalThis.wasm;', moduleType: 'js' };
      },
    },
  ];
  const bundle = await rolldown({
    input: ENTRY,
    cwd: folder,
    platform: 'browser',
    transform: { define, target: 'es2022' },
    resolve: { alias },
    plugins,
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const loaded = initial(output.find(({ isEntry }) => isEntry).fileName, (name) =>
    chunks.get(name).imports.filter((imported) => chunks.has(imported)),
  );
  // It leaves in what it can't resolve, and the page then fails.
  const left = [...loaded].flatMap((name) =>
    chunks.get(name).imports.filter((imported) => !chunks.has(imported)),
  );
  if (left.length > 0) throw new Error(`Could not resolve "${left.join('", "')}"`);
  return { chunks: [...loaded].map((name) => chunks.get(name).code), wasm };
}

/** Bytes of an import, gzipped, and what a plain build of it complains of, if it does. */
async function weigh(bundler, code, folder, alias = {}) {
  let problem;
  const { chunks, wasm } = await bundler(code, folder, false, alias).catch((error) => {
    problem = problemOf(error);
    return bundler(code, folder, true, alias);
  });
  const files = [...chunks, ...new Set(wasm)].map((part) =>
    wasm.includes(part) ? readFileSync(part) : part,
  );
  return { size: files.reduce((total, file) => total + gzip(file), 0), problem };
}

function problemOf(error) {
  const text = [error.message, ...(error.errors ?? []).map(({ text, message }) => text ?? message)].join(
    '\n',
  );
  const modules = [...text.matchAll(/resolve (?:import )?["'`]([\w:/-]+)["'`]/g)].map(
    ([, name]) => `\`${name}\``,
  );
  if (modules.length > 0) return `no ${[...new Set(modules)].join(', ')} in a browser`;
  if (text.includes('.wasm')) return 'no loader for its `.wasm`';
  throw error;
}

/** `alias` names the files of packages that are not installed in the folder. */
export const weighWithEsbuild = (code, folder, alias) => weigh(withEsbuild, code, folder, alias);
export const weighWithRolldown = (code, folder, alias) => weigh(withRolldown, code, folder, alias);
