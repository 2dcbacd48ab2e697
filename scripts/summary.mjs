// Prints the test runner's own counts, added up over its reports, as one plain line.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const sum = (...names) =>
  reports.flatMap((report) => names.map((name) => report[name])).reduce((total, each) => total + each, 0);
const skipped = sum('numPendingTests', 'numTodoTests');
console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exit(reports.every(({ success, numPassedTests }) => success && numPassedTests > 0) ? 0 : 1);
