// Weighs what a user would import out of the built package, for the browser and without any polyfill, minified and gzipped, and
// holds it against a budget under esbuild and under rolldown (Vite's bundler). Exits with 1 when one is broken. docs/performance.md
// has the sizes beside those of other SDKs.
import { weighWithEsbuild, weighWithRolldown } from '../bench/size/bundlers.mjs';

/** Functions by themselves, each with what it needs of kit. */
const each = {
  watchPool: [15_500, 15_050],
  quoteMany: [12_400, 12_100],
  findPools: [7_150, 6_950],
  parseTransaction: [34_450, 23_350],
  inspectTransaction: [44_300, 32_900],
  assertTransactionMatches: [75_550, 63_750],
  simulate: [25_500, 14_750],
  suggestPriorityFee: [3_500, 3_400],
  prepareBuy: [39_250, 27_800],
  signPrepared: [15_500, 4_850],
  refreshLifetime: [19_050, 8_150],
  checkDeployment: [73_000, 61_000],
  heaven: [114_100, 101_450],
};

/** name, code, most bytes under esbuild, under rolldown */
const budgets = [
  ['computeBuy alone', `export { computeBuy } from './dist/index.js'`, 1_550, 1_550],
  [
    'raw accounts to a quote',
    `export { computeBuy, computeSell, decodePoolSnapshot, toSwapState } from './dist/index.js'`,
    5_250,
    5_100,
  ],
  ['heaven-pools/core', `export * from './dist/core.js'`, 16_300, 15_900],
  ['quoteBuy with its client', `export { createClient, quoteBuy } from './dist/index.js'`, 16_300, 15_900],
  ['buildBuy over a client', `export { buildBuy } from './dist/index.js'`, 36_850, 25_550],
  ...Object.entries(each).map(([name, most]) => [name, `export { ${name} } from './dist/index.js'`, ...most]),
  ['remote client', `export { createRemoteClient } from './dist/http.js'`, 15_800, 15_200],
  ['everything', `export * from './dist/index.js'; export * from './dist/program.js'`, 138_900, 125_500],
];

let failures = 0;
for (const [name, code, ...most] of budgets) {
  const weights = [await weighWithEsbuild(code, process.cwd()), await weighWithRolldown(code, process.cwd())];
  const problems = weights.flatMap(({ size, problem }, index) => [
    ...(problem === undefined ? [] : [`can't be bundled as it is: ${problem}`]),
    ...(size > most[index] ? [`${size} is over ${most[index]}`] : []),
  ]);
  if (problems.length > 0) failures++;
  const sizes = weights.map(({ size }, index) => `${size} of ${most[index]}`);
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${name}: esbuild ${sizes[0]}, rolldown ${sizes[1]} bytes. ${problems.join('; ')}`,
  );
}
process.exit(failures > 0 ? 1 : 0);
