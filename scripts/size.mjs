// Weighs what a user would import out of the built package, for the browser and without any polyfill, minified and gzipped, and
// holds it against a budget under esbuild and under rolldown (Vite's bundler). Exits with 1 when one is broken. docs/performance.md
// has the sizes beside those of other SDKs.
import { weighWithEsbuild, weighWithRolldown } from '../bench/size/bundlers.mjs';

/** Functions by themselves, each with what it needs of kit. */
const each = {
  watchPool: [10_750, 10_450],
  quoteMany: [12_000, 11_700],
  findPools: [7_050, 6_850],
  parseTransaction: [34_000, 22_950],
  inspectTransaction: [44_050, 32_550],
  assertTransactionMatches: [74_400, 62_600],
  simulate: [25_200, 14_550],
  suggestPriorityFee: [3_400, 3_300],
  refreshLifetime: [18_950, 8_100],
  checkDeployment: [67_200, 55_450],
  heaven: [107_200, 94_450],
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
  ['heaven-pools/core', `export * from './dist/core.js'`, 6_700, 6_650],
  ['quoteBuy with its client', `export { createClient, quoteBuy } from './dist/index.js'`, 15_850, 15_500],
  ['buildBuy over a client', `export { buildBuy } from './dist/index.js'`, 35_400, 24_150],
  ...Object.entries(each).map(([name, most]) => [name, `export { ${name} } from './dist/index.js'`, ...most]),
  ['remote client', `export { createRemoteClient } from './dist/http.js'`, 15_200, 14_650],
  ['everything', `export * from './dist/index.js'; export * from './dist/program.js'`, 124_100, 111_100],
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
