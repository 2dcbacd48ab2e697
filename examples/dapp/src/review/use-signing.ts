import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { useEffect, useRef, useState } from 'react';

import { UserError } from '../format';
import { useNetwork } from '../network/network';
import { useWallet } from '../wallet/wallet';
import type { Operation, ReceiptView } from './review';

/** Sends signed bytes, or goes on following them. */
type Follow = (
  options: Pick<heaven.SubmitOptions, 'abortSignal' | 'observe'>,
) => Promise<heaven.SubmitResult>;

/** What a wallet signed instead of what it was given. Nothing is sent yet. */
export interface Changed {
  inspection: heaven.TransactionInspection;
  follow: Follow;
}

/** What the sheet shows: an operation, why it shows it again, and what the wallet made of it. */
interface Shown {
  operation: Operation;
  notice?: string;
  changed?: Changed;
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
  follow: Follow;
}

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
  const { token } = operation;
  const [stage, setStage] = useState<Stage>('checking');
  const [isSilent, setIsSilent] = useState(false);
  const [expiresAt, setExpiresAt] = useState(0);
  const running = useRef<AbortController>(undefined);
  // Whoever closes the sheet stops waiting: what a wallet or a node says later is ignored.
  useEffect(() => () => running.current?.abort(), []);

  const review = useQuery({
    queryKey: [rpcUrl, 'review', version],
    queryFn: async ({ signal }) =>
      await heaven.reviewTransaction(client, await operation.build(signal), {
        owner: wallet?.address,
        quote: operation.quote,
        names: {
          ...(wallet && { [wallet.address]: 'your wallet' }),
          [token.mint]: 'this token',
          ...operation.names,
        },
        decimals: { [token.mint]: token.decimals },
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
  async function signAndSend(signed?: Follow): Promise<Landed | Failed | Unknown | undefined> {
    const options = start();
    const { abortSignal } = options;
    const sentAt = performance.now();
    /** What is signed in the end, which may be newer than what was shown. */
    let current = operation;
    if (signed) {
      setStage(stage === 'sent' ? 'sent' : 'signed');
      return await conclude(signed);
    }
    setStage('checking');
    if (review.data === undefined || wallet === undefined) return undefined;
    const { lastSigner, quote, renew, terms } = operation;
    const signing = { sign: wallet.sign, lastSigner, ...options };
    const requote = quote &&
      renew && {
        quote,
        maxAge: MAX_QUOTE_AGE,
        quoteAgain: async () => {
          current = await renew(abortSignal);
          return current.quote as typeof quote;
        },
        buildAgain: async () => (await current.build(abortSignal)) as heaven.BuiltTrade,
        // Nobody signs what is worse than what they saw: it is shown first.
        accept: () => false,
      };
    const { built: reviewed } = review.data;
    const outcome = requote
      ? // What has a quote is a trade.
        await heaven.signAndSubmitTransaction(client, reviewed as heaven.BuiltTrade, { ...signing, requote })
      : await heaven.signAndSubmitTransaction(client, reviewed, signing);
    if (outcome.status === 'declined') {
      const notice = `Nothing was signed, as the ${operation.noun} has changed. You saw: ${terms}.`;
      showAgain({ operation: current, notice });
      return undefined;
    }
    const { built } = outcome;
    if (outcome.status === 'changed') {
      if (lastSigner !== undefined)
        throw new UserError(
          `Your wallet changed the ${operation.noun} before it signed it, so it was not sent. Try again, or use another wallet.`,
        );
      const { tx } = outcome;
      const inspection = await heaven.inspectTransaction(tx, { client, owner: wallet.address, abortSignal });
      const follow: Follow = (following) =>
        heaven.submitTransaction(client, tx, { ...built.lifetime, ...following });
      showAgain({ operation: current, changed: { inspection, follow } });
      return undefined;
    }
    const { signed: sent } = outcome;
    if (outcome.status !== 'outcome-unknown') return await conclude(async () => outcome, sent.added.length);
    const follow: Follow = (following) =>
      heaven.submitTransaction(client, sent.tx, { ...built.lifetime, mayBeUnderWay: true, ...following });
    return { status: 'unknown', signature: outcome.signature, follow };

    async function conclude(follow: Follow, added = 0): ReturnType<typeof signAndSend> {
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
    error: review.error ?? rebuild.error ?? sign.error,
    isPreparing: review.isPending || rebuild.isPending,
    isSigning: sign.isPending,
    /** From here on it may land, whatever the user does. */
    isSending: sign.isPending && !['checking', 'asking'].includes(stage),
    outcome: sign.data,
    sign: () => sign.mutate(undefined),
    follow: (signed: Follow) => sign.mutate(signed),
    rebuild: () => rebuild.mutate(),
  };
}

export type Signing = ReturnType<typeof useSigning>;
