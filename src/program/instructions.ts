import type { Instruction } from '@solana/kit';

import { HeavenError } from '../errors.js';
import {
  type AccountDeclaration,
  type BuiltInstruction,
  defineInstruction,
  hexBytes,
  type InstructionConfig,
  type InstructionInput,
  type ParsedInstruction,
  startsWith,
} from '../solana/define-instruction.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  INSTRUCTIONS_SYSVAR_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from './constants.js';
import { builderOf, parserOf } from './declare.js';
import {
  addLiquidityParamsSchema,
  buyParamsSchema,
  createProLiquidityPoolParamsSchema,
  createStandardLiquidityPoolParamsSchema,
  feeBracketsSchema,
  removeLiquidityParamsSchema,
  sellParamsSchema,
  slotFeeBracketsSchema,
} from './types.js';

// Account lists and arguments: level M for buy and sell, I for the rest, A where it says so.

const SOLANA_SYSTEM = { role: 'readonly', address: SYSTEM_PROGRAM_ADDRESS } as const;
const CLASSIC_TOKEN = { role: 'readonly', address: TOKEN_PROGRAM_ADDRESS } as const;
const ASSOCIATED_TOKEN = { role: 'readonly', address: ASSOCIATED_TOKEN_PROGRAM_ADDRESS } as const;
const WRAPPED_SOL = { role: 'readonly', address: WRAPPED_SOL_MINT_ADDRESS } as const;

/** One list of accounts and more behind it, or one of its roles changed. A call, so that it shakes out of a bundle. */
function extend<const TBase, const TMore extends { readonly [account: string]: AccountDeclaration }>(
  base: TBase,
  more: TMore,
): Omit<TBase, keyof TMore> & TMore {
  return { ...base, ...more };
}

/** The 14 accounts that swaps, claims and receiver updates share. */
const SWAP_ACCOUNTS = {
  tokenAProgram: 'readonly',
  tokenBProgram: CLASSIC_TOKEN,
  associatedTokenProgram: ASSOCIATED_TOKEN,
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
  instructionSysvarAccountInfo: { role: 'readonly', address: INSTRUCTIONS_SYSVAR_ADDRESS },
} as const;

/** Confirmed swaps pass the user writable: it pays for what the program does on its behalf (level M). */
const TRADE_ACCOUNTS = /* @__PURE__ */ extend(SWAP_ACCOUNTS, { user: 'writable-signer' });

/** The program reads the price feed through these two, behind its own list (level M for buy and sell). */
const PRICE_ACCOUNTS = {
  chainlinkProgram: { role: 'readonly', default: CHAINLINK_STORE_PROGRAM_ADDRESS },
  chainlinkFeed: { role: 'readonly', default: SOL_USD_FEED_ADDRESS },
} as const;

/**
 * Assumption A3: the pro swaps, the claims and the creation of pools read the price feed the same way. An account that
 * the program doesn't read there does no harm.
 */
const ASSUMED_PRICE_ACCOUNTS = PRICE_ACCOUNTS;

const RECEIVER_ACCOUNTS = /* @__PURE__ */ extend(SWAP_ACCOUNTS, { newReceiver: 'signer' });

/** Assumption A11: the accounts of the pro pools' receiver update are those of the standard pools'. */
const ASSUMED_RECEIVER_ACCOUNTS = RECEIVER_ACCOUNTS;

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

const CREATOR_ACCOUNTS = { liquidityPoolState: 'writable', creator: 'signer' } as const;

// ---------------------------------------------------------------- swaps

export const buyDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'buy',
  discriminator: '66063d1201daebea',
  docs: 'Buys token A of a standard pool with wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});
/** What {@link getBuyInstruction} takes: its accounts by name, and its arguments. */
export interface BuyInput extends InstructionInput<typeof buyDeclaration> {}
/** What {@link parseBuyInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedBuyInstruction extends ParsedInstruction<typeof buyDeclaration> {}
/**
 * Buys token A of a standard pool with wrapped SOL. Amounts are native units.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getBuyInstruction({
 *   ...accounts,
 *   params: { maxSolSpend: 1_500_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
 * });
 * ```
 */
export const getBuyInstruction: (input: BuyInput, config?: InstructionConfig) => BuiltInstruction =
  /* @__PURE__ */ builderOf<BuyInput>(buyDeclaration);
/**
 * Reads a buy in a standard pool back: the other way round of {@link getBuyInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseBuyInstruction(instruction);
 * console.log(data.params.maxSolSpend);
 * ```
 */
export const parseBuyInstruction = /* @__PURE__ */ parserOf<ParsedBuyInstruction>(buyDeclaration);

export const sellDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  docs: 'Sells token A to a standard pool for wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  returns: 'u64',
  args: { params: sellParamsSchema },
});
/** What {@link getSellInstruction} takes: its accounts by name, and its arguments. */
export interface SellInput extends InstructionInput<typeof sellDeclaration> {}
/** What {@link parseSellInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedSellInstruction extends ParsedInstruction<typeof sellDeclaration> {}
/**
 * Sells token A to a standard pool for wrapped SOL. Amounts are native units.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getSellInstruction({
 *   ...accounts,
 *   params: { amountIn: 250_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
 * });
 * ```
 */
export const getSellInstruction: (input: SellInput, config?: InstructionConfig) => BuiltInstruction =
  /* @__PURE__ */ builderOf<SellInput>(sellDeclaration);
/**
 * Reads a sell in a standard pool back: the other way round of {@link getSellInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseSellInstruction(instruction);
 * console.log(data.params.amountIn);
 * ```
 */
export const parseSellInstruction = /* @__PURE__ */ parserOf<ParsedSellInstruction>(sellDeclaration);

export const proBuyDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'pro_buy',
  discriminator: '67abc4ee9f2dbbf6',
  docs: 'Buys token A of a pro pool with wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});
/** What {@link getProBuyInstruction} takes: its accounts by name, and its arguments. */
export interface ProBuyInput extends InstructionInput<typeof proBuyDeclaration> {}
/** What {@link parseProBuyInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedProBuyInstruction extends ParsedInstruction<typeof proBuyDeclaration> {}
/**
 * Buys token A of a pro pool with wrapped SOL. Amounts are native units.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getProBuyInstruction({
 *   ...accounts,
 *   params: { maxSolSpend: 1_500_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
 * });
 * ```
 */
export const getProBuyInstruction: (input: ProBuyInput, config?: InstructionConfig) => BuiltInstruction =
  /* @__PURE__ */ builderOf<ProBuyInput>(proBuyDeclaration);
/**
 * Reads a buy in a pro pool back: the other way round of {@link getProBuyInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseProBuyInstruction(instruction);
 * console.log(data.params.maxSolSpend);
 * ```
 */
export const parseProBuyInstruction = /* @__PURE__ */ parserOf<ParsedProBuyInstruction>(proBuyDeclaration);

export const proSellDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'pro_sell',
  discriminator: '8c4f7a601689ee7c',
  docs: 'Sells token A to a pro pool for wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { params: sellParamsSchema },
});
/** What {@link getProSellInstruction} takes: its accounts by name, and its arguments. */
export interface ProSellInput extends InstructionInput<typeof proSellDeclaration> {}
/** What {@link parseProSellInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedProSellInstruction extends ParsedInstruction<typeof proSellDeclaration> {}
/**
 * Sells token A to a pro pool for wrapped SOL. Amounts are native units.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getProSellInstruction({
 *   ...accounts,
 *   params: { amountIn: 250_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
 * });
 * ```
 */
export const getProSellInstruction: (input: ProSellInput, config?: InstructionConfig) => BuiltInstruction =
  /* @__PURE__ */ builderOf<ProSellInput>(proSellDeclaration);
/**
 * Reads a sell in a pro pool back: the other way round of {@link getProSellInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseProSellInstruction(instruction);
 * console.log(data.params.amountIn);
 * ```
 */
export const parseProSellInstruction = /* @__PURE__ */ parserOf<ParsedProSellInstruction>(proSellDeclaration);

// ---------------------------------------------------------------- liquidity

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
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getAddLiquidityProPoolInstruction({
 *   ...accounts,
 *   params: { maxTokenA: 1_000_000_000n, maxTokenB: 1_000_000_000n, minLpTokens: 1n },
 * });
 * ```
 */
export const getAddLiquidityProPoolInstruction: (
  input: AddLiquidityProPoolInput,
  config?: InstructionConfig,
) => BuiltInstruction = /* @__PURE__ */ builderOf<AddLiquidityProPoolInput>(addLiquidityProPoolDeclaration);
/**
 * Reads a deposit back: the other way round of {@link getAddLiquidityProPoolInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseAddLiquidityProPoolInstruction(instruction);
 * console.log(data.params.minLpTokens);
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
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getRemoveLiquidityProPoolInstruction({
 *   ...accounts,
 *   params: { lpTokensToBurn: 1_000_000n, minTokenA: 1n, minTokenB: 1n },
 * });
 * ```
 */
export const getRemoveLiquidityProPoolInstruction: (
  input: RemoveLiquidityProPoolInput,
  config?: InstructionConfig,
) => BuiltInstruction = /* @__PURE__ */ builderOf<RemoveLiquidityProPoolInput>(
  removeLiquidityProPoolDeclaration,
);
/**
 * Reads a withdrawal back: the other way round of {@link getRemoveLiquidityProPoolInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseRemoveLiquidityProPoolInstruction(instruction);
 * console.log(data.params.lpTokensToBurn);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseTransferLpTokensInstruction(instruction);
 * console.log(data.amount);
 * ```
 */
export const parseTransferLpTokensInstruction =
  /* @__PURE__ */ parserOf<ParsedTransferLpTokensInstruction>(transferLpTokensDeclaration);

// ---------------------------------------------------------------- creation

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
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreateStandardLiquidityPoolInstruction({
 *   ...accounts,
 *   protocolConfigVersion: 1,
 *   params: { encodedUserDefinedEventData: '', initialPurchaseAmount: 0n, maxSolSpend: 0n },
 * });
 * ```
 */
export const getCreateStandardLiquidityPoolInstruction =
  /* @__PURE__ */ builderOf<CreateStandardLiquidityPoolInput>(createStandardLiquidityPoolDeclaration);
/**
 * Reads a standard pool's creation back: the other way round of {@link getCreateStandardLiquidityPoolInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreateStandardLiquidityPoolInstruction(instruction);
 * console.log(data.protocolConfigVersion);
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
 *
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
export const getCreateProLiquidityPoolInstruction: (
  input: CreateProLiquidityPoolInput,
  config?: InstructionConfig,
) => BuiltInstruction = /* @__PURE__ */ builderOf<CreateProLiquidityPoolInput>(
  createProLiquidityPoolDeclaration,
);
/**
 * Reads a pro pool's creation back: the other way round of {@link getCreateProLiquidityPoolInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreateProLiquidityPoolInstruction(instruction);
 * console.log(data.params.initialTokenBAmount);
 * ```
 */
export const parseCreateProLiquidityPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedCreateProLiquidityPoolInstruction>(createProLiquidityPoolDeclaration);

// ---------------------------------------------------------------- a pro pool's creator

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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapCreatorFeeInstruction(instruction);
 * console.log(data.fees.count);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapLpFeeInstruction(instruction);
 * console.log(data.fees.count);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorSetProMarketCapReflectionFeeInstruction(instruction);
 * console.log(data.fees.count);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorSetProSlotCreatorFeeInstruction(instruction);
 * console.log(data.fees.maxSlotOffset);
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
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProDepositInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProDepositInstruction: (
  input: CreatorToggleProDepositInput,
  config?: InstructionConfig,
) => BuiltInstruction = /* @__PURE__ */ builderOf<CreatorToggleProDepositInput>(
  creatorToggleProDepositDeclaration,
);
/**
 * Reads a switch of deposits back: the other way round of {@link getCreatorToggleProDepositInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProDepositInstruction(instruction);
 * console.log(data.enabled);
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
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const instruction = getCreatorToggleProSwapInstruction({ ...accounts, enabled: false });
 * ```
 */
export const getCreatorToggleProSwapInstruction: (
  input: CreatorToggleProSwapInput,
  config?: InstructionConfig,
) => BuiltInstruction = /* @__PURE__ */ builderOf<CreatorToggleProSwapInput>(creatorToggleProSwapDeclaration);
/**
 * Reads a switch of swapping back: the other way round of {@link getCreatorToggleProSwapInstruction}.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProSwapInstruction(instruction);
 * console.log(data.enabled);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseCreatorToggleProWithdrawInstruction(instruction);
 * console.log(data.enabled);
 * ```
 */
export const parseCreatorToggleProWithdrawInstruction =
  /* @__PURE__ */ parserOf<ParsedCreatorToggleProWithdrawInstruction>(creatorToggleProWithdrawDeclaration);

// ---------------------------------------------------------------- fees

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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseClaimProCreatorTradingFeesInstruction(instruction);
 * console.log(data.amount);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { data } = parseClaimStandardCreatorTradingFeesInstruction(instruction);
 * console.log(data.amount);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { accounts } = parseClaimProLiquidityProviderTradingFeesInstruction(instruction);
 * console.log(accounts.userLpPosition.address);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { accounts } = parseUpdateCreatorTradingFeeReceiverInstruction(instruction);
 * console.log(accounts.newReceiver.address);
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
 *
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
 *
 * @throws {HeavenError} `instruction-mismatch` if it is another instruction, for another program, or malformed
 * @example
 * ```ts
 * const { accounts } = parseUpdateProCreatorTradingFeeReceiverInstruction(instruction);
 * console.log(accounts.newReceiver.address);
 * ```
 */
export const parseUpdateProCreatorTradingFeeReceiverInstruction =
  /* @__PURE__ */ parserOf<ParsedUpdateProCreatorTradingFeeReceiverInstruction>(
    updateProCreatorTradingFeeReceiverDeclaration,
  );

// ---------------------------------------------------------------- all of them

const declarations = () =>
  [
    buyDeclaration,
    sellDeclaration,
    proBuyDeclaration,
    proSellDeclaration,
    addLiquidityProPoolDeclaration,
    removeLiquidityProPoolDeclaration,
    transferLpTokensDeclaration,
    createStandardLiquidityPoolDeclaration,
    createProLiquidityPoolDeclaration,
    creatorSetProMarketCapCreatorFeeDeclaration,
    creatorSetProMarketCapLpFeeDeclaration,
    creatorSetProMarketCapReflectionFeeDeclaration,
    creatorSetProSlotCreatorFeeDeclaration,
    creatorToggleProDepositDeclaration,
    creatorToggleProSwapDeclaration,
    creatorToggleProWithdrawDeclaration,
    claimProCreatorTradingFeesDeclaration,
    claimStandardCreatorTradingFeesDeclaration,
    claimProLiquidityProviderTradingFeesDeclaration,
    updateCreatorTradingFeeReceiverDeclaration,
    updateProCreatorTradingFeeReceiverDeclaration,
  ] as const;

/** Every declared instruction, for tools such as the IDL writer. */
export const getInstructionDeclarations = declarations;

/** Any parsed instruction of the exchange, told apart by `name`. */
export type HeavenInstruction =
  | ParsedBuyInstruction
  | ParsedSellInstruction
  | ParsedProBuyInstruction
  | ParsedProSellInstruction
  | ParsedAddLiquidityProPoolInstruction
  | ParsedRemoveLiquidityProPoolInstruction
  | ParsedTransferLpTokensInstruction
  | ParsedCreateStandardLiquidityPoolInstruction
  | ParsedCreateProLiquidityPoolInstruction
  | ParsedCreatorSetProMarketCapCreatorFeeInstruction
  | ParsedCreatorSetProMarketCapLpFeeInstruction
  | ParsedCreatorSetProMarketCapReflectionFeeInstruction
  | ParsedCreatorSetProSlotCreatorFeeInstruction
  | ParsedCreatorToggleProDepositInstruction
  | ParsedCreatorToggleProSwapInstruction
  | ParsedCreatorToggleProWithdrawInstruction
  | ParsedClaimProCreatorTradingFeesInstruction
  | ParsedClaimStandardCreatorTradingFeesInstruction
  | ParsedClaimProLiquidityProviderTradingFeesInstruction
  | ParsedUpdateCreatorTradingFeeReceiverInstruction
  | ParsedUpdateProCreatorTradingFeeReceiverInstruction;

/**
 * Parses whichever instruction of the exchange this is.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is for another program, is none that is known, or is malformed
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
  const data = instruction.data ?? new Uint8Array();
  const declaration = declarations().find(({ discriminator }) => startsWith(data, hexBytes(discriminator)));
  if (declaration === undefined) {
    const reason = 'its data starts with no discriminator that is known';
    throw new HeavenError('instruction-mismatch', `This is no instruction of the exchange: ${reason}.`, {
      expected: 'an instruction of the exchange',
      reason,
    });
  }
  return parserOf<HeavenInstruction>(declaration)(instruction, config);
}
