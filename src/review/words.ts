import { type Instruction, isSignerRole, type TransactionVersion } from '@solana/kit';
import type { InstructionConfig } from '../program/deployment.js';
import type { LoadedInstruction } from '../solana/message.js';
import type { Step } from './programs/step.js';
import { stepOf } from './step.js';

/** What built instructions do, a line for each. */
export const describeInstructions = (
  instructions: readonly Instruction[],
  config: InstructionConfig,
): readonly string[] =>
  instructions.map((each) => describeInstruction(loadedFrom(each), stepOfBuilt(each, config)));

/** What a built instruction is. */
export const stepOfBuilt = (instruction: Instruction, config: InstructionConfig = {}): Step | undefined =>
  stepOf(loadedFrom(instruction), config);

const loadedFrom = ({
  programAddress,
  accounts = [],
  data = new Uint8Array(),
}: Instruction): LoadedInstruction => ({ programAddress, accounts, data: Uint8Array.from(data) });

/** `legacy`, `version 0`, `version 1`. */
export const versionInWords = (version: TransactionVersion): string =>
  version === 'legacy' ? version : `version ${version}`;

/** What an instruction does, by its step if it is understood. */
export function describeInstruction(instruction: LoadedInstruction, step: Step | undefined): string {
  if (step !== undefined) return step.inWords;
  const { programAddress, accounts } = instruction;
  const hidden = accounts.filter(({ address }) => address === undefined).length;
  if (hidden > 0) {
    return `An instruction of the program ${programAddress}, ${hidden} of whose accounts are hidden in lookup tables that are not known`;
  }
  const isSigned = accounts.some(({ role }) => isSignerRole(role));
  return `An instruction of the program ${programAddress} that is not understood, with ${isSigned ? 'the rights of a signer' : 'no signature'}`;
}
