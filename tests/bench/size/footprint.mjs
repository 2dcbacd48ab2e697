// What an installation weighs, and how long the first import takes in Node: `npm run build && node tests/bench/size/footprint.mjs`. Each
// is installed in a folder of its own, without install scripts: kit as installed here, the others as in tests/bench/package.json; it needs
// the network. The import time is the median of fresh processes, in turns, without that of an empty one.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plain, record } from '../figures.mjs';
import { holdToBar, QUICK } from '../peers/harness.mjs';

const ROUNDS = QUICK ? 1 : 15;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const { version: kitVersion } = readJson(root, 'node_modules', '@solana', 'kit', 'package.json');
const { devDependencies: others } = readJson(root, 'tests', 'bench', 'package.json');

if (!existsSync(join(root, 'dist', 'index.d.ts')))
  console.error('dist holds no declarations: npm run build, for the whole size');
const temporary = mkdtempSync(join(tmpdir(), 'footprint-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const [{ filename }] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', temporary], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);

const kit = `@solana/kit@${kitVersion}`;
const pinned = (...names) => names.map((name) => `${name}@${others[name]}`);
/** title, packages to install, modules to import */
const subjects = [
  ['**heaven-pools** with kit', [join(temporary, filename), kit], ['heaven-pools', 'heaven-pools/core']],
  ['kit', [kit], ['@solana/kit']],
  ['whirlpools-core', pinned('@orca-so/whirlpools-core'), ['@orca-so/whirlpools-core']],
  [
    'whirlpools-client with its kit',
    pinned('@orca-so/whirlpools-client', '@solana/kit'),
    ['@orca-so/whirlpools-client'],
  ],
  ...['@meteora-ag/cp-amm-sdk', '@meteora-ag/dynamic-bonding-curve-sdk', '@raydium-io/raydium-sdk-v2'].map(
    (name) => [name.split('/')[1], pinned(name), [name]],
  ),
  ['pump-swap-sdk', pinned('@pump-fun/pump-swap-sdk'), ['@pump-fun/pump-swap-sdk']],
];

const bytesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0);

function install(packages, index) {
  const folder = join(temporary, String(index));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const modules = join(folder, 'node_modules');
  const installed = Object.keys(readJson(modules, '.package-lock.json').packages);
  // Some name the compiler as a peer dependency; npm then installs it.
  const compiler = installed.includes('node_modules/typescript') ? bytesIn(join(modules, 'typescript')) : 0;
  return { folder, bytes: bytesIn(modules), compiler, count: installed.length };
}

/** How long a fresh process takes for this code, in milliseconds, or why it fails. */
function run(code, cwd) {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd,
    encoding: 'utf8',
  });
  const ms = performance.now() - started;
  return status === 0 ? { ms } : { failure: /^\w*Error.*$/m.exec(stderr)?.[0] ?? `exit code ${status}` };
}

const wanted = QUICK ? subjects.slice(0, 2) : subjects;
const installs = wanted.map(([title, packages], index) => ({ title, ...install(packages, index) }));
const imports = wanted.flatMap(([, , modules], index) =>
  modules.map((name) => ({ name, index, code: `import '${name}';`, times: [], failure: undefined })),
);
const empty = { name: 'nothing', index: 0, code: '', times: [], failure: undefined };

// The first round fills the file system's cache and does not count.
for (let round = 0; round <= ROUNDS; round++) {
  for (const subject of [empty, ...imports]) {
    if (subject.failure !== undefined) continue;
    const { ms, failure } = run(subject.code, installs[subject.index].folder);
    subject.failure = failure;
    if (round > 0) subject.times.push(ms);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const base = median(empty.times);

console.log(`| installed | MB | without TypeScript's compiler | packages |\n| --- | --: | --: | --: |`);
for (const { title, bytes, compiler, count } of installs)
  console.log(`| ${title} | ${megabytes(bytes)} | ${megabytes(bytes - compiler)} | ${count} |`);
console.log(`\n| first import | ms over an empty process (${base.toFixed(0)} ms) |\n| --- | --: |`);
for (const { name, times, failure } of imports)
  console.log(`| \`${name}\` | ${failure ?? (median(times) - base).toFixed(0)} |`);

// The package imports kit too.
const msOf = (name) => median(imports.find((subject) => subject.name === name).times) - base;
const kitMs = msOf('@solana/kit');
console.log();
holdToBar('the import beyond kit, beside kit', (msOf('heaven-pools') - kitMs) / kitMs, {
  most: 0.5,
  unit: '×',
});

record('footprint', {
  ...Object.fromEntries(
    installs.map(({ title, bytes, compiler, count }) => [
      plain(title),
      { installedBytes: bytes, compilerBytes: compiler, packages: count },
    ]),
  ),
  ...Object.fromEntries(
    imports
      .filter(({ failure }) => failure === undefined)
      .map(({ name, times }) => [`import ${name}`, { ms: median(times) - base }]),
  ),
});
