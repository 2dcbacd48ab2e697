import {
  type ProofCandidate,
  type ProofChoice,
  type ProofQuestion,
  type ProofQuestionId,
  QUESTIONS,
} from './questions.js';

/** One thing that the program did, and what each combination of answers predicts. */
export interface ProofObservation {
  /** What was done, in one word such as `buy` or `deposit`. Observations of the same kind share a model. */
  readonly kind: string;
  /** What was done, with the amounts. */
  readonly what: string;
  /**
   * The question that it answers directly. If it fits none of that question's candidates, none of them is right, even if other
   * observations fit one.
   */
  readonly decides?: ProofQuestionId | undefined;
  /** Its size in native units of the asset, to find the smallest counterexample. */
  readonly size: bigint;
  /** What happened. */
  readonly found: string;
  /** What each combination of the answers that it depends on predicts. */
  readonly predictions: readonly { readonly choice: ProofChoice; readonly expected: string }[];
}

/** Something that could not be observed. */
export interface Skipped {
  readonly questions: readonly ProofQuestionId[];
  /** Why, as a phrase that ends a sentence. */
  readonly reason: string;
  /**
   * The contradiction that this is, unless the setup is at fault. It counts only if there are observations of the same
   * question: what fails or does nothing every time shows nothing.
   */
  readonly doubt?: ProofObservation | undefined;
}

/**
 * - `confirmed`: the assumed candidate fits every observation, and no other does.
 * - `refuted`: another candidate fits every observation, and the assumed one does not.
 * - `none-fits`: no candidate fits them all.
 * - `unknown`: more than one fits, or nothing was observed.
 */
export type ProofVerdict = 'confirmed' | 'refuted' | 'none-fits' | 'unknown';

/** The answer that the observations give to one question. */
export interface ProofAnswer {
  readonly question: ProofQuestion;
  readonly verdict: ProofVerdict;
  /** The candidate that fits, if the verdict is `confirmed` or `refuted`. */
  readonly candidate?: ProofCandidate;
  /** The number of observations that support it: those that rule out another candidate or, for a fact, all that could contradict it. */
  readonly observations: number;
  /** The smallest observation that rules out each candidate that was ruled out. */
  readonly contradictions: readonly { readonly candidate: string; readonly observation: ProofObservation }[];
  /** The smallest observation that fits no candidate, if the verdict is `none-fits`. */
  readonly counterexample?: ProofObservation;
  /** Why there is no verdict. */
  readonly reasons: readonly string[];
}

export const isMisfit = (seen: ProofObservation): boolean => !seen.predictions.some((one) => fits(seen, one));

const fits = ({ found }: ProofObservation, { expected }: ProofObservation['predictions'][number]) =>
  expected === found;
const smallest = (observations: readonly ProofObservation[]): ProofObservation | undefined =>
  observations.reduce<ProofObservation | undefined>(
    (a, b) => (a === undefined || b.size < a.size ? b : a),
    undefined,
  );
export const asks = ({ predictions }: ProofObservation, id: ProofQuestionId) =>
  predictions.some(({ choice }) => id in choice);

/**
 * Finds the candidates that fit every observation.
 *
 * If observations of one kind fit no combination of candidates, or contradict each other, the model of that kind is incomplete.
 * They are then not used for other questions.
 */
export function infer(
  seen: readonly ProofObservation[],
  skipped: readonly Skipped[] = [],
): readonly ProofAnswer[] {
  const isSeen = (id: ProofQuestionId) => seen.some((other) => asks(other, id));
  const doubts = skipped.flatMap(({ doubt }) => doubt ?? []);
  const observations = [...seen, ...doubts.filter((doubt) => [...questionsOf(doubt)].some(isSeen))];
  const misfits = observations.filter(isMisfit);
  const doubtful = new Set(misfits.map(({ kind }) => kind));
  const contradicted = new Map<ProofQuestionId, readonly ProofObservation[]>();
  for (;;) {
    const sound = observations.filter(({ kind }) => !doubtful.has(kind));
    const { alive, disputed } = eliminate(sound);
    if (disputed.length === 0)
      return QUESTIONS.map((question) =>
        answer(question, { alive, sound, misfits, contradicted, reasons: reasonsFor(question.id, skipped) }),
      );
    for (const id of disputed) {
      const about = sound.filter((one) => asks(one, id));
      contradicted.set(id, about);
      for (const { kind } of about) doubtful.add(kind);
    }
  }
}

export const reasonsFor = (id: ProofQuestionId, skipped: readonly Skipped[]): readonly string[] => [
  ...new Set(skipped.filter(({ questions }) => questions.includes(id)).map(({ reason }) => reason)),
];

type Alive = ReadonlyMap<ProofQuestionId, ReadonlySet<string>>;

const questionsOf = ({ predictions }: ProofObservation): ReadonlySet<ProofQuestionId> =>
  new Set(predictions.flatMap(({ choice }) => Object.keys(choice) as ProofQuestionId[]));

/** The candidates that an observation leaves possible for one question, given the remaining candidates of the others. */
const supported = (
  alive: Alive,
  seen: ProofObservation,
  id: ProofQuestionId,
): ReadonlySet<string | undefined> =>
  new Set(
    seen.predictions
      .filter(
        (prediction) =>
          fits(seen, prediction) &&
          (Object.entries(prediction.choice) as [ProofQuestionId, string][]).every(
            ([other, name]) => other === id || alive.get(other)?.has(name),
          ),
      )
      .map(({ choice }) => choice[id]),
  );

/** The smallest set of questions whose remaining candidates keep an observation from fitting. */
function disputedIn(alive: Alive, seen: ProofObservation): readonly ProofQuestionId[] {
  const against = seen.predictions
    .filter((prediction) => fits(seen, prediction))
    .map(({ choice }) => {
      const answers = Object.entries(choice) as [ProofQuestionId, string][];
      return answers.filter(([id, name]) => !alive.get(id)?.has(name)).map(([id]) => id);
    });
  const fewest = Math.min(...against.map(({ length }) => length));
  return [...new Set(against.filter(({ length }) => length === fewest).flat())];
}

/** Drops the candidates that observations rule out, until nothing changes or an observation fits no remaining combination. */
function eliminate(observations: readonly ProofObservation[]): {
  readonly alive: Alive;
  readonly disputed: readonly ProofQuestionId[];
} {
  const alive = new Map(
    QUESTIONS.map(({ id, candidates }) => [id, new Set(candidates.map(({ name }) => name))]),
  );
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const seen of observations) {
      for (const id of questionsOf(seen)) {
        const possible = supported(alive, seen, id);
        const names = alive.get(id) as Set<string>;
        const left = [...names].filter((name) => possible.has(name));
        if (left.length === 0) return { alive, disputed: disputedIn(alive, seen) };
        if (left.length === names.size) continue;
        alive.set(id, new Set(left));
        isChanged = true;
      }
    }
  }
  return { alive, disputed: [] };
}

interface Evidence {
  readonly alive: Alive;
  /** Observations of the kinds whose model is complete. */
  readonly sound: readonly ProofObservation[];
  /** Observations that fit no combination of candidates. */
  readonly misfits: readonly ProofObservation[];
  /** Per question, observations that each fit a candidate, but not the same one. */
  readonly contradicted: ReadonlyMap<ProofQuestionId, readonly ProofObservation[]>;
  readonly reasons: readonly string[];
}

function answer(question: ProofQuestion, evidence: Evidence): ProofAnswer {
  const { id, candidates } = question;
  const { alive, contradicted, reasons } = evidence;
  const [assumed] = candidates;
  const isFact = candidates.length === 1;
  const sound = evidence.sound.filter((seen) => asks(seen, id));
  const misfits = evidence.misfits.filter((seen) => asks(seen, id));
  const ruledOut = candidates.map(({ name }) => ({
    candidate: name,
    by: sound.filter((seen) => !supported(alive, seen, id).has(name)),
  }));
  const contradictions = ruledOut.flatMap(({ candidate, by }) => {
    const observation = smallest(by);
    return observation === undefined ? [] : [{ candidate, observation }];
  });
  const deciding = isFact ? sound : sound.filter((seen) => ruledOut.some(({ by }) => by.includes(seen)));
  const said = { question, observations: deciding.length, contradictions, reasons };
  const direct = misfits.filter(({ decides }) => isFact || decides === id);
  const against = contradicted.get(id) ?? direct;
  if (against.length > 0) return noneFits(said, against);
  const left = candidates.filter(({ name }) => alive.get(id)?.has(name));
  const [only] = left;
  if (deciding.length > 0 && left.length === 1 && only !== undefined)
    return { ...said, verdict: only === assumed ? 'confirmed' : 'refuted', candidate: only };
  if (misfits.length === 0) return { ...said, verdict: 'unknown' };
  // This question is at fault only if all others that these observations depend on are answered.
  const isOpen = (other: ProofQuestionId) => other !== id && (alive.get(other)?.size ?? 0) > 1;
  const blaming = misfits.filter((seen) => ![...questionsOf(seen)].some(isOpen));
  if (blaming.length > 0) return noneFits(said, blaming);
  const { what } = smallest(misfits) as ProofObservation;
  const reason = `${misfits.length} observations fit no combination of candidates, the smallest: ${what}`;
  return { ...said, verdict: 'unknown', reasons: [reason, ...reasons] };
}

function noneFits(said: Omit<ProofAnswer, 'verdict'>, against: readonly ProofObservation[]): ProofAnswer {
  const counterexample = smallest(against);
  return { ...said, verdict: 'none-fits', ...(counterexample === undefined ? {} : { counterexample }) };
}
