// The fields that each function takes: which must be given, and which may be. Checked by the compiler (`npm run types`), against
// the sources here and against the installed package in tests/consumer. Nothing here is called.
import type { Address } from '@solana/kit';
import type * as heaven from 'heaven-pools';
import type { RemoteClient } from 'heaven-pools/http';
import { expectTypeOf } from 'vitest';

type RequiredOf<TInput> = {
  [TField in keyof TInput]-?: object extends Pick<TInput, TField> ? never : TField;
}[keyof TInput];
type OptionalOf<TInput> = Exclude<keyof TInput, RequiredOf<TInput>>;

/** Every function that takes a client and an input, by its name. */
type InputOf<TName extends keyof typeof heaven> = (typeof heaven)[TName] extends (
  client: heaven.HeavenClient,
  input: infer TInput,
) => unknown
  ? TInput
  : never;

type Request = 'abortSignal';
type Transaction =
  | Request
  | 'transactionVersion'
  | 'computeUnitLimit'
  | 'computeUnitPrice'
  | 'loadedAccountsDataSizeLimit'
  | 'before'
  | 'after'
  | 'lifetime'
  | 'tip'
  | 'dontFront';
type Terms = 'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request;
type ExactOut = ['configVersion' | 'mint' | 'amountOut' | 'amountOutUi' | 'slippageBps', Terms];
type ProExactOut = ['configVersion' | 'mint' | 'pool' | 'amountOut' | 'amountOutUi' | 'slippageBps', Terms];
type EventData = 'encodedUserDefinedEventData';
type Trade = Transaction | EventData | 'wrapSol' | 'snapshot' | 'source';

/** Holds the fields of each function's input: the required ones, then the optional ones. An amount in either of two units counts as both. */
interface Fields {
  getPoolInfo: ['mint', 'pool' | 'configVersion' | Request];
  getProtocolConfigState: ['version', Request];
  getLpBalance: ['pool' | 'user', Request];
  getWalletBalances: ['wallet', 'mints' | Request];
  maximumSpend: [
    'wallet' | 'side' | 'mint',
    (
      | 'computeUnitLimit'
      | 'computeUnitPrice'
      | 'tip'
      | 'wrapSol'
      | 'guardComputeUnits'
      | 'keepLamports'
      | Request
    ),
  ];
  getTokenMetadata: ['mints', Request];
  findPools: [never, 'mint' | 'creator' | 'kind' | 'configVersion' | 'all' | Request];
  fetchPoolSnapshot: ['configVersion' | 'mint', 'pool' | Request];
  quoteBuy: [
    'configVersion' | 'mint' | 'maxSolSpend' | 'lamports' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteSell: [
    'configVersion' | 'mint' | 'amountInUi' | 'amountIn' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteBuyExactOut: ExactOut;
  quoteSellExactOut: ExactOut;
  quoteProBuyExactOut: ProExactOut;
  quoteProSellExactOut: ProExactOut;
  quoteInitialBuy: [
    'configVersion' | 'initialPurchasePercent' | 'tokenAmount',
    'slippageBps' | 'slippage' | Request,
  ];
  quoteProBuy: [
    'configVersion' | 'mint' | 'pool' | 'maxSolSpend' | 'lamports' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteProSell: [
    'configVersion' | 'mint' | 'pool' | 'amountInUi' | 'amountIn' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteProAddLiquidity: [
    'configVersion' | 'mint' | 'pool' | 'slippageBps',
    'maxTokenA' | 'maxTokenB' | Request,
  ];
  quoteProRemoveLiquidity: ['configVersion' | 'mint' | 'pool' | 'lpTokensToBurn' | 'slippageBps', Request];
  quoteBest: [
    'mint' | 'side' | 'slippageBps' | 'amountOut' | 'amountOutUi',
    'pools' | 'maxPools' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  buildTrade: ['payer' | 'quote', 'wrapSol' | 'snapshot' | EventData | Transaction];
  buildBuy: ['payer' | 'quoteResponse', Trade];
  buildSell: ['payer' | 'quoteResponse', Trade];
  buildProBuy: ['payer' | 'pool' | 'quoteResponse', Trade];
  buildProSell: ['payer' | 'pool' | 'quoteResponse', Trade];
  buildClaimCreatorTradingFees: ['payer' | 'mint' | 'version', 'amount' | 'wrapSol' | Transaction];
  buildCreateStandardLiquidityPool: [
    'payer' | 'creator' | 'initialPurchaseAmount' | 'name' | 'symbol' | 'uri',
    'configVersion' | 'lutAddress' | 'maxSolSpend' | 'mintSigner' | 'signingOrder' | EventData | Transaction,
  ];
  buildProCreate: [
    'payer' | 'creator' | 'configVersion' | 'mint' | 'initialTokenAAmount' | 'initialTokenBAmount',
    (
      | 'lutAddress'
      | 'features'
      | 'creatorTradingFee'
      | 'creatorSlotTradingFee'
      | 'reflectionTradingFee'
      | 'liquidityProviderTradingFee'
      | EventData
      | Transaction
    ),
  ];
  buildProAddLiquidity: [
    'payer' | 'configVersion' | 'mint' | 'pool' | 'maxTokenA' | 'maxTokenB' | 'minLpTokens',
    'wrapSol' | Transaction,
  ];
  buildProRemoveLiquidity: [
    'payer' | 'configVersion' | 'mint' | 'pool' | 'lpTokensToBurn' | 'minTokenA' | 'minTokenB',
    'wrapSol' | Transaction,
  ];
  buildProClaimCreatorFees: ['payer' | 'pool', 'amount' | 'wrapSol' | Transaction];
  buildProClaimLpFees: ['payer' | 'pool', 'wrapSol' | Transaction];
  buildProToggleSwap: ['payer' | 'pool' | 'enabled', Transaction];
  buildProToggleDeposit: ['payer' | 'pool' | 'enabled', Transaction];
  buildProToggleWithdraw: ['payer' | 'pool' | 'enabled', Transaction];
  buildProSetReflectionFee: ['payer' | 'pool' | 'brackets', Transaction];
  buildProSetLpFee: ['payer' | 'pool' | 'brackets', Transaction];
  buildProSetMarketCapCreatorFee: ['payer' | 'pool' | 'brackets', Transaction];
  buildProSetSlotCreatorFee: [
    'payer' | 'pool' | 'brackets' | 'maxSlotOffset' | 'maxFeeBps' | 'enabled',
    Transaction,
  ];
  buildProUpdateCreatorFeeReceiver: ['payer' | 'pool' | 'mint' | 'version' | 'newReceiver', Transaction];
  buildProTransferLp: ['payer' | 'pool' | 'sender' | 'receiver' | 'amount', Transaction];
}

type Actual = {
  [TName in keyof Fields]: [RequiredOf<InputOf<TName>>, OptionalOf<InputOf<TName>>];
};
expectTypeOf<Actual>().toEqualTypeOf<Fields>();

// No function with an input of its own is left out above.
type Quoting = Extract<
  keyof typeof heaven,
  `${'quote' | 'build'}${string}` | `get${string}${'State' | 'Info' | 'Balance'}`
>;
expectTypeOf<Exclude<Quoting, 'quoteMany' | 'getPoolState'>>().toEqualTypeOf<
  Exclude<
    keyof Fields,
    'findPools' | 'fetchPoolSnapshot' | 'getWalletBalances' | 'maximumSpend' | 'getTokenMetadata'
  >
>();

// What else may be set.
type OptionsOf<T> = [RequiredOf<T>, OptionalOf<T>];
expectTypeOf<OptionsOf<heaven.QuoteManyOptions>>().toEqualTypeOf<
  [never, 'maxAccountsPerCall' | 'maxConcurrentCalls' | Request]
>();
expectTypeOf<OptionsOf<heaven.WatchPoolOptions>>().toEqualTypeOf<[never, 'abortSignal' | 'observe']>();
expectTypeOf<OptionsOf<heaven.InspectTransactionOptions>>().toEqualTypeOf<
  [never, 'client' | 'owner' | 'recipients' | 'maxPriorityFee' | 'programAddress' | 'lookupTables' | Request]
>();
expectTypeOf<OptionsOf<heaven.HeavenPluginConfig>>().toEqualTypeOf<
  [never, 'deployment' | 'commitment' | 'timeoutMs']
>();

// The kinds of value: native amounts are bigint, what a person types a number or a string, addresses branded.
expectTypeOf<heaven.QuoteBuyInput['maxSolSpend']>().toEqualTypeOf<number | string | null | undefined>();
expectTypeOf<heaven.QuoteBuyInput['lamports']>().toEqualTypeOf<bigint | null | undefined>();
expectTypeOf<heaven.QuoteSellInput['amountIn']>().toEqualTypeOf<bigint | null | undefined>();
expectTypeOf<heaven.QuoteExactOutInput['amountOut']>().toEqualTypeOf<bigint | null | undefined>();

// An amount is in one of its two units: not in both, and not in none.
const terms = { configVersion: 2, mint: '' as Address, slippageBps: 50 };
expectTypeOf({ ...terms, maxSolSpend: '1' }).toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, lamports: 1n }).toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, lamports: 1n, maxSolSpend: '1' }).not.toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, lamports: 1 }).not.toExtend<heaven.QuoteBuyInput>();
expectTypeOf(terms).not.toExtend<heaven.QuoteBuyInput>();
expectTypeOf({ ...terms, amountIn: 1n }).toExtend<heaven.QuoteSellInput>();
expectTypeOf({ ...terms, amountIn: 1n, amountInUi: 1 }).not.toExtend<heaven.QuoteSellInput>();
expectTypeOf(terms).not.toExtend<heaven.QuoteSellInput>();
expectTypeOf({ ...terms, amountOut: 1n }).toExtend<heaven.QuoteExactOutInput>();
expectTypeOf({ ...terms, amountOut: 1n, amountOutUi: 1 }).not.toExtend<heaven.QuoteExactOutInput>();
// A request over HTTP carries UI units.
type RemoteBuy = Parameters<RemoteClient['quoteBuy']>[0];
expectTypeOf({ ...terms, maxSolSpend: '1' }).toExtend<RemoteBuy>();
expectTypeOf({ ...terms, lamports: 1n }).not.toExtend<RemoteBuy>();

expectTypeOf<heaven.QuoteBuyInput['slippageBps']>().toEqualTypeOf<number>();
expectTypeOf<heaven.QuoteBuyInput['mint']>().toEqualTypeOf<heaven.AddressInput>();
expectTypeOf<heaven.BuildProAddLiquidityInput['maxTokenA']>().toEqualTypeOf<bigint>();
expectTypeOf<heaven.BuildClaimCreatorTradingFeesInput['amount']>().toEqualTypeOf<bigint | null | undefined>();
expectTypeOf<heaven.BuildCreateStandardLiquidityPoolInput['initialPurchaseAmount']>().toEqualTypeOf<bigint>();

// A pool by its token or by its address: one of the two.
expectTypeOf<{ mint: Address }>().toExtend<heaven.GetPoolStateInput>();
expectTypeOf<{ pool: Address }>().toExtend<heaven.GetPoolStateInput>();
expectTypeOf<object>().not.toExtend<heaven.GetPoolStateInput>();
