import { expect, test } from 'vitest';

import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createWorld } from './harness.js';
import { noopProgram } from './noop-program.js';

/** Calls a program in the place of the exchange. */
async function call(program: Uint8Array) {
  const world = await createWorld('classic');
  world.svm.addProgram(HEAVEN_PROGRAM_ADDRESS, program);
  return await world.run([{ programAddress: HEAVEN_PROGRAM_ADDRESS }]);
}

test('a call runs its two instructions, and what they return counts', async () => {
  expect((await call(noopProgram())).computeUnitsConsumed()).toBe(2n);
  const program = noopProgram();
  program[124] = 7;
  await expect(call(program)).rejects.toThrow('The transaction failed: InstructionError(0, Custom(7))');
});
