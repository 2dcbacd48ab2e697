import type { BuiltTransaction } from '../build/assemble.js';
import type { Deployment, HeavenClient } from '../client.js';
import { getLpBalance } from '../data/lp-balance.js';
import { getPoolInfo } from '../data/pool-info.js';
import { getPoolState } from '../data/pool-state.js';
import { getProtocolConfigState } from '../data/protocol-config-state.js';
import type { DetailedBuyQuote, DetailedSellQuote } from '../pool/quote.js';
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
import { describeInstructions } from '../review/words.js';
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
import { contract, type Operation, type Path } from './contract.js';
import { exactAmounts } from './rounded-quote.js';

/** What a path needs besides the cluster. */
export interface Services {
  /** The signer of a launch's new mint. */
  readonly mintSigner: MintSignerSource;
}

/** A path with what stands behind it: the function, and what of its result is shown. */
export interface Route extends Operation {
  readonly call: (client: HeavenClient, input: never, services: Services) => Promise<unknown>;
  readonly respond: (result: never, deployment: Deployment) => object;
}

type Behind = Pick<Route, 'call' | 'respond'>;

const by = <TInput, TResult>(
  call: (client: HeavenClient, input: TInput, services: Services) => Promise<TResult>,
  respond: (result: TResult, deployment: Deployment) => object,
): Behind => ({ call, respond });

const whole = (result: object) => result;
/** A quote, with the integers that many a JSON library rounds as text besides. */
const quote = ({ details, ...documented }: DetailedBuyQuote | DetailedSellQuote) => ({
  ...documented,
  details: { ...details, exact: exactAmounts(documented) },
});
/** What is to be known of a transaction besides its bytes. */
const built = (
  { warnings, size, requiredSigners, lifetime, instructions }: BuiltTransaction,
  { programAddress }: Deployment,
) => ({
  details: {
    warnings,
    size,
    requiredSigners,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    instructions: describeInstructions(instructions, { programAddress }),
  },
});
const transaction = (result: BuiltTransaction, deployment: Deployment) => ({
  tx: result.tx,
  ...built(result, deployment),
});

/** A launch with a mint address of the service's. */
const launch = (
  client: HeavenClient,
  input: BuildCreateStandardLiquidityPoolInput,
  { mintSigner }: Services,
) => buildCreateStandardLiquidityPool(client, { ...input, mintSigner });

const functions = (): Readonly<Record<Path, Behind>> => ({
  '/data/pool-info': by(getPoolInfo, (data) => ({ data })),
  '/data/protocol-config-state': by(getProtocolConfigState, whole),
  '/data/pool-state': by(getPoolState, whole),
  '/quote/buy': by(quoteBuy, quote),
  '/quote/sell': by(quoteSell, quote),
  '/quote/initial-buy': by(quoteInitialBuy, whole),
  '/tx/buy': by(buildBuy, transaction),
  '/tx/sell': by(buildSell, transaction),
  '/tx/claim-creator-trading-fees': by(buildClaimCreatorTradingFees, transaction),
  '/tx/create-standard-liquidity-pool': by(launch, (result, deployment) => ({
    tx: result.tx,
    mint: result.mint,
    ...built(result, deployment),
  })),
  '/data/lp-balance': by(getLpBalance, whole),
  '/quote/pro/buy': by(quoteProBuy, quote),
  '/quote/pro/sell': by(quoteProSell, quote),
  '/tx/pro/buy': by(buildProBuy, transaction),
  '/tx/pro/sell': by(buildProSell, transaction),
  '/tx/pro/create': by(buildProCreate, (result, deployment) => ({
    tx: result.tx,
    pool: result.pool,
    ...built(result, deployment),
  })),
  '/tx/pro/add-liquidity': by(buildProAddLiquidity, transaction),
  '/tx/pro/remove-liquidity': by(buildProRemoveLiquidity, transaction),
  '/tx/pro/claim-creator-fees': by(buildProClaimCreatorFees, transaction),
  '/tx/pro/claim-lp-fees': by(buildProClaimLpFees, transaction),
  '/tx/pro/toggle-swap': by(buildProToggleSwap, transaction),
  '/tx/pro/toggle-deposit': by(buildProToggleDeposit, transaction),
  '/tx/pro/toggle-withdraw': by(buildProToggleWithdraw, transaction),
  '/tx/pro/set-reflection-fee': by(buildProSetReflectionFee, transaction),
  '/tx/pro/set-lp-fee': by(buildProSetLpFee, transaction),
  '/tx/pro/set-market-cap-creator-fee': by(buildProSetMarketCapCreatorFee, transaction),
  '/tx/pro/set-slot-creator-fee': by(buildProSetSlotCreatorFee, transaction),
  '/tx/pro/update-creator-fee-receiver': by(buildProUpdateCreatorFeeReceiver, transaction),
  '/tx/pro/transfer-lp': by(buildProTransferLp, transaction),
});

/** Made in a call that a bundler may leave out: the remote client needs the contract alone. */
const makeRoutes = (): Readonly<Record<string, Route>> =>
  Object.fromEntries(
    Object.entries(functions()).map(([path, behind]) => [path, { ...contract[path as Path], ...behind }]),
  );

export const routes = /* @__PURE__ */ makeRoutes();
