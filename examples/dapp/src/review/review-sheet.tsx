import type { TransactionReview } from 'heaven-pools';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog, SheetFoot } from '../dialog';
import { explainError, formatChange, formatExact, SOL, type Unit } from '../format';
import { useNetwork } from '../network/network';
import { rentFacts } from '../trade/words';
import { costFact, type Fact, Facts, type Listed, Problem, Warnings } from '../ui';
import { useWallet } from '../wallet/wallet';
import { ChangedByWallet } from './changed';
import { Ended, Progress, Receipt } from './progress';
import type { Operation } from './review';
import { type Signing, useSigning } from './use-signing';
import { warningsInWords } from './warnings';

interface ReviewSheetProps {
  first: Operation;
  /** `mayHappen`: the transaction was sent, and may still land. */
  onClose: (mayHappen?: string) => void;
}

export default function ReviewSheet({ first, onClose }: ReviewSheetProps) {
  const wallet = useWallet();
  const signing = useSigning(first);
  const { operation, outcome, changed } = signing;
  // A transaction of one account is not signed with another.
  const [owner] = useState(wallet?.address);
  useEffect(() => {
    if (wallet?.address !== owner) onClose();
  }, [wallet, owner, onClose]);

  const left = `You stopped waiting. The ${operation.noun} may still happen: check your balance before you try again.`;
  const mayHappen = signing.isSigning ? signing.isSending : outcome?.status === 'unknown';
  const close = () => onClose(mayHappen ? left : undefined);
  const sheet = (title: string, children: ReactNode, className = 'review') => (
    <Dialog title={title} className={className} onClose={close}>
      {children}
    </Dialog>
  );
  if (signing.isSigning)
    return sheet(
      `Your ${operation.noun}`,
      <>
        <Progress signing={signing} wallet={wallet?.name ?? 'your wallet'} />
        <SheetFoot cancel={[signing.isSending ? 'Stop waiting' : 'Cancel', close]} />
      </>,
    );
  if (outcome?.status === 'landed')
    return sheet(outcome.receipt.title, <Receipt {...outcome} onClose={close} />, 'review receipt');
  if (outcome)
    return sheet(
      outcome.status === 'failed' ? `The ${operation.noun} failed` : 'Not known yet',
      <Ended outcome={outcome} signing={signing} onClose={close} />,
    );
  if (changed)
    return sheet(
      `Your wallet changed the ${operation.noun}`,
      <ChangedByWallet {...{ signing, changed }} wallet={owner ?? ''} onClose={close} />,
    );
  return sheet(`Review ${actionOf(operation)}`, <Review signing={signing} onClose={close} />);
}

const actionOf = ({ action, noun }: Operation) => action ?? noun;

function Review({ signing, onClose }: { signing: Signing; onClose: () => void }) {
  const { operation, review } = signing;
  const wouldFail = review?.simulation.ok === false;
  const canRenew = wouldFail && operation.renew !== undefined;
  const warnings = [
    ...(operation.warnings ?? []),
    ...warningsInWords(
      [...(review?.inspection.warnings ?? []), ...(review?.built.warnings ?? [])].filter(
        // Of a trade, the page says it with its own figures.
        ({ code }) => code !== 'high-fee' || operation.quote === undefined,
      ),
    ),
  ];
  return (
    <>
      {signing.notice && (
        <p className="notice" role="status">
          {signing.notice}
        </p>
      )}
      <Warnings warnings={[...new Set(warnings)]} />
      <div className="review-legs">
        {operation.legs?.map(({ icon, label, amount, exact, usd }) => (
          <div className="review-leg" key={label}>
            {icon}
            <p>
              <span className="quiet">{label}</span>
              <strong title={exact}>{amount}</strong>
            </p>
            <span className="quiet">{usd}</span>
          </div>
        ))}
      </div>
      <Facts facts={operation.facts} />
      <h3>Simulation</h3>
      <Simulation review={review} token={operation.token} />
      <h3>Network</h3>
      {review && <Facts facts={feesOf(review, operation.returnedRent?.())} />}
      <details>
        <summary>Each step</summary>
        <ol className="steps">
          {(review?.steps ?? []).map((step) => (
            <li key={step}>{step.replace(/^(Exchange): (\w+):/, '$1 ($2):')}</li>
          ))}
        </ol>
      </details>
      <SheetFoot
        // What was agreed to is not another loss.
        key={String(operation.consent)}
        cancel={['Cancel', onClose]}
        go={[labelOf(signing, wouldFail), canRenew ? signing.rebuild : signing.sign]}
        isOff={signing.isPreparing || review === undefined || (wouldFail && !canRenew)}
        danger={!signing.isPreparing && !wouldFail && operation.consent}
        error={signing.error}
      />
    </>
  );
}

function labelOf({ isPreparing, operation }: Signing, wouldFail: boolean): string {
  if (isPreparing) return 'Simulating…';
  if (wouldFail) return operation.renew ? 'Get a new quote' : 'It would fail';
  return `Confirm ${actionOf(operation)}`;
}

function Simulation({ review, token }: { review: TransactionReview | undefined; token: Operation['token'] }) {
  const { practice } = useNetwork();
  if (review === undefined)
    return <p className="quiet">Trying it on the {practice ? 'practice ledger' : 'network'}…</p>;
  const { simulation } = review;
  if (simulation.ok === undefined)
    return <p className="quiet">Could not be simulated. {explainError(simulation.error).message}</p>;
  if (!simulation.ok) return <Problem error={simulation.error} />;
  const moved = simulation.tokens.find(({ mint, change }) => mint === token.mint && change !== 0n);
  const changeFact = (term: string, change: bigint, unit: Unit): Fact => {
    const exact = formatExact(change, unit);
    return { term, value: formatChange(change, unit), exact, isStrong: true };
  };
  return (
    <>
      <p className="quiet">It succeeds. Your balance changes:</p>
      <Facts
        facts={[
          changeFact('SOL, with all fees and rent', simulation.sol.change, SOL),
          moved && changeFact('Tokens', moved.change, token),
        ]}
      />
    </>
  );
}

function feesOf({ inspection, costs }: TransactionReview, closed = 0n): Listed<Fact> {
  const { signatures, priority } = inspection.fees;
  const { rent, returnedRent = 0n } = costs;
  return [
    costFact('Network fees', signatures + priority, { isStrong: true }),
    costFact('of which signatures', signatures, { isPart: true }),
    costFact('of which priority', priority, { isPart: true }),
    ...(rent === undefined
      ? [{ term: 'Rent', value: 'in the balance change' }]
      : rentFacts(returnedRent, rent - returnedRent, closed)),
  ];
}
