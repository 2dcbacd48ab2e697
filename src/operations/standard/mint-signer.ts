import {
  getAddressDecoder,
  type SignatureBytes,
  type Transaction,
  type TransactionPartialSigner,
} from '@solana/kit';

import { loadCurve, type MintKey, toInteger } from './mint-key.js';

/** The signer of a key by its scalar instead of a seed. The signatures are ordinary Ed25519 (RFC 8032). */
export async function mintSignerOf({ publicKey, scalar }: MintKey): Promise<TransactionPartialSigner> {
  const { Point } = await loadCurve();
  const order = Point.Fn.ORDER;
  const address = getAddressDecoder().decode(publicKey);
  const noncePrefix = crypto.getRandomValues(new Uint8Array(32));
  const sign = async (message: Uint8Array): Promise<SignatureBytes> => {
    const nonce = (await sha512(noncePrefix, message)) % order;
    const commitment = Point.BASE.multiply(nonce).toBytes();
    const challenge = await sha512(commitment, publicKey, message);
    const response = (nonce + challenge * scalar) % order;
    const signature = new Uint8Array(64);
    signature.set(commitment);
    signature.set(Point.Fn.toBytes(response), 32);
    return signature as SignatureBytes;
  };
  return Object.freeze({
    address,
    signTransactions: async (transactions: readonly Transaction[]) =>
      await Promise.all(
        transactions.map(async ({ messageBytes }) =>
          Object.freeze({ [address]: await sign(Uint8Array.from(messageBytes)) }),
        ),
      ),
  });
}

async function sha512(...parts: readonly Uint8Array[]): Promise<bigint> {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  return toInteger(new Uint8Array(await crypto.subtle.digest('SHA-512', bytes)));
}
