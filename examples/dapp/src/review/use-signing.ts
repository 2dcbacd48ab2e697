import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { useEffect, useRef, useState } from 'react';

import { UserError } from '../format';
import { useNetwork } from '../network/network';
import { useWallet } from '../wallet/wallet';
import type { Operation, ReceiptView } from './review';

/** What the sheet shows: an operation, why it shows it again, and what the wallet made of it. */
interface Shown {
  operation: Operation;
  notice?: string;
  changed?: heaven.ChangedTransaction & { inspection: heaven.TransactionInspection };
}

export interface Landed {
  status: 'landed';
  landed: heaven.LandedSubmission;
  receipt: ReceiptView;
  added: number;
  seconds: number;
}
export type Failed = heaven.FailedSubmission;
/** Nobody knows. The same bytes can be followed further. */
export interface Unknown {
  status: 'unknown';
  signature: string;
  follow: (options: Pick<heaven.SubmitOptions, 'abortSignal' | 'observe'>) => Promise<heaven.SubmitResult>;
}

/** A worse quote than the one that the user saw. Nothing is signed before they have chosen. */
export type Choice = { shown: Operation; fresh: Operation; answer: (isAccepted: boolean) => void };

/** Where a transaction is between the click and its outcome. `sent`: a node took it. */
export type Stage = 'checking' | 'asking' | 'signed' | 'sent';

function stageAfter(event: heaven.SignAndSubmitEvent): Stage | undefined {
  const { type } = event;
  if (type === 'asking' || type === 'signed') return type;
  // A node that doesn't know it yet hasn't taken it.
  const isTaken = type === 'status' ? event.confirmationStatus !== undefined : /^(re)?sent$/.test(type);
  return isTaken ? 'sent' : undefined;
}
/** How long a block hash lasts, which is fetched when the wallet is asked: 150 blocks of some 0.2 seconds. */
const LIFETIME_MS = 30_000;
/** In slots: some five seconds. An older quote is made again before the wallet is asked. */
const MAX_QUOTE_AGE = 25n;
const ONCE = { gcTime: 0, retry: false, structuralSharing: false } as const;

export function useSigning(first: Operation) {
  const { client, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const wallet = useWallet();
  const [[{ operation, notice, changed }, version], setShown] = useState<[Shown, number]>([
    { operation: first },
    0,
  ]);
  const [stage, setStage] = useState<Stage>('checking');
  const [isSilent, setIsSilent] = useState(false);
  const [expiresAt, setExpiresAt] = useState(0);
  const [choice, setChoice] = useState<Choice>();
  const running = useRef<AbortController>(undefined);
  // Whoever closes the sheet stops waiting: what a wallet or a node says later is ignored.
  useEffect(() => () => running.current?.abort(), []);

  const review = useQuery({
    queryKey: [rpcUrl, 'review', version],
    queryFn: async ({ signal }) =>
      await heaven.reviewTransaction(client, await operation.build(signal), {
        owner: wallet?.address,
        quote: operation.quote,
        names: { ...(wallet && { [wallet.address]: 'your wallet' }), ...operation.names },
        decimals: { [operation.token.mint]: operation.token.decimals },
        abortSignal: signal,
      }),
    staleTime: 'static',
    ...ONCE,
  });

  const start = () => {
    running.current = new AbortController();
    const observe = (event: heaven.SignAndSubmitEvent) => {
      if (event.type === 'asking') setExpiresAt(Date.now() + LIFETIME_MS);
      setIsSilent(event.type === 'no-answer');
      setStage((before) => stageAfter(event) ?? before);
    };
    return { abortSignal: running.current.signal, observe };
  };
  const showAgain = (next: Shown) => setShown([next, version + 1]);
  const sign = useMutation({ mutationFn: signAndSend });
  const rebuild = useMutation({
    mutationFn: async () => {
      const { abortSignal } = start();
      showAgain({
        operation: (await operation.renew?.(abortSignal)) ?? operation,
        notice: 'This is up to date. Look at it again before you sign.',
      });
      sign.reset();
    },
  });

  /** Resolves to the outcome, or to nothing if the user has to look again. */
  async function signAndSend(unknown?: Unknown): Promise<Landed | Failed | Unknown | undefined> {
    if (!unknown) setStage('checking');
    const options = start();
    const sentAt = performance.now();
    /** What is signed in the end, which may be newer than what was shown. */
    let current = operation;
    if (unknown) return await conclude(unknown.follow);
    if (changed !== undefined) {
      setStage('signed');
      const { tx, built } = changed;
      return await conclude((following) =>
        heaven.submitTransaction(client, tx, { ...built.lifetime, ...following }),
      );
    }
    if (review.data === undefined || wallet === undefined) return undefined;
    const { lastSigner, quote, renew } = operation;
    const signing = { sign: wallet.sign, lastSigner, ...options };
    const requote = quote &&
      renew && {
        quote,
        maxAge: MAX_QUOTE_AGE,
        quoteAgain: async () => {
          current = await renew(options.abortSignal);
          return current.quote as typeof quote;
        },
        buildAgain: async () => (await current.build(options.abortSignal)) as heaven.BuiltTrade,
        accept: (_shown: unknown, _fresh: unknown, changed?: heaven.ChangedBuild) =>
          // Another transaction, and a loss to agree to in words, take the review again.
          changed === undefined &&
          !(current.consent && !operation.consent) &&
          new Promise<boolean>((answer) => setChoice({ shown: operation, fresh: current, answer })).finally(
            () => setChoice(undefined),
          ),
      };
    const { built: reviewed } = review.data;
    const outcome = requote
      ? // What has a quote is a trade.
        await heaven.signAndSubmitTransaction(client, reviewed as heaven.BuiltTrade, { ...signing, requote })
      : await heaven.signAndSubmitTransaction(client, reviewed, signing);
    if (outcome.status === 'declined') {
      showAgain({ operation: current, notice: 'Nothing was signed. This is the new quote.' });
      return undefined;
    }
    if (outcome.status !== 'changed') {
      const { signed, built } = outcome;
      const follow: Unknown['follow'] = (following) =>
        heaven.submitTransaction(client, signed.tx, { ...built.lifetime, mayBeUnderWay: true, ...following });
      return outcome.status === 'outcome-unknown'
        ? { status: 'unknown', signature: outcome.signature, follow }
        : await conclude(async () => outcome, signed.added.length);
    }
    if (lastSigner !== undefined)
      throw new UserError(
        `Your wallet changed the ${operation.noun} before it signed it, so it was not sent. Try again, or use another wallet.`,
      );
    const { abortSignal } = options;
    const inspection = await heaven.inspectTransaction(outcome.tx, {
      client,
      owner: wallet.address,
      abortSignal,
    });
    showAgain({
      operation: current,
      changed: { ...outcome, inspection },
    });
    return undefined;

    async function conclude(follow: Unknown['follow'], added = 0): ReturnType<typeof signAndSend> {
      let submitted: heaven.SubmitResult;
      try {
        submitted = await follow(options);
      } catch (error) {
        if (!heaven.isHeavenError(error, 'outcome-unknown')) throw error;
        return { status: 'unknown', signature: error.context.signature, follow };
      }
      if (submitted.status === 'failed') return submitted;
      if (submitted.status === 'landed') {
        const seconds = (performance.now() - sentAt) / 1_000;
        const receipt = await current.receipt(submitted);
        await queries.invalidateQueries();
        return { status: 'landed', landed: submitted, receipt, added, seconds };
      }
      showAgain({
        operation: current,
        notice: `The transaction expired. Nothing was ${operation.done}. Sign it again.`,
      });
      return undefined;
    }
  }

  return {
    operation,
    notice,
    review: review.data,
    changed,
    stage,
    isSilent,
    expiresAt,
    choice,
    error: review.error ?? rebuild.error ?? sign.error,
    isPreparing: review.isPending || rebuild.isPending,
    isSigning: sign.isPending,
    /** From here on it may land, whatever the user does. */
    isSending: sign.isPending && !['checking', 'asking'].includes(stage),
    outcome: sign.data,
    sign: () => sign.mutate(undefined),
    followOn: (unknown: Unknown) => sign.mutate(unknown),
    rebuild: () => rebuild.mutate(),
  };
}

export type Signing = ReturnType<typeof useSigning>;
