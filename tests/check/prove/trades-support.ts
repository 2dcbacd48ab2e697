import { infer } from '../../../src/check/prove/infer.js';
import { createJournal, type Journal } from '../../../src/check/prove/journal.js';
import type { ProofQuestionId } from '../../../src/check/prove/questions.js';
import type { ProvingGround, Scenario } from '../../../src/check/prove/scenario.js';
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
  type SamplePoolName,
} from '../../../src/testing/index.js';

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Some of the sample pools, on ledgers that are changed as they are opened. */
export async function groundOf(
  names: readonly SamplePoolName[],
  change: (ledger: EmbeddedLedger) => void = () => {},
): Promise<ProvingGround> {
  const { pools } = await createEmbeddedLedger();
  return {
    pools: names.map((name) => pools[name]),
    open: async () => {
      const ledger = await createEmbeddedLedger();
      change(ledger);
      return ledger;
    },
  };
}

export async function runOn(
  ground: ProvingGround,
  scenarios: readonly Scenario[],
  seed = 1,
): Promise<Journal> {
  const journal = createJournal();
  for (const scenario of scenarios)
    await scenario.run({ ground, journal, random: seeded(seed), progress: () => {} });
  return journal;
}

/** `confirmed sol`, `none-fits`, … per question. */
export function verdictsOf(
  journal: Journal,
  ...ids: readonly ProofQuestionId[]
): Readonly<Record<string, string>> {
  const answers = infer(journal.observations, journal.skipped);
  return Object.fromEntries(
    ids.map((id) => {
      const answer = answers.find(({ question }) => question.id === id);
      return [id, [answer?.verdict, answer?.candidate?.name].filter(Boolean).join(' ')];
    }),
  );
}
