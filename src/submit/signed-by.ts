import { type Address, getBase58Decoder, type ReadonlyUint8Array, type Signature } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { inputError } from '../base/input.js';
import { isOffCurve } from '../solana/addresses.js';
import { hasDurableNonce, isSignatureValid, type WireTransaction } from '../solana/message.js';

/** Throws unless a signer has signed a transaction, whatever that does. */
export async function assertSignedBy(wire: WireTransaction, signer: Address): Promise<void> {
  const signature = wire.signatures.find(({ address }) => address === signer)?.signature;
  if (signature === undefined) throw notSigned(signer, 'missing');
  if (!(await isSignatureValid(wire, signer, signature))) throw notSigned(signer, 'invalid');
}

/**
 * Throws if a transaction never expires, because nobody could say that it can't land any more, and if it needs a signature that only a
 * program can give.
 */
export function assertSubmittable(wire: WireTransaction, field: string): void {
  const vault = wire.signatures.find(
    ({ address, signature }) => signature === undefined && isOffCurve(address),
  );
  if (vault) throw notSigned(vault.address, 'missing');
  if (!hasDurableNonce(wire)) return;
  throw inputError(
    field,
    `${field} has a durable nonce, which its first instruction advances, so it never expires. Build it with a recent block hash and without that instruction. Nothing was sent.`,
  );
}

export const notSigned = (signer: Address, reason: 'missing' | 'invalid', cause?: unknown) =>
  new HeavenError(
    'transaction-not-signed',
    `The signature of ${signer} is ${reason === 'missing' ? 'missing' : 'not valid for this transaction'}. Nothing was sent. ${
      isOffCurve(signer)
        ? 'It lies off the curve, so only its program can sign for it. Pass the instructions of what you built to that program.'
        : 'Sign the transaction with all its requiredSigners, and submit what the last one returns: who signs after a wallet is a lastSigner. If the wallet did not sign, try again, or use another one.'
    }`,
    { signer, reason },
    { cause },
  );

/** The fee payer's signature, which identifies a signed transaction. */
export const signatureOf = ({ signatures }: WireTransaction): Signature =>
  getBase58Decoder().decode(signatures[0]?.signature as ReadonlyUint8Array) as Signature;
