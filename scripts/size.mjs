// Weighs what a user would import out of the built package, for the browser and without any polyfill, minified and gzipped, and
// holds it against a budget under esbuild and under rolldown (Vite's bundler). Exits with 1 when one is broken. docs/performance.md
// has the sizes beside those of other SDKs.
import { weighWithEsbuild, weighWithRolldown } from '../bench/size/bundlers.mjs';

/** Single functions, each with the parts of kit that it needs. */
const each = {
  watchPool: [17_840, 17_430],
  quoteMany: [13_010, 12_720],
  findPools: [7_530, 7_370],
  parseTransaction: [34_860, 23_620],
  inspectTransaction: [44_550, 32_850],
  assertTransactionMatches: [78_990, 66_840],
  simulate: [25_730, 14_850],
  suggestPriorityFee: [3_180, 3_120],
  prepareBuy: [41_400, 29_900],
  signPrepared: [15_500, 4_850],
  refreshLifetime: [19_000, 8_150],
  getWalletBalances: [7_500, 7_300],
  maximumSpend: [7_900, 7_750],
  getTokenMetadata: [7_050, 6_860],
  listTrades: [38_490, 27_090],
  watchTrades: [40_680, 29_160],
  quoteBest: [17_680, 17_270],
  heaven: [137_400, 123_600],
};

/** name, code, most bytes under esbuild, under rolldown */
const budgets = [
  ['computeBuy alone', `export { computeBuy } from './dist/index.js'`, 1_550, 1_550],
  [
    'raw accounts to a quote',
    `export { computeBuy, computeSell, decodePoolSnapshot, toSwapState } from './dist/index.js'`,
    5_820,
    5_680,
  ],
  ['heaven-pools/core', `export * from './dist/core.js'`, 24_830, 24_360],
  ['quoteBuy with its client', `export { createClient, quoteBuy } from './dist/index.js'`, 18_160, 17_780],
  ['buildBuy over a client', `export { buildBuy } from './dist/index.js'`, 39_100, 27_650],
  ...Object.entries(each).map(([name, most]) => [name, `export { ${name} } from './dist/index.js'`, ...most]),
  ['remote client', `export { createRemoteClient } from './dist/http.js'`, 15_900, 15_250],
  ['everything', `export * from './dist/index.js'; export * from './dist/program.js'`, 171_300, 156_400],
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
