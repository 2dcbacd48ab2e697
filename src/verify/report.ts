import { differences, type Figures } from './plan.js';
import type { ReplayReport, ReplayRow } from './replay.js';
import type { RateRange } from './replay-trade.js';
import type { VerifyReport, VerifyRow } from './verify.js';

/** The table of a report. The first row has the titles. */
export const tableOf = ({ rows }: VerifyReport): readonly (readonly string[])[] => [
  ['operation', 'on', 'input', 'we said', 'the program did', 'equal', 'error', 'rests on', 'alternative'],
  ...rows.map(lineOf),
];

function lineOf({ operation, on, input, said, did, isEqual, failed, assumptions, alternatives }: VerifyRow) {
  const names = typeof said === 'string' ? [] : shown(said, did, isEqual);
  return [
    operation,
    on,
    input,
    typeof said === 'string' ? said : inWords(said, names) || 'accepted',
    failed === undefined ? inWords(did, names) || 'accepted' : 'rejected',
    isEqual ? 'yes' : 'NO',
    failed === undefined ? '' : [failed.code, failed.reason].filter((part) => part !== undefined).join(' '),
    assumptions.join(' '),
    alternatives.map((each) => `${each.isEqual ? 'DONE' : 'not done'}: ${each.name}`).join(', '),
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

/** The table of a replay. The first row has the titles. */
export const replayTableOf = ({ rows }: ReplayReport): readonly (readonly string[])[] => [
  ['slot', 'signature', 'trade', 'verdict', 'we said', 'it did', 'fee now', 'fee paid'],
  ...rows.map(replayLineOf),
];

function replayLineOf(row: ReplayRow) {
  const { slot, signature, side, verdict } = row;
  const start = [String(slot), signature, side, verdict];
  if (row.verdict === 'not judged') return [...start, row.reason];
  const { said, did, rate } = row;
  const names = shown(said, did, verdict === 'equal');
  return [...start, inWords(said, names), inWords(did, names), `${rate.now} bps`, bps(rate.paid)];
}

const bps = ([least, most]: RateRange): string => `${least === most ? least : `${least} to ${most}`} bps`;

/** What a replay shows, one line for each finding. */
export function replayFindingsOf({ rows, settingsBefore }: ReplayReport): readonly string[] {
  const count = (verdict: ReplayRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const readings = rows.flatMap((row) => (row.verdict !== 'not judged' && row.quoteIn) || []);
  const reading = [...new Set(readings)].join(' or ') || 'unknown: no buy paid a fee';
  const { slot, buy, sell } = settingsBefore ?? {};
  const sides = [buy && `a buy paid ${bps(buy)}`, sell && `a sell paid ${bps(sell)}`].filter(Boolean);
  return [
    `quote_in of a buy: ${reading}${readings.length === 0 ? '' : ` (${readings.length} buys)`}`,
    ...(slot === undefined
      ? []
      : [`The settings may have changed after slot ${slot}: until then ${sides.join(', and ')}.`]),
    `Equal: ${count('equal')}. Different: ${count('different')}. Not judged: ${count('not judged')}.`,
  ];
}
