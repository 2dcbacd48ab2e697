import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ChangedTransaction,
  inspectTransaction,
  reviewTransaction,
  type SignAndSubmitEvent,
  type SubmitResult,
  signAndSubmitTransaction,
  submitTransaction,
  type TransactionInspection,
  type UnknownSubmission,
} from 'heaven-pools';
import { useEffect, useRef, useState } from 'react';

import { checks, UserError } from '../format';
import { useNetwork } from '../network/network';
import { useWallet } from '../wallet/wallet';
import type { Landed, Operation, ReceiptView } from './review';

/** What the sheet shows: an operation, why it shows it again, and what the wallet made of it. */
interface Shown {
  operation: Operation;
  version: number;
  notice?: string;
  changed?: ChangedTransaction & { inspection: TransactionInspection };
}

type Outcome = SubmitResult | UnknownSubmission;

/** What a receipt shows. */
export interface Result {
  landed: Landed;
  receipt: ReceiptView;
  /** How many checks the wallet added. */
  added: number;
  seconds: number;
}

/** What a transaction doesn't change. */
const LASTING: unknown[] = ['image', 'pools at', 'review', 'renewed'];
/** How often to ask whether the operation still is what the user reads. */
const RENEW_MS = 2_000;

const ONCE = { gcTime: 0, retry: false, structuralSharing: false } as const;

/** Takes an operation from its review through the wallet until it lands. */
export function useSigning(first: Operation) {
  const { client, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const wallet = useWallet();
  const [{ operation, version, notice, changed }, setShown] = useState<Shown>({
    operation: first,
    version: 0,
  });
  const [status, setStatus] = useState('');
  /** From here on, it may land. */
  const [isSent, setIsSent] = useState(false);
  const running = useRef<AbortController>(undefined);
  // Whoever closes the sheet stops waiting: what a wallet or a node says later is ignored.
  useEffect(() => () => running.current?.abort(), []);

  const review = useQuery({
    queryKey: [rpcUrl, 'review', version],
    queryFn: async ({ signal }) =>
      await reviewTransaction(client, await operation.build(signal), {
        owner: wallet?.address,
        quote: operation.quote,
        recipients: operation.recipients,
        names: { ...(wallet && { [wallet.address]: 'your wallet' }), ...operation.names },
        decimals: operation.token && { [operation.token.mint]: operation.token.decimals },
        abortSignal: signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    ...ONCE,
  });

  const sign = useMutation({ mutationFn: signAndSend });

  const renewed = useQuery({
    queryKey: [rpcUrl, 'renewed', version],
    queryFn: async ({ signal }) => (await operation.renew?.(signal)) ?? null,
    enabled: operation.renew !== undefined && !sign.isPending && !sign.data && changed === undefined,
    refetchInterval: RENEW_MS,
    ...ONCE,
  });

  const showAgain = (next: Omit<Shown, 'version'>) => {
    setStatus('');
    setIsSent(false);
    setShown({ ...next, version: version + 1 });
  };

  const observe = (event: SignAndSubmitEvent) => {
    if (event.type === 'asking' && event.signer === wallet?.address)
      setStatus(`Confirm in ${wallet?.name ?? 'your wallet'}.`);
    else if (event.type === 'signed') {
      setIsSent(true);
      setStatus(
        `${event.signed.added.length > 0 ? `Your wallet added ${checks(event.signed.added.length)}. ` : ''}Sending…`,
      );
    } else if (event.type === 'sent')
      setStatus((said) => said.replace('Sending…', 'Sent. Waiting for the network…'));
    else if (event.type === 'no-answer')
      setStatus(`The node does not answer. The ${operation.noun} may be under way: the page keeps asking.`);
  };

  /** Resolves to what landed, or to nothing if the user has to look again. */
  async function signAndSend(): Promise<Result | undefined> {
    running.current = new AbortController();
    const { signal } = running.current;
    const sentAt = performance.now();
    if (changed !== undefined) {
      setIsSent(true);
      const options = { ...changed.built.lifetime, abortSignal: signal, observe };
      return await conclude(await submitTransaction(client, changed.tx, options), 0, sentAt);
    }
    const newer = await operation.renew?.(signal);
    if (newer !== undefined) {
      showAgain({ operation: newer, notice: 'The price has moved. Look at the new quote before you sign.' });
      return undefined;
    }
    if (review.data === undefined || wallet === undefined) return undefined;
    const outcome = await signAndSubmitTransaction(client, review.data.built, {
      sign: wallet.sign,
      lastSigner: operation.lastSigner,
      abortSignal: signal,
      observe,
    });
    if (outcome.status !== 'changed') return await conclude(outcome, outcome.signed.added.length, sentAt);
    if (operation.lastSigner !== undefined)
      throw new UserError(
        `Your wallet changed the ${operation.noun} before it signed it, so it was not sent. Ask it again, or use another wallet.`,
      );
    const inspection = await inspectTransaction(outcome.tx, {
      client,
      owner: wallet.address,
      abortSignal: signal,
    });
    showAgain({
      operation,
      changed: { ...outcome, inspection },
      notice:
        'Your wallet changed the transaction before it signed it. Nothing is sent yet. Look at what it signed.',
    });
    return undefined;
  }

  async function conclude(outcome: Outcome, added: number, sentAt: number): Promise<Result | undefined> {
    if (outcome.status === 'landed') {
      const seconds = (performance.now() - sentAt) / 1_000;
      const receipt = await operation.receipt(outcome);
      await queries.invalidateQueries({
        predicate: ({ queryKey: [network, name] }) => network === rpcUrl && !LASTING.includes(name),
      });
      return { landed: outcome, receipt, added, seconds };
    }
    if (outcome.status !== 'expired') throw outcome.error;
    showAgain({
      operation,
      notice: `The transaction expired. Nothing was ${operation.done}. Sign it again with a fresh block hash.`,
    });
    return undefined;
  }

  return {
    operation,
    notice:
      notice ?? (renewed.data ? 'The price has moved. You see the new quote before you sign.' : undefined),
    review: review.data,
    changed,
    status,
    error: review.error ?? sign.error,
    isPreparing: review.isPending,
    isSigning: sign.isPending,
    isSending: sign.isPending && isSent,
    /** A newer quote is there: to sign shows that first. */
    hasNewer: Boolean(renewed.data),
    result: sign.data,
    sign: () => sign.mutate(),
  };
}
