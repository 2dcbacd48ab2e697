import {
  type Address,
  type Blockhash,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  isTransactionPartialSigner,
  type TransactionMessageBytes,
  type TransactionPartialSigner,
} from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { HeavenError } from '../errors.js';
import {
  assertBuilt,
  type BuiltTransaction,
  type Lifetime,
  lifetimeOf,
  signable,
  signTransaction,
} from './assemble.js';

/** Who signs anew, and the block hash to take. */
export interface RefreshLifetimeOptions extends RequestOptions {
  /** A launch's mint, which has signed already and has to sign anew. */
  readonly mintSigner?: TransactionPartialSigner | undefined;
  /** Whoever else has signed already, or is to sign right away. */
  readonly signers?: readonly TransactionPartialSigner[] | undefined;
  /** A block hash at hand. Default: the latest is read. */
  readonly lifetime?: Lifetime | undefined;
}

/**
 * The same transaction with a fresh block hash, for one that has waited too long: the same accounts in the same order, the
 * same instructions and lookup tables. At most one call to the node. Prices are not looked at again: a trade keeps its minimum.
 *
 * Signatures are over the block hash too, so that those which are there already become void: of a launch its mint's, which
 * the builder has put in. They are made anew by the signers given here.
 *
 * @returns What was given, with `tx`, `transaction`, `lifetime` and `requiredSigners` renewed.
 * @throws {HeavenError} `signature-lost` (a signature that is there would be void, and its signer is not given),
 * `invalid-input` (a signer that the transaction does not need), and the `rpc-…` codes
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
  assertBuilt(built);
  const { signatures } = built.transaction;
  const signers = signersOf(options, signatures);
  const lost = Object.entries(signatures).flatMap(([address, signature]) =>
    signature === null || signers.some((signer) => signer.address === address) ? [] : [address],
  );
  if (lost.length > 0) {
    throw new HeavenError(
      'signature-lost',
      `With another block hash the signature of ${lost.join(' and ')} is void. Pass the signer (of a launch as mintSigner), or build the transaction anew.`,
      { signers: lost },
    );
  }
  const lifetime = await lifetimeOf(client, options);
  const message = getCompiledTransactionMessageDecoder().decode(built.transaction.messageBytes);
  const fresh = signable({
    ...built.transaction,
    messageBytes: getCompiledTransactionMessageEncoder().encode({
      ...message,
      lifetimeToken: lifetime.blockhash,
    } as typeof message) as TransactionMessageBytes,
    signatures: Object.fromEntries(Object.keys(signatures).map((address) => [address, null])),
    lifetimeConstraint: {
      blockhash: lifetime.blockhash as Blockhash,
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
    },
  } as BuiltTransaction['transaction']);
  let refreshed: BuiltTransaction = { ...built, ...fresh, lifetime };
  for (const signer of signers) refreshed = await signTransaction(refreshed, signer);
  return refreshed as TBuilt;
}

function signersOf(
  { mintSigner, signers = [] }: RefreshLifetimeOptions,
  needed: BuiltTransaction['transaction']['signatures'],
): readonly TransactionPartialSigner[] {
  if (!Array.isArray(signers)) {
    throw new HeavenError('invalid-input', "signers must be a list of kit's signers.", { field: 'signers' });
  }
  const given = [
    ...(mintSigner === undefined ? [] : [{ field: 'mintSigner', signer: mintSigner }]),
    ...signers.map((signer: TransactionPartialSigner, index) => ({ field: `signers[${index}]`, signer })),
  ];
  return given.map(({ field, signer }) => {
    const isSigner =
      typeof signer === 'object' &&
      signer !== null &&
      'address' in signer &&
      isTransactionPartialSigner(signer as { address: Address });
    if (!isSigner || !Object.hasOwn(needed, signer.address)) {
      throw new HeavenError(
        'invalid-input',
        isSigner
          ? `${field} is ${signer.address}, and the transaction needs no signature of it.`
          : `${field} must be a signer of kit's that can sign a transaction.`,
        isSigner ? { field, value: signer.address } : { field },
      );
    }
    return signer;
  });
}
