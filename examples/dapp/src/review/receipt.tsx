import { Dialog, SheetFoot } from '../dialog';
import { formatSol, shortenAddress } from '../format';
import { Facts } from '../ui';
import { SignatureLinks } from './progress';
import type { Landed } from './use-signing';

export function Receipt({ landed, receipt, added, seconds, onClose }: Landed & { onClose: () => void }) {
  const { signature, slot, transaction } = landed;
  const { title, headline, facts, next } = receipt;
  const leave = () => {
    onClose();
    next?.act();
  };
  return (
    <Dialog title={title} className="review receipt" onClose={onClose}>
      <svg className="receipt-mark" viewBox="0 0 48 48" width="56" height="56" fill="none" aria-hidden="true">
        <circle cx="24" cy="24" r="21" stroke="var(--buy)" strokeWidth="2.5" opacity="0.4" />
        <path d="m15 24.5 6.5 6.5L34 18" stroke="var(--buy)" strokeWidth="4" />
      </svg>
      <p className="headline" role="status">
        {headline}
      </p>
      <Facts
        facts={[
          ...facts,
          transaction?.fee !== undefined && { term: 'Network fee', value: formatSol(transaction.fee) },
          added > 0 && {
            term: 'Added by your wallet',
            value: `${added} check${added === 1 ? '' : 's'} of its own`,
          },
          { term: 'Landed', value: `in slot ${slot}, after ${seconds.toFixed(1)} s` },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      <SignatureLinks signature={signature} />
      <SheetFoot isFirst {...(next && { cancel: [next.label, leave] })} go={['Done', onClose]} />
    </Dialog>
  );
}
