import type { Instruction } from '@solana/kit';

import { HeavenError } from '../errors.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  INSTRUCTIONS_SYSVAR_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from './constants.js';
import {
  type AccountDeclaration,
  builderOf,
  defineInstruction,
  hexBytes,
  type InstructionConfig,
  type InstructionDeclaration,
  type InstructionInput,
  type ParsedInstruction,
  parserOf,
  startsWith,
} from './define-instruction.js';
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
export type BuyInput = InstructionInput<typeof buyDeclaration>;
/** Buys token A of a standard pool with wrapped SOL. */
export const getBuyInstruction = /* @__PURE__ */ builderOf(buyDeclaration);
export const parseBuyInstruction = /* @__PURE__ */ parserOf(buyDeclaration);

export const sellDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  docs: 'Sells token A to a standard pool for wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  returns: 'u64',
  args: { params: sellParamsSchema },
});
export type SellInput = InstructionInput<typeof sellDeclaration>;
/** Sells token A to a standard pool for wrapped SOL. */
export const getSellInstruction = /* @__PURE__ */ builderOf(sellDeclaration);
export const parseSellInstruction = /* @__PURE__ */ parserOf(sellDeclaration);

export const proBuyDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'pro_buy',
  discriminator: '67abc4ee9f2dbbf6',
  docs: 'Buys token A of a pro pool with wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});
export type ProBuyInput = InstructionInput<typeof proBuyDeclaration>;
/** Buys token A of a pro pool with wrapped SOL. */
export const getProBuyInstruction = /* @__PURE__ */ builderOf(proBuyDeclaration);
export const parseProBuyInstruction = /* @__PURE__ */ parserOf(proBuyDeclaration);

export const proSellDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'pro_sell',
  discriminator: '8c4f7a601689ee7c',
  docs: 'Sells token A to a pro pool for wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { params: sellParamsSchema },
});
export type ProSellInput = InstructionInput<typeof proSellDeclaration>;
/** Sells token A to a pro pool for wrapped SOL. */
export const getProSellInstruction = /* @__PURE__ */ builderOf(proSellDeclaration);
export const parseProSellInstruction = /* @__PURE__ */ parserOf(proSellDeclaration);

// ---------------------------------------------------------------- liquidity

export const addLiquidityProPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'add_liquidity_pro_pool',
  discriminator: '7d3b6c2a121c2207',
  docs: "Deposits token A and SOL at the pool's ratio for LP tokens.",
  accounts: LIQUIDITY_ACCOUNTS,
  args: { params: addLiquidityParamsSchema },
});
export type AddLiquidityProPoolInput = InstructionInput<typeof addLiquidityProPoolDeclaration>;
/** Deposits token A and SOL at the pool's ratio for LP tokens. */
export const getAddLiquidityProPoolInstruction = /* @__PURE__ */ builderOf(addLiquidityProPoolDeclaration);
export const parseAddLiquidityProPoolInstruction = /* @__PURE__ */ parserOf(addLiquidityProPoolDeclaration);

export const removeLiquidityProPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'remove_liquidity_pro_pool',
  discriminator: 'bf372a2ce262ac4f',
  docs: 'Burns LP tokens for their share of token A and SOL.',
  accounts: LIQUIDITY_ACCOUNTS,
  args: { params: removeLiquidityParamsSchema },
});
export type RemoveLiquidityProPoolInput = InstructionInput<typeof removeLiquidityProPoolDeclaration>;
/** Burns LP tokens for their share of token A and SOL. */
export const getRemoveLiquidityProPoolInstruction = /* @__PURE__ */ builderOf(
  removeLiquidityProPoolDeclaration,
);
export const parseRemoveLiquidityProPoolInstruction = /* @__PURE__ */ parserOf(
  removeLiquidityProPoolDeclaration,
);

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
export type TransferLpTokensInput = InstructionInput<typeof transferLpTokensDeclaration>;
/** Moves LP tokens of a pro pool to another user. */
export const getTransferLpTokensInstruction = /* @__PURE__ */ builderOf(transferLpTokensDeclaration);
export const parseTransferLpTokensInstruction = /* @__PURE__ */ parserOf(transferLpTokensDeclaration);

// ---------------------------------------------------------------- creation

export const createStandardLiquidityPoolDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'create_standard_liquidity_pool',
  discriminator: '2a2b7e38e70ad035',
  docs: 'Creates a standard pool from the whole supply of a new token, with an optional initial purchase.',
  accounts: CREATE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { protocolConfigVersion: 'u16', params: createStandardLiquidityPoolParamsSchema },
});
export type CreateStandardLiquidityPoolInput = InstructionInput<
  typeof createStandardLiquidityPoolDeclaration
>;
/** Creates a standard pool from the whole supply of a new token, with an optional initial purchase. */
export const getCreateStandardLiquidityPoolInstruction = /* @__PURE__ */ builderOf(
  createStandardLiquidityPoolDeclaration,
);
export const parseCreateStandardLiquidityPoolInstruction = /* @__PURE__ */ parserOf(
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
export type CreateProLiquidityPoolInput = InstructionInput<typeof createProLiquidityPoolDeclaration>;
/** Creates a pro pool of an existing token and SOL. */
export const getCreateProLiquidityPoolInstruction = /* @__PURE__ */ builderOf(
  createProLiquidityPoolDeclaration,
);
export const parseCreateProLiquidityPoolInstruction = /* @__PURE__ */ parserOf(
  createProLiquidityPoolDeclaration,
);

// ---------------------------------------------------------------- a pro pool's creator

export const creatorSetProMarketCapCreatorFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_creator_fee',
  discriminator: '75ce38021c25eceb',
  docs: "Sets a pro pool's creator fee by market cap.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});
export type CreatorSetProMarketCapCreatorFeeInput = InstructionInput<
  typeof creatorSetProMarketCapCreatorFeeDeclaration
>;
/** Sets a pro pool's creator fee by market cap. */
export const getCreatorSetProMarketCapCreatorFeeInstruction = /* @__PURE__ */ builderOf(
  creatorSetProMarketCapCreatorFeeDeclaration,
);
export const parseCreatorSetProMarketCapCreatorFeeInstruction = /* @__PURE__ */ parserOf(
  creatorSetProMarketCapCreatorFeeDeclaration,
);

export const creatorSetProMarketCapLpFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_lp_fee',
  discriminator: '06c12209eb55fff6',
  docs: "Sets a pro pool's liquidity provider fee by market cap.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});
export type CreatorSetProMarketCapLpFeeInput = InstructionInput<
  typeof creatorSetProMarketCapLpFeeDeclaration
>;
/** Sets a pro pool's liquidity provider fee by market cap. */
export const getCreatorSetProMarketCapLpFeeInstruction = /* @__PURE__ */ builderOf(
  creatorSetProMarketCapLpFeeDeclaration,
);
export const parseCreatorSetProMarketCapLpFeeInstruction = /* @__PURE__ */ parserOf(
  creatorSetProMarketCapLpFeeDeclaration,
);

export const creatorSetProMarketCapReflectionFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_reflection_fee',
  discriminator: 'e3ad60792de2a489',
  docs: "Sets a pro pool's reflection fee by market cap.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});
export type CreatorSetProMarketCapReflectionFeeInput = InstructionInput<
  typeof creatorSetProMarketCapReflectionFeeDeclaration
>;
/** Sets a pro pool's reflection fee by market cap. */
export const getCreatorSetProMarketCapReflectionFeeInstruction = /* @__PURE__ */ builderOf(
  creatorSetProMarketCapReflectionFeeDeclaration,
);
export const parseCreatorSetProMarketCapReflectionFeeInstruction = /* @__PURE__ */ parserOf(
  creatorSetProMarketCapReflectionFeeDeclaration,
);

export const creatorSetProSlotCreatorFeeDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_slot_creator_fee',
  discriminator: '15464de404e10353',
  docs: "Sets a pro pool's creator fee by slots since the launch.",
  accounts: CREATOR_ACCOUNTS,
  args: { fees: slotFeeBracketsSchema },
});
export type CreatorSetProSlotCreatorFeeInput = InstructionInput<
  typeof creatorSetProSlotCreatorFeeDeclaration
>;
/** Sets a pro pool's creator fee by slots since the launch. */
export const getCreatorSetProSlotCreatorFeeInstruction = /* @__PURE__ */ builderOf(
  creatorSetProSlotCreatorFeeDeclaration,
);
export const parseCreatorSetProSlotCreatorFeeInstruction = /* @__PURE__ */ parserOf(
  creatorSetProSlotCreatorFeeDeclaration,
);

export const creatorToggleProDepositDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_deposit',
  discriminator: 'a08980cc2ab366ca',
  docs: 'Switches deposits into a pro pool on or off.',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});
export type CreatorToggleProDepositInput = InstructionInput<typeof creatorToggleProDepositDeclaration>;
/** Switches deposits into a pro pool on or off. */
export const getCreatorToggleProDepositInstruction = /* @__PURE__ */ builderOf(
  creatorToggleProDepositDeclaration,
);
export const parseCreatorToggleProDepositInstruction = /* @__PURE__ */ parserOf(
  creatorToggleProDepositDeclaration,
);

export const creatorToggleProSwapDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_swap',
  discriminator: '8fbe0581e63b1c59',
  docs: 'Switches swapping in a pro pool on or off.',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});
export type CreatorToggleProSwapInput = InstructionInput<typeof creatorToggleProSwapDeclaration>;
/** Switches swapping in a pro pool on or off. */
export const getCreatorToggleProSwapInstruction = /* @__PURE__ */ builderOf(creatorToggleProSwapDeclaration);
export const parseCreatorToggleProSwapInstruction = /* @__PURE__ */ parserOf(creatorToggleProSwapDeclaration);

export const creatorToggleProWithdrawDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_withdraw',
  discriminator: '202fea054d92f4b2',
  docs: 'Switches withdrawals from a pro pool on or off.',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});
export type CreatorToggleProWithdrawInput = InstructionInput<typeof creatorToggleProWithdrawDeclaration>;
/** Switches withdrawals from a pro pool on or off. */
export const getCreatorToggleProWithdrawInstruction = /* @__PURE__ */ builderOf(
  creatorToggleProWithdrawDeclaration,
);
export const parseCreatorToggleProWithdrawInstruction = /* @__PURE__ */ parserOf(
  creatorToggleProWithdrawDeclaration,
);

// ---------------------------------------------------------------- fees

export const claimProCreatorTradingFeesDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'claim_pro_creator_trading_fees',
  discriminator: '517b67716d968a5d',
  docs: "Claims a pro pool's creator fees as wrapped SOL; an amount of 0 claims all.",
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { amount: 'u64' },
});
export type ClaimProCreatorTradingFeesInput = InstructionInput<typeof claimProCreatorTradingFeesDeclaration>;
/** Claims a pro pool's creator fees as wrapped SOL; an amount of 0 claims all. */
export const getClaimProCreatorTradingFeesInstruction = /* @__PURE__ */ builderOf(
  claimProCreatorTradingFeesDeclaration,
);
export const parseClaimProCreatorTradingFeesInstruction = /* @__PURE__ */ parserOf(
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
export type ClaimStandardCreatorTradingFeesInput = InstructionInput<
  typeof claimStandardCreatorTradingFeesDeclaration
>;
/** Claims a standard pool's creator fees as wrapped SOL; an amount of 0 claims all. */
export const getClaimStandardCreatorTradingFeesInstruction = /* @__PURE__ */ builderOf(
  claimStandardCreatorTradingFeesDeclaration,
);
export const parseClaimStandardCreatorTradingFeesInstruction = /* @__PURE__ */ parserOf(
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
export type ClaimProLiquidityProviderTradingFeesInput = InstructionInput<
  typeof claimProLiquidityProviderTradingFeesDeclaration
>;
/** Claims a position's liquidity provider fees as wrapped SOL. */
export const getClaimProLiquidityProviderTradingFeesInstruction = /* @__PURE__ */ builderOf(
  claimProLiquidityProviderTradingFeesDeclaration,
);
export const parseClaimProLiquidityProviderTradingFeesInstruction = /* @__PURE__ */ parserOf(
  claimProLiquidityProviderTradingFeesDeclaration,
);

export const updateCreatorTradingFeeReceiverDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'update_creator_trading_fee_receiver',
  discriminator: 'f6e5c84f1f157819',
  docs: "Gives a standard pool's creator fees to another wallet; both sign.",
  accounts: RECEIVER_ACCOUNTS,
  args: {},
});
export type UpdateCreatorTradingFeeReceiverInput = InstructionInput<
  typeof updateCreatorTradingFeeReceiverDeclaration
>;
/** Gives a standard pool's creator fees to another wallet; both sign. */
export const getUpdateCreatorTradingFeeReceiverInstruction = /* @__PURE__ */ builderOf(
  updateCreatorTradingFeeReceiverDeclaration,
);
export const parseUpdateCreatorTradingFeeReceiverInstruction = /* @__PURE__ */ parserOf(
  updateCreatorTradingFeeReceiverDeclaration,
);

export const updateProCreatorTradingFeeReceiverDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'update_pro_creator_trading_fee_receiver',
  discriminator: '9cf01bf32aa51f00',
  docs: "Gives a pro pool's creator fees to another wallet; both sign.",
  accounts: ASSUMED_RECEIVER_ACCOUNTS,
  args: {},
});
export type UpdateProCreatorTradingFeeReceiverInput = InstructionInput<
  typeof updateProCreatorTradingFeeReceiverDeclaration
>;
/** Gives a pro pool's creator fees to another wallet; both sign. */
export const getUpdateProCreatorTradingFeeReceiverInstruction = /* @__PURE__ */ builderOf(
  updateProCreatorTradingFeeReceiverDeclaration,
);
export const parseUpdateProCreatorTradingFeeReceiverInstruction = /* @__PURE__ */ parserOf(
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

type AnyDeclaration = ReturnType<typeof declarations>[number];

/** Any parsed instruction of the exchange, told apart by `name`. */
export type HeavenInstruction = {
  [TName in AnyDeclaration['name']]: ParsedInstruction<Extract<AnyDeclaration, { name: TName }>>;
}[AnyDeclaration['name']];

/**
 * Parses whichever instruction of the exchange this is.
 *
 * @throws {HeavenError} `instruction-mismatch` if it is for another program, is none that is known, or is malformed
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
  return parserOf<InstructionDeclaration>(declaration)(instruction, config) as unknown as HeavenInstruction;
}
