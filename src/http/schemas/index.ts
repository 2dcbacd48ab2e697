import type { Address } from '@solana/kit';
import { isHeavenError } from '../../base/errors.js';
import { outsideText } from '../../base/text.js';
import type { Field, ObjectField, Shape } from '../../input/field.js';
import type { PoolInfo } from '../../operations/data/pool-info.js';
import type { BuiltProCreate } from '../../operations/pro/create.js';
import type { BuiltLaunch } from '../../operations/standard/create-standard-liquidity-pool.js';
import type { OperationName, Operations } from '../../operations.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { BuiltTransaction } from '../../transaction/assemble.js';
import { fieldPath } from '../names.js';
import * as answers from './answers.js';
import * as compare from './compare.js';
import type { Answered, FromService, ServiceDetails } from './details.js';
import type { RemoteInput } from './inputs.js';
import { type Decoded, decode, decoderOf } from './json.js';

type FunctionResult<TName extends OperationName> = Awaited<ReturnType<Operations[TName]>>;

/** An input whose addresses are plain, as an answer repeats them. */
export type PlainInput<TInput> = {
  readonly [TField in keyof TInput]: AddressInput extends TInput[TField]
    ? Extract<TInput[TField], Address | null | undefined>
    : TInput[TField];
};

type Documented<TName, TResult> = TName extends 'buildCreateStandardLiquidityPool'
  ? Pick<BuiltLaunch, 'tx' | 'mint'>
  : TName extends 'buildProCreate'
    ? Pick<BuiltProCreate, 'tx' | 'pool'>
    : TName extends `build${string}`
      ? Pick<BuiltTransaction, 'tx'>
      : Omit<TResult, 'details' | 'data'>;

/** The documented fields of a result, and the details of it that the client passes on. Not an account's bytes: it has read them. */
type WithDetails<TName, TResult, TDocumented> = TName extends `build${string}`
  ? FromService<TDocumented>
  : TName extends `quote${string}`
    ? TResult extends { readonly details: infer TDetails }
      ? TDocumented & { readonly details?: ServiceDetails<TDetails> | undefined }
      : never
    : TDocumented;

/** An operation's result over HTTP: the documented fields of the function's result, and what the service says of it. */
export type RemoteResult<TName extends OperationName> = WithDetails<
  TName,
  FunctionResult<TName>,
  Documented<TName, FunctionResult<TName>>
>;

/** An operation's answer: its result as JSON has it. */
export type RemoteAnswer<TName extends OperationName> = TName extends 'getPoolInfo'
  ? { readonly data: Omit<PoolInfo, 'details'> }
  : TName extends `build${string}`
    ? Answered<Documented<TName, FunctionResult<TName>>>
    : RemoteResult<TName>;

/** What an operation takes and what it answers. */
export interface Contract<TName extends OperationName> {
  readonly answer: () => Field<RemoteAnswer<TName>> & ObjectField;
  /** Checks an answer against its request, using everything that the answer repeats. */
  readonly compare: compare.Compare<PlainInput<RemoteInput<TName>>, RemoteAnswer<TName>, RemoteResult<TName>>;
}

/** The answer of a builder that creates nothing. */
const built = { answer: answers.builtTransaction, compare: compare.transaction };

/** The JSON of every operation. */
export const contract: { readonly [TName in OperationName]: Contract<TName> } = {
  getPoolInfo: { answer: answers.poolInfoAnswer, compare: ({ data }) => data },
  getProtocolConfigState: {
    answer: answers.protocolConfigAnswer,
    compare: compare.protocolConfigState,
  },
  getPoolState: { answer: answers.poolStateAnswer, compare: compare.poolState },
  quoteBuy: { answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteSell: { answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  quoteInitialBuy: {
    answer: answers.initialBuyAnswer,
    compare: compare.initialBuy,
  },
  buildBuy: built,
  buildSell: built,
  buildClaimCreatorTradingFees: built,
  buildCreateStandardLiquidityPool: {
    answer: answers.builtLaunch,
    compare: compare.launch,
  },
  getLpBalance: { answer: answers.lpBalanceAnswer, compare: compare.lpBalance },
  quoteProBuy: { answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteProSell: { answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  buildProBuy: built,
  buildProSell: built,
  buildProCreate: { answer: answers.builtProPool, compare: compare.proCreate },
  buildProAddLiquidity: built,
  buildProRemoveLiquidity: built,
  buildProClaimCreatorFees: built,
  buildProClaimLpFees: built,
  buildProToggleSwap: built,
  buildProToggleDeposit: built,
  buildProToggleWithdraw: built,
  buildProSetReflectionFee: built,
  buildProSetLpFee: built,
  buildProSetMarketCapCreatorFee: built,
  buildProSetSlotCreatorFee: built,
  buildProUpdateCreatorFeeReceiver: built,
  buildProTransferLp: built,
};

/** Makes something once for each operation, when it is first needed. */
export function perOperation<TMade>(make: (name: OperationName) => TMade): (name: OperationName) => TMade {
  const made = new Map<OperationName, TMade>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const created = make(name);
    made.set(name, created);
    return created;
  };
}

const answerOf = /* @__PURE__ */ perOperation((name) => contract[name].answer());

const decoderFor = /* @__PURE__ */ perOperation((name) => decoderOf<unknown>(answerOf(name)));

/** The documented fields of an operation's answer. */
export const answerShape = (name: OperationName): Shape => answerOf(name).shape;

/** Decodes and checks an operation's answer, or reports what is wrong with it. */
export function decodeAnswer<TName extends OperationName>(
  name: TName,
  json: unknown,
): Decoded<RemoteAnswer<TName>> {
  const decoded = decode(decoderFor(name), json);
  if ('problems' in decoded) return decoded;
  try {
    return { value: answerOf(name).check(decoded.value, '') as RemoteAnswer<TName> };
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    const { field = '' } = error.context as { readonly field?: string };
    const message = outsideText(error.message.slice(field.length + 1)).replace(/\.$/, '');
    return { problems: [{ path: fieldPath(field), message }] };
  }
}
