import {
  DEFAULT_RULES,
  type PricedInstruction,
  type ProtocolRules,
  patchRules,
  type RulesPatch,
} from '../../program/rules.js';
import { ASSUMES, type Assumption } from '../deployment.js';

/** One possible answer to a question. */
export interface ProofCandidate {
  /** Short and stable: programs read it in reports and in `deployment.json`. */
  readonly name: string;
  /** The answer in words. */
  readonly words: string;
  /** The rules that a deployment needs for this answer. None for the assumed candidate. */
  readonly rules?: RulesPatch;
}

/** A question about the program that observations can answer. */
export interface ProofQuestion {
  /** `A4`, `A3.pro_buy`, `sell`. */
  readonly id: ProofQuestionId;
  /** The assumption that it belongs to. Unset for facts that are not assumed ([level M](/protocol) or D). */
  readonly assumption?: Assumption;
  /** The question, briefly. */
  readonly asks: string;
  /** The first is what this library assumes. A fact has no other. */
  readonly candidates: readonly [ProofCandidate, ...ProofCandidate[]];
}

type AssumptionQuestion =
  | Exclude<Assumption, 'A3' | 'A7' | 'A8'>
  | `A3.${PricedInstruction}`
  | 'A7.length'
  | 'A7.fill'
  | 'A8.first-supply'
  | 'A8.rounding'
  | 'A8.scale';

/** What is checked besides the assumptions: the library's own numbers against the program's. */
const FACTS = {
  buy: 'what a buy pays, gives and leaves in the pool',
  sell: 'what a sell pays, gives and leaves in the pool',
  'exact-out': 'the least that must be paid for an amount out',
  event: 'the event of a trade',
  counters: "the pool's counters of fees and volume",
  launch: 'what a launch makes and costs',
  'initial-purchase': 'what an initial purchase costs',
  creation: 'what the creation of a pro pool makes and takes',
  deposit: 'what a deposit takes and gives',
  withdrawal: 'what a withdrawal gives',
  'lp-transfer': 'what a transfer of LP tokens moves',
  'creator-claim': 'what a claim of creator fees pays',
  'lp-claim': 'what a claim of LP fees pays',
  setting: "what a creator's setters and toggles change",
  permission: 'who may do what',
} as const;

type Fact = keyof typeof FACTS;
/** A question's stable name: its assumption, with a suffix if that has several questions, or a fact. */
export type ProofQuestionId = AssumptionQuestion | Fact;

const fixed = (name: string, words: string, rules?: RulesPatch): ProofCandidate =>
  rules === undefined ? { name, words } : { name, words, rules };

const FIXED_FIRST_SUPPLY = 5_159_780_352n;

/** The candidates of each question except A3's, which are all alike. */
const candidates = (): {
  readonly [id in Exclude<AssumptionQuestion, `A3.${string}`>]: readonly [
    ProofCandidate,
    ...ProofCandidate[],
  ];
} => ({
  A1: [
    fixed('creator-last', 'prefix, mint A, mint B, creator'),
    fixed('creator-first', 'prefix, creator, mint A, mint B', { proPoolSeeds: 'creator-first' }),
  ],
  A2: [
    fixed('user_lp_position', '"user_lp_position"'),
    ...['USER_LP_POSITION', 'user_lp_position_state', 'lp_position', 'user_lp', 'user_position'].map((seed) =>
      fixed(seed, `"${seed}"`, { lpPositionSeed: seed }),
    ),
  ],
  A4: [fixed('sol', 'from the SOL, before the curve'), fixed('tokens', 'from the tokens, behind the curve')],
  A5: [
    fixed('millionths', 'millionths of a dollar'),
    fixed('dollars', 'whole dollars', { proMarketCapUnitsPerUsd: 1n }),
  ],
  A6: [fixed('config', "the config's"), fixed('pool', "the pool's own", { localProtocolFee: 'pool' })],
  'A7.length': [
    fixed('four', 'four aligned slots for each of leader_slot_window'),
    fixed('one', 'one slot for each of leader_slot_window', { slotsPerLeader: 1 }),
  ],
  'A7.fill': [
    fixed('worse-price', 'the worse of the prices now and at the beginning of the window'),
    fixed('reversal-at-start', 'what reverses a move is filled at the price at the beginning of the window', {
      windowFill: 'reversal-at-start',
    }),
  ],
  'A8.first-supply': [
    fixed('square-root', 'the square root of the product of both amounts'),
    fixed('fixed', `always ${FIXED_FIRST_SUPPLY}`, { firstLpSupply: FIXED_FIRST_SUPPLY }),
  ],
  'A8.rounding': [
    fixed('up', 'up to the unit'),
    fixed('down', 'down to the unit', { depositRounding: 'down' }),
  ],
  'A8.scale': [
    fixed('1e9', 'units of 1e-9'),
    fixed('1e12', 'units of 1e-12', { feePerLpTokenUnit: 10n ** 12n }),
    fixed('2^64', 'units of 2^-64', { feePerLpTokenUnit: 2n ** 64n }),
  ],
  A9: [fixed('as-built', 'a launch as the library builds it succeeds')],
  A10: [fixed('config-1', 'config 1'), fixed('config-2', 'config 2'), fixed('config-3', 'config 3')],
  A11: [fixed('fifteen', 'the 14 accounts of a swap and the new receiver, who signs')],
  A12: [fixed('config', "the config's brackets"), fixed('no-fee', 'no fee of that kind')],
});

const WORDED: { readonly [id in keyof ReturnType<typeof candidates>]?: string } = {
  'A7.length': 'how long a window is',
  'A7.fill': 'what a trade within a window gets',
  'A8.first-supply': 'the LP tokens of a first deposit',
  'A8.rounding': 'how what a deposit takes is rounded',
  'A8.scale': 'the unit of the accumulated LP fees',
};

function listQuestions(): readonly ProofQuestion[] {
  const asked = candidates();
  const questionsOf = (assumption: Assumption): ProofQuestion[] =>
    assumption === 'A3'
      ? (Object.keys(DEFAULT_RULES.priceAccounts) as PricedInstruction[]).map((instruction) => ({
          id: `A3.${instruction}`,
          assumption,
          asks: `whether ${instruction} needs the price accounts`,
          candidates: [
            fixed('pair', 'it needs them'),
            fixed('none', 'it does without', { priceAccounts: { [instruction]: false } }),
          ],
        }))
      : (Object.keys(asked) as (keyof typeof asked)[])
          .filter((id) => id === assumption || id.startsWith(`${assumption}.`))
          .map((id) => ({ id, assumption, asks: WORDED[id] ?? ASSUMES[assumption], candidates: asked[id] }));
  const facts = (Object.entries(FACTS) as [Fact, string][]).map(
    ([id, asks]): ProofQuestion => ({
      id,
      asks,
      candidates: [fixed('as-computed', 'as this library computes it')],
    }),
  );
  return [...(Object.keys(ASSUMES) as Assumption[]).flatMap(questionsOf), ...facts];
}

/** Every question in the order of the register in docs/protocol.md, then the facts. */
export const QUESTIONS: readonly ProofQuestion[] = /* @__PURE__ */ listQuestions();

const byId = /* @__PURE__ */ createIndex();

function createIndex(): ReadonlyMap<ProofQuestionId, ProofQuestion> {
  return new Map(QUESTIONS.map((question) => [question.id, question]));
}

export function questionOf(id: ProofQuestionId): ProofQuestion {
  const question = byId.get(id);
  if (question === undefined) throw new TypeError(`There is no question ${id}`);
  return question;
}

/** Answers to some questions, as names of candidates. */
export type ProofChoice = { readonly [id in ProofQuestionId]?: string };

/** Every combination of answers to some questions, the assumed one first. */
export const choicesOf = (ids: readonly ProofQuestionId[]): readonly ProofChoice[] =>
  ids.reduce<readonly ProofChoice[]>(
    (choices, id) =>
      choices.flatMap((choice) => questionOf(id).candidates.map(({ name }) => ({ ...choice, [id]: name }))),
    [{}],
  );

/** The rules of a combination of answers. */
export const rulesOf = (choice: ProofChoice, base: ProtocolRules = DEFAULT_RULES): ProtocolRules =>
  (Object.entries(choice) as [ProofQuestionId, string][]).reduce((rules, [id, name]) => {
    const chosen = questionOf(id).candidates.find((candidate) => candidate.name === name);
    return patchRules(rules, chosen?.rules ?? {});
  }, base);
