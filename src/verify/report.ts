import type { Figures } from './rows/row.js';
import { differences, type VerifyReport, type VerifyRow } from './verify.js';

/** The table of a report. The first row has the titles. */
export const tableOf = ({ rows }: VerifyReport): readonly (readonly string[])[] => [
  ['operation', 'on', 'input', 'we said', 'the program did', 'equal', 'error', 'rests on'],
  ...rows.map(lineOf),
];

function lineOf({ operation, on, input, said, did, isEqual, failed, assumptions }: VerifyRow) {
  const names = said === 'rejected' ? [] : shown(said, did, isEqual);
  return [
    operation,
    on,
    input,
    said === 'rejected' ? said : inWords(said, names) || 'accepted',
    failed === undefined ? inWords(did, names) || 'accepted' : 'rejected',
    isEqual ? 'yes' : 'NO',
    failed === undefined ? '' : [failed.code, failed.reason].filter((part) => part !== undefined).join(' '),
    assumptions.join(' '),
  ];
}

/** The figures that differ, or else the first. */
const shown = (said: Figures, did: Figures, isEqual: boolean): readonly string[] =>
  isEqual ? Object.keys(said).slice(0, 1) : differences(said, did);

const inWords = (figures: Figures, names: readonly string[]): string =>
  names.map((name) => `${name} ${figures[name] ?? 'unchanged'}`).join(', ');

/** What did not run, one line for each reason. */
export const reasonsOf = ({ notRun }: VerifyReport): readonly string[] => [
  ...new Set(notRun.map(({ operation, on, reason }) => `Did not run: ${operation}, ${on}: ${reason}`)),
];

/** The result in one line. */
export const summaryOf = ({ rows, notRun }: VerifyReport): string =>
  `Equal: ${rows.filter(({ isEqual }) => isEqual).length} of ${rows.length}. Did not run: ${notRun.length}.`;
