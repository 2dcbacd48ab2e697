import {
  defineInstruction,
  type InstructionInput,
  type ParsedInstruction,
} from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import { createProLiquidityPoolParamsSchema, createStandardLiquidityPoolParamsSchema } from '../types.js';
import {
  ASSOCIATED_TOKEN,
  ASSUMED_PRICE_ACCOUNTS,
  CLASSIC_TOKEN,
  extend,
  SOLANA_SYSTEM,
  WRAPPED_SOL,
} from './shared.js';

const CREATE_ACCOUNTS = {
  tokenProgram: CLASSIC_TOKEN,
  associatedTokenProgram: ASSOCIATED_TOKEN,
  systemProgram: SOLANA_SYSTEM,
  user: 'signer',
  payer: 'writable-signer',
  tokenAMint: 'readonly',
  tokenBMint: WRAPPED_SOL,
  userTokenAVault: 'writable',
  tokenAVault: 'writable',
  tokenBVault: 'writable',
  liquidityPoolState: 'writable',
  protocolConfig: 'writable',
  tokenAProgram: 'readonly',
} as const;

export const createStandardLiquidityPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'create_standard_liquidity_pool',
  discriminator: '2a2b7e38e70ad035',
  docs: 'Creates a standard pool from the whole supply of a new token, with an optional initial purchase.',
  accounts: CREATE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { protocolConfigVersion: 'u16', params: createStandardLiquidityPoolParamsSchema },
});
/** What {@link getCreateStandardLiquidityPoolInstruction} takes: its accounts by name, and its arguments. */
export interface CreateStandardLiquidityPoolInput
  extends InstructionInput<typeof createStandardLiquidityPoolDeclaration> {}
/** What {@link parseCreateStandardLiquidityPoolInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreateStandardLiquidityPoolInstruction
  extends ParsedInstruction<typeof createStandardLiquidityPoolDeclaration> {}
/**
 * Creates a standard pool from the whole supply of a new token, with an optional initial purchase.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { encodedUserDefinedEventData: '', initialPurchaseAmount: 0n, maxSolSpend: 0n };
 * const instruction = getCreateStandardLiquidityPoolInstruction({ ...accounts, protocolConfigVersion: 1, params });
 * ```
 */
export const getCreateStandardLiquidityPoolInstruction =
  /* @__PURE__ */ builderOf<CreateStandardLiquidityPoolInput>(createStandardLiquidityPoolDeclaration);
/**
 * Reads a standard pool's creation back: the other way round of {@link getCreateStandardLiquidityPoolInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreateStandardLiquidityPoolInstruction(instruction);
 * ```
 */
export const parseCreateStandardLiquidityPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedCreateStandardLiquidityPoolInstruction>(
    createStandardLiquidityPoolDeclaration,
  );

export const createProLiquidityPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'create_pro_liquidity_pool',
  discriminator: 'd16155bfbb1dc455',
  docs: 'Creates a pro pool of an existing token and SOL.',
  accounts: /* @__PURE__ */ extend(CREATE_ACCOUNTS, { userLpPosition: 'writable' }),
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { protocolConfigVersion: 'u16', params: createProLiquidityPoolParamsSchema },
});
/** What {@link getCreateProLiquidityPoolInstruction} takes: its accounts by name, and its arguments. */
export interface CreateProLiquidityPoolInput
  extends InstructionInput<typeof createProLiquidityPoolDeclaration> {}
/** What {@link parseCreateProLiquidityPoolInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedCreateProLiquidityPoolInstruction
  extends ParsedInstruction<typeof createProLiquidityPoolDeclaration> {}
/**
 * Creates a pro pool of an existing token and SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const brackets = [{ marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 100, sellFeeBps: 100 }];
 * const params = {
 *   encodedUserDefinedEventData: '',
 *   initialTokenAAmount: 400_000_000_000_000n,
 *   initialTokenBAmount: 400_000_000_000n,
 *   creatorTradingFee: { brackets, count: 1 },
 *   reflectionTradingFee: null, // the config's
 *   liquidityProviderTradingFee: null, // the config's
 *   creatorSlotTradingFee: null, // none
 *   enableSameSlotTrading: false,
 *   enableSandwichResistantMode: false,
 *   enableDepositLiquidity: true,
 *   enableWithdrawLiquidity: true,
 *   enableSwap: true,
 *   enableUpdateCreatorTradingFee: true,
 * };
 * const instruction = getCreateProLiquidityPoolInstruction({ ...accounts, protocolConfigVersion: 3, params });
 * ```
 */
export const getCreateProLiquidityPoolInstruction = /* @__PURE__ */ builderOf<CreateProLiquidityPoolInput>(
  createProLiquidityPoolDeclaration,
);
/**
 * Reads a pro pool's creation back: the other way round of {@link getCreateProLiquidityPoolInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseCreateProLiquidityPoolInstruction(instruction);
 * ```
 */
export const parseCreateProLiquidityPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedCreateProLiquidityPoolInstruction>(createProLiquidityPoolDeclaration);
