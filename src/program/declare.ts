import type { Instruction } from '@solana/kit';

import { assertAddress } from '../solana/addresses.js';
import {
  type BuiltInstruction,
  buildInstruction,
  type InstructionDeclaration,
  parseInstruction,
} from '../solana/define-instruction.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';
import type { InstructionConfig, PricedInstruction, RulesPatch } from './rules.js';

/**
 * A declaration, without the accounts after its list if the rules say that the program doesn't read them
 * ([A3](/protocol#assumptions)).
 */
function under(rules: RulesPatch | undefined, declaration: InstructionDeclaration): InstructionDeclaration {
  if (rules?.priceAccounts?.[declaration.name as PricedInstruction] !== false) return declaration;
  return { ...declaration, remainingAccounts: {} };
}

/** The builder of a declared instruction. Its input is named, so that an editor shows the name and not the declaration. */
export const builderOf =
  <TInput>(declaration: InstructionDeclaration) =>
  (
    input: TInput,
    { programAddress = HEAVEN_PROGRAM_ADDRESS, rules }: InstructionConfig = {},
  ): BuiltInstruction => {
    assertAddress(programAddress, 'programAddress');
    const values = input as Readonly<Record<string, unknown>>;
    return buildInstruction(under(rules, declaration), programAddress, values);
  };

/** The parser of a declared instruction. Its result is named like the input of its builder. */
export const parserOf =
  <TParsed>(declaration: InstructionDeclaration) =>
  (
    instruction: Instruction,
    { programAddress = HEAVEN_PROGRAM_ADDRESS, rules }: InstructionConfig = {},
  ): TParsed =>
    parseInstruction(under(rules, declaration), programAddress, instruction) as TParsed;
