import { ComputeBudgetInstruction, parseComputeBudgetInstruction } from '@solana-program/compute-budget';

import { type Prose, say } from '../prose.js';
import { makeStep, type PlainInstruction, type Step, spaced } from '../step.js';

export function computeBudgetStep(instruction: PlainInstruction): Step {
  const parsed = parseComputeBudgetInstruction(instruction);
  const { data } = parsed;
  const name = ComputeBudgetInstruction[parsed.instructionType];
  return makeStep('compute-budget', name, { data }, wordsFor(parsed, name));
}

function wordsFor(parsed: ReturnType<typeof parseComputeBudgetInstruction>, name: string): Prose {
  switch (parsed.instructionType) {
    case ComputeBudgetInstruction.SetComputeUnitLimit:
      return say`Allow ${parsed.data.units} compute units`;
    case ComputeBudgetInstruction.SetComputeUnitPrice:
      return say`Pay a priority fee of ${parsed.data.microLamports} micro-lamports per compute unit`;
    case ComputeBudgetInstruction.RequestHeapFrame:
      return say`Allow a heap of ${parsed.data.bytes} bytes`;
    case ComputeBudgetInstruction.SetLoadedAccountsDataSizeLimit:
      return say`Allow ${parsed.data.accountDataSizeLimit} bytes of accounts`;
    case ComputeBudgetInstruction.RequestUnits:
      return say`${spaced(name)} (no longer in use)`;
  }
}

/** A compute budget instruction in version 1, which the cluster runs without reading it, even if it makes no sense. */
export function withoutEffect(step: Step | undefined): Step {
  const inWords =
    step === undefined
      ? say`A compute budget instruction, which has no effect in version 1`
      : say`${step.inWords}: no effect, because version 1 has its limits and priority fee in its config`;
  return makeStep('compute-budget', step?.name ?? 'Unknown', { data: step?.data ?? {} }, inWords);
}
