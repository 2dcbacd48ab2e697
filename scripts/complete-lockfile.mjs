// `node scripts/complete-lockfile.mjs [FOLDER]` adds to package-lock.json the optional platform packages that npm left out of it (it forgets those it could not reach
// when the lockfile was written), so that `npm ci` accepts the lockfile on every platform. Run after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(process.argv[2] ?? '.', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
];
const processors = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'mips64el',
  'wasm32',
];

/** Names that some packages have for these. */
const aliases = { windows: 'win32', 64: 'x64' };

const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const isLocked = path.split('/node_modules/').some((_, depth, parts) => {
      const base = parts.slice(0, parts.length - depth).join('/node_modules/');
      return lock.packages[`${base}/node_modules/${name}`] !== undefined;
    });
    if (isLocked || lock.packages[`node_modules/${name}`] !== undefined) continue;
    const words = name.split(/[/-]/).map((word) => aliases[word] ?? word);
    const os = systems.filter((system) => words.includes(system));
    const libc = /musl/.test(name) ? ['musl'] : /gnu/.test(name) && os.includes('linux') ? ['glibc'] : [];
    const cpu = processors.filter((processor) => words.includes(processor));
    if (os.length === 0 || !/^\d+\.\d+\.\d+/.test(version)) {
      console.error(`left out: ${name}@${version}, an optional package of no known platform`);
      continue;
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu.length > 0 ? { cpu } : {}),
      ...(entry.dev ? { dev: true } : {}),
      ...(libc.length > 0 ? { libc } : {}),
      optional: true,
      os,
    };
    added.push(`${name}@${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added.length}: ${added.join(', ') || 'nothing was missing'}`);
