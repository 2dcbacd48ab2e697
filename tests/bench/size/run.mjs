// What single imports weigh in a browser, minified and gzipped (level 9), under rolldown (Vite's bundler) and under esbuild:
// `npm run build && node tests/bench/size/run.mjs`. It needs the packages of tests/bench and of the examples (`npm run setup tests/bench examples`):
// what is not installed is left out, and nothing is recorded. A WebAssembly file counts with its own gzipped size.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version as esbuildVersion } from 'esbuild';
import { VERSION as rolldownVersion } from 'rolldown';
import { plain, record } from '../figures.mjs';
import { weighWithEsbuild, weighWithRolldown } from './bundlers.mjs';
import { form, groups } from './imports.mjs';

const bench = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(bench, '..', '..');
const examples = join(root, 'examples');
const [hasPeers, hasExamples] = [bench, examples].map((folder) => existsSync(join(folder, 'node_modules')));

const bytes = (size) => size.toLocaleString('en-US');
/** What plain builds stumble over, bundler by bundler unless it is the same. */
function problems(rolldown, esbuild) {
  if (esbuild === undefined && rolldown === undefined) return '';
  if (esbuild === rolldown) return `a plain build fails: ${esbuild}`;
  const each = Object.entries({ rolldown, esbuild }).filter(([, problem]) => problem !== undefined);
  return `a plain build fails: ${each.map(([name, problem]) => `${problem} (${name})`).join('; ')}`;
}

const figures = { bundlers: { rolldown: rolldownVersion, esbuild: esbuildVersion } };
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
      figures[plain(title)] = { rolldownBytes: rolldown.size, esbuildBytes: esbuild.size };
      console.log(`| ${title} | ${bytes(rolldown.size)} | ${bytes(esbuild.size)} | ${remarks} |`);
    } catch (error) {
      console.log(`| ${title} | | | can't be bundled: ${error.message.split('\n')[0]} |`);
    }
  }
}

if (hasExamples) {
  const { title, code, react, alias } = form;
  const besideReact = async (weigh) => {
    const [page, alone] = await Promise.all([code, react].map((each) => weigh(each, examples, alias)));
    return page.size - alone.size;
  };
  const rolldownBytes = await besideReact(weighWithRolldown);
  const esbuildBytes = await besideReact(weighWithEsbuild);
  figures[plain(title)] = { rolldownBytes, esbuildBytes };
  console.log(`\n${title}: ${bytes(rolldownBytes)} under rolldown, ${bytes(esbuildBytes)} under esbuild`);
}
if (hasPeers && hasExamples) record('size', figures);
else console.log('\nNot recorded, as packages are missing: npm run setup tests/bench examples');
