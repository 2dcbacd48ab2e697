import {
  defineInstruction,
  type InstructionInput,
  type ParsedInstruction,
} from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import { feeBracketsSchema, slotFeeBracketsSchema } from '../types.js';

const CREATOR_ACCOUNTS = { liquidityPoolState: 'writable', creator: 'signer' } as const;

export const creatorSetProMarketCapCreatorFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_creator_fee',
  discriminator: '75ce38021c25eceb',
  docs: "Sets a pro pool's creator fee by market cap.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});
/** What {@link getCreatorSetProMarketCapCreatorFeeInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorSetProMarketCapCreatorFeeInput
  extends InstructionInput<typeof creatorSetProMarketCapCreatorFeeDeclaration> {}
/** What {@link parseCreatorSetProMarketCapCreatorFeeInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorSetProMarketCapCreatorFeeInstruction
  extends ParsedInstruction<typeof creatorSetProMarketCapCreatorFeeDeclaration> {}
/**
 * Sets a pro pool's creator fee by market cap.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProMarketCapCreatorFeeInstruction({ ...accounts, fees });
 * ```
 */
export const getCreatorSetProMarketCapCreatorFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProMarketCapCreatorFeeInput>(
    creatorSetProMarketCapCreatorFeeDeclaration,
  );
/**
 * Reads a creator fee by market cap back: the other way round of {@link getCreatorSetProMarketCapCreatorFeeInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapCreatorFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProMarketCapCreatorFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProMarketCapCreatorFeeInstruction>(
    creatorSetProMarketCapCreatorFeeDeclaration,
  );

export const creatorSetProMarketCapLpFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_lp_fee',
  discriminator: '06c12209eb55fff6',
  docs: "Sets a pro pool's liquidity provider fee by market cap.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});
/** What {@link getCreatorSetProMarketCapLpFeeInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorSetProMarketCapLpFeeInput
  extends InstructionInput<typeof creatorSetProMarketCapLpFeeDeclaration> {}
/** What {@link parseCreatorSetProMarketCapLpFeeInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorSetProMarketCapLpFeeInstruction
  extends ParsedInstruction<typeof creatorSetProMarketCapLpFeeDeclaration> {}
/**
 * Sets a pro pool's liquidity provider fee by market cap.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProMarketCapLpFeeInstruction({ ...accounts, fees });
 * ```
 */
export const getCreatorSetProMarketCapLpFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProMarketCapLpFeeInput>(creatorSetProMarketCapLpFeeDeclaration);
/**
 * Reads a liquidity provider fee by market cap back: the other way round of {@link getCreatorSetProMarketCapLpFeeInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapLpFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProMarketCapLpFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProMarketCapLpFeeInstruction>(
    creatorSetProMarketCapLpFeeDeclaration,
  );

export const creatorSetProMarketCapReflectionFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_reflection_fee',
  discriminator: 'e3ad60792de2a489',
  docs: "Sets a pro pool's reflection fee by market cap.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});
/** What {@link getCreatorSetProMarketCapReflectionFeeInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorSetProMarketCapReflectionFeeInput
  extends InstructionInput<typeof creatorSetProMarketCapReflectionFeeDeclaration> {}
/** What {@link parseCreatorSetProMarketCapReflectionFeeInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorSetProMarketCapReflectionFeeInstruction
  extends ParsedInstruction<typeof creatorSetProMarketCapReflectionFeeDeclaration> {}
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
    creatorSetProMarketCapReflectionFeeDeclaration,
  );
/**
 * Reads a reflection fee by market cap back: the other way round of {@link getCreatorSetProMarketCapReflectionFeeInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapReflectionFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProMarketCapReflectionFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProMarketCapReflectionFeeInstruction>(
    creatorSetProMarketCapReflectionFeeDeclaration,
  );

export const creatorSetProSlotCreatorFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_slot_creator_fee',
  discriminator: '15464de404e10353',
  docs: "Sets a pro pool's creator fee by slots since the launch.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: slotFeeBracketsSchema },
});
/** What {@link getCreatorSetProSlotCreatorFeeInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorSetProSlotCreatorFeeInput
  extends InstructionInput<typeof creatorSetProSlotCreatorFeeDeclaration> {}
/** What {@link parseCreatorSetProSlotCreatorFeeInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorSetProSlotCreatorFeeInstruction
  extends ParsedInstruction<typeof creatorSetProSlotCreatorFeeDeclaration> {}
/**
 * Sets a pro pool's creator fee by slots since the launch.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorSetProSlotCreatorFeeInstruction({ ...accounts, fees: slotFees });
 * ```
 */
export const getCreatorSetProSlotCreatorFeeInstruction =
  /* @__PURE__ */ builderOf<CreatorSetProSlotCreatorFeeInput>(creatorSetProSlotCreatorFeeDeclaration);
/**
 * Reads a creator fee by slots back: the other way round of {@link getCreatorSetProSlotCreatorFeeInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorSetProSlotCreatorFeeInstruction(instruction);
 * ```
 */
export const parseCreatorSetProSlotCreatorFeeInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorSetProSlotCreatorFeeInstruction>(
    creatorSetProSlotCreatorFeeDeclaration,
  );

export const creatorToggleProDepositDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_deposit',
  discriminator: 'a08980cc2ab366ca',
  docs: 'Switches deposits into a pro pool on or off.',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});
/** What {@link getCreatorToggleProDepositInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorToggleProDepositInput
  extends InstructionInput<typeof creatorToggleProDepositDeclaration> {}
/** What {@link parseCreatorToggleProDepositInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorToggleProDepositInstruction
  extends ParsedInstruction<typeof creatorToggleProDepositDeclaration> {}
/**
 * Switches deposits into a pro pool on or off.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProDepositInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProDepositInstruction = /* @__PURE__ */ builderOf<CreatorToggleProDepositInput>(
  creatorToggleProDepositDeclaration,
);
/**
 * Reads a switch of deposits back: the other way round of {@link getCreatorToggleProDepositInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProDepositInstruction(instruction);
 * ```
 */
export const parseCreatorToggleProDepositInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProDepositInstruction>(creatorToggleProDepositDeclaration);

export const creatorToggleProSwapDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_swap',
  discriminator: '8fbe0581e63b1c59',
  docs: 'Switches swapping in a pro pool on or off.',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});
/** What {@link getCreatorToggleProSwapInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorToggleProSwapInput extends InstructionInput<typeof creatorToggleProSwapDeclaration> {}
/** What {@link parseCreatorToggleProSwapInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorToggleProSwapInstruction
  extends ParsedInstruction<typeof creatorToggleProSwapDeclaration> {}
/**
 * Switches swapping in a pro pool on or off.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProSwapInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProSwapInstruction = /* @__PURE__ */ builderOf<CreatorToggleProSwapInput>(
  creatorToggleProSwapDeclaration,
);
/**
 * Reads a switch of swapping back: the other way round of {@link getCreatorToggleProSwapInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProSwapInstruction(instruction);
 * ```
 */
export const parseCreatorToggleProSwapInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProSwapInstruction>(creatorToggleProSwapDeclaration);

export const creatorToggleProWithdrawDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_withdraw',
  discriminator: '202fea054d92f4b2',
  docs: 'Switches withdrawals from a pro pool on or off.',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});
/** What {@link getCreatorToggleProWithdrawInstruction} takes: its accounts by name, and its arguments. */
export interface CreatorToggleProWithdrawInput
  extends InstructionInput<typeof creatorToggleProWithdrawDeclaration> {}
/** What {@link parseCreatorToggleProWithdrawInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreatorToggleProWithdrawInstruction
  extends ParsedInstruction<typeof creatorToggleProWithdrawDeclaration> {}
/**
 * Switches withdrawals from a pro pool on or off.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProWithdrawInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProWithdrawInstruction =
  /* @__PURE__ */ builderOf<CreatorToggleProWithdrawInput>(creatorToggleProWithdrawDeclaration);
/**
 * Reads a switch of withdrawals back: the other way round of {@link getCreatorToggleProWithdrawInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProWithdrawInstruction(instruction);
 * ```
 */
export const parseCreatorToggleProWithdrawInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProWithdrawInstruction>(creatorToggleProWithdrawDeclaration);
