import type { TransactionPartialSigner } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { assertAbortSignal, assertFunction, assertNames, invalidInput } from '../../base/input.js';
import { assertWebCrypto } from '../../solana/web-crypto.js';
import { findMintKey, SUFFIX_IN_WORDS, suffixMatcher } from './mint-key.js';
import { mintSignerOf } from './mint-signer.js';

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

/**
 * Finds a mint address that ends with the suffix, and returns its signer. Three characters take some seconds, and each
 * further one 58 times as long. The event loop stays free in between.
 *
 * It tries neighboring keys on the curve, which is ten times as fast as a new key each time. The signer therefore has no
 * seed to export. It signs the launch and is useless afterwards, because the launch gives up all authorities.
 *
 * @throws {HeavenError} `invalid-input`, such as for a suffix that no address can have; `aborted`
 * @example
 * ```ts
 * const mintSigner = await grindMintAddress({ suffix: '7' });
 * console.log(mintSigner.address.endsWith('7')); // true
 * ```
 */
export async function grindMintAddress(input: GrindMintAddressInput = {}): Promise<TransactionPartialSigner> {
  assertNames(input, 'input', { suffix: 1, observe: assertFunction, abortSignal: assertAbortSignal });
  const { suffix = '777', observe, abortSignal } = input;
  const matches = suffixMatcher(suffix);
  if (matches === undefined) throw invalidInput('suffix', suffix, SUFFIX_IN_WORDS);
  assertWebCrypto();
  const expectedAttempts = 58 ** suffix.length;
  const key = await findMintKey(
    matches,
    (attempts, attemptsPerSecond) => observe?.({ attempts, expectedAttempts, attemptsPerSecond }),
    () => abortSignal?.aborted === true,
  );
  if (key !== undefined) return await mintSignerOf(key);
  throw new HeavenError('aborted', 'The search for a mint address was aborted by the caller.', {
    method: 'grindMintAddress',
  });
}
