// Bundles what a user would import out of the built package, for the browser and without any polyfill, and holds the
// minified and gzipped size against a budget. Exits with 1 when one is broken. (kit's RPC and addresses are 20.1 KB of it.)
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const KB = 1_000;

/** name, code, most bytes (gzip, esbuild), whether kit may be in it */
const budgets = [
  ['computeBuy alone', `export { computeBuy } from './dist/index.js'`, 2 * KB, false],
  [
    'raw accounts to a quote',
    `export { computeBuy, computeSell, decodePoolSnapshot, swapStateOf } from './dist/index.js'`,
    4 * KB,
    false,
  ],
  ['quoteBuy with its client', `export { createClient, quoteBuy } from './dist/index.js'`, 28.5 * KB, true],
  ['buildBuy over a client', `export { buildBuy } from './dist/index.js'`, 33.5 * KB, true],
  ['everything', `export * from './dist/index.js'; export * from './dist/program.js'`, 66.5 * KB, true],
];

let failures = 0;
for (const [name, contents, most, mayHoldKit] of budgets) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    splitting: true,
    outdir: 'out',
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  // What a page loads at first: the entry and what it imports, not what it may import later.
  const loaded = new Set();
  const load = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: imported, kind } of metafile.outputs[path].imports)
      if (kind === 'import-statement') load(imported);
  };
  load(Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint !== undefined));
  const foreign = [...loaded].flatMap((path) =>
    Object.entries(metafile.outputs[path].inputs).filter(
      ([input, { bytesInOutput }]) => input.includes('node_modules') && bytesInOutput > 0,
    ),
  );
  const size = outputFiles
    .filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
    .reduce((total, { contents }) => total + gzipSync(contents, { level: 9 }).length, 0);
  const problems = [
    ...(size > most ? [`over its budget of ${most} bytes`] : []),
    ...(!mayHoldKit && foreign.length > 0
      ? [`holds code of ${foreign.map(([input]) => input).join(', ')}`]
      : []),
  ];
  if (problems.length > 0) failures++;
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${name}: ${size} bytes (budget ${most}) ${problems.join('; ')}`,
  );
}
process.exit(failures > 0 ? 1 : 0);
