import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import type { ProofObservation } from '../../../src/check/prove/infer.js';
import { isContradicted } from '../../../src/check/prove/proof.js';
import { type ProofSubject, proveOn } from '../../../src/check/prove/prove-on.js';
import { describeProof, describeProofAsMarkdown } from '../../../src/check/prove/report.js';
import type { Scenario, ScenarioInput } from '../../../src/check/prove/scenario.js';
import { createStage } from '../../../src/check/prove/stage.js';
import { buildBuy, quoteBuy } from '../../../src/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';
import { expectRefusal } from '../../support/errors.js';

const program = {
  address: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o' as Address,
  sha256: 'ab'.repeat(32),
  deploySlot: 123n,
  upgradeAuthority: null,
};
const sample = await createEmbeddedLedger();

const scenario = (act: (input: ScenarioInput) => Promise<void> | void, name = 'test'): Scenario => ({
  name,
  questions: [],
  run: async (input) => act(input),
});

const prove = (scenarios: readonly Scenario[], more: Partial<ProofSubject> = {}, options = {}) =>
  proveOn(
    {
      runs: 'program',
      program,
      deployment: {},
      ground: { pools: [], open: () => createEmbeddedLedger() },
      scenarios,
      ...more,
    },
    { seed: 7, ...options },
  );

/** A buy of 1 SOL that runs, and is observed to be as it was foretold or not. */
async function trade({ ground, journal }: ScenarioInput, observation: Partial<ProofObservation> = {}) {
  const stage = createStage(await ground.open());
  const { mint, configVersion } = sample.pools.creator;
  const wallet = await stage.createWallet();
  const quote = await quoteBuy(stage.client, { configVersion, mint, maxSolSpend: 1, slippageBps: 0 });
  const terms = { payer: wallet.address, quoteResponse: quote, encodedUserDefinedEventData: '' };
  expect((await stage.run(await buildBuy(stage.client, terms), wallet)).ok).toBe(true);
  journal.observe({ ...seen({ A4: 'sol' }, { A4: 'tokens' }), ...observation });
}

const seen = (
  fitting: ProofObservation['predictions'][number]['choice'],
  other: typeof fitting,
  size = 5n,
): ProofObservation => ({
  kind: JSON.stringify(fitting),
  what: `a trade of ${size}`,
  size,
  found: '7',
  predictions: [
    { choice: fitting, expected: '7' },
    { choice: other, expected: '8' },
  ],
});

describe('a proof', () => {
  test('confirms, counts, and says what ran', async () => {
    const proof = await prove([scenario((input) => trade(input))]);
    expect(proof).toMatchObject({
      runs: 'program',
      nothingMoved: false,
      transactions: 1,
      seed: 7,
      deployment: {},
    });
    expect(proof.assumptions.find(({ question }) => question.id === 'A4')?.verdict).toBe('confirmed');
    expect(isContradicted(proof)).toBe(false);
    const lines = describeProof(proof);
    expect(lines[0]).toBe(
      `Ran the program HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o, SHA-256 ${'ab'.repeat(32)}, deployed in slot 123`,
    );
    expect(lines[1]).toMatch(
      /^Nothing the library assumes is refuted; 1 of \d+ are confirmed\. Could not tell: A1, /,
    );
    expect(lines).toContain(
      '  A4, the fees of a buy are taken from the SOL side: confirmed: from the SOL, before the curve (1 observation)',
    );
    expect(lines.join('\n')).not.toContain('What to do');
    expect(lines.at(-1)).toBe('Nobody can replace the program.');
  });

  test('gives the rules for what is refuted, and says what has no rule', async () => {
    const proof = await prove([
      scenario((input) => trade(input, seen({ A4: 'tokens' }, { A4: 'sol' }))),
      scenario(({ journal }) => {
        journal.observe(seen({ 'A8.scale': '1e12' }, { 'A8.scale': '1e9' }));
        journal.observe(seen({ 'A8.scale': '1e12' }, { 'A8.scale': '2^64' }));
        journal.observe(seen({ 'A3.pro_buy': 'none' }, { 'A3.pro_buy': 'pair' }));
        journal.observe(seen({ 'A3.pro_sell': 'none' }, { 'A3.pro_sell': 'pair' }));
        journal.observe({ ...seen({ sell: 'other' }, { sell: 'as-computed' }), size: 3n });
        for (const found of [6040, 6040, 6041])
          journal.fail({ what: 'a claim by a stranger', expected: 6041, found });
      }),
    ]);
    expect(proof.deployment).toEqual({
      rules: { feePerLpTokenUnit: 10n ** 12n, priceAccounts: { pro_buy: false, pro_sell: false } },
    });
    expect(proof.failures).toEqual([
      { what: 'a claim by a stranger', expected: 6041, found: 6040, times: 2 },
      { what: 'a claim by a stranger', expected: 6041, found: 6041, times: 1 },
    ]);
    expect(isContradicted(proof)).toBe(true);
    const text = describeProof(proof).join('\n');
    expect(text).toContain('differs from what the library assumes in A3.pro_buy, A3.pro_sell, A4, A8.scale.');
    expect(text).toContain(
      'it is from the tokens, behind the curve (1 observation), not from the SOL, before the curve',
    );
    expect(text).toContain('a trade of 5: found 7, where other answers expect 8');
    expect(text).toContain('a claim by a stranger: documented 6041, found 6040');
    expect(text).toContain(
      'Set priceAccounts: { pro_buy: false, pro_sell: false }, feePerLpTokenUnit: 1000000000000: write them with --write',
    );
    expect(text).toContain('No setting covers A4');
    expect(describeProofAsMarkdown(proof)).toContain(
      '| A4 | the fees of a buy are taken from the SOL side | REFUTED',
    );
  });

  test('of a fact that does not hold shows the smallest counterexample', async () => {
    const fact = (size: bigint): ProofObservation => ({
      kind: 'sell',
      what: `a sell of ${size}`,
      size,
      found: '6',
      predictions: [{ choice: { sell: 'as-computed' }, expected: '7' }],
    });
    const proof = await prove([
      scenario((input) => trade(input)),
      scenario(({ journal }) => {
        for (const size of [30n, 20n, 40n]) journal.observe(fact(size));
      }),
    ]);
    expect(isContradicted(proof)).toBe(true);
    const text = describeProof(proof).join('\n');
    expect(text).toContain('It fits none of the known answers in sell.');
    expect(text).toContain('a sell of 20: found 6, expected 7');
  });

  test('says that nothing moved, and draws no conclusion from it', async () => {
    const still = scenario(async (input) => {
      const stage = createStage(await input.ground.open());
      const wallet = await stage.createWallet();
      await stage.run([], wallet);
      input.journal.observe(seen({ 'A3.pro_buy': 'none' }, { 'A3.pro_buy': 'pair' }));
      input.journal.fail({ what: 'x', expected: 1, found: 2 });
    });
    const proof = await prove([still]);
    expect(proof).toMatchObject({ nothingMoved: true, transactions: 1, deployment: {}, failures: [] });
    expect([...proof.assumptions, ...proof.facts].every(({ verdict }) => verdict === 'unknown')).toBe(true);
    expect(isContradicted(proof)).toBe(true);
    const lines = describeProof(proof);
    expect(lines[1]).toMatch(/^NOTHING MOVED: 1 transactions ran/);
    expect(lines.length).toBeLessThan(7);
  });

  test('of the model says that it is a rehearsal', async () => {
    const proof = await prove([scenario((input) => trade(input))], { runs: 'model' });
    expect(describeProof(proof)[0]).toBe(
      "REHEARSAL on the library's own model: proves nothing about mainnet",
    );
  });

  test('draws the same numbers from the same seed, and others in each scenario', async () => {
    const drawn: number[][] = [];
    const draw = scenario(({ random }) => void drawn.push(Array.from({ length: 20 }, random)));
    await prove([draw, draw]);
    await prove([draw, draw]);
    await prove([draw], {}, { seed: 8 });
    expect(drawn[0]).toEqual(drawn[2]);
    expect(drawn[1]).toEqual(drawn[3]);
    expect(drawn[0]).not.toEqual(drawn[1]);
    expect(drawn[0]).not.toEqual(drawn[4]);
    for (const number of drawn.flat()) expect(number >= 0 && number < 1).toBe(true);
  });

  test('reports its progress, and ends when it is aborted', async () => {
    const told: string[] = [];
    const controller = new AbortController();
    const step = scenario(async (input) => {
      await trade(input);
      input.progress();
    }, 'a trade');
    const observe = ({ scenario: name, done, total, transactions }: Record<string, unknown>) => {
      told.push(`${done} of ${total} ${name} ${transactions}`);
      if (told.length === 3) controller.abort();
    };
    const proof = prove([step, step], {}, { observe, abortSignal: controller.signal });
    await expectRefusal(proof, 'aborted');
    expect(told).toEqual(['0 of 2 a trade 0', '0 of 2 a trade 1', '1 of 2 a trade 1']);
  });

  test('rejects an invalid seed, and throws bugs', async () => {
    await expectRefusal(prove([], {}, { seed: -1 }), 'invalid-input');
    const bug = scenario(() => {
      throw new TypeError('a bug');
    });
    await expect(prove([bug])).rejects.toThrow('a bug');
  });
});
