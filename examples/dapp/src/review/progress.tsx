// From the click to the outcome: what happens now, whether money moved, and what to do next.
import { explainError, shortenAddress } from '../format';
import { useNetwork } from '../network/network';
import { Button, CopyButton, type Fact, Facts, type Listed, Problem } from '../ui';
import type { Choice, Failed, Signing, Stage, Unknown } from './use-signing';

const REACHED: Record<Stage, number> = { checking: 0, asking: 0, signed: 1, sent: 2, silent: 2 };

/** While the wallet and the network have the transaction. */
export function Progress({ signing, wallet }: { signing: Signing; wallet: string }) {
  const { stage, operation, isSending } = signing;
  const { noun } = operation;
  const next: Record<Stage, string> = {
    checking: 'Reading the latest quote and block hash…',
    asking: `Open ${wallet} and approve the request. Nothing is sent before you do.`,
    signed: 'Your signature is checked, then the page sends it. Nothing to do.',
    sent: `The network confirms it, mostly within seconds. If you stop waiting, the ${noun} may still land.`,
    silent: `The node does not answer. The ${noun} may be under way: the page keeps asking.`,
  };
  const steps = [`Confirm in ${wallet}`, 'Signed', 'Sent', 'Landed'];
  return (
    <>
      <ol className="progress">
        {steps.map((step, index) => {
          const isDone = index < REACHED[stage] || (index === REACHED[stage] && isSending);
          const isNow = index === REACHED[stage] + (isSending ? 1 : 0);
          return (
            <li key={step} className={isDone ? 'done' : undefined} aria-current={isNow ? 'step' : undefined}>
              {step}
              {isDone && <span className="hidden">, done</span>}
            </li>
          );
        })}
      </ol>
      <p className="quiet" role="status">
        {next[stage]}
      </p>
    </>
  );
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
        The price has moved while you read. Nothing is signed yet.
      </p>
      {list('What you saw', shown.terms)}
      {list('Now', fresh.terms)}
      <div className="sheet-foot">
        <div className="sheet-buttons">
          <Button onClick={() => answer(false)}>Look at it again</Button>
          <Button className="primary first" onClick={() => answer(true)}>
            Accept the new quote
          </Button>
        </div>
      </div>
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
          See it in the explorer
        </a>
      )}
    </p>
  );
}

type EndProps<T> = { outcome: T; signing: Signing; onClose: () => void };

export function FailedEnd({ outcome: { error, slot, signature }, signing, onClose }: EndProps<Failed>) {
  const { operation, isPreparing, rebuild } = signing;
  const paid = slot === undefined ? 'Nothing: no node took it' : 'Only the network fee';
  return (
    <>
      <Problem>{explainError(error).message}</Problem>
      <Facts
        facts={[
          { term: `What was ${operation.done}`, value: 'Nothing', isStrong: true },
          { term: 'What it cost', value: paid },
          { term: 'Signature', value: shortenAddress(signature), exact: signature },
        ]}
      />
      {slot !== undefined && <SignatureLinks signature={signature} />}
      <Problem>{signing.error && explainError(signing.error).message}</Problem>
      <div className="sheet-foot">
        <div className="sheet-buttons">
          <Button onClick={onClose}>Close</Button>
          <Button
            className="primary first"
            aria-disabled={isPreparing}
            onClick={() => isPreparing || rebuild()}
          >
            {operation.renew ? 'Get a new quote' : 'Build it again'}
          </Button>
        </div>
      </div>
    </>
  );
}

export function UnknownEnd({ outcome, signing, onClose }: EndProps<Unknown>) {
  const { signature } = outcome;
  return (
    <>
      <Problem>
        {`The node has not said what became of the ${signing.operation.noun}. It may have landed, or may still land.`}
      </Problem>
      <p className="quiet">
        Ask again, or look for this signature before you do the same once more: otherwise it may happen twice.
      </p>
      <Facts facts={[{ term: 'Signature', value: shortenAddress(signature), exact: signature }]} />
      <SignatureLinks signature={signature} />
      <div className="sheet-foot">
        <div className="sheet-buttons">
          <Button onClick={onClose}>Close</Button>
          <Button className="primary first" onClick={() => signing.followOn(outcome)}>
            Ask the node again
          </Button>
        </div>
      </div>
    </>
  );
}
