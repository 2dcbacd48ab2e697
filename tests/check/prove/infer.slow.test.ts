import { describe, expect, test } from 'vitest';

import { infer, type ProofObservation } from '../../../src/check/prove/infer.js';
import { choicesOf, type ProofQuestionId, QUESTIONS, rulesOf } from '../../../src/check/prove/questions.js';
import { DEFAULT_RULES } from '../../../src/program/rules.js';

/** An observation of one kind: what each choice would give, and what was found. */
const seen = (
  kind: string,
  found: string,
  expected: readonly (readonly [
    choice: ProofObservation['predictions'][number]['choice'],
    expected: string,
  ])[],
  size = 1n,
): ProofObservation => ({
  kind,
  what: `${kind} of ${size}`,
  size,
  found,
  predictions: expected.map(([choice, value]) => ({ choice, expected: value })),
});

const verdictOf = (observations: readonly ProofObservation[], id: ProofQuestionId) => {
  const answer = infer(observations).find(({ question }) => question.id === id);
  return answer?.candidate === undefined ? answer?.verdict : `${answer.verdict} ${answer.candidate.name}`;
};

const sol = { A4: 'sol' };
const tokens = { A4: 'tokens' };

describe('infer', () => {
  test('names the candidate that fits every observation', () => {
    const same = seen('buy', '7', [
      [sol, '7'],
      [tokens, '7'],
    ]);
    const telling = seen('buy', '7', [
      [sol, '7'],
      [tokens, '8'],
    ]);
    expect(verdictOf([same], 'A4')).toBe('unknown');
    expect(verdictOf([same, telling], 'A4')).toBe('confirmed sol');
    expect(verdictOf([same, { ...telling, found: '8' }], 'A4')).toBe('refuted tokens');
    const answer = infer([same, telling]).find(({ question }) => question.id === 'A4');
    expect(answer).toMatchObject({
      observations: 1,
      contradictions: [{ candidate: 'tokens', observation: telling }],
    });
  });

  test('decides one question with the help of another', () => {
    const both = seen('buy', '7', [
      [{ A4: 'sol', A5: 'millionths' }, '7'],
      [{ A4: 'sol', A5: 'dollars' }, '9'],
      [{ A4: 'tokens', A5: 'millionths' }, '9'],
      [{ A4: 'tokens', A5: 'dollars' }, '7'],
    ]);
    expect(verdictOf([both], 'A4')).toBe('unknown');
    const bounds = seen('sell', '1', [
      [{ A5: 'millionths' }, '1'],
      [{ A5: 'dollars' }, '2'],
    ]);
    expect(verdictOf([both, bounds], 'A4')).toBe('confirmed sol');
    expect(verdictOf([both, { ...bounds, found: '2' }], 'A4')).toBe('refuted tokens');
  });

  test('says that none fits, with the smallest counterexample', () => {
    const misfit = (size: bigint) =>
      seen(
        'buy',
        '5',
        [
          [sol, '7'],
          [tokens, '8'],
        ],
        size,
      );
    const answer = infer([misfit(30n), misfit(20n), misfit(40n)]).find(
      ({ question }) => question.id === 'A4',
    );
    expect(answer).toMatchObject({ verdict: 'none-fits', counterexample: { size: 20n } });
  });

  test('contradicting observations fit no candidate, and say nothing about other questions', () => {
    const one = seen('buy', '7', [
      [{ A4: 'sol', A5: 'millionths' }, '7'],
      [{ A4: 'tokens', A5: 'millionths' }, '8'],
    ]);
    const other = { ...one, found: '8', size: 2n };
    expect(verdictOf([one, other], 'A4')).toBe('none-fits');
    expect(verdictOf([one, other], 'A5')).toBe('unknown');
  });

  test('a contradiction is blamed on the question that it is about', () => {
    const plain = seen('buy', '7', [
      [sol, '7'],
      [tokens, '8'],
    ]);
    const noted = seen('start', 'slot 5', [
      [{ 'A7.length': 'four' }, 'slot 4'],
      [{ 'A7.length': 'one' }, 'slot 5'],
    ]);
    const windowed = seen('buy in a window', '6', [
      [{ A4: 'sol', 'A7.length': 'four' }, '6'],
      [{ A4: 'sol', 'A7.length': 'one' }, '7'],
      [{ A4: 'tokens', 'A7.length': 'four' }, '5'],
      [{ A4: 'tokens', 'A7.length': 'one' }, '8'],
    ]);
    expect(verdictOf([plain, noted, windowed], 'A7.length')).toBe('none-fits');
    expect(verdictOf([plain, noted, windowed], 'A4')).toBe('confirmed sol');
  });

  test('a misfit is blamed on a question only if the others are known', () => {
    const misfit = seen('buy', '5', [
      [{ A4: 'sol', A5: 'millionths' }, '7'],
      [{ A4: 'tokens', A5: 'dollars' }, '8'],
    ]);
    expect(verdictOf([misfit], 'A4')).toBe('unknown');
    const bounds = seen('sell', '1', [
      [{ A5: 'millionths' }, '1'],
      [{ A5: 'dollars' }, '2'],
    ]);
    expect(verdictOf([misfit, bounds], 'A4')).toBe('none-fits');
    expect(verdictOf([misfit, bounds], 'A5')).toBe('confirmed millionths');
  });

  test('does not use what a doubtful kind seems to say', () => {
    const misfit = seen('buy', '5', [[sol, '7']]);
    const fitting = seen('buy', '7', [
      [{ A4: 'sol', A5: 'millionths' }, '7'],
      [{ A4: 'sol', A5: 'dollars' }, '8'],
    ]);
    expect(verdictOf([fitting], 'A5')).toBe('confirmed millionths');
    expect(verdictOf([misfit, fitting], 'A5')).toBe('unknown');
  });

  test('a fact is confirmed by observations and contradicted by one', () => {
    const fact = { sell: 'as-computed' };
    const equal = seen('sell', '7', [[fact, '7']]);
    expect(verdictOf([], 'sell')).toBe('unknown');
    expect(verdictOf([equal], 'sell')).toBe('confirmed as-computed');
    expect(verdictOf([equal, { ...equal, found: '6' }], 'sell')).toBe('none-fits');
  });

  test('repeats why nothing was observed', () => {
    const answers = infer([], [{ questions: ['A10'], reason: 'the lookup table is missing' }]);
    expect(answers.find(({ question }) => question.id === 'A10')).toMatchObject({
      verdict: 'unknown',
      reasons: ['the lookup table is missing'],
    });
  });
});

describe('the questions', () => {
  test('assume the default rules', () => {
    for (const { id, candidates } of QUESTIONS) {
      const [assumed, ...others] = candidates;
      expect(rulesOf({ [id]: assumed.name })).toEqual(DEFAULT_RULES);
      for (const { name, rules } of others)
        if (rules !== undefined) expect(rulesOf({ [id]: name })).not.toEqual(DEFAULT_RULES);
    }
  });

  test('are combined in every possible way', () => {
    const choices = choicesOf(['A4', 'A8.scale']);
    expect(choices).toHaveLength(6);
    expect(rulesOf({ 'A8.scale': '2^64', 'A3.pro_buy': 'none' })).toEqual({
      ...DEFAULT_RULES,
      feePerLpTokenUnit: 18446744073709551616n,
      priceAccounts: { ...DEFAULT_RULES.priceAccounts, pro_buy: false },
    });
  });
});
