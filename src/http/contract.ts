import type { ZodMiniType } from 'zod/mini';

import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../program/accounts.js';
import {
  accountAnswer,
  buyQuote,
  buyRequest,
  claimCreatorTradingFeesRequest,
  createStandardLiquidityPoolRequest,
  initialBuyAnswer,
  launchAnswer,
  lpBalanceAnswer,
  lpBalanceRequest,
  poolInfoAnswer,
  poolInfoRequest,
  poolStateRequest,
  proAddLiquidityRequest,
  proBuyRequest,
  proClaimCreatorFeesRequest,
  proClaimLpFeesRequest,
  proCreateAnswer,
  proCreateRequest,
  proRemoveLiquidityRequest,
  proSellRequest,
  proSetFeeRequest,
  proSetSlotFeeRequest,
  proToggleRequest,
  proTransferLpRequest,
  protocolConfigStateRequest,
  proUpdateCreatorFeeReceiverRequest,
  quoteBuyRequest,
  quoteInitialBuyRequest,
  quoteProBuyRequest,
  quoteProSellRequest,
  quoteSellRequest,
  sellQuote,
  sellRequest,
  transactionAnswer,
} from './schemas.js';

/** A path of the interface: the function it stands for, what it takes and what it answers. */
export interface Operation {
  /** The function's name, here and in the remote client. */
  readonly name: string;
  readonly summary: string;
  readonly request: ZodMiniType;
  readonly answer: ZodMiniType;
}

const operation = (name: string, summary: string, request: ZodMiniType, answer: ZodMiniType): Operation => ({
  name,
  summary,
  request,
  answer,
});

/** The interface without what stands behind it. */
export const contract = {
  '/data/pool-info': operation(
    'getPoolInfo',
    'What a person wants to know of a pool.',
    poolInfoRequest,
    poolInfoAnswer,
  ),
  '/data/protocol-config-state': operation(
    'getProtocolConfigState',
    'A protocol config, decoded.',
    protocolConfigStateRequest,
    accountAnswer(protocolConfigDeclaration),
  ),
  '/data/pool-state': operation(
    'getPoolState',
    'A pool’s account, decoded.',
    poolStateRequest,
    accountAnswer(liquidityPoolStateDeclaration),
  ),
  '/quote/buy': operation('quoteBuy', 'A quote to buy from a standard pool.', quoteBuyRequest, buyQuote),
  '/quote/sell': operation('quoteSell', 'A quote to sell into a standard pool.', quoteSellRequest, sellQuote),
  '/quote/initial-buy': operation(
    'quoteInitialBuy',
    'What it costs to buy a share of a new token at its launch.',
    quoteInitialBuyRequest,
    initialBuyAnswer,
  ),
  '/tx/buy': operation('buildBuy', 'The transaction of a buy.', buyRequest, transactionAnswer),
  '/tx/sell': operation('buildSell', 'The transaction of a sell.', sellRequest, transactionAnswer),
  '/tx/claim-creator-trading-fees': operation(
    'buildClaimCreatorTradingFees',
    'Pays a standard pool’s creator fees out to their receiver.',
    claimCreatorTradingFeesRequest,
    transactionAnswer,
  ),
  '/tx/create-standard-liquidity-pool': operation(
    'buildCreateStandardLiquidityPool',
    'Launches a token: its mint, metadata and pool, and an initial purchase.',
    createStandardLiquidityPoolRequest,
    launchAnswer,
  ),
  '/data/lp-balance': operation(
    'getLpBalance',
    'A wallet’s liquidity in a pro pool.',
    lpBalanceRequest,
    lpBalanceAnswer,
  ),
  '/quote/pro/buy': operation('quoteProBuy', 'A quote to buy from a pro pool.', quoteProBuyRequest, buyQuote),
  '/quote/pro/sell': operation(
    'quoteProSell',
    'A quote to sell into a pro pool.',
    quoteProSellRequest,
    sellQuote,
  ),
  '/tx/pro/buy': operation(
    'buildProBuy',
    'The transaction of a buy from a pro pool.',
    proBuyRequest,
    transactionAnswer,
  ),
  '/tx/pro/sell': operation(
    'buildProSell',
    'The transaction of a sell into a pro pool.',
    proSellRequest,
    transactionAnswer,
  ),
  '/tx/pro/create': operation(
    'buildProCreate',
    'Creates a pro pool for a token that exists.',
    proCreateRequest,
    proCreateAnswer,
  ),
  '/tx/pro/add-liquidity': operation(
    'buildProAddLiquidity',
    'Deposits tokens and SOL in the pool’s ratio.',
    proAddLiquidityRequest,
    transactionAnswer,
  ),
  '/tx/pro/remove-liquidity': operation(
    'buildProRemoveLiquidity',
    'Burns LP tokens for their share of the pool.',
    proRemoveLiquidityRequest,
    transactionAnswer,
  ),
  '/tx/pro/claim-creator-fees': operation(
    'buildProClaimCreatorFees',
    'Pays a pro pool’s creator fees out to their receiver.',
    proClaimCreatorFeesRequest,
    transactionAnswer,
  ),
  '/tx/pro/claim-lp-fees': operation(
    'buildProClaimLpFees',
    'Pays a position’s fees out to its wallet.',
    proClaimLpFeesRequest,
    transactionAnswer,
  ),
  '/tx/pro/toggle-swap': operation(
    'buildProToggleSwap',
    'Switches swapping on or off. Creator only.',
    proToggleRequest,
    transactionAnswer,
  ),
  '/tx/pro/toggle-deposit': operation(
    'buildProToggleDeposit',
    'Switches deposits on or off. Creator only.',
    proToggleRequest,
    transactionAnswer,
  ),
  '/tx/pro/toggle-withdraw': operation(
    'buildProToggleWithdraw',
    'Switches withdrawals on or off. Creator only.',
    proToggleRequest,
    transactionAnswer,
  ),
  '/tx/pro/set-reflection-fee': operation(
    'buildProSetReflectionFee',
    'Sets the fee for token holders. Creator only.',
    proSetFeeRequest,
    transactionAnswer,
  ),
  '/tx/pro/set-lp-fee': operation(
    'buildProSetLpFee',
    'Sets the fee for liquidity providers. Creator only.',
    proSetFeeRequest,
    transactionAnswer,
  ),
  '/tx/pro/set-market-cap-creator-fee': operation(
    'buildProSetMarketCapCreatorFee',
    'Sets the creator’s fee by market cap. Creator only.',
    proSetFeeRequest,
    transactionAnswer,
  ),
  '/tx/pro/set-slot-creator-fee': operation(
    'buildProSetSlotCreatorFee',
    'Sets the creator’s fee in the slots after the launch. Creator only.',
    proSetSlotFeeRequest,
    transactionAnswer,
  ),
  '/tx/pro/update-creator-fee-receiver': operation(
    'buildProUpdateCreatorFeeReceiver',
    'Gives the creator fees to another wallet. Both sign.',
    proUpdateCreatorFeeReceiverRequest,
    transactionAnswer,
  ),
  '/tx/pro/transfer-lp': operation(
    'buildProTransferLp',
    'Moves LP tokens to another wallet.',
    proTransferLpRequest,
    transactionAnswer,
  ),
} as const satisfies Readonly<Record<string, Operation>>;

export type Path = keyof typeof contract;
