// Weighs what a user would import out of the built package, for the browser and without any polyfill, minified and gzipped, and
// holds it against a budget under rolldown (Vite's bundler). esbuild's size is there to compare: it keeps more of kit, and its budget
// only catches what it can't shake out at all. Exits with 1 when one is broken. docs/performance.md has the sizes beside those of other
// SDKs.
import { weighWithEsbuild, weighWithRolldown } from '../tests/bench/size/bundlers.mjs';

const from = (names, file = 'index') => `export { ${names} } from './dist/${file}.js';`;

/** name, code, most bytes under rolldown, under esbuild */
const budgets = [
  ['computeBuy alone', from('computeBuy'), 1_600, 1_650],
  ['raw accounts to a quote', from('computeBuy, computeSell, decodePoolSnapshot, toSwapState'), 7_300, 7_400],
  ['heaven-pools/core', `export * from './dist/core.js';`, 15_000, 16_000],
  ['client with quoteBuy', from('createHeavenClient, quoteBuy'), 26_000, 45_000],
  ['client with quoteBuy and buildBuy', from('createHeavenClient, quoteBuy, buildBuy'), 42_000, 70_000],
  ['remote client', from('createRemoteClient', 'http'), 30_000, 45_000],
  ['everything', `export * from './dist/index.js'; export * from './dist/program.js';`, 160_000, 200_000],
];

let failures = 0;
for (const [name, code, mostRolldown, mostEsbuild] of budgets) {
  const problems = [];
  const weigh = async (bundler, bundle, most) => {
    const { size, problem } = await bundle(code, process.cwd());
    if (problem !== undefined) problems.push(`${bundler} can't bundle it as it is: ${problem}`);
    if (size > most) problems.push(`${size} is over ${most}`);
    return `${bundler} ${size} of ${most}`;
  };
  const sizes = [
    await weigh('rolldown', weighWithRolldown, mostRolldown),
    await weigh('esbuild', weighWithEsbuild, mostEsbuild),
  ];
  if (problems.length > 0) failures++;
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${name}: ${sizes.join(', ')} bytes. ${problems.join('; ')}`,
  );
}
process.exit(failures > 0 ? 1 : 0);
