// kit alone, on finished instructions. This folder has an older kit of its own for Orca, so the repository's is named by file.
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '../../../node_modules/@solana/kit/dist/index.node.mjs';

export const encodeKeyWithKit = (key) => getAddressEncoder().encode(key);
export const decodeKeyWithKit = (bytes) => getAddressDecoder().decode(bytes);

/** Of what a builder returned: what kit compiles to the same transaction. */
export const allInstructionsOf = ({ computeBudget, instructions }) => [...computeBudget, ...instructions];

const compiled = (payer, lifetime, instructions) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compileTransaction(message),
  );

export const compileWithKit = (payer, lifetime, instructions) =>
  getBase64EncodedWireTransaction(compiled(payer, lifetime, instructions));

export const compileToBytesWithKit = (payer, lifetime, instructions) =>
  getTransactionEncoder().encode(compiled(payer, lifetime, instructions));

export async function createKitSigner() {
  const signer = await generateKeyPairSigner(true);
  return { signer, privateKey: signer.keyPair.privateKey };
}

export const compileAndSignWithKit = async (signer, lifetime, instructions) =>
  getTransactionEncoder().encode(
    await signTransaction([signer.keyPair], compiled(signer.address, lifetime, instructions)),
  );

export const addressOfBytes = (bytes) => getAddressDecoder().decode(bytes);
