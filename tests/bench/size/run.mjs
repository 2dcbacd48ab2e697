// What single imports weigh in a browser, minified and gzipped (level 9), under rolldown (Vite's bundler) and under esbuild:
// `npm run build && node tests/bench/size/run.mjs`. The other SDKs come from tests/bench/package.json (`npm run setup tests/bench`), and are left out
// where they are not installed. A WebAssembly file counts with its own gzipped size.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version as esbuildVersion } from 'esbuild';
import { VERSION as rolldownVersion } from 'rolldown';
import { weighWithEsbuild, weighWithRolldown } from './bundlers.mjs';
import { groups } from './imports.mjs';

const bench = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(bench, '..', '..');
const hasPeers = existsSync(join(bench, 'node_modules'));

const bytes = (size) => size.toLocaleString('en-US');
/** What plain builds stumble over, bundler by bundler unless it is the same. */
function problems(rolldown, esbuild) {
  if (esbuild === undefined && rolldown === undefined) return '';
  if (esbuild === rolldown) return `a plain build fails: ${esbuild}`;
  const each = Object.entries({ rolldown, esbuild }).filter(([, problem]) => problem !== undefined);
  return `a plain build fails: ${each.map(([name, problem]) => `${problem} (${name})`).join('; ')}`;
}

for (const { title, rows } of groups) {
  console.log(`\n| ${title} | rolldown ${rolldownVersion} | esbuild ${esbuildVersion} | remark |`);
  console.log('| --- | --: | --: | --- |');
  for (const { title, code, peer, remark = '' } of rows) {
    if (peer && !hasPeers) continue;
    const folder = peer ? bench : root;
    try {
      const rolldown = await weighWithRolldown(code, folder);
      const esbuild = await weighWithEsbuild(code, folder);
      const remarks = [remark, problems(rolldown.problem, esbuild.problem)].filter(Boolean).join('; ');
      console.log(`| ${title} | ${bytes(rolldown.size)} | ${bytes(esbuild.size)} | ${remarks} |`);
    } catch (error) {
      console.log(`| ${title} | | | can't be bundled: ${error.message.split('\n')[0]} |`);
    }
  }
}
