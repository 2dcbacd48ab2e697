// Sends a signed transaction and follows it until it is confirmed, has failed, or expired.
import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  getBase64Decoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Signature,
  verifySignature,
} from '@solana/kit';
import {
  assertSignedTransactionMatches,
  type BuiltTransaction,
  isHeavenError,
  submitTransaction,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { ExpiredError, Problem } from './messages.js';

export interface SignedTransaction {
  readonly tx: Base64EncodedWireTransaction;
  readonly signature: Signature;
  /** The checks that the wallet added, in words. They only make a transaction fail. */
  readonly added: readonly string[];
  /** Whether the wallet changed more than that. */
  readonly isChanged: boolean;
}

/** Checks what the wallet returned: whether it signed, and what. `missingSigners` sign after it. */
export async function readSigned(
  built: BuiltTransaction,
  signed: ReadonlyUint8Array,
  missingSigners: readonly Address[] = [],
): Promise<SignedTransaction> {
  const signature = await signatureOf(built, signed).catch(() => undefined);
  if (signature === undefined)
    throw new Problem(
      undefined,
      'The wallet gave back something that is not signed by it. Nothing was sent.',
    );
  const tx = getBase64Decoder().decode(signed) as Base64EncodedWireTransaction;
  try {
    const { added } = await assertSignedTransactionMatches(signed, built, { missingSigners });
    return { tx, signature, added: added.map(({ description }) => description), isChanged: false };
  } catch (error) {
    if (isHeavenError(error, 'transaction-mismatch')) return { tx, signature, added: [], isChanged: true };
    throw error;
  }
}

/** The wallet's signature, if it is valid. */
async function signatureOf(
  { requiredSigners: [payer] }: BuiltTransaction,
  signed: ReadonlyUint8Array,
): Promise<Signature | undefined> {
  const { messageBytes, signatures } = getTransactionDecoder().decode(signed);
  const [first] = Object.entries(signatures);
  if (payer === undefined || first?.[0] !== payer || first[1] === null) return undefined;
  const isValid = await verifySignature(await getPublicKeyFromAddress(payer), first[1], messageBytes);
  return isValid ? (getBase58Decoder().decode(first[1]) as Signature) : undefined;
}

/** How many checks a wallet added. */
export const checksInWords = (count: number): string =>
  count === 1 ? 'a check of its own' : `${count} checks of its own`;

export interface FollowOptions {
  /** Stops following. A sent transaction may still land. */
  readonly signal: AbortSignal;
  /** Completes the failure message: "nothing was traded". */
  readonly done: string;
  /** Called each time a node answers or fails to. */
  readonly onStatus: (status: 'sent' | 'no-answer') => void;
}

/**
 * Sends it, and resends it until it lands, because a node may lose it.
 *
 * @throws {ExpiredError} if it never landed and no longer can
 * @throws {Problem} if it landed and failed, or the node rejected it
 */
export async function sendAndFollow(
  { client }: Connection,
  { tx }: SignedTransaction,
  { lifetime }: BuiltTransaction,
  { signal, done, onStatus }: FollowOptions,
): Promise<{ readonly slot: bigint }> {
  const result = await submitTransaction(client, tx, {
    ...lifetime,
    abortSignal: signal,
    observe: ({ type }) => {
      if (type !== 'rejected') onStatus(type === 'no-answer' ? 'no-answer' : 'sent');
    },
  });
  if (result.status === 'landed') return result;
  if (result.status === 'expired') throw new ExpiredError();
  throw failed(result.error.message, done);
}

const failed = (why: string, done: string) =>
  new Problem(
    undefined,
    // In production builds, kit's messages are numbers.
    `The transaction failed, and nothing was ${done}. ${why.replace(/Solana error #(\d+);.*$/s, 'error $1.')}`,
  );
