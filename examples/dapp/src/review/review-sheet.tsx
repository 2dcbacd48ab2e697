import type { TransactionReview } from 'heaven-pools';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog, SheetFoot } from '../dialog';
import { explainError, formatChange, formatExact, SOL, type Unit } from '../format';
import { useNetwork } from '../network/network';
import { rentFacts } from '../trade/words';
import { costFact, type Fact, Facts, Field, type Listed, Problem, Warnings } from '../ui';
import { useWallet } from '../wallet/wallet';
import { Changed } from './changed';
import { Choose, Ended, Progress, Receipt } from './progress';
import type { Operation } from './review';
import { type Signing, useSigning } from './use-signing';
import { warningsInWords } from './warnings';

/** What the user types to agree to a loss: a box is too easily ticked. */
const CONSENT = 'I accept';

interface ReviewSheetProps {
  first: Operation;
  /** `mayHappen`: the transaction was sent, and may still land. */
  onClose: (mayHappen?: string) => void;
}

export default function ReviewSheet({ first, onClose }: ReviewSheetProps) {
  const wallet = useWallet();
  const signing = useSigning(first);
  const { operation, outcome, choice, isSending } = signing;
  // A transaction of one account is not signed with another.
  const [owner] = useState(wallet?.address);
  useEffect(() => {
    if (wallet?.address !== owner) onClose();
  }, [wallet, owner, onClose]);

  const left = `You stopped waiting. The ${operation.noun} may still happen: check your balance before you try again.`;
  const close = () => {
    choice?.answer(false);
    onClose(isSending || (!signing.isSigning && outcome?.status === 'unknown') ? left : undefined);
  };
  const sheet = (title: string, children: ReactNode) => (
    <Dialog title={title} className="review" onClose={close}>
      {children}
    </Dialog>
  );
  if (choice) return sheet('A new quote', <Choose choice={choice} />);
  if (signing.isSigning)
    return sheet(
      `Your ${operation.noun}`,
      <>
        <Progress signing={signing} wallet={wallet?.name ?? 'your wallet'} />
        <SheetFoot cancel={[isSending ? 'Stop waiting' : 'Cancel', close]} />
      </>,
    );
  if (outcome?.status === 'landed') return <Receipt {...outcome} onClose={() => onClose()} />;
  if (outcome)
    return sheet(
      outcome.status === 'failed' ? `The ${operation.noun} failed` : 'Not known yet',
      <Ended outcome={outcome} signing={signing} onClose={close} />,
    );
  if (signing.changed)
    return sheet(
      `Your wallet changed the ${operation.noun}`,
      <Changed signing={signing} wallet={owner ?? ''} onClose={close} />,
    );
  return sheet(operation.title, <Review signing={signing} onClose={close} />);
}

function Review({ signing, onClose }: { signing: Signing; onClose: () => void }) {
  const { operation, review } = signing;
  const { consent } = operation;
  const [agreed, setAgreed] = useState('');
  const wouldFail = review?.simulation.ok === false;
  const needsConsent = Boolean(consent) && agreed.trim().toLowerCase() !== CONSENT.toLowerCase();
  const canRenew = wouldFail && operation.renew !== undefined;
  const isOff = signing.isPreparing || review === undefined || (!canRenew && (wouldFail || needsConsent));
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
        cancel={['Cancel', onClose]}
        go={[labelOf(signing, wouldFail), canRenew ? signing.rebuild : signing.sign]}
        isOff={isOff}
      >
        {consent && (
          <div className="consent">
            <Field
              label={`To go on, type “${CONSENT}”`}
              hint={consent}
              value={agreed}
              placeholder={CONSENT}
              onChange={setAgreed}
            />
          </div>
        )}
        <Problem>{signing.error && explainError(signing.error).message}</Problem>
      </SheetFoot>
    </>
  );
}

function labelOf({ isPreparing, operation }: Signing, wouldFail: boolean): string {
  if (isPreparing) return 'Simulating…';
  if (wouldFail) return operation.renew ? 'Get a new quote' : 'It would fail';
  return operation.confirm;
}

function Simulation({ review, token }: { review: TransactionReview | undefined; token: Operation['token'] }) {
  const { practice } = useNetwork();
  if (review === undefined)
    return <p className="quiet">Trying it on the {practice ? 'practice ledger' : 'network'}…</p>;
  const { simulation } = review;
  if (simulation.ok === undefined)
    return <p className="quiet">Could not be simulated. {explainError(simulation.error).message}</p>;
  if (!simulation.ok) return <Problem>{explainError(simulation.error).message}</Problem>;
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
