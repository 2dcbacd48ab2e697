import { checks, formatSol, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { CopyButton, Dialog, Facts } from '../ui';
import type { Result } from './use-signing';

/** What was paid and received, once it has landed. */
export function Receipt({ landed, receipt, added, seconds, onClose }: Result & { onClose: () => void }) {
  const { explorerUrl } = useNetwork();
  const { signature, slot, transaction } = landed;
  const url = explorerUrl(signature);
  const { next } = receipt;
  return (
    <Dialog title={receipt.title} className="review receipt" onClose={onClose}>
      <svg className="receipt-mark" viewBox="0 0 48 48" width="56" height="56" fill="none" aria-hidden="true">
        <circle cx="24" cy="24" r="21" stroke="var(--buy)" strokeWidth="2.5" opacity="0.4" />
        <path d="m15 24.5 6.5 6.5L34 18" stroke="var(--buy)" strokeWidth="4" />
      </svg>
      <p className="headline" role="status">
        {receipt.headline}
      </p>
      <Facts
        facts={[
          ...receipt.facts,
          transaction?.fee !== undefined && { term: 'Network fee', value: formatSol(transaction.fee) },
          added > 0 && { term: 'Added by your wallet', value: checks(added) },
          { term: 'Landed', value: `in slot ${slot}, after ${seconds.toFixed(1)} s` },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      <p className="row center">
        <CopyButton text={signature} label="Copy signature" />
        {url && (
          <a href={url} target="_blank" rel="noreferrer">
            See it in the explorer
          </a>
        )}
      </p>
      <div className="sheet-foot">
        <div className="sheet-buttons">
          {next && (
            <button
              type="button"
              onClick={() => {
                onClose();
                next.act();
              }}
            >
              {next.label}
            </button>
          )}
          {/* The second half of a double click on "Confirm" must not close the receipt unread. */}
          <button type="button" className="primary" onClick={({ detail }) => detail < 2 && onClose()}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
