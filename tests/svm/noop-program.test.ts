import { expect, test } from 'vitest';

import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createWorld, existing } from './harness.js';
import { noopProgram } from './noop-program.js';

/** Where the code is, and in it the value that the program returns. */
const TEXT = { start: 120, result: 124, end: 136 } as const;

/** A world in which the exchange is this program. */
async function createWorldWith(program: Uint8Array) {
  const world = await createWorld('classic');
  world.svm.addProgram(HEAVEN_PROGRAM_ADDRESS, program);
  return world;
}

test('the program has 352 bytes', () => {
  expect(noopProgram()).toHaveLength(352);
});

test('the machine loads it as an executable', async () => {
  const { svm } = await createWorldWith(noopProgram());
  expect(existing(svm, HEAVEN_PROGRAM_ADDRESS).executable).toBe(true);
});

test('a call to it succeeds and runs its two instructions', async () => {
  const world = await createWorldWith(noopProgram());
  const result = await world.run([{ programAddress: HEAVEN_PROGRAM_ADDRESS }]);
  expect(result.computeUnitsConsumed()).toBe(2n);
});

test('what it returns counts: with 7 the call fails', async () => {
  const program = noopProgram();
  program[TEXT.result] = 7;
  const world = await createWorldWith(program);
  await expect(world.run([{ programAddress: HEAVEN_PROGRAM_ADDRESS }])).rejects.toThrow(
    'The transaction failed: InstructionError(0, Custom(7))',
  );
});

test('the machine rejects it without its code', async () => {
  await expect(createWorldWith(noopProgram().fill(0, TEXT.start, TEXT.end))).rejects.toThrow();
});
