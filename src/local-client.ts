import { builders } from './builders.js';
import type { HeavenClient } from './client.js';
import { getLpBalance } from './data/lp-balance.js';
import { getPoolInfo } from './data/pool-info.js';
import { getPoolState } from './data/pool-state.js';
import { getProtocolConfigState } from './data/protocol-config-state.js';
import { quoteProBuy } from './pro/quote-buy.js';
import { quoteProSell } from './pro/quote-sell.js';
import { quoteBuy } from './standard/quote-buy.js';
import { quoteInitialBuy } from './standard/quote-initial-buy.js';
import { quoteSell } from './standard/quote-sell.js';

/** The documented functions. In a function, as esbuild keeps what is spread at the top of a module. */
const documented = () => ({
  getPoolInfo,
  getProtocolConfigState,
  getPoolState,
  quoteBuy,
  quoteSell,
  quoteInitialBuy,
  getLpBalance,
  quoteProBuy,
  quoteProSell,
  ...builders,
});

type Functions = ReturnType<typeof documented>;

/** The documented functions with their client already given. */
export type LocalClient = {
  readonly [TName in keyof Functions]: Functions[TName] extends (
    client: HeavenClient,
    input: infer TInput,
  ) => infer TResult
    ? (input: TInput) => TResult
    : never;
};

/**
 * The documented functions bound to a client: the counterpart of `createRemoteClient`, so that one line decides whether quotes
 * and transactions are computed here or by a service. A bundle then holds all of them; the functions themselves shake out.
 *
 * @example
 * ```ts
 * const heaven = createLocalClient(createClient({ rpcUrl }));
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export const createLocalClient = (client: HeavenClient): LocalClient =>
  Object.fromEntries(
    Object.entries(documented()).map(([name, call]) => [name, (input: never) => call(client, input)]),
  ) as unknown as LocalClient;
