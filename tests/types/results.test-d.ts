// What each function returns: bigint, number or string, discriminated unions, everything read-only. Checked by the compiler.
import {
  type Address,
  type ClientWithTransactionPlanning,
  type ClientWithTransactionSending,
  createSolanaRpc,
  type TransactionSigner,
} from '@solana/kit';
import type { SelfPlanAndSendFunctions } from '@solana/kit/program-client-core';
import * as heaven from 'heaven-pools';
import type * as core from 'heaven-pools/core';
import { createRemoteClient } from 'heaven-pools/http';
import {
  type BuiltInstruction,
  type BuyInput,
  type HeavenInstruction,
  type ParsedBuyInstruction,
  parseHeavenInstruction,
} from 'heaven-pools/program';
import { expectTypeOf } from 'vitest';

declare const client: heaven.HeavenClient;
declare const mint: Address;
declare const signer: TransactionSigner;
declare const unknown: unknown;

export const quotes = async () => {
  const input = { configVersion: 2, mint, slippageBps: 50 };
  const buy = await heaven.quoteBuy(client, { ...input, maxSolSpend: '1.5' });
  expectTypeOf(buy).toEqualTypeOf<heaven.DetailedBuyQuote>();
  expectTypeOf(buy).toExtend<{ maxLamportSpend: bigint; maxSolSpend: number; mint: Address }>();
  expectTypeOf(buy.details).toExtend<{ priceImpactBps: number; slot: bigint; fees: { creator: bigint } }>();

  const terms = { mint, slippageBps: 50 };
  const bestBuy = await heaven.quoteBest(client, { ...terms, side: 'buy', maxSolSpend: 1 });
  expectTypeOf(bestBuy.side).toEqualTypeOf<'buy'>();
  expectTypeOf(bestBuy.quote).toEqualTypeOf<heaven.DetailedBuyQuote>();
  const bestSell = await heaven.quoteBest(client, { ...terms, side: 'sell', amountIn: 1n });
  expectTypeOf(bestSell.quote).toEqualTypeOf<heaven.DetailedSellQuote>();
  const either = await heaven.quoteBest(client, unknown as heaven.QuoteBestInput);
  if (either.side === 'buy') expectTypeOf(either.quote).toEqualTypeOf<heaven.DetailedBuyQuote>();
  for (const other of either.others)
    if (other.status === 'refused') expectTypeOf(other.error.code).toEqualTypeOf<heaven.HeavenErrorCode>();
};

export const errors = () => {
  if (heaven.isHeavenError(unknown, 'invalid-amount')) {
    expectTypeOf(unknown).toEqualTypeOf<heaven.HeavenError<'invalid-amount'>>();
    expectTypeOf(unknown.context.decimals).toEqualTypeOf<number | undefined>();
    // @ts-expect-error another code's
    unknown.context.available;
    // @ts-expect-error not to be changed
    unknown.context.decimals = 1;
  }
  if (heaven.isHeavenError(unknown)) {
    expectTypeOf(unknown).toEqualTypeOf<heaven.AnyHeavenError>();
    expectTypeOf(unknown.code).toEqualTypeOf<heaven.HeavenErrorCode>();
    // @ts-expect-error which code it is must be known first
    unknown.context.available;
    if (unknown.code === 'insufficient-liquidity')
      expectTypeOf(unknown.context.available).toEqualTypeOf<bigint>();
  }
  expectTypeOf<keyof heaven.HeavenErrorContexts>().toEqualTypeOf<heaven.HeavenErrorCode>();
  // One class, from whichever entry point.
  expectTypeOf<core.AnyHeavenError>().toEqualTypeOf<heaven.AnyHeavenError>();
};

export const many = async () => {
  const [bought, sold] = await heaven.quoteMany(client, [
    { side: 'buy', configVersion: 2, mint, maxSolSpend: '1', slippageBps: 50 },
    { side: 'sell', configVersion: 2, mint, amountInUi: '1', slippageBps: 50 },
  ]);
  if (bought.ok) expectTypeOf(bought.quote).toEqualTypeOf<heaven.DetailedBuyQuote>();
  else expectTypeOf(bought.error).toEqualTypeOf<heaven.AnyHeavenError>();
  if (sold.ok) expectTypeOf(sold.quote).toEqualTypeOf<heaven.DetailedSellQuote>();
  // @ts-expect-error it may have failed
  bought.quote;

  const mixed: readonly heaven.QuoteManyRequest[] = [];
  const [either] = await heaven.quoteMany(client, mixed);
  if (either?.ok) {
    expectTypeOf(either.quote).toEqualTypeOf<heaven.DetailedBuyQuote | heaven.DetailedSellQuote>();
  }
};

export const plugin = async () => {
  const reading = heaven.heaven()({ rpc: client.rpc });
  const quoteResponse = {} as heaven.DetailedBuyQuote;
  // @ts-expect-error nobody pays
  reading.heaven.buildBuy({ quoteResponse, encodedUserDefinedEventData: '' });

  const paying = heaven.heaven()({ rpc: client.rpc, payer: signer });
  const built = await paying.heaven.buildBuy({ quoteResponse, encodedUserDefinedEventData: '' });
  expectTypeOf(built).toEqualTypeOf<heaven.BuiltTrade>();
  paying.heaven.buildBuy({ payer: mint, quoteResponse, encodedUserDefinedEventData: '' });
  // @ts-expect-error not one of its fields
  paying.heaven.buildBuy({ quoteResponse, encodedUserDefinedEventData: '', slippage: 1 });
  // @ts-expect-error a client without an rpc
  heaven.heaven()({});
  expectTypeOf(reading.heaven.prepareTrade(built)).toEqualTypeOf<heaven.PreparedTrade>();
  // @ts-expect-error nobody pays
  reading.heaven.buildTrade({ quote: quoteResponse });
  // @ts-expect-error neither mint nor pool
  reading.heaven.getPoolState({});
  expectTypeOf(reading.heaven.instructions.buy).toEqualTypeOf<(input: BuyInput) => BuiltInstruction>();
  type Sending = ClientWithTransactionPlanning & ClientWithTransactionSending;
  const sending = heaven.heaven()({ rpc: client.rpc, ...({} as Sending) });
  expectTypeOf(sending.heaven.instructions.buy).returns.toEqualTypeOf<
    BuiltInstruction & SelfPlanAndSendFunctions
  >();

  // What the plugin and the local client declare is what the functions are.
  type Free = Pick<
    typeof heaven,
    | 'fetchPoolSnapshot'
    | 'findPools'
    | 'quoteBuyExactOut'
    | 'quoteSellExactOut'
    | 'quoteProBuyExactOut'
    | 'quoteProSellExactOut'
    | 'quoteProAddLiquidity'
    | 'quoteProRemoveLiquidity'
    | 'simulate'
    | 'suggestPriorityFee'
    | 'watchPool'
    | 'watchPools'
  >;
  type BoundFree = {
    [TName in keyof Free]: Free[TName] extends (
      client: heaven.HeavenClient,
      ...rest: infer TRest
    ) => infer TResult
      ? (...rest: TRest) => TResult
      : never;
  };
  expectTypeOf<Pick<heaven.HeavenFunctions, keyof Free>>().toExtend<BoundFree>();
  expectTypeOf<BoundFree>().toExtend<Pick<heaven.HeavenFunctions, keyof Free>>();
  type BoundLocal = {
    readonly [TName in keyof heaven.LocalClient]: (typeof heaven)[TName] extends (
      client: heaven.HeavenClient,
      input: infer TInput,
    ) => infer TResult
      ? (input: TInput) => TResult
      : never;
  };
  expectTypeOf<heaven.LocalClient>().toEqualTypeOf<BoundLocal>();
};

export const services = async () => {
  const remote = createRemoteClient({ baseUrl: 'https://service.example' });
  const quote = await remote.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1', slippageBps: 50 });
  expectTypeOf(quote.minimumOut).toEqualTypeOf<bigint>();
  expectTypeOf(quote).toExtend<heaven.BuyQuote>();
  expectTypeOf(quote.details?.slot).toEqualTypeOf<bigint | undefined>();

  const request = { configVersion: 2, mint, maxSolSpend: '1', slippageBps: 50 };
  const input = { payer: mint, quoteResponse: quote, encodedUserDefinedEventData: '' };
  const matched = await heaven.assertTransactionMatches('', { function: 'buildBuy', input, request });
  expectTypeOf(matched.amountIn).toEqualTypeOf<bigint>();
  expectTypeOf(matched.pool).toEqualTypeOf<Address>();
  const claim = { function: 'buildProClaimLpFees', input: { pool: mint, payer: mint } } as const;
  const { warnings, ...nothing } = await heaven.assertTransactionMatches('', claim);
  expectTypeOf(warnings).toEqualTypeOf<readonly heaven.HeavenWarning[]>();
  expectTypeOf<keyof typeof nothing>().toEqualTypeOf<never>();
  // @ts-expect-error a misspelt request would check nothing
  heaven.assertTransactionMatches('', { function: 'buildBuy', input, requested: request });
  const wrong = { configVersion: 2, mint, amountInUi: '1', slippageBps: 50 };
  // @ts-expect-error the request of a sell
  heaven.assertTransactionMatches('', { function: 'buildBuy', input, request: wrong });
};

export const program = () => {
  expectTypeOf<ParsedBuyInstruction['data']['params']['maxSolSpend']>().toEqualTypeOf<bigint>();
  expectTypeOf<BuyInput['user']>().toEqualTypeOf<heaven.TransactionWallet>();
  expectTypeOf<BuyInput['chainlinkFeed']>().toEqualTypeOf<heaven.AddressInput | undefined>();
  expectTypeOf<BuyInput>().not.toHaveProperty('systemProgram');
  const instruction = parseHeavenInstruction({} as never);
  expectTypeOf(instruction).toEqualTypeOf<HeavenInstruction>();
  if (instruction.name === 'buy') {
    expectTypeOf(instruction.data.params.minimumAmountOut).toEqualTypeOf<bigint>();
  }
  // @ts-expect-error no instruction of that name
  if (instruction.name === 'swap') return;
};

export const submission = async () => {
  const client = heaven.createHeavenClient({ rpcUrl: 'https://node.example' });
  // A client of a URL can submit, and so can one of any RPC of kit's.
  expectTypeOf(client.rpc).toExtend<heaven.HeavenSubmitRpc>();
  const full = heaven.createHeavenClient({ rpc: createSolanaRpc('https://node.example') });
  expectTypeOf(heaven.shareReads(full).rpc).toEqualTypeOf(full.rpc);

  const result = await heaven.submitTransaction(full, 'base64', { lastValidBlockHeight: 1n });
  expectTypeOf(result).toEqualTypeOf<heaven.SubmitResult>();
  if (result.status === 'landed') {
    expectTypeOf(result.slot).toEqualTypeOf<bigint>();
    expectTypeOf(result.trades).toEqualTypeOf<readonly heaven.ParsedTrade[] | undefined>();
  } else if (result.status === 'failed') {
    expectTypeOf(result.error).toEqualTypeOf<heaven.TransactionFailure>();
    expectTypeOf(result.slot).toEqualTypeOf<bigint | undefined>();
  } else expectTypeOf(result).toEqualTypeOf<heaven.ExpiredSubmission>();
};
