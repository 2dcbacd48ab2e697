import { getBase58Decoder, type Signature } from '@solana/kit';

import { HeavenError } from '../../base/errors.js';
import { inputError, invalidIdentity, isBytes } from '../../base/input.js';
import { isKeyBytes } from '../../base/shown.js';
import { addressAt } from '../../solana/addresses.js';
import {
  ADDRESS_BYTES,
  SIGNATURE_BYTES,
  type WireEnvelope,
  wireEnvelopeOf,
} from '../../solana/wire-layout.js';

/** A signed transaction. */
export interface SignedBytes {
  /** As it goes over the wire: for `submitTransaction`, or in base64 for a node or a landing service. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The fee payer's signature, which identifies the transaction. */
  readonly signature: Signature;
}

/** A transaction that is being signed: a copy of its bytes, and where its parts are. */
export interface BytesToSign {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly envelope: WireEnvelope;
  /** What is signed. */
  readonly message: Uint8Array<ArrayBuffer>;
}

export function toSign(given: Uint8Array): BytesToSign {
  if (!isBytes(given) || isKeyBytes(given))
    throw invalidIdentity('bytes', given, 'the bytes of a transaction');
  const bytes = new Uint8Array(given);
  const envelope = wireEnvelopeOf(bytes);
  return { bytes, envelope, message: bytes.subarray(envelope.messageStart, envelope.messageEnd) };
}

/** One or several signers, as a list. */
export function listOf<TSigner>(signers: TSigner | readonly TSigner[]): readonly TSigner[] {
  const list = Array.isArray(signers) ? (signers as readonly TSigner[]) : [signers as TSigner];
  if (list.length === 0) throw inputError('signers', 'signers must name at least one signer.');
  return list;
}

/** Puts the signature of a public key into its place. */
export function putSignature(
  { bytes, envelope: { addresses, signatures, signers } }: BytesToSign,
  publicKey: Uint8Array,
  signature: Uint8Array,
): void {
  for (let index = 0; index < signers; index++) {
    const start = addresses + index * ADDRESS_BYTES;
    if (!publicKey.every((byte, at) => byte === bytes[start + at])) continue;
    bytes.set(signature, signatures + index * SIGNATURE_BYTES);
    return;
  }
  const address = addressAt(publicKey);
  const needed = Array.from({ length: signers }, (_, index) => signerAt(bytes, addresses, index));
  throw inputError(
    'signers',
    `The transaction needs no signature from ${address}, but from ${needed.join(', ')}.`,
    address,
  );
}

const signerAt = (bytes: Uint8Array, addresses: number, index: number) =>
  addressAt(bytes, addresses + index * ADDRESS_BYTES);

/** The signed transaction, once no signature is missing. */
export function signedFrom({
  bytes,
  envelope: { addresses, signatures, signers },
}: BytesToSign): SignedBytes {
  for (let index = 0; index < signers; index++) {
    const start = signatures + index * SIGNATURE_BYTES;
    if (bytes.subarray(start, start + SIGNATURE_BYTES).some((byte) => byte !== 0)) continue;
    const signer = signerAt(bytes, addresses, index);
    throw new HeavenError(
      'transaction-not-signed',
      `The signature of ${signer} is missing. Pass all of the transaction's signers at once.`,
      { signer, reason: 'missing' },
    );
  }
  const first = bytes.subarray(signatures, signatures + SIGNATURE_BYTES);
  return { bytes, signature: getBase58Decoder().decode(first) as Signature };
}
