import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { HeavenError } from 'heaven-pools';
import { listOf, putSignature, type SignedBytes, signedFrom, toSign } from '#signed-bytes';

import { describeKey } from '../base/shown.js';

const publicKeys = new WeakMap<KeyObject, Uint8Array>();

/** The 32 bytes of the public key, derived once for each private key. */
function publicKeyOf(key: KeyObject): Uint8Array {
  const known = typeof key === 'object' && key !== null ? publicKeys.get(key) : undefined;
  if (known !== undefined) return known;
  if (key?.type !== 'private' || key.asymmetricKeyType !== 'ed25519') {
    const value = key?.asymmetricKeyType ?? key;
    const message = `keys must be a private Ed25519 KeyObject of node:crypto; got ${describeKey(value)}.`;
    throw new HeavenError('invalid-input', message, { field: 'keys', value });
  }
  // The key is the end of its DER encoding, after a header of fixed length.
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const bytes = new Uint8Array(der.subarray(-32));
  publicKeys.set(key, bytes);
  return bytes;
}

/**
 * Signs the bytes of a patched trade synchronously, with Node's own cryptography. Faster than `signPrepared`.
 *
 * @param bytes From `patch` or `patchTrade`. They are not changed.
 * @param keys The private keys of everyone who must sign: one, or a list in any order. `KeyObject.from` makes one from the
 * `CryptoKey` of a kit signer.
 * @throws {HeavenError} `invalid-input` (another kind of key, or one that the transaction does not need), `transaction-not-signed`
 * (one is missing), `malformed-data`
 * @example
 * ```ts
 * import { KeyObject } from 'node:crypto';
 * import { generateKeyPairSigner } from '@solana/kit';
 *
 * const payer = await generateKeyPairSigner(); // your wallet
 * const key = KeyObject.from(payer.keyPair.privateKey); // once
 * const prepared = prepareTrade(client, await buildBuy(client, { payer, quoteResponse: quote }));
 * const { bytes, signature } = signPreparedSync(prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }), key);
 * ```
 */
export function signPreparedSync(bytes: Uint8Array, keys: KeyObject | readonly KeyObject[]): SignedBytes {
  const unsigned = toSign(bytes);
  for (const key of listOf(keys)) putSignature(unsigned, publicKeyOf(key), sign(null, unsigned.message, key));
  return signedFrom(unsigned);
}
