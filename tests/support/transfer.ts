import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

type Lifetime = { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
export const NO_BLOCKHASH = {
  blockhash: '11111111111111111111111111111111' as Blockhash,
  lastValidBlockHeight: 0n,
};

/** Instructions as a transaction, of version 0 unless told otherwise, signed by its payer and the signers that are attached. */
export async function signedWith(
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  lifetime: Lifetime = NO_BLOCKHASH,
  version: 0 | 'legacy' = 0,
): Promise<Base64EncodedWireTransaction> {
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
  return getBase64EncodedWireTransaction(signed);
}

/** A transfer of lamports by its payer. Default block hash: none that a ledger takes. */
export const transferTo = (
  destination: Address,
  amount: bigint,
  source: KeyPairSigner,
  lifetime?: Lifetime,
): Promise<Base64EncodedWireTransaction> =>
  signedWith(source, [getTransferSolInstruction({ source, destination, amount })], lifetime);
