import { generateKeyPairSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';

import { suffixMatcher } from '../standard/mint-key.js';

/** A message from a thread of `heaven-pools grind`: the attempts since the last message, and a key if it found one. */
export interface GrindReport {
  readonly attempts: number;
  /** The seed, then the public key: the content of a key file. */
  readonly key?: Uint8Array;
}

/** A few dozen milliseconds of work. */
const BATCH = 256;
/** The offsets of the keys in their encodings (RFC 8410). */
const SPKI_HEADER = 12;
const PKCS8_HEADER = 16;

const matches = suffixMatcher(workerData.suffix);
if (matches === undefined) throw new Error('No address ends with that suffix.');

// Each attempt makes a new key. That is slower than trying neighbours on the curve, but gives a seed to store.
for (;;) {
  let key: Uint8Array | undefined;
  let attempts = 0;
  while (attempts < BATCH && key === undefined) {
    attempts += 1;
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(SPKI_HEADER);
    if (!matches(publicKey)) continue;
    const seed = pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(PKCS8_HEADER);
    key = Uint8Array.from([...seed, ...publicKey]);
  }
  parentPort?.postMessage({ attempts, ...(key === undefined ? {} : { key }) } satisfies GrindReport);
  if (key !== undefined) break;
}
