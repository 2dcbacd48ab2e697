import {
  type Address,
  appendTransactionMessageInstruction,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** A transaction with one instruction and a made-up signature. */
export function wireTransaction(
  version: 'legacy' | 0,
  payer: Address,
  blockhash: string,
  instruction: Instruction,
  signature: Uint8Array,
): Base64EncodedWireTransaction {
  const transaction = pipe(
    createTransactionMessage({ version }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        message,
      ),
    (message) => appendTransactionMessageInstruction(instruction, message),
    compileTransaction,
  );
  return getBase64EncodedWireTransaction({
    ...transaction,
    signatures: { [payer]: signature as SignatureBytes },
  });
}
