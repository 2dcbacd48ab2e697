import type { Instruction } from '@solana/kit';

import {
  type BuiltInstruction,
  buildCheckedInstruction,
  type InstructionDeclaration,
  parseInstruction,
} from '../solana/define-instruction.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';
import type { InstructionConfig } from './deployment.js';

/** The builder of a declared instruction. Its input is named, so that an editor shows the name and not the declaration. */
export const builderOf =
  <TInput>(declaration: InstructionDeclaration) =>
  (input: TInput, { programAddress = HEAVEN_PROGRAM_ADDRESS }: InstructionConfig = {}): BuiltInstruction =>
    buildCheckedInstruction(declaration, programAddress, input as Readonly<Record<string, unknown>>);

/** An instruction of any program, as kit has it. Named here, so that the published declarations of the parsers name kit alone. */
export interface AnyInstruction extends Instruction {}

/** The parser of a declared instruction. Its result is named like the input of its builder. */
export const parserOf =
  <TParsed>(declaration: InstructionDeclaration) =>
  (
    instruction: AnyInstruction,
    { programAddress = HEAVEN_PROGRAM_ADDRESS }: InstructionConfig = {},
  ): TParsed =>
    parseInstruction(declaration, programAddress, instruction) as TParsed;
