// Fees as a creator types them: steps by market cap or by slot, each with a fee to buy and to sell.
import * as heaven from 'heaven-pools';
import type { FeeBracket } from 'heaven-pools/program';

import { explainError, formatBps, parseAmount, toField, USD, UserError } from '../format';
import { Button, Field, Problem } from '../ui';

export interface Step {
  /** A market cap in dollars, or a slot since the launch. The last step by market cap has none. */
  upTo: string;
  buy: string;
  sell: string;
}
export type By = 'marketCap' | 'slot';

const MOST = { marketCap: heaven.MAX_FEE_BRACKETS, slot: heaven.MAX_SLOT_FEE_BRACKETS };

export const formatStep = (fees: { buyFeeBps: number; sellFeeBps: number }) =>
  `${formatBps(fees.buyFeeBps)} to buy, ${formatBps(fees.sellFeeBps)} to sell`;

const toPercent = (bps: number) => toField(BigInt(bps), 2);

/** Creation writes a fee of 0 % where there is none. */
const isFee = ({ buyFeeBps, sellFeeBps }: FeeBracket) => buyFeeBps + sellFeeBps > 0;

export const fromBrackets = (all: readonly FeeBracket[]): Step[] => {
  const brackets = all.some(isFee) ? all : [];
  return brackets.map(({ marketCapUpperBound, buyFeeBps, sellFeeBps }, index) => ({
    upTo: index === brackets.length - 1 ? '' : toField(marketCapUpperBound, USD.decimals),
    buy: toPercent(buyFeeBps),
    sell: toPercent(sellFeeBps),
  }));
};

export const fromSlots = ({ brackets, enabled }: heaven.SlotFeeConfiguration): Step[] =>
  brackets
    .filter(() => enabled)
    .map(({ slotOffsetUpperbound, buyFeeBps, sellFeeBps }) => ({
      upTo: String(slotOffsetUpperbound),
      buy: toPercent(buyFeeBps),
      sell: toPercent(sellFeeBps),
    }));

function readRows(by: By, steps: readonly Step[], mostBps: number) {
  let before = -1n;
  return steps.map(({ upTo, ...fees }, index) => {
    const isRest = by === 'marketCap' && index === steps.length - 1;
    const bound = isRest
      ? heaven.MAX_MARKET_CAP_BOUND
      : parseAmount(upTo, by === 'marketCap' ? USD.decimals : 0);
    if (bound <= before) throw new UserError('Each step must end higher than the one before it.');
    before = bound;
    const [buyFeeBps = 0, sellFeeBps = 0] = [fees.buy, fees.sell].map((text) => Number(parseAmount(text, 2)));
    if (Math.max(buyFeeBps, sellFeeBps) > mostBps)
      throw new UserError(`The exchange allows at most ${formatBps(mostBps)}.`);
    return { bound, buyFeeBps, sellFeeBps };
  });
}

export const toBrackets = (steps: readonly Step[], mostBps: number): FeeBracket[] =>
  readRows('marketCap', steps, mostBps).map(({ bound, ...fees }) => ({
    marketCapUpperBound: bound,
    ...fees,
  }));

export const toSlots = (steps: readonly Step[], mostBps: number): heaven.SlotFeeConfiguration =>
  heaven.toSlotFeeConfiguration(
    readRows('slot', steps, mostBps).map(({ bound, ...fees }) => ({
      slotOffsetUpperbound: Number(bound),
      ...fees,
    })),
  );

/** What is wrong with the steps, in words. Empty while they are not complete. */
export function problemIn(by: By, steps: readonly Step[], mostBps: number): string | undefined {
  const isRest = (index: number) => by === 'marketCap' && index === steps.length - 1;
  if (steps.some(({ upTo, buy, sell }, index) => !buy || !sell || !(upTo || isRest(index)))) return '';
  try {
    readRows(by, steps, mostBps);
    return undefined;
  } catch (error) {
    return explainError(error).message;
  }
}

interface FeeStepsProps {
  label: string;
  by: By;
  steps: readonly Step[];
  mostBps: number;
  onChange: (steps: Step[]) => void;
}

/** A fee: none, one for ever, or steps. */
export function FeeSteps({ label, by, steps, mostBps, onChange }: FeeStepsProps) {
  const set = (index: number, part: Partial<Step>) =>
    onChange(steps.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const field = (index: number, name: keyof Step, text: string) => (
    <Field
      label={text}
      inputMode="decimal"
      value={steps[index]?.[name] ?? ''}
      onChange={(value) => set(index, { [name]: value })}
    />
  );
  const rest = steps.length === 1 ? 'Always' : 'Above that';
  return (
    <fieldset>
      <legend>{label}</legend>
      {steps.map((_, index) => (
        // A row is a place in the list.
        <div className="fee-row" key={String(index)}>
          {by === 'marketCap' && index === steps.length - 1 ? (
            <p className="quiet">{rest}</p>
          ) : (
            field(index, 'upTo', by === 'slot' ? 'Until slot' : 'Up to $')
          )}
          {field(index, 'buy', 'Buy %')}
          {field(index, 'sell', 'Sell %')}
          <Button
            className="chip icon"
            aria-label={`Remove step ${index + 1} of ${label}`}
            onClick={() => onChange(steps.filter((__, at) => at !== index))}
          >
            ✕
          </Button>
        </div>
      ))}
      <div className="row">
        {steps.length < MOST[by] && (
          <Button className="chip" onClick={() => onChange([...steps, { upTo: '', buy: '', sell: '' }])}>
            {steps.length === 0 ? 'Add a fee' : 'Add a step'}
          </Button>
        )}
        {steps.length === 0 && <span className="quiet">None.</span>}
      </div>
      <Problem>{problemIn(by, steps, mostBps)}</Problem>
    </fieldset>
  );
}
