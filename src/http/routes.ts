import type { ZodMiniType } from 'zod/mini';

import type { HeavenClient } from '../client.js';
import { getPoolInfo } from '../data/pool-info.js';
import { getPoolState } from '../data/pool-state.js';
import { getProtocolConfigState } from '../data/protocol-config-state.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, SellQuote } from '../pool/quote.js';
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
  poolInfoRequest,
  poolStateRequest,
  protocolConfigStateRequest,
  quoteBuyRequest,
  quoteInitialBuyRequest,
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
};
