import {
  computeMarketCap,
  type FeeStep,
  type FetchedPoolSnapshot,
  type ProtocolConfig,
  toFeeSchedule,
} from 'heaven-pools';
import type { CSSProperties, ReactNode } from 'react';

import { formatBps, formatUsd, sumRates } from '../format';
import { Table } from './table';

const totals = ({ buyFees, sellFees }: FeeStep) => [sumRates(buyFees), sumRates(sellFees)] as const;

/** What a trade costs at a step, in words. */
function inWords(step: FeeStep): string {
  const [buy, sell] = totals(step).map(formatBps);
  return buy === sell ? `${buy} to buy or sell` : `${buy} to buy, ${sell} to sell`;
}

interface StepsProps {
  label: string;
  steps: readonly FeeStep[];
  /** Where the pool is now. */
  at: bigint | undefined;
  format: (bound: bigint) => string;
  children: ReactNode;
}

/** The steps as a table with bars, and the one that applies now in words. */
function Steps({ label, steps, at, format, children }: StepsProps) {
  const most = Math.max(...steps.flatMap(totals).map(Number));
  const now = at === undefined ? undefined : [...steps].reverse().find(({ from }) => at >= from);
  return (
    <>
      <p>
        {now && at !== undefined && <strong>{`${label} now: ${format(at)}. Fees: ${inWords(now)}. `}</strong>}
        {children}
      </p>
      <Table label={label} className="fee-steps" head={[label, 'Buy', 'Sell']}>
        {steps.map((step) => (
          <tr key={String(step.from)} aria-current={step === now || undefined}>
            <th scope="row">
              {step.to === undefined
                ? `From ${format(step.from)}`
                : `${format(step.from)} to ${format(step.to)}`}
              {step === now && <span className="now">now</span>}
            </th>
            {totals(step).map((bps, at) => (
              <td key={String(at)} style={{ '--part': `${(Number(bps) / most) * 100}%` } as CSSProperties}>
                {formatBps(bps)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </>
  );
}

/** The exchange's fees by slot, while the launch window is open, and by market cap: of a pool, or of one to be launched. */
export function FeeSchedule({ source }: { source: FetchedPoolSnapshot | ProtocolConfig }) {
  const { bySlot, byMarketCap } = toFeeSchedule(source);
  const pool = 'slot' in source ? source : undefined;
  const slots = pool && pool.slot - pool.createdAtSlot;
  const end = bySlot.at(-1)?.from ?? 0n;
  const inclusive = bySlot.map((step) => ({ ...step, to: step.to && step.to - 1n }));
  const isWindow = end > 0n && (slots === undefined || slots < end);
  return (
    <>
      {isWindow && (
        <Steps label="Slots since the launch" steps={inclusive} at={slots} format={String}>
          Trades cost more in the first {String(end)} slots after the launch.
        </Steps>
      )}
      <Steps
        label="Market cap"
        steps={byMarketCap}
        at={isWindow || !pool ? undefined : computeMarketCap(pool)}
        format={(cap) => formatUsd(cap).replace(/[.,]00$/, '')}
      >
        {isWindow ? 'After that, fees depend on the market cap.' : end > 0n && 'The launch window is over.'}
      </Steps>
    </>
  );
}
