import type { InstructionInput, ParsedInstruction } from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import * as declared from './declarations.js';

/** What {@link getCreatorSetProMarketCapCreatorFeeInstruction} takes. */
export interface CreatorSetProMarketCapCreatorFeeInput
  extends InstructionInput<typeof declared.creatorSetProMarketCapCreatorFee> {}
/** What {@link parseCreatorSetProMarketCapCreatorFeeInstruction} returns. */
export interface ParsedCreatorSetProMarketCapCreatorFeeInstruction
  extends ParsedInstruction<typeof declared.creatorSetProMarketCapCreatorFee> {}
/**
 * Sets a pro pool's creator fee by market cap.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProMarketCapCreatorFeeInstruction({ ...accounts, fees });
 * ```
 */
export const getCreatorSetProMarketCapCreatorFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProMarketCapCreatorFeeInput>(declared.creatorSetProMarketCapCreatorFee);
/**
 * Parses a creator fee by market cap. The reverse of {@link getCreatorSetProMarketCapCreatorFeeInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapCreatorFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProMarketCapCreatorFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProMarketCapCreatorFeeInstruction>(
    declared.creatorSetProMarketCapCreatorFee,
  );

/** What {@link getCreatorSetProMarketCapLpFeeInstruction} takes. */
export interface CreatorSetProMarketCapLpFeeInput
  extends InstructionInput<typeof declared.creatorSetProMarketCapLpFee> {}
/** What {@link parseCreatorSetProMarketCapLpFeeInstruction} returns. */
export interface ParsedCreatorSetProMarketCapLpFeeInstruction
  extends ParsedInstruction<typeof declared.creatorSetProMarketCapLpFee> {}
/**
 * Sets a pro pool's liquidity provider fee by market cap.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProMarketCapLpFeeInstruction({ ...accounts, fees });
 * ```
 */
export const getCreatorSetProMarketCapLpFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProMarketCapLpFeeInput>(declared.creatorSetProMarketCapLpFee);
/**
 * Parses a liquidity provider fee by market cap. The reverse of {@link getCreatorSetProMarketCapLpFeeInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapLpFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProMarketCapLpFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProMarketCapLpFeeInstruction>(
    declared.creatorSetProMarketCapLpFee,
  );

/** What {@link getCreatorSetProMarketCapReflectionFeeInstruction} takes. */
export interface CreatorSetProMarketCapReflectionFeeInput
  extends InstructionInput<typeof declared.creatorSetProMarketCapReflectionFee> {}
/** What {@link parseCreatorSetProMarketCapReflectionFeeInstruction} returns. */
export interface ParsedCreatorSetProMarketCapReflectionFeeInstruction
  extends ParsedInstruction<typeof declared.creatorSetProMarketCapReflectionFee> {}
/**
 * Sets a pro pool's reflection fee by market cap.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProMarketCapReflectionFeeInstruction({ ...accounts, fees });
 * ```
 */
export const getCreatorSetProMarketCapReflectionFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProMarketCapReflectionFeeInput>(
    declared.creatorSetProMarketCapReflectionFee,
  );
/**
 * Parses a reflection fee by market cap. The reverse of {@link getCreatorSetProMarketCapReflectionFeeInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapReflectionFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProMarketCapReflectionFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProMarketCapReflectionFeeInstruction>(
    declared.creatorSetProMarketCapReflectionFee,
  );

/** What {@link getCreatorSetProSlotCreatorFeeInstruction} takes. */
export interface CreatorSetProSlotCreatorFeeInput
  extends InstructionInput<typeof declared.creatorSetProSlotCreatorFee> {}
/** What {@link parseCreatorSetProSlotCreatorFeeInstruction} returns. */
export interface ParsedCreatorSetProSlotCreatorFeeInstruction
  extends ParsedInstruction<typeof declared.creatorSetProSlotCreatorFee> {}
/**
 * Sets a pro pool's creator fee by slots since the launch.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProSlotCreatorFeeInstruction({ ...accounts, fees: slotFees });
 * ```
 */
export const getCreatorSetProSlotCreatorFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProSlotCreatorFeeInput>(declared.creatorSetProSlotCreatorFee);
/**
 * Parses a creator fee by slots. The reverse of {@link getCreatorSetProSlotCreatorFeeInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProSlotCreatorFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProSlotCreatorFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProSlotCreatorFeeInstruction>(
    declared.creatorSetProSlotCreatorFee,
  );

/** What {@link getCreatorToggleProDepositInstruction} takes. */
export interface CreatorToggleProDepositInput
  extends InstructionInput<typeof declared.creatorToggleProDeposit> {}
/** What {@link parseCreatorToggleProDepositInstruction} returns. */
export interface ParsedCreatorToggleProDepositInstruction
  extends ParsedInstruction<typeof declared.creatorToggleProDeposit> {}
/**
 * Switches deposits into a pro pool on or off.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProDepositInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProDepositInstruction = /* @__PURE__ */ builderOf<CreatorToggleProDepositInput>(
  declared.creatorToggleProDeposit,
);
/**
 * Parses a switch of deposits. The reverse of {@link getCreatorToggleProDepositInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProDepositInstruction(instruction);
 * ```
 */
export const parseCreatorToggleProDepositInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProDepositInstruction>(declared.creatorToggleProDeposit);

/** What {@link getCreatorToggleProSwapInstruction} takes. */
export interface CreatorToggleProSwapInput extends InstructionInput<typeof declared.creatorToggleProSwap> {}
/** What {@link parseCreatorToggleProSwapInstruction} returns. */
export interface ParsedCreatorToggleProSwapInstruction
  extends ParsedInstruction<typeof declared.creatorToggleProSwap> {}
/**
 * Switches swapping in a pro pool on or off.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProSwapInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProSwapInstruction = /* @__PURE__ */ builderOf<CreatorToggleProSwapInput>(
  declared.creatorToggleProSwap,
);
/**
 * Parses a switch of swapping. The reverse of {@link getCreatorToggleProSwapInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProSwapInstruction(instruction);
 * ```
 */
export const parseCreatorToggleProSwapInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProSwapInstruction>(declared.creatorToggleProSwap);

/** What {@link getCreatorToggleProWithdrawInstruction} takes. */
export interface CreatorToggleProWithdrawInput
  extends InstructionInput<typeof declared.creatorToggleProWithdraw> {}
/** What {@link parseCreatorToggleProWithdrawInstruction} returns. */
export interface ParsedCreatorToggleProWithdrawInstruction
  extends ParsedInstruction<typeof declared.creatorToggleProWithdraw> {}
/**
 * Switches withdrawals from a pro pool on or off.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProWithdrawInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProWithdrawInstruction =
  /* @__PURE__ */ builderOf<CreatorToggleProWithdrawInput>(declared.creatorToggleProWithdraw);
/**
 * Parses a switch of withdrawals. The reverse of {@link getCreatorToggleProWithdrawInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProWithdrawInstruction(instruction);
 * ```
 */
export const parseCreatorToggleProWithdrawInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProWithdrawInstruction>(declared.creatorToggleProWithdraw);
