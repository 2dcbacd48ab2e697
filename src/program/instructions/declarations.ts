import {
  type DefaultedAccount,
  defineInstruction,
  type FixedAccount,
  type InstructionAccount,
  type InstructionDeclaration,
} from '../../solana/define-instruction.js';
import { hexBytes, startsWith } from '../../solana/discriminator.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  INSTRUCTIONS_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../solana/programs.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../constants.js';
import {
  addLiquidityParamsSchema,
  buyParamsSchema,
  createProLiquidityPoolParamsSchema,
  createStandardLiquidityPoolParamsSchema,
  feeBracketsSchema,
  removeLiquidityParamsSchema,
  sellParamsSchema,
  slotFeeBracketsSchema,
} from '../types.js';

// Account lists and arguments: level M for buy, sell and the launch's create_standard_liquidity_pool (accounts 3 to 10), I for the rest.

// Typed by name, so that the published declarations name kit and none of the packages behind it.
const SOLANA_SYSTEM: FixedAccount = { role: 'readonly', address: SYSTEM_PROGRAM_ADDRESS };
const CLASSIC_TOKEN: FixedAccount = { role: 'readonly', address: TOKEN_PROGRAM_ADDRESS };
const ASSOCIATED_TOKEN: FixedAccount = { role: 'readonly', address: ASSOCIATED_TOKEN_PROGRAM_ADDRESS };
const WRAPPED_SOL: FixedAccount = { role: 'readonly', address: WRAPPED_SOL_MINT_ADDRESS };
const INSTRUCTIONS_SYSVAR: FixedAccount = { role: 'readonly', address: INSTRUCTIONS_SYSVAR_ADDRESS };
const CHAINLINK_PROGRAM: DefaultedAccount = { role: 'readonly', default: CHAINLINK_STORE_PROGRAM_ADDRESS };
const CHAINLINK_FEED: DefaultedAccount = { role: 'readonly', default: SOL_USD_FEED_ADDRESS };

/** A list of accounts with more after it, or with a role changed. A call, so that it shakes out of a bundle. */
function extend<const TBase, const TMore extends { readonly [account: string]: InstructionAccount }>(
  base: TBase,
  more: TMore,
): Omit<TBase, keyof TMore> & TMore {
  return { ...base, ...more };
}

/** The 14 accounts that swaps, claims and receiver updates share. The order of an instruction's accounts is that of the keys. */
const SHARED_ACCOUNTS = {
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
  instructionSysvarAccountInfo: INSTRUCTIONS_SYSVAR,
} as const;

/**
 * The program reads the price feed through these two, after its own list: [level M](/protocol) for buy and sell,
 * [A3](/protocol#assumptions) for the others.
 */
const PRICE_ACCOUNTS = {
  chainlinkProgram: CHAINLINK_PROGRAM,
  chainlinkFeed: CHAINLINK_FEED,
} as const;

/** Confirmed swaps pass the user writable: it pays for what the program does on its behalf ([level M](/protocol)). */
const SWAP_ACCOUNTS = /* @__PURE__ */ extend(SHARED_ACCOUNTS, { user: 'writable-signer' });

export const buy = /* @__PURE__ */ defineInstruction({
  name: 'buy',
  discriminator: '66063d1201daebea',
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});

export const sell = /* @__PURE__ */ defineInstruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  returns: 'u64',
  args: { params: sellParamsSchema },
});

export const proBuy = /* @__PURE__ */ defineInstruction({
  name: 'pro_buy',
  discriminator: '67abc4ee9f2dbbf6',
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});

export const proSell = /* @__PURE__ */ defineInstruction({
  name: 'pro_sell',
  discriminator: '8c4f7a601689ee7c',
  accounts: SWAP_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: sellParamsSchema },
});

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

export const addLiquidityProPool = /* @__PURE__ */ defineInstruction({
  name: 'add_liquidity_pro_pool',
  discriminator: '7d3b6c2a121c2207',
  accounts: LIQUIDITY_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: addLiquidityParamsSchema },
});

export const removeLiquidityProPool = /* @__PURE__ */ defineInstruction({
  name: 'remove_liquidity_pro_pool',
  discriminator: 'bf372a2ce262ac4f',
  accounts: LIQUIDITY_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: removeLiquidityParamsSchema },
});

export const transferLpTokens = /* @__PURE__ */ defineInstruction({
  name: 'transfer_lp_tokens',
  discriminator: 'ee790e52676d46b4',
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

export const createStandardLiquidityPool = /* @__PURE__ */ defineInstruction({
  name: 'create_standard_liquidity_pool',
  discriminator: '2a2b7e38e70ad035',
  accounts: CREATE_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { protocolConfigVersion: 'u16', params: createStandardLiquidityPoolParamsSchema },
});

export const createProLiquidityPool = /* @__PURE__ */ defineInstruction({
  name: 'create_pro_liquidity_pool',
  discriminator: 'd16155bfbb1dc455',
  accounts: /* @__PURE__ */ extend(CREATE_ACCOUNTS, { userLpPosition: 'writable' }),
  remainingAccounts: PRICE_ACCOUNTS,
  args: { protocolConfigVersion: 'u16', params: createProLiquidityPoolParamsSchema },
});

const CREATOR_ACCOUNTS = { liquidityPoolState: 'writable', creator: 'signer' } as const;

export const creatorSetProMarketCapCreatorFee = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_creator_fee',
  discriminator: '75ce38021c25eceb',
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});

export const creatorSetProMarketCapLpFee = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_lp_fee',
  discriminator: '06c12209eb55fff6',
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});

export const creatorSetProMarketCapReflectionFee = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_market_cap_reflection_fee',
  discriminator: 'e3ad60792de2a489',
  accounts: CREATOR_ACCOUNTS,
  args: { fees: feeBracketsSchema },
});

export const creatorSetProSlotCreatorFee = /* @__PURE__ */ defineInstruction({
  name: 'creator_set_pro_slot_creator_fee',
  discriminator: '15464de404e10353',
  accounts: CREATOR_ACCOUNTS,
  args: { fees: slotFeeBracketsSchema },
});

export const creatorToggleProDeposit = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_deposit',
  discriminator: 'a08980cc2ab366ca',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});

export const creatorToggleProSwap = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_swap',
  discriminator: '8fbe0581e63b1c59',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});

export const creatorToggleProWithdraw = /* @__PURE__ */ defineInstruction({
  name: 'creator_toggle_pro_withdraw',
  discriminator: '202fea054d92f4b2',
  accounts: CREATOR_ACCOUNTS,
  args: { enabled: 'bool' },
});

const RECEIVER_ACCOUNTS = /* @__PURE__ */ extend(SHARED_ACCOUNTS, { newReceiver: 'signer' });

export const claimProCreatorTradingFees = /* @__PURE__ */ defineInstruction({
  name: 'claim_pro_creator_trading_fees',
  discriminator: '517b67716d968a5d',
  accounts: SHARED_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { amount: 'u64' },
});

export const claimStandardCreatorTradingFees = /* @__PURE__ */ defineInstruction({
  name: 'claim_standard_creator_trading_fees',
  discriminator: 'a559dd34aaf9226f',
  accounts: SHARED_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { amount: 'u64' },
});

export const claimProLiquidityProviderTradingFees = /* @__PURE__ */ defineInstruction({
  name: 'claim_pro_liquidity_provider_trading_fees',
  discriminator: 'f274e4342074ac94',
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
  remainingAccounts: PRICE_ACCOUNTS,
  args: {},
});

export const updateCreatorTradingFeeReceiver = /* @__PURE__ */ defineInstruction({
  name: 'update_creator_trading_fee_receiver',
  discriminator: 'f6e5c84f1f157819',
  accounts: RECEIVER_ACCOUNTS,
  args: {},
});

export const updateProCreatorTradingFeeReceiver = /* @__PURE__ */ defineInstruction({
  name: 'update_pro_creator_trading_fee_receiver',
  discriminator: '9cf01bf32aa51f00',
  accounts: RECEIVER_ACCOUNTS,
  args: {},
});

/** Every declared instruction, for tools such as the IDL writer. */
export const getInstructionDeclarations = () =>
  [
    buy,
    sell,
    proBuy,
    proSell,
    addLiquidityProPool,
    removeLiquidityProPool,
    transferLpTokens,
    createStandardLiquidityPool,
    createProLiquidityPool,
    creatorSetProMarketCapCreatorFee,
    creatorSetProMarketCapLpFee,
    creatorSetProMarketCapReflectionFee,
    creatorSetProSlotCreatorFee,
    creatorToggleProDeposit,
    creatorToggleProSwap,
    creatorToggleProWithdraw,
    claimProCreatorTradingFees,
    claimStandardCreatorTradingFees,
    claimProLiquidityProviderTradingFees,
    updateCreatorTradingFeeReceiver,
    updateProCreatorTradingFeeReceiver,
  ] as const;

/** The name of an instruction of the exchange, in snake case. */
export type InstructionName = ReturnType<typeof getInstructionDeclarations>[number]['name'];

/** The declaration of the instruction that this data is for, by its discriminator. */
export function findInstructionDeclaration(
  data: ArrayLike<number>,
): (InstructionDeclaration & { readonly name: InstructionName }) | undefined {
  return getInstructionDeclarations().find(({ discriminator }) => startsWith(data, hexBytes(discriminator)));
}
