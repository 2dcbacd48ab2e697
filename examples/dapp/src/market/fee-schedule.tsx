import {
  computeMarketCap,
  type FeeRates,
  type FeeStep,
  type FetchedPoolSnapshot,
  type ProtocolConfig,
  sumFees,
  toFeeSchedule,
} from 'heaven-pools';
import type { CSSProperties, ReactNode } from 'react';

import { formatBps, formatUsd } from '../format';
import { Table } from './table';

/** What a trade costs at a step, in words. */
function inWords({ buyFees, sellFees }: FeeStep): string {
  const [buy, sell] = [formatBps(sumFees(buyFees)), formatBps(sumFees(sellFees))];
  return buy === sell ? `${buy} to buy or sell` : `${buy} to buy, ${sell} to sell`;
}

const capRange = ({ from, to }: FeeStep) => {
  if (to === undefined) return from === 0n ? 'Any' : `From ${formatUsd(from)}`;
  return from === 0n ? `Under ${formatUsd(to)}` : `${formatUsd(from)} to ${formatUsd(to)}`;
};
const slotRange = ({ from, to }: FeeStep) => (to === undefined ? `From ${from}` : `${from} to ${to - 1n}`);

interface StepsProps {
  readonly label: string;
  readonly steps: readonly FeeStep[];
  /** The step that applies. */
  readonly now: FeeStep | undefined;
  readonly rangeOf: (step: FeeStep) => string;
  /** The present point in words. */
  readonly children: ReactNode;
}

function Steps({ label, steps, now, rangeOf, children }: StepsProps) {
  const most = Math.max(
    ...steps.flatMap(({ buyFees, sellFees }) => [buyFees, sellFees].map((each) => Number(sumFees(each)))),
  );
  const cell = (fees: FeeRates) => (
    <td style={{ '--part': `${(Number(sumFees(fees)) / most) * 100}%` } as CSSProperties}>
      {formatBps(sumFees(fees))}
    </td>
  );
  return (
    <>
      <p>{children}</p>
      <Table label={`Fees by ${label.toLowerCase()}`} className="steps" head={[label, 'Buy', 'Sell']}>
        {steps.map((step) => (
          <tr key={String(step.from)} aria-current={step === now || undefined}>
            <th scope="row">
              {rangeOf(step)} {step === now && <span className="now">now</span>}
            </th>
            {cell(step.buyFees)}
            {cell(step.sellFees)}
          </tr>
        ))}
      </Table>
    </>
  );
}

/** The exchange's fees by slot, while the launch window is open, and by market cap: of a pool now, or of one to be launched. */
export function FeeScheduleView({ source }: { readonly source: FetchedPoolSnapshot | ProtocolConfig }) {
  const { bySlot, byMarketCap } = toFeeSchedule(source);
  const pool = 'slot' in source ? source : undefined;
  const stepAt = (steps: readonly FeeStep[], at: bigint) =>
    steps.find(({ from, to }) => at >= from && (to === undefined || at < to));
  const slots = pool && pool.slot - pool.createdAtSlot;
  const end = bySlot.at(-1)?.from ?? 0n;
  const slotStep = slots === undefined ? undefined : stepAt(bySlot, slots);
  const cap = pool && computeMarketCap(pool);
  const isWindow = bySlot.length > 1 && (slots === undefined || slots < end);
  const capStep = isWindow || cap === undefined ? undefined : stepAt(byMarketCap, cap);
  return (
    <>
      {isWindow && (
        <Steps label="Slots since the launch" steps={bySlot} now={slotStep} rangeOf={slotRange}>
          {slotStep && (
            <strong>
              Slot {String(slots)} now: {inWords(slotStep)}.{' '}
            </strong>
          )}
          Trades cost more in the first {String(end)} slots after the launch.
        </Steps>
      )}
      <Steps label="Market cap" steps={byMarketCap} now={capStep} rangeOf={capRange}>
        {capStep ? (
          <>
            <strong>
              At {formatUsd(cap ?? 0n)} now: {inWords(capStep)}.
            </strong>{' '}
            {bySlot.length > 1 && 'The launch window is over.'}
          </>
        ) : (
          'After that, fees depend on the market cap.'
        )}
      </Steps>
    </>
  );
}
