import type { Address, ReadonlyUint8Array, Transaction, TransactionPartialSigner } from '@solana/kit';
import { isPartialSigner } from '../build/assemble.js';
import { describe, inputError } from '../input.js';
import type { BuiltLaunch } from '../standard/create-standard-liquidity-pool.js';
import {
  type AssertSignedTransactionMatchesOptions,
  assertSignedTransactionMatches,
  type SignedTransaction,
} from './assert-signed-transaction-matches.js';

/**
 * Adds a launch's last signature, the new mint's, to what the wallet signed. Phantom shows a warning for a transaction that has
 * another signature already, and no wallet can add its assertions to it: so build the launch with a noop signer for the mint,
 * let the wallet sign, and sign with the mint's key afterwards.
 *
 * The mint's key never signs anything but the launch: what the wallet returned is held to it first, as in
 * {@link assertSignedTransactionMatches}.
 *
 * @param signed What the wallet returned: base64, bytes, or kit's transaction.
 * @param launch What `buildCreateStandardLiquidityPool` returned.
 * @param mintSigner The mint's key.
 * @throws {HeavenError} `transaction-mismatch` and `malformed-data` for what is not the launch; `invalid-input` for another
 * mint's signer
 * @example
 * ```ts
 * import { createNoopSigner, getTransactionEncoder } from '@solana/kit';
 *
 * const wallet = await createPracticeWallet({ guards: 'solflare', rpc });
 * const unsigned = await buildCreateStandardLiquidityPool(client, {
 *   payer: wallet.address,
 *   creator: wallet.address,
 *   encodedUserDefinedEventData: '',
 *   name: 'A token',
 *   symbol: 'TOKEN',
 *   uri: 'https://example.com/token.json',
 *   configVersion: 1,
 *   initialPurchaseAmount: 0n,
 *   lutAddress,
 *   mintSigner: createNoopSigner(mintSigner.address),
 * });
 * const signed = await wallet.signTransaction(getTransactionEncoder().encode(unsigned.transaction));
 * const { tx } = await addMintSignature(signed, unsigned, mintSigner);
 * ```
 */
export async function addMintSignature(
  signed: string | ReadonlyUint8Array | Transaction,
  launch: Pick<BuiltLaunch, 'mint' | 'tx' | 'instructions' | 'lifetime'>,
  mintSigner: TransactionPartialSigner,
  options: AssertSignedTransactionMatchesOptions = {},
): Promise<SignedTransaction> {
  const { mint } = launch;
  const address: Address | undefined = isPartialSigner(mintSigner) ? mintSigner.address : undefined;
  if (address !== mint) {
    const got = address ?? describe(mintSigner);
    throw inputError(
      'mintSigner',
      `mintSigner must be the signer of the launch's mint, ${mint}; got ${got}.`,
    );
  }
  const { missingSigners = [] } = options;
  const checked = await assertSignedTransactionMatches(signed, launch, {
    ...options,
    missingSigners: [...missingSigners, mint],
  });
  const { transaction } = checked;
  const [added] = await mintSigner.signTransactions([
    transaction as Parameters<TransactionPartialSigner['signTransactions']>[0][number],
  ]);
  const signatures = { ...transaction.signatures, ...added };
  return await assertSignedTransactionMatches({ ...transaction, signatures }, launch, options);
}
