import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';

/** A transaction that nobody has signed. */
export const unsignedTransaction = (
  version: 'legacy' | 0,
  payer: Address,
  blockhash: string,
  instructions: readonly Instruction[],
): Transaction =>
  compileTransaction(
    appendTransactionMessageInstructions(
      instructions,
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        setTransactionMessageFeePayer(payer, createTransactionMessage({ version })),
      ),
    ),
  );

/** A transaction with one instruction and a made-up signature. */
export function wireTransaction(
  version: 'legacy' | 0,
  payer: Address,
  blockhash: string,
  instruction: Instruction,
  signature: Uint8Array,
): Base64EncodedWireTransaction {
  return getBase64EncodedWireTransaction({
    ...unsignedTransaction(version, payer, blockhash, [instruction]),
    signatures: { [payer]: signature as SignatureBytes },
  });
}
