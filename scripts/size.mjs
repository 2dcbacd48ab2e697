// Weighs what a user would import out of the built package, for the browser and without any polyfill, minified and gzipped, and
// holds it against a budget under esbuild and under rolldown (Vite's bundler). Exits with 1 when one is broken. docs/performance.md
// has the sizes beside those of other SDKs.
import { weighWithEsbuild, weighWithRolldown } from '../bench/size/bundlers.mjs';

/** Functions by themselves, each with what it needs of kit. */
const each = {
  watchPool: [15_750, 15_400],
  quoteMany: [12_200, 11_900],
  findPools: [7_250, 7_050],
  parseTransaction: [34_400, 23_250],
  inspectTransaction: [44_450, 32_850],
  assertTransactionMatches: [75_400, 63_600],
  simulate: [25_500, 14_750],
  suggestPriorityFee: [3_450, 3_400],
  prepareBuy: [39_300, 29_000],
  signPrepared: [17_700, 7_000],
  refreshLifetime: [19_200, 8_250],
  checkDeployment: [68_350, 56_500],
  heaven: [108_200, 95_400],
};

/** name, code, most bytes under esbuild, under rolldown */
const budgets = [
  ['computeBuy alone', `export { computeBuy } from './dist/index.js'`, 1_550, 1_550],
  [
    'raw accounts to a quote',
    `export { computeBuy, computeSell, decodePoolSnapshot, toSwapState } from './dist/index.js'`,
    5_100,
    5_050,
  ],
  ['heaven-pools/core', `export * from './dist/core.js'`, 17_000, 16_600],
  ['quoteBuy with its client', `export { createClient, quoteBuy } from './dist/index.js'`, 16_050, 15_700],
  ['buildBuy over a client', `export { buildBuy } from './dist/index.js'`, 36_450, 25_050],
  ...Object.entries(each).map(([name, most]) => [name, `export { ${name} } from './dist/index.js'`, ...most]),
  ['remote client', `export { createRemoteClient } from './dist/http.js'`, 15_450, 14_850],
  ['everything', `export * from './dist/index.js'; export * from './dist/program.js'`, 128_300, 115_100],
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
