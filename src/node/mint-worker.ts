import { generateKeyPairSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';

import { findMintKey, suffixMatcher } from '../operations/standard/mint-key.js';
import type { MintSearchReport, MintSearchTask } from './mint-search.js';

// A thread that searches for one mint address, and ends.

/** A few dozen milliseconds of work. */
const BATCH = 256;
/** The offsets of the keys in their encodings (RFC 8410). */
const SPKI_HEADER = 12;
const PKCS8_HEADER = 16;

const { suffix, isForFile } = workerData as MintSearchTask;
const matches = suffixMatcher(suffix);
if (matches === undefined) throw new Error('No address ends with that suffix.');

const report = (message: MintSearchReport) => parentPort?.postMessage(message);
report({ attempts: 0, key: isForFile ? findKeyFile(matches) : await findMintKey(matches) });

/**
 * Finds the content of a key file: the seed, then the public key. Each attempt makes a new key, which is slower than trying neighbors on
 * the curve, but gives a seed.
 */
function findKeyFile(isWanted: (publicKey: Uint8Array) => boolean): Uint8Array {
  for (let attempts = 1; ; attempts++) {
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(SPKI_HEADER);
    if (isWanted(publicKey)) {
      const seed = pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(PKCS8_HEADER);
      return Uint8Array.from([...seed, ...publicKey]);
    }
    if (attempts % BATCH === 0) report({ attempts: BATCH });
  }
}
