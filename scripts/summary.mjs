// Prints the test runner's own counts, added up over its reports, as one plain line.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const sum = (...names) =>
  reports.flatMap((report) => names.map((name) => report[name])).reduce((total, each) => total + each, 0);
/** Files that failed outside their tests: such a failure is in no count of tests. */
const broken = reports
  .flatMap(({ testResults }) => testResults)
  .filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
for (const { name } of broken) console.log(`failed outside its tests: ${name}`);
const skipped = sum('numPendingTests', 'numTodoTests');
console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests') + broken.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exit(reports.every(({ success, numPassedTests }) => success && numPassedTests > 0) ? 0 : 1);
