import type { Instruction, TransactionVersion } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';

import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import type { InstructionConfig } from '../program/deployment.js';
import { LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
import type { LoadedInstruction } from '../solana/message.js';
import {
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { allInstructions, type BuiltTransaction } from '../transaction/built.js';
import { associatedTokenStep } from './programs/associated-token.js';
import { computeBudgetStep, withoutEffect } from './programs/compute-budget.js';
import { exchangeStep } from './programs/exchange.js';
import { lighthouseStep } from './programs/lighthouse.js';
import { MEMO_PROGRAM_ADDRESSES, memoStep } from './programs/memo.js';
import { systemStep } from './programs/system.js';
import { tokenStep } from './programs/token.js';
import { tokenMetadataStep } from './programs/token-metadata.js';
import { at, type Prose, say, write } from './prose.js';
import type { PlainInstruction, Step } from './step.js';
import { describeInstruction } from './words.js';

/** What an instruction is. `undefined` if it can't be read: don't conclude anything then. */
export function stepOf(instruction: LoadedInstruction, config: InstructionConfig = {}): Step | undefined {
  // Those of the compute budget take no accounts, and the cluster ignores any that they list.
  const needsAccounts = instruction.programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS;
  if (needsAccounts && instruction.accounts.some(({ address }) => address === undefined)) return undefined;
  try {
    return read(instruction as PlainInstruction, config);
  } catch {
    // The parsers throw for an instruction that is too short or that they don't know.
    return undefined;
  }
}

/** What the instructions of a transaction are. Those of the compute budget have no effect in version 1. */
export function stepsOf(
  instructions: readonly LoadedInstruction[],
  version: TransactionVersion,
  config: InstructionConfig = {},
): readonly (Step | undefined)[] {
  const steps = instructions.map((instruction) =>
    version === 1 && instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS
      ? withoutEffect(stepOf(instruction, config))
      : stepOf(instruction, config),
  );
  return steps.map((step, index) => step && { ...step, inWords: wordsAmong(steps, step, index) });
}

/** The words for a step whose meaning depends on where it stands, or on what follows. */
function wordsAmong(
  steps: readonly (Step | undefined)[],
  { program, name, inWords, effects }: Step,
  index: number,
): Prose {
  if (program !== 'system') return inWords;
  if (name === 'AdvanceNonceAccount' && index === 0)
    return say`${inWords}, which keeps this transaction valid for any time`;
  const [first, ...others] = effects;
  if (first?.kind !== 'assert-new' || others.length > 0) return inWords;
  const isOfMint = steps
    .slice(index)
    .flatMap((step) => step?.effects ?? [])
    .some((effect) => effect.kind === 'create' && effect.what === 'mint' && effect.account === first.account);
  return isOfMint ? say`Prove that the mint ${at(first.account)} is new` : inWords;
}

/** What an instruction is that this library built. */
export const stepOfBuilt = (instruction: Instruction, config: InstructionConfig = {}): Step | undefined =>
  stepOf(asLoaded(instruction), config);

/** What the instructions of a built transaction do, a line for each. */
export function describeInstructions(
  { version, ...built }: Pick<BuiltTransaction, 'version' | 'computeBudget' | 'instructions'>,
  config: InstructionConfig,
): readonly string[] {
  const instructions = allInstructions(built).map(asLoaded);
  const steps = stepsOf(instructions, version, config);
  return instructions.map((each, index) => write(describeInstruction(each, steps[index])));
}

const asLoaded = ({
  programAddress,
  accounts = [],
  data = new Uint8Array(),
}: Instruction): LoadedInstruction => ({ programAddress, accounts, data: Uint8Array.from(data) });

function read(instruction: PlainInstruction, config: InstructionConfig): Step | undefined {
  const { programAddress } = instruction;
  switch (programAddress) {
    case config.programAddress ?? HEAVEN_PROGRAM_ADDRESS:
      return exchangeStep(instruction, config);
    case COMPUTE_BUDGET_PROGRAM_ADDRESS:
      return computeBudgetStep(instruction);
    case SYSTEM_PROGRAM_ADDRESS:
      return systemStep(instruction);
    case TOKEN_PROGRAM_ADDRESS:
      return tokenStep('token', instruction);
    case TOKEN_2022_PROGRAM_ADDRESS:
      return tokenStep('token-2022', instruction);
    case ASSOCIATED_TOKEN_PROGRAM_ADDRESS:
      return associatedTokenStep(instruction);
    case TOKEN_METADATA_PROGRAM_ADDRESS:
      return tokenMetadataStep(instruction);
    case LIGHTHOUSE_PROGRAM_ADDRESS:
      return lighthouseStep(instruction);
  }
  return MEMO_PROGRAM_ADDRESSES.includes(programAddress) ? memoStep(instruction) : undefined;
}
