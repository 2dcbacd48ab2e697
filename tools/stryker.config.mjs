// Mutation tests: change `src` in small ways, one at a time, and list the changes that no test notices. See docs/maintaining.md.

/**
 * What must reach the bar, and the folders of tests that judge it: some 500 tests at most. The runner filters by one regular expression of
 * all names, and V8 rejects it when it is too long; each such change then ends as an error.
 */
const PARTS = {
  math: { mutate: ['src/math/*.ts'], tests: ['math', 'golden', 'input', 'format'], bar: 90 },
  guards: { mutate: ['src/review/guards.ts'], tests: ['review', 'hostile'], bar: 90 },
  submit: { mutate: ['src/submit/*.ts'], tests: ['submit'], bar: 90 },
  pool: { mutate: ['src/pool/*.ts'], tests: ['pool', 'golden'], bar: null },
  // Fields are made when they are first needed, so only one test seems to reach most of their changes: try what survives by hand.
  input: { mutate: ['src/input/*.ts'], tests: ['input'], bar: null },
  match: { mutate: ['src/review/match*.ts'], tests: ['review', 'golden', 'hostile'], bar: 90 },
};

const { MUTATE = 'math' } = process.env;

/** Any other folder of `src`, such as `pool/watch`, is only reported, and the tests under the same first name judge it. */
const { mutate, tests, bar } = PARTS[MUTATE] ?? {
  mutate: [`src/${MUTATE}/**/*.ts`],
  tests: [MUTATE.split('/')[0]],
  bar: null,
};

// For vitest.mutation.config.ts, in Stryker's processes.
process.env.MUTATION_TESTS = tests.join();

export default {
  mutate,
  // Tests pin an error's code and context, not its wording.
  mutator: { excludedMutations: ['StringLiteral'] },
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  // The tests that reach a change are known: looking for those that import its file takes as long as running them.
  vitest: { configFile: 'tools/vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Code that also runs while a test file loads is judged by the tests that reach it, not by all.
  ignoreStatic: true,
  thresholds: { high: 95, low: 90, break: bar },
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, logTests: false, allowColor: false },
  jsonReporter: { fileName: 'coverage/mutation.json' },
  tempDirName: 'coverage/.stryker',
  ignorePatterns: ['tests/bench', 'coverage', 'dist', 'docs/api'],
};
