import type { Instruction } from '@solana/kit';

import { HeavenError } from '../../base/errors.js';
import type { InstructionDeclaration } from '../../solana/define-instruction.js';
import { parserOf } from '../declare.js';
import { type InstructionConfig, programIn } from '../deployment.js';
import type * as claim from './claim.js';
import type * as create from './create.js';
import { findInstructionDeclaration } from './declarations.js';
import type * as liquidity from './liquidity.js';
import type * as settings from './settings.js';
import type * as swap from './swap.js';

export * from './claim.js';
export * from './create.js';
export * from './liquidity.js';
export * from './settings.js';
export * from './swap.js';

/** Any parsed instruction of the exchange, discriminated by `name`. */
export type HeavenInstruction =
  | swap.ParsedBuyInstruction
  | swap.ParsedSellInstruction
  | swap.ParsedProBuyInstruction
  | swap.ParsedProSellInstruction
  | liquidity.ParsedAddLiquidityProPoolInstruction
  | liquidity.ParsedRemoveLiquidityProPoolInstruction
  | liquidity.ParsedTransferLpTokensInstruction
  | create.ParsedCreateStandardLiquidityPoolInstruction
  | create.ParsedCreateProLiquidityPoolInstruction
  | settings.ParsedCreatorSetProMarketCapCreatorFeeInstruction
  | settings.ParsedCreatorSetProMarketCapLpFeeInstruction
  | settings.ParsedCreatorSetProMarketCapReflectionFeeInstruction
  | settings.ParsedCreatorSetProSlotCreatorFeeInstruction
  | settings.ParsedCreatorToggleProDepositInstruction
  | settings.ParsedCreatorToggleProSwapInstruction
  | settings.ParsedCreatorToggleProWithdrawInstruction
  | claim.ParsedClaimProCreatorTradingFeesInstruction
  | claim.ParsedClaimStandardCreatorTradingFeesInstruction
  | claim.ParsedClaimProLiquidityProviderTradingFeesInstruction
  | claim.ParsedUpdateCreatorTradingFeeReceiverInstruction
  | claim.ParsedUpdateProCreatorTradingFeeReceiverInstruction;

/**
 * Parses whichever instruction of the exchange this is.
 * @throws {HeavenError} `malformed-data` if it is for another program, not known, or malformed
 * @example
 * ```ts
 * const { name, accounts, data } = parseHeavenInstruction(instruction);
 * console.log(name, accounts, data);
 * ```
 */
export function parseHeavenInstruction(
  instruction: Instruction,
  config: InstructionConfig = {},
): HeavenInstruction {
  programIn(config);
  // Typed so that a declared instruction that HeavenInstruction lacks does not compile.
  const declaration: (InstructionDeclaration & { readonly name: HeavenInstruction['name'] }) | undefined =
    findInstructionDeclaration(instruction?.data ?? new Uint8Array());
  if (declaration === undefined) {
    const reason = 'its data starts with no discriminator that is known';
    throw new HeavenError('malformed-data', `This is not an instruction of the exchange: ${reason}.`, {
      what: 'instruction',
      asked: 'an instruction of the exchange',
      reason,
    });
  }
  return parserOf<HeavenInstruction>(declaration)(instruction, config);
}
