import { type ClientWithPayer, type ExtendedClient, extendClient } from '@solana/kit';
import { assertMilliseconds, assertNames, given, inputError } from '../base/input.js';
import { listTrades } from '../history/list-trades.js';
import { watchNewPools } from '../history/watch-new-pools.js';
import { watchTrades } from '../history/watch-trades.js';
import { type BuilderName, builders, readers } from '../operations/index.js';
import { quoteProAddLiquidity } from '../operations/pro/quote-add-liquidity.js';
import { quoteProBuyExactOut, quoteProSellExactOut } from '../operations/pro/quote-exact-out.js';
import { quoteProRemoveLiquidity } from '../operations/pro/quote-remove-liquidity.js';
import { quoteBuyExactOut, quoteSellExactOut } from '../operations/standard/quote-exact-out.js';
import { fetchPoolSnapshot } from '../pool/read.js';
import { watchPool } from '../pool/watch/watch-pool.js';
import { watchPools } from '../pool/watch/watch-pools.js';
import {
  type ClientConfig,
  createHeavenClient,
  type HeavenClient,
  type HeavenHistoryRpc,
  type HeavenRpc,
  type HeavenRpcSubscriptions,
  type HeavenSubmitRpc,
} from '../program/client.js';
import { deploymentOf } from '../program/deployment.js';
import { findPools } from '../reads/find-pools.js';
import { maximumSpend } from '../reads/maximum-spend.js';
import { getTokenMetadata } from '../reads/token-metadata/get-token-metadata.js';
import { getWalletBalances } from '../reads/wallet-balances.js';
import {
  type AssertTransactionMatchesOptions,
  assertTransactionMatches,
  type MatchedTransaction,
  type TransactionIntent,
} from '../review/assert-transaction-matches.js';
import { type InspectTransactionOptions, inspectTransaction } from '../review/inspect.js';
import type { TransactionInspection } from '../review/inspection.js';
import { simulate } from '../review/simulate.js';
import { buildTrade } from '../route/build-trade.js';
import { type QuoteBestInput, quoteBest } from '../route/quote-best.js';
import {
  type QuoteManyOptions,
  type QuoteManyRequest,
  type QuoteOutcomes,
  quoteMany,
} from '../route/quote-many.js';
import type { BestQuote } from '../route/rank-pools.js';
import { assertCommitment } from '../solana/commitment.js';
import type { TradeQuote } from '../submit/requote.js';
import {
  type DeclinedQuote,
  type RequoteOptions,
  type SignAndSubmitOptions,
  type SignAndSubmitResult,
  signAndSubmitTransaction,
} from '../submit/sign-and-submit-transaction.js';
import {
  type SubmitOptions,
  type SubmitResult,
  type SubmittableTransaction,
  submitTransaction,
} from '../submit/submit-transaction.js';
import { type SubmitUntilCertainOptions, submitUntilCertain } from '../submit/submit-until-certain.js';
import type { BuiltTransaction } from '../transaction/built.js';
import { keepLifetime } from '../transaction/keep-lifetime.js';
import { prepareTrade } from '../transaction/prepared/prepare.js';
import { suggestPriorityFee } from '../transaction/priority-fee.js';
import { type RefreshLifetimeOptions, refreshLifetime } from '../transaction/refresh-lifetime.js';
import type { BuiltTrade } from '../transaction/trade.js';
import { type Bound, bind } from './bind.js';
import type { LocalClient } from './local-client.js';
import {
  type OptionalPayer,
  type ProgramFunctions,
  programFunctions,
  withPayer,
} from './program-functions.js';

/** What `heaven()` needs of a kit client: an RPC, and subscriptions for watches. */
export interface HeavenPluginClient {
  readonly rpc: HeavenRpc;
  readonly rpcSubscriptions?: HeavenRpcSubscriptions;
}

type AnyRpc = HeavenHistoryRpc & HeavenSubmitRpc;

/** What {@link heaven} takes: the settings of {@link createHeavenClient} that do not come from the kit client. */
export type HeavenPluginConfig = Pick<ClientConfig, 'deployment' | 'commitment' | 'timeoutMs'>;

/** The functions that take a client first and are not part of {@link LocalClient}. */
const more = {
  /** All that a quote needs, read in one call. See {@link fetchPoolSnapshot}. */
  fetchPoolSnapshot,
  /** Finds pools by a common property. See {@link findPools}. */
  findPools,
  /** A wallet's SOL and tokens. See {@link getWalletBalances}. */
  getWalletBalances,
  /** The most that a wallet can spend on a trade now. See {@link maximumSpend}. */
  maximumSpend,
  /** A token's name, symbol and image, sanitized. See {@link getTokenMetadata}. */
  getTokenMetadata,
  /** The most that an exact number of tokens costs in a standard pool. See {@link quoteBuyExactOut}. */
  quoteBuyExactOut,
  /** The most tokens that you sell for an exact amount of SOL in a standard pool. See {@link quoteSellExactOut}. */
  quoteSellExactOut,
  /** The most that an exact number of tokens costs in a pro pool. See {@link quoteProBuyExactOut}. */
  quoteProBuyExactOut,
  /** The most tokens that you sell for an exact amount of SOL in a pro pool. See {@link quoteProSellExactOut}. */
  quoteProSellExactOut,
  /** The amounts of a deposit into a pro pool. See {@link quoteProAddLiquidity}. */
  quoteProAddLiquidity,
  /** The amounts of a withdrawal from a pro pool. See {@link quoteProRemoveLiquidity}. */
  quoteProRemoveLiquidity,
  /** Prepares a built trade, to be patched for each use. See {@link prepareTrade}. */
  prepareTrade,
  /** Simulates a built transaction on the cluster's current state. See {@link simulate}. */
  simulate,
  /** A priority fee for the current load. See {@link suggestPriorityFee}. */
  suggestPriorityFee,
  /** Keeps a recent block hash ready. See {@link keepLifetime}. */
  keepLifetime,
  /** A pool's snapshots as it changes. See {@link watchPool}. */
  watchPool,
  /** The snapshots of many pools in one loop. See {@link watchPools}. */
  watchPools,
} as const;

/** One more builder, with an optional `payer`. */
const trading = {
  /** Builds the unsigned transaction for any quote, in the quote's pool. See {@link buildTrade}. */
  buildTrade,
} as const;

/** The functions that need an RPC with transaction history. Every kit RPC has it. */
const historical = {
  /** The trades of a token or a pool, one page or all. See {@link listTrades}. */
  listTrades,
  /** Trades as they land. See {@link watchTrades}. */
  watchTrades,
  /** Pools as they are created. See {@link watchNewPools}. */
  watchNewPools,
} as const;

/** Functions whose types depend on their arguments: {@link More} and {@link Submitting} declare them. */
const typed = {
  quoteMany,
  quoteBest,
  refreshLifetime,
  submitTransaction,
  submitUntilCertain,
  signAndSubmitTransaction,
} as const;

/** The functions that may need a payer. */
interface Payable extends LocalClient, Bound<typeof trading> {}

/** The functions whose `payer` is optional if the kit client has one. */
type Paying<TClient> = TClient extends ClientWithPayer
  ? {
      readonly [TName in keyof Payable]: Payable[TName] extends (input: infer TInput) => infer TResult
        ? TInput extends { readonly payer: unknown }
          ? (input: OptionalPayer<TInput>) => TResult
          : Payable[TName]
        : never;
    }
  : Payable;

/** The functions that are not part of {@link LocalClient}. */
interface More extends Bound<typeof more> {
  /** The client, for functions that are not listed here. */
  readonly client: HeavenClient;
  /** Quotes many trades in as few calls as possible. See {@link quoteMany}. */
  quoteMany<const TRequests extends readonly QuoteManyRequest[]>(
    requests: TRequests,
    options?: QuoteManyOptions,
  ): Promise<QuoteOutcomes<TRequests>>;
  /** Finds the token's pool that gives the most for a trade. See {@link quoteBest}. */
  quoteBest<TSide extends 'buy' | 'sell'>(
    input: { readonly side: TSide } & QuoteBestInput<TSide>,
  ): Promise<BestQuote<TSide>>;
  /** The same transaction with a fresh block hash. See {@link refreshLifetime}. */
  refreshLifetime<TBuilt extends BuiltTransaction>(
    built: TBuilt,
    options?: RefreshLifetimeOptions,
  ): Promise<TBuilt>;
  /** Shows what a transaction would do before you sign it. See {@link inspectTransaction}. */
  inspectTransaction(
    tx: string,
    options?: Omit<InspectTransactionOptions, 'client' | 'programAddress'>,
  ): Promise<TransactionInspection>;
  /** Rejects a transaction that does anything other than what was asked for. See {@link assertTransactionMatches}. */
  assertTransactionMatches<TName extends BuilderName>(
    tx: string,
    intent: TransactionIntent & { readonly function: TName },
    options?: Omit<AssertTransactionMatchesOptions, 'client' | 'programAddress'>,
  ): Promise<MatchedTransaction<TName>>;
}

/** The functions that need an RPC that can send transactions. Every kit RPC can. */
interface Submitting {
  /** Sends a signed transaction, and follows it until its status is final. See {@link submitTransaction}. */
  submitTransaction(signed: SubmittableTransaction, options: SubmitOptions): Promise<SubmitResult>;
  /** The same without giving up: it ends with a certain outcome. See {@link submitUntilCertain}. */
  submitUntilCertain(
    signed: SubmittableTransaction,
    options: SubmitUntilCertainOptions,
  ): Promise<SubmitResult>;
  /** Lets the wallet sign a built transaction, and follows it to its outcome. See {@link signAndSubmitTransaction}. */
  signAndSubmitTransaction<TBuilt extends BuiltTrade, TQuote extends TradeQuote>(
    built: TBuilt,
    options: RequoteOptions<TBuilt, TQuote>,
  ): Promise<SignAndSubmitResult<TBuilt> | DeclinedQuote<TBuilt, TQuote>>;
  signAndSubmitTransaction<TBuilt extends BuiltTransaction>(
    built: TBuilt,
    options: SignAndSubmitOptions,
  ): Promise<SignAndSubmitResult<TBuilt>>;
}

/**
 * The functions that {@link heaven} adds under `client.heaven`: the operations and, as in kit's program plugins,
 * `instructions`, `accounts`, `pdas` and `parseInstruction`.
 */
export type HeavenFunctions<TClient = HeavenPluginClient> = Paying<TClient> &
  More &
  ProgramFunctions<TClient> &
  (TClient extends { readonly rpc: HeavenHistoryRpc } ? Bound<typeof historical> : unknown) &
  (TClient extends { readonly rpc: HeavenSubmitRpc } ? Submitting : unknown);

/**
 * A plugin for kit's clients. It puts the functions under `client.heaven`, using the client's `rpc` and, for watches,
 * its `rpcSubscriptions`, which earlier plugins must provide. If the client has a `payer`, it is the default `payer`
 * of everything that builds a transaction. The plugin reads it at each call, so the wallet may change.
 *
 * A bundle then contains all functions; to bundle only what you use, import functions one by one.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * import { createClient } from '@solana/kit';
 *
 * const client = createClient({ rpc }).use(heaven()); // or the plugins of your choice, then heaven()
 * const quote = await client.heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export function heaven(config: HeavenPluginConfig = {}) {
  assertNames(config, 'config', {
    deployment: deploymentOf,
    commitment: given(assertCommitment),
    timeoutMs: given((value, field) => assertMilliseconds(field, value)),
  });
  return <TClient extends HeavenPluginClient>(
    kitClient: TClient,
  ): ExtendedClient<TClient, { readonly heaven: HeavenFunctions<TClient> }> => {
    const { rpc, rpcSubscriptions } = kitClient;
    if (rpc === undefined) {
      throw inputError(
        'rpc',
        'heaven() needs a client with an rpc: use the plugin that gives it before this one.',
      );
    }
    // HeavenFunctions offers only what the rpc has methods for.
    const client = createHeavenClient({ ...config, rpc: rpc as AnyRpc, rpcSubscriptions });
    const paid = { ...bind(builders, client), ...bind(trading, client) };
    const functions = {
      ...bind(readers, client),
      ...Object.fromEntries(
        Object.entries(paid).map(([name, call]) => [
          name,
          async (input: never) => call(withPayer(input, kitClient)),
        ]),
      ),
      ...bind(more, client),
      ...bind(historical, client),
      ...bind(typed, client),
      ...programFunctions(kitClient, client.deployment),
      client,
      inspectTransaction: (tx: string, options?: InspectTransactionOptions) =>
        inspectTransaction(tx, { ...options, client }),
      assertTransactionMatches: (
        tx: string,
        intent: TransactionIntent,
        options?: AssertTransactionMatchesOptions,
      ) => assertTransactionMatches(tx, intent, { ...options, client }),
    };
    // Which functions it has depends on the kit client's type, which isn't known here.
    return extendClient(kitClient, { heaven: functions as unknown as HeavenFunctions<TClient> });
  };
}
