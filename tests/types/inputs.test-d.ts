// The fields that each function takes: which must be given, and which may be. Checked by the compiler (`npm run types`), against
// the sources here and against the installed package in tests/consumer. Nothing of it is called.
import type { Address } from '@solana/kit';
import type * as heaven from 'heaven-pools';
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
type Trade = Transaction | 'wrapSol' | 'snapshot' | 'source';

/** Holds the fields of each function's input: the required ones, then the optional ones. */
interface Fields {
  getPoolInfo: ['mint', 'pool' | 'configVersion' | Request];
  getProtocolConfigState: ['version', Request];
  getLpBalance: ['pool' | 'user', Request];
  findPools: [never, 'mint' | 'creator' | 'kind' | 'configVersion' | 'all' | Request];
  fetchPoolSnapshot: ['configVersion' | 'mint', 'pool' | Request];
  quoteBuy: [
    'configVersion' | 'mint' | 'maxSolSpend' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteSell: [
    'configVersion' | 'mint' | 'amountInUi' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteInitialBuy: ['configVersion' | 'initialPurchasePercent', 'slippageBps' | 'slippage' | Request];
  quoteProBuy: [
    'configVersion' | 'mint' | 'pool' | 'maxSolSpend' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteProSell: [
    'configVersion' | 'mint' | 'pool' | 'amountInUi' | 'slippageBps',
    'snapshot' | 'stalePriceSeconds' | 'maxPriceImpactBps' | Request,
  ];
  quoteProAddLiquidity: [
    'configVersion' | 'mint' | 'pool' | 'slippageBps',
    'maxTokenA' | 'maxTokenB' | Request,
  ];
  quoteProRemoveLiquidity: ['configVersion' | 'mint' | 'pool' | 'lpTokensToBurn' | 'slippageBps', Request];
  buildBuy: ['payer' | 'quoteResponse' | 'encodedUserDefinedEventData', Trade];
  buildSell: ['payer' | 'quoteResponse' | 'encodedUserDefinedEventData', Trade];
  buildProBuy: ['payer' | 'pool' | 'quoteResponse' | 'encodedUserDefinedEventData', Trade];
  buildProSell: ['payer' | 'pool' | 'quoteResponse' | 'encodedUserDefinedEventData', Trade];
  buildClaimCreatorTradingFees: ['payer' | 'mint' | 'version', 'amount' | 'wrapSol' | Transaction];
  buildCreateStandardLiquidityPool: [
    'payer' | 'creator' | 'encodedUserDefinedEventData' | 'initialPurchaseAmount' | 'name' | 'symbol' | 'uri',
    'configVersion' | 'lutAddress' | 'maxSolSpend' | 'mintSigner' | 'signingOrder' | Transaction,
  ];
  buildProCreate: [
    (
      | 'payer'
      | 'creator'
      | 'encodedUserDefinedEventData'
      | 'configVersion'
      | 'mint'
      | 'initialTokenAAmount'
      | 'initialTokenBAmount'
    ),
    (
      | 'lutAddress'
      | 'features'
      | 'creatorTradingFee'
      | 'creatorSlotTradingFee'
      | 'reflectionTradingFee'
      | 'liquidityProviderTradingFee'
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
  Exclude<keyof Fields, 'findPools' | 'fetchPoolSnapshot'>
>();

// What else may be set.
type OptionsOf<T> = [RequiredOf<T>, OptionalOf<T>];
expectTypeOf<OptionsOf<heaven.QuoteManyOptions>>().toEqualTypeOf<
  [never, 'maxAccountsPerCall' | 'maxConcurrentCalls' | Request]
>();
expectTypeOf<OptionsOf<heaven.WatchPoolOptions>>().toEqualTypeOf<[never, 'abortSignal' | 'observe']>();
expectTypeOf<OptionsOf<heaven.InspectTransactionOptions>>().toEqualTypeOf<
  [
    never,
    (
      | 'client'
      | 'owner'
      | 'recipients'
      | 'maxPriorityFee'
      | 'programAddress'
      | 'lamportsPerByte'
      | 'lookupTables'
      | Request
    ),
  ]
>();
expectTypeOf<OptionsOf<heaven.HeavenPluginConfig>>().toEqualTypeOf<
  [never, 'deployment' | 'commitment' | 'timeoutMs']
>();

// The kinds of value: native amounts are bigint, what a person types a number or a string, addresses branded.
expectTypeOf<heaven.QuoteBuyInput['maxSolSpend']>().toEqualTypeOf<number | string>();
expectTypeOf<heaven.QuoteBuyInput['slippageBps']>().toEqualTypeOf<number>();
expectTypeOf<heaven.QuoteBuyInput['mint']>().toEqualTypeOf<Address>();
expectTypeOf<heaven.BuildProAddLiquidityInput['maxTokenA']>().toEqualTypeOf<bigint>();
expectTypeOf<heaven.BuildClaimCreatorTradingFeesInput['amount']>().toEqualTypeOf<bigint | null | undefined>();
expectTypeOf<heaven.BuildCreateStandardLiquidityPoolInput['initialPurchaseAmount']>().toEqualTypeOf<bigint>();

// A pool by its token or by its address: one of the two.
expectTypeOf<{ mint: Address }>().toExtend<heaven.GetPoolStateInput>();
expectTypeOf<{ pool: Address }>().toExtend<heaven.GetPoolStateInput>();
expectTypeOf<object>().not.toExtend<heaven.GetPoolStateInput>();
