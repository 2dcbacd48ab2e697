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

export interface Result {
  landed: heaven.LandedSubmission;
  receipt: ReceiptView;
  added: number;
  seconds: number;
}

type Stage = heaven.SignAndSubmitEvent['type'];

const ONCE = { gcTime: 0, retry: false, structuralSharing: false } as const;

export function useSigning(first: Operation) {
  const { client, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const wallet = useWallet();
  const [[{ operation, notice, changed }, version], setShown] = useState<[Shown, number]>([
    { operation: first },
    0,
  ]);
  const [stage, setStage] = useState<Stage>();
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

  const sign = useMutation({ mutationFn: signAndSend });

  // Asks every two seconds whether the operation still is what the user reads.
  const renewed = useQuery({
    queryKey: [rpcUrl, 'renewed', version],
    queryFn: async ({ signal }) => (await operation.renew?.(signal)) ?? null,
    enabled: operation.renew !== undefined && !sign.isPending && !sign.data && changed === undefined,
    refetchInterval: 2_000,
    ...ONCE,
  });

  const showAgain = (next: Shown) => setShown([next, version + 1]);

  /** Resolves to what landed, or to nothing if the user has to look again. */
  async function signAndSend(): Promise<Result | undefined> {
    running.current = new AbortController();
    const abortSignal = running.current.signal;
    const options = { abortSignal, observe: ({ type }: { type: Stage }) => setStage(type) };
    const sentAt = performance.now();
    setStage(undefined);
    if (changed !== undefined) {
      setStage('signed');
      const { tx, built } = changed;
      return await conclude(await heaven.submitTransaction(client, tx, { ...built.lifetime, ...options }));
    }
    const newer = await operation.renew?.(abortSignal);
    if (newer !== undefined) {
      showAgain({ operation: newer, notice: 'The price has moved. Look at the new quote before you sign.' });
      return undefined;
    }
    if (review.data === undefined || wallet === undefined) return undefined;
    const { sign, address: owner } = wallet;
    const { lastSigner } = operation;
    const signing = { sign, lastSigner, ...options };
    const outcome = await heaven.signAndSubmitTransaction(client, review.data.built, signing);
    if (outcome.status !== 'changed') return await conclude(outcome, outcome.signed.added.length);
    if (lastSigner !== undefined)
      throw new UserError(
        `Your wallet changed the ${operation.noun} before it signed it, so it was not sent. Ask it again, or use another wallet.`,
      );
    const inspection = await heaven.inspectTransaction(outcome.tx, { client, owner, abortSignal });
    showAgain({
      operation,
      changed: { ...outcome, inspection },
      notice:
        'Your wallet changed the transaction before it signed it. Nothing is sent yet. Look at what it signed.',
    });
    return undefined;

    async function conclude(submitted: heaven.SubmitResult | heaven.UnknownSubmission, added = 0) {
      if (submitted.status === 'landed') {
        const seconds = (performance.now() - sentAt) / 1_000;
        const receipt = operation.receipt(submitted);
        await queries.invalidateQueries();
        return { landed: submitted, receipt, added, seconds };
      }
      if (submitted.status !== 'expired') throw submitted.error;
      showAgain({
        operation,
        notice: `The transaction expired. Nothing was ${operation.done}. Sign it again with a fresh block hash.`,
      });
      return undefined;
    }
  }

  return {
    operation,
    notice: renewed.data ? 'The price has moved. You see the new quote before you sign.' : notice,
    review: review.data,
    changed,
    stage,
    error: review.error ?? sign.error,
    isPreparing: review.isPending,
    isSigning: sign.isPending,
    isSending: sign.isPending && stage !== undefined && stage !== 'asking',
    /** A newer quote is there: to sign shows that first. */
    hasNewer: Boolean(renewed.data),
    result: sign.data,
    sign: () => sign.mutate(),
  };
}
