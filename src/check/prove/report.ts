import { ASSUMES } from '../deployment.js';
import type { ProofAnswer } from './infer.js';
import { isContradicted, type Proof, type ProvenFailure } from './proof.js';

const VERDICTS = {
  confirmed: 'confirmed',
  refuted: 'REFUTED',
  'none-fits': 'NONE FITS',
  unknown: 'could not tell',
} as const;

/**
 * A proof as plain text: what ran, the outcome, a line for each question, and what to do.
 * @example
 * ```ts
 * const proof = await proveProgram(await createSampleProofSource(), { runs: 'model', trades: 1 });
 * const [title] = describeProof(proof);
 * ```
 */
export function describeProof(proof: Proof): readonly string[] {
  const { assumptions, facts, failures, nothingMoved } = proof;
  const head = [titleOf(proof), outcomeOf(proof)];
  if (nothingMoved) return [...head, '', ...runLines(proof)];
  const different = failures.filter(({ expected, found }) => expected !== found);
  return [
    ...head,
    '',
    'What is assumed',
    ...assumptionLines(assumptions),
    '',
    'What is taken for certain',
    ...factLines(facts),
    '',
    failureTitle(failures, different),
    ...different.map(failureLine),
    ...adviceOf(proof),
    '',
    ...runLines(proof),
  ];
}

/**
 * The same as Markdown, with the answers in a table.
 * @example
 * ```ts
 * const proof = await proveProgram(await createSampleProofSource(), { runs: 'model', trades: 1 });
 * const text = describeProofAsMarkdown(proof);
 * ```
 */
export function describeProofAsMarkdown(proof: Proof): string {
  const { assumptions, facts, failures, nothingMoved } = proof;
  const row = ({ question, verdict, candidate, observations, ...answer }: ProofAnswer) =>
    `| ${question.id} | ${question.asks} | ${VERDICTS[verdict]}${candidate === undefined ? '' : `: ${cell(candidate.words)}`} | ${observations} | ${cell(whyOf(answer))} |`;
  const different = failures.filter(({ expected, found }) => expected !== found);
  const parts = nothingMoved
    ? []
    : [
        '',
        '| | what is asked | answer | observations | why |',
        '| --- | --- | --- | --- | --- |',
        ...[...assumptions, ...facts].map(row),
        '',
        failureTitle(failures, different),
        ...different.map((failure) => `- ${failureLine(failure).trim()}`),
        ...adviceOf(proof),
      ];
  return `${['# Proof of the exchange program', '', titleOf(proof), '', outcomeOf(proof), ...parts, '', ...runLines(proof)].join('\n')}\n`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function titleOf({ runs, program }: Proof): string {
  if (runs === 'model' || program === undefined)
    return "REHEARSAL on the library's own model: proves nothing about mainnet";
  const { address, sha256, deploySlot } = program;
  const deployed = deploySlot === undefined ? '' : `, deployed in slot ${deploySlot}`;
  return `Ran the program ${address}, SHA-256 ${sha256}${deployed}`;
}

/** The whole outcome in a sentence or two. */
function outcomeOf(proof: Proof): string {
  const { nothingMoved, transactions, assumptions, facts } = proof;
  if (nothingMoved)
    return `NOTHING MOVED: ${transactions} transactions ran, and none changed an account of the program. It is not the exchange, so nothing is proven.`;
  const ids = (answers: readonly ProofAnswer[], verdict: ProofAnswer['verdict']) =>
    answers.filter((answer) => answer.verdict === verdict).map(({ question }) => question.id);
  const all = [...assumptions, ...facts];
  const refuted = ids(all, 'refuted');
  const none = ids(all, 'none-fits');
  const unproven = ids(all, 'unknown');
  const open = unproven.length === 0 ? '' : ` Could not tell: ${unproven.join(', ')}.`;
  if (!isContradicted(proof))
    return unproven.length === 0
      ? 'Everything the library assumes is confirmed.'
      : `Nothing the library assumes is refuted; ${all.length - unproven.length} of ${all.length} are confirmed.${open}`;
  const parts = [
    ...(refuted.length === 0
      ? []
      : [`The program differs from what the library assumes in ${refuted.join(', ')}.`]),
    ...(none.length === 0 ? [] : [`It fits none of the known answers in ${none.join(', ')}.`]),
  ];
  return parts.join(' ') + open;
}

const whyOf = ({ counterexample, reasons }: Pick<ProofAnswer, 'counterexample' | 'reasons'>): string =>
  [...(counterexample === undefined ? [] : [counterexampleOf(counterexample)]), ...reasons].join('; ');

/** What was done, the result, and what each candidate predicted. */
function counterexampleOf({ what, found, predictions }: NonNullable<ProofAnswer['counterexample']>): string {
  const expected = [...new Set(predictions.map((prediction) => prediction.expected))];
  const others = expected.filter((one) => one !== found).slice(0, MOST_EXPECTED);
  const seen = `${what}: found ${found}`;
  if (expected.includes(found)) return `${seen}, where other answers expect ${others.join(' or ')}`;
  return `${seen}, expected ${others.join(' or ')}`;
}

/** How many of the expected results are shown at most. */
const MOST_EXPECTED = 3;

function answerLines({ question, verdict, candidate, observations, contradictions, ...answer }: ProofAnswer) {
  const { id, asks } = question;
  const [assumed] = question.candidates;
  const name = `  ${id}, ${asks}: ${VERDICTS[verdict]}`;
  const by = `${observations} ${observations === 1 ? 'observation' : 'observations'}`;
  if (verdict === 'confirmed') return [`${name}: ${candidate?.words} (${by})`];
  const why = whyOf(answer);
  if (verdict === 'unknown') return [`${name}${why === '' ? '' : `: ${why}`}`];
  if (verdict === 'none-fits') return [name, `      ${why}`];
  const against = contradictions.find((contradiction) => contradiction.candidate === assumed.name);
  return [
    `${name}: it is ${candidate?.words} (${by}), not ${assumed.words}`,
    ...(against === undefined ? [] : [`      ${counterexampleOf(against.observation)}`]),
  ];
}

/**
 * One line per question. The price account questions with the same answer share a line, and so do questions without observations.
 */
function assumptionLines(assumptions: readonly ProofAnswer[]): readonly string[] {
  const isPlain = ({ question, verdict }: ProofAnswer) =>
    question.assumption === 'A3' && verdict === 'confirmed';
  const plain = assumptions.filter(isPlain);
  const unseen = assumptions.filter(isUnseen);
  const seen = plain.reduce((sum, { observations }) => sum + observations, 0);
  const names = plain.map(({ question }) => question.id.replace('A3.', '')).join(', ');
  return [
    ...assumptions.flatMap((answer) => {
      if (answer === plain[0])
        return [
          `  A3, ${ASSUMES.A3}: confirmed: ${answer.candidate?.words} (${seen} observations): ${names}`,
        ];
      return isPlain(answer) || isUnseen(answer) ? [] : answerLines(answer);
    }),
    ...unseenLine(unseen),
  ];
}

const isUnseen = ({ verdict, reasons }: ProofAnswer) => verdict === 'unknown' && reasons.length === 0;
const unseenLine = (unseen: readonly ProofAnswer[]) =>
  unseen.length === 0
    ? []
    : [`  Nothing was observed that decides ${unseen.map(({ question }) => question.id).join(', ')}`];

/** One line for all facts that hold, and one for each other fact. */
function factLines(facts: readonly ProofAnswer[]): readonly string[] {
  const holding = facts.filter(({ verdict }) => verdict === 'confirmed');
  const seen = holding.reduce((sum, { observations }) => sum + observations, 0);
  const names = holding.map(({ question }) => question.id).join(', ');
  return [
    ...(holding.length === 0 ? [] : [`  To the unit, ${seen} observations: ${names}`]),
    ...facts.filter((fact) => fact.verdict !== 'confirmed' && !isUnseen(fact)).flatMap(answerLines),
    ...unseenLine(facts.filter(isUnseen)),
  ];
}

const failureTitle = (failures: readonly ProvenFailure[], different: readonly ProvenFailure[]): string =>
  failures.length === 0
    ? 'No failure was provoked.'
    : `Failures: ${failures.length - different.length} of ${failures.length} give the documented code${different.length === 0 ? '.' : '; these do not:'}`;

const failureLine = ({ what, expected, found }: ProvenFailure) =>
  `  ${what}: documented ${expected}, found ${found}`;

/** What to do next. */
function adviceOf({ runs, assumptions, facts, deployment }: Proof): readonly string[] {
  const { rules = {} } = deployment;
  const wrong = [...assumptions, ...facts].filter(
    ({ verdict, candidate }) =>
      verdict === 'none-fits' || (verdict === 'refuted' && candidate?.rules === undefined),
  );
  const settings = Object.entries(rules).map(([name, value]) => `${name}: ${settingOf(value)}`);
  const lines = [
    ...(settings.length === 0
      ? []
      : [
          `  Set ${settings.join(', ')}: write them with --write deployment.json, then createClient({ deployment }) or serve --deployment deployment.json.`,
        ]),
    ...(wrong.length === 0
      ? []
      : [
          `  No setting covers ${wrong.map(({ question }) => question.id).join(', ')}: don't rely on what depends on it, and report it with the output of --json.`,
        ]),
  ];
  if (lines.length === 0) return [];
  return ['', runs === 'program' ? 'What to do' : 'What to do, if this were the program', ...lines];
}

const settingOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{ ${Object.entries(value)
        .map(([name, each]) => `${name}: ${String(each)}`)
        .join(', ')} }`
    : String(value);

const runLines = ({ transactions, seed, durationMs, program, missing }: Proof): readonly string[] => [
  ...(missing.length === 0 ? [] : [`The download lacks something: ${missing.join('; ')}.`]),
  `${transactions} transactions in ${Math.round(durationMs / 1_000)} seconds; --seed ${seed} runs the same again.`,
  ...(program?.upgradeAuthority === undefined
    ? []
    : [
        program.upgradeAuthority === null
          ? 'Nobody can replace the program.'
          : `${program.upgradeAuthority} can replace the program at any time: this holds for this hash only.`,
      ]),
];
