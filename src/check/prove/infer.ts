import { type Candidate, type Choice, QUESTIONS, type Question, type QuestionId } from './questions.js';

/** One thing that the machine did, and what each combination of answers predicts for it. */
export interface Observation {
  /** What was done, in a word such as `buy` or `deposit`. Observations of one kind share a model. */
  readonly kind: string;
  /** What was done, with its figures. */
  readonly what: string;
  /**
   * The question that it answers directly: if it fits no candidate, no candidate of that question is right, whatever else
   * seems to fit.
   */
  readonly decides?: QuestionId | undefined;
  /** How large it was, in native units of the asset, to find the smallest counterexample. */
  readonly size: bigint;
  /** What happened. */
  readonly found: string;
  /** What should have happened, for each combination of answers that it depends on. */
  readonly predictions: readonly { readonly choice: Choice; readonly expected: string }[];
}

/** Something that could not be observed. */
export interface Skipped {
  readonly questions: readonly QuestionId[];
  /** Why, as the end of a sentence. */
  readonly reason: string;
  /**
   * What it contradicts, unless the scene lacks something: it counts where others about the same question were observed. What
   * fails each time, or does nothing each time, shows nothing.
   */
  readonly doubt?: Observation | undefined;
}

/**
 * - `confirmed`: the assumed candidate fits every observation, and no other does.
 * - `refuted`: another candidate fits every observation, and the assumed one does not.
 * - `none-fits`: no candidate fits them all.
 * - `unknown`: more than one fits, or nothing was observed.
 */
export type ProofVerdict = 'confirmed' | 'refuted' | 'none-fits' | 'unknown';

/** What the observations say about one question. */
export interface Answer {
  readonly question: Question;
  readonly verdict: ProofVerdict;
  /** The candidate that fits, if the verdict is `confirmed` or `refuted`. */
  readonly candidate?: Candidate;
  /** The number of observations behind it: those that rule out another candidate or, for a fact, all that could contradict it. */
  readonly observations: number;
  /** For each candidate that was ruled out, the smallest observation that does so. */
  readonly contradictions: readonly { readonly candidate: string; readonly observation: Observation }[];
  /** The smallest observation that fits no candidate, if the verdict is `none-fits`. */
  readonly counterexample?: Observation;
  /** Why there is no verdict. */
  readonly reasons: readonly string[];
}

const fits = ({ found }: Observation, { expected }: Observation['predictions'][number]) => expected === found;
const smallest = (observations: readonly Observation[]): Observation | undefined =>
  observations.reduce<Observation | undefined>(
    (a, b) => (a === undefined || b.size < a.size ? b : a),
    undefined,
  );
const asks = ({ predictions }: Observation, id: QuestionId) => predictions.some(({ choice }) => id in choice);

/**
 * Says which candidates fit every observation.
 *
 * Where observations of one kind fit no combination of candidates, or contradict each other, the model of that kind is
 * incomplete: what they seem to say about other questions isn't used.
 */
export function infer(seen: readonly Observation[], skipped: readonly Skipped[] = []): readonly Answer[] {
  const isSeen = (id: QuestionId) => seen.some((other) => asks(other, id));
  const doubts = skipped.flatMap(({ doubt }) => doubt ?? []);
  const observations = [...seen, ...doubts.filter((doubt) => [...questionsOf(doubt)].some(isSeen))];
  const misfits = observations.filter((one) => !one.predictions.some((prediction) => fits(one, prediction)));
  const doubtful = new Set(misfits.map(({ kind }) => kind));
  const contradicted = new Map<QuestionId, readonly Observation[]>();
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

const reasonsFor = (id: QuestionId, skipped: readonly Skipped[]): readonly string[] => [
  ...new Set(skipped.filter(({ questions }) => questions.includes(id)).map(({ reason }) => reason)),
];

type Alive = ReadonlyMap<QuestionId, ReadonlySet<string>>;

const questionsOf = ({ predictions }: Observation): ReadonlySet<QuestionId> =>
  new Set(predictions.flatMap(({ choice }) => Object.keys(choice) as QuestionId[]));

/** The candidates that an observation leaves possible for a question, given what is left of the others. */
const supported = (alive: Alive, seen: Observation, id: QuestionId): ReadonlySet<string | undefined> =>
  new Set(
    seen.predictions
      .filter(
        (prediction) =>
          fits(seen, prediction) &&
          (Object.entries(prediction.choice) as [QuestionId, string][]).every(
            ([other, name]) => other === id || alive.get(other)?.has(name),
          ),
      )
      .map(({ choice }) => choice[id]),
  );

/** The questions whose answers keep an observation from fitting what is left: as few of them as would have to be other ones. */
function disputedIn(alive: Alive, seen: Observation): readonly QuestionId[] {
  const against = seen.predictions
    .filter((prediction) => fits(seen, prediction))
    .map(({ choice }) => {
      const answers = Object.entries(choice) as [QuestionId, string][];
      return answers.filter(([id, name]) => !alive.get(id)?.has(name)).map(([id]) => id);
    });
  const fewest = Math.min(...against.map(({ length }) => length));
  return [...new Set(against.filter(({ length }) => length === fewest).flat())];
}

/** Drops the candidates that an observation rules out, until nothing changes or an observation fits nothing that is left. */
function eliminate(observations: readonly Observation[]): {
  readonly alive: Alive;
  readonly disputed: readonly QuestionId[];
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
  /** Of kinds whose model is complete. */
  readonly sound: readonly Observation[];
  /** Those that fit no combination of candidates. */
  readonly misfits: readonly Observation[];
  /** Per question, observations that fit a candidate each, but no common one. */
  readonly contradicted: ReadonlyMap<QuestionId, readonly Observation[]>;
  readonly reasons: readonly string[];
}

function answer(question: Question, evidence: Evidence): Answer {
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
  // The fault lies with this question only if everything else that these observations depend on is known.
  const isOpen = (other: QuestionId) => other !== id && (alive.get(other)?.size ?? 0) > 1;
  const blaming = misfits.filter((seen) => ![...questionsOf(seen)].some(isOpen));
  if (blaming.length > 0) return noneFits(said, blaming);
  const { what } = smallest(misfits) as Observation;
  const reason = `${misfits.length} observations fit no combination of candidates, the smallest: ${what}`;
  return { ...said, verdict: 'unknown', reasons: [reason, ...reasons] };
}

function noneFits(said: Omit<Answer, 'verdict'>, against: readonly Observation[]): Answer {
  const counterexample = smallest(against);
  return { ...said, verdict: 'none-fits', ...(counterexample === undefined ? {} : { counterexample }) };
}
