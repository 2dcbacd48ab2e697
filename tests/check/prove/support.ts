import { infer, type ProofAnswer } from '../../../src/check/prove/infer.js';
import { createJournal, type Journal } from '../../../src/check/prove/journal.js';
import type { ProofQuestionId } from '../../../src/check/prove/questions.js';
import type { ProvingGround, Scenario } from '../../../src/check/prove/scenario.js';
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
  type ExchangeBehavior,
} from '../../../src/testing/index.js';

/** A ground of embedded ledgers, whose exchange behaves as a test says. */
export const groundOf = (
  behavior: ExchangeBehavior = {},
  edit: (ledger: EmbeddedLedger) => void | Promise<void> = () => {},
  lookupTable?: ProvingGround['lookupTable'],
): ProvingGround => ({
  pools: [],
  lookupTable,
  open: async () => {
    const ledger = await createEmbeddedLedger();
    ledger.setBehavior(behavior);
    await edit(ledger);
    return ledger;
  },
});

/** Numbers from 0 to 1, the same each time (mulberry32). */
export function seeded(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Proven {
  readonly journal: Journal;
  answer(id: ProofQuestionId): ProofAnswer;
  /** What it says to each question, for short: the verdict, and the candidate where there is one. */
  readonly verdicts: { readonly [id in ProofQuestionId]?: string };
}

export async function prove(
  scenarios: readonly Scenario[],
  ground: ProvingGround = groundOf(),
): Promise<Proven> {
  const journal = createJournal();
  for (const scenario of scenarios)
    await scenario.run({ ground, journal, random: seeded(), progress: () => {} });
  const answers = infer(journal.observations, journal.skipped);
  const ids = new Set(scenarios.flatMap(({ questions }) => questions));
  return {
    journal,
    answer: (id) => answers.find(({ question }) => question.id === id) as ProofAnswer,
    verdicts: Object.fromEntries(
      answers
        .filter(({ question }) => ids.has(question.id))
        .map(({ question, verdict, candidate }) => [
          question.id,
          candidate === undefined ? verdict : `${verdict}: ${candidate.name}`,
        ]),
    ),
  };
}
