import {
  type Address,
  getTransactionDecoder,
  isTransactionPartialSigner,
  type KeyPairSigner,
  type SignatureBytes,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime,
} from '@solana/kit';
import { invalidIdentity, invalidInput } from '../../base/input.js';
import { bytesOfAddress } from '../../solana/addresses.js';
import { assertWebCrypto } from '../../solana/web-crypto.js';
import { listOf, putSignature, type SignedBytes, signedFrom, toSign } from './signed-bytes.js';

/** Who signs: a kit signer that doesn't change transactions, or an Ed25519 `CryptoKeyPair` of WebCrypto. */
export type PreparedSigner = TransactionPartialSigner | KeyPairSigner['keyPair'];

/**
 * Signs the bytes of a patched trade. Keys sign with WebCrypto, in the background; in Node `signPreparedSync` of
 * `heaven-pools/node` is several times faster.
 *
 * @param bytes From `patch` or {@link patchTrade}. They are not changed.
 * @param signers Everyone who must sign: one signer, or a list in any order.
 * @throws {HeavenError} `invalid-input` (no signer, or one that the transaction does not need), `transaction-not-signed` (one is
 * missing), `malformed-data`
 * @example
 * ```ts
 * import { generateKeyPairSigner } from '@solana/kit';
 *
 * const payer = await generateKeyPairSigner(); // your wallet
 * const prepared = prepareTrade(client, await buildBuy(client, { payer, quoteResponse: quote }));
 * const unsigned = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime });
 * const { bytes, signature } = await signPrepared(unsigned, payer); // bytes: for submitTransaction
 * ```
 */
export async function signPrepared(
  bytes: Uint8Array,
  signers: PreparedSigner | readonly PreparedSigner[],
): Promise<SignedBytes> {
  const unsigned = toSign(bytes);
  const signatures = await Promise.all(
    listOf(signers).map(async (signer) => {
      const keyPair = keyPairOf(signer);
      return keyPair === undefined
        ? await signWithSigner(bytes, signer as TransactionPartialSigner)
        : await signWithKeys(unsigned.message, keyPair);
    }),
  );
  for (const [publicKey, signature] of signatures) putSignature(unsigned, publicKey, signature);
  return signedFrom(unsigned);
}

type Signed = readonly [publicKey: Uint8Array, signature: Uint8Array];

/** The keys of a key pair, or of a signer that has them; `undefined` for any other signer. */
function keyPairOf(signer: PreparedSigner): CryptoKeyPair | undefined {
  if (typeof signer === 'object' && signer !== null) {
    if ('privateKey' in signer && 'publicKey' in signer) return signer;
    if ('keyPair' in signer) return signer.keyPair as CryptoKeyPair;
    if ('address' in signer && isTransactionPartialSigner(signer)) return undefined;
  }
  throw invalidIdentity('signers', signer, 'a kit signer that can sign a transaction, or a CryptoKeyPair');
}

const publicKeys = /* @__PURE__ */ new WeakMap<CryptoKey, Promise<ArrayBuffer>>();

async function signWithKeys(
  message: Uint8Array<ArrayBuffer>,
  { publicKey, privateKey }: CryptoKeyPair,
): Promise<Signed> {
  assertWebCrypto();
  const { subtle } = globalThis.crypto;
  const exported = publicKeys.get(publicKey) ?? subtle.exportKey('raw', publicKey);
  publicKeys.set(publicKey, exported);
  exported.catch(() => publicKeys.delete(publicKey));
  const [key, signature] = await Promise.all([exported, subtle.sign('Ed25519', privateKey, message)]);
  return [new Uint8Array(key), new Uint8Array(signature)];
}

async function signWithSigner(bytes: Uint8Array, signer: TransactionPartialSigner): Promise<Signed> {
  const transaction = getTransactionDecoder().decode(bytes) as Transaction &
    TransactionWithinSizeLimit &
    TransactionWithLifetime;
  const [signatures] = await signer.signTransactions([transaction]);
  const { address } = signer;
  const signature = (signatures as Readonly<Record<Address, SignatureBytes>> | undefined)?.[address];
  if (signature?.length !== 64)
    throw invalidInput('signers', signature, `a signer that signs for ${address}`);
  return [bytesOfAddress(address), signature];
}
