// The search for a mint address, for any thread: without kit, which a thread would load for itself.

/** Up to here a remainder times 256 is an exact `number`. */
const MAX_CHARACTERS = 7;
/** Some milliseconds of work, after which other tasks get their turn. */
const BATCH = 256;
const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The key of a mint, in a form that can be sent to another thread: its scalar, where other keys have a seed. */
export interface MintKey {
  readonly publicKey: Uint8Array;
  readonly scalar: bigint;
}

/** What {@link suffixMatcher} accepts. */
export const SUFFIX_IN_WORDS = `up to ${MAX_CHARACTERS} base58 characters (no 0, O, I or l)`;

/**
 * Tells whether the base58 form of bytes ends with the suffix: their remainder by a power of 58 decides. `undefined` for a suffix that no
 * address can have.
 */
export function suffixMatcher(suffix: unknown): ((bytes: Uint8Array) => boolean) | undefined {
  const isPossible =
    typeof suffix === 'string' &&
    suffix.length <= MAX_CHARACTERS &&
    [...suffix].every((character) => BASE58_ALPHABET.includes(character));
  if (!isPossible) return undefined;
  const modulus = 58 ** suffix.length;
  const wanted = [...suffix].reduce((value, character) => value * 58 + BASE58_ALPHABET.indexOf(character), 0);
  return (bytes) => {
    let remainder = 0;
    for (const byte of bytes) remainder = (remainder * 256 + byte) % modulus;
    return remainder === wanted;
  };
}

/** Searches until a public key matches. Returns `undefined` once it is aborted. */
export async function findMintKey(
  matches: (publicKey: Uint8Array) => boolean,
  observe?: (attempts: number, attemptsPerSecond: number) => void,
  isAborted?: () => boolean,
): Promise<MintKey | undefined> {
  const { Point, normalizeZ } = await loadCurve();
  const started = performance.now();
  let scalar = randomScalar(Point.Fn.ORDER);
  let point = Point.BASE.multiply(scalar);
  for (let attempts = BATCH; ; attempts += BATCH) {
    if (isAborted?.()) return undefined;
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
    observe?.(attempts, (attempts / (performance.now() - started)) * 1000);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Loaded on demand: a page that launches nothing doesn't download it. Bundlers keep of a module what is taken out at once. */
export async function loadCurve() {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const { normalizeZ } = await import('@noble/curves/abstract/curve.js');
  return { Point: ed25519.Point, normalizeZ };
}

/** 48 bytes, so that the remainder by the 32-byte order is as good as uniform. */
const randomScalar = (order: bigint): bigint => toInteger(crypto.getRandomValues(new Uint8Array(48))) % order;

/** Little-endian bytes as an integer. */
export const toInteger = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
