import type { Instruction } from '@solana/kit';
import type { BuiltTransaction } from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import type { CreatorToggleProSwapInput } from '../program/instructions.js';
import type { LiquidityPoolAllowlist } from '../program/types.js';
import { assertMatches } from '../solana/codec.js';
import type { InstructionConfig } from '../solana/define-instruction.js';
import type { Warning } from '../warnings.js';
import { buildCreatorOperation, type CreatorOperationOptions } from './creator-operation.js';

/** A feature of a pro pool to switch on or off. */
export interface ToggleInput extends CreatorOperationOptions {
  /** Whether it is to be on afterwards. */
  readonly enabled: boolean;
}

/** Builds the switching of one of a pro pool's features. */
export async function buildToggle(
  client: HeavenClient,
  input: ToggleInput,
  feature: keyof LiquidityPoolAllowlist,
  getInstruction: (input: CreatorToggleProSwapInput, config: InstructionConfig) => Instruction,
): Promise<BuiltTransaction> {
  const { enabled } = input;
  assertMatches('bool', enabled, 'enabled');
  return await buildCreatorOperation(client, input, [], ({ state, addresses }, accounts) => {
    const warnings: Warning[] = [];
    if ((state.allowlist[feature] !== 0) === enabled) {
      warnings.push({ code: 'no-change', message: `This is ${enabled ? 'on' : 'off'} already.` });
    }
    if (feature === 'removeLiquidity' && !enabled) {
      warnings.push({
        code: 'withdrawals-locked',
        message: 'While withdrawals are off, the funds of every liquidity provider of this pool are locked.',
      });
    }
    const { programAddress } = addresses;
    return { instruction: getInstruction({ ...accounts, enabled }, { programAddress }), warnings };
  });
}
