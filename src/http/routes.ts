import type { ZodMiniType } from 'zod/mini';

import type { HeavenClient } from '../client.js';
import { getLpBalance, type LpBalance } from '../data/lp-balance.js';
import { getPoolInfo } from '../data/pool-info.js';
import { getPoolState } from '../data/pool-state.js';
import { getProtocolConfigState } from '../data/protocol-config-state.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, SellQuote } from '../pool/quote.js';
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
import { buildBuy } from '../standard/buy.js';
import { buildClaimCreatorTradingFees } from '../standard/claim-creator-trading-fees.js';
import {
  type BuildCreateStandardLiquidityPoolInput,
  buildCreateStandardLiquidityPool,
  type MintSignerSource,
} from '../standard/create-standard-liquidity-pool.js';
import { quoteBuy } from '../standard/quote-buy.js';
import { type InitialBuyQuote, quoteInitialBuy } from '../standard/quote-initial-buy.js';
import { quoteSell } from '../standard/quote-sell.js';
import { buildSell } from '../standard/sell.js';
import type { BuiltTransaction } from '../transaction/assemble.js';
import {
  buyRequest,
  claimCreatorTradingFeesRequest,
  createStandardLiquidityPoolRequest,
  lpBalanceRequest,
  poolInfoRequest,
  poolStateRequest,
  proAddLiquidityRequest,
  proBuyRequest,
  proClaimCreatorFeesRequest,
  proClaimLpFeesRequest,
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
  sellRequest,
} from './schemas.js';

/** What a path needs besides the cluster. */
export interface Services {
  /** The signer of a launch's new mint. */
  readonly mintSigner: MintSignerSource;
}

/** A path of the interface: what it takes, the function it stands for, and what of the result it shows. */
export interface Route {
  readonly request: ZodMiniType;
  readonly call: (client: HeavenClient, input: never, services: Services) => Promise<unknown>;
  readonly respond: (result: never) => unknown;
}

const route = <TInput, TResult>(
  request: ZodMiniType,
  call: (client: HeavenClient, input: TInput, services: Services) => Promise<TResult>,
  respond: (result: TResult) => unknown,
): Route => ({ request, call, respond });

const whole = (result: unknown) => result;
const buyQuote = ({ details: _, ...quote }: DetailedBuyQuote): BuyQuote => quote;
const sellQuote = ({ details: _, ...quote }: DetailedSellQuote): SellQuote => quote;
const lpBalance = ({ details: _, ...balance }: LpBalance) => balance;
const initialBuy = ({ details: _, ...quote }: InitialBuyQuote) => quote;
const transaction = ({ tx }: BuiltTransaction) => ({ tx });

/** A launch with a mint address of the service's. */
const launch = (
  client: HeavenClient,
  input: BuildCreateStandardLiquidityPoolInput,
  { mintSigner }: Services,
) => buildCreateStandardLiquidityPool(client, { ...input, mintSigner });

export const routes: Readonly<Record<string, Route>> = {
  '/data/pool-info': route(poolInfoRequest, getPoolInfo, (data) => ({ data })),
  '/data/protocol-config-state': route(protocolConfigStateRequest, getProtocolConfigState, whole),
  '/data/pool-state': route(poolStateRequest, getPoolState, whole),
  '/quote/buy': route(quoteBuyRequest, quoteBuy, buyQuote),
  '/quote/sell': route(quoteSellRequest, quoteSell, sellQuote),
  '/quote/initial-buy': route(quoteInitialBuyRequest, quoteInitialBuy, initialBuy),
  '/tx/buy': route(buyRequest, buildBuy, transaction),
  '/tx/sell': route(sellRequest, buildSell, transaction),
  '/tx/claim-creator-trading-fees': route(
    claimCreatorTradingFeesRequest,
    buildClaimCreatorTradingFees,
    transaction,
  ),
  '/tx/create-standard-liquidity-pool': route(createStandardLiquidityPoolRequest, launch, ({ tx, mint }) => ({
    tx,
    mint,
  })),
  '/data/lp-balance': route(lpBalanceRequest, getLpBalance, lpBalance),
  '/quote/pro/buy': route(quoteProBuyRequest, quoteProBuy, buyQuote),
  '/quote/pro/sell': route(quoteProSellRequest, quoteProSell, sellQuote),
  '/tx/pro/buy': route(proBuyRequest, buildProBuy, transaction),
  '/tx/pro/sell': route(proSellRequest, buildProSell, transaction),
  '/tx/pro/create': route(proCreateRequest, buildProCreate, ({ tx, pool }) => ({ tx, pool })),
  '/tx/pro/add-liquidity': route(proAddLiquidityRequest, buildProAddLiquidity, transaction),
  '/tx/pro/remove-liquidity': route(proRemoveLiquidityRequest, buildProRemoveLiquidity, transaction),
  '/tx/pro/claim-creator-fees': route(proClaimCreatorFeesRequest, buildProClaimCreatorFees, transaction),
  '/tx/pro/claim-lp-fees': route(proClaimLpFeesRequest, buildProClaimLpFees, transaction),
  '/tx/pro/toggle-swap': route(proToggleRequest, buildProToggleSwap, transaction),
  '/tx/pro/toggle-deposit': route(proToggleRequest, buildProToggleDeposit, transaction),
  '/tx/pro/toggle-withdraw': route(proToggleRequest, buildProToggleWithdraw, transaction),
  '/tx/pro/set-reflection-fee': route(proSetFeeRequest, buildProSetReflectionFee, transaction),
  '/tx/pro/set-lp-fee': route(proSetFeeRequest, buildProSetLpFee, transaction),
  '/tx/pro/set-market-cap-creator-fee': route(proSetFeeRequest, buildProSetMarketCapCreatorFee, transaction),
  '/tx/pro/set-slot-creator-fee': route(proSetSlotFeeRequest, buildProSetSlotCreatorFee, transaction),
  '/tx/pro/update-creator-fee-receiver': route(
    proUpdateCreatorFeeReceiverRequest,
    buildProUpdateCreatorFeeReceiver,
    transaction,
  ),
  '/tx/pro/transfer-lp': route(proTransferLpRequest, buildProTransferLp, transaction),
};
