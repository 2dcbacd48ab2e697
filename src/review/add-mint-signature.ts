import type { Address, ReadonlyUint8Array, Transaction, TransactionPartialSigner } from '@solana/kit';
import { isPartialSigner } from '../build/assemble.js';
import { describe, inputError } from '../input.js';
import type { BuiltLaunch } from '../standard/create-standard-liquidity-pool.js';
import {
  type AssertSignedTransactionMatchesOptions,
  assertSignedTransactionMatches,
  type SignedTransaction,
} from './assert-signed-transaction-matches.js';

/** The parts that {@link addMintSignature} needs of the launch that `buildCreateStandardLiquidityPool` returned. */
export interface LaunchToSign
  extends Pick<BuiltLaunch, 'mint' | 'tx' | 'instructions' | 'computeBudget' | 'lifetime' | 'mintSigner'> {}

/**
 * Adds a launch's last signature, the new mint's, to what the wallet signed. Phantom shows a warning for a transaction that
 * already has another signature, and no wallet can add its assertions to it. So build the launch with
 * `signingOrder: 'wallet-first'`, let the wallet sign, and add the mint's signature last.
 *
 * The mint's key never signs anything but the launch: the wallet's transaction is compared with it first, as in
 * {@link assertSignedTransactionMatches}.
 *
 * @param signed What the wallet returned: base64, bytes, or kit's transaction.
 * @param launch What `buildCreateStandardLiquidityPool` returned.
 * @param mintSigner The mint's signer. Default: `launch.mintSigner`.
 * @throws {HeavenError} `transaction-mismatch` and `malformed-data` for what is not the launch; `invalid-input` for another
 * mint's signer
 * @example
 * ```ts
 * import { getTransactionEncoder } from '@solana/kit';
 *
 * const wallet = await createPracticeWallet({ guards: 'solflare', rpc });
 * const launch = await buildCreateStandardLiquidityPool(client, {
 *   payer: wallet.address,
 *   creator: wallet.address,
 *   name: 'A token',
 *   symbol: 'TOKEN',
 *   uri: 'https://example.com/token.json',
 *   configVersion: 1,
 *   initialPurchaseAmount: 0n,
 *   lutAddress,
 *   mintSigner,
 *   signingOrder: 'wallet-first',
 * });
 * const signed = await wallet.signTransaction(getTransactionEncoder().encode(launch.transaction));
 * const { tx } = await addMintSignature(signed, launch);
 * ```
 */
export async function addMintSignature(
  signed: string | ReadonlyUint8Array | Transaction,
  launch: LaunchToSign,
  mintSigner: TransactionPartialSigner | undefined = launch.mintSigner,
  options: AssertSignedTransactionMatchesOptions = {},
): Promise<SignedTransaction> {
  const { mint } = launch;
  const address: Address | undefined = isPartialSigner(mintSigner) ? mintSigner.address : undefined;
  if (mintSigner === undefined || address !== mint) {
    const got = address ?? describe(mintSigner);
    throw inputError(
      'mintSigner',
      `mintSigner must be the signer of the launch's mint, ${mint}; got ${got}. A launch built with signingOrder 'wallet-first' has it.`,
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
