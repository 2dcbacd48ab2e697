import type { Instruction } from '@solana/kit';

import {
  type BuiltInstruction,
  buildCheckedInstruction,
  type InstructionDeclaration,
  parseInstruction,
} from '../solana/define-instruction.js';
import { type InstructionConfig, programIn } from './deployment.js';

/** The builder of a declared instruction. Its input is named, so that an editor shows the name and not the declaration. */
export const builderOf =
  <TInput>(declaration: InstructionDeclaration) =>
  (input: TInput, config: InstructionConfig = {}): BuiltInstruction =>
    buildCheckedInstruction(declaration, programIn(config), input as Readonly<Record<string, unknown>>);

/** An instruction of any program, as kit has it. Named here, so that the published declarations of the parsers name kit alone. */
export interface AnyInstruction extends Instruction {}

/** The parser of a declared instruction. Its result is named like the input of its builder. */
export const parserOf =
  <TParsed>(declaration: InstructionDeclaration) =>
  (instruction: AnyInstruction, config: InstructionConfig = {}): TParsed =>
    parseInstruction(declaration, programIn(config), instruction) as TParsed;
