// What single imports weigh in a browser, minified and gzipped (level 9), under esbuild and under rolldown (Vite's bundler):
// `npm run build && node bench/size/run.mjs`. The other SDKs come from bench/package.json (`npm ci --prefix bench`), and are left out
// where they are not installed. A WebAssembly file counts with its own gzipped size.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version as esbuildVersion } from 'esbuild';
import { VERSION as rolldownVersion } from 'rolldown';
import { weighWithEsbuild, weighWithRolldown } from './bundlers.mjs';
import { groups } from './imports.mjs';

const bench = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(bench, '..');
const hasPeers = existsSync(join(bench, 'node_modules'));

const bytes = (size) => size.toLocaleString('en-US');
/** What plain builds stumble over, bundler by bundler unless it is the same. */
function problems(esbuild, rolldown) {
  if (esbuild === undefined && rolldown === undefined) return '';
  if (esbuild === rolldown) return `a plain build fails: ${esbuild}`;
  const each = Object.entries({ esbuild, rolldown }).filter(([, problem]) => problem !== undefined);
  return `a plain build fails: ${each.map(([name, problem]) => `${problem} (${name})`).join('; ')}`;
}

for (const { title, rows } of groups) {
  console.log(`\n| ${title} | esbuild ${esbuildVersion} | rolldown ${rolldownVersion} | remark |`);
  console.log('| --- | --: | --: | --- |');
  for (const { title, code, peer, remark = '' } of rows) {
    if (peer && !hasPeers) continue;
    const folder = peer ? bench : root;
    try {
      const esbuild = await weighWithEsbuild(code, folder);
      const rolldown = await weighWithRolldown(code, folder);
      const remarks = [remark, problems(esbuild.problem, rolldown.problem)].filter(Boolean).join('; ');
      console.log(`| ${title} | ${bytes(esbuild.size)} | ${bytes(rolldown.size)} | ${remarks} |`);
    } catch (error) {
      console.log(`| ${title} | | | can't be bundled: ${error.message.split('\n')[0]} |`);
    }
  }
}
