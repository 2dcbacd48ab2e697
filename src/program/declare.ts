import type { Instruction } from '@solana/kit';

import { assertAddress } from '../solana/addresses.js';
import {
  type BuiltInstruction,
  buildInstruction,
  type InstructionConfig,
  type InstructionDeclaration,
  parseInstruction,
} from '../solana/define-instruction.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';

/** The builder of a declared instruction. Its input is named, so that an editor shows the name and not the declaration. */
export const builderOf =
  <TInput>(declaration: InstructionDeclaration) =>
  (input: TInput, { programAddress = HEAVEN_PROGRAM_ADDRESS }: InstructionConfig = {}): BuiltInstruction => {
    assertAddress(programAddress, 'programAddress');
    return buildInstruction(declaration, programAddress, input as Readonly<Record<string, unknown>>);
  };

/** The parser of a declared instruction. Its result is named like the input of its builder. */
export const parserOf =
  <TParsed>(declaration: InstructionDeclaration) =>
  (instruction: Instruction, { programAddress = HEAVEN_PROGRAM_ADDRESS }: InstructionConfig = {}): TParsed =>
    parseInstruction(declaration, programAddress, instruction) as TParsed;
