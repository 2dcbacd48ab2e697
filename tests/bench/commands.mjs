// How long the commands take for which CONTRIBUTING and the README give seconds: `npm run bench:commands`, or some of them alone, such as
// `npm run bench:commands -- 'npm test' 'npm run types'`. All packages must be there: `npm run setup . docs examples examples/mcp tests/interop tools`.
// Records nothing before the end, as the tests compare the documents with what is recorded.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { record, recorded } from './figures.mjs';

/** Each command, and for a server what it prints once it is up. */
const COMMANDS = {
  'npm start': /Ctrl-C stops it/,
  'npm test': undefined,
  'npx vitest run tests/math/swap.test.ts': undefined,
  'npm run types': undefined,
  'npm run types:folders': undefined,
  'npm run format': undefined,
  'npm run test:all': undefined,
  '.ci/run': undefined,
  'npm run build': undefined,
  'npm run build -- --no-dts': undefined,
  'npm run dapp': /http:\/\/localhost/,
  'npm run docs': undefined,
  'npm run docs:preview': /http:\/\/localhost/,
  'npm run idl': undefined,
  'npm run vectors': undefined,
  'npm run openapi': undefined,
  'npm run size': undefined,
  'npm run bench:frames': undefined,
};
/** They are installed beside the ones that are there, from npm's cache. */
const INSTALLS = {
  'npm run setup': '.',
  'npm run setup docs': 'docs',
  'npm run setup examples': 'examples',
  'npm run setup examples/mcp': 'examples/mcp',
  'npm run setup tests/interop': 'tests/interop',
  'npm run setup tools': 'tools',
  'npm run setup tests/bench': 'tests/bench',
};

/** The seconds until a command ends, or is up. Throws with its output if it fails. */
function secondsOf(command, cwd, ready) {
  const started = performance.now();
  const child = spawn(command, { cwd, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  return new Promise((resolve, reject) => {
    const seconds = () => (performance.now() - started) / 1_000;
    const look = (chunk) => {
      output += chunk;
      if (ready?.test(output)) resolve(seconds());
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', (code) => {
      if (code === 0 && ready === undefined) resolve(seconds());
      else reject(new Error(`${command} ended with ${code}:\n${output.slice(-2_000)}`));
    });
  }).finally(() => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  });
}

async function secondsToInstall(folder) {
  const copy = mkdtempSync(join(tmpdir(), 'install-'));
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(folder, name), join(copy, name));
    return await secondsOf('npm ci --no-audit --no-fund --loglevel=error', copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const known = [...Object.keys(COMMANDS), ...Object.keys(INSTALLS)];
const named = process.argv.slice(2);
for (const name of named)
  if (!known.includes(name)) throw new Error(`It does not measure "${name}", only ${known.join(', ')}`);

const figures = {};
for (const name of named.length > 0 ? named : known) {
  try {
    const seconds =
      name in INSTALLS
        ? await secondsToInstall(INSTALLS[name])
        : await secondsOf(name, process.cwd(), COMMANDS[name]);
    figures[name] = { seconds };
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
record('commands', { ...recorded('commands'), ...figures });
