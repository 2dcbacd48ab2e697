import type { SignatureBytes, Transaction, TransactionPartialSigner } from '@solana/kit';

import { HeavenError } from '../errors.js';
import { invalidInput } from '../input.js';
import { addressAt } from '../solana/addresses.js';

/** Up to here a remainder times 256 is an exact `number`. */
const MOST_CHARACTERS = 7;
/** Some milliseconds of work, after which other tasks get their turn. */
const BATCH = 256;

/** The progress of a search for a mint address. */
export interface GrindProgress {
  /** Addresses tried so far. */
  readonly attempts: number;
  /** How many tries it takes on average: 58 to the power of the suffix's length. */
  readonly expectedAttempts: number;
  readonly attemptsPerSecond: number;
}

/** The address to search for, and a callback for progress. */
export interface GrindMintAddressInput {
  /** What the address ends with. Default `777`, as the exchange's launches do. */
  readonly suffix?: string | undefined;
  /** Called dozens of times a second. */
  readonly observe?: ((progress: GrindProgress) => void) | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The key of a mint, in a form that can be sent to another thread: its scalar, where other keys have a seed. */
export interface MintKey {
  readonly publicKey: Uint8Array;
  readonly scalar: bigint;
}

/**
 * Finds a mint address that ends with the suffix, and returns its signer. Three characters take some seconds, and each
 * further one 58 times as long. The event loop stays free in between.
 *
 * It tries neighboring keys on the curve, which is ten times as fast as a new key each time. The signer therefore has no
 * seed to export. It signs the launch and is useless afterwards, because the launch gives up all authorities.
 *
 * @throws {HeavenError} `invalid-input` for a suffix that no address can have, `aborted`
 * @example
 * ```ts
 * const mintSigner = await grindMintAddress({ suffix: '7' });
 * console.log(mintSigner.address.endsWith('7')); // true
 * ```
 */
export const grindMintAddress = async (
  input: GrindMintAddressInput = {},
): Promise<TransactionPartialSigner> => await mintSignerOf(await grindMintKey(input));

/** {@link grindMintAddress} without the signer. */
export async function grindMintKey({
  suffix = '777',
  observe,
  abortSignal,
}: GrindMintAddressInput): Promise<MintKey> {
  const matches = suffixMatcher(suffix);
  const { Point, normalizeZ } = await loadCurve();
  const expectedAttempts = 58 ** suffix.length;
  const started = performance.now();
  let scalar = randomScalar(Point.Fn.ORDER);
  let point = Point.BASE.multiply(scalar);
  for (let attempts = BATCH; ; attempts += BATCH) {
    if (abortSignal?.aborted) {
      throw new HeavenError('aborted', 'The search for a mint address was aborted by the caller.', {
        method: 'grindMintAddress',
      });
    }
    const points = Array.from({ length: BATCH }, () => {
      const current = point;
      point = point.add(Point.BASE);
      return current;
    });
    for (const [index, candidate] of normalizeZ(Point, points).entries()) {
      const publicKey = candidate.toBytes();
      if (matches(publicKey)) return { publicKey, scalar: scalar + BigInt(index) };
    }
    scalar += BigInt(BATCH);
    observe?.({
      attempts,
      expectedAttempts,
      attemptsPerSecond: (attempts / (performance.now() - started)) * 1000,
    });
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Loaded on demand: a page that launches nothing doesn't download it. */
async function loadCurve() {
  const [{ ed25519 }, { normalizeZ }] = await Promise.all([
    import('@noble/curves/ed25519.js'),
    import('@noble/curves/abstract/curve.js'),
  ]);
  return { Point: ed25519.Point, normalizeZ };
}

const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Whether the base58 form of these bytes ends with the suffix. Their remainder by a power of 58 decides. */
export function suffixMatcher(suffix: unknown): (bytes: Uint8Array) => boolean {
  const isPossible =
    typeof suffix === 'string' &&
    suffix.length <= MOST_CHARACTERS &&
    [...suffix].every((character) => BASE58_ALPHABET.includes(character));
  if (!isPossible)
    throw invalidInput('suffix', suffix, `up to ${MOST_CHARACTERS} base58 characters (no 0, O, I or l)`);
  const modulus = 58 ** suffix.length;
  const wanted = [...suffix].reduce((value, character) => value * 58 + BASE58_ALPHABET.indexOf(character), 0);
  return (bytes) => {
    let remainder = 0;
    for (const byte of bytes) remainder = (remainder * 256 + byte) % modulus;
    return remainder === wanted;
  };
}

/** 48 bytes, so that the remainder by the 32-byte order is as good as uniform. */
const randomScalar = (order: bigint): bigint => toInteger(crypto.getRandomValues(new Uint8Array(48))) % order;

/** The signer of a key by its scalar instead of a seed. The signatures are ordinary Ed25519 (RFC 8032). */
export async function mintSignerOf({ publicKey, scalar }: MintKey): Promise<TransactionPartialSigner> {
  const { Point } = await loadCurve();
  const order = Point.Fn.ORDER;
  const address = addressAt(publicKey);
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

/** Little-endian bytes as an integer. */
const toInteger = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
