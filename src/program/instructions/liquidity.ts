import type { InstructionInput, ParsedInstruction } from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import * as declared from './declarations.js';

/** What {@link getAddLiquidityProPoolInstruction} takes. */
export interface AddLiquidityProPoolInput extends InstructionInput<typeof declared.addLiquidityProPool> {}
/** What {@link parseAddLiquidityProPoolInstruction} returns. */
export interface ParsedAddLiquidityProPoolInstruction
  extends ParsedInstruction<typeof declared.addLiquidityProPool> {}
/**
 * Deposits token A and SOL at the pool's ratio for LP tokens. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { maxTokenA: 1_000_000_000n, maxTokenB: 1_000_000_000n, minLpTokens: 1n };
 * const instruction = getAddLiquidityProPoolInstruction({ ...accounts, params });
 * ```
 */
export const getAddLiquidityProPoolInstruction = /* @__PURE__ */ builderOf<AddLiquidityProPoolInput>(
  declared.addLiquidityProPool,
);
/**
 * Parses a deposit. The reverse of {@link getAddLiquidityProPoolInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseAddLiquidityProPoolInstruction(instruction);
 * ```
 */
export const parseAddLiquidityProPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedAddLiquidityProPoolInstruction>(declared.addLiquidityProPool);

/** What {@link getRemoveLiquidityProPoolInstruction} takes. */
export interface RemoveLiquidityProPoolInput
  extends InstructionInput<typeof declared.removeLiquidityProPool> {}
/** What {@link parseRemoveLiquidityProPoolInstruction} returns. */
export interface ParsedRemoveLiquidityProPoolInstruction
  extends ParsedInstruction<typeof declared.removeLiquidityProPool> {}
/**
 * Burns LP tokens for their share of token A and SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { lpTokensToBurn: 1_000_000n, minTokenA: 1n, minTokenB: 1n };
 * const instruction = getRemoveLiquidityProPoolInstruction({ ...accounts, params });
 * ```
 */
export const getRemoveLiquidityProPoolInstruction = /* @__PURE__ */ builderOf<RemoveLiquidityProPoolInput>(
  declared.removeLiquidityProPool,
);
/**
 * Parses a withdrawal. The reverse of {@link getRemoveLiquidityProPoolInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseRemoveLiquidityProPoolInstruction(instruction);
 * ```
 */
export const parseRemoveLiquidityProPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedRemoveLiquidityProPoolInstruction>(declared.removeLiquidityProPool);

/** What {@link getTransferLpTokensInstruction} takes. */
export interface TransferLpTokensInput extends InstructionInput<typeof declared.transferLpTokens> {}
/** What {@link parseTransferLpTokensInstruction} returns. */
export interface ParsedTransferLpTokensInstruction
  extends ParsedInstruction<typeof declared.transferLpTokens> {}
/**
 * Moves LP tokens of a pro pool to another user. `amount` in native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getTransferLpTokensInstruction({ ...accounts, amount: 1_000_000n });
 * ```
 */
export const getTransferLpTokensInstruction = /* @__PURE__ */ builderOf<TransferLpTokensInput>(
  declared.transferLpTokens,
);
/**
 * Parses a transfer of LP tokens. The reverse of {@link getTransferLpTokensInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseTransferLpTokensInstruction(instruction);
 * ```
 */
export const parseTransferLpTokensInstruction = /* @__PURE__ */ parserOf<ParsedTransferLpTokensInstruction>(
  declared.transferLpTokens,
);
