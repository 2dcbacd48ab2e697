import {
  defineInstruction,
  type InstructionInput,
  type ParsedInstruction,
} from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import {
  ASSUMED_PRICE_ACCOUNTS,
  CLASSIC_TOKEN,
  extend,
  SOLANA_SYSTEM,
  SWAP_ACCOUNTS,
  WRAPPED_SOL,
} from './shared.js';

const RECEIVER_ACCOUNTS = /* @__PURE__ */ extend(SWAP_ACCOUNTS, { newReceiver: 'signer' });

/** Assumption A11: the accounts of the pro pools' receiver update are those of the standard pools'. */
const ASSUMED_RECEIVER_ACCOUNTS = RECEIVER_ACCOUNTS;

export const claimProCreatorTradingFeesDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'claim_pro_creator_trading_fees',
  discriminator: '517b67716d968a5d',
  docs: "Claims a pro pool's creator fees as wrapped SOL; an amount of 0 claims all.",
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { amount: 'u64' },
});
/** What {@link getClaimProCreatorTradingFeesInstruction} takes: its accounts by name, and its arguments. */
export interface ClaimProCreatorTradingFeesInput
  extends InstructionInput<typeof claimProCreatorTradingFeesDeclaration> {}
/** What {@link parseClaimProCreatorTradingFeesInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedClaimProCreatorTradingFeesInstruction
  extends ParsedInstruction<typeof claimProCreatorTradingFeesDeclaration> {}
/**
 * Claims a pro pool's creator fees as wrapped SOL. `amount` in lamports; 0 claims all.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getClaimProCreatorTradingFeesInstruction({ ...accounts, amount: 0n });
 * ```
 */
export const getClaimProCreatorTradingFeesInstruction =
  /* @__PURE__ */ builderOf<ClaimProCreatorTradingFeesInput>(claimProCreatorTradingFeesDeclaration);
/**
 * Reads a claim of a pro pool's creator fees back: the other way round of {@link getClaimProCreatorTradingFeesInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseClaimProCreatorTradingFeesInstruction(instruction);
 * ```
 */
export const parseClaimProCreatorTradingFeesInstruction =
  /* @__PURE__ */ parserOf<ParsedClaimProCreatorTradingFeesInstruction>(
    claimProCreatorTradingFeesDeclaration,
  );

export const claimStandardCreatorTradingFeesDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'claim_standard_creator_trading_fees',
  discriminator: 'a559dd34aaf9226f',
  docs: "Claims a standard pool's creator fees as wrapped SOL; an amount of 0 claims all.",
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { amount: 'u64' },
});
/** What {@link getClaimStandardCreatorTradingFeesInstruction} takes: its accounts by name, and its arguments. */
export interface ClaimStandardCreatorTradingFeesInput
  extends InstructionInput<typeof claimStandardCreatorTradingFeesDeclaration> {}
/** What {@link parseClaimStandardCreatorTradingFeesInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedClaimStandardCreatorTradingFeesInstruction
  extends ParsedInstruction<typeof claimStandardCreatorTradingFeesDeclaration> {}
/**
 * Claims a standard pool's creator fees as wrapped SOL. `amount` in lamports; 0 claims all.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getClaimStandardCreatorTradingFeesInstruction({ ...accounts, amount: 0n });
 * ```
 */
export const getClaimStandardCreatorTradingFeesInstruction =
  /* @__PURE__ */ builderOf<ClaimStandardCreatorTradingFeesInput>(claimStandardCreatorTradingFeesDeclaration);
/**
 * Reads a claim of a standard pool's creator fees back: the other way round of {@link getClaimStandardCreatorTradingFeesInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseClaimStandardCreatorTradingFeesInstruction(instruction);
 * ```
 */
export const parseClaimStandardCreatorTradingFeesInstruction =
  /* @__PURE__ */ parserOf<ParsedClaimStandardCreatorTradingFeesInstruction>(
    claimStandardCreatorTradingFeesDeclaration,
  );

export const claimProLiquidityProviderTradingFeesDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'claim_pro_liquidity_provider_trading_fees',
  discriminator: 'f274e4342074ac94',
  docs: "Claims a position's liquidity provider fees as wrapped SOL.",
  accounts: {
    tokenAProgram: 'readonly',
    tokenBProgram: CLASSIC_TOKEN,
    systemProgram: SOLANA_SYSTEM,
    liquidityPoolState: 'writable',
    user: 'signer',
    tokenAMint: 'readonly',
    tokenBMint: WRAPPED_SOL,
    userTokenAVault: 'writable',
    userTokenBVault: 'writable',
    tokenAVault: 'writable',
    tokenBVault: 'writable',
    protocolConfig: 'writable',
    userLpPosition: 'writable',
  },
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: {},
});
/** What {@link getClaimProLiquidityProviderTradingFeesInstruction} takes: its accounts by name, and its arguments. */
export interface ClaimProLiquidityProviderTradingFeesInput
  extends InstructionInput<typeof claimProLiquidityProviderTradingFeesDeclaration> {}
/** What {@link parseClaimProLiquidityProviderTradingFeesInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedClaimProLiquidityProviderTradingFeesInstruction
  extends ParsedInstruction<typeof claimProLiquidityProviderTradingFeesDeclaration> {}
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
    claimProLiquidityProviderTradingFeesDeclaration,
  );
/**
 * Reads a claim of liquidity provider fees back: the other way round of {@link getClaimProLiquidityProviderTradingFeesInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { accounts } = parseClaimProLiquidityProviderTradingFeesInstruction(instruction);
 * ```
 */
export const parseClaimProLiquidityProviderTradingFeesInstruction =
  /* @__PURE__ */ parserOf<ParsedClaimProLiquidityProviderTradingFeesInstruction>(
    claimProLiquidityProviderTradingFeesDeclaration,
  );

export const updateCreatorTradingFeeReceiverDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'update_creator_trading_fee_receiver',
  discriminator: 'f6e5c84f1f157819',
  docs: "Gives a standard pool's creator fees to another wallet; both sign.",
  accounts: RECEIVER_ACCOUNTS,
  args: {},
});
/** What {@link getUpdateCreatorTradingFeeReceiverInstruction} takes: its accounts by name, and its arguments. */
export interface UpdateCreatorTradingFeeReceiverInput
  extends InstructionInput<typeof updateCreatorTradingFeeReceiverDeclaration> {}
/** What {@link parseUpdateCreatorTradingFeeReceiverInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedUpdateCreatorTradingFeeReceiverInstruction
  extends ParsedInstruction<typeof updateCreatorTradingFeeReceiverDeclaration> {}
/**
 * Gives a standard pool's creator fees to another wallet; both sign.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const instruction = getUpdateCreatorTradingFeeReceiverInstruction(accounts);
 * ```
 */
export const getUpdateCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ builderOf<UpdateCreatorTradingFeeReceiverInput>(updateCreatorTradingFeeReceiverDeclaration);
/**
 * Reads a change of a standard pool's fee receiver back: the other way round of {@link getUpdateCreatorTradingFeeReceiverInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { accounts } = parseUpdateCreatorTradingFeeReceiverInstruction(instruction);
 * ```
 */
export const parseUpdateCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ parserOf<ParsedUpdateCreatorTradingFeeReceiverInstruction>(
    updateCreatorTradingFeeReceiverDeclaration,
  );

export const updateProCreatorTradingFeeReceiverDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'update_pro_creator_trading_fee_receiver',
  discriminator: '9cf01bf32aa51f00',
  docs: "Gives a pro pool's creator fees to another wallet; both sign.",
  accounts: ASSUMED_RECEIVER_ACCOUNTS,
  args: {},
});
/** What {@link getUpdateProCreatorTradingFeeReceiverInstruction} takes: its accounts by name, and its arguments. */
export interface UpdateProCreatorTradingFeeReceiverInput
  extends InstructionInput<typeof updateProCreatorTradingFeeReceiverDeclaration> {}
/** What {@link parseUpdateProCreatorTradingFeeReceiverInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedUpdateProCreatorTradingFeeReceiverInstruction
  extends ParsedInstruction<typeof updateProCreatorTradingFeeReceiverDeclaration> {}
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
    updateProCreatorTradingFeeReceiverDeclaration,
  );
/**
 * Reads a change of a pro pool's fee receiver back: the other way round of {@link getUpdateProCreatorTradingFeeReceiverInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { accounts } = parseUpdateProCreatorTradingFeeReceiverInstruction(instruction);
 * ```
 */
export const parseUpdateProCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ parserOf<ParsedUpdateProCreatorTradingFeeReceiverInstruction>(
    updateProCreatorTradingFeeReceiverDeclaration,
  );
