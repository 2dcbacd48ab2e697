import { type ClientWithPayer, type ExtendedClient, extendClient } from '@solana/kit';

import {
  type AssertTransactionMatchesOptions,
  assertTransactionMatches,
  type MatchedTransaction,
  type TransactionIntent,
} from './assert-transaction-matches.js';
import { builders } from './builders.js';
import {
  type ClientConfig,
  createClient,
  type HeavenClient,
  type HeavenRpc,
  type HeavenRpcSubscriptions,
} from './client.js';
import { findPools } from './data/find-pools.js';
import { HeavenError } from './errors.js';
import { createLocalClient, type LocalClient } from './local-client.js';
import { fetchPoolSnapshot } from './pool/fetch.js';
import { watchPool } from './pool/watch.js';
import { quoteProAddLiquidity } from './pro/quote-add-liquidity.js';
import { quoteProRemoveLiquidity } from './pro/quote-remove-liquidity.js';
import { type QuoteManyOptions, type QuoteManyRequest, type QuoteOutcomes, quoteMany } from './quote-many.js';
import type { BuiltTransaction } from './transaction/assemble.js';
import {
  type InspectTransactionOptions,
  inspectTransaction,
  type TransactionInspection,
} from './transaction/inspect.js';
import { suggestPriorityFee } from './transaction/priority-fee.js';
import { type RefreshLifetimeOptions, refreshLifetime } from './transaction/refresh-lifetime.js';
import { simulate } from './transaction/simulate.js';

/** What `heaven()` needs of a kit client: an RPC, and for `watchPool` subscriptions. */
export interface HeavenPluginClient {
  readonly rpc: HeavenRpc;
  readonly rpcSubscriptions?: HeavenRpcSubscriptions;
}

export type HeavenPluginConfig = Pick<ClientConfig, 'deployment' | 'commitment' | 'timeoutMs'>;

/** The functions that take a client first and are not among those of a {@link LocalClient}. */
const more = {
  fetchPoolSnapshot,
  findPools,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
  simulate,
  suggestPriorityFee,
  watchPool,
} as const;

type More = {
  readonly [TName in keyof typeof more]: (typeof more)[TName] extends (
    client: HeavenClient,
    ...rest: infer TRest
  ) => infer TResult
    ? (...rest: TRest) => TResult
    : never;
};

type PayerOptional<TInput> = TInput extends { readonly payer: infer TPayer }
  ? Omit<TInput, 'payer'> & {
      /** Default: the kit client's payer. */
      readonly payer?: TPayer | undefined;
    }
  : TInput;

/** The documented functions, whose `payer` need not be given if the kit client has one. */
type Documented<TClient> = TClient extends ClientWithPayer
  ? {
      readonly [TName in keyof LocalClient]: LocalClient[TName] extends (input: infer TInput) => infer TResult
        ? (input: PayerOptional<TInput>) => TResult
        : never;
    }
  : LocalClient;

/** What {@link heaven} puts under `client.heaven`. */
export type HeavenFunctions<TClient = HeavenPluginClient> = Documented<TClient> &
  More & {
    /** For the free functions. */
    readonly client: HeavenClient;
    quoteMany<const TRequests extends readonly QuoteManyRequest[]>(
      requests: TRequests,
      options?: QuoteManyOptions,
    ): Promise<QuoteOutcomes<TRequests>>;
    refreshLifetime<TBuilt extends BuiltTransaction>(
      built: TBuilt,
      options?: RefreshLifetimeOptions,
    ): Promise<TBuilt>;
    inspectTransaction(
      tx: string,
      options?: Omit<InspectTransactionOptions, 'client' | 'programAddress'>,
    ): Promise<TransactionInspection>;
    assertTransactionMatches(
      tx: string,
      intent: TransactionIntent,
      options?: Omit<AssertTransactionMatchesOptions, 'client' | 'programAddress'>,
    ): Promise<MatchedTransaction>;
  };

/**
 * A plugin for kit's clients: puts the functions under `client.heaven`, over the client's `rpc` and, for `watchPool`, its
 * `rpcSubscriptions`, which plugins before it must have given. Its `payer`, if it has one, is the default of every builder's
 * `payer`; it is asked for at each call, so that a wallet may change.
 *
 * A bundle then holds all functions; those imported one by one shake out.
 *
 * @throws {HeavenError} when it is used: `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const client = createClient().use(solanaRpc({ rpcUrl })).use(heaven());
 * const quote = await client.heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export function heaven({ deployment, commitment, timeoutMs }: HeavenPluginConfig = {}) {
  return <TClient extends HeavenPluginClient>(
    kitClient: TClient,
  ): ExtendedClient<TClient, { readonly heaven: HeavenFunctions<TClient> }> => {
    const { rpc, rpcSubscriptions } = kitClient;
    if (rpc === undefined) {
      throw new HeavenError(
        'invalid-input',
        'heaven() needs a client with an rpc: use the plugin that gives it before this one.',
        { field: 'rpc' },
      );
    }
    const client = createClient({
      rpc,
      ...(rpcSubscriptions === undefined ? {} : { rpcSubscriptions }),
      ...(deployment === undefined ? {} : { deployment }),
      ...(commitment === undefined ? {} : { commitment }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const documented: Record<string, unknown> = { ...createLocalClient(client) };
    for (const name of Object.keys(builders)) {
      const build = documented[name] as (input: object) => Promise<unknown>;
      documented[name] = async (input: { readonly payer?: unknown }) =>
        build(
          input?.payer === undefined && 'payer' in kitClient ? { ...input, payer: kitClient.payer } : input,
        );
    }
    const bound = Object.entries(more).map(([name, call]) => [
      name,
      (...rest: readonly unknown[]) => (call as (...all: readonly unknown[]) => unknown)(client, ...rest),
    ]);
    const functions = {
      ...documented,
      ...Object.fromEntries(bound),
      client,
      quoteMany: (requests: readonly QuoteManyRequest[], options?: QuoteManyOptions) =>
        quoteMany(client, requests, options),
      refreshLifetime: (built: BuiltTransaction, options?: RefreshLifetimeOptions) =>
        refreshLifetime(client, built, options),
      inspectTransaction: (tx: string, options?: InspectTransactionOptions) =>
        inspectTransaction(tx, { ...options, client }),
      assertTransactionMatches: (
        tx: string,
        intent: TransactionIntent,
        options?: AssertTransactionMatchesOptions,
      ) => assertTransactionMatches(tx, intent, { ...options, client }),
    };
    return extendClient(kitClient, { heaven: functions as unknown as HeavenFunctions<TClient> });
  };
}
