import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type TransactionMessageBytes,
  type TransactionPartialSigner,
} from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import { assertCall, inputError, invalidIdentity } from '../base/input.js';
import type { HeavenClient } from '../program/client.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { assertBuilt, type BuiltTransaction, isPartialSigner, signable, signTransaction } from './built.js';
import { assertLifetime, lifetimeOf, type TransactionLifetime } from './lifetime.js';

/** Who signs again, and the block hash to use. */
export interface RefreshLifetimeOptions extends RequestOptions {
  /** A launch's mint, whose signature the builder put in. Leave it out where the wallet signs first. */
  readonly mintSigner?: TransactionPartialSigner | undefined;
  /** Other signers who have already signed, or sign right away. */
  readonly signers?: readonly TransactionPartialSigner[] | undefined;
  /** A recent block hash. Default: reads the latest. */
  readonly lifetime?: TransactionLifetime | undefined;
}

/**
 * Gives an old transaction a fresh block hash. Everything else stays the same, and a trade keeps its minimum. At most
 * one call to the node.
 *
 * Signatures cover the block hash, so existing ones become void. The signers that you pass sign again.
 *
 * @returns `built` with new `tx`, `transaction`, `lifetime` and `requiredSigners`.
 * @throws {HeavenError} `invalid-transaction` (a signature would be void, and its signer is not given), `invalid-input` (a signer
 * that the transaction does not need), and the `rpc-…` codes
 * @example
 * ```ts
 * const fresh = await refreshLifetime(client, launch, { mintSigner });
 * ```
 */
export async function refreshLifetime<TBuilt extends BuiltTransaction>(
  client: HeavenClient,
  built: TBuilt,
  options: RefreshLifetimeOptions = {},
): Promise<TBuilt> {
  assertCall(client, options, { mintSigner: 1, signers: 1, lifetime: 1, abortSignal: 1 }, 'options');
  assertBuilt(built);
  if (options.lifetime) assertLifetime(options.lifetime, 'lifetime');
  const { signatures } = built.transaction;
  const signers = signersOf(options, signatures);
  const lost = Object.entries(signatures).flatMap(([address, signature]) =>
    signature === null || signers.some((signer) => signer.address === address) ? [] : [address],
  );
  if (lost.length > 0) {
    throw new HeavenError(
      'invalid-transaction',
      `With another block hash the signature of ${lost.join(' and ')} is void. Pass the signer (of a launch as mintSigner), or build the transaction again.`,
      { reason: 'another block hash voids signatures', signers: lost },
    );
  }
  const lifetime = await lifetimeOf(client, options);
  const message = getCompiledTransactionMessageDecoder().decode(built.transaction.messageBytes);
  const { blockhash, lastValidBlockHeight } = lifetime;
  const fresh = signable({
    ...built.transaction,
    messageBytes: getCompiledTransactionMessageEncoder().encode({
      ...message,
      lifetimeToken: blockhash,
    }) as TransactionMessageBytes,
    signatures: Object.fromEntries(Object.keys(signatures).map((address) => [address, null])),
    lifetimeConstraint: { blockhash, lastValidBlockHeight },
  });
  let refreshed: TBuilt = { ...built, ...fresh, lifetime };
  for (const signer of signers) refreshed = await signTransaction(refreshed, signer);
  return refreshed;
}

function signersOf(
  { mintSigner, signers = [] }: RefreshLifetimeOptions,
  needed: BuiltTransaction['transaction']['signatures'],
): readonly TransactionPartialSigner[] {
  if (!Array.isArray(signers)) throw inputError('signers', 'signers must be a list of kit signers.');
  const assertSigner = (signer: TransactionPartialSigner, field: string): void => {
    if (!isPartialSigner(signer))
      throw invalidIdentity(field, signer, 'a kit signer that can sign a transaction');
    const { address } = signer;
    if (!Object.hasOwn(needed, address))
      throw inputError(
        field,
        `${field} is ${address}, but the transaction needs no signature from it.`,
        address,
      );
  };
  if (mintSigner !== undefined) assertSigner(mintSigner, 'mintSigner');
  for (const [index, signer] of signers.entries()) assertSigner(signer, `signers[${index}]`);
  return mintSigner === undefined ? signers : [mintSigner, ...signers];
}
