import type { ZodMiniType } from 'zod/mini';

import type { HeavenClient } from '../client.js';
import { getPoolState } from '../data/pool-state.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, SellQuote } from '../pool/quote.js';
import { buildBuy } from '../standard/buy.js';
import { quoteBuy } from '../standard/quote-buy.js';
import { quoteSell } from '../standard/quote-sell.js';
import { buildSell } from '../standard/sell.js';
import type { BuiltTransaction } from '../transaction/assemble.js';
import { buyRequest, poolStateRequest, quoteBuyRequest, quoteSellRequest, sellRequest } from './schemas.js';

/** A path of the interface: what it takes, the function it stands for, and what of the result it shows. */
export interface Route {
  readonly request: ZodMiniType;
  readonly call: (client: HeavenClient, input: never) => Promise<unknown>;
  readonly respond: (result: never) => unknown;
}

const route = <TInput, TResult>(
  request: ZodMiniType,
  call: (client: HeavenClient, input: TInput) => Promise<TResult>,
  respond: (result: TResult) => unknown,
): Route => ({ request, call, respond });

const whole = (result: unknown) => result;
const buyQuote = ({ details: _, ...quote }: DetailedBuyQuote): BuyQuote => quote;
const sellQuote = ({ details: _, ...quote }: DetailedSellQuote): SellQuote => quote;
const transaction = ({ tx }: BuiltTransaction) => ({ tx });

export const routes: Readonly<Record<string, Route>> = {
  '/data/pool-state': route(poolStateRequest, getPoolState, whole),
  '/quote/buy': route(quoteBuyRequest, quoteBuy, buyQuote),
  '/quote/sell': route(quoteSellRequest, quoteSell, sellQuote),
  '/tx/buy': route(buyRequest, buildBuy, transaction),
  '/tx/sell': route(sellRequest, buildSell, transaction),
};
