// From the click to the outcome: what happens now, whether money moved, and what to do next.

import { useEffect, useState } from 'react';

import { Dialog, SheetFoot } from '../dialog';
import { explainError, oneDecimal, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { CopyButton, costFact, type Fact, Facts, type Listed, Problem } from '../ui';
import type { Choice, Failed, Landed, Signing, Stage, Unknown } from './use-signing';

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

/** The price has moved against the user: both quotes, and their choice. */
export function Choose({ choice: { shown, fresh, answer } }: { choice: Choice }) {
  const list = (title: string, terms: Listed<Fact> = []) => (
    <section className="review-leg">
      <div>
        <h3>{title}</h3>
        <Facts facts={terms} />
      </div>
    </section>
  );
  return (
    <>
      <p className="notice" role="status">
        The price moved while you read. Nothing is signed yet.
      </p>
      {list('What you saw', shown.terms)}
      {list('Now', fresh.terms)}
      <SheetFoot
        isFirst
        cancel={['Look again', () => answer(false)]}
        go={['Accept the new quote', () => answer(true)]}
      />
    </>
  );
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
  const { status, signature } = outcome;
  const isFailed = status === 'failed';
  const again = operation.renew ? 'Get a new quote' : 'Try again';
  const left = `The node hasn’t said what became of the ${operation.noun}. It may have landed, or may still land. Ask again before you repeat it, or it may happen twice.`;
  const paid = isFailed && outcome.slot !== undefined ? 'Only the network fee' : 'Nothing: no node took it';
  return (
    <>
      <Problem>{isFailed ? explainError(outcome.error).message : left}</Problem>
      <Facts
        facts={[
          isFailed && { term: `What was ${operation.done}`, value: 'Nothing', isStrong: true },
          isFailed && { term: 'What it cost', value: paid },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      <SignatureLinks signature={signature} />
      <Problem>{signing.error && explainError(signing.error).message}</Problem>
      <SheetFoot
        isFirst
        isOff={signing.isPreparing}
        cancel={['Close', onClose]}
        go={isFailed ? [again, rebuild] : ['Ask the node again', () => signing.followOn(outcome)]}
      />
    </>
  );
}

export function Receipt({ landed, receipt, added, seconds, onClose }: Landed & { onClose: () => void }) {
  const { signature, slot, transaction } = landed;
  const { title, headline, facts, next } = receipt;
  const leave = () => {
    onClose();
    next?.act();
  };
  return (
    <Dialog title={title} className="review receipt" onClose={onClose}>
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
          added > 0 && {
            term: 'Added by your wallet',
            value: `${added} check${added === 1 ? '' : 's'} of its own`,
          },
          {
            term: 'Landed',
            value: `in slot ${slot}${seconds < 0.1 ? '' : `, after ${oneDecimal(seconds)} s`}`,
          },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      <SignatureLinks signature={signature} />
      <SheetFoot
        isFirst
        {...(next && { cancel: ['Done', onClose] })}
        go={next ? [next.label, leave] : ['Done', onClose]}
      />
    </Dialog>
  );
}
