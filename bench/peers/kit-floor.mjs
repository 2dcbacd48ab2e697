// kit alone, on finished instructions. This folder has an older kit of its own for Orca, so the repository's is named by file.
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '../../node_modules/@solana/kit/dist/index.node.mjs';

export const compileWithKit = (payer, lifetime, instructions) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => getBase64EncodedWireTransaction(compileTransaction(message)),
  );

export const addressOfBytes = (bytes) => getAddressDecoder().decode(bytes);
