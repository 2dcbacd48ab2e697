import {
  defineInstruction,
  type InstructionInput,
  type ParsedInstruction,
} from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import { addLiquidityParamsSchema, removeLiquidityParamsSchema } from '../types.js';
import { ASSOCIATED_TOKEN, CLASSIC_TOKEN, SOLANA_SYSTEM, WRAPPED_SOL } from './shared.js';

const LIQUIDITY_ACCOUNTS = {
  tokenAProgram: 'readonly',
  tokenBProgram: CLASSIC_TOKEN,
  associatedTokenProgram: ASSOCIATED_TOKEN,
  systemProgram: SOLANA_SYSTEM,
  liquidityPoolState: 'writable',
  user: 'signer',
  payer: 'writable-signer',
  tokenAMint: 'readonly',
  tokenBMint: WRAPPED_SOL,
  userTokenAVault: 'writable',
  userTokenBVault: 'writable',
  tokenAVault: 'writable',
  tokenBVault: 'writable',
  protocolConfig: 'writable',
  userLpPosition: 'writable',
} as const;

export const addLiquidityProPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'add_liquidity_pro_pool',
  discriminator: '7d3b6c2a121c2207',
  docs: "Deposits token A and SOL at the pool's ratio for LP tokens.",
  accounts: LIQUIDITY_ACCOUNTS,
  args: { params: addLiquidityParamsSchema },
});
/** What {@link getAddLiquidityProPoolInstruction} takes: its accounts by name, and its arguments. */
export interface AddLiquidityProPoolInput extends InstructionInput<typeof addLiquidityProPoolDeclaration> {}
/** What {@link parseAddLiquidityProPoolInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedAddLiquidityProPoolInstruction
  extends ParsedInstruction<typeof addLiquidityProPoolDeclaration> {}
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
  addLiquidityProPoolDeclaration,
);
/**
 * Reads a deposit back: the other way round of {@link getAddLiquidityProPoolInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseAddLiquidityProPoolInstruction(instruction);
 * ```
 */
export const parseAddLiquidityProPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedAddLiquidityProPoolInstruction>(addLiquidityProPoolDeclaration);

export const removeLiquidityProPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'remove_liquidity_pro_pool',
  discriminator: 'bf372a2ce262ac4f',
  docs: 'Burns LP tokens for their share of token A and SOL.',
  accounts: LIQUIDITY_ACCOUNTS,
  args: { params: removeLiquidityParamsSchema },
});
/** What {@link getRemoveLiquidityProPoolInstruction} takes: its accounts by name, and its arguments. */
export interface RemoveLiquidityProPoolInput
  extends InstructionInput<typeof removeLiquidityProPoolDeclaration> {}
/** What {@link parseRemoveLiquidityProPoolInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedRemoveLiquidityProPoolInstruction
  extends ParsedInstruction<typeof removeLiquidityProPoolDeclaration> {}
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
  removeLiquidityProPoolDeclaration,
);
/**
 * Reads a withdrawal back: the other way round of {@link getRemoveLiquidityProPoolInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseRemoveLiquidityProPoolInstruction(instruction);
 * ```
 */
export const parseRemoveLiquidityProPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedRemoveLiquidityProPoolInstruction>(removeLiquidityProPoolDeclaration);

export const transferLpTokensDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'transfer_lp_tokens',
  discriminator: 'ee790e52676d46b4',
  docs: 'Moves LP tokens of a pro pool to another user.',
  accounts: {
    systemProgram: SOLANA_SYSTEM,
    liquidityPoolState: 'writable',
    sender: 'signer',
    payer: 'writable-signer',
    receiver: 'readonly',
    senderLpPosition: 'writable',
    receiverLpPosition: 'writable',
  },
  args: { amount: 'u64' },
});
/** What {@link getTransferLpTokensInstruction} takes: its accounts by name, and its arguments. */
export interface TransferLpTokensInput extends InstructionInput<typeof transferLpTokensDeclaration> {}
/** What {@link parseTransferLpTokensInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedTransferLpTokensInstruction
  extends ParsedInstruction<typeof transferLpTokensDeclaration> {}
/**
 * Moves LP tokens of a pro pool to another user. `amount` in native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getTransferLpTokensInstruction({ ...accounts, amount: 1_000_000n });
 * ```
 */
export const getTransferLpTokensInstruction =
  /* @__PURE__ */ builderOf<TransferLpTokensInput>(transferLpTokensDeclaration);
/**
 * Reads a transfer of LP tokens back: the other way round of {@link getTransferLpTokensInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseTransferLpTokensInstruction(instruction);
 * ```
 */
export const parseTransferLpTokensInstruction =
  /* @__PURE__ */ parserOf<ParsedTransferLpTokensInstruction>(transferLpTokensDeclaration);
