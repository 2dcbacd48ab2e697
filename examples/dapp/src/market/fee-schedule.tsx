import * as heaven from 'heaven-pools';
import type { CSSProperties } from 'react';

import { formatBps, formatUsd, sumRates } from '../format';
import { Table } from '../ui';

const totals = ({ buyFees, sellFees }: heaven.FeeStep) => [sumRates(buyFees), sumRates(sellFees)] as const;

export function FeeSchedule({ source }: { source: heaven.FetchedPoolSnapshot | heaven.ProtocolConfig }) {
  const schedule = heaven.toFeeSchedule(source);
  const pool = 'slot' in source ? source : undefined;
  const slots = pool && pool.slot - pool.createdAtSlot;
  const end = schedule.bySlot.at(-1)?.from ?? 0n;
  const isWindow = end > 0n && (slots === undefined || slots < end);
  const bySlot = isWindow ? schedule.bySlot.slice(0, -1) : [];
  const at = isWindow ? slots : pool && heaven.computeMarketCap(pool);
  const now = (isWindow ? bySlot : schedule.byMarketCap)
    .filter(({ from }) => at !== undefined && at >= from)
    .at(-1);
  const most = Math.max(...[...bySlot, ...schedule.byMarketCap].flatMap(totals).map(Number));
  const row = (name: string, step: heaven.FeeStep) => (
    <tr key={name} aria-current={step === now || undefined}>
      <th scope="row">
        {name}
        {step === now && <span className="now">now</span>}
      </th>
      {totals(step).map((bps, side) => (
        <td key={String(side)} style={{ '--part': `${(Number(bps) / most) * 100}%` } as CSSProperties}>
          {formatBps(bps)}
        </td>
      ))}
    </tr>
  );
  const [buy, sell] = now ? totals(now).map(formatBps) : [];
  return (
    <>
      <p>
        {now && <strong>{`Fees now: ${buy} to buy, ${sell} to sell. `}</strong>}
        {isWindow && `Fees are higher in the first ${end} slots after the launch (about 0.2 s each). `}
        Fees depend on the market cap.
      </p>
      <Table label="Fee schedule" className="fee-steps" head={['From', 'Buy', 'Sell']}>
        {bySlot.map((step) => row(`Slot ${step.from}`, step))}
        {schedule.byMarketCap.map((step) =>
          row(`Market cap ${formatUsd(step.from).replace(/[.,]00(?!\d)/, '')}`, step),
        )}
      </Table>
    </>
  );
}
