import { isHeavenError } from '../../base/errors.js';
import { outsideText, withoutFullStop } from '../../base/text.js';
import type { Field, ObjectField, Shape } from '../../input/field.js';
import type { OperationName } from '../../operations/index.js';
import { fieldPath } from '../names.js';
import * as answers from './answers.js';
import * as compare from './compare.js';
import type { RemoteAnswer } from './details.js';
import { type Decoded, decode, decoderOf } from './json.js';

/** The JSON of an operation's answer, and how it is compared with the request. */
interface Contract<TName extends OperationName> {
  readonly answer: () => Field<RemoteAnswer<TName>> & ObjectField;
  readonly compare: compare.Compare<TName>;
}

/** The JSON of every operation but the builders that create nothing. */
const contracts: { readonly [TName in Exclude<OperationName, compare.PlainBuilderName>]: Contract<TName> } = {
  getPoolInfo: { answer: answers.poolInfoAnswer, compare: ({ data }) => data },
  getProtocolConfigState: { answer: answers.protocolConfigAnswer, compare: compare.protocolConfigState },
  getPoolState: { answer: answers.poolStateAnswer, compare: compare.poolState },
  quoteBuy: { answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteSell: { answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  quoteInitialBuy: { answer: answers.initialBuyAnswer, compare: compare.initialBuy },
  buildCreateStandardLiquidityPool: { answer: answers.builtLaunch, compare: compare.launch },
  getLpBalance: { answer: answers.lpBalanceAnswer, compare: compare.lpBalance },
  quoteProBuy: { answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteProSell: { answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  buildProCreate: { answer: answers.builtProPool, compare: compare.proCreate },
};

const built: Contract<compare.PlainBuilderName> = {
  answer: answers.builtTransaction,
  compare: compare.transaction,
};

export const contractOf = <TName extends OperationName>(name: TName) =>
  ({ ...built, ...contracts[name as keyof typeof contracts] }) as unknown as Contract<TName>;

/** Makes something once for each operation, when it is first needed. */
export function perOperation<TMade>(make: (name: OperationName) => TMade): (name: OperationName) => TMade {
  const made: { [TName in OperationName]?: TMade } = {};
  return (name) => {
    made[name] ??= make(name);
    return made[name];
  };
}

const answerOf = /* @__PURE__ */ perOperation((name) => contractOf(name).answer());

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
    const message = withoutFullStop(outsideText(error.message.slice(field.length + 1)));
    return { problems: [{ path: fieldPath(field), message }] };
  }
}
