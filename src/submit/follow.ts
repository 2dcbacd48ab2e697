import type { HeavenSubmitRpc } from '../client.js';
import type { AnyHeavenError } from '../errors.js';
import { HeavenError, isHeavenError } from '../errors.js';
import type { TransactionFailure } from '../program/errors.js';
import { pause } from '../solana/pause.js';
import { notify } from '../solana/rpc/notify.js';
import { hasReached, lookAt, type Sending, type SubmitEvent, sendTo, type Taken } from './node.js';
import { sendThrough, type TransactionSender } from './sender.js';

/** A transaction, the nodes to send it to, and how. */
export interface Submission extends Sending {
  /** The nodes to ask for the outcome and, without a `send`, to send the transaction to. Each is listed once. */
  readonly nodes: readonly HeavenSubmitRpc[];
  readonly send: TransactionSender | undefined;
  readonly skipPreflight: boolean;
  readonly resendEveryMs: number;
  readonly pollEveryMs: number;
  readonly abortSignal: AbortSignal | undefined;
  readonly observe: ((event: SubmitEvent) => void) | undefined;
}

/** What became of a transaction, according to its statuses. */
export type Outcome =
  /** It is in a block, and executed if `err` is null. `node` reported this. */
  | { readonly status: 'included'; readonly node: number; readonly slot: bigint; readonly err: unknown }
  | { readonly status: 'expired' }
  /** Every node rejected it, and none can have forwarded it. */
  | { readonly status: 'rejected'; readonly error: TransactionFailure };

/** A node that has reported no new block height for this long does not count: it is offline or stuck. */
const QUIET_MS = 10_000;
/** If no node has reported one for this long, the outcome is unknown. */
const SILENCE_MS = 60_000;
/** Several times a blockhash's life: any node that claims it lasts longer is wrong, or stalls the caller on purpose. */
const MOST_MS = 600_000;

const now = () => performance.now();

/** A transaction failed, or can no longer land. Either way it was not executed. */
type NotExecuted = Exclude<Outcome, { readonly status: 'rejected' }>;

/** What is known about a node. */
interface NodeState {
  /** When it last reported a new highest block height; initially, when the submission began. */
  heardAt: number;
  height: bigint;
  /** The answer to the last send, once it has arrived. */
  taken: Taken | undefined;
  hasAccepted: boolean;
  /** Whether the last check found the height past and no transaction. */
  isPast: boolean;
  isKnown: boolean;
  verdict: NotExecuted | undefined;
}

/** Sends a transaction to all nodes and polls each of them until there is an outcome. */
export async function follow(submission: Submission): Promise<Outcome> {
  const { nodes, send, abortSignal, signature } = submission;
  if (abortSignal?.aborted) throw abortedBy(undefined);
  const over = new AbortController();
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      abortSignal?.addEventListener('abort', () => reject(abortedBy(signature)), { signal: over.signal });
      const tally = createTally(submission, resolve, reject);
      const sent = send && keepSendingThrough(send, submission, tally, over.signal, reject);
      for (const [node, rpc] of nodes.entries()) {
        const firstAnswer =
          sent ??
          new Promise<void>((answered) => {
            keepSending(submission, tally, node, rpc, over.signal, answered).catch(reject);
          });
        keepLooking(submission, tally, node, rpc, over.signal, firstAnswer).catch(reject);
      }
    });
  } finally {
    over.abort('over');
  }
}

type Tally = ReturnType<typeof createTally>;

async function keepSending(
  submission: Submission,
  tally: Tally,
  node: number,
  rpc: HeavenSubmitRpc,
  over: AbortSignal,
  answered: () => void,
): Promise<void> {
  const { resendEveryMs, skipPreflight, observe } = submission;
  while (!over.aborted) {
    if (tally.isWanted(node)) {
      tally.sending(node);
      // Once the transaction is executed, a node that has it fails the simulation.
      const taken = await sendTo(rpc, submission, skipPreflight || tally.hasAccepted(node), over);
      if (over.aborted) return;
      const type = tally.hasAccepted(node) ? 'resent' : 'sent';
      const { how } = taken;
      if (how === 'accepted') notify(observe, { type, node });
      else if (how === 'rejected') notify(observe, { type: 'rejected', node, error: taken.error });
      else notify(observe, { type: 'no-answer', node, method: 'sendTransaction', error: taken.error });
      tally.taken(node, taken);
      answered();
    }
    await pause(resendEveryMs, over);
  }
}

/** Sends through the caller's function instead of the nodes. Resolves once it has settled for the first time. */
function keepSendingThrough(
  sender: TransactionSender,
  submission: Submission,
  tally: Tally,
  over: AbortSignal,
  reject: (error: unknown) => void,
): Promise<void> {
  const { resendEveryMs, observe } = submission;
  return new Promise((settled) => {
    const work = async () => {
      while (!over.aborted) {
        if (tally.isWantedAnywhere()) {
          const event = await sendThrough(sender, submission, over);
          if (over.aborted) return;
          notify(observe, event);
          settled();
        }
        await pause(resendEveryMs, over);
      }
    };
    work().catch(reject);
  });
}

async function keepLooking(
  submission: Submission,
  tally: Tally,
  node: number,
  rpc: HeavenSubmitRpc,
  over: AbortSignal,
  firstAnswer: Promise<void>,
): Promise<void> {
  const { pollEveryMs, observe } = submission;
  await pause(pollEveryMs, over, firstAnswer);
  while (!over.aborted) {
    const look = await lookAt(rpc, submission, over);
    if (over.aborted) return;
    if ('error' in look) {
      notify(observe, { type: 'no-answer', node, ...look });
    } else {
      const { blockHeight, status } = look;
      notify(observe, { type: 'status', node, blockHeight, confirmationStatus: status?.level });
      tally.saw(node, look);
    }
    tally.decide();
    await pause(pollEveryMs, over);
  }
}

/** Collects what the nodes report, and returns the outcome once it is certain. */
function createTally(
  submission: Submission,
  resolve: (outcome: Outcome) => void,
  reject: (error: unknown) => void,
) {
  const { nodes, commitment } = submission;
  const began = now();
  const states = nodes.map(
    (): NodeState => ({
      heardAt: began,
      height: -1n,
      taken: undefined,
      hasAccepted: false,
      isPast: false,
      isKnown: false,
      verdict: undefined,
    }),
  );
  const stateOf = (node: number) => states[node] as NodeState;
  /** Once true, a copy may be on its way to a leader. */
  let mayBeUnderWay = false;

  const decide = () => {
    const time = now();
    const counted = states.filter(({ heardAt }) => time - heardAt <= QUIET_MS);
    const verdicts = counted.flatMap(({ verdict }) => verdict ?? []);
    const failed = verdicts.filter(({ status }) => status === 'included');
    const expired = verdicts.filter(({ status }) => status === 'expired');
    const [most, least] = failed.length >= expired.length ? [failed, expired] : [expired, failed];
    const [verdict] = most;
    // If nodes disagree about why it was not executed, don't wait for the rest.
    const isCertain = most.length * 2 > counted.length || most.length + least.length === counted.length;
    if (verdict !== undefined && isCertain) resolve(verdict);
    else if (states.every(({ heardAt }) => time - heardAt > SILENCE_MS))
      reject(unknown(`No node has given a new block height for ${SILENCE_MS / 1000} seconds`, submission));
    else if (time - began > MOST_MS)
      reject(unknown(`After ${MOST_MS / 60_000} minutes the outcome is not certain`, submission));
  };

  return {
    decide,
    hasAccepted: (node: number) => stateOf(node).hasAccepted,
    /** Whether to send it to a node: not while the node knows it or is past the last height. A node's report only counts for itself. */
    isWanted: (node: number) => !stateOf(node).isKnown && !stateOf(node).isPast,
    /** Whether to send it at all: while any node neither knows it nor is past the last height. No single node can stop that. */
    isWantedAnywhere: () => states.some(({ isKnown, isPast }) => !isKnown && !isPast),
    /** Until it answers, a node that rejected the transaction before may be forwarding it. */
    sending: (node: number) => {
      stateOf(node).taken = undefined;
    },
    taken: (node: number, taken: Taken) => {
      const state = stateOf(node);
      state.taken = taken;
      state.hasAccepted ||= taken.how === 'accepted';
      mayBeUnderWay ||= taken.how !== 'rejected';
      if (mayBeUnderWay) return;
      const errors = states.flatMap((each) =>
        each.taken?.how === 'rejected' && each.taken.isFinal ? [each.taken.error] : [],
      );
      if (errors.length < states.length) return;
      const failure = errors.find((error): error is TransactionFailure => !isHeavenError(error));
      if (failure === undefined) reject(errors[0]);
      else resolve({ status: 'rejected', error: failure });
    },
    saw: (
      node: number,
      { blockHeight, isPast, status }: Exclude<Awaited<ReturnType<typeof lookAt>>, { error: AnyHeavenError }>,
    ) => {
      const state = stateOf(node);
      if (blockHeight > state.height) {
        state.height = blockHeight;
        state.heardAt = now();
      }
      const wasPast = state.isPast;
      state.isKnown = status !== undefined;
      state.isPast = status === undefined && isPast;
      // In a block on a dropped fork it has not failed for good: it can land in another.
      const wanted = status?.err !== null && commitment === 'processed' ? 'confirmed' : commitment;
      if (status !== undefined && hasReached(status.level, wanted)) {
        state.verdict = { status: 'included', node, slot: status.slot, err: status.err };
        if (status.err === null) resolve(state.verdict);
        return;
      }
      // One address can hide several nodes, and the last one to answer may be behind: require it twice.
      state.verdict = state.isPast && wasPast ? { status: 'expired' } : undefined;
    },
  };
}

/** Returns the error for a caller that aborts, with the signature to look for if the transaction may have been sent. */
const abortedBy = (signature: Submission['signature'] | undefined) =>
  new HeavenError(
    'aborted',
    signature === undefined
      ? 'submitTransaction was aborted by the caller. Nothing was sent.'
      : `submitTransaction was aborted by the caller. The transaction may still land: look for ${signature}.`,
    { method: 'submitTransaction', ...(signature === undefined ? {} : { signature }) },
  );

const unknown = (why: string, { signature, lastValidBlockHeight }: Submission) =>
  new HeavenError(
    'outcome-unknown',
    `${why}. The transaction may have landed, or may still land: look for ${signature} before you sign another. It can't land after block height ${lastValidBlockHeight}.`,
    { signature, lastValidBlockHeight },
  );
