// From the click to the outcome: what happens now, whether money moved, and what to do next.

import { useEffect, useState } from 'react';

import { SheetFoot } from '../dialog';
import { oneDecimal, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { CopyButton, costFact, Facts, Problem } from '../ui';
import type { Failed, Landed, Signing, Stage, Unknown } from './use-signing';

const REACHED: Record<Stage, number> = { checking: 0, asking: 0, signed: 2, sent: 3 };

/** While the wallet and the network have the transaction. */
export function Progress({ signing, wallet }: { signing: Signing; wallet: string }) {
  const { stage, isSilent, operation } = signing;
  const isOfTwo = operation.lastSigner !== undefined && 'sign' in operation.lastSigner;
  const mayLand = `If you stop waiting, the ${operation.noun} may still land.`;
  const next: Record<Stage, string> = {
    checking: 'Getting the latest quote…',
    asking: `Open ${wallet} and approve the request${isOfTwo ? ', then in the other wallet' : ''}. Nothing is sent before you do.`,
    signed: `Signed, not sent yet`,
    sent: `The network confirms it, mostly within seconds. ${mayLand}`,
  };
  return (
    <>
      <ol className="progress">
        {[`Confirm in ${wallet}`, 'Signed', 'Sent', 'Landed'].map((step, index) => (
          <li
            key={step}
            className={index < REACHED[stage] ? 'done' : undefined}
            aria-current={index === REACHED[stage] ? 'step' : undefined}
          >
            {step}
            {index < REACHED[stage] && <span className="hidden">, done</span>}
          </li>
        ))}
      </ol>
      <p className="quiet" role="status">
        {next[stage]}
        {stage === 'signed' && <Expiry at={signing.expiresAt} />}
        {isSilent && ` The node didn’t answer; the page keeps asking. ${stage === 'signed' ? mayLand : ''}`}
      </p>
    </>
  );
}

/** Counts down, without a word to screen readers for each second. */
function Expiry({ at }: { at: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((at - now) / 1_000);
  return <span aria-live="off">{seconds > 0 ? `; expires in ${seconds} s.` : '; about to expire.'}</span>;
}

export function SignatureLinks({ signature }: { signature: string }) {
  const { chain } = useNetwork();
  const cluster = chain === 'solana:devnet' ? '?cluster=devnet' : '';
  return (
    <p className="row center">
      <CopyButton text={signature} label="Copy signature" />
      {chain && (
        <a href={`https://explorer.solana.com/tx/${signature}${cluster}`} target="_blank" rel="noreferrer">
          View in explorer
        </a>
      )}
    </p>
  );
}

type EndedProps = { outcome: Failed | Unknown; signing: Signing; onClose: () => void };

/** It failed, or nobody knows: whether money moved, and one button that helps. */
export function Ended({ outcome, signing, onClose }: EndedProps) {
  const { operation, rebuild } = signing;
  const { signature } = outcome;
  const left = `The node hasn’t said what became of the ${operation.noun}. It may have landed, or may still land. Ask again before you repeat it, or it may happen twice.`;
  const isFailed = outcome.status === 'failed';
  return (
    <>
      {isFailed ? <Problem error={outcome.error} /> : <Problem>{left}</Problem>}
      <Facts
        facts={[
          isFailed && { term: `What was ${operation.done}`, value: 'Nothing', isStrong: true },
          isFailed && {
            term: 'What it cost',
            value: outcome.slot === undefined ? 'Nothing: no node took it' : 'Only the network fee',
          },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      <SignatureLinks signature={signature} />
      <SheetFoot
        isFirst
        isOff={signing.isPreparing}
        error={signing.error}
        cancel={['Close', onClose]}
        go={
          isFailed
            ? [operation.renew ? 'Get a new quote' : 'Try again', rebuild]
            : ['Ask the node again', () => signing.follow(outcome.follow)]
        }
      />
    </>
  );
}

const count = (added: number) => `${added} check${added === 1 ? '' : 's'} of its own`;

export function Receipt({ landed, receipt, added, seconds, onClose }: Landed & { onClose: () => void }) {
  const { signature, slot, transaction } = landed;
  const { headline, facts, next } = receipt;
  const leave = () => {
    onClose();
    next?.act();
  };
  const after = seconds < 0.1 ? '' : `, after ${oneDecimal(seconds)} s`;
  return (
    <>
      <svg className="center" viewBox="0 0 48 48" width="56" height="56" fill="none" aria-hidden="true">
        <circle cx="24" cy="24" r="21" stroke="var(--buy)" strokeWidth="2.5" opacity="0.4" />
        <path d="m15 24.5 6.5 6.5L34 18" stroke="var(--buy)" strokeWidth="4" />
      </svg>
      <p className="headline center" role="status">
        {headline}
      </p>
      <Facts
        facts={[
          ...facts,
          transaction?.fee !== undefined && costFact('Network fee', transaction.fee),
          added > 0 && { term: 'Added by your wallet', value: count(added) },
          { term: 'Landed', value: `in slot ${slot}${after}` },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      <SignatureLinks signature={signature} />
      <SheetFoot
        isFirst
        {...(next && { cancel: ['Done', onClose] })}
        go={next ? [next.label, leave] : ['Done', onClose]}
      />
    </>
  );
}
