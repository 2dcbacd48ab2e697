import type { InstructionInput, ParsedInstruction } from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import * as declared from './declarations.js';

/** What {@link getClaimProCreatorTradingFeesInstruction} takes. */
export interface ClaimProCreatorTradingFeesInput
  extends InstructionInput<typeof declared.claimProCreatorTradingFees> {}
/** What {@link parseClaimProCreatorTradingFeesInstruction} returns. */
export interface ParsedClaimProCreatorTradingFeesInstruction
  extends ParsedInstruction<typeof declared.claimProCreatorTradingFees> {}
/**
 * Claims a pro pool's creator fees as wrapped SOL. `amount` in lamports; 0 claims all.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getClaimProCreatorTradingFeesInstruction({ ...accounts, amount: 0n });
 * ```
 */
export const getClaimProCreatorTradingFeesInstruction =
  /* @__PURE__ */ builderOf<ClaimProCreatorTradingFeesInput>(declared.claimProCreatorTradingFees);
/**
 * Parses a claim of a pro pool's creator fees. The reverse of {@link getClaimProCreatorTradingFeesInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseClaimProCreatorTradingFeesInstruction(instruction);
 * ```
 */
export const parseClaimProCreatorTradingFeesInstruction =
  /* @__PURE__ */ parserOf<ParsedClaimProCreatorTradingFeesInstruction>(declared.claimProCreatorTradingFees);

/** What {@link getClaimStandardCreatorTradingFeesInstruction} takes. */
export interface ClaimStandardCreatorTradingFeesInput
  extends InstructionInput<typeof declared.claimStandardCreatorTradingFees> {}
/** What {@link parseClaimStandardCreatorTradingFeesInstruction} returns. */
export interface ParsedClaimStandardCreatorTradingFeesInstruction
  extends ParsedInstruction<typeof declared.claimStandardCreatorTradingFees> {}
/**
 * Claims a standard pool's creator fees as wrapped SOL. `amount` in lamports; 0 claims all.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getClaimStandardCreatorTradingFeesInstruction({ ...accounts, amount: 0n });
 * ```
 */
export const getClaimStandardCreatorTradingFeesInstruction =
  /* @__PURE__ */ builderOf<ClaimStandardCreatorTradingFeesInput>(declared.claimStandardCreatorTradingFees);
/**
 * Parses a claim of a standard pool's creator fees. The reverse of {@link getClaimStandardCreatorTradingFeesInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseClaimStandardCreatorTradingFeesInstruction(instruction);
 * ```
 */
export const parseClaimStandardCreatorTradingFeesInstruction =
  /* @__PURE__ */ parserOf<ParsedClaimStandardCreatorTradingFeesInstruction>(
    declared.claimStandardCreatorTradingFees,
  );

/** What {@link getClaimProLiquidityProviderTradingFeesInstruction} takes. */
export interface ClaimProLiquidityProviderTradingFeesInput
  extends InstructionInput<typeof declared.claimProLiquidityProviderTradingFees> {}
/** What {@link parseClaimProLiquidityProviderTradingFeesInstruction} returns. */
export interface ParsedClaimProLiquidityProviderTradingFeesInstruction
  extends ParsedInstruction<typeof declared.claimProLiquidityProviderTradingFees> {}
/**
 * Claims a position's liquidity provider fees as wrapped SOL.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const instruction = getClaimProLiquidityProviderTradingFeesInstruction(accounts);
 * ```
 */
export const getClaimProLiquidityProviderTradingFeesInstruction =
  /* @__PURE__ */ builderOf<ClaimProLiquidityProviderTradingFeesInput>(
    declared.claimProLiquidityProviderTradingFees,
  );
/**
 * Parses a claim of liquidity provider fees. The reverse of {@link getClaimProLiquidityProviderTradingFeesInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { accounts } = parseClaimProLiquidityProviderTradingFeesInstruction(instruction);
 * ```
 */
export const parseClaimProLiquidityProviderTradingFeesInstruction =
  /* @__PURE__ */ parserOf<ParsedClaimProLiquidityProviderTradingFeesInstruction>(
    declared.claimProLiquidityProviderTradingFees,
  );

/** What {@link getUpdateCreatorTradingFeeReceiverInstruction} takes. */
export interface UpdateCreatorTradingFeeReceiverInput
  extends InstructionInput<typeof declared.updateCreatorTradingFeeReceiver> {}
/** What {@link parseUpdateCreatorTradingFeeReceiverInstruction} returns. */
export interface ParsedUpdateCreatorTradingFeeReceiverInstruction
  extends ParsedInstruction<typeof declared.updateCreatorTradingFeeReceiver> {}
/**
 * Gives a standard pool's creator fees to another wallet; both sign.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const instruction = getUpdateCreatorTradingFeeReceiverInstruction(accounts);
 * ```
 */
export const getUpdateCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ builderOf<UpdateCreatorTradingFeeReceiverInput>(declared.updateCreatorTradingFeeReceiver);
/**
 * Parses a change of a standard pool's fee receiver. The reverse of {@link getUpdateCreatorTradingFeeReceiverInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { accounts } = parseUpdateCreatorTradingFeeReceiverInstruction(instruction);
 * ```
 */
export const parseUpdateCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ parserOf<ParsedUpdateCreatorTradingFeeReceiverInstruction>(
    declared.updateCreatorTradingFeeReceiver,
  );

/** What {@link getUpdateProCreatorTradingFeeReceiverInstruction} takes. */
export interface UpdateProCreatorTradingFeeReceiverInput
  extends InstructionInput<typeof declared.updateProCreatorTradingFeeReceiver> {}
/** What {@link parseUpdateProCreatorTradingFeeReceiverInstruction} returns. */
export interface ParsedUpdateProCreatorTradingFeeReceiverInstruction
  extends ParsedInstruction<typeof declared.updateProCreatorTradingFeeReceiver> {}
/**
 * Gives a pro pool's creator fees to another wallet; both sign.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const instruction = getUpdateProCreatorTradingFeeReceiverInstruction(accounts);
 * ```
 */
export const getUpdateProCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ builderOf<UpdateProCreatorTradingFeeReceiverInput>(
    declared.updateProCreatorTradingFeeReceiver,
  );
/**
 * Parses a change of a pro pool's fee receiver. The reverse of {@link getUpdateProCreatorTradingFeeReceiverInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { accounts } = parseUpdateProCreatorTradingFeeReceiverInstruction(instruction);
 * ```
 */
export const parseUpdateProCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ parserOf<ParsedUpdateProCreatorTradingFeeReceiverInstruction>(
    declared.updateProCreatorTradingFeeReceiver,
  );
