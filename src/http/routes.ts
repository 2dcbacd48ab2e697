import type { ZodMiniType } from 'zod/mini';

import type { HeavenClient } from '../client.js';
import { getLpBalance } from '../data/lp-balance.js';
import { getPoolInfo } from '../data/pool-info.js';
import { getPoolState } from '../data/pool-state.js';
import { getProtocolConfigState } from '../data/protocol-config-state.js';
import { buildProAddLiquidity } from '../pro/add-liquidity.js';
import { buildProBuy } from '../pro/buy.js';
import { buildProClaimCreatorFees } from '../pro/claim-creator-fees.js';
import { buildProClaimLpFees } from '../pro/claim-lp-fees.js';
import { buildProCreate } from '../pro/create.js';
import { quoteProBuy } from '../pro/quote-buy.js';
import { quoteProSell } from '../pro/quote-sell.js';
import { buildProRemoveLiquidity } from '../pro/remove-liquidity.js';
import { buildProSell } from '../pro/sell.js';
import { buildProSetLpFee } from '../pro/set-lp-fee.js';
import { buildProSetMarketCapCreatorFee } from '../pro/set-market-cap-creator-fee.js';
import { buildProSetReflectionFee } from '../pro/set-reflection-fee.js';
import { buildProSetSlotCreatorFee } from '../pro/set-slot-creator-fee.js';
import { buildProToggleDeposit } from '../pro/toggle-deposit.js';
import { buildProToggleSwap } from '../pro/toggle-swap.js';
import { buildProToggleWithdraw } from '../pro/toggle-withdraw.js';
import { buildProTransferLp } from '../pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiver } from '../pro/update-creator-fee-receiver.js';
import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../program/accounts.js';
import { buildBuy } from '../standard/buy.js';
import { buildClaimCreatorTradingFees } from '../standard/claim-creator-trading-fees.js';
import {
  type BuildCreateStandardLiquidityPoolInput,
  buildCreateStandardLiquidityPool,
  type MintSignerSource,
} from '../standard/create-standard-liquidity-pool.js';
import { quoteBuy } from '../standard/quote-buy.js';
import { quoteInitialBuy } from '../standard/quote-initial-buy.js';
import { quoteSell } from '../standard/quote-sell.js';
import { buildSell } from '../standard/sell.js';
import type { BuiltTransaction } from '../transaction/assemble.js';
import {
  answerOf,
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

/** What a path needs besides the cluster. */
export interface Services {
  /** The signer of a launch's new mint. */
  readonly mintSigner: MintSignerSource;
}

/** A path of the interface: the function it stands for, what it takes, and what of the result it shows. */
export interface Route {
  /** The function's name, here and in the remote client. */
  readonly name: string;
  readonly summary: string;
  readonly request: ZodMiniType;
  readonly answer: ZodMiniType;
  readonly call: (client: HeavenClient, input: never, services: Services) => Promise<unknown>;
  readonly respond: (result: never) => unknown;
}

const route = <TInput, TResult>(
  [name, summary]: readonly [name: string, summary: string],
  [request, answer]: readonly [request: ZodMiniType, answer: ZodMiniType],
  call: (client: HeavenClient, input: TInput, services: Services) => Promise<TResult>,
  respond: (result: TResult) => unknown,
): Route => ({ name, summary, request, answer, call, respond });

const poolStateAnswer = answerOf(liquidityPoolStateDeclaration);
const protocolConfigAnswer = answerOf(protocolConfigDeclaration);

const whole = (result: unknown) => result;
const transaction = ({ tx }: BuiltTransaction) => ({ tx });
/** The documented fields: what the SDK tells beyond them is in `details`. */
const quote = <TResult extends { readonly details: unknown }>({ details: _, ...documented }: TResult) =>
  documented;

/** A launch with a mint address of the service's. */
const launch = (
  client: HeavenClient,
  input: BuildCreateStandardLiquidityPoolInput,
  { mintSigner }: Services,
) => buildCreateStandardLiquidityPool(client, { ...input, mintSigner });

export const routes: Readonly<Record<string, Route>> = {
  '/data/pool-info': route(
    ['getPoolInfo', 'What a person wants to know of a pool.'],
    [poolInfoRequest, poolInfoAnswer],
    getPoolInfo,
    (data) => ({ data }),
  ),
  '/data/protocol-config-state': route(
    ['getProtocolConfigState', 'A protocol config, decoded.'],
    [protocolConfigStateRequest, protocolConfigAnswer],
    getProtocolConfigState,
    whole,
  ),
  '/data/pool-state': route(
    ['getPoolState', 'A pool’s account, decoded.'],
    [poolStateRequest, poolStateAnswer],
    getPoolState,
    whole,
  ),
  '/quote/buy': route(
    ['quoteBuy', 'A quote to buy from a standard pool.'],
    [quoteBuyRequest, buyQuote],
    quoteBuy,
    quote,
  ),
  '/quote/sell': route(
    ['quoteSell', 'A quote to sell into a standard pool.'],
    [quoteSellRequest, sellQuote],
    quoteSell,
    quote,
  ),
  '/quote/initial-buy': route(
    ['quoteInitialBuy', 'What it costs to buy a share of a new token at its launch.'],
    [quoteInitialBuyRequest, initialBuyAnswer],
    quoteInitialBuy,
    quote,
  ),
  '/tx/buy': route(
    ['buildBuy', 'The transaction of a buy.'],
    [buyRequest, transactionAnswer],
    buildBuy,
    transaction,
  ),
  '/tx/sell': route(
    ['buildSell', 'The transaction of a sell.'],
    [sellRequest, transactionAnswer],
    buildSell,
    transaction,
  ),
  '/tx/claim-creator-trading-fees': route(
    ['buildClaimCreatorTradingFees', 'Pays a standard pool’s creator fees out to their receiver.'],
    [claimCreatorTradingFeesRequest, transactionAnswer],
    buildClaimCreatorTradingFees,
    transaction,
  ),
  '/tx/create-standard-liquidity-pool': route(
    [
      'buildCreateStandardLiquidityPool',
      'Launches a token: its mint, metadata and pool, and an initial purchase.',
    ],
    [createStandardLiquidityPoolRequest, launchAnswer],
    launch,
    ({ tx, mint }) => ({ tx, mint }),
  ),
  '/data/lp-balance': route(
    ['getLpBalance', 'A wallet’s liquidity in a pro pool.'],
    [lpBalanceRequest, lpBalanceAnswer],
    getLpBalance,
    quote,
  ),
  '/quote/pro/buy': route(
    ['quoteProBuy', 'A quote to buy from a pro pool.'],
    [quoteProBuyRequest, buyQuote],
    quoteProBuy,
    quote,
  ),
  '/quote/pro/sell': route(
    ['quoteProSell', 'A quote to sell into a pro pool.'],
    [quoteProSellRequest, sellQuote],
    quoteProSell,
    quote,
  ),
  '/tx/pro/buy': route(
    ['buildProBuy', 'The transaction of a buy from a pro pool.'],
    [proBuyRequest, transactionAnswer],
    buildProBuy,
    transaction,
  ),
  '/tx/pro/sell': route(
    ['buildProSell', 'The transaction of a sell into a pro pool.'],
    [proSellRequest, transactionAnswer],
    buildProSell,
    transaction,
  ),
  '/tx/pro/create': route(
    ['buildProCreate', 'Creates a pro pool for a token that exists.'],
    [proCreateRequest, proCreateAnswer],
    buildProCreate,
    ({ tx, pool }) => ({ tx, pool }),
  ),
  '/tx/pro/add-liquidity': route(
    ['buildProAddLiquidity', 'Deposits tokens and SOL in the pool’s ratio.'],
    [proAddLiquidityRequest, transactionAnswer],
    buildProAddLiquidity,
    transaction,
  ),
  '/tx/pro/remove-liquidity': route(
    ['buildProRemoveLiquidity', 'Burns LP tokens for their share of the pool.'],
    [proRemoveLiquidityRequest, transactionAnswer],
    buildProRemoveLiquidity,
    transaction,
  ),
  '/tx/pro/claim-creator-fees': route(
    ['buildProClaimCreatorFees', 'Pays a pro pool’s creator fees out to their receiver.'],
    [proClaimCreatorFeesRequest, transactionAnswer],
    buildProClaimCreatorFees,
    transaction,
  ),
  '/tx/pro/claim-lp-fees': route(
    ['buildProClaimLpFees', 'Pays a position’s fees out to its wallet.'],
    [proClaimLpFeesRequest, transactionAnswer],
    buildProClaimLpFees,
    transaction,
  ),
  '/tx/pro/toggle-swap': route(
    ['buildProToggleSwap', 'Switches swapping on or off. Creator only.'],
    [proToggleRequest, transactionAnswer],
    buildProToggleSwap,
    transaction,
  ),
  '/tx/pro/toggle-deposit': route(
    ['buildProToggleDeposit', 'Switches deposits on or off. Creator only.'],
    [proToggleRequest, transactionAnswer],
    buildProToggleDeposit,
    transaction,
  ),
  '/tx/pro/toggle-withdraw': route(
    ['buildProToggleWithdraw', 'Switches withdrawals on or off. Creator only.'],
    [proToggleRequest, transactionAnswer],
    buildProToggleWithdraw,
    transaction,
  ),
  '/tx/pro/set-reflection-fee': route(
    ['buildProSetReflectionFee', 'Sets the fee for token holders. Creator only.'],
    [proSetFeeRequest, transactionAnswer],
    buildProSetReflectionFee,
    transaction,
  ),
  '/tx/pro/set-lp-fee': route(
    ['buildProSetLpFee', 'Sets the fee for liquidity providers. Creator only.'],
    [proSetFeeRequest, transactionAnswer],
    buildProSetLpFee,
    transaction,
  ),
  '/tx/pro/set-market-cap-creator-fee': route(
    ['buildProSetMarketCapCreatorFee', 'Sets the creator’s fee by market cap. Creator only.'],
    [proSetFeeRequest, transactionAnswer],
    buildProSetMarketCapCreatorFee,
    transaction,
  ),
  '/tx/pro/set-slot-creator-fee': route(
    ['buildProSetSlotCreatorFee', 'Sets the creator’s fee in the slots after the launch. Creator only.'],
    [proSetSlotFeeRequest, transactionAnswer],
    buildProSetSlotCreatorFee,
    transaction,
  ),
  '/tx/pro/update-creator-fee-receiver': route(
    ['buildProUpdateCreatorFeeReceiver', 'Gives the creator fees to another wallet. Both sign.'],
    [proUpdateCreatorFeeReceiverRequest, transactionAnswer],
    buildProUpdateCreatorFeeReceiver,
    transaction,
  ),
  '/tx/pro/transfer-lp': route(
    ['buildProTransferLp', 'Moves LP tokens to another wallet.'],
    [proTransferLpRequest, transactionAnswer],
    buildProTransferLp,
    transaction,
  ),
};
