import type { TransactionReview } from 'heaven-pools';
import { useEffect, useState } from 'react';

import { explainError, formatChange, formatExact, formatSol, SOL } from '../format';
import { useNetwork } from '../network/network';
import { amountFact, Dialog, type Fact, Facts, type Listed, Problem, Warnings } from '../ui';
import { useWallet } from '../wallet/wallet';
import { Receipt } from './receipt';
import type { Leg, Operation } from './review';
import { useSigning } from './use-signing';

interface ReviewSheetProps {
  first: Operation;
  /** `mayHappen`: the transaction was sent, and may still land. */
  onClose: (mayHappen?: string) => void;
}

/** The sheet that every transaction goes through: what it does, the signature, and the receipt. */
export default function ReviewSheet({ first, onClose }: ReviewSheetProps) {
  const wallet = useWallet();
  const signing = useSigning(first);
  const { operation, review, changed, result, status, isSigning, isSending } = signing;
  const [hasConsent, setHasConsent] = useState(false);
  // A transaction of one account is not signed with another.
  const [owner] = useState(wallet?.address);
  useEffect(() => {
    if (wallet?.address !== owner) onClose();
  }, [wallet, owner, onClose]);

  if (result !== undefined) return <Receipt {...result} onClose={() => onClose()} />;
  const close = () =>
    onClose(
      isSending
        ? `You stopped waiting. The ${operation.noun} was sent and may still happen: look at your balance before you try again.`
        : undefined,
    );
  const wouldFail = changed === undefined && review?.simulation.ok === false;
  const needsConsent = operation.consent !== undefined && !hasConsent;
  const isOff = isSigning || (!signing.hasNewer && (review === undefined || wouldFail || needsConsent));
  return (
    <Dialog title={operation.title} className="review" onClose={close}>
      {signing.notice && (
        <p className="notice" role="status">
          {signing.notice}
        </p>
      )}
      <Warnings
        warnings={[
          ...operation.warnings,
          ...(changed?.inspection.warnings.map(({ message }) => message) ?? review?.warnings ?? []),
        ]}
      />
      <Legs legs={operation.legs} />
      <Facts facts={operation.facts} />
      <h3>Simulation</h3>
      {changed === undefined ? (
        <Simulation review={review} token={operation.token} />
      ) : (
        <p className="quiet">Not simulated: your wallet changed the transaction.</p>
      )}
      <h3>Network fees</h3>
      <Facts facts={feesOf(review, changed?.inspection.fees.priority)} />
      <details>
        <summary>Each step of the transaction</summary>
        <ol className="steps">
          {(changed?.inspection.summary ?? review?.steps ?? []).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </details>
      <div className="sheet-foot">
        {operation.consent !== undefined && (
          <label className="consent">
            <input
              type="checkbox"
              checked={hasConsent}
              disabled={isSigning}
              onChange={({ target }) => setHasConsent(target.checked)}
            />
            {operation.consent}
          </label>
        )}
        <Problem>{signing.error && explainError(signing.error).message}</Problem>
        <p className="quiet status" role="status">
          {isSigning ? status : ''}
        </p>
        <div className="sheet-buttons">
          <button type="button" onClick={close}>
            {isSending ? 'Stop waiting' : 'Cancel'}
          </button>
          <button
            type="button"
            className="primary"
            aria-disabled={isOff}
            onClick={() => isOff || signing.sign()}
          >
            {labelOf(signing, wouldFail)}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** What the button does, or what is under way. */
function labelOf(signing: ReturnType<typeof useSigning>, wouldFail: boolean): string {
  if (signing.isSending) return 'Sending…';
  if (signing.isSigning) return 'Confirm in your wallet…';
  if (signing.isPreparing) return 'Simulating…';
  if (signing.hasNewer) return 'See the new quote';
  if (wouldFail) return 'It would fail';
  return signing.changed === undefined ? signing.operation.confirm : 'Send what the wallet signed';
}

const Legs = ({ legs }: { legs: readonly Leg[] }) => (
  <div className="review-legs">
    {legs.map(({ icon, label, amount, exact, usd }) => (
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
);

interface SimulationProps {
  review: TransactionReview | undefined;
  token: Operation['token'];
}

/** How the wallet's balances would change. */
function Simulation({ review, token }: SimulationProps) {
  const { practice } = useNetwork();
  if (review === undefined)
    return <p className="quiet">Trying it on the {practice ? 'ledger' : 'cluster'}…</p>;
  const { simulation } = review;
  if (simulation.ok === undefined)
    return <p className="quiet">Could not be simulated. {explainError(simulation.error).message}</p>;
  if (!simulation.ok) return <Problem>{simulation.error.message}</Problem>;
  const sol = simulation.sol.change;
  const moved = simulation.tokens.filter(({ mint, change }) => mint === token?.mint && change !== 0n);
  return (
    <>
      <p className="quiet">It succeeds. Your balance changes:</p>
      <Facts
        facts={[
          {
            term: 'SOL, with all fees and rent',
            value: formatChange(sol, SOL),
            exact: formatExact(sol, SOL),
            isStrong: true,
          },
          ...moved.map(({ change }) => ({
            term: 'Tokens',
            value: token && formatChange(change, token),
            exact: token && formatExact(change, token),
            isStrong: true,
          })),
        ]}
      />
    </>
  );
}

function feesOf(review: TransactionReview | undefined, raised: bigint | undefined): Listed<Fact> {
  if (review === undefined) return [];
  const { fees } = review.inspection;
  const { rent, returnedRent } = review.costs;
  const isRaised = raised !== undefined && raised > fees.priority;
  return [
    amountFact('Signatures', fees.signatures, SOL),
    isRaised
      ? {
          term: 'Priority',
          value: `${formatSol(raised)}: your wallet raised it from ${formatSol(fees.priority)}`,
          tone: 'warn',
        }
      : amountFact('Priority', fees.priority, SOL),
    rent === undefined
      ? { term: 'Rent', value: 'not known' }
      : amountFact('Rent for accounts, at most', rent, SOL),
    returnedRent !== undefined && amountFact('Rent that comes back at once', returnedRent, SOL),
  ];
}
