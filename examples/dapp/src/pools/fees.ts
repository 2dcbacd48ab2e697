// The fees of a pro pool as a creator types them: steps by market cap or by slot, each with a fee to buy and to sell.
import * as heaven from 'heaven-pools';
import type { FeeBracket } from 'heaven-pools/program';

import { explainError, formatBps, parseAmount, toField, USD, UserError } from '../format';

export const FEES = {
  creatorTradingFee: {
    label: 'Creator fee',
    hint: 'Of each trade, for you.',
    by: 'marketCap',
    isOfCreator: true,
    build: heaven.buildProSetMarketCapCreatorFee,
  },
  creatorSlotTradingFee: {
    label: 'First slots',
    hint: 'Of the first trades, instead of the creator fee: against snipers.',
    by: 'slot',
    isOfCreator: true,
    build: heaven.buildProSetSlotCreatorFee,
  },
  liquidityProviderTradingFee: {
    label: 'Liquidity fee',
    hint: 'For all who deposit, by their share.',
    by: 'marketCap',
    isOfCreator: false,
    build: heaven.buildProSetLpFee,
  },
  reflectionTradingFee: {
    label: 'Holders’ fee',
    hint: 'For the holders of the token.',
    by: 'marketCap',
    isOfCreator: false,
    build: heaven.buildProSetReflectionFee,
  },
} as const;
export type FeeName = keyof typeof FEES;
export const FEE_NAMES = Object.keys(FEES) as FeeName[];
const MOST_STEPS = { marketCap: heaven.MAX_FEE_BRACKETS, slot: heaven.MAX_SLOT_FEE_BRACKETS };
export const mostSteps = (fee: FeeName) => MOST_STEPS[FEES[fee].by];

export interface Step {
  /** A market cap in dollars, or a slot since the launch. The last step by market cap has none. */
  upTo: string;
  buy: string;
  sell: string;
}
export type FeeSteps = Record<FeeName, readonly Step[]>;

/** No fee can be more than all of a trade. */
const ALL_BPS = 10_000;

/** Those of the creator have a limit of the exchange's. */
export const mostBps = (fee: FeeName, config: heaven.ProtocolConfig | undefined) =>
  FEES[fee].isOfCreator ? (config?.maxCreatorTradingFee ?? 0) : ALL_BPS;

type Fees = { buyFeeBps: number; sellFeeBps: number };
export const formatStep = ({ buyFeeBps, sellFeeBps }: Fees) =>
  `${formatBps(buyFeeBps)} to buy, ${formatBps(sellFeeBps)} to sell`;

const toStep = (upTo: string, { buyFeeBps, sellFeeBps }: Fees): Step => ({
  upTo,
  buy: toField(BigInt(buyFeeBps), 2),
  sell: toField(BigInt(sellFeeBps), 2),
});

/** The fees that a pool has now. */
export function stepsOf(state: heaven.LiquidityPoolState): FeeSteps {
  const { marketCapCreatorFee, lpFee, reflectionFee, slotCreatorFee } = heaven.toProFeeSettings(state);
  // Creation writes a fee of 0 % where there is none.
  const steps = (brackets: readonly FeeBracket[]) =>
    brackets.every(({ buyFeeBps, sellFeeBps }) => buyFeeBps + sellFeeBps === 0)
      ? []
      : brackets.map((one, index) => {
          const isRest = index === brackets.length - 1;
          return toStep(isRest ? '' : toField(one.marketCapUpperBound, USD.decimals), one);
        });
  const { brackets, enabled } = slotCreatorFee;
  return {
    creatorTradingFee: steps(marketCapCreatorFee),
    creatorSlotTradingFee: enabled
      ? brackets.map((one) => toStep(String(one.slotOffsetUpperbound), one))
      : [],
    liquidityProviderTradingFee: steps(lpFee),
    reflectionTradingFee: steps(reflectionFee),
  };
}

export const isRest = (fee: FeeName, steps: readonly Step[], index: number) =>
  FEES[fee].by === 'marketCap' && index === steps.length - 1;

function readRows(fee: FeeName, steps: readonly Step[], most: number) {
  let before = -1n;
  return steps.map(({ upTo, buy, sell }, index) => {
    const decimals = FEES[fee].by === 'marketCap' ? USD.decimals : 0;
    const bound = isRest(fee, steps, index) ? heaven.MAX_MARKET_CAP_BOUND : parseAmount(upTo, decimals);
    if (bound <= before) throw new UserError('Each step must end higher than the one before it.');
    before = bound;
    const fees = { buyFeeBps: Number(parseAmount(buy, 2)), sellFeeBps: Number(parseAmount(sell, 2)) };
    if (Math.max(fees.buyFeeBps, fees.sellFeeBps) > most)
      throw new UserError(`The exchange allows at most ${formatBps(most)}.`);
    return { bound, ...fees };
  });
}

/** What is wrong with the steps, in words. Empty while they are not complete. */
export function problemIn(fee: FeeName, steps: readonly Step[], most: number): string | undefined {
  if (steps.some(({ upTo, buy, sell }, index) => !buy || !sell || !(upTo || isRest(fee, steps, index))))
    return '';
  try {
    readRows(fee, steps, most);
    return undefined;
  } catch (error) {
    return explainError(error).message;
  }
}

/** Steps without a problem, as the builders take them. */
export const toBrackets = (fee: FeeName, steps: readonly Step[]): FeeBracket[] =>
  readRows(fee, steps, ALL_BPS).map(({ bound, ...fees }) => ({ marketCapUpperBound: bound, ...fees }));

export const toSlots = (steps: readonly Step[]): heaven.SlotFeeConfiguration =>
  heaven.toSlotFeeConfiguration(
    readRows('creatorSlotTradingFee', steps, ALL_BPS).map(({ bound, ...fees }) => ({
      slotOffsetUpperbound: Number(bound),
      ...fees,
    })),
  );
